"""Vectors of an index's documents on disk, and the nearest of them to a vector.

    vectors/manifest.json   the model, and how the nearest are found, with the recall that was measured
            vectors.npy     float32 [distinct texts, dimension], memory-mapped, in order of first position
            rows.npy        int64 [positions]: the row of each document; −1 where it has no vector, −2 where it is gone
            texts.npy       uint8 [distinct texts, 16]: hashes, so that an update embeds only texts that are new
            codes.npy, steps.npy    int8 [distinct, dimension] and float32 [distinct], with precision int8
            graph.usearch           with lookup approximate

Equal texts share one row. Blank texts have none. A product in 32 bits gives scores that differ in the seventh decimal
with the shape of the matrices. So it only finds candidates, with a margin, and their cosines are computed again in 64
bits: a question gets the same answer alone and among others.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from askance.core.errors import BadInput, FileProblem
from askance.engines.exact_vectors import DECIMALS
from askance.engines.matches import Matches
from askance.engines.selection import best
from askance.engines.settings import Lookup, Precision
from askance.models.embedder import ModelCard, Vectors

MANIFEST = "manifest.json"
WITHOUT, GONE = -1, -2  # rows of documents without a vector, and of those that were deleted
RERANKED = 4  # with int8, so many times the depth are compared again by their 32-bit vectors

_MARGIN = np.float32(3.0 * 10.0**-DECIMALS)  # scores further apart than this stay in order when computed again
_AT_ONCE = 4096
_SCORES = 8_388_608  # of one pass: 32 MB

_AGAIN = "Build the index again: askance index DOCS --into DIR"

Positions = NDArray[np.int64]


class Recall(BaseModel):
    """Share of the exactly nearest `depth` found where so many are asked for: mean over `questions`.

    `within`: 1.96 standard errors of the mean.
    """

    model_config = ConfigDict(frozen=True)

    depth: int
    mean: float
    within: float
    questions: int

    def __str__(self) -> str:
        return f"recall@{self.depth} {self.mean:.4f} ± {self.within:.4f}"


class VectorsManifest(BaseModel):
    """What the vectors are. `embedder`: its name in the registry, with `settings`; None where it was handed over."""

    model_config = ConfigDict(frozen=True)

    format: int = 1
    fingerprint: str
    model: dict[str, Any]
    embedder: str | None
    settings: dict[str, Any]
    precision: Precision
    lookup: Lookup
    positions: int
    distinct: int
    without: int
    embedded: int
    recall: tuple[Recall, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of answers should know: documents without a vector, what an inexact lookup finds."""
        said = []
        if self.without:
            said.append(f"{self.without:,} documents have no text, so no vector, and knn does not find them")
        if self.recall:
            how = "an approximate graph" if self.lookup == "approximate" else "8-bit vectors"
            found = ", ".join(map(str, self.recall))
            of = f"of {self.recall[0].questions} of the documents' own vectors"
            said.append(f"nearest documents are found by {how}: {found}, {of}")
        return tuple(said)


class DocumentVectors:
    """The vectors of an index, open for questions."""

    def __init__(self, folder: Path) -> None:
        """FileProblem where they are missing or damaged."""
        self.folder = folder
        self.manifest = read_vectors_manifest(folder)
        self.vectors: Vectors = _mapped(folder / "vectors.npy")
        self.rows = np.array(_mapped(folder / "rows.npy"))
        expected = (self.manifest.distinct, self.manifest.model["dimension"])
        if self.vectors.shape != expected or len(self.rows) != self.manifest.positions:
            raise FileProblem(folder, f"holds vectors {self.vectors.shape}, expected {expected}", remedy=_AGAIN)
        self.held = np.flatnonzero(self.rows >= 0)
        self._plain = np.array_equal(self.rows[self.held], np.arange(len(self.vectors)))
        self._codes = self._steps = None
        if self.manifest.precision == "int8":
            self._codes, self._steps = _mapped(folder / "codes.npy"), _mapped(folder / "steps.npy")
        self._graph: Any = None

    @property
    def card(self) -> ModelCard:
        """The model that made them."""
        return ModelCard(**self.manifest.model)

    def check(self, card: ModelCard) -> None:
        """BadInput where another model than that of the documents embeds the questions."""
        if card.fingerprint != self.manifest.fingerprint:
            raise BadInput(
                f"questions would be embedded by {card.name} ({card.fingerprint}), the documents of this index were "
                f"by {self.manifest.model['name']} ({self.manifest.fingerprint})",
                remedy="Vectors of two models cannot be compared: use the index's model, or build the index again.",
            )

    def nearest(self, question: Vectors, depth: int, allowed: Positions | None = None) -> Matches:
        """The nearest `depth` documents to a unit vector [dimension], of those allowed (ascending; None: of all).

        Among `allowed` documents the lookup is always exact.
        """
        if allowed is not None:
            return self._nearest_of(question, depth, allowed)
        if self.manifest.lookup == "approximate":
            return self._best(question, self.graph.nearest(question, depth), self.held, depth)
        if self._codes is not None:
            return self._best(question, self._by_codes(question, depth), self.held, depth)
        return self._best(question, self._near(self.vectors @ question, depth), self.held, depth)

    def nearest_all(self, questions: Vectors, depth: int) -> list[Matches]:
        """The same for many questions [questions, dimension], of all documents, many in one pass over the vectors."""
        if self.manifest.lookup == "approximate" or self._codes is not None:
            return [self.nearest(question, depth) for question in questions]
        found = []
        at_once = max(_SCORES // max(len(self.vectors), 1), 1)
        for start in range(0, len(questions), at_once):
            block = questions[start : start + at_once]
            for question, scores in zip(block, block @ self.vectors.T, strict=True):
                found.append(self._best(question, self._near(scores, depth), self.held, depth))
        return found

    def cosines(self, question: Vectors, positions: Positions) -> NDArray[np.float64]:
        """Cosines with the documents at these positions, rounded as in answers; NaN where one has no vector."""
        out = np.full(len(positions), np.nan)
        inside = positions < len(self.rows)
        rows = np.where(inside, self.rows[np.where(inside, positions, 0)], -1)
        out[rows >= 0] = self._cosines(question, rows[rows >= 0])
        return out

    def place(self, question: Vectors, position: int, allowed: Positions | None = None) -> tuple[int, float] | None:
        """At which place of the nearest a document stands (from 1), and its cosine; None where it has no vector."""
        cosine = float(self.cosines(question, np.array([position]))[0])
        if np.isnan(cosine):
            return None
        among = self.held if allowed is None else np.intersect1d(allowed, self.held, assume_unique=True)
        scores = (self.vectors @ question)[self.rows[among]]
        sure = int(np.count_nonzero(scores > cosine + _MARGIN))
        near = among[(scores <= cosine + _MARGIN) & (scores >= cosine - _MARGIN)]
        again = self.cosines(question, near)
        before = (again > cosine) | ((again == cosine) & (near < position))
        return 1 + sure + int(np.count_nonzero(before)), cosine

    @property
    def graph(self) -> Any:
        """The approximate lookup; MissingExtra where its package is not installed."""
        if self._graph is None:
            from askance.engines.embedded.approximate import Graph

            self._graph = Graph.open(self.folder / "graph.usearch", self.vectors.shape)
        return self._graph

    def _nearest_of(self, question: Vectors, depth: int, allowed: Positions) -> Matches:
        allowed = allowed[allowed < len(self.rows)]
        allowed = allowed[self.rows[allowed] >= 0]
        of = self.rows[allowed]
        few = 4 * len(of) < len(self.vectors)
        scores = self.vectors[of] @ question if few else (self.vectors @ question)[of]
        rows = np.unique(of[_may_be_best(scores, depth)])
        return self._best(question, rows, allowed, depth)

    def _near(self, scores: Vectors, depth: int) -> Positions:
        """Rows that may be among those of the nearest `depth` documents, from the scores of all rows."""
        if self._plain:
            return _may_be_best(scores, depth)
        of = self.rows[self.held]
        return np.unique(of[_may_be_best(scores[of], depth)])

    def _by_codes(self, question: Vectors, depth: int) -> Positions:
        """The first RERANKED × depth rows by their 8-bit vectors."""
        assert self._codes is not None
        assert self._steps is not None
        scores = np.empty(len(self._codes), dtype=np.float32)
        for start in range(0, len(scores), _AT_ONCE):
            block = slice(start, start + _AT_ONCE)
            scores[block] = (self._codes[block].astype(np.float32) @ question) * self._steps[block]
        return np.sort(best(scores, RERANKED * depth))

    def _best(self, question: Vectors, rows: Positions, among: Positions, depth: int) -> Matches:
        """The best of the positions `among` whose row is one of `rows` (ascending)."""
        cosines = self._cosines(question, rows)
        if self._plain and among is self.held:
            positions = self.held[rows]
        else:
            at = np.searchsorted(rows, self.rows[among])
            at[at == len(rows)] = 0
            hit = rows[at] == self.rows[among] if len(rows) else np.zeros(len(among), dtype=np.bool_)
            positions, cosines = among[hit], cosines[at[hit]]
        chosen = np.sort(best(cosines, depth))
        scores = (1.0 + cosines[chosen]) / 2.0
        return Matches(positions[chosen], scores.astype(np.float32).astype(np.float64))

    def _cosines(self, question: Vectors, rows: Positions) -> NDArray[np.float64]:
        wide = question.astype(np.float64)
        parts = [
            self.vectors[rows[start : start + _AT_ONCE]].astype(np.float64) @ wide
            for start in range(0, len(rows), _AT_ONCE)
        ]
        return np.round(np.concatenate([np.zeros(0), *parts]), DECIMALS)


def read_vectors_manifest(folder: Path) -> VectorsManifest:
    """FileProblem where there is none or it cannot be read."""
    path = folder / MANIFEST
    try:
        return VectorsManifest.model_validate_json(path.read_bytes())
    except OSError as problem:
        raise FileProblem(path, f"cannot be read ({problem.strerror or problem})", remedy=_AGAIN) from problem
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "JSON"
        raise FileProblem(path, f"is damaged: {where}: {first['msg']}", remedy=_AGAIN) from None


def _may_be_best(scores: Vectors, depth: int) -> Positions:
    """Where the `depth` highest scores stand, and those that noise may have put below them; ascending."""
    if not 0 < depth < len(scores):
        return np.arange(len(scores) if depth > 0 else 0)
    bound = np.partition(scores, len(scores) - depth)[len(scores) - depth]
    return np.flatnonzero(scores >= bound - _MARGIN)


def _mapped(path: Path) -> Any:
    try:
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (OSError, ValueError, EOFError) as problem:
        raise FileProblem(path, f"is missing or damaged ({problem})", remedy=_AGAIN) from problem
