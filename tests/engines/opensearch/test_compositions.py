"""Composed questions over a made collection, answered by both engines alike: all gold first."""

from __future__ import annotations

from pathlib import Path

import pytest

import askance
from askance.app.search import ask_all
from askance.build.limit.limit import Limit
from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.data.collection import Collection

TEMPLATES = ("or", "or_or", "and", "and_both", "and_not", "not")
SETTINGS = LimitSettings(seed=11, documents=3000, queries=20, questions=dict.fromkeys(TEMPLATES, 20))


@pytest.fixture(scope="module")
def made() -> Collection:
    return limit_collection(SETTINGS)


def lists(made: Collection, place: str) -> dict[str, dict[str, float]]:
    askance.index(made, place)
    questions = dict(zip(made.queries.ids, made.queries.field("text"), strict=True))
    found = ask_all(place, questions, limit=1000)
    return {one.name: dict(zip(one.answer.documents, map(float, one.answer.scores), strict=True)) for one in found}


def test_all_that_answers_comes_first_on_both_engines(made: Collection, tmp_path: Path, opensearch_place: str) -> None:
    gold = {
        query: dict.fromkeys(documents, 1)
        for query, documents in ((question, _gold(made, at)) for at, question in enumerate(made.queries.ids))
    }
    here, there = lists(made, str(tmp_path / "index")), lists(made, opensearch_place)
    assert {query: list(found) for query, found in there.items()} == {query: list(f) for query, f in here.items()}
    told = askance.evaluate([here], gold, measures="CappedRecall@100 nDCG@20").runs[0].measures
    assert told["CappedRecall@100"].value == pytest.approx(1.0)
    assert told["nDCG@20"].value == pytest.approx(1.0)
    assert told["nDCG@20"].n == 20 * (1 + len(TEMPLATES)) == len(Limit(SETTINGS).questions)


def _gold(made: Collection, at: int) -> list[str]:
    judgments = made.tier("test").judgments
    documents, _ = judgments.of_query(at)
    return [judgments.documents[int(document)] for document in documents]
