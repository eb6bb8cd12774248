"""Vectors that somebody stored: a .npy, a .npz, a folder with both kinds, or a set of our own store."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import FileProblem

Matrix = NDArray[np.floating]

_EXPECTED = (
    "Vectors are one .npy of float [texts, dimension]; a .npz or a folder with queries and documents; or a folder of "
    "askance's own store, with vectors.npy."
)


@dataclass(frozen=True, eq=False)
class Matrices:
    """Vectors in the order in which somebody stored them, not necessarily of unit length.

    `rows`: all of them, queries first where it is known which those are; then `queries` says how many. `made_by`: what
    is known of the model, empty where nothing is.
    """

    path: Path
    rows: Matrix
    queries: int | None
    made_by: str = ""


def read_matrices(path: Path) -> Matrices:
    """Read stored vectors; a single .npy is memory-mapped. FileProblem where there are none, or not of numbers."""
    if path.is_dir():
        return _of_folder(path)
    if path.suffix == ".npz":
        with _opened(path) as arrays:
            if {"queries", "documents"} <= set(arrays.files):
                return _joined(path, arrays["queries"], arrays["documents"])
            if len(arrays.files) == 1:
                return Matrices(path, _checked(arrays[arrays.files[0]], path), None)
            held = ", ".join(arrays.files) or "nothing"
            raise FileProblem(path, f"holds the arrays {held}, expected queries and documents", remedy=_EXPECTED)
    return Matrices(path, _checked(_loaded(path), path), None)


def _of_folder(path: Path) -> Matrices:
    apart = path / "queries.npy", path / "documents.npy"
    if all(file.is_file() for file in apart):
        return _joined(path, _loaded(apart[0]), _loaded(apart[1]))
    own = path / "vectors.npy"
    if own.is_file():
        return Matrices(path, _checked(_loaded(own), own), None, _made_by(path.parent / "model.json"))
    raise FileProblem(path, "has neither queries.npy and documents.npy nor vectors.npy", remedy=_EXPECTED)


def _made_by(path: Path) -> str:
    """What our store says of the model beside its sets."""
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        return f"{card['name']}, {card['precision']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _joined(path: Path, queries: Matrix, documents: Matrix) -> Matrices:
    queries, documents = _checked(queries, path), _checked(documents, path)
    if queries.shape[1] != documents.shape[1]:
        problem = f"queries have {queries.shape[1]} dimensions and documents {documents.shape[1]}"
        raise FileProblem(path, problem, remedy="Both must come from one model.")
    return Matrices(path, np.concatenate([queries, documents]), len(queries))


def _opened(path: Path) -> np.lib.npyio.NpzFile:
    found = _loaded(path)
    if not isinstance(found, np.lib.npyio.NpzFile):
        raise FileProblem(path, "is no .npz", remedy=_EXPECTED)
    return found


def _loaded(path: Path) -> Matrix:
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)  # type: ignore[no-any-return]
    except FileNotFoundError:
        raise FileProblem(path, "there is no such file", remedy=_EXPECTED) from None
    except (OSError, ValueError, EOFError) as problem:
        raise FileProblem(path, f"is no file of numpy arrays ({problem})", remedy=_EXPECTED) from problem


def _checked(rows: Matrix, path: Path) -> Matrix:
    if rows.ndim != 2 or not rows.size or not np.issubdtype(rows.dtype, np.floating):
        raise FileProblem(
            path, f"holds {rows.dtype} {list(rows.shape)}, expected float [texts, dimension]", remedy=_EXPECTED
        )
    return rows
