"""Tests of paired differences that take queries for independent: t, Wilcoxon, McNemar.

Each says what it is. None returns NaN: without differences p is 1, and where a test has nothing to go by it is
undefined, with the reason.
"""

from __future__ import annotations

import numpy as np

from askance.measure.compare.p_value import PValue
from askance.measure.compare.sign_flips import NO_DIFFERENCE, NO_VALUES, sign_flip_p
from askance.measure.judged import Counts, Values
from askance.measure.paired import gained_lost, mcnemar

T, WILCOXON, MCNEMAR = "t", "wilcoxon", "mcnemar"

ALL_EQUAL = "all differences are equal, and say nothing of how much they vary"


def t_test(differences: Values) -> PValue:
    """Student's paired t-test (1908): mean · √n / standard deviation, n − 1 degrees of freedom."""
    from scipy.special import stdtr

    settled = _settled(T, differences)
    if settled is not None:
        return settled
    if np.ptp(differences) == 0:
        return PValue.undefined(T, ALL_EQUAL)
    n = len(differences)
    statistic = float(differences.mean()) * np.sqrt(n) / float(differences.std(ddof=1))
    return PValue(
        T, float(2.0 * stdtr(n - 1, -abs(statistic))), f"Student's paired t-test, {n - 1:,} degrees of freedom"
    )


def wilcoxon(differences: Values) -> PValue:
    """Wilcoxon's signed rank test (1945): differences of 0 dropped, mean ranks for equal sizes.

    Exact, with ties as they are, as long as that takes a tenth of a second; else the normal approximation with the
    variance of the ranks at hand.
    """
    from scipy.special import ndtr

    settled = _settled(WILCOXON, differences)
    if settled is not None:
        return settled
    there = differences[differences != 0]
    doubled = _doubled_ranks(np.abs(there))
    observed = int((np.sign(there) * doubled).sum())
    dropped = len(differences) - len(there)
    said = f"Wilcoxon's signed rank test, {dropped:,} differences of 0 dropped"
    p = sign_flip_p(doubled, observed)
    if p is not None:
        return PValue(WILCOXON, p, f"{said}, exact")
    z = abs(observed) / float(np.sqrt((doubled.astype(np.float64) ** 2).sum()))
    return PValue(WILCOXON, float(2.0 * ndtr(-z)), f"{said}, normal approximation")


def _doubled_ranks(sizes: Values) -> Counts:
    """Twice the rank of each size, from the smallest; equal ones have the mean of their ranks."""
    _, where, times = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    doubled: Counts = (2 * last - times + 1)[where]
    return doubled


def mcnemar_test(first: Values, second: Values) -> PValue:
    """McNemar's exact test of yes/no values [queries]; undefined where a value is neither."""
    if not len(first):
        return PValue.undefined(MCNEMAR, NO_VALUES)
    if not (np.isin(first, (0.0, 1.0)).all() and np.isin(second, (0.0, 1.0)).all()):
        return PValue.undefined(MCNEMAR, "not a yes/no measure")
    gained, lost = gained_lost(first, second)
    said = f"McNemar's exact test, {gained:,} gained and {lost:,} lost"
    return PValue(MCNEMAR, mcnemar(gained, lost), said)


def _settled(test: str, differences: Values) -> PValue | None:
    """What every test says where there is nothing to test."""
    if not len(differences):
        return PValue.undefined(test, NO_VALUES)
    if not differences.any():
        return PValue(test, 1.0, NO_DIFFERENCE)
    return None
