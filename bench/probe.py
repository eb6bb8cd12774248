"""`probe` on the trajectories with MiniLM, beside the time that embedding its edits takes.

What is timed is the call of `askance probe`, from the collection's name to its page, with an empty cache of vectors:
reading, learning classes, drawing edits, embedding documents and edits, searching, intervals. Within it the clock runs
while the model embeds, for the documents and for the rest, which are the edits, apart. The model is loaded before.
Limit: less than 3 times the embedding of the edits.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from askance.app.probe import probe
from askance.models.embedder import Embedder, Kind, Vectors
from askance.models.minilm import MiniLM
from askance.study.collections import open_collection

LIMIT = 3.0
COLLECTION = "trajectories"


class Timed:
    """An embedder, and how many texts and seconds it had: of documents, of others."""

    def __init__(self, embedder: Embedder, documents: set[str]) -> None:
        self.card = embedder.card
        self.texts, self.seconds = {True: 0, False: 0}, {True: 0.0, False: 0.0}
        self._embedder, self._documents = embedder, documents

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        of_documents = all(text in self._documents for text in texts)
        begun = time.perf_counter()
        vectors = self._embedder.embed(texts, kind)
        self.seconds[of_documents] += time.perf_counter() - begun
        self.texts[of_documents] += len(texts)
        return vectors

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64] | None:
        return self._embedder.token_counts(texts)


def main() -> int:
    opened = open_collection(COLLECTION)
    embedder = MiniLM.build(MiniLM.Settings(), None)
    embedder.embed(["warm up"], "query")
    timed = Timed(embedder, set(opened.documents.field(opened.compared)))
    with (
        tempfile.TemporaryDirectory() as scratch,
        patch.dict(os.environ, ASKANCE_CACHE=scratch),
        patch("askance.app.probe._embedder", lambda *_: timed),
    ):
        begun = time.perf_counter()
        found = probe(COLLECTION, retriever="dense", model="minilm", page=Path(scratch) / "probe.html")
        whole = time.perf_counter() - begun
    ratio = whole / timed.seconds[False]
    print("| | texts | s |\n|---|--:|--:|")
    print(f"| embedding the edits | {timed.texts[False]:,} | {timed.seconds[False]:.2f} |")
    print(f"| embedding the documents | {timed.texts[True]:,} | {timed.seconds[True]:.2f} |")
    print(f"| probe, all of it | | {whole:.2f} |")
    classes = len(found.systems[0].bill)
    print(f"\n{found.queries} queries, {found.documents} documents, {classes} classes; {opened.origin}.")
    print(f"probe / embedding its edits: **{ratio:.2f}** ({'met' if ratio < LIMIT else 'MISSED'}: {LIMIT:g})")
    return 0 if ratio < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
