"""The verifier: who holds what is asked for comes first, in the old order; the tail stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from askance.core.errors import BadInput
from askance.data.ids import Ids
from askance.data.run import Run
from askance.rerank.constraints import ConstraintSettings
from askance.rerank.registry import RERANKERS
from askance.rerank.reranker import RerankTask

PATTERN = r"(?P<name>\w+) (?P<relation>likes) (?P<items>.+)\."
TEXTS = {
    "a": "Ann likes Snow, Honey.",
    "b": "Bob likes Snow Leopards, Honey.",
    "c": "Cy likes Snow, Tea.",
    "d": "Di likes Snow, Honey, Tea.",
    "e": "Snow and honey and tea.",
    "f": "Flo likes Tea.",
}
DOCUMENTS = Ids(TEXTS)


def reranked(
    question: str,
    ranked: str = "fedcba",
    first: int = 10,
    pattern: str | None = PATTERN,
    texts: Sequence[str] = tuple(TEXTS.values()),
) -> str:
    rows = {"q": [(name, 9.0 - rank) for rank, name in enumerate(ranked)]}
    kind = RERANKERS.get("constraints")
    task = RerankTask([question], texts, first)
    run = Run.of("first", Ids(["q"]), DOCUMENTS, rows)
    after = kind.build(kind.Settings.model_validate({"pattern": pattern})).rerank(run, task)
    assert after.name == "first+constraints"
    return "".join(after.documents[int(at)] for at in after.of_query(0)[0])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who likes Snow?", "dcafeb"),
        ("Who likes Snow and Honey?", "dafecb"),
        ("Who likes Snow but not Honey?", "cfedba"),
        ("Who likes Snow and Honey but not Tea?", "afedcb"),
        ("Who likes Tea or Honey?", "fdcbae"),
        ("Who likes nothing at all?", "fedcba"),
    ],
)
def test_who_holds_it_first(question: str, expected: str) -> None:
    assert reranked(question) == expected


def test_the_tail_stays() -> None:
    assert reranked("Who likes Snow?", first=3) == "dfecba"


def test_a_schema_is_learned() -> None:
    assert reranked("Who likes Snow?", pattern=None) == "dcafeb"


def test_without_a_schema_nothing_moves() -> None:
    plain = ("rain", "snow fell", "hail and snow", "sun", "wind", "fog")
    assert reranked("Who likes Snow?", pattern=None, texts=plain) == "fedcba"


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(BadInput, match="is no regular expression"):
        ConstraintSettings(pattern="(")
