"""Agreement of label sets as tables, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from askance.core.estimate import Estimate
from askance.measure.agreement.compare import ALPHAS, KAPPAS, Agreement, Compared
from askance.measure.agreement.found import AgreementFound, Systems
from askance.measure.agreement.table import Column as LabelColumn
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, counted, decimal, listed, percent
from askance.report.short_figures import short_figure
from askance.report.texts import shorten

MOST_LINES = 20

_APART = "▼"


def agree_grids(found: AgreementFound) -> Iterator[Grid]:
    """The tables for a terminal of 100 columns, those that have something to say."""
    if found.agreement is not None:
        yield _sets_grid(found.agreement)
        yield _together_grid(found.agreement)
        if found.systems is not None:
            yield _orders_grid(found.systems)
        yield from _off_scale_grid(found.agreement)
        yield from _uncompared_grid(found.agreement)
    if found.audits:
        yield _audits_grid(found)


def agree_sentences(found: AgreementFound) -> list[str]:
    """What the tables say: who stands apart, what the scale is, how intervals were made."""
    if found.agreement is None:
        return []
    agreement = found.agreement
    said = [_outlier_sentence(agreement), _scale_sentence(agreement), _interval_sentence(agreement)]
    if found.systems is not None:
        said += _systems_sentences(found.systems)
    return said + _undefined_sentences(found)


def agree_figures_grid(found: AgreementFound) -> Grid:
    """The same as one table for machines: a figure a row, interval, n and what was left out in columns of their own."""
    columns = (
        Column("label set"),
        Column("figure"),
        Column("value", True),
        Column("low", True),
        Column("high", True),
        Column("n", True),
        Column("left out", True),
        Column("method"),
    )
    rows = [
        [name, figure, *(_plain(each) for each in (estimate.value, estimate.low, estimate.high)), str(estimate.n)]
        + [str(sum(estimate.left_out.values())), estimate.method]
        for name, figure, estimate in _figures(found)
    ]
    return Grid("Agreement of label sets", columns, rows)


def _figures(found: AgreementFound) -> Iterator[tuple[str, str, Estimate]]:
    if found.agreement is not None:
        for one in _in_order(found.agreement):
            figures = {**one.with_gold, "with the others": one.standing.with_others}
            figures["below the fence of the others"] = one.standing.below_fence
            if found.systems is not None:
                orders = found.systems.orders[one.column.name]
                figures |= {"tau": orders.tau, "tau-b": orders.tau_b, f"rbo, p = {orders.p:g}": orders.rbo}
            yield from ((one.column.name, name, estimate) for name, estimate in figures.items())
        for name, alphas in (("all sets", found.agreement.together), ("all sets and gold", found.agreement.with_gold)):
            yield from ((name, figure, estimate) for figure, estimate in alphas.items())
    for audit in found.audits:
        yield audit.name or "audit", "error rate", audit.error_rate


def _in_order(agreement: Agreement) -> list[Compared]:
    """Closest to gold first, by the kappa that was asked for; without gold closest to the others first."""

    def height(one: Compared) -> float:
        figure = one.with_gold.get(KAPPAS[agreement.weights], one.standing.with_others)
        return -2.0 if figure.value is None else figure.value

    return sorted(agreement.sets, key=lambda one: (-height(one), one.column.name))


def _sets_grid(agreement: Agreement) -> Grid:
    table = agreement.table
    shown = {name: heading for name, heading in _shown(agreement).items() if table.gold}
    columns = [Column("label set"), *(Column(heading, True) for heading in shown.values())]
    columns.append(Column("with the others", True))
    rows = []
    for one in _in_order(agreement):
        mark = f" {_APART}" if one.standing.stands_apart else ""
        figures = [short_figure(one.with_gold[name]) for name in shown]
        rows.append([one.column.name + mark, *figures, short_figure(one.standing.with_others)])
    sets = counted(len(table.sets), "label set", "label sets") + (f" beside {table.gold.name}" if table.gold else "")
    items = f"{counted(len(table.items), 'pair', 'pairs')} of {counted(len(table.queries), 'query', 'queries')}"
    others = f"with the others: mean {agreement.weights} kappa" + (f", {_APART} apart" if agreement.outliers else "")
    return Grid(f"{sets}: {items}, 95 % intervals; {others}", columns, rows)


def _shown(agreement: Agreement) -> dict[str, str]:
    """The figures beside gold that a terminal has room for, and their headings."""
    kappas = {"plain": "plain kappa", agreement.weights: f"{agreement.weights} kappa"}
    return {KAPPAS[weights]: heading for weights, heading in kappas.items()} | {ALPHAS["ordinal"]: "ordinal alpha"}


def _together_grid(agreement: Agreement) -> Grid:
    columns = [Column("Krippendorff's alpha"), *(Column(name.removeprefix("alpha "), True) for name in ALPHAS.values())]
    rows = [["all label sets", *(short_figure(agreement.together[name]) for name in ALPHAS.values())]]
    if agreement.with_gold:
        rows.append(["with gold as one more", *(short_figure(agreement.with_gold[name]) for name in ALPHAS.values())])
    n = agreement.together[ALPHAS["nominal"]].n
    return Grid(f"All judges together: {counted(n, 'pair', 'pairs')} with two labels or more", columns, rows)


def _orders_grid(systems: Systems) -> Grid:
    p = next(iter(systems.orders.values())).p
    columns = (
        Column("label set"),
        Column("tau", True),
        Column("tau-b", True),
        Column(f"RBO (p = {p:g})", True),
        Column("queries", True),
    )
    rows = [
        [name, short_figure(order.tau), short_figure(order.tau_b), short_figure(order.rbo), _count(order.tau.n)]
        for name, order in sorted(systems.orders.items(), key=lambda each: (-(each[1].tau_b.value or -2.0), each[0]))
    ]
    runs = counted(len(systems.runs), "system", "systems")
    return Grid(f"The order of {runs} by {systems.measure}, against gold's order", columns, rows)


def _off_scale_grid(agreement: Agreement) -> Iterator[Grid]:
    rows = [
        [f"{column.path}:{row.line}", row.query, row.document, shorten(row.label, 40) or "(empty)"]
        for column in _columns(agreement)
        for row in column.off_scale
    ]
    if rows:
        more = f"; the first {MOST_LINES}, all with --json" if len(rows) > MOST_LINES else ""
        caption = f"{counted(len(rows), 'label', 'labels')} off the scale {_scale(agreement)}{more}: not compared"
        columns = (Column("line"), Column("query"), Column("document"), Column("label", True))
        yield Grid(caption, columns, rows[:MOST_LINES])


def _uncompared_grid(agreement: Agreement) -> Iterator[Grid]:
    """Only where a set has pairs that are not compared, or that it labels twice."""
    headings = ("label set", "labels", "compared", "off scale", "missing", "unknown", "twice", "contradictory")
    rows = [
        [column.name, *map(_count, (column.labels, int((column.codes >= 0).sum()), column.unusable, column.missing))]
        + [_count(number) for number in (column.unknown, column.repeated, column.contradictory)]
        for column in _columns(agreement)
        if column.left_out or column.repeated
    ]
    if rows:
        caption = (
            "Pairs that are not compared: labelled off the scale, missing from the set, unknown to gold, labelled "
            "twice with different labels (contradictory). Labelled twice alike counts once"
        )
        yield Grid(caption, [Column(heading, at > 0) for at, heading in enumerate(headings)], rows)


def _audits_grid(found: AgreementFound) -> Grid:
    columns = (Column("audit"), Column("errors", True), Column("of", True), Column("error rate, %", True))
    rows = [
        [audit.name or "labels", _count(audit.errors), _count(audit.n), _rate(audit.error_rate)]
        for audit in found.audits
    ]
    return Grid("Audits: labels checked by hand, and what that says of all of them", columns, rows)


def _rate(estimate: Estimate) -> str:
    low, high = (decimal(None if end is None else 100 * end, 2) for end in (estimate.low, estimate.high))
    if estimate.value == 0:
        return f"0 (at most {high})"
    return f"{percent(estimate.value)} ({low}–{high})"


def _outlier_sentence(agreement: Agreement) -> str:
    kappa = f"{agreement.weights} kappa"
    if len(agreement.sets) < 3:
        return "Fewer than three label sets: none can stand apart from the others."
    apart = agreement.outliers
    if apart:
        named = listed([f"{one.column.name} ({short_figure(one.standing.with_others)})" for one in apart])
        return (
            f"{named} {'stands' if len(apart) == 1 else 'stand'} apart: mean {kappa} with the others below their lower "
            "fence (first quartile less 1.5 interquartile ranges), interval included."
        )
    defined = [one for one in agreement.sets if one.standing.with_others.value is not None]
    if not defined:
        return f"No {kappa} of two label sets is defined, so none can be said to stand apart."
    lowest = min(defined, key=lambda one: one.standing.with_others.value or 0.0)
    return (
        f"No label set stands apart: the lowest mean {kappa} with the others is that of {lowest.column.name}, "
        f"{short_figure(lowest.standing.with_others)}, not surely below their lower fence."
    )


def _scale_sentence(agreement: Agreement) -> str:
    told = {
        "told": "as told",
        "gold": "as gold has it",
        "found": "every number that occurs; name it with --scale to have other labels found",
    }
    return f"Scale: {_scale(agreement)}, {told[agreement.table.scale_from]}."


def _interval_sentence(agreement: Agreement) -> str:
    if agreement.resampling.over == "queries":
        why = "whole queries, since labels of one query are not independent"
        return f"Intervals: resamples of {counted(len(agreement.table.queries), 'query', 'queries')}, {why}."
    return "Intervals: resamples of single pairs: they hold for these queries, not for others."


def _systems_sentences(systems: Systems) -> list[str]:
    said = []
    unanswered = {name: count for name, count in systems.unanswered.items() if count}
    if unanswered:
        named = listed([f"{name} ({_count(count)})" for name, count in unanswered.items()])
        said.append(f"Queries that a set judges and no run answers, left out of its order: {named}.")
    counts: dict[str, int] = {}
    for problems in systems.problems.values():
        for problem in problems:
            counts[problem.text] = counts.get(problem.text, 0) + 1
    said += [f"{counted(times, 'run', 'runs')}: {text}." for text, times in counts.items()]
    return said


def _undefined_sentences(found: AgreementFound) -> list[str]:
    """Why a dash stands where a figure is missing, one sentence a reason."""
    by_reason: dict[str, list[str]] = {}
    for name, figure, estimate in _figures(found):
        if not estimate.defined and figure != "below the fence of the others":
            names = by_reason.setdefault(estimate.method.removeprefix("undefined: "), [])
            names += [name] if name not in names else []
    return [f"{DASH} {reason}: {_some(names)}." for reason, names in by_reason.items()]


def _some(names: list[str]) -> str:
    return listed(names) if len(names) <= 4 else listed([*names[:3], f"{len(names) - 3} more"])


def _columns(agreement: Agreement) -> list[LabelColumn]:
    gold = agreement.table.gold
    return [*([gold] if gold else []), *agreement.table.sets]


def _scale(agreement: Agreement) -> str:
    return " ".join(f"{value:g}" for value in agreement.table.scale)


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def _count(number: int) -> str:
    return f"{number:,}"


__all__ = ["agree_figures_grid", "agree_grids", "agree_sentences"]
