"""What an embedder is, and the fake that stands in for one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["query", "document"]
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Which model, exactly. `fingerprint` decides whether stored vectors may be used again.

    `weights`: hex sha256 of the weight file, or what the endpoint says of itself. `precision`: fp32, int8 …, or
    "unknown". `max_tokens`: longest input in tokens, None where unknown. `source`: where the weights came from.
    `symmetric`: queries and documents are embedded alike, so that equal texts share one vector across kinds.
    `recipe`: whatever else changes the vectors (tokenizer, pooling, prefixes, address), in words.
    """

    name: str
    weights: str
    precision: str
    dimension: int
    max_tokens: int | None
    source: str
    symmetric: bool = True
    recipe: str = ""

    @property
    def fingerprint(self) -> str:
        said = "\0".join(
            (self.name, self.weights, self.precision, str(self.dimension), str(self.max_tokens), self.recipe)
        )
        return hashlib.sha256(said.encode()).hexdigest()[:16]


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def card(self) -> ModelCard: ...

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit vectors, float32 [texts, dimension], of one batch, in order."""

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64] | None:
        """How many tokens each text has before any cut, specials included [texts]; None where it cannot be known."""


class FakeEmbedder:
    """Hashes character trigrams: deterministic, no weights, no sense. For tests and for machines without a model."""

    def __init__(self, dimension: int = 64, max_tokens: int = 256) -> None:
        self.card = ModelCard("fake", "none", "fp32", dimension, max_tokens, "made by askance")
        self.batches: list[tuple[str, ...]] = []

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        self.batches.append(tuple(texts))
        out = np.zeros((len(texts), self.card.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            padded = f"  {text.lower()} "
            for at in range(len(padded) - 2):
                code = int.from_bytes(
                    hashlib.blake2b(padded[at : at + 3].encode("utf-8", "surrogatepass"), digest_size=4).digest(),
                    "little",
                )
                out[row, code % self.card.dimension] += 1.0 if code & 1 << 31 else -1.0
            norm = float(np.linalg.norm(out[row]))
            out[row, 0] += norm == 0.0
            out[row] /= norm or 1.0
        return out

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([len(text.split()) + 2 for text in texts], dtype=np.int64)
