"""Collections made by the package: the shape of the originals, the same for the same seed in any process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from askance.build.made import MADE, made
from askance.core.errors import UnknownName
from askance.data.adapters import gsm_plus, limit, trajectories
from askance.data.collection import Collection

SIZES = {"trajectories": (336, 118), "gsm-plus": (2100, 300), "limit-small": (46, 1000)}
LOAD: dict[str, Callable[[Path], Collection]] = {
    "trajectories": trajectories.load,
    "gsm-plus": gsm_plus.load,
    "limit-small": limit.load,
}

SAY_HASHES = """
from askance.build.made import MADE, made
for name in MADE:
    collection = made(name, 7)
    print(name, collection.documents.sha256, collection.queries.sha256)
"""


def test_every_made_collection_is_tested_here() -> None:
    assert list(MADE) == list(SIZES)


@pytest.mark.parametrize("seed", [0, 7, 12345])
@pytest.mark.parametrize("name", SIZES)
def test_size_and_no_text_twice(name: str, seed: int) -> None:
    collection = made(name, seed)
    assert collection.name == name
    assert (len(collection.documents), len(collection.queries)) == SIZES[name]
    assert len(set(collection.documents.field("text"))) == len(collection.documents)
    assert len(set(collection.queries.field("text"))) == len(collection.queries)
    assert collection.origin == "made by askance (no original data could be had)"


@pytest.mark.parametrize("name", SIZES)
def test_every_query_has_gold_in_every_tier(name: str) -> None:
    for tier in made(name, 7).tiers.values():
        assert tier.judgments.gold_counts().min() >= 1, tier.name


@pytest.mark.parametrize("name", SIZES)
def test_another_seed_makes_another_collection(name: str) -> None:
    assert made(name, 1).documents.sha256 != made(name, 2).documents.sha256


def test_the_seed_decides_whatever_process_makes_it() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", SAY_HASHES],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == len(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_shape_of_the_original(name: str, shared_data: Path) -> None:
    ours, real = made(name, 7), LOAD[name](shared_data)
    assert (len(ours.documents), len(ours.queries)) == (len(real.documents), len(real.queries))
    assert list(ours.documents.fields) == list(real.documents.fields)
    assert list(ours.queries.fields) == list(real.queries.fields)
    assert {name: set(values) for name, values in ours.queries.slices.items()} == {
        name: set(values) for name, values in real.queries.slices.items()
    }
    assert [(tier.name, tier.label, tier.rule) for tier in ours.tiers.values()] == [
        (tier.name, tier.label, tier.rule) for tier in real.tiers.values()
    ]
    assert ours.decoys == real.decoys
    assert (ours.roles and ours.roles.every) == (real.roles and real.roles.every)
    assert (ours.documents.turns is None) == (real.documents.turns is None)


@pytest.mark.parametrize("name", SIZES)
def test_no_text_of_the_original(name: str, shared_data: Path) -> None:
    ours, real = made(name, 7), LOAD[name](shared_data)
    assert set(ours.documents.field("text")).isdisjoint(real.documents.field("text"))
    assert set(ours.queries.field("text")).isdisjoint(real.queries.field("text"))


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'gsm-plus'"):
        made("gsm-pluss", 7)
