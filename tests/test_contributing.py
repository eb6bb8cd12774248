"""The examples of CONTRIBUTING.md: whole files that run, pass the type checker, and do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from askance.core.progress import Silent
from askance.data.collection import Excluded
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.judged import judge
from askance.rerank.reranker import RerankTask
from askance.retrieve.retriever import Resources, RetrievalTask

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^### An? (\w+)\n.*?^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE))

QUERIES, DOCUMENTS = Ids(["q"]), Ids(["long", "tiny", "middle"])
TASK = RetrievalTask(QUERIES, ["a b"], DOCUMENTS, ["a b c d e f", "a", "a b c"], depth=3)


def example(kind: str) -> Any:
    """The module that the example makes."""
    module = ModuleType(f"example_{kind}")
    exec(compile(BLOCKS[kind], f"CONTRIBUTING.md: {kind}", "exec", dont_inherit=True), module.__dict__)
    assert module.__doc__
    return module


def test_every_kind_has_an_example() -> None:
    assert list(BLOCKS) == ["metric", "retriever", "reranker", "engine", "embedder", "builder"]


def test_the_examples_are_typed_and_tidy(tmp_path: Path) -> None:
    for kind, code in BLOCKS.items():
        (tmp_path / f"example_{kind}.py").write_text(code, encoding="utf-8")
    files = [str(tmp_path / f"example_{kind}.py") for kind in BLOCKS]
    for command in (
        ["mypy", "--cache-dir", str(tmp_path / "cache")],
        ["ruff", "check", "--no-cache", "--config", "pyproject.toml"],
        ["ruff", "format", "--no-cache", "--check", "--config", "pyproject.toml"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command, *files], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("k", "tied", "value"),
    [(1, False, 0.2), (2, False, 0.36), (None, False, 0.36), (1, True, 0.2), (2, True, 0.28), (None, True, 0.344)],
)
def test_metric(k: int | None, tied: bool, value: float) -> None:
    run = Run.of("r", QUERIES, DOCUMENTS, {"q": [("tiny", 3.0), ("long", 2.0), ("middle", 2.0)]})
    judgments = Judgments.of(QUERIES, DOCUMENTS, {"q": {"tiny": 1, "long": 1}})
    judged = judge(run, judgments, tied=tied)
    assert example("metric").METRIC.compute(judged, k).tolist() == pytest.approx([value])


@pytest.mark.parametrize(
    ("excluded", "ranking"), [({}, ["tiny", "middle", "long"]), ({"q": ["middle"]}, ["tiny", "long"])]
)
def test_retriever(excluded: dict[str, list[str]], ranking: list[str]) -> None:
    kind = example("retriever").ShortestRetriever
    task = RetrievalTask(
        QUERIES, TASK.query_texts, DOCUMENTS, TASK.document_texts, 3, Excluded.of(QUERIES, DOCUMENTS, excluded)
    )
    found = kind.build(kind.Settings(), Resources()).retrieve(task, Silent())
    assert [DOCUMENTS[at] for at in found.document] == ranking


def test_reranker() -> None:
    kind = example("reranker").ByLength
    run = Run.of("r", QUERIES, DOCUMENTS, {"q": [("long", 3.0), ("tiny", 2.0), ("middle", 1.0)]})
    reranked = kind.build(kind.Settings()).rerank(run, RerankTask(TASK.query_texts, TASK.document_texts, first=2))
    assert [DOCUMENTS[at] for at in reranked.document] == ["tiny", "long", "middle"]


def test_engine() -> None:
    chosen, scores = example("engine").SharedWords(TASK.document_texts).search("A B z", 2)
    assert (chosen.tolist(), scores.tolist()) == ([0, 2], [2.0, 2.0])


def test_embedder() -> None:
    kind = example("embedder").Letters
    embedder = kind.build(kind.Settings(), None)
    vectors = embedder.embed(["abc", "cab", "", "zzz"], "document")
    assert vectors.dtype == np.float32
    assert vectors.shape == (4, embedder.card.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.array_equal(vectors[0], vectors[1])
    assert embedder.embed([], "query").shape == (0, embedder.card.dimension)


def test_builder() -> None:
    make = example("builder").antonyms
    collection = make(1)
    assert (len(collection.documents), len(collection.queries)) == (10, 10)
    assert collection.documents.sha256 == make(1).documents.sha256 != make(2).documents.sha256
    for at, text in enumerate(collection.queries.field("text")):
        (gold,) = collection.tier("meant").judgments.of_query(at)[0]
        assert collection.documents.field("text")[gold] == f"It is {text.partition(',')[0]}."
