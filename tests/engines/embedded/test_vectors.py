"""Vectors of an index on disk: the nearest against a plain sort, what updates embed, what the lookups find."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from askance.core.errors import BadInput, FileProblem, MissingExtra, ModelFailed
from askance.engines.embedded.embedding import Making, measured, write_vectors
from askance.engines.embedded.vectors import RERANKED, DocumentVectors
from askance.engines.embedders import embedded_questions
from askance.engines.matches import Matches
from askance.models.embedder import Embedder, FakeEmbedder, Kind, Vectors
from askance.models.vectors import VectorStore

WORDS = ["alder", "birch", "cedar", "date", "elm", "fig", "gum", "hazel", "ivy", "juniper", "kauri", "larch"]

Drawn = NDArray[np.float32]


class Given:
    """An embedder whose vectors are given: a text names its row."""

    def __init__(self, table: Drawn) -> None:
        self.table = (table / np.linalg.norm(table, axis=1, keepdims=True)).astype(np.float32)
        self.card = FakeEmbedder(self.table.shape[1]).card

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        return np.array(self.table[[int(text) for text in texts]], dtype=np.float32)

    def token_counts(self, texts: Sequence[str]) -> None:
        return None


def made(folder: Path, texts: list[str | None], embedder: Embedder | None = None, **how: Any) -> DocumentVectors:
    making = Making(embedder or FakeEmbedder(), **how)
    write_vectors(folder / "vectors", texts, making, store=VectorStore(folder / "store"))
    return DocumentVectors(folder / "vectors")


def plainly(
    vectors: DocumentVectors, question: Vectors, depth: int, allowed: list[int] | None
) -> list[tuple[int, float]]:
    pairs = []
    for position, row in enumerate(vectors.rows.tolist()):
        if row >= 0 and (allowed is None or position in allowed):
            cosine = round(float(vectors.vectors[row].astype(np.float64) @ question.astype(np.float64)), 6)
            pairs.append((position, cosine))
    best = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:depth]
    return sorted((position, float(np.float32((1 + cosine) / 2))) for position, cosine in best)


def pairs(found: Matches) -> list[tuple[int, float]]:
    return list(zip(found.positions.tolist(), found.scores.tolist(), strict=True))


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.one_of(st.none(), st.sampled_from(["", " ", *WORDS])), max_size=30),
    st.sampled_from(WORDS),
    st.integers(0, 35),
    st.one_of(st.none(), st.lists(st.integers(0, 40), unique=True).map(sorted)),
)
def test_the_nearest_are_those_of_a_plain_sort(
    texts: list[str | None], asked: str, depth: int, allowed: list[int] | None
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        vectors = made(Path(folder), texts, FakeEmbedder(6))
        question = embedded_questions(FakeEmbedder(6), [asked])[0]
        among = None if allowed is None else np.array(allowed, dtype=np.int64)
        assert pairs(vectors.nearest(question, depth, among)) == plainly(vectors, question, depth, allowed)
        assert vectors.manifest.without == sum(text is not None and not text.strip() for text in texts)
        assert vectors.manifest.distinct == len({text for text in texts if text and text.strip()})


def test_a_question_alone_and_among_others_gets_the_same_answer(tmp_path: Path) -> None:
    drawn = np.random.default_rng(3).standard_normal((3_000, 24)).astype(np.float32)
    drawn[1500:1600] = drawn[:100] + 1e-7  # near ties, which noise would order
    vectors = made(tmp_path, [str(at) for at in range(3_000)], Given(drawn))
    questions = Given(drawn).table[:80]
    for question, found in zip(questions, vectors.nearest_all(questions, 100), strict=True):
        assert pairs(found) == pairs(vectors.nearest(question, 100))
        assert pairs(found) == plainly(vectors, question, 100, None)


def test_equal_texts_share_a_vector_and_stand_by_position(tmp_path: Path) -> None:
    vectors = made(tmp_path, ["birch", "elm", "birch", "birch"])
    found = vectors.nearest(embedded_questions(FakeEmbedder(), ["birch"])[0], 2)
    assert pairs(found) == [(0, 1.0), (2, 1.0)]
    assert vectors.vectors.shape == (2, 64)


def test_cosines_of_some_documents(tmp_path: Path) -> None:
    vectors = made(tmp_path, ["birch", "", None, "elm"])
    question = embedded_questions(FakeEmbedder(), ["birch"])[0]
    cosines = vectors.cosines(question, np.array([0, 1, 2, 3, 4]))
    assert cosines[0] == 1.0
    assert np.isnan(cosines).tolist() == [False, True, True, False, True]


def test_an_update_embeds_only_what_is_new(tmp_path: Path) -> None:
    first = made(tmp_path, ["birch", "elm", "fig"])
    embedder = FakeEmbedder()
    store = VectorStore(tmp_path / "other store")
    texts = ["birch", None, "hazel", "fig", "birch"]
    manifest = write_vectors(tmp_path / "second", texts, Making(embedder), first, store)
    assert embedder.batches == [("hazel",)]
    assert manifest.embedded == 1
    second, fresh = DocumentVectors(tmp_path / "second"), made(tmp_path / "fresh", texts)
    question = embedded_questions(embedder, ["fig"])[0]
    assert pairs(second.nearest(question, 9)) == pairs(fresh.nearest(question, 9))


def test_another_model_is_an_error(tmp_path: Path) -> None:
    vectors = made(tmp_path, ["birch"])
    vectors.check(FakeEmbedder().card)
    with pytest.raises(BadInput, match="Vectors of two models cannot be compared"):
        vectors.check(FakeEmbedder(32).card)
    with pytest.raises(BadInput, match="Vectors of two models"):
        write_vectors(tmp_path / "next", ["elm"], Making(FakeEmbedder(32)), vectors)
    assert not (tmp_path / "next").exists()


def test_no_document_at_all(tmp_path: Path) -> None:
    vectors = made(tmp_path, ["", None])
    question = embedded_questions(FakeEmbedder(), ["birch"])
    assert pairs(vectors.nearest(question[0], 5)) == []
    assert [pairs(found) for found in vectors.nearest_all(question, 5)] == [[]]


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return np.random.default_rng(5).standard_normal((2_000, 16)).astype(np.float32)


TEXTS: list[str | None] = [str(at) for at in range(2_000)]


def test_8_bit_vectors_are_compared_again_by_32(tmp_path: Path, drawn: Drawn) -> None:
    vectors, exact = (
        made(tmp_path / "a", TEXTS, Given(drawn), precision="int8"),
        made(tmp_path / "b", TEXTS, Given(drawn)),
    )
    codes = np.load(tmp_path / "a" / "vectors" / "codes.npy")
    steps = np.load(tmp_path / "a" / "vectors" / "steps.npy")
    assert codes.dtype == np.int8
    assert np.abs(codes * steps[:, None] - exact.vectors).max() <= steps.max() / 2 * 1.001
    question = exact.vectors[7]
    found = dict(pairs(vectors.nearest(question, 10)))
    right = dict(pairs(exact.nearest(question, 10)))
    assert all(right[position] == score for position, score in found.items() if position in right)
    assert pairs(vectors.nearest(question, 600)) == pairs(exact.nearest(question, 600))  # 4 × 600 is all there is
    assert RERANKED * 600 > 2_000


@pytest.mark.parametrize("how", [{"precision": "int8"}, {"lookup": "approximate"}])
def test_the_recall_is_measured_when_the_index_is_made(
    tmp_path: Path,
    drawn: Drawn,
    how: dict[str, Any],
) -> None:
    vectors = made(tmp_path, TEXTS, Given(drawn), **how)
    assert vectors.manifest.recall == measured(vectors)
    assert [recall.depth for recall in vectors.manifest.recall] == [10, 100]
    assert all(0.8 < recall.mean <= 1.0 and recall.questions == 200 for recall in vectors.manifest.recall)
    (note,) = vectors.manifest.notes
    assert f"recall@10 {vectors.manifest.recall[0].mean:.4f}" in note
    some = np.arange(0, 2_000, 3)  # among allowed documents the lookup is exact
    assert pairs(vectors.nearest(vectors.vectors[3], 50, some)) == plainly(
        vectors, vectors.vectors[3], 50, some.tolist()
    )


def test_the_measure_sees_what_a_lookup_loses(
    tmp_path: Path,
    drawn: Drawn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors = made(tmp_path, TEXTS, Given(drawn), lookup="approximate")
    whole = vectors.graph.nearest
    monkeypatch.setattr(vectors.graph, "nearest", lambda question, depth: whole(question, depth)[::2])
    assert all(0.4 < recall.mean < 0.6 for recall in measured(vectors))


def test_an_exact_lookup_has_nothing_to_say(tmp_path: Path) -> None:
    vectors = made(tmp_path, ["birch", "elm"])
    assert vectors.manifest.recall == ()
    assert vectors.manifest.notes == ()


def test_the_same_vectors_give_the_same_graph(tmp_path: Path, drawn: Drawn) -> None:
    files = []
    for name in ("a", "b"):
        made(tmp_path / name, TEXTS[:500], Given(drawn), lookup="approximate")
        files.append((tmp_path / name / "vectors" / "graph.usearch").read_bytes())
    assert files[0] == files[1]


def test_the_approximate_lookup_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(MissingExtra, match=r"askance\[approximate\]"):
        made(tmp_path, ["birch"], lookup="approximate")
    assert not (tmp_path / "vectors").exists()


@pytest.mark.parametrize("file", ["vectors.npy", "rows.npy", "manifest.json"])
def test_a_damaged_file_is_named(tmp_path: Path, file: str) -> None:
    made(tmp_path, ["birch", "elm"])
    path = tmp_path / "vectors" / file
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(FileProblem, match=f"{file}.*damaged"):
        DocumentVectors(tmp_path / "vectors")


def test_a_damaged_graph_is_named(tmp_path: Path) -> None:
    vectors = made(tmp_path, ["birch", "elm"], lookup="approximate")
    (tmp_path / "vectors" / "graph.usearch").write_bytes(b"nothing")
    fresh = DocumentVectors(vectors.folder)
    with pytest.raises(FileProblem, match="graph.usearch"):
        fresh.nearest(np.full(64, 0.125, dtype=np.float32), 1)


class Wrong(FakeEmbedder):
    """Forgets to make its vectors unit vectors."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        return super().embed(texts, kind) * 2


def test_questions_must_get_unit_vectors() -> None:
    with pytest.raises(ModelFailed, match="'birch'"):
        embedded_questions(Wrong(), ["birch"])


def test_questions_are_embedded_once_each() -> None:
    embedder = FakeEmbedder()
    found = embedded_questions(embedder, ["elm", "birch", "elm"])
    assert embedder.batches == [("birch", "elm")]
    assert np.array_equal(found[0], found[2])
    assert embedded_questions(embedder, []).shape == (0, 64)
