"""Where vectors are kept: each list of texts is embedded once, in batches that are committed whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import ModelFailed
from askance.core.progress import Progress, Silent
from askance.models.embedder import Embedder, Kind, ModelCard, Vectors
from askance.models.vector_files import Locked, VectorFiles

_UNIT_WITHIN = 1e-3

Item = tuple[Kind, str]


@dataclass(frozen=True, eq=False)
class VectorSet:
    """Distinct vectors, memory-mapped, and which row belongs to which query and document.

    `embedded`: how many vectors were made now; the rest was there. `damaged`: how many of those were there, but not
    as they had been written, and were made again.
    """

    unique: Vectors
    query_rows: NDArray[np.int64]
    document_rows: NDArray[np.int64]
    embedded: int = 0
    damaged: int = 0


class VectorStore:
    """Vectors on disk under `root`, found again by model fingerprint and texts.

    One set per model and list of texts, in root/<fingerprint>/<key>: the distinct texts, longest first, cut into
    batches of `batch`. A vector depends a little on its batch mates, so the batches are a function of the whole list
    and each is kept as one piece: a killed run that is run again has the same bytes as one that was not.
    """

    def __init__(self, root: Path, batch: int = 32) -> None:
        if batch < 1:
            raise ValueError(f"a batch holds at least one text, not {batch}")
        self.root = root
        self.batch = batch

    def open(
        self,
        embedder: Embedder,
        queries: Sequence[str],
        documents: Sequence[str],
        progress: Progress | None = None,
    ) -> VectorSet:
        """The vectors of all queries and documents; embeds only those batches that are not on disk.

        Waits while another process makes the same set. ModelFailed, naming the text, where the embedder gives vectors
        of another shape, that are not finite or not of unit length (within 1e-3); FileProblem where the disk refuses.
        """
        card = embedder.card
        asked = [*_items(queries, "query", card), *_items(documents, "document", card)]
        items = _ordered(asked)
        row_of = {item: row for row, item in enumerate(items)}
        rows = np.array([row_of[item] for item in asked], dtype=np.int64)
        query_rows, document_rows = rows[: len(queries)], rows[len(queries) :]
        if not items:
            return VectorSet(np.empty((0, card.dimension), dtype=np.float32), query_rows, document_rows)
        batches = list(_batches(items, self.batch))
        files = self._files(card, items, batches)
        vectors, embedded, damaged = files.finished(), 0, 0
        if vectors is None:
            with Locked(files.lock, progress or Silent()):
                vectors = files.finished()  # another process may have made it meanwhile
                if vectors is None:
                    naming = _Naming(asked, len(queries))
                    embedded, damaged = _complete(files, embedder, items, batches, naming, progress or Silent())
                    vectors = files.finish()
        return VectorSet(vectors, query_rows, document_rows, embedded, damaged)

    def _files(self, card: ModelCard, items: Sequence[Item], batches: Sequence[range]) -> VectorFiles:
        about = json.dumps(asdict(card), indent=1, ensure_ascii=False) + "\n"
        folder = self.root / card.fingerprint
        return VectorFiles(folder, _key(card, self.batch, items), batches, card.dimension, about)


def _complete(
    files: VectorFiles,
    embedder: Embedder,
    items: Sequence[Item],
    batches: Sequence[range],
    naming: _Naming,
    progress: Progress,
) -> tuple[int, int]:
    """Embed and commit every batch that is missing; how many texts were embedded, how many of them for damage."""
    task = f"embed texts with {embedder.card.name}"
    with files.writing() as writer:
        missing = [number for number in range(len(batches)) if number not in writer.committed]
        left = sum(len(batches[number]) for number in missing)
        progress.start(task, len(items), len(items) - left)
        for number in missing:
            rows = batches[number]
            kind = items[rows.start][0]
            mates = items[rows.start : rows.stop]
            vectors = embedder.embed([text for _, text in mates], kind)
            _check(vectors, mates, embedder.card, naming)
            writer.commit(number, vectors)
            progress.advance(task, len(rows))
        progress.finish(task)
        return left, sum(len(batches[number]) for number in writer.damaged)


def _items(texts: Iterable[str], kind: Kind, card: ModelCard) -> Iterator[Item]:
    """A symmetric model gives a text one vector, whatever it is to the study."""
    return (("document" if card.symmetric else kind, text) for text in texts)


def _ordered(items: Iterable[Item]) -> list[Item]:
    """Distinct, kind by kind, longest first (so that a batch pads little), equal lengths by their characters."""
    return sorted(set(items), key=lambda item: (item[0], -len(item[1]), item[1]))


def _batches(items: Sequence[Item], size: int) -> Iterator[range]:
    """Ranges of at most `size` neighbours of one kind."""
    start = 0
    while start < len(items):
        end = start
        while end < min(start + size, len(items)) and items[end][0] == items[start][0]:
            end += 1
        yield range(start, end)
        start = end


def _key(card: ModelCard, batch: int, items: Iterable[Item]) -> str:
    """Hex sha256 over all that decides the bytes of a set."""
    digest = hashlib.sha256(f"{card.fingerprint} {card.dimension} {batch}\n".encode())
    for kind, text in items:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(f"{kind} {len(raw)} ".encode())
        digest.update(raw)
    return digest.hexdigest()[:40]


class _Naming:
    """Calls a text by its place in what was asked for, as the user knows it."""

    def __init__(self, asked: Sequence[Item], queries: int) -> None:
        self._asked, self._queries = asked, queries

    def of(self, item: Item) -> str:
        at = self._asked.index(item)
        kind, number, total = ("query", at, self._queries)
        if at >= self._queries:
            kind, number, total = ("document", at - self._queries, len(self._asked) - self._queries)
        return f"{kind} {number + 1} of {total}, {ascii(item[1][:60])}"


def _check(vectors: Vectors, items: Sequence[Item], card: ModelCard, naming: _Naming) -> None:
    wanted = (len(items), card.dimension)
    if vectors.shape != wanted or vectors.dtype != np.float32:
        found = f"{vectors.dtype} {vectors.shape}"
        raise ModelFailed(
            f"{card.name} gave {found} for {len(items)} texts, expected float32 {wanted}; "
            f"the first of them is {naming.of(items[0])}"
        )
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1)
    wrong = np.flatnonzero(~(np.abs(norms - 1.0) <= _UNIT_WITHIN))  # also where the norm is not a number
    if len(wrong):
        raise ModelFailed(
            f"{card.name} gave {len(wrong)} vectors in one batch that are not of unit length; the first, of length "
            f"{norms[wrong[0]]:.4g}, is that of {naming.of(items[wrong[0]])}",
            remedy="Look at that text: it may be empty or not in the model's language. Nothing of this batch was kept.",
        )


__all__ = ["VectorSet", "VectorStore"]
