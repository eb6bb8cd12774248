"""Compared systems as tables, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from askance.core.estimate import Estimate
from askance.measure.compare.p_value import PValue
from askance.measure.compare.results import Comparison, InSlice, Interaction, Pair
from askance.measure.compare.runs import Compared
from askance.measure.compare.sign_flips import RANDOMIZATION
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, MINUS, count, counted, decimal, listed, p_value
from askance.report.short_figures import short, short_figure
from askance.report.texts import shorten

MOST_CHANGES = 10

_LONGEST_NAME, _LONGEST_PAIR = 38, 18
_MOST_MEASURES, _MOST_PAIRS = 4, 3
_TEST_NAMES = {
    "randomization": "randomization",
    "bootstrap": "bootstrap",
    "t": "t",
    "wilcoxon": "Wilcoxon",
    "mcnemar": "McNemar",
}


def compare_grids(found: Compared, *, per_query: bool = False) -> Iterator[Grid]:
    """The tables for a terminal of 100 columns: differences, tests, slices, and which queries changed."""
    yield from _systems_grids(found)
    for caption, label, rows in _blocks(found):
        yield _differences_grid(caption, label, rows)
        yield _tests_grid(caption, label, rows)
    yield from _slices_grids(found)
    yield from _changes_grids(found, per_query)


def compare_sentences(found: Compared) -> Iterator[str]:
    """How the figures were made, what was corrected, what was left out, and what to beware of."""
    done = found.found
    yield from _made(found)
    for family in done.families:
        name = _TEST_NAMES[family.test]
        said = f"{name}: Holm and Benjamini-Hochberg over {counted(family.tested, 'test', 'tests')}"
        left_out = [f"{count(number)} undefined ({why})" for why, number in family.left_out.items()]
        yield f"{said}; not counted: {'; '.join(left_out)}." if left_out else f"{said}."
    for one in done.confounded:
        yield (
            f"The slices {one.first} and {one.second} cannot be told apart (Cramér's V {decimal(one.v, 2)}, "
            f"n = {count(one.n)}): what one explains, the other explains too."
        )
    for run in found.runs:
        counts = run.counts
        if counts.missing or counts.unjudged or counts.excluded:
            yield (
                f"{run.name}: {count(counts.missing)} judged queries not in the run count 0; left out: "
                f"{count(counts.unjudged)} queries without judgments, {count(counts.excluded)} without gold."
            )
    for problem in found.problems:
        yield f"{problem.text}. {problem.remedy}"
    for run in found.runs:
        for problem in run.problems:
            yield f"{run.name}: {problem.text}. {problem.remedy}"


def compare_figures_grid(found: Compared) -> Grid:
    """All differences as one table for machines: a difference a row, on all queries, in slices, and between slices."""
    tests = [family.test for family in found.found.families]
    columns = [
        *(Column(name) for name in ("kind", "slice", "value", "rest", "a", "b", "measure")),
        *(Column(name, True) for name in ("difference", "low", "high", "n", "wins", "losses", "ties")),
        *(Column(f"{name} {test}", True) for test in tests for name in ("p", "Holm", "BH")),
        *(Column(name, True) for name in ("minimal difference", "queries needed", "changed")),
        Column("method"),
    ]
    rows = []
    for one in found.found.comparisons:
        needed = "" if one.needed is None else _number(one.needed.value)
        tail = [_number(one.minimal.value), needed, str(len(one.changed)), one.pair.difference.method]
        rows.append(["all", "", "", "", *_pair_cells(one.pair), *_test_cells(one.tests.values(), tests), *tail])
    for part in found.found.slices:
        tail = ["", "", "", part.pair.difference.method]
        rows.append(
            ["slice", part.slice, part.value, "", *_pair_cells(part.pair), *_test_cells([part.test], tests), *tail]
        )
    for between in found.found.interactions:
        head = ["interaction", between.slice, between.value, between.rest]
        figures = [between.first, between.second, between.measure, *_plain(between.difference), "", "", ""]
        rows.append([*head, *figures, *_test_cells([between.test], tests), "", "", "", between.difference.method])
    return Grid("", columns, rows)


def compare_changes_grid(found: Compared) -> Grid:
    """Every query on which two systems differ, as one table for machines."""
    columns = [*(Column(name) for name in ("a", "b", "measure", "query"))]
    columns += [Column(name, True) for name in ("value of a", "value of b", "difference")]
    rows = [
        [
            one.pair.first,
            one.pair.second,
            one.pair.measure,
            each.query,
            *map(repr, (each.first, each.second, each.difference)),
        ]
        for one in found.found.comparisons
        for each in one.changed
    ]
    return Grid("", columns, rows)


def _systems_grids(found: Compared) -> Iterator[Grid]:
    """The systems by every measure: as many tables as the width of a terminal takes."""
    measures = found.found.measures
    for at in range(0, len(measures), _MOST_MEASURES):
        shown = measures[at : at + _MOST_MEASURES]
        rows = [[shorten(run.name, 30), *(short_figure(run.measures[name]) for name in shown)] for run in found.runs]
        yield Grid("Systems", [Column("run"), *(Column(name, True) for name in shown)], rows)


_Block = tuple[str, Callable[[Pair], str], Sequence[Comparison]]


def _blocks(found: Compared) -> Iterator[_Block]:
    """Caption, labels and rows: a table a pair where there are few pairs, else a table a measure."""
    done = found.found
    pairs = _pairs(found)
    if len(pairs) <= max(1, len(done.measures) // 2):
        for first, second in pairs:
            rows = [one for one in done.comparisons if (one.pair.first, one.pair.second) == (first, second)]
            yield _names(first, second, _LONGEST_NAME), lambda pair: pair.measure, rows
        return
    for measure in done.measures:
        rows = [one for one in done.comparisons if one.pair.measure == measure]
        if done.baseline is not None:
            caption = f"{measure}, against {shorten(done.baseline, _LONGEST_NAME)}"
            yield caption, lambda pair: shorten(pair.second, _LONGEST_PAIR), rows
        else:
            yield measure, lambda pair: _names(pair.first, pair.second, _LONGEST_PAIR), rows


def _pairs(found: Compared) -> list[tuple[str, str]]:
    return list(dict.fromkeys((one.pair.first, one.pair.second) for one in found.found.comparisons))


def _names(first: str, second: str, longest: int) -> str:
    return f"{shorten(second, longest)} {MINUS} {shorten(first, longest)}"


def _differences_grid(caption: str, label: Callable[[Pair], str], rows: Sequence[Comparison]) -> Grid:
    wished = any(one.needed is not None for one in rows)
    columns = [
        Column(""),
        Column("difference", True),
        Column("better/worse/same", True),
        Column("p", True),
        Column("Holm", True),
        Column("BH", True),
        Column("finds", True),
        *([Column("needs", True)] if wished else []),
    ]
    cells = []
    for one in rows:
        test = one.tests[RANDOMIZATION]
        needs = [] if one.needed is None else [DASH if one.needed.value is None else count(int(one.needed.value))]
        cells.append(
            [
                label(one.pair),
                short_figure(one.pair.difference, signed=True),
                _counts(one.pair),
                *map(_p, (test.p, test.holm, test.bh)),
                short(one.minimal.value, 3),
                *needs,
            ]
        )
    return Grid(f"{caption}: paired differences", columns, cells)


def _tests_grid(caption: str, label: Callable[[Pair], str], rows: Sequence[Comparison]) -> Grid:
    tests = list(dict.fromkeys(test for one in rows for test in one.tests))
    columns = [Column(""), *(Column(_TEST_NAMES[test], True) for test in tests)]
    cells = [[label(one.pair), *(_p(one.tests[test].p) for test in tests)] for one in rows]
    return Grid(f"{caption}: p of every test, not corrected", columns, cells)


def _slices_grids(found: Compared) -> Iterator[Grid]:
    """Slices and what sets them apart, by the first measure."""
    if not found.found.slices:
        return
    measure, several = found.found.measures[0], len(found.found.systems) > 2
    systems = [Column("systems")] if several else []
    of = measure if several else f"{_caption(found.found.comparisons[0].pair)} by {measure}"
    columns = [
        Column("slice"),
        *systems,
        Column("n", True),
        Column("difference", True),
        Column("better/worse/same", True),
        Column("p", True),
        Column("Holm", True),
    ]
    rows = [_slice_row(one, several) for one in found.found.slices if one.pair.measure == measure]
    yield Grid(f"{of}, in slices of the queries", columns, rows)
    columns = [
        Column("slice"),
        *systems,
        Column("n", True),
        Column("difference of differences", True),
        Column("p", True),
        Column("Holm", True),
    ]
    rows = [_interaction_row(one, several) for one in found.found.interactions if one.measure == measure]
    if rows:
        yield Grid(f"{of}, more here than there?", columns, rows)


def _caption(pair: Pair) -> str:
    return _names(pair.first, pair.second, _LONGEST_NAME)


def _slice_row(one: InSlice, several: bool) -> list[str]:
    return [
        shorten(f"{one.slice} = {one.value}", 28),
        *([_names(one.pair.first, one.pair.second, 12)] if several else []),
        count(one.pair.difference.n),
        short_figure(one.pair.difference, signed=True),
        _counts(one.pair),
        _p(one.test.p),
        _p(one.test.holm),
    ]


def _interaction_row(one: Interaction, several: bool) -> list[str]:
    return [
        shorten(f"{one.slice}: {one.value} {MINUS} {one.rest}", 34),
        *([_names(one.first, one.second, 12)] if several else []),
        count(one.difference.n),
        short_figure(one.difference, signed=True),
        _p(one.test.p),
        _p(one.test.holm),
    ]


def _changes_grids(found: Compared, per_query: bool) -> Iterator[Grid]:
    """The largest changes in the first measure, or with `per_query` all of them in all measures."""
    columns = [
        Column("query"),
        *([Column("measure")] if per_query else []),
        Column("before", True),
        Column("after", True),
        Column("difference", True),
    ]
    pairs = _pairs(found)
    for first, second in pairs if per_query or len(pairs) <= _MOST_PAIRS else ():
        rows, changed = [], 0
        for one in found.found.comparisons:
            shown = per_query or one.pair.measure == found.found.measures[0]
            if (one.pair.first, one.pair.second) != (first, second) or not shown:
                continue
            changed += len(one.changed)
            rows += [
                [
                    each.query,
                    *([one.pair.measure] if per_query else []),
                    decimal(each.first, 4),
                    decimal(each.second, 4),
                    decimal(each.difference, 4, signed=True),
                ]
                for each in (one.changed if per_query else one.changed[:MOST_CHANGES])
            ]
        if rows:
            said = f", {len(rows)} of {count(changed)} (--per-query: all)" if len(rows) < changed else ""
            of = "" if per_query else f"by {found.found.measures[0]}"
            yield Grid(f"{_names(first, second, _LONGEST_NAME)}: queries that changed {of}{said}", columns, rows)


def _made(found: Compared) -> Iterator[str]:
    done = found.found
    sizes = sorted({one.pair.difference.n for one in done.comparisons})
    n = count(sizes[0]) if len(sizes) == 1 else f"{count(sizes[0])} to {count(sizes[-1])}"
    whole = f" in {count(done.groups)} groups" if done.groups is not None else ""
    yield f"n = {n} queries{whole}; ties: {found.ties}; in the table p is that of randomization, and Holm and BH of it."
    yield (
        "finds: the least true difference that so many queries find in 80 of 100 samples (two-sided paired t-test at "
        "5 %)."
    )
    if any(one.needed is not None for one in done.comparisons):
        yield "needs: how many queries the difference that was wished for would take."
    made = dict.fromkeys(one.pair.difference.method for one in done.comparisons)
    yield f"Intervals: {listed(list(made))}."
    if len(_pairs(found)) > _MOST_PAIRS:
        yield "Which queries changed between so many pairs: --per-query or --json."
    if done.slices and len(done.measures) > 1:
        yield f"Slices by the other {counted(len(done.measures) - 1, 'measure', 'measures')}: --format csv or --json."
    for test, methods in _methods(found).items():
        yield f"{_TEST_NAMES[test]}: {'; '.join(methods)}."
    for one in done.comparisons:
        if one.pair.difference.value is None:
            yield f"{one.pair.measure}: undefined ({one.pair.difference.method.removeprefix('undefined: ')})."


def _methods(found: Compared) -> dict[str, list[str]]:
    """How p was found, by test, where it takes drawing or groups; what every row says of itself is in --json."""
    said: dict[str, list[str]] = {}
    for one in found.found.comparisons:
        for test in one.tests.values():
            if test.p is not None and "seed" in test.method and test.method not in said.setdefault(test.test, []):
                said[test.test].append(test.method)
    return {test: methods for test, methods in said.items() if methods}


def _counts(pair: Pair) -> str:
    return f"{count(pair.wins)}/{count(pair.losses)}/{count(pair.ties)}"


def _p(p: float | None) -> str:
    return p_value(p).removeprefix("p ").removeprefix("= ")


def _pair_cells(pair: Pair) -> list[str]:
    counts = [str(number) for number in (pair.wins, pair.losses, pair.ties)]
    return [pair.first, pair.second, pair.measure, *_plain(pair.difference), *counts]


def _test_cells(tests: Iterable[PValue], names: Sequence[str]) -> list[str]:
    """p, Holm's and BH's of each test, empty where a row does not have it or it is undefined."""
    by_name = {test.test: test for test in tests}
    cells: list[str] = []
    for name in names:
        test = by_name.get(name)
        cells += ["", "", ""] if test is None else [_number(one) for one in (test.p, test.holm, test.bh)]
    return cells


def _plain(estimate: Estimate) -> list[str]:
    return [_number(estimate.value), _number(estimate.low), _number(estimate.high), str(estimate.n)]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
