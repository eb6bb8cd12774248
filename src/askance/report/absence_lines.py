"""Why a document is not among the first answers, for a terminal: the verdict, the clause that failed, all clauses."""

from __future__ import annotations

from collections.abc import Iterator

from askance.engines.engine import Explanation
from askance.engines.found import leaves_of
from askance.engines.why_not import WhyNot
from askance.irl.excerpt import Mark, excerpts
from askance.report.grid import Column, Grid


def why_not_lines(found: WhyNot) -> Iterator[str]:
    """The verdict, and the query; where the document is not there, with carets under the first clause that failed."""
    yield found.sentence
    failed = found.failed
    if found.query:
        yield ""
        if failed is not None and failed.span is not None and not found.found:
            yield from excerpts(found.query, [Mark(failed.span, "")])
        else:
            yield from (f"  {line}" for line in found.query.split("\n"))


def clauses_grid(found: WhyNot) -> Grid | None:
    """A row a clause: whether it matches the document, what it gives, and why; None for a single one."""
    leaves = leaves_of(found.explanation)
    if len(leaves) < 2:
        return None
    columns = (Column(""), Column("clause"), Column("gives", True), Column("place", True), Column("why"))
    return Grid("", columns, [_row(leaf) for leaf in leaves])


def _row(leaf: Explanation) -> list[str]:
    place = f"{leaf.rank:,}" if leaf.rank is not None else ""
    given = f"{leaf.score:.4f}" if leaf.score is not None and leaf.kind not in ("filter", "not") else ""
    return ["✓" if leaf.matches else "✗", leaf.clause, given, place, leaf.why]
