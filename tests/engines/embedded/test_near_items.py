"""Items that are nearly what was asked for: the index on disk against all of its keys, sorted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.engines.embedded.made import Given, index_of_records, index_of_texts

from askance.data.fields.schema import Fact, Fields
from askance.engines.embedded.engine import EmbeddedEngine
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.embedded.updating import change
from askance.engines.leaves_in_memory import Held, LeavesInMemory
from askance.engines.settings import Indexed
from askance.irl.rewrite.near_items import NearItems, near_in
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules

ITEMS = (
    *("Birch Trees", "Birch Tree Houses", "Birches", "Tree", "Trees", "Cities", "City Lights", "Snow Leopards"),
    *("Snowmen", "Äpfel", "Apfel", "東京タワー", "Straßen", "Levi's Jeans", "CD", "CDs", "x" * 9000),
)
KEYS = (
    *("birch tree", "birch trees", "tree", "trees", "city", "snow leopard", "snow", "snowman", "äpfeln", "apfels"),
    *("東京タワ", "straße", "levi's jean", "cds", "cd", "be", "", " ", "zebra", "x" * 8999),
)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedIndex:
    place = tmp_path_factory.mktemp("near") / "index"
    records = [{"name": f"n{number}", "facts": {"likes": [item]}} for number, item in enumerate(ITEMS)]
    return index_of_records(place, records)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[:20])
def test_as_over_all_sorted_keys(opened: EmbeddedIndex, key: str) -> None:
    items = [item for item in ITEMS if len(item) < 8000]  # longer ones are kept by their hash, which is near to nothing
    keys = sorted({" ".join(opened.analyzer.terms(item)) for item in items})
    assert opened.near_items(key) == near_in(keys, key)
    assert LeavesInMemory([Held("", Fields(facts=(Fact((item,)),))) for item in items]).near_items(key) == near_in(
        keys, key
    )


def test_known_ones(opened: EmbeddedIndex) -> None:
    assert isinstance(opened, NearItems)
    assert opened.near_items("birch tree") == ("birch trees",)
    assert opened.near_items("snow leopard") == ("snow leopards",)
    assert opened.near_items("straße") == ("straßen",)
    assert opened.near_items("snow") == ()


def test_a_question_in_the_singular_finds_the_item(opened: EmbeddedIndex) -> None:
    engine = EmbeddedEngine.open(opened.place)
    found = rewrite("Who likes Birch Tree?", vocabulary=engine, extractor=Rules(), without_knn=True)
    assert found.keywords == ("birch trees",)
    assert engine.search(found.query).documents == ("d0",)


def test_what_is_gone_is_near_to_nothing(tmp_path: Path) -> None:
    place = tmp_path / "index"
    index_of_records(place, [{"items": ["Birch Trees"]}, {"items": ["Birch Treed"]}, {"items": ["Birch Treen"]}])
    change(place, delete=["d1"], put=[Indexed("d2", "Oaks", record={"items": ["Oaks"]})], schema=Given())
    changed = EmbeddedIndex.open(place)
    assert changed.near_items("birch tree") == ("birch trees",)
    assert changed.near_items("oak") == ("oaks",)


def test_an_index_without_items_has_none(tmp_path: Path) -> None:
    assert index_of_texts(tmp_path / "index", ["Birch Trees"]).near_items("birch tree") == ()


def test_many_beginnings(opened: EmbeddedIndex) -> None:
    for number in range(300):
        assert opened.near_items(f"{number:03} tree") == ()
    assert opened.near_items("birch tree") == ("birch trees",)
