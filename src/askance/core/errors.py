"""The one tree of errors.

AskanceError
├── BadInput            what the user gave cannot be used: exit code 2
│   ├── FileProblem     a file is missing, unreadable or malformed; names file and line
│   ├── DataProblem     collections, judgments and runs that do not fit each other
│   ├── StudyProblem    a study file that says something impossible
│   ├── UnknownName     a registry, collection or key has no such name; says the nearest
│   └── MissingExtra    an optional part of askance is not installed; says what to install
├── DownloadFailed      bytes could not be fetched, or are not the ones expected
├── ModelFailed         a model or endpoint did not answer, or answered nonsense
└── CheckFailed         it ran, but a gate, row or check failed: exit code 1

A message says what was found, where, what was expected and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from os import PathLike


class AskanceError(Exception):
    """Root of all errors that askance raises on purpose."""

    exit_code = 2

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(f"{message}\n  {remedy}" if remedy else message)


class BadInput(AskanceError):
    """What the user gave cannot be used as it is."""


class FileProblem(BadInput):
    """A file is missing, unreadable or malformed.

    `line` counts from 1; `text` is the offending line, quoted (cut at 120 characters). `problem`: what is wrong, alone.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        problem: str,
        *,
        line: int | None = None,
        text: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.path, self.problem = str(path), problem
        self.line, self.text = line, text
        where = f"{self.path}:{line}" if line is not None else self.path
        quoted = f"\n  the line reads: {text[:120]!r}" if text is not None else ""
        super().__init__(f"{where}: {problem}{quoted}", remedy=remedy)


class DataProblem(BadInput):
    """Collections, judgments and runs that do not fit each other."""


class StudyProblem(BadInput):
    """A study file that says something impossible."""


class UnknownName(BadInput):
    """There is no such name; `known` lists those that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, where: str | None = None) -> None:
        self.kind, self.name, self.known = kind, name, tuple(known)
        near = get_close_matches(name, self.known, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        listed = ", ".join(self.known) or "none"
        prefix = f"{where}: " if where else ""
        super().__init__(f"{prefix}there is no {kind} {name!r}", remedy=f"{hint}Known: {listed}.")


class MissingExtra(BadInput):
    """An optional part of askance is not installed."""

    def __init__(self, feature: str, install: str) -> None:
        super().__init__(f"{feature} needs packages that are not installed", remedy=f"Install them: {install}")


class DownloadFailed(AskanceError):
    """Bytes could not be fetched, or are not the ones expected."""


class ModelFailed(AskanceError):
    """A model or endpoint did not answer, or answered something that cannot be used."""


class CheckFailed(AskanceError):
    """It ran, but a gate, row or check failed."""

    exit_code = 1
