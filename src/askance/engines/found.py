"""What an index answered to a query, with how the query came about and what each clause gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from askance.engines.engine import Answer, Explanation
from askance.irl.nodes import Node
from askance.irl.printer import print_query
from askance.irl.rewrite.rewriter import Rewritten


@dataclass(frozen=True)
class Excerpt:
    """A document's text, and where in it the first of what was asked for stands, in code points."""

    text: str
    start: int = 0


@dataclass(frozen=True, eq=False)
class Found:
    """What an index answered to one query.

    `name`: the query's identifier in a file of them, "" else. `rewritten`: how a question became the query.
    `explanations`: what each clause gave to each hit, in their order, and `excerpts`: the hits' texts, where those were
    asked for.
    """

    query: Node
    answer: Answer
    scale: str
    name: str = ""
    rewritten: Rewritten | None = None
    explanations: tuple[Explanation, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """{"query", "expression", "hits": [{"id", "score", "rank", "clauses"}], "total", "stages", "scale", "notes"}.

        `query`: its identifier in a file of them; else the question, or the expression itself.
        """
        explained: Sequence[Explanation | None] = self.explanations or [None] * len(self.answer.documents)
        expression = print_query(self.query)
        asked = self.rewritten.stages[0].input if self.rewritten else expression
        return {
            "query": self.name or asked,
            "expression": expression,
            "hits": [
                {"id": id, "score": float(score), "rank": rank, "clauses": clauses_of(explanation)}
                for rank, (id, score, explanation) in enumerate(
                    zip(self.answer.documents, self.answer.scores, explained, strict=True), start=1
                )
            ],
            "total": self.answer.total,
            "stages": [asdict(stage) for stage in self.rewritten.stages] if self.rewritten else [],
            "scale": self.scale,
            "notes": list(self.answer.notes),
        }


def clauses_of(explanation: Explanation | None) -> list[dict[str, Any]]:
    """The clauses of `leaves_of`, as written: what each gave, its place in the clause's own list, and why."""
    return [
        {"clause": leaf.clause, "kind": leaf.kind, "score": leaf.score, "rank": leaf.rank, "why": leaf.why}
        for leaf in leaves_of(explanation)
    ]


def leaves_of(explanation: Explanation | None) -> list[Explanation]:
    """The clauses whose scores make up that of the whole: those that stand alone or exclude, and the lists of a fusion.

    What is inside an excluded clause, or inside a fused list, adds nothing by itself.
    """
    if explanation is None:
        return []
    if not explanation.parts or explanation.kind == "not":
        return [explanation]
    return [leaf for part in explanation.parts for leaf in _within(part, fused=explanation.kind == "fuse")]


def _within(part: Explanation, *, fused: bool) -> list[Explanation]:
    return [part] if fused and not _is_fusion(part) else leaves_of(part)


def _is_fusion(explanation: Explanation) -> bool:
    while explanation.kind == "boost" and explanation.parts:
        explanation = explanation.parts[0]
    return explanation.kind == "fuse"
