"""Is trajectory retrieval below chance? The source says so of all three embedders; the exact test says of which."""

from __future__ import annotations

from collections.abc import Iterator

from askance.measure.chance import exact_null
from askance.study.reproduce import Row
from askance.study.structural.chances import per_query
from askance.study.structural.finding import exact
from askance.study.structural.lines import line
from askance.study.structural.source import Source

EMBEDDERS = ("labembed", "gemini", "minilm")

# Definition of gold: what rows call it, what the source says of it.
_DEFINITIONS = (
    ("strict", "strict", "a heading says that retrieval falls below chance under (i)"),
    ("strict-ii", "harsher_ii", "the source says that all three fall below chance under (ii)"),
)


def lines(source: Source) -> Iterator[Row]:
    """One-sided P of as few (or as many) hits at rank 1, exact Poisson-binomial, and the two-sided verdict."""
    for name, tier, claim in _DEFINITIONS:
        null = exact_null(per_query(source, tier, "Hit@1"))
        for embedder in EMBEDDERS:
            printed = source.row(f"traj/{embedder}/pooled/{tier}_hit@1")
            assert null.expected is not None
            expected = null.expected * printed.queries
            fewer = printed.found < expected
            tail = null.weight[: printed.found + 1] if fewer else null.weight[printed.found :]
            place = null.place(printed.found / printed.queries)
            said = "at most" if fewer else "at least"
            method = f"exact Poisson-binomial: P({said} {printed.found} of {printed.queries} hits)"
            at = f"{place.verdict} chance, two-sided p {place.p:.3f}"
            why = f"{claim}; {printed.found} hits, expected {expected:.2f}: {at}"
            yield line(
                f"6.{name}.{embedder}",
                f"one-sided P of hits at rank 1, {name}, {embedder}",
                exact(float(tail.sum()), printed.queries, method),
                why,
                status="recomputed" if source.trajectories is None else "pass",
            )
