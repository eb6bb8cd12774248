"""Which function recomputes which printed figure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from askance.core.errors import FileProblem
from askance.study.structural import (
    chances,
    groups,
    other_rows,
    paired_tests,
    proportions,
    shares_of_gap,
    source_gates,
    without_counts,
)
from askance.study.structural.finding import Found
from askance.study.structural.printed import Printed
from askance.study.structural.source import PRINTED, Source

Recompute = Callable[[Printed, Source], Found]

# The first pattern that is all of a figure's name decides.
FIGURES: Sequence[tuple[str, Recompute]] = (
    (r"share_of_gap_closed_pct", shares_of_gap.share),
    (r"paired_share_difference_pts", shares_of_gap.paired_difference),
    (r"mcnemar_exact_p", paired_tests.paired_test),
    (groups.FIGURE, groups.gap),
    (chances.FIGURE, chances.expected),
    (r"rank1_miss_category", proportions.count),
    (r"verb_only_hit1_delta_pts", proportions.change),
    (r"gate_map", source_gates.mean_average_precision),
    (r"reference_published_hit@\d+", source_gates.other_paper),
    (r"strict_(ndcg|map)@\d+", other_rows.of_one_gold),
    (r"lenient_beir_\w+@\d+", other_rows.of_equivalents),
    (r"total_usd_printed", other_rows.total_spent),
    (r"deployment_cosine_pct_below_0_999", other_rows.all_below),
    (r"deployment_cosine_\w+", without_counts.cosine),
    (r"(strict|lenient)_map", without_counts.mean_of_queries),
    (r"\w+_usd|\w+_calls", without_counts.spent),
    (r"bootstrap_seed", without_counts.seed),
)


def recompute(printed: Printed, source: Source) -> Found:
    """What can be found about a printed figure; hits of n are a share where no pattern says otherwise."""
    for pattern, function in FIGURES:
        if re.fullmatch(pattern, printed.figure):
            return function(printed, source)
    if printed.hits is None or printed.n is None:
        raise FileProblem(
            source.folder / PRINTED,
            f"{printed.id}: nothing here knows the figure {printed.figure!r}, and it has no counts",
            remedy="Add it to study/structural/figures.py.",
        )
    return proportions.share(printed, source)
