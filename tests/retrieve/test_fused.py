"""Runs fused by a retriever: arithmetic by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from askance.core.progress import Silent
from askance.data.ids import Ids
from askance.data.run import Run
from askance.retrieve.fused import FusedRetriever, FusedSettings
from askance.retrieve.registry import RETRIEVERS
from askance.retrieve.retriever import Resources, RetrievalTask

QUERIES, DOCUMENTS = Ids(["q0", "q1", "q2"]), Ids("abcd")
ONE = Run.of("one", QUERIES, DOCUMENTS, {"q0": [("a", 9.0), ("b", 5.0), ("c", 1.0)], "q1": [("d", 2.0)]})
TWO = Run.of("two", QUERIES, DOCUMENTS, {"q0": [("c", 0.9), ("b", 0.8)], "q2": [("a", 0.5)]})


def fused(settings: dict[str, Any], depth: int = 4) -> dict[str, list[tuple[str, Any]]]:
    kind = RETRIEVERS.get("fused")
    resources = Resources(runs={"one": ONE, "two": TWO})
    told = kind.Settings.model_validate({"of": ["one", "two"], **settings})
    task = RetrievalTask(QUERIES, [""] * 3, DOCUMENTS, [""] * 4, depth)
    run = kind.build(told, resources).retrieve(task, Silent())
    found = {}
    for at, query in enumerate(run.queries):
        documents, scores = run.of_query(at)
        found[query] = [(DOCUMENTS[one], pytest.approx(score)) for one, score in zip(documents, scores, strict=True)]
    return found


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, [("c", 1 / 63 + 1 / 61), ("b", 2 / 62), ("a", 1 / 61)]),
        ({"k": 1}, [("c", 1 / 4 + 1 / 2), ("b", 2 / 3), ("a", 1 / 2)]),
        ({"k": 1, "weights": [3, 1]}, [("a", 3 / 2), ("b", 4 / 3), ("c", 3 / 4 + 1 / 2)]),
        ({"kind": "sum"}, [("a", 9.0), ("b", 5.8), ("c", 1.9)]),
        ({"kind": "sum", "weights": [0, 1]}, [("c", 0.9), ("b", 0.8), ("a", 0.0)]),
        ({"kind": "minmax"}, [("c", (0.001 + 1) / 2), ("a", 0.5), ("b", (0.5 + 0.001) / 2)]),
        ({"kind": "sum", "depth": 1}, [("a", 9.0), ("c", 0.9)]),
    ],
)
def test_fusion(settings: dict[str, Any], expected: list[tuple[str, float]]) -> None:
    assert fused(settings)["q0"] == expected


def test_a_query_that_one_run_lacks_has_the_other_s_list() -> None:
    found = fused({})
    assert found["q1"] == [("d", 1 / 61)]
    assert found["q2"] == [("a", 1 / 61)]


def test_the_list_is_cut_at_the_depth_of_the_study() -> None:
    assert [document for document, _ in fused({}, depth=2)["q0"]] == ["c", "b"]


def test_settings_say_what_is_wrong() -> None:
    with pytest.raises(ValidationError, match="named twice"):
        FusedSettings(of=("one", "one"))
    with pytest.raises(ValidationError, match="3 weights for 2 systems"):
        FusedSettings(of=("one", "two"), weights=(1, 2, 3))
    assert FusedRetriever.Settings is FusedSettings
