"""Stored vectors: every form they come in, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askance.core.errors import FileProblem
from askance.models.embedder import FakeEmbedder
from askance.models.matrices import read_matrices
from askance.models.vectors import VectorStore

QUERIES = np.arange(6, dtype=np.float32).reshape(2, 3)
DOCUMENTS = np.arange(12, dtype=np.float32).reshape(4, 3)


def test_one_matrix(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", DOCUMENTS.astype(np.float16))
    found = read_matrices(tmp_path / "v.npy")
    assert found.queries is None
    assert np.array_equal(found.rows, DOCUMENTS)
    np.savez(tmp_path / "one.npz", anything=DOCUMENTS)
    assert np.array_equal(read_matrices(tmp_path / "one.npz").rows, DOCUMENTS)


def test_queries_and_documents(tmp_path: Path) -> None:
    np.savez(tmp_path / "both.npz", documents=DOCUMENTS, queries=QUERIES)
    folder = tmp_path / "both"
    folder.mkdir()
    np.save(folder / "queries.npy", QUERIES)
    np.save(folder / "documents.npy", DOCUMENTS)
    for path in (tmp_path / "both.npz", folder):
        found = read_matrices(path)
        assert found.queries == 2
        assert np.array_equal(found.rows, np.concatenate([QUERIES, DOCUMENTS]))


def test_a_set_of_our_own_store(tmp_path: Path) -> None:
    embedder = FakeEmbedder(8)
    made = VectorStore(tmp_path).open(embedder, ["a query"], ["one", "two"])
    (folder,) = [path for path in (tmp_path / embedder.card.fingerprint).iterdir() if path.is_dir()]
    found = read_matrices(folder)
    assert np.array_equal(found.rows, made.unique)
    assert found.made_by == "fake, fp32"


@pytest.mark.parametrize(
    ("name", "array", "said"),
    [
        ("flat.npy", np.ones(3), r"flat.npy: holds float64 \[3\]"),
        ("whole.npy", np.ones((2, 2), dtype=np.int64), r"holds int64 \[2, 2\]"),
        ("empty.npy", np.ones((0, 4)), r"holds float64 \[0, 4\]"),
        ("objects.npy", np.array([[{}]], dtype=object), "is no file of numpy arrays"),
    ],
)
def test_arrays_that_are_no_vectors(tmp_path: Path, name: str, array: np.ndarray, said: str) -> None:
    np.save(tmp_path / name, array)
    with pytest.raises(FileProblem, match=said):
        read_matrices(tmp_path / name)


def test_files_that_are_no_vectors(tmp_path: Path) -> None:
    (tmp_path / "text.npy").write_text("no array")
    np.savez(tmp_path / "many.npz", a=QUERIES, b=DOCUMENTS)
    np.savez(tmp_path / "apart.npz", queries=QUERIES, documents=np.ones((2, 5)))
    (tmp_path / "folder").mkdir()
    for name, said in {
        "none.npy": "there is no such file",
        "text.npy": "is no file of numpy arrays",
        "many.npz": "holds the arrays a, b",
        "apart.npz": "queries have 3 dimensions and documents 5",
        "folder": "has neither queries.npy and documents.npy nor vectors.npy",
    }.items():
        with pytest.raises(FileProblem, match=said):
            read_matrices(tmp_path / name)
    np.save(tmp_path / "plain.npz.npy", QUERIES)
    (tmp_path / "plain.npz.npy").rename(tmp_path / "plain.npz")
    with pytest.raises(FileProblem, match=r"is no \.npz"):
        read_matrices(tmp_path / "plain.npz")
