"""How much of onnxruntime's own speed is left after our tokenising, checking and storing.

*Ours*: the store and the MiniLM embedder, from texts to vectors on disk, each batch flushed and journalled. *Bare*:
onnxruntime's `run` over the same graph and the same batches, their token ids made beforehand. The two take turns batch
by batch, and of each batch the fastest of several rounds counts, so that a busy machine harms neither. Target: ours
reaches at least .95 of the texts per second of bare.
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
TEXTS, ROUNDS, BATCH, LONGEST = 400, 4, 32, 256
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
    """Seconds of one pass. `ours` has one piece more than `bare`: what the store does after its last batch."""

    ours: list[float]
    bare: list[float]


class TakingTurns:
    """The embedder, and before or after each batch of it the bare loop's batch of the same texts."""

    def __init__(self, embedder: Embedder, session: Any, batches: list[Feed]) -> None:
        self.card = embedder.card
        self.vectors: list[Vectors] = []
        self.round = Round([], [])
        self._embedder, self._session, self._batches = embedder, session, batches
        self._ours_since = time.perf_counter()

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        number = len(self.vectors)
        if number % 2:
            self._bare(number)
        vectors = self._embedder.embed(texts, kind)
        self.note_ours()
        if not number % 2:
            self._bare(number)
        return vectors

    def note_ours(self) -> None:
        """All that ours has done since it was last noted, the bare loop's turns left out."""
        now = time.perf_counter()
        self.round.ours.append(now - self._ours_since)
        self._ours_since = now

    def _bare(self, number: int) -> None:
        began = time.perf_counter()
        (out,) = self._session.run(None, self._batches[number])
        took = time.perf_counter() - began
        self.round.bare.append(took)
        self.vectors.append(out)
        self._ours_since += took

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64] | None:
        return self._embedder.token_counts(texts)


def made_texts(seed: int = 12345) -> list[str]:
    """Distinct texts of 3 to 250 words, most of them short, as questions and documents are."""
    draw = random.Random(seed)
    lengths = [min(250, 3 + int(draw.lognormvariate(3.0, 0.9))) for _ in range(TEXTS)]
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
            found = VectorStore(Path(folder) / str(number), BATCH).open(turns, [], texts)
            turns.note_ours()
            rounds.append(turns.round)
            assert found.embedded == len(texts)
            np.testing.assert_allclose(found.unique, np.concatenate(turns.vectors), atol=1e-6)
    return rounds


def undisturbed(passes: Sequence[Sequence[float]]) -> float:
    """Seconds of a pass, each piece of it at its fastest: what another process took away is left out on both sides."""
    return float(sum(min(pieces) for pieces in zip(*passes, strict=True)))


def main() -> int:
    rounds = measure()
    passes = {"bare": [one.bare for one in rounds], "ours": [one.ours for one in rounds]}
    ratio = undisturbed(passes["bare"]) / undisturbed(passes["ours"])
    print(f"{TEXTS} texts, batches of {BATCH}, {ROUNDS} rounds, MiniLM fp32, texts per second:\n")
    print("| | each batch at its fastest | median round |")
    print("|---|---|---|")
    for name, taken in passes.items():
        print(f"| {name} | {TEXTS / undisturbed(taken):.1f} | {TEXTS / median(map(sum, taken)):.1f} |")
    verdict = "met" if ratio >= TARGET else "MISSED"
    print(f"\nours / bare, each batch at its fastest: **{ratio:.3f}** ({verdict}: {TARGET})")
    return 0 if ratio >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
