"""What the data folder holds of source 000: printed figures, labels, outcomes per query."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from askance.core.errors import DataProblem, FileProblem
from askance.data.collection import Collection
from askance.data.locate import in_data_folder
from askance.study.structural.printed import Printed, read_printed

FOLDER = "structural_retrieval"
PRINTED = f"{FOLDER}/published.json"
LABELS = f"{FOLDER}/queries118_labels.tsv"
DESCRIPTIONS = f"{FOLDER}/corpus_labels.tsv"
FIRST_RANKS = f"{FOLDER}/perquery/math_rank1_500.tsv"
SOLVER = f"{FOLDER}/perquery/solver_deepseek_210.tsv"
GATE = f"{FOLDER}/perquery/minilm_gate_ap.tsv"

FILES = (PRINTED, LABELS, DESCRIPTIONS, FIRST_RANKS, SOLVER, GATE)

Table = Sequence[Mapping[str, str]]


@dataclass(frozen=True, eq=False)
class Source:
    """The files below `folder`. `trajectories`: the collection itself, where it could be had."""

    folder: Path
    trajectories: Collection | None

    @cached_property
    def printed(self) -> Mapping[str, Printed]:
        """Every printed figure by id, in the order of the file."""
        return read_printed(self.folder / PRINTED)

    def row(self, name: str) -> Printed:
        """The printed figure of that id; DataProblem where there is none."""
        if name not in self.printed:
            raise DataProblem(f"{PRINTED} has no figure {name!r}", remedy="Get the file anew.")
        return self.printed[name]

    @cached_property
    def labels(self) -> Table:
        """The 118 queries over trajectories: what is gold for them, counted."""
        return self._table(LABELS, "query_id", "provenance", "query_text", "K_strict", "K_lenient", "K_harsher_ii")

    @cached_property
    def descriptions(self) -> Table:
        """The distinct descriptions of the trajectories."""
        return self._table(DESCRIPTIONS, "task_description")

    @cached_property
    def first_ranks(self) -> Table:
        """500 mathematical queries: which document stands at rank 1, per embedder."""
        return self._table(FIRST_RANKS, "query_id", "gemini_top1", "deepinfra_top1", "labembed_top1")

    @cached_property
    def solver(self) -> Table:
        """210 problems: how many tokens the solver's answers have, per condition."""
        conditions = ("none", "dumb", "gold")
        return self._table(SOLVER, "query_id", "well_known", *(f"{name}_output_tokens" for name in conditions))

    @cached_property
    def gate(self) -> Table:
        """40 queries: average precision of MiniLM as the source computed it for its gate."""
        return self._table(GATE, "query_id", "tier", "ap", "n_relevant_retrieved_in_top10")

    def _table(self, name: str, *columns: str) -> Table:
        path = self.folder / name
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        lacking = [column for column in columns if not rows or column not in rows[0]]
        if lacking:
            raise FileProblem(
                path, f"there is no column {lacking[0]!r}", line=1, remedy="The first line names the columns."
            )
        return rows


def find_folder() -> Path | None:
    """The data folder that holds all of FILES; None where there is none."""
    return in_data_folder(*FILES)
