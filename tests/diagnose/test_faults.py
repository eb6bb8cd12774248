"""Planted faults: a diagnosis names the kind, says it of the queries that have it, and finds none where none is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.diagnose.planting import FAULTY, PLANTERS, bare, by_words, clean

from askance.app.diagnose import Diagnosed, diagnose
from askance.diagnose.causes import FAULTS

SEEDS = (1, 2)


def named(found: Diagnosed) -> str | None:
    """The kind of fault that the diagnosis puts first."""
    record: dict[str, Any] = found.record()
    return next((each["kind"] for each in record["conclusions"] if each["kind"] in FAULTS), None)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", PLANTERS)
def test_the_planted_fault_is_named(kind: str, seed: int, tmp_path: Path) -> None:
    found = diagnose(**PLANTERS[kind](tmp_path, seed))
    [fall] = found.domains[0].waterfalls
    assert sum(step.queries for step in fall.steps) == fall.n == 24
    assert named(found) == kind, [(step.cause, step.queries) for step in fall.steps]
    queries = found.domains[0].case.collection.queries.ids
    faulty = set(list(queries)[:FAULTY])
    blamed = {queries[fate.query] for fate in fall.of(kind)}
    assert blamed <= faulty
    assert len(blamed) >= FAULTY - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_clean_collection_has_no_fault(seed: int, tmp_path: Path) -> None:
    world = clean(seed)
    found = diagnose(**bare(world, by_words(world), tmp_path))
    assert named(found) is None
    assert found.domains[0].waterfalls[0].won == 24


@pytest.mark.parametrize("kind", ["missing vector", "wrong model"])
def test_a_file_of_vectors_is_enough(kind: str, tmp_path: Path) -> None:
    told = PLANTERS[kind](tmp_path, 1)
    place = told.pop("index")
    vectors, rows = (np.load(next(place.rglob(name))) for name in ("vectors.npy", "rows.npy"))
    np.save(tmp_path / "documents.npy", vectors[rows])
    found = diagnose(**told, vectors=tmp_path / "documents.npy")
    assert named(found) == kind
    assert len(found.domains[0].waterfalls[0].of(kind)) >= FAULTY - 1
