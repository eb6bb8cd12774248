"""Label sets compared: each with gold, each with the others, all together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from askance.core.estimate import Estimate
from askance.measure.agreement.kappa import Weights, cross_table, kappa, mean_difference, share_equal
from askance.measure.agreement.krippendorff import LEVELS, Level, alpha, coincidences
from askance.measure.agreement.outlier import Standing, standings
from askance.measure.agreement.pairwise import pairwise_kappas
from askance.measure.agreement.resampling import Resampling, estimate_of, resampled_sums
from askance.measure.agreement.table import Codes, Column, LabelTable
from askance.measure.judged import Values

EQUAL = "equal"
HIGHER = "higher than gold"
KAPPAS: Mapping[Weights, str] = {"plain": "kappa", "linear": "kappa linear", "quadratic": "kappa quadratic"}
ALPHAS: Mapping[Level, str] = {level: f"alpha {level}" for level in LEVELS}

WITHOUT_GOLD = "pairs without a usable gold label"
ALONE = "pairs that fewer than two sets label"

Statistic = Callable[[Values], Values]


@dataclass(frozen=True)
class Compared:
    """One label set. `with_gold`: figures by name, empty without gold; `standing`: among the other sets."""

    column: Column
    with_gold: Mapping[str, Estimate]
    standing: Standing


@dataclass(frozen=True, eq=False)
class Agreement:
    """All label sets of a table. `together`: alpha by name over the sets; `with_gold`: gold as one more of them.

    `weights`: those of the kappas behind `standing`.
    """

    table: LabelTable
    resampling: Resampling
    weights: Weights
    sets: tuple[Compared, ...]
    together: Mapping[str, Estimate]
    with_gold: Mapping[str, Estimate]

    @property
    def outliers(self) -> list[Compared]:
        """The sets that stand apart, farthest first."""
        apart = [one for one in self.sets if one.standing.stands_apart]
        return sorted(apart, key=lambda one: -(one.standing.below_fence.value or 0.0))


def compare_labels(table: LabelTable, resampling: Resampling, weights: Weights = "quadratic") -> Agreement:
    """Every figure that the sets of a table allow; same items, same resamples throughout."""
    codes = table.codes()
    pairwise = pairwise_kappas(codes, table.query, len(table.scale), weights, resampling)
    standing = standings(pairwise, [int((row >= 0).sum()) for row in codes], resampling)
    gold = table.gold
    sets = tuple(
        Compared(column, agreement_of_two(gold, column, table, resampling) if gold else {}, stands)
        for column, stands in zip(table.sets, standing, strict=True)
    )
    every = np.vstack([codes, gold.codes[None]]) if gold else None
    return Agreement(
        table,
        resampling,
        weights,
        sets,
        agreement_of_all(codes, table, resampling),
        agreement_of_all(every, table, resampling) if every is not None else {},
    )


def agreement_of_two(gold: Column, column: Column, table: LabelTable, resampling: Resampling) -> dict[str, Estimate]:
    """Share of equal labels, kappas, alphas, and by how much the set labels higher than gold, by name."""
    labels, scale = len(table.scale), np.array(table.scale)
    both = (gold.codes >= 0) & (column.codes >= 0)
    n = int(both.sum())
    left_out = dict(column.left_out)
    if (without := int((column.codes >= 0).sum()) - n) > 0:
        left_out[WITHOUT_GOLD] = without
    cells = np.eye(labels * labels)[gold.codes * labels + column.codes]
    sums = resampled_sums(cells, table.query, both, resampling)
    whole = cross_table(gold.codes, column.codes, labels).astype(np.float64)
    drawn = sums.drawn.reshape(-1, labels, labels)
    widest = float(scale[-1] - scale[0])
    statistics: dict[str, tuple[Statistic, tuple[float, float]]] = {
        EQUAL: (share_equal, (0.0, 1.0)),
        **{name: (partial(kappa, weights=weights), (-1.0, 1.0)) for weights, name in KAPPAS.items()},
        **{name: (partial(_alpha_of_two, level=level, scale=scale), (-1.0, 1.0)) for level, name in ALPHAS.items()},
        HIGHER: (partial(mean_difference, scale=scale), (-widest, widest)),
    }
    return {
        name: _estimate(statistic, whole, drawn, n, sums.units, resampling, left_out, bounds)
        for name, (statistic, bounds) in statistics.items()
    }


def agreement_of_all(codes: Codes, table: LabelTable, resampling: Resampling) -> dict[str, Estimate]:
    """Krippendorff's alpha of all rows of `codes` [sets, items] by name; items with one label are left out."""
    labels, scale = len(table.scale), np.array(table.scale)
    used = (codes >= 0).sum(axis=0) > 1
    n = int(used.sum())
    left_out = {ALONE: len(used) - n} if n < len(used) else {}
    rows = coincidences(codes, labels).reshape(-1, labels * labels)
    sums = resampled_sums(rows, table.query, used, resampling)
    whole, drawn = (each.reshape(-1, labels, labels) for each in (sums.whole, sums.drawn))
    return {
        name: _estimate(partial(alpha, level=level, scale=scale), whole[0], drawn, n, sums.units, resampling, left_out)
        for level, name in ALPHAS.items()
    }


def _alpha_of_two(tables: Values, level: Level, scale: Values) -> Values:
    """Alpha of two judges from their cross tables: each item adds one pair of labels, in both orders."""
    return alpha(tables + tables.swapaxes(-1, -2), level, scale)


def _estimate(
    statistic: Statistic,
    whole: Values,
    drawn: Values,
    n: int,
    units: int,
    resampling: Resampling,
    left_out: Mapping[str, int],
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Estimate:
    if not n:
        return Estimate.undefined("no pair has two labels to compare", left_out=left_out)
    value = float(statistic(whole))
    if not np.isfinite(value):
        return Estimate.undefined("every label is the same, so that chance agrees as well", n=n, left_out=left_out)
    return estimate_of(value, statistic(drawn), n, units, resampling, left_out, bounds)
