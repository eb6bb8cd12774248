"""Texts to vectors: those of an index's documents, made once and kept, and those of questions."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from askance.core.errors import BadInput
from askance.core.files import whole_file, write_whole
from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.engines.embedded.approximate import Graph, check_installed
from askance.engines.embedded.vectors import GONE, MANIFEST, WITHOUT, DocumentVectors, Recall, VectorsManifest
from askance.engines.settings import Lookup, Precision
from askance.models.embedder import Embedder, Kind, ModelCard, Vectors
from askance.models.vectors import VectorStore

ASKED = 200  # of the documents' own vectors, to measure what a lookup finds
DEPTHS = (10, 100)

_HASH = 16  # bytes
_AT_ONCE = 4096


@dataclass(frozen=True)
class Making:
    """How vectors are made. `name` and `settings`: of the embedder in the registry, None where it was handed over.

    BadInput for 8-bit vectors with an approximate lookup: its graph compares 32-bit ones.
    """

    embedder: Embedder
    name: str | None = None
    settings: Mapping[str, Any] | None = None
    precision: Precision = "float32"
    lookup: Lookup = "exact"

    def __post_init__(self) -> None:
        if self.precision != "float32" and self.lookup != "exact":
            raise BadInput(
                f"precision {self.precision} with the lookup {self.lookup}: the graph compares 32-bit vectors",
                remedy="Choose one of the two.",
            )


class Later:
    """An embedder that is there when the first text has to be embedded; what it is, is known from the vectors."""

    def __init__(self, vectors: DocumentVectors, embedder: Callable[[], Embedder]) -> None:
        self._vectors, self._embedder = vectors, embedder

    @property
    def card(self) -> ModelCard:
        return self._vectors.card

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """BadInput where the embedder is not the one of the vectors."""
        embedder = self._embedder()
        self._vectors.check(embedder.card)
        return embedder.embed(texts, kind)

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64] | None:
        return self._embedder().token_counts(texts)


def write_vectors(
    folder: Path,
    texts: Iterable[str | None],
    how: Making,
    before: DocumentVectors | None = None,
    store: VectorStore | None = None,
    progress: Progress | None = None,
) -> VectorsManifest:
    """Make the vectors of an index in `folder`, which is not there yet or empty; the manifest is written last.

    `texts`: by position, None where the document is gone. `before`: vectors of the same model, which are not made
    again. `store`: where batches are committed, so that a killed build goes on where it was; in the user's cache
    unless told. What 8-bit vectors and the approximate lookup find is measured here. MissingExtra, ModelFailed,
    FileProblem; BadInput where `before` is of another model.
    """
    if before is not None:
        before.check(how.embedder.card)
    rows, wanted = _numbered(texts)
    known = {} if before is None else _known(before)
    missing = [(key, text) for key, text in wanted.items() if key not in known]
    if how.lookup == "approximate":
        check_installed()
    store = store or VectorStore(cache_folder("vectors"))
    made = store.open(how.embedder, [], [text for _, text in missing], progress)
    row_made = dict(zip((key for key, _ in missing), made.document_rows.tolist(), strict=True))
    keys = list(wanted)
    folder.mkdir(parents=True, exist_ok=True)
    with _array(folder / "vectors.npy", (len(keys), how.embedder.card.dimension), np.float32) as out:
        new = np.array([row_made.get(key, -1) for key in keys], dtype=np.int64)
        old = np.array([known.get(key, -1) for key in keys], dtype=np.int64)
        for start in range(0, len(keys), _AT_ONCE):
            block = slice(start, start + _AT_ONCE)
            out.write(_taken(new[block], made.unique, old[block], before).astype("<f4").tobytes())
    _write_array(folder / "rows.npy", rows)
    _write_array(folder / "texts.npy", np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, _HASH))
    manifest = VectorsManifest(
        fingerprint=how.embedder.card.fingerprint,
        model=asdict(how.embedder.card),
        embedder=how.name,
        settings=dict(how.settings or {}),
        precision=how.precision,
        lookup=how.lookup,
        positions=len(rows),
        distinct=len(keys),
        without=int(np.count_nonzero(rows == WITHOUT)),
        embedded=made.embedded,
    )
    if how.precision == "int8":
        _write_codes(folder)
    if how.lookup == "approximate":
        vectors = np.load(folder / "vectors.npy", mmap_mode="r")
        Graph.made(vectors, progress).save(folder / "graph.usearch")
    _write_manifest(folder, manifest)
    if how.precision != "float32" or how.lookup != "exact":
        manifest = manifest.model_copy(update={"recall": measured(DocumentVectors(folder))})
        _write_manifest(folder, manifest)
    return manifest


def measured(vectors: DocumentVectors) -> tuple[Recall, ...]:
    """Recall of the lookup against the exact one, of ASKED of the documents' own vectors, evenly spread.

    A document is not counted as an answer to itself.
    """
    count = min(ASKED, len(vectors.vectors))
    asked = np.linspace(0, len(vectors.vectors) - 1, count).astype(np.int64)
    shares: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    for row in asked.tolist():
        question = np.array(vectors.vectors[row])
        itself = np.flatnonzero(vectors.rows == row)[:1]
        others = np.setdiff1d(vectors.held, itself, assume_unique=True)
        for depth in DEPTHS:
            exact = vectors.nearest(question, depth, others).positions
            found = np.setdiff1d(vectors.nearest(question, depth + 1).positions, itself)
            if len(exact):
                shares[depth].append(float(np.isin(exact, found).mean()))
    return tuple(_recall(depth, share) for depth, share in shares.items() if share)


def _recall(depth: int, shares: Sequence[float]) -> Recall:
    spread = float(np.std(shares, ddof=1)) if len(shares) > 1 else 0.0
    within = 1.96 * spread / math.sqrt(len(shares))
    return Recall(depth=depth, mean=float(np.mean(shares)), within=within, questions=len(shares))


def _taken(new: NDArray[np.int64], made: Vectors, old: NDArray[np.int64], before: DocumentVectors | None) -> Vectors:
    """Rows of what was made now, where `new` names one, and of what was there before elsewhere."""
    out = np.empty((len(new), made.shape[1]), dtype=np.float32)
    out[new >= 0] = made[new[new >= 0]]
    if before is not None:
        out[new < 0] = before.vectors[old[new < 0]]
    return out


def _numbered(texts: Iterable[str | None]) -> tuple[NDArray[np.int64], dict[bytes, str]]:
    """The row of each position, and the distinct texts by hash, in order of first position."""
    wanted: dict[bytes, str] = {}
    row_of: dict[bytes, int] = {}
    rows = []
    for text in texts:
        if text is None or not text.strip():
            rows.append(GONE if text is None else WITHOUT)
            continue
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH).digest()
        rows.append(row_of.setdefault(key, len(row_of)))
        wanted.setdefault(key, text)
    return np.array(rows, dtype=np.int64), wanted


def _known(before: DocumentVectors) -> dict[bytes, int]:
    hashes = np.load(before.folder / "texts.npy", allow_pickle=False)
    return {key.tobytes(): row for row, key in enumerate(hashes)}


def _write_codes(folder: Path) -> None:
    """8-bit vectors: each coordinate in steps of the vector's greatest over 127."""
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    steps = np.empty(len(vectors), dtype=np.float32)
    with _array(folder / "codes.npy", vectors.shape, np.int8) as out:
        for start in range(0, len(vectors), _AT_ONCE):
            block = np.asarray(vectors[start : start + _AT_ONCE])
            step = np.abs(block).max(axis=1) / np.float32(127)
            steps[start : start + len(block)] = step
            out.write(np.rint(block / step[:, None]).astype(np.int8).tobytes())
    _write_array(folder / "steps.npy", steps)


@contextmanager
def _array(path: Path, shape: tuple[int, ...], kind: type[np.generic]) -> Iterator[BinaryIO]:
    """A .npy whose rows are written one block after another."""
    with whole_file(path) as out:
        about = {"descr": npy.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(out, about)
        yield out


def _write_array(path: Path, array: NDArray[Any]) -> None:
    with _array(path, array.shape, array.dtype.type) as out:
        out.write(array.tobytes())


def _write_manifest(folder: Path, manifest: VectorsManifest) -> None:
    write_whole(folder / MANIFEST, manifest.model_dump_json(indent=1) + "\n")
