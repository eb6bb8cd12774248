"""Systems compared on the same queries: every pair, or each against a baseline, on every measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from askance.core.errors import BadInput, UnknownName
from askance.core.estimate import Estimate
from askance.measure.bootstrap import COMPUTED, bootstrap_mean, resampled_difference
from askance.measure.compare.clusters import ClusterMeans, Groups
from askance.measure.compare.corrections import benjamini_hochberg, holm
from askance.measure.compare.p_value import PValue
from askance.measure.compare.paired_tests import (
    MCNEMAR,
    WILCOXON,
    T,
    mcnemar_test,
    t_test,
    wilcoxon,
)
from askance.measure.compare.power import minimal_difference, queries_needed
from askance.measure.compare.results import Change, Comparison, Comparisons, Family, InSlice, Interaction, Pair
from askance.measure.compare.sign_flips import DRAWS, randomization
from askance.measure.compare.slices import confounded, exchanged_labels, splits, values_of
from askance.measure.compare.studentized import Part, bootstrap_tests
from askance.measure.judged import Mask, Values

WITHOUT_VALUE = "queries without a value in both"

_BATCH = 256  # columns of resamples
_DECIMALS = 12  # of a difference: (.3 − .2) and (.4 − .3) are one


@dataclass(frozen=True, eq=False)
class Scores:
    """What systems get on each query: for each measure float64 [systems, queries], NaN where a query has no value.

    `lower_is_better`: measures that count something unwanted.
    """

    systems: Sequence[str]
    queries: Sequence[str]
    values: Mapping[str, Values]
    lower_is_better: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        twice = [name for name, times in Counter(self.systems).items() if times > 1]
        if twice:
            raise BadInput(f"two systems are called {twice[0]!r}", remedy="Give each a name of its own.")
        if len(self.systems) < 2:
            raise BadInput("there is nothing to compare: it takes two systems", remedy="Bring another run.")
        for measure, values in self.values.items():
            if values.shape != (len(self.systems), len(self.queries)):
                raise BadInput(
                    f"{measure} has values of shape {values.shape} for {len(self.systems)} systems and "
                    f"{len(self.queries)} queries",
                    remedy="Give one value to each system and query.",
                )


@dataclass(frozen=True)
class CompareSettings:
    """How systems are compared. `baseline`: the system that all others are held against; None: every pair.

    `wish`: the difference that one would like to find. `seed` and `draws`: for randomization where it cannot be exact.
    """

    baseline: str | None = None
    wish: float | None = None
    seed: int = 0
    draws: int = DRAWS

    def __post_init__(self) -> None:
        if self.draws < 1 or self.seed < 0:
            raise BadInput(
                f"{self.draws} draws from seed {self.seed} cannot be drawn",
                remedy="Draw at least once, from a seed of 0 or more.",
            )


@dataclass(frozen=True, eq=False)
class _Column:
    """One pair on one measure: `difference` float64 [queries] is second − first, NaN where one has no value."""

    first: int
    second: int
    measure: str
    difference: Values
    bounds: tuple[float, float]
    turned: bool

    @property
    def there(self) -> Mask:
        return ~np.isnan(self.difference)

    def within(self, mask: Mask) -> _Column:
        """The same on some queries only."""
        return replace(self, difference=np.where(mask, self.difference, np.nan))

    def estimate(self, asked: int) -> Estimate:
        """The mean difference over resamples of queries; `asked`: how many it is about."""
        return bootstrap_mean(self.difference[self.there], self.left_out(asked), self.bounds)

    def left_out(self, asked: int) -> dict[str, int]:
        without = asked - int(self.there.sum())
        return {WITHOUT_VALUE: without} if without else {}


def compare_systems(
    scores: Scores,
    settings: CompareSettings | None = None,
    *,
    groups: Sequence[str | None] | None = None,
    slices: Mapping[str, Sequence[str | None]] | None = None,
) -> Comparisons:
    """Paired differences with intervals, tests and their corrections; see `Comparisons`.

    `groups`: which queries belong together [queries]; None or "" alone. Then whole groups are resampled and exchanged,
    and the tests that take queries for independent (t, Wilcoxon, McNemar) are undefined. `slices`: named values per
    query [queries]. Corrected together is everything that a test was applied to: pairs, measures, slices, interactions.
    """
    settings = settings or CompareSettings()
    together = None if groups is None else Groups.of(groups, len(scores.queries))
    columns = _columns(scores, settings)
    worker = _Worker(scores, settings, together)
    found = Comparisons(
        systems=tuple(scores.systems),
        measures=tuple(scores.values),
        comparisons=worker.comparisons(columns),
        slices=worker.in_slices(columns, slices or {}),
        interactions=worker.interactions(columns, slices or {}),
        confounded=confounded(slices or {}),
        groups=None if together is None else together.count,
        seed=settings.seed,
        baseline=settings.baseline,
    )
    return _corrected(found)


def _columns(scores: Scores, settings: CompareSettings) -> list[_Column]:
    pairs = list(combinations(range(len(scores.systems)), 2))
    if settings.baseline is not None:
        if settings.baseline not in scores.systems:
            raise UnknownName("system", settings.baseline, scores.systems, where="baseline")
        base = list(scores.systems).index(settings.baseline)
        pairs = [(base, other) for other in range(len(scores.systems)) if other != base]
    columns = []
    for measure, values in scores.values.items():
        known = values[~np.isnan(values)]
        span = max(1.0, float(known.max(initial=1.0))) - min(0.0, float(known.min(initial=0.0)))
        for first, second in pairs:
            difference = np.round(values[second] - values[first], _DECIMALS) + 0.0
            turned = measure in scores.lower_is_better
            columns.append(_Column(first, second, measure, difference, (-span, span), turned))
    return columns


@dataclass(frozen=True, eq=False)
class _Worker:
    scores: Scores
    settings: CompareSettings
    groups: Groups | None
    everyone: Mask = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "everyone", np.ones(len(self.scores.queries), dtype=np.bool_))

    def comparisons(self, columns: Sequence[_Column]) -> list[Comparison]:
        estimates = self._estimates(columns, self.everyone)
        exchanged, resampled = self._randomized(columns), self._resampled(columns)
        found = []
        for at, column in enumerate(columns):
            tests = [exchanged[at], resampled[at], *self._by_query(column)]
            known = column.difference[column.there]
            code = None if self.groups is None else self.groups.code[column.there]
            wish = self.settings.wish
            found.append(
                Comparison(
                    pair=self._pair(column, estimates[at]),
                    tests={test.test: test for test in tests},
                    minimal=minimal_difference(known, code),
                    needed=None if wish is None else queries_needed(known, wish, code),
                    changed=self._changed(column),
                )
            )
        return found

    def in_slices(self, columns: Sequence[_Column], slices: Mapping[str, Sequence[str | None]]) -> list[InSlice]:
        found = []
        for name, labels in slices.items():
            for value, mask in values_of(name, self._labels(name, labels)).items():
                inside = [column.within(mask) for column in columns]
                estimates = self._estimates(inside, mask)
                tests = self._randomized(inside)
                found += [
                    InSlice(name, value, self._pair(column, estimate), test)
                    for column, estimate, test in zip(inside, estimates, tests, strict=True)
                ]
        return found

    def interactions(self, columns: Sequence[_Column], slices: Mapping[str, Sequence[str | None]]) -> list[Interaction]:
        found = []
        for name, labels in slices.items():
            for split in splits(name, labels):
                if self.groups is None:
                    differences = [column.difference for column in columns]
                    tests = exchanged_labels(differences, split, self.settings.seed, self.settings.draws)
                    estimates = [_between(column, split.inside, split.outside) for column in columns]
                else:
                    estimates, tests = self._between_groups(columns, split.inside, split.outside, self.groups)
                found += [
                    Interaction(name, split.value, split.rest, *self._names(column), column.measure, estimate, test)
                    for column, estimate, test in zip(columns, estimates, tests, strict=True)
                ]
        return found

    def _labels(self, name: str, labels: Sequence[str | None]) -> Sequence[str | None]:
        if len(labels) != len(self.scores.queries):
            raise BadInput(
                f"the slice {name!r} has {len(labels)} values for {len(self.scores.queries)} queries",
                remedy="Give one to each query.",
            )
        return labels

    def _names(self, column: _Column) -> tuple[str, str]:
        return self.scores.systems[column.first], self.scores.systems[column.second]

    def _pair(self, column: _Column, estimate: Estimate) -> Pair:
        better = -column.difference if column.turned else column.difference
        wins, losses, ties = (int(one.sum()) for one in (better > 0, better < 0, better == 0))
        return Pair(*self._names(column), column.measure, estimate, wins, losses, ties)

    def _estimates(self, columns: Sequence[_Column], mask: Mask) -> list[Estimate]:
        """The mean differences; `mask`: the queries that they are about."""
        asked = int(mask.sum())
        if self.groups is None:
            return [column.estimate(asked) for column in columns]
        estimates = []
        for some in _batches(columns):
            means = _means(some, self.groups, self.settings.seed)
            estimates += [means.estimate(at, column.left_out(asked), column.bounds) for at, column in enumerate(some)]
        return estimates

    def _resampled(self, columns: Sequence[_Column], against: Sequence[_Column] = ()) -> list[PValue]:
        """The bootstrap test of each column, or of its difference from the column at the same place of `against`."""
        tests = []
        for some, others in zip(_batches(columns), _batches(against or columns), strict=True):
            parts = [self._part(some), *([self._part(others, -1.0)] if against else [])]
            units = "queries" if self.groups is None else f"{self.groups.count:,} groups of queries"
            tests += bootstrap_tests(parts, self.settings.seed, self.settings.draws, units)
        return tests

    def _part(self, columns: Sequence[_Column], sign: float = 1.0) -> Part:
        if self.groups is None:
            sums = np.column_stack([np.nan_to_num(column.difference) for column in columns])
            return Part(sums, np.column_stack([column.there for column in columns]).astype(np.float64), sign)
        sums = np.column_stack([self.groups.sums(column.difference) for column in columns])
        return Part(sums, np.column_stack([self.groups.sizes(column.there) for column in columns]), sign)

    def _randomized(self, columns: Sequence[_Column]) -> list[PValue]:
        units = [column.difference for column in columns]
        if self.groups is not None:
            units = [np.round(self._group_sums(column, self.groups), _DECIMALS) + 0.0 for column in columns]
        return randomization(units, self.settings.seed, self.settings.draws)

    def _group_sums(self, column: _Column, groups: Groups) -> Values:
        return np.where(groups.sizes(column.there) > 0, groups.sums(column.difference), np.nan)

    def _by_query(self, column: _Column) -> list[PValue]:
        """The tests that take queries for independent."""
        if self.groups is not None:
            reason = "it takes queries for independent, and those of one group are not"
            return [PValue.undefined(test, reason) for test in (T, WILCOXON, MCNEMAR)]
        there = column.there
        values = self.scores.values[column.measure]
        first, second = values[column.first][there], values[column.second][there]
        difference = column.difference[there]
        return [t_test(difference), wilcoxon(difference), mcnemar_test(first, second)]

    def _changed(self, column: _Column) -> list[Change]:
        places = np.flatnonzero(column.there & (column.difference != 0))
        values = self.scores.values[column.measure]
        changes = [
            Change(
                self.scores.queries[at],
                float(values[column.first, at]),
                float(values[column.second, at]),
                float(column.difference[at]),
            )
            for at in places.tolist()
        ]
        return sorted(changes, key=lambda change: (-abs(change.difference), change.query))

    def _between_groups(
        self, columns: Sequence[_Column], inside: Mask, outside: Mask, groups: Groups
    ) -> tuple[list[Estimate], list[PValue]]:
        """Differences of differences over one set of resamples of groups, which both sides share."""
        asked = int((inside | outside).sum())
        estimates, tests = [], []
        for some in _batches(columns):
            here, rest = ([column.within(mask) for column in some] for mask in (inside, outside))
            both = _means(here, groups, self.settings.seed).minus(_means(rest, groups, self.settings.seed))
            for at, column in enumerate(some):
                left_out = column.within(inside | outside).left_out(asked)
                estimates.append(both.estimate(at, left_out, (2 * column.bounds[0], 2 * column.bounds[1])))
            tests += self._resampled(here, rest)
        return estimates, tests


def _means(columns: Sequence[_Column], groups: Groups, seed: int) -> ClusterMeans:
    return ClusterMeans.of([column.difference for column in columns], groups, seed)


def _batches(columns: Sequence[_Column]) -> Iterator[Sequence[_Column]]:
    """Columns whose resamples fit into memory together."""
    for start in range(0, len(columns), _BATCH):
        yield columns[start : start + _BATCH]


def _between(column: _Column, inside: Mask, outside: Mask) -> Estimate:
    """The difference inside minus the one outside, its interval from independent resamples of both."""
    first, second = (column.difference[column.there & mask] for mask in (inside, outside))
    n = len(first) + len(second)
    left_out = column.left_out(int((inside | outside).sum()))
    if not len(first) or not len(second):
        return Estimate.undefined("one side of the slice has no queries", n=n, left_out=left_out)
    value = float(first.mean()) - float(second.mean())
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        here, there = (bootstrap_mean(one, None, column.bounds) for one in (first, second))
        return _far_ends(here, there, n, left_out)
    low, high = resampled_difference(first, second).interval()
    return Estimate(value, low, high, n, f"{COMPUTED}, both sides", left_out)


def _far_ends(here: Estimate, there: Estimate, n: int, left_out: Mapping[str, int]) -> Estimate:
    """The difference of two estimates of which one has no distribution: as wide as the ends of both allow."""
    if here.value is None or here.low is None or here.high is None:
        return here
    if there.value is None or there.low is None or there.high is None:
        return there
    said = f"from the ends of both sides: {here.method}; and {there.method}"
    return Estimate(here.value - there.value, here.low - there.high, here.high - there.low, n, said, left_out)


def _corrected(found: Comparisons) -> Comparisons:
    """The same with Holm's and Benjamini and Hochberg's p, each test's over all that it was applied to."""
    every: dict[str, list[PValue]] = {}
    for one in _p_values(found):
        every.setdefault(one.test, []).append(one)
    mended: dict[str, list[PValue]] = {}
    families = []
    for test, values in every.items():
        p = [one.p for one in values]
        mended[test] = [
            replace(one, holm=strict, bh=lenient)
            for one, strict, lenient in zip(values, holm(p), benjamini_hochberg(p), strict=True)
        ]
        reasons = Counter(one.reason for one in values if one.p is None)
        families.append(Family(test, len(p) - reasons.total(), dict(reasons)))
    turns = {test: iter(values) for test, values in mended.items()}
    return replace(
        found,
        comparisons=[replace(one, tests={test: next(turns[test]) for test in one.tests}) for one in found.comparisons],
        slices=[replace(one, test=next(turns[one.test.test])) for one in found.slices],
        interactions=[replace(one, test=next(turns[one.test.test])) for one in found.interactions],
        families=families,
    )


def _p_values(found: Comparisons) -> list[PValue]:
    """All p-values, in the order in which `_corrected` puts them back."""
    return [
        *(test for one in found.comparisons for test in one.tests.values()),
        *(one.test for one in found.slices),
        *(one.test for one in found.interactions),
    ]
