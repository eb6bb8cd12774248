"""What commands found, as plain tables: every figure with its interval and n in columns of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, decimal, percent, percent_interval
from askance.report.tables import left_out
from askance.study.quick_sign import LexicalSign
from askance.study.results import ChanceIn, Control, EstimateIn, Results
from askance.study.verify import Verification

FIGURES = (
    Column("domain"),
    Column("system"),
    Column("tier"),
    Column("queries"),
    Column("measure"),
    Column("value", True),
    Column("low", True),
    Column("high", True),
    Column("n", True),
    Column("chance", True),
    Column("p", True),
    Column("verdict"),
)


def figures_grid(results: Results) -> Grid:
    """Every figure of a study, one a row: measures, shares of the gap, lexical preferences, bills."""
    return Grid(results.study.title, FIGURES, list(_figure_rows(results)))


def _figure_rows(results: Results) -> Iterator[list[str]]:
    for domain in results.domains:
        for figure in domain.figures:
            where = [domain.name, figure.system, figure.tier, figure.subset, figure.measure]
            yield [*where, *_estimate(figure.estimate), *_chance(figure.chance)]
        for control in domain.controls:
            system = f"{control.system}+{control.reranker}"
            where = [domain.name, system, control.tier, control.subset, "share of gap"]
            yield [*where, *_estimate(control.share_held), "", "", control.sign]
        for preference in domain.preferences:
            measure = f"preference over {preference.decoys}: {preference.tokens}"
            where = [domain.name, "", preference.tier, preference.subset, measure]
            yield [*where, *_estimate(preference.estimate), "0.5000", "", preference.reading]
        for bill in domain.bills or ():
            for one in bill.classes:
                where = [domain.name, "", bill.tier, bill.subset, f"bill against {bill.decoys}: {one.tokens}"]
                yield [*where, *_estimate(one.estimate), "0.5000", "", one.verdict]


def sign_grids(found: LexicalSign) -> tuple[Grid, Grid]:
    """Both readings of the lexical sign: preferences per decoys and token class; the control over BM25's lists."""
    return _preference_grid(found), _control_grid(found.control)


def sign_figures_grid(found: Sequence[LexicalSign]) -> Grid:
    """The same of all collections as one table for machines: a figure a row, interval and n in columns of their own."""
    columns = (
        Column("collection"),
        Column("tier"),
        Column("measure"),
        Column("against"),
        Column("words"),
        Column("value", True),
        Column("low", True),
        Column("high", True),
        Column("n", True),
        Column("reading"),
    )
    return Grid("The lexical sign", columns, [row for one in found for row in _sign_rows(one)])


def _sign_rows(found: LexicalSign) -> Iterator[list[str]]:
    where, control = [found.collection, found.tier], found.control
    for each in found.preferences:
        yield [*where, "preference", each.decoys, each.tokens, *_estimate(each.estimate), each.reading]
    for bill in found.bills:
        for one in bill.classes:
            yield [*where, "bill", bill.decoys, one.tokens, *_estimate(one.estimate), one.verdict]
    for measure, estimate, reading in (
        ("Hit@1 of BM25", control.before, ""),
        ("Hit@1 of BM25 after the control", control.after, ""),
        ("share of gap", control.share_held, control.sign),
    ):
        yield [*where, measure, "", control.tokens, *_estimate(estimate), reading]


def _control_grid(control: Control) -> Grid:
    columns = (
        Column("lists"),
        Column("Hit@1", True),
        Column("after", True),
        Column("gained", True),
        Column("lost", True),
        Column("share of gap", True),
        Column("interval", True),
        Column("n", True),
        Column("sign"),
    )
    share = control.share_held
    row = [
        "BM25",
        percent(control.before.value),
        percent(control.after.value),
        str(control.gained),
        str(control.lost),
        percent(share.value, signed=True),
        percent_interval(share),
        str(share.n),
        control.sign,
    ]
    return Grid(f"The same likeness re-sorting BM25's first {control.first}, in percent", columns, [row])


def _preference_grid(found: LexicalSign) -> Grid:
    columns = (
        Column("gold against"),
        Column("words"),
        Column("gold reads closer", True),
        Column("interval", True),
        Column("n", True),
        Column("reading"),
    )
    labels = {decoys.name: decoys.label for decoys in found.decoys}
    rows = [
        [
            labels[preference.decoys],
            preference.tokens,
            decimal(preference.estimate.value, 3),
            _interval(preference.estimate),
            str(preference.estimate.n),
            preference.reading,
        ]
        for preference in found.preferences
    ]
    missing = "".join(f"; {what}" for what in left_out(found.control.before))
    said = f"{found.collection}: gold is “{found.tier_label}”; ½ is no preference{missing}\n{found.origin}"
    return Grid(said, columns, rows)


def listed_grid(rows: Sequence[Sequence[str]]) -> Grid:
    """Public collections: name, size, licence, whether they are here, what they are."""
    columns = (Column("name"), Column("size", True), Column("licence"), Column("here"), Column("what it is"))
    return Grid("Public collections and models", columns, rows)


def verification_grid(found: Verification) -> Grid:
    """What does not agree in a result folder; no rows where all does."""
    said = f"{found.figures} figures recomputed from the runs; " + (
        f"{len(found.findings)} things do not agree" if found.findings else "all agree"
    )
    rows = [[finding.where, finding.what] for finding in found.findings]
    return Grid(f"{found.folder}: {said}", (Column("where"), Column("what")), rows)


def _interval(estimate: EstimateIn) -> str:
    return DASH if estimate.low is None else f"{decimal(estimate.low, 3)}–{decimal(estimate.high, 3)}"


def _estimate(estimate: EstimateIn) -> Sequence[str]:
    return [number(estimate.value), number(estimate.low), number(estimate.high), str(estimate.n)]


def _chance(chance: ChanceIn) -> Sequence[str]:
    return [number(chance.expected), number(chance.p), chance.verdict or ""]


def number(value: float | None) -> str:
    """Four decimals; whole numbers stay whole; empty where undefined."""
    if value is None:
        return ""
    return f"{value:.0f}" if value == int(value) and abs(value) > 1 else f"{value:.4f}"
