"""Why a document is not among the first answers: the first clause that failed, or what stands above it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from askance.engines.engine import Answer, Engine, Explanation
from askance.engines.explaining import as_json
from askance.irl.nodes import Node

_NAMED = 3


@dataclass(frozen=True)
class Ahead:
    """A document that stands above another. `by`: how much more it scores; 0 where it only was indexed first."""

    document: str
    rank: int
    score: float
    by: float


@dataclass(frozen=True)
class WhyNot:
    """Where a document stands in the answer to a query, and why not among the first `limit`.

    `found`: whether it is among them. `rank`, `score`: its own, None where it does not match. `needed`: the score of
    the last among them, None where there are fewer. `failed`: the first clause that does not match it, with its span;
    for a document that matches as a whole, the clause that might have lifted it. `missing_from`: the lists of an or or
    a fusion that lack it, as their clauses are written. `ahead`: the last of those that stand above it, best first.
    `query`: the text that spans point into, where there is one.
    """

    document: str
    limit: int
    found: bool
    rank: int | None
    score: float | None
    needed: float | None
    sentence: str
    explanation: Explanation
    failed: Explanation | None = None
    missing_from: tuple[str, ...] = ()
    ahead: tuple[Ahead, ...] = ()
    query: str = ""

    def as_json(self) -> dict[str, Any]:
        """The machine form."""
        return {
            "query": self.query,
            "document": self.document,
            "limit": self.limit,
            "found": self.found,
            "rank": self.rank,
            "score": self.score,
            "needed": self.needed,
            "sentence": self.sentence,
            "failed": as_json(self.failed) if self.failed is not None else None,
            "missing_from": list(self.missing_from),
            "ahead": [
                {"id": each.document, "rank": each.rank, "score": each.score, "by": each.by} for each in self.ahead
            ],
            "explanation": as_json(self.explanation),
        }


def why_not(engine: Engine, query: Node, document: str, limit: int = 10) -> WhyNot:
    """Why `document` is not among the first `limit` of the query's answer.

    UnknownName where the index has no such document; BadInput where the query cannot run.
    """
    explanation = engine.explain(query, document)
    answer = engine.search(query, limit)
    found = document in answer.documents
    rank = answer.documents.index(document) + 1 if found else explanation.rank
    score = float(answer.scores[answer.documents.index(document)]) if found else explanation.score
    if not explanation.matches:
        rank = None
    full = len(answer.documents) >= limit > 0
    ahead = () if found or score is None else _ahead(answer, score)
    failed = first_failed(explanation)
    return WhyNot(
        document=document,
        limit=limit,
        found=found,
        rank=rank,
        score=score,
        needed=float(answer.scores[-1]) if full else None,
        sentence=_sentence(answer, limit, found, rank, score, failed, ahead),
        explanation=explanation,
        failed=failed,
        missing_from=_missing(explanation),
        ahead=ahead,
    )


def first_failed(explanation: Explanation) -> Explanation | None:
    """The first clause that stands alone, or excludes, and does not match; None where all do."""
    if explanation.kind == "not" or not explanation.parts:
        return None if explanation.matches else explanation
    for part in explanation.parts:
        failed = first_failed(part)
        if failed is not None:
            return failed
    return None if explanation.matches else explanation


def _missing(explanation: Explanation) -> tuple[str, ...]:
    """The lists that lack the document: parts of the outermost or or fusion."""
    while explanation.kind in ("boost", "field", "relation") and explanation.parts:
        (explanation,) = explanation.parts
    if explanation.kind not in ("or", "fuse"):
        return ()
    return tuple(part.clause for part in explanation.parts if not part.matches)


def _ahead(answer: Answer, score: float) -> tuple[Ahead, ...]:
    pairs = list(zip(answer.documents, answer.scores.tolist(), strict=True))
    first = max(len(pairs) - _NAMED, 0)
    return tuple(
        Ahead(document, rank, its, max(its - score, 0.0))
        for rank, (document, its) in enumerate(pairs[first:], start=first + 1)
    )


def _sentence(
    answer: Answer,
    limit: int,
    found: bool,
    rank: int | None,
    score: float | None,
    failed: Explanation | None,
    ahead: tuple[Ahead, ...],
) -> str:
    if score is None:
        assert failed is not None
        return f"It does not match. {failed.clause}: {failed.why}."
    if found:
        return f"It is there: place {rank:,} of {answer.total:,}, with {score:.6g}."
    said = f"It matches, at place {rank:,} of {answer.total:,} with {score:.6g}, and the first {limit:,} are shown."
    if ahead:
        last = ahead[-1]
        by = f"{last.by:.6g} more" if last.by > 0 else "as much, and stands before it in the index"
        said += f" Place {last.rank:,} is {last.document!r}, with {last.score:.6g}: {by}."
    if failed is not None:
        said += f" {failed.clause} gave it nothing: {failed.why}."
    return said
