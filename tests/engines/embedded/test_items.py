"""Whole items, names and relations: an exact item above longer ones, and nothing that only looks like it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engines.embedded.made import index_of_records, index_of_texts

from askance.core.errors import UnknownName
from askance.engines.embedded.opening import EmbeddedIndex
from askance.irl.nodes import And, Boost, Exact, Field, Lex, Node, Or, Relation


@pytest.mark.parametrize(
    ("item", "asked"),
    [
        ("Levi's Jeans", "levi's jeans"),
        ("Levi's Jeans", "LEVI'S  JEANS!"),
        ("AT&T", "AT T"),
        ("AT T", "at&t"),
        ("Peter, Paul and Mary", "Peter, Paul and Mary"),
        ('(What\'s the Story) "Morning Glory"?', "what's the story morning glory"),
        ("東京タワー", "東京タワー"),
        ("🌱plants", "🌱 Plants"),
        ("Likes", "likes"),
        ("snow " * 60, "snow " * 60),
        ("x" * 300, "x" * 300),
        ("word " * 20_000, "word " * 20_000),
    ],
)
def test_exact_compares_words(item: str, asked: str, tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": ["Other"]}, {"items": ["Before", item, "Behind"]}])
    assert index.exact(Exact(asked), None).positions.tolist() == [1]
    assert index.exact(Exact(asked + " more"), None).positions.tolist() == []


def tiers(phrase: str) -> Node:
    return Or((Exact(phrase), Lex(phrase)))


def asked(index: EmbeddedIndex, node: Node, limit: int = 1000) -> list[int]:
    top = index.search_top(node, limit, "items")
    assert top is not None
    return [int(position) for position in top[0]]


def test_exact_items_come_before_longer_ones(tmp_path: Path) -> None:
    longer = [{"items": ["Mangrove Forests"]} for _ in range(100)]
    profile = ["Snow", "Clouds", "Honey", "Venus", "Ties", "Apple Cider", "Forests"]
    index = index_of_records(tmp_path / "index", [*longer, {"items": profile}, {"items": profile[::-1]}])
    found = asked(index, tiers("Forests"))
    assert set(found[:2]) == {100, 101}
    assert found[2:] == list(range(100))
    assert asked(index, tiers("Forests"), 2) == [100, 101]


def test_zip_ties_bow_ties_ties(tmp_path: Path) -> None:
    index = index_of_records(
        tmp_path / "index", [{"items": [item]} for item in ("Zip Ties", "Bow Ties", "Ties", "Tie")]
    )
    assert asked(index, tiers("Ties")) == [2, 0, 1]


def test_the_figures_of_lucene(tmp_path: Path) -> None:
    """Term frequencies and lengths as in the reference: items alone, the longer ones come first."""
    records = [
        {"items": ["Forests", "a", "b", "c", "d", "e", "f"]},
        {"items": ["Mangrove Forests", "Rain Forests"]},
        {"items": ["Mangrove Forests"]},
    ]
    index = index_of_records(tmp_path / "index", records)
    assert asked(index, Lex("Forests")) == [1, 2, 0]
    assert asked(index, tiers("Forests")) == [0, 1, 2]
    top = index.search_top(tiers("Forests"), 3, "items")
    assert top is not None
    assert 128 < top[1][0] < 129
    assert top[1][1] < 1


@pytest.mark.parametrize("weight", [1.0, 1.5, 3.0, 10.0, 100.0])
def test_a_higher_boost_never_lowers_the_exact_match(weight: float, tmp_path: Path) -> None:
    records = [{"items": ["Dancing Queen"]}, {"items": ["Queen", *"abcdefgh"]}, {"items": ["Queen Queen Queen"]}]
    index = index_of_records(tmp_path / "index", records)
    top = index.search_top(Or((Boost(weight, Exact("Queen")), Lex("Queen"))), 3, "items")
    assert top is not None
    assert top[0][0] == 1
    assert top[1][0] >= 128 * weight


@pytest.mark.parametrize(("words", "tier"), [(1, 128), (6, 128), (7, 256), (13, 384)])
def test_tiers_are_the_same_on_both_ways(words: int, tier: int, tmp_path: Path) -> None:
    item = " ".join(f"w{n}" for n in range(words))
    index = index_of_records(tmp_path / "index", [{"items": [item]}, {"items": ["other"]}])
    assert index.exact(Exact(item), None).scores.tolist() == [tier]
    top = index.search_top(Exact(item), 5)
    assert top is not None
    assert top[1].tolist() == [tier]


def test_a_name_is_no_item_and_an_item_no_name(tmp_path: Path) -> None:
    records = [{"name": "Patience Schmiel", "items": ["Snow"]}, {"name": "Bo", "items": ["Patience"]}]
    index = index_of_records(tmp_path / "index", records)
    assert index.lex(Lex("Patience"), "text", None).positions.tolist() == [0, 1]
    assert index.lex(Lex("Patience"), "items", None).positions.tolist() == [1]
    assert index.exact(Exact("Patience"), None).positions.tolist() == [1]
    assert index.lex(Lex("Patience"), "name", None).positions.tolist() == [0]
    top = index.search_top(Field("name", Lex("Patience")), 10, "items")
    assert top is not None
    assert top[0].tolist() == [0]


RELATIONS: list[Mapping[str, Any]] = [
    {"facts": {"likes": ["Snow", "Hot Chocolate"], "does not like": ["Honey Bees"]}},
    {"facts": {"Likes": ["Honey Bees"], "does not like": ["Snow"]}},
    {"facts": {"knows someone who likes": ["Snow"]}},
    {"items": ["Snow"]},
    {"facts": {"likes": ["Hot"], "does not like": ["Chocolate"]}},
]


@pytest.mark.parametrize(
    ("relation", "item", "expected"),
    [
        ("likes", "Snow", [0]),
        ("LIKES!", "snow", [0]),
        ("likes", "Honey Bees", [1]),
        ("does not like", "Snow", [1]),
        ("knows someone who likes", "Snow", [2]),
        ("like", "Snow", []),
        ("not like", "Snow", []),
        ("?", "Snow", []),
        (None, "Snow", [0, 1, 2, 3]),
    ],
)
def test_a_relation_answers_for_itself_only(
    relation: str | None, item: str, expected: list[int], tmp_path: Path
) -> None:
    index = index_of_records(tmp_path / "index", RELATIONS)
    assert index.exact(Exact(item), relation).positions.tolist() == expected
    assert index.lex(Lex(item), "items", relation).positions.tolist() == expected


def test_words_inside_a_relation(tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", RELATIONS)
    assert index.related("likes").tolist() == [0, 1, 4]
    assert index.related("never heard of").tolist() == []
    assert index.lex(Lex("Hot Chocolate"), "items", "likes").positions.tolist() == [0]
    assert index.lex(Lex("Hot Chocolate", "all"), "items", "likes").positions.tolist() == [0]
    assert index.lex(Lex("Hot Chocolate", "any"), "items", "likes").positions.tolist() == [0, 4]
    assert index.lex(Lex("Bees", slop=0), "items", "does not like").positions.tolist() == [0]
    assert index.lex(Lex("Chocolate Hot", slop=2), "items", "likes").positions.tolist() == [0]
    assert index.lex(Lex("Snow"), "text", "likes").positions.tolist() == [0, 1]
    assert index.search_top(Relation("likes", Lex("Snow")), 5) is None
    top = index.search_top(Field("items", Relation("likes", Lex("Snow"))), 5)
    assert top is not None
    assert top[0].tolist() == [0]
    assert dict(index.relations) == {"likes": 2, "Likes": 1, "does not like": 3, "knows someone who likes": 1}


def test_without_a_schema_no_item_is_exact(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["Snow"])
    assert not index.has_items
    assert index.exact(Exact("Snow"), None).positions.tolist() == []
    assert index.exact(Exact("Snow"), "likes").positions.tolist() == []
    assert index.related("likes").tolist() == []
    assert index.holders_of_item("snow") == 0
    with pytest.raises(UnknownName, match="there is no field 'items'"):
        index.lex(Lex("Snow"), "items", None)


def test_outside_the_schema_is_text_only_and_counted(tmp_path: Path) -> None:
    records: list[Mapping[str, Any]] = [
        {"items": ["Snow"], "texts": {"place": "Snowy Oslo"}},
        {"text": "Snow falls", "outside": "no match"},
        {"text": "", "outside": "empty"},
    ]
    index = index_of_records(tmp_path / "index", records)
    assert index.exact(Exact("Snow"), None).positions.tolist() == [0]
    assert index.lex(Lex("Snow"), "text", None).positions.tolist() == [0, 1]
    assert index.card.outside == 2
    assert index.manifest.counts.outside == {"no match": 1, "empty": 1}
    assert any("no match: 1" in note for note in index.card.notes)
    assert index.card.fields == ("text", "items", "place")
    assert index.lex(Lex("Oslo"), "place", None).positions.tolist() == [0]
    with pytest.raises(UnknownName, match="Did you mean 'place'"):
        index.lex(Lex("Oslo"), "plaice", None)


def test_counts_for_rewriting(tmp_path: Path) -> None:
    records = [{"items": ["Hot Chocolate", "SNOW"]}, {"items": ["hot chocolate"]}, {"items": ["Hot Chocolate, dark"]}]
    records += [{"items": ["Hot Chocolate"]}]
    index = index_of_records(tmp_path / "index", records)
    assert index.documents == 4
    assert index.holders("chocolate") == 4
    assert index.holders("chocolate", "items") == 4
    assert index.holders_of_phrase(["hot", "chocolate"], "items") == 4
    assert index.holders_of_phrase(["chocolate", "hot"], "items") == 0
    assert index.holders_of_item("hot chocolate") == 3
    assert index.written("hot chocolate") == ("Hot Chocolate", "hot chocolate")
    assert index.written("snow") == ("SNOW",)
    assert index.written("rain") == ()
    assert np.array_equal(index.all(), np.arange(4))


def test_scores_add_up_and_not_takes_away(tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": ["Snow", "Rain"]}, {"items": ["Snow"]}])
    assert asked(index, And((Lex("Snow"), Exact("Rain")))) == [0]
