"""Small worlds for the tests of measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import Judged, judge

Lists = Sequence[Sequence[int]]
Grades = Sequence[Mapping[int, float]]
Hold = Callable[..., Judged]


def run_of(lists: Lists, documents: int, name: str = "run") -> Run:
    """A run over documents d0, d1, … from lists of document numbers."""
    queries = Ids(f"q{at}" for at in range(len(lists)))
    ids = Ids(f"d{at}" for at in range(documents))
    ranked = {
        f"q{query}": [(f"d{document}", float(-rank)) for rank, document in enumerate(row)]
        for query, row in enumerate(lists)
    }
    return Run.of(name, queries, ids, ranked)


def judgments_of(grades: Grades, documents: int) -> Judgments:
    """Judgments over the same ids."""
    queries = Ids(f"q{at}" for at in range(len(grades)))
    ids = Ids(f"d{at}" for at in range(documents))
    named = {
        f"q{query}": {f"d{document}": grade for document, grade in row.items()} for query, row in enumerate(grades)
    }
    return Judgments.of(queries, ids, named)


@pytest.fixture(scope="session")
def hold() -> Hold:
    """hold(lists, grades, documents, threshold=1): a run held against judgments, all by number."""

    def held(lists: Lists, grades: Grades, documents: int, threshold: float = 1.0) -> Judged:
        return judge(run_of(lists, documents), judgments_of(grades, documents), threshold)

    return held


@pytest.fixture(scope="session")
def make_run() -> Callable[..., Run]:
    return run_of


@pytest.fixture(scope="session")
def make_judgments() -> Callable[..., Judgments]:
    return judgments_of
