"""Queries that belong together: whole groups are resampled, since queries from one source vary together.

The mean of a resample of groups is a ratio, since groups differ in size: Σ sums / Σ sizes. It is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.intervals import NO_QUERIES, TAILS, all_equal
from askance.measure.judged import Counts, Mask, Values
from askance.measure.resamples import RESAMPLES, resampled_means


@dataclass(frozen=True, eq=False)
class Groups:
    """Which queries belong together: `code` int64 [queries], from 0 to `count` − 1."""

    code: Counts
    count: int

    @classmethod
    def of(cls, names: Sequence[str | None], queries: int) -> Groups:
        """From the name of each query's group; one without (None or empty) is a group of its own."""
        if len(names) != queries:
            raise BadInput(f"{len(names)} groups for {queries} queries", remedy="Give one to each query.")
        named: dict[str, int] = {}
        codes = [named.setdefault(name, len(named)) if name else -1 for name in names]
        alone = iter(range(len(named), queries))
        code = np.array([next(alone) if one < 0 else one for one in codes], dtype=np.int64)
        return cls(code, int(code.max(initial=-1)) + 1)

    def sums(self, values: Values) -> Values:
        """Sums over each group [groups]; NaN counts for nothing."""
        return np.bincount(self.code, weights=np.nan_to_num(values), minlength=self.count).astype(np.float64)

    def sizes(self, mask: Mask) -> Values:
        """How many queries of `mask` [queries] each group has [groups]."""
        return np.bincount(self.code, weights=mask, minlength=self.count).astype(np.float64)


@dataclass(frozen=True, eq=False)
class ClusterMeans:
    """Means over resamples of groups: `means` [resamples, columns], NaN where a resample has no value of a column.

    `mean` [columns] as observed, `n` [columns]: queries behind each, `groups` [columns]: groups with a value.
    """

    means: Values
    mean: Values
    n: Counts
    groups: Counts
    seed: int

    @classmethod
    def of(cls, columns: Sequence[Values], groups: Groups, seed: int, resamples: int = RESAMPLES) -> ClusterMeans:
        """Of columns of values [queries], NaN where a query has none; all meet the same resamples of groups."""
        sums = np.column_stack([groups.sums(values) for values in columns])
        sizes = np.column_stack([groups.sizes(~np.isnan(values)) for values in columns])
        drawn = resampled_means(np.concatenate((sums, sizes), axis=1), seed, resamples if groups.count else 0)
        top, bottom = drawn[:, : len(columns)], drawn[:, len(columns) :]
        n = sizes.sum(axis=0)
        means = np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 1e-12)
        mean = np.divide(sums.sum(axis=0), n, out=np.full(len(columns), np.nan), where=n > 0)
        return cls(means, mean, n.astype(np.int64), (sizes > 0).sum(axis=0), seed)

    def minus(self, other: ClusterMeans) -> ClusterMeans:
        """The difference of the means of two disjoint sets of queries over the same resamples of groups."""
        both = (self.n > 0) & (other.n > 0)
        return ClusterMeans(
            self.means - other.means,
            self.mean - other.mean,
            np.where(both, self.n + other.n, 0),
            np.minimum(self.groups, other.groups),
            self.seed,
        )

    def estimate(self, column: int, left_out: dict[str, int], bounds: tuple[float, float]) -> Estimate:
        """The mean of a column with its percentile interval; see `bootstrap_mean` for the edges."""
        n, groups = int(self.n[column]), int(self.groups[column])
        if not n:
            return Estimate.undefined(NO_QUERIES, left_out=left_out)
        value = float(self.mean[column])
        drawn = self.means[:, column]
        drawn = drawn[~np.isnan(drawn)]
        if float(np.ptp(drawn)) < 1e-12:
            edge = all_equal(value, groups, left_out, bounds)
            said = f"over {groups:,} groups, whose means are equal; {edge.method}"
            return Estimate(value, edge.low, edge.high, n, said, left_out)
        low, high = np.quantile(drawn, TAILS)
        return Estimate(value, float(low), float(high), n, self.method(groups), left_out)

    def method(self, groups: int) -> str:
        """How the interval was made."""
        return (
            f"percentile bootstrap over {groups:,} groups of queries, {len(self.means):,} resamples, seed {self.seed}"
        )
