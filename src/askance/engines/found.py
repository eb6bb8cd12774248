"""What an index answered to a query, with how the query came about and what each clause gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from askance.engines.engine import Answer, Explanation
from askance.irl.nodes import Node
from askance.irl.printer import print_query
from askance.irl.rewrite.rewriter import Rewritten


@dataclass(frozen=True, eq=False)
class Found:
    """What an index answered to one query.

    `name`: the query's identifier in a file of them, "" else. `rewritten`: how a question became the query.
    `explanations`: what each clause gave to each hit, in their order, where that was asked for.
    """

    query: Node
    answer: Answer
    scale: str
    name: str = ""
    rewritten: Rewritten | None = None
    explanations: tuple[Explanation, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """{"query", "hits": [{"id", "score", "rank", "clauses"}], "total", "stages", "scale", "notes"}."""
        explained: Sequence[Explanation | None] = self.explanations or [None] * len(self.answer.documents)
        return {
            "query": self.name or print_query(self.query),
            "expression": print_query(self.query),
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
    """The clauses that stand alone, as written: what each gave, its place in the clause's own list, and why."""
    return [
        {"clause": leaf.clause, "kind": leaf.kind, "score": leaf.score, "rank": leaf.rank, "why": leaf.why}
        for leaf in leaves_of(explanation)
    ]


def leaves_of(explanation: Explanation | None) -> list[Explanation]:
    """The explanations of the clauses that stand alone."""
    if explanation is None:
        return []
    if not explanation.parts:
        return [explanation]
    return [leaf for part in explanation.parts for leaf in leaves_of(part)]
