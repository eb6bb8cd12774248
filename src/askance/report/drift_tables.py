"""Two servings of one model as tables, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from askance.core.estimate import Estimate
from askance.measure.drift.decisions import MeasureDrift, Side
from askance.measure.drift.found import DriftFound
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, MINUS, counted, decimal, p_value
from askance.report.short_figures import short, short_figure

MOST_LINES = 20


def drift_grids(found: DriftFound) -> Iterator[Grid]:
    """The tables for a terminal of 100 columns, those that have something to say."""
    if found.cosines is not None:
        yield _grid(f"Vectors of {_names(found)}", _cosine_rows(found))
        yield _farthest_grid(found)
    if found.ranks is not None:
        yield _grid(f"Ranked lists of {_names(found)}", _rank_rows(found))
    if found.measures:
        yield _measures_grid(found)
        yield from _discordant_grid(found)
    elif found.first_places is not None:
        yield from _changes_grid(found)


def drift_sentences(found: DriftFound) -> list[str]:
    """What the tables say, and what was left out."""
    said = []
    if found.cosines is not None:
        lowest = found.texts[int(found.cosines.rows[0])]
        said.append(
            f"The two vectors of a text are farthest apart for {lowest}: cosine {_four(found.cosines.lowest.value)}."
        )
    places = found.first_places
    if places is not None and places.changes:
        said.append(
            f"Rank 1 led by {_short(places.margin_changed)} (median) where it changed, by {_short(places.margin_kept)} "
            "where it stayed."
        )
    if any(one.drift.p is None for one in found.measures):
        said.append(
            "A measure without p is no yes or no for every query; its difference has an interval. Where ties make a "
            "share of a yes or no, --ties input or --ties trec decides them."
        )
    if any(_narrow(one.drift) for one in found.measures):
        said.append(
            "Where few queries differ the bootstrap's interval of a difference is too narrow: it may leave out 0 where "
            "the exact p does not."
        )
    return said + _left_out(found) + _problems(found)


def _narrow(drift: MeasureDrift) -> bool:
    """Whether the interval excludes no difference and the exact test does not."""
    low, high, p = drift.difference.low, drift.difference.high, drift.p
    return low is not None and high is not None and p is not None and p >= 0.05 and (low > 0 or high < 0)


def drift_figures_grid(found: DriftFound) -> Grid:
    """The same as one table for machines: a figure a row, interval and n in columns of their own."""
    columns = (
        Column("tier"),
        Column("figure"),
        Column("value", True),
        Column("low", True),
        Column("high", True),
        Column("n", True),
        Column("gained", True),
        Column("lost", True),
        Column("p", True),
        Column("p corrected", True),
        Column("method"),
    )
    rows = [
        ["", name, *_plain(estimate), "", "", "", "", estimate.method]
        for name, estimate in [*_cosine_rows(found), *_rank_rows(found)]
    ]
    for one, corrected in zip(found.measures, found.corrected, strict=True):
        drift, name = one.drift, str(one.drift.measure)
        rows.append(
            [one.tier, f"{name} of {found.first.name}", *_plain(drift.first), "", "", "", "", drift.first.method]
        )
        rows.append(
            [one.tier, f"{name} of {found.second.name}", *_plain(drift.second), "", "", "", "", drift.second.method]
        )
        tests = [_number(drift.gained), _number(drift.lost), _number(drift.p), _number(corrected)]
        rows.append([one.tier, f"{name}: difference", *_plain(drift.difference), *tests, drift.difference.method])
    return Grid(_names(found), columns, rows)


def _names(found: DriftFound) -> str:
    return f"{found.first.name} and {found.second.name}"


def _cosine_rows(found: DriftFound) -> list[tuple[str, Estimate]]:
    cosines = found.cosines
    if cosines is None:
        return []
    quantiles = [(f"cosine, {_quantile(share)}", estimate) for share, estimate in cosines.quantiles.items()]
    return [
        ("cosine, mean", cosines.mean),
        ("cosine, lowest", cosines.lowest),
        *quantiles,
        (f"share of texts above {cosines.threshold:g}", cosines.close),
    ]


def _rank_rows(found: DriftFound) -> list[tuple[str, Estimate]]:
    ranks = found.ranks
    if ranks is None:
        return []
    return [
        ("same document at rank 1, share of queries", ranks.same_first),
        (f"same first {ranks.depth} in the same order, share of queries", ranks.same_order),
        *((f"overlap of the first {k}", estimate) for k, estimate in ranks.overlap.items() if k > 1),
        (f"rank-biased overlap of the first {ranks.depth}, p = {ranks.p:g}", ranks.rbo),
        (f"ranks moved by a document of the first {ranks.depth}", ranks.moved),
        (f"documents of the first {ranks.depth} that only one lists", ranks.gone),
    ]


def _grid(caption: str, figures: list[tuple[str, Estimate]]) -> Grid:
    columns = (Column("figure"), Column("value", True), Column("95 % interval", True), Column("n", True))
    rows = [[name, _four(each.value), _interval(each), f"{each.n:,}"] for name, each in figures]
    return Grid(caption, columns, rows)


def _farthest_grid(found: DriftFound) -> Grid:
    cosines = found.cosines
    assert cosines is not None, "asked for only where there are vectors"
    rows = [
        [found.texts[row], _four(value)]
        for row, value in zip(cosines.rows.tolist(), cosines.values.tolist(), strict=True)
    ]
    return Grid("Farthest apart", (Column("text"), Column("cosine", True)), rows[:5])


def _measures_grid(found: DriftFound) -> Grid:
    tiers = any(one.tier for one in found.measures)
    columns = [Column("tier")] if tiers else []
    columns.append(Column("measure"))
    columns += [Column(name, True) for name in ("first", "second", "difference", "gained", "lost", "p", "Holm")]
    rows = []
    for one, corrected in zip(found.measures, found.corrected, strict=True):
        drift = one.drift
        row = [one.tier] if tiers else []
        row += [str(drift.measure), short(drift.first.value, 3), short(drift.second.value, 3)]
        row.append(short_figure(drift.difference, signed=True))
        row += [_whole(drift.gained), _whole(drift.lost), _p(drift.p), _p(corrected)]
        rows.append(row)
    n = max(one.drift.difference.n for one in found.measures)
    who = f"First: {found.first.name}. Second: {found.second.name}."
    tested = f"{counted(n, 'query', 'queries')}; gained: hits under the second only; p: exact McNemar, Holm's beside it"
    return Grid(f"{who} {tested}", columns, rows)


def _discordant_grid(found: DriftFound) -> Iterator[Grid]:
    rows = []
    for one in found.measures:
        where = f"{one.drift.measure}[{one.tier}]" if one.tier else str(one.drift.measure)
        for query in one.drift.discordant:
            rows.append([where, query.query, *_side(query.first), *_side(query.second)])
    if rows:
        more = f"; the first {MOST_LINES}, all with --json" if len(rows) > MOST_LINES else ""
        caption = (
            f"{counted(len(rows), 'decision', 'decisions')} that differ{more}. Rank of the first gold document; "
            "margin: its score above what it had to beat, below nought what it lacked"
        )
        columns = [Column("measure"), Column("query")]
        columns += [Column(f"{what}, {side}", True) for side in ("first", "second") for what in ("rank", "margin")]
        yield Grid(caption, columns, rows[:MOST_LINES])


def _changes_grid(found: DriftFound) -> Iterator[Grid]:
    places = found.first_places
    if places is None or not places.changes:
        return
    more = f"; the first {MOST_LINES}, all with --json" if len(places.changes) > MOST_LINES else ""
    caption = (
        f"{counted(len(places.changes), 'query', 'queries')} with another document at rank 1{more}. Margin: by how "
        "much each prefers its own to the other's"
    )
    columns = (Column("query"), Column("first"), Column("margin", True), Column("second"), Column("margin", True))
    rows = [
        [each.query, each.first, _four(each.first_margin), each.second, _four(each.second_margin)]
        for each in places.changes[:MOST_LINES]
    ]
    yield Grid(caption, columns, rows)


def _side(side: Side) -> tuple[str, str]:
    return (DASH if side.rank is None else str(side.rank), _four(side.margin))


def _left_out(found: DriftFound) -> list[str]:
    """What was not compared, once, however many figures say it."""
    figures = [estimate for _, estimate in [*_cosine_rows(found), *_rank_rows(found)]]
    figures += [one.drift.difference for one in found.measures]
    counts: dict[str, int] = {}
    for estimate in figures:
        for reason, count in estimate.left_out.items():
            counts[reason] = max(count, counts.get(reason, 0))
    return [f"Left out: {count:,} {reason}." for reason, count in counts.items()]


def _problems(found: DriftFound) -> list[str]:
    return [f"{card.name}: {each.text}." for card in (found.first, found.second) for each in card.problems]


def _interval(estimate: Estimate) -> str:
    if estimate.low is None:
        return ""
    low, high = _four(estimate.low), _four(estimate.high)
    return f"{low} to {high}" if MINUS in low + high else f"{low}–{high}"


def _short(estimate: Estimate) -> str:
    return DASH if estimate.value is None else f"{estimate.value:.2g}"


def _four(value: float | None) -> str:
    return decimal(value, 4)


def _p(value: float | None) -> str:
    return DASH if value is None else p_value(value).removeprefix("p ").removeprefix("= ")


def _whole(value: int | None) -> str:
    return DASH if value is None else str(value)


def _quantile(share: float) -> str:
    return "median" if share == 0.5 else f"{100 * share:g} % quantile"


def _plain(estimate: Estimate) -> list[str]:
    return [*(_number(each) for each in (estimate.value, estimate.low, estimate.high)), str(estimate.n)]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
