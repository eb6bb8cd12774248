"""How hard a collection is: a table for the terminal, one for machines, and what was not counted."""

from __future__ import annotations

from askance.core.estimate import Estimate
from askance.measure.gold_graphs import EXACT
from askance.measure.hardness import Hardness
from askance.report.figures import number
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, count, counted, decimal, probability_interval, reason
from askance.report.tables import left_out
from askance.report.texts import one_line, shorten
from askance.study.records import estimate_record

_UNITS = {"queries": ("query", "queries"), "documents": ("document", "documents")}
_LONGEST_TITLE = 60


def hardness_grid(found: Hardness) -> Grid:
    """One row a figure: what it is, the figure, its interval or that it is exact, and over how many."""
    columns = (Column("what"), Column("figure", True, True), Column("interval", True, True), Column("over", True, True))
    rows = [
        [what, decimal(estimate.value, places), _interval(estimate), counted(estimate.n, *_UNITS[over])]
        for what, estimate, places, over in _figures(found)
    ]
    counts = found.counts
    title = shorten(one_line(found.collection), _LONGEST_TITLE)
    said = (
        f"{title}: gold is “{found.tier_label}”\n"
        f"{counted(counts.documents, 'document', 'documents')} ({count(counts.judged_documents)} judged, "
        f"{count(counts.gold_documents)} gold, {count(counts.shared)} gold for several queries), "
        f"{counted(counts.queries, 'query', 'queries')} ({count(counts.with_gold)} with gold), "
        f"{counted(counts.gold_pairs, 'pair', 'pairs')} of query and gold, at most {count(counts.most_gold)} a query\n"
        f"{found.origin}"
    )
    return Grid(said, columns, rows)


def hardness_lines(found: Hardness) -> list[str]:
    """How to read it, why a dash is a dash, and what was left out."""
    lines = []
    if found.query_graph.density.defined or found.document_graph.density.defined:
        lines.append(
            "Density is the share of pairs that are joined: queries that have a gold document in common "
            f"({counted(found.query_graph.edges, 'pair', 'pairs')}), documents that are gold for one query "
            f"({counted(found.document_graph.edges, 'pair', 'pairs')}). Strength is the sum of the Jaccards of a "
            "query's gold and that of every other query."
        )
    undefined = {f"{what}: {reason(estimate_record(one))}" for what, one, _, _ in _figures(found) if not one.defined}
    lines += [f"{DASH} {one}" for one in sorted(undefined)]
    return lines + left_out(estimate_record(found.overlap.gold))


def hardness_figures_grid(found: Hardness) -> Grid:
    """The same as one table for machines: a figure a row, interval and n in columns of their own, then the counts."""
    columns = (
        Column("collection"),
        Column("tier"),
        Column("measure"),
        Column("value", True),
        Column("low", True),
        Column("high", True),
        Column("n", True),
        Column("method"),
    )
    where = [found.collection, found.tier]
    rows = [
        [*where, what, *(_plain(value) for value in (one.value, one.low, one.high)), str(one.n), one.method]
        for what, one, _, _ in _figures(found)
    ]
    rows += [
        [*where, name.replace("_", " "), number(value), "", "", "", "count"]
        for name, value in found.counts.record().items()
    ]
    rows += [
        [*where, f"edges of the {name} graph", number(graph.edges), "", "", "", "count"]
        for name, graph in (("query", found.query_graph), ("document", found.document_graph))
    ]
    return Grid(f"{found.collection}: hardness", columns, rows)


def _figures(found: Hardness) -> list[tuple[str, Estimate, int, str]]:
    """What each figure is, the figure, how many decimals it is shown with, and what n counts."""
    overlap = found.overlap
    return [
        ("density of the query graph", found.query_graph.density, 6, "queries"),
        ("density of the document graph", found.document_graph.density, 6, "documents"),
        ("average query strength", found.strength, 4, "queries"),
        ("overlap of gold with its query", overlap.gold, 3, "queries"),
        (f"overlap of the top {overlap.first} decoys", overlap.decoys, 3, "queries"),
        ("best gold minus top decoy", overlap.margin, 3, "queries"),
        ("best gold overlaps more than the top decoy", overlap.closer, 3, "queries"),
    ]


def _interval(estimate: Estimate) -> str:
    if not estimate.defined:
        return ""
    if estimate.method == EXACT:
        return "exact"
    return probability_interval(estimate_record(estimate))


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
