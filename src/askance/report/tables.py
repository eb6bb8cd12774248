"""The tables of a domain as plain rows, for page and terminal alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from askance.report.domain_view import tokens_label
from askance.report.numbers import (
    DASH,
    count,
    decimal,
    p_value,
    percent,
    percent_interval,
    probability,
    probability_interval,
    reason,
    span_of_n,
)
from askance.report.readings import PREFERENCES, SIGNS, VERDICTS
from askance.report.texts import one_line

if TYPE_CHECKING:
    from askance.report.domain_view import DomainView
    from askance.study.results import ChanceIn, Control, EstimateIn, Figure, Preference


@dataclass(frozen=True)
class Cell:
    """A figure, its interval, and a mark with its meaning; all empty where nothing was measured."""

    value: str = ""
    interval: str = ""
    mark: str = ""
    meaning: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Row:
    """`level` 1: belongs to the row above it. `quiet`: what the other rows are held against."""

    label: str
    cells: Sequence[Cell]
    level: int = 0
    quiet: bool = False


@dataclass(frozen=True)
class Table:
    """`head`: over the column of row labels. `texts`: how many of the first columns hold words, not figures.

    `notes`: why a dash is a dash, and what was left out.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    head: str = ""
    texts: int = 0
    notes: Sequence[str] = field(default=())

    def has_interval(self, column: int) -> bool:
        """Whether any cell of the column has an interval or a mark beside its value."""
        return any(row.cells[column].interval or row.cells[column].mark for row in self.rows)


def percent_cell(estimate: EstimateIn, *, signed: bool = False) -> Cell:
    """A rate with its interval."""
    value = percent(estimate.value, signed=signed)
    if value == DASH:
        return Cell(DASH, meaning=f"undefined: {reason(estimate)}")
    return Cell(value, percent_interval(estimate))


def figure_cell(figure: Figure | None) -> Cell:
    """A figure with its interval and where it stands against chance."""
    if figure is None:
        return Cell()
    cell = percent_cell(figure.estimate)
    verdict = figure.chance.verdict
    if verdict is None or cell.value == DASH:
        return cell
    reading = VERDICTS[verdict]
    meaning = f"{reading.meaning}, {percent(figure.chance.expected)} %, {p_value(figure.chance.p)}"
    return Cell(cell.value, cell.interval, reading.mark, meaning, verdict)


def main_table(view: DomainView) -> Table:
    """Systems and the rerankers over them, under the main tier over the main subset; chance in the last row."""
    measures = _measures(view)
    rows: list[Row] = []
    controls = view.controls
    for system in view.systems:
        figures = [view.figure(system, measure) for measure in measures]
        mine = [control for control in controls if control.system == system]
        if not any(figures) and not mine:
            continue
        rows.append(Row(view.system(system), [*map(figure_cell, figures), Cell(), _cut_cell(view, system)]))
        rows += [_control_row(view, control, measures) for control in mine]
    chance = [_chance_cell(view, measure) for measure in measures]
    if any(cell.value for cell in chance):
        rows.append(Row("chance", [*chance, Cell(), Cell()], quiet=True))
    table = Table(_title(view), [*measures, "gap closed", "cut"], rows, notes=_notes(view, measures))
    return _without_empty_columns(table)


def _without_empty_columns(table: Table) -> Table:
    kept = [at for at in range(len(table.columns)) if any(row.cells[at].value for row in table.rows)]
    rows = [replace(row, cells=[row.cells[at] for at in kept]) for row in table.rows]
    return replace(table, columns=[table.columns[at] for at in kept], rows=rows)


def _cut_cell(view: DomainView, system: str) -> Cell:
    """How many documents its model did not read to the end."""
    card = view.card(system)
    if card is None or (card.cut is None and card.model is None):
        return Cell()
    if card.cut is None:
        return Cell("?", meaning="not known how many documents the model cut")
    return Cell(count(card.cut), meaning=f"of {count(view.domain.documents)} documents, cut before they were read")


def _measures(view: DomainView) -> list[str]:
    """Those measured under the main tier over the main subset."""
    return [m for m in view.measures if any(view.figure(system, m) for system in view.systems)]


def _title(view: DomainView) -> str:
    sizes = {f.estimate.n for f in view.domain.figures if (f.tier, f.subset) == (view.main_tier, view.main_subset)}
    where = f", {view.subset(view.main_subset)}" if len(view.domain.subsets) > 1 else ""
    return f"gold: {view.tier(view.main_tier)}{where}, {span_of_n(sizes)}"


def _control_row(view: DomainView, control: Control, measures: Sequence[str]) -> Row:
    """Hit@1 after it, and the share of the gap that it closes."""
    cells = [percent_cell(control.after) if measure == "Hit@1" else Cell() for measure in measures]
    return Row(f"+ {view.control(control)}", [*cells, gap_cell(control), Cell()], level=1)


def gap_cell(control: Control) -> Cell:
    """The share with its interval, or that there is no room."""
    sign = SIGNS[control.sign]
    if control.sign == "no room":
        return Cell(sign.word, mark=sign.mark, meaning=sign.meaning, verdict=control.sign)
    cell = percent_cell(control.share_held, signed=True)
    return cell if cell.value == DASH else Cell(cell.value, cell.interval, sign.mark, sign.meaning, control.sign)


def _chance_cell(view: DomainView, measure: str) -> Cell:
    """The chance of a measure; a span where systems have different ones."""
    found = [f.chance for f in (view.figure(system, measure) for system in view.systems) if f is not None]
    known = [chance.expected for chance in found if chance.expected is not None]
    if not known:
        return Cell(DASH, meaning=f"chance undefined: {reason(found[0])}") if found else Cell()
    low, high = percent(min(known)), percent(max(known))
    return Cell(low if low == high else f"{low}–{high}")


def _notes(view: DomainView, measures: Iterable[str]) -> list[str]:
    """Each reason once."""
    notes: dict[str, None] = {}
    for system in view.systems:
        for measure in measures:
            figure = view.figure(system, measure)
            if figure:
                notes |= dict.fromkeys(_reasons(figure.estimate, figure.chance))
    for control in view.controls:
        if control.share_held.value is None and control.sign != "no room":
            notes[f"{DASH} share of the gap undefined: {reason(control.share_held)}"] = None
    return list(notes)


def _reasons(estimate: EstimateIn, chance: ChanceIn) -> list[str]:
    found = [f"{DASH} undefined: {reason(estimate)}"] if estimate.value is None else []
    found += [f"{DASH} chance undefined: {reason(chance)}"] if chance.expected is None else []
    return found + left_out(estimate)


def left_out(estimate: EstimateIn) -> list[str]:
    """What was not counted, in words."""
    return [f"left out: {count(number)} {what}" for what, number in sorted(estimate.left_out.items()) if number]


def every_table(view: DomainView) -> Table:
    """All tiers and subsets, one row a system; empty where there is one of each, which the main table shows."""
    rows = []
    for tier in view.tiers:
        for subset in view.subsets:
            for system in view.systems:
                figures = [view.figure(system, measure, tier=tier, subset=subset) for measure in view.measures]
                known = [figure for figure in figures if figure]
                if known:
                    first = known[0]
                    cells = [Cell(view.subset(subset)), Cell(view.system(system)), Cell(count(first.estimate.n))]
                    cells += [*map(figure_cell, figures), Cell(percent(first.chance.expected))]
                    rows.append(Row(view.tier(tier), cells))
    if len({(f.tier, f.subset) for f in view.domain.figures}) < 2:
        rows = []
    first_measure = view.measures[0] if view.measures else ""
    return Table(
        "Every tier and subset", ["subset", "system", "n", *view.measures, f"chance, {first_measure}"], rows, "gold", 2
    )


def control_table(view: DomainView) -> Table:
    """All rerankers under every tier and subset they were measured in."""
    rows = []
    for control in view.domain.controls:
        cells = [
            Cell(f"{view.system(control.system)} + {view.control(control)}"),
            Cell(count(control.before.n)),
            percent_cell(control.before),
            percent_cell(control.after),
            percent_cell(control.ceiling),
            Cell(f"{count(control.gained)} / {count(control.lost)}", p_value(control.p)),
            gap_cell(control),
            percent_cell(control.share_resampled, signed=True) if control.sign != "no room" else Cell(),
        ]
        rows.append(Row(f"{view.tier(control.tier)}, {view.subset(control.subset)}", cells))
    columns = ["reranked", "n", "Hit@1 before", "after", "ceiling", "gained / lost", "gap closed", "ceiling resampled"]
    return Table("Lexical rerankers over a fixed first few", columns, rows, "gold", 1)


def preference_table(views: Sequence[DomainView], *, name_domains: bool = False) -> Table:
    """Every lexical preference of the main tiers: a row a set of decoys and class of words."""
    rows = []
    for view in views:
        for preference in view.preferences:
            decoys = view.decoys(preference.decoys)
            cells = [Cell(decoys)] if name_domains else []
            rows.append(Row(view.title if name_domains else decoys, [*cells, *_preference_cells(preference)]))
    columns = [*(["gold against"] if name_domains else []), "words", "n", "gold reads closer", "wording is"]
    return Table(
        "Lexical preference", columns, rows, "domain" if name_domains else "gold against", 2 if name_domains else 1
    )


def _preference_cells(preference: Preference) -> list[Cell]:
    estimate, reading = preference.estimate, PREFERENCES[preference.reading]
    value = probability(estimate.value)
    undefined = value == DASH
    return [
        Cell(tokens_label(preference.tokens)),
        Cell(count(estimate.n)),
        Cell(DASH, meaning=f"undefined: {reason(estimate)}")
        if undefined
        else Cell(value, probability_interval(estimate), reading.mark, reading.meaning, preference.reading),
        Cell(DASH if undefined else reading.word, verdict=preference.reading),
    ]


def tier_table(view: DomainView) -> Table:
    """What counts as gold in each tier."""
    rows = []
    for card in view.domain.tiers:
        cells = [
            Cell(one_line(card.rule)),
            Cell(count(card.queries)),
            Cell(count(card.without_gold)),
            Cell(decimal(card.gold, 1)),
        ]
        rows.append(Row(view.tier(card.name), cells))
    return Table("What counts as gold", ["rule", "queries", "without gold", "gold a query"], rows, "tier", 1)
