"""The engine against real Lucene 9.5.0: every collection and query of the fixture, hits, order and scores."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engines.embedded.made import index_of_records, index_of_texts, ranked

from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.settings import IndexSettings
from askance.irl.nodes import And, Boost, Lex, Node, Not, Or

TREES: dict[str, Node] = {
    "+Snow -Leopards": And((Lex("Snow"), Not(Lex("Leopards")))),
    "Gouda^2 Risk": Or((Boost(2.0, Lex("Gouda")), Lex("Risk"))),
    "Ties OR Delight": Or((Lex("Ties"), Lex("Delight"))),
}


@pytest.fixture(scope="module")
def collections(shared_data: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared_data / "lucene" / "bm25_phrase_lucene_9_5_0.json").read_bytes())
    assert [(one["name"], len(one["results"])) for one in found] == [
        ("one_field_short", 13),
        ("one_field_long", 13),
        ("array_items_gap100", 13),
    ]
    return found


def opened(collection: dict[str, Any], folder: Path, scale: str = "lucene") -> tuple[EmbeddedIndex, str]:
    settings = IndexSettings.model_validate({"scale": scale, "position_gap": collection["gap"]})
    if collection["gap"]:
        records = [{"items": items} for _, *items in collection["docs"]]
        return index_of_records(folder, records, settings), "items"
    return index_of_texts(folder, [text for _, text in collection["docs"]], settings), "text"


def tree_of(query: str) -> Node:
    phrase = re.fullmatch(r'"([^"]+)"(?:~(\d+))?', query)
    if phrase:
        return Lex(phrase[1], "phrase", int(phrase[2] or 0))
    return TREES.get(query) or Lex(query.replace("\\", ""), "any")


def numbered(hits: list[list[Any]]) -> tuple[list[int], list[float]]:
    return [int(name[1:]) for name, _ in hits], [score for _, score in hits]


@pytest.mark.parametrize("at", range(3))
def test_all_hits_order_and_scores(collections: list[dict[str, Any]], at: int, tmp_path: Path) -> None:
    index, field = opened(collections[at], tmp_path / "index")
    compared = 0
    for result in collections[at]["results"]:
        positions, scores = numbered(result["hits"])
        tree = tree_of(result["query"])
        top = index.search_top(tree, 1000, field)
        assert (top is None) == ("~" in result["query"])
        if top is not None:
            assert top[0].tolist() == positions, result["query"]
            assert top[2] == len(positions)
            np.testing.assert_allclose(top[1], scores, rtol=2e-5)
            compared += 1
        if isinstance(tree, Lex):
            matches = index.lex(tree, field, None)
            assert ranked(matches) == positions, result["query"]
            assert np.all(np.diff(matches.positions) > 0)
            np.testing.assert_allclose(-np.sort(-matches.scores), scores, rtol=2e-5)
            compared += 1
    assert compared == 21


@pytest.mark.parametrize("at", range(3))
def test_every_shorter_list_is_the_beginning(collections: list[dict[str, Any]], at: int, tmp_path: Path) -> None:
    index, field = opened(collections[at], tmp_path / "index")
    for result in collections[at]["results"]:
        positions, _ = numbered(result["hits"])
        for limit in (1, 2, 3, 7):
            top = index.search_top(tree_of(result["query"]), limit, field)
            if top is not None:
                assert (top[0].tolist(), top[2]) == (positions[:limit], len(positions))


def test_legacy_scale_is_k1_plus_1_times_as_high(collections: list[dict[str, Any]], tmp_path: Path) -> None:
    for at, collection in enumerate(collections):
        index, field = opened(collection, tmp_path / str(at), "legacy")
        assert index.card.scale == "legacy"
        assert "2.2" in index.manifest.scale
        for result in collection["results"]:
            tree = tree_of(result["query"])
            positions, scores = numbered(result["hits"])
            if isinstance(tree, Lex):
                matches = index.lex(tree, field, None)
                np.testing.assert_allclose(-np.sort(-matches.scores), np.array(scores) * 2.2, rtol=2e-5)
            else:
                top = index.search_top(tree, len(positions), field)
                assert top is not None
                np.testing.assert_allclose(top[1], np.array(scores) * 2.2, rtol=2e-5)
