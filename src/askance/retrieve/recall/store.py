"""Where trajectories are kept: a folder that `build trajectories` wrote, or logs; and, beside them, what was appended.

What is appended at once is a file of its own, one trajectory a line, which appears whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem
from askance.core.files import write_whole
from askance.data.adapters.agent_logs import METADATA, Log, Step, has_logs, log_of, plain_record, read_logs
from askance.data.collection import Turn
from askance.data.formats.beir import read_beir
from askance.data.formats.lines import read_json, read_json_lines
from askance.views.slots import Slots

_SLOTS = "slots.json"


@dataclass(frozen=True, slots=True)
class Store:
    """`path`: a file or folder of logs, or a BEIR folder whose documents have a description and turns."""

    path: Path

    @property
    def beside(self) -> Path:
        """Where appended trajectories and relearned slots are."""
        return self.path / "appended" if self.path.is_dir() else self.path.with_name(f"{self.path.name}.appended")

    def given(self) -> list[Log]:
        """What was there from the start; nothing in a folder that is empty, or to which all was appended."""
        if (self.path / "corpus.jsonl").is_file():
            return list(_documents(self.path))
        if self.path.is_dir() and not has_logs(self.path) and {*self.path.iterdir()} <= {self.beside}:
            return []
        return list(read_logs(self.path).logs)

    def appended(self) -> list[Log]:
        """What was appended, in that order."""
        return [log for file in self._files() for log in _logs(file)]

    def append(self, logs: Sequence[Log]) -> None:
        """Keep these, all of them or none."""
        tag = hashlib.sha256("\n".join(log.id for log in logs).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        lines = (json.dumps(plain_record(log)) + "\n" for log in logs)
        write_whole(self.beside / f"{len(self._files()) + 1:07d}-{tag}.jsonl", "".join(lines))

    def slots(self) -> Slots | None:
        """Slots that were relearned; None where they never were."""
        path = self.beside / _SLOTS
        return Slots.load(path) if path.is_file() else None

    def keep_slots(self, slots: Slots) -> None:
        slots.save(self.beside / _SLOTS)

    def _files(self) -> list[Path]:
        if not self.beside.is_dir():
            return []
        return sorted(path for path in self.beside.glob("*.json*") if path.name[:1].isdigit())


def _logs(path: Path) -> Iterator[Log]:
    """The logs of an appended file; one of an older layout holds one, as a whole."""
    if path.suffix == ".jsonl":
        for line, record in read_json_lines(path):
            yield log_of(record, path, line, f"{path.stem}-{line}")
        return
    whole = read_json(path)
    if not isinstance(whole, dict):
        raise FileProblem(path, "this is no trajectory", remedy="Remove the file.")
    yield log_of(whole, path, 1, path.stem)


def _documents(folder: Path) -> Iterator[Log]:
    documents = read_beir(folder).documents
    if "description" not in documents.fields or documents.turns is None:
        raise FileProblem(
            folder / "corpus.jsonl",
            "the documents have no description or no turns",
            remedy="Give a folder that askance build trajectories wrote, or a file of logs.",
        )
    goals = documents.field("description")
    told = {key.removeprefix(METADATA): column for key, column in documents.fields.items() if key.startswith(METADATA)}
    for at, name in enumerate(documents.ids):
        metadata = {key: column[at] for key, column in told.items() if column[at]}
        yield Log(name, goals[at], tuple(_steps(documents.turns[at])), metadata)


def _steps(turns: Sequence[Turn]) -> Iterator[Step]:
    """A step for each turn that acts, with what was seen since the one before."""
    seen: list[str] = []
    for turn in turns:
        if turn.speaker == "state":
            seen.append(turn.text)
        else:
            yield Step("\n".join(text for text in seen if text), turn.text)
            seen = []
    if any(seen):
        yield Step("\n".join(text for text in seen if text), "")
