"""How much of onnxruntime's own speed is left after our tokenising, checking and storing.

*Ours*: the store and the MiniLM embedder, from texts to vectors on disk, each batch flushed and journalled. *Bare*:
onnxruntime's `run` over the same graph and the same batches, their token ids made beforehand. The two take turns batch
by batch, so that a busy machine slows both alike. Target: ours reaches at least .95 of the texts per second of bare.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askance.models.bert_graph import read_shape, sentence_encoder
from askance.models.embedder import Embedder, Kind, Vectors
from askance.models.minilm import MiniLM, find_weights
from askance.models.safetensors import parse_safetensors
from askance.models.tokens import TextTokenizer
from askance.models.vectors import VectorStore

TARGET = 0.95
TEXTS, ROUNDS, BATCH, LONGEST = 400, 3, 32, 256
WORDS = (
    "put",
    "a",
    "clean",
    "mug",
    "in",
    "the",
    "coffee",
    "machine",
    "then",
    "look",
    "at",
    "open",
    "drawers",
    "near",
    "it",
)

Feed = dict[str, NDArray[np.int64]]


class Round(NamedTuple):
    """Seconds that the same work took, once each."""

    ours: float
    bare: float


class TakingTurns:
    """The embedder, and before or after each batch of it the bare loop's batch of the same texts."""

    def __init__(self, embedder: Embedder, session: Any, batches: list[Feed]) -> None:
        self.card = embedder.card
        self.bare_seconds = 0.0
        self.bare_vectors: list[Vectors] = []
        self._embedder, self._session, self._batches = embedder, session, batches

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        number = len(self.bare_vectors)
        if number % 2:
            self._bare(number)
        vectors = self._embedder.embed(texts, kind)
        if not number % 2:
            self._bare(number)
        return vectors

    def _bare(self, number: int) -> None:
        began = time.perf_counter()
        (out,) = self._session.run(None, self._batches[number])
        self.bare_seconds += time.perf_counter() - began
        self.bare_vectors.append(out)

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64] | None:
        return self._embedder.token_counts(texts)


def made_texts(seed: int = 12345) -> list[str]:
    """Distinct texts of 3 to 300 words, most of them short, as questions and documents are."""
    draw = random.Random(seed)
    lengths = [min(300, 3 + int(draw.lognormvariate(3.2, 1.0))) for _ in range(TEXTS)]
    return [f"{number} " + " ".join(draw.choices(WORDS, k=length)) for number, length in enumerate(lengths)]


def bare_session() -> Any:
    """onnxruntime over the same graph, with its own defaults."""
    import onnxruntime

    folder = find_weights().folder
    weights = folder / "model.safetensors"
    tensors = parse_safetensors(weights.read_bytes(), weights)
    model = sentence_encoder(tensors, read_shape(folder / "config.json"), "mean", weights)
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])


def bare_batches(texts: list[str]) -> list[Feed]:
    tokenizer = TextTokenizer(find_weights().folder / "tokenizer.json", LONGEST)
    ordered = sorted(texts, key=lambda text: (-len(text), text))
    batches = [tokenizer.encode(ordered[start : start + BATCH]) for start in range(0, len(ordered), BATCH)]
    return [{"input_ids": tokens.ids, "attention_mask": tokens.mask} for tokens in batches]


def measure() -> list[Round]:
    """`ROUNDS` passes over all texts, after a batch each to warm up; AssertionError where the work is not the same."""
    texts = made_texts()
    embedder, session, batches = MiniLM.build(MiniLM.Settings(), None), bare_session(), bare_batches(texts)
    embedder.embed(texts[:BATCH], "document")
    session.run(None, batches[-1])
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            turns = TakingTurns(embedder, session, batches)
            began = time.perf_counter()
            found = VectorStore(Path(folder) / str(number), BATCH).open(turns, [], texts)
            both = time.perf_counter() - began
            rounds.append(Round(both - turns.bare_seconds, turns.bare_seconds))
            assert found.embedded == len(texts)
            np.testing.assert_allclose(found.unique, np.concatenate(turns.bare_vectors), atol=1e-6)
    return rounds


def main() -> int:
    rounds = measure()
    ratio = median(round.bare / round.ours for round in rounds)
    print(f"{TEXTS} texts, batches of {BATCH}, {ROUNDS} rounds, MiniLM fp32, texts per second:\n")
    print("| | median | fastest | slowest |")
    print("|---|---|---|---|")
    for name, seconds in (("bare", [r.bare for r in rounds]), ("ours", [r.ours for r in rounds])):
        print(f"| {name} | {TEXTS / median(seconds):.1f} | {TEXTS / min(seconds):.1f} | {TEXTS / max(seconds):.1f} |")
    print(f"\nours / bare, median over rounds: **{ratio:.3f}** ({'met' if ratio >= TARGET else 'MISSED'}: {TARGET})")
    return 0 if ratio >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
