"""What files of runs, judgments and texts hold, and how they fit together: counts and problems, no figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from askance.data.fit import fit
from askance.data.formats.examine import Examined, examine
from askance.data.formats.examine_texts import ExaminedTexts, examine_folder, examine_texts, holds_texts
from askance.data.formats.layouts import Kind
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.problems import Problem, examples


@dataclass(frozen=True)
class ValidatedFile:
    """One file. `kind`: run, qrels, texts (documents or queries), collection (a BEIR folder), or unknown.

    `rows`: of a run or judgments that can be read; else texts. `problems`: errors first, each with its line where one
    line has it.
    """

    name: str
    kind: str
    form: str
    rows: int
    queries: int
    documents: int
    problems: Sequence[Problem]

    def count(self, severity: str) -> int:
        """How many of its problems are errors, or warnings."""
        return sum(problem.severity == severity for problem in self.problems)

    def record(self) -> dict[str, object]:
        """The machine form of one file."""
        return {
            "name": self.name,
            "kind": self.kind,
            "form": self.form,
            "rows": self.rows,
            "queries": self.queries,
            "documents": self.documents,
            "problems": [problem.record() for problem in self.problems],
        }


@dataclass(frozen=True)
class Validation:
    """All files, in the order given."""

    files: Sequence[ValidatedFile]

    @property
    def errors(self) -> int:
        return sum(file.count("error") for file in self.files)

    @property
    def exit_code(self) -> int:
        """0 where nothing is wrong (warnings are gone on with), 2 where something is."""
        return 2 if self.errors else 0

    def record(self) -> dict[str, object]:
        """The machine form: askance/validate/1."""
        return {"schema": "askance/validate/1", "files": [file.record() for file in self.files]}


class Checker:
    """Validates one file after another against the same texts and judgments."""

    def __init__(self) -> None:
        self._documents: Ids | None = None
        self._queries: Ids | None = None
        self._judgments: Judgments | None = None

    def corpus(self, path: Path) -> ValidatedFile:
        """The texts that documents must be among, from now on."""
        found = _examined_texts(path)
        self._documents = found.documents if len(found.documents) else None
        return _texts(path, found)

    def queries(self, path: Path) -> ValidatedFile:
        """The texts that queries must be among, from now on."""
        found = _examined_texts(path)
        known = found.queries if path.is_dir() else found.documents
        self._queries = known if len(known) else None
        return _texts(path, found)

    def qrels(self, path: Path) -> ValidatedFile:
        """The judgments whose identifiers runs are held against, from now on."""
        found = examine(path, "qrels")
        self._judgments = found.columns.judgments() if len(found.columns) else None
        return self._with_strangers(found)

    def file(self, path: Path, kind: Kind | None = None) -> ValidatedFile:
        """A file of any kind; its content tells which unless told."""
        if path.is_dir() or (kind is None and holds_texts(path)):
            return _texts(path, _examined_texts(path))
        found = examine(path, kind)
        file = self._with_strangers(found)
        if found.kind == "run" and self._judgments is not None and len(found.columns):
            return _more(file, fit(found.columns.run(file.name), self._judgments).problems)
        return file

    def _with_strangers(self, found: Examined) -> ValidatedFile:
        """The file, and which of its identifiers no text has."""
        problems: list[Problem] = []
        if self._documents is not None:
            problems += _strangers("documents", "corpus", found.columns.documents, self._documents)
        if self._queries is not None:
            problems += _strangers("queries", "file of queries", found.columns.queries, self._queries)
        return _more(_rows(found), problems)


def _examined_texts(path: Path) -> ExaminedTexts:
    return examine_folder(path) if path.is_dir() else examine_texts(path)


def _rows(examined: Examined) -> ValidatedFile:
    columns = examined.columns
    return ValidatedFile(
        name=str(examined.path),
        kind=examined.kind or "unknown",
        form=examined.form.name if examined.form else "",
        rows=len(columns),
        queries=len(columns.queries),
        documents=len(columns.documents),
        problems=examined.problems,
    )


def _texts(path: Path, found: ExaminedTexts) -> ValidatedFile:
    kind = "collection" if found.form == "BEIR" else "texts"
    rows = found.judged if kind == "collection" else len(found.documents)
    return ValidatedFile(str(path), kind, found.form, rows, len(found.queries), len(found.documents), found.problems)


def _strangers(several: str, where: str, named: Ids, known: Ids) -> list[Problem]:
    strange = [name for name in named if name not in known]
    if not strange:
        return []
    text = f"{len(strange):,} {several} are not in the {where}: {examples(strange)}; it has {examples(known)}"
    return [Problem("error", text, "Remove their rows, or add them.", count=len(strange))]


def _more(file: ValidatedFile, problems: Sequence[Problem]) -> ValidatedFile:
    """The same file with these problems too, errors before warnings."""
    every = sorted((*file.problems, *problems), key=lambda problem: problem.severity)
    return replace(file, problems=tuple(every))
