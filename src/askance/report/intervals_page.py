"""docs/intervals.md: which intervals there are, and how often they hold. Written by `python -m` this module."""

from __future__ import annotations

from collections.abc import Sequence

from askance.measure.coverage import METHODS, coverage, difference_coverage, simulated_coverage

SIZES = (40, 118, 500)
SHARES = (0.0, 0.02, 0.1, 0.5)
CHANCES = ((0.02, 0.02), (0.1, 0.1), (0.1, 0.02))
GRADED_SIZES = (10, 40, 118, 500)
SAMPLES, SEED = 2_000, 0

_HEAD = """# Intervals

Every figure has a 95 % interval. This page says how each is made and how often it holds the true value. The tables are
computed when the page is written (`.venv/bin/python -m askance.report.intervals_page > docs/intervals.md`), and a test
holds the page to them.

## How they are made

| figure | interval |
|---|---|
| share of queries (Hit@k, P@1 …) | percentile bootstrap from the binomial; Clopper-Pearson where none or all hit |
| mean of a graded measure (nDCG, AP, RR …) | percentile bootstrap, computed without resampling |
| paired difference of two systems | percentile bootstrap of the differences, computed without resampling |
| queries in groups | percentile bootstrap over whole groups, 10,000 drawn resamples with a seed |
| share of the recoverable gap | percentile bootstrap, 10,000 drawn joint resamples with a seed (it is a ratio) |
| errors found in an audit, agreement | as its method says; none found is Clopper-Pearson |

The mean of n values drawn with replacement is a sum of n independent draws. Its distribution is the n-fold convolution
of the observed one, so the percentile interval needs no resampling: a binomial for two values, one FFT for values on a
lattice (k/10, 1/rank), all sums where there are few, a fine grid otherwise. It is what infinitely many resamples would
give, to a hundredth of the standard error; it has no seed, and the same data always give the same interval.

Where all values are equal every resample is the same and says nothing of queries not seen. Then the interval is the one
that the share of differing queries can move which Clopper-Pearson allows for none of n: 0 of 500 is at most .0074.
"""

_AFTER_SHARES = """
Clopper-Pearson holds at least 95 % everywhere, at the price of being wide. The percentile interval does not where hits
are rare: **at n = 40 and p = .02 it covers {worst}**, since 45 % of such samples have no hit at all, and there it is
the point 0. That is why a share of none or all is printed with Clopper-Pearson's, which mends just these cells. With
one to five hits or misses it is still too narrow: at n = 40 and p = .1 it holds {narrow}. Read such figures by their
counts.
"""

_AFTER_DIFFERENCES = """
Chances that a query is gained (only the second system hits) and lost, each query by itself.
"""

_AFTER_GRADED = """
P@10 of uneven queries (the chance of each is beta(1/2, 1) distributed), {samples:,} drawn samples, seed {seed}: each
entry is good to about ±{noise}. With ten queries the interval is too narrow.

## Tests

The percentile interval and a test can disagree by little, and with few queries the test is to be trusted: the
randomization test is exact, and the bootstrap test is studentized, so that both hold their level on permuted data,
where "0 lies outside of the percentile interval" rejects too often (about 10 of 100 at n = 25 with skewed differences).
"""


def intervals_page() -> str:
    """The whole page, ending in a newline."""
    shares = {name: {n: [coverage(ends, p) for p in SHARES] for n, ends in _all(name)} for name in METHODS}
    percentile = shares["percentile bootstrap, computed"][40]
    parts = [
        _HEAD,
        "## How often they hold: shares\n",
        "Exact, by binomial sums.\n",
        _table(
            ["interval", "n", *(f"p = {_short(p)}" for p in SHARES)],
            [[name, str(n), *map(_three, row)] for name, by_size in shares.items() for n, row in by_size.items()],
        ),
        _AFTER_SHARES.format(worst=f"{percentile[1]:.2f}".removeprefix("0"), narrow=_three(percentile[2])),
        "## How often they hold: paired differences of yes/no measures\n",
        "Exact, by trinomial sums.\n",
        _table(
            ["n", *(f"gained {_short(gained)}, lost {_short(lost)}" for gained, lost in CHANCES)],
            [[str(n), *(_three(difference_coverage(n, *chances)) for chances in CHANCES)] for n in SIZES],
        ),
        _AFTER_DIFFERENCES,
        "## How often they hold: means of graded measures\n",
        _table(
            [f"n = {n}" for n in GRADED_SIZES],
            [[_three(simulated_coverage(n, SAMPLES, SEED)) for n in GRADED_SIZES]],
        ),
        _AFTER_GRADED.format(samples=SAMPLES, seed=SEED, noise=_three(2 * (0.05 * 0.95 / SAMPLES) ** 0.5)),
    ]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _all(name: str) -> list[tuple[int, list[tuple[float, float]]]]:
    return [(n, METHODS[name](n)) for n in SIZES]


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---" if not at else "--:" for at in range(len(columns))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _three(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def _short(p: float) -> str:
    return f"{p:g}".removeprefix("0") or "0"


if __name__ == "__main__":
    print(intervals_page(), end="")
