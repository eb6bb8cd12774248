"""A program that makes run files, probed: edited queries are written to a file, its run is read back."""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import BadInput, DataProblem, FileProblem, ModelFailed
from askance.core.files import write_whole
from askance.core.progress import Progress
from askance.data.formats.loaded import read_run_file
from askance.data.run import Run
from askance.measure.order import ordered
from askance.retrieve.retriever import RetrievalTask

QUERIES, RUN = "{queries}", "{run}"
_SAID = 400


def parts_of(command: str) -> list[str]:
    """The words of a command line, as a shell would split them; BadInput where {queries} or {run} is missing."""
    try:
        parts = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"the command cannot be read: {error}", remedy="Close every quotation mark.") from None
    for place in (QUERIES, RUN):
        if not any(place in part for part in parts):
            raise BadInput(
                f"the command does not say where {place} goes",
                remedy="Write it as in: --command 'prog --in {queries} --out {run}'.",
            )
    return parts


@dataclass
class CommandProbed:
    """Runs `parts` without a shell. The texts of queries stand in a file only: one {"_id", "text"} a line.

    The run may have any form that askance reads, and is put in order of its scores. `timeout` in seconds.
    """

    name: str
    label: str
    parts: Sequence[str]
    timeout: float | None = None
    edits_documents: bool = False

    def run(self, task: RetrievalTask, progress: Progress) -> Run:
        """ModelFailed where the program fails, FileProblem where it wrote no run, DataProblem on unknown documents."""
        working = f"run {Path(self.parts[0]).name}"
        with tempfile.TemporaryDirectory(prefix="askance-probe-") as place:
            queries, made = Path(place) / "queries.jsonl", Path(place) / "run.txt"
            rows = zip(task.queries, task.query_texts, strict=True)
            lines = (json.dumps({"_id": id, "text": text}) + "\n" for id, text in rows)
            write_whole(queries, "".join(lines))
            progress.start(working, None)
            self._execute([one.replace(QUERIES, str(queries)).replace(RUN, str(made)) for one in self.parts])
            progress.finish(working)
            if not made.is_file():
                raise FileProblem(
                    made, f"was not written by {self.parts[0]}", remedy="Let it write its run where {run} stands."
                )
            return _over(task, ordered(read_run_file(made).run, "input"), self.name)

    def _execute(self, parts: Sequence[str]) -> None:
        try:
            done = subprocess.run(parts, capture_output=True, stdin=subprocess.DEVNULL, timeout=self.timeout)
        except OSError as error:
            raise BadInput(f"{parts[0]} cannot be run: {error.strerror or error}", remedy="Name a program.") from None
        except subprocess.TimeoutExpired:
            raise ModelFailed(f"{parts[0]} took longer than {self.timeout:g} seconds") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-_SAID:]
            raise ModelFailed(f"{parts[0]} ended with {done.returncode}: {said or 'it said nothing'}")


def _over(task: RetrievalTask, found: Run, name: str) -> Run:
    lists: dict[str, list[tuple[str, float]]] = {}
    for at, query in enumerate(found.queries):
        documents, scores = found.of_query(at)
        rows = zip(documents.tolist(), scores.tolist(), strict=True)
        lists[query] = [(found.documents[document], score) for document, score in rows]
    try:
        return Run.of(name, task.queries, task.documents, lists).top(task.depth)
    except DataProblem as problem:
        raise DataProblem(problem.message, remedy="Let the command search the collection that is probed.") from None
