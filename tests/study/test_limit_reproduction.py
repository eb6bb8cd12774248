"""The question of LIMIT that shows phrases at their best."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.progress import Silent
from askance.data.adapters.limit import load
from askance.data.collection import Collection
from askance.engines.bm25 import BM25Index
from askance.study.limit.figures import HOT_CHOCOLATE
from askance.study.limit.lists import Lists, phrase_lists
from askance.text.analyzer import Analyzer


@pytest.fixture(scope="module")
def rebuilt(shared_data: Path) -> Collection:
    return load(shared_data, "limit-recon")


@pytest.fixture(scope="module")
def lists(rebuilt: Collection) -> Lists:
    return phrase_lists(rebuilt, "likes", Silent())


def test_hot_chocolate(rebuilt: Collection, lists: Lists) -> None:
    """BM25's first six hold both words and not the phrase; neither gold is in its first 100; the phrase finds both."""
    at = list(rebuilt.queries.field("text")).index(HOT_CHOCOLATE)
    texts, names = rebuilt.documents.field("text"), rebuilt.documents.ids.names
    found, _ = BM25Index(texts, Analyzer()).search(HOT_CHOCOLATE, 100)
    for document in found[:6].tolist():
        words = Analyzer().terms(texts[document])
        assert {"hot", "chocolate"} <= set(words)
        assert ("hot", "chocolate") not in set(zip(words, words[1:], strict=False))
    assert not lists.gold[at] & {names[document] for document in found.tolist()}
    assert set(lists.ranked[at]) == lists.gold[at]
    assert len(lists.ranked[at]) == 2
