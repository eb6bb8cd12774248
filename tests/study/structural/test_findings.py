"""What makes a row pass, fail, bounded, recomputed, without counts: literal cases of one printed figure each."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from askance.core.errors import DataProblem, FileProblem
from askance.core.estimate import Estimate
from askance.study.reproduce import Row, Status
from askance.study.structural.figures import recompute
from askance.study.structural.finding import Found, exact, row_of
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

Make = Callable[..., Printed]


def printed(figure: str, value: str | None, **told: Any) -> Printed:
    row: dict[str, Any] = {
        "id": f"traj/x/{figure}",
        "domain": "traj",
        "config": {},
        "low": None,
        "high": None,
        "hits": None,
        "n": None,
        "gained": None,
        "lost": None,
        "source_file": "x.json",
    }
    row |= {"figure": figure, "value": None if value is None else Decimal(value)} | told
    return Printed.model_validate(row)


class Lone(Source):
    """A source of these rows alone."""

    def __init__(self, *rows: Printed) -> None:
        super().__init__(Path("nowhere"), None)
        vars(self)["printed"] = {row.id: row for row in rows}
        for table in ("first_ranks", "solver", "labels", "gate"):
            vars(self)[table] = []


def row(one: Printed, *others: Printed) -> Row:
    return row_of(one, recompute(one, Lone(one, *others)))


# --- units, digits


@pytest.mark.parametrize(
    ("figure", "value", "published", "tolerance"),
    [
        ("strict_hit@1", "0.122", 0.122, 0.0005),
        ("strict_hit@1", "0", 0.0, 0.0),
        ("truncated", "63.3", 0.633, 0.0005),
        ("hit1_after_by_bucket", "28.070175", 0.28070175, 5e-9),
        ("share_of_gap_closed_pct", "-9.133489461358314", -0.09133489461358314, 5e-18),
        ("contamination_gap_pts", "19.757633361055003", 0.19757633361055003, 5e-18),
        ("mcnemar_exact_p", "0.6776", 0.6776, 0.00005),
        ("rank1_miss_category", "420", 420.0, 0.0),
        ("deployment_cosine_mean", "0.9947", 0.9947, 0.00005),
        ("lenient_hit@10", "0.99", 0.99, 0.0005),
        ("deployment_cosine_pct_below_0_99", "1.0", 0.01, 0.0005),
        ("chance_harsher_ii_hit@5", "0.5232", 0.5232, 0.00005),
        ("gemini_usd", "8.45", 8.45, 0.005),
        ("mcnemar_exact_p", None, None, 0.0),
    ],
)
def test_rates_are_fractions_and_the_tolerance_is_half_a_digit(
    figure: str, value: str | None, published: float | None, tolerance: float
) -> None:
    one = printed(figure, value)
    assert one.published == pytest.approx(published) if published is not None else one.published is None
    assert one.tolerance == pytest.approx(tolerance, rel=1e-9)


# --- recomputed, within one count


@pytest.mark.parametrize(
    ("value", "low", "high", "status", "why"),
    [
        ("0.0932", "0.0423728813559322", "0.1440677966101695", "recomputed", ""),
        ("0.0932", "0.0508", "0.1440677966101695", "recomputed", ""),  # one count off
        ("0.0932", "0.0596", "0.1440677966101695", "fail", "low end"),  # two
        ("0.0932", "0.0423728813559322", "0.17", "fail", "high end"),
        ("0.0933", "0.0423728813559322", "0.1440677966101695", "fail", "differs by"),
        ("0.0932", None, None, "recomputed", ""),
    ],
)
def test_hits_of_n(value: str, low: str | None, high: str | None, status: Status, why: str) -> None:
    found = row(printed("strict_hit@1", value, low=low, high=high, hits=11, n=118))
    assert found.status == status
    assert why in found.why
    assert found.ours is not None
    assert found.ours.value == 11 / 118
    assert found.ours.n == 118


def test_a_printed_point_is_the_percentile_interval_of_no_hits() -> None:
    found = row(printed("strict_hit@1", "0", low="0", high="0", hits=0, n=500))
    assert found.status == "recomputed"
    assert "Clopper-Pearson" in found.why
    assert found.ours is not None
    assert found.ours.high == pytest.approx(0.00735, abs=1e-5)
    assert row(printed("strict_hit@1", "0", low="0", high="0.01", hits=0, n=500)).status == "fail"


def test_percentages_counts_and_changes() -> None:
    assert row(printed("truncated", "63.3", hits=1266, n=2000)).status == "recomputed"
    assert row(printed("truncated", "63.2", hits=1266, n=2000)).status == "fail"
    counted = row(printed("rank1_miss_category", "420", hits=420, n=439))
    assert counted.status == "recomputed"
    assert counted.ours is not None
    assert counted.ours.value == 420
    assert counted.ours.low is not None
    assert 400 < counted.ours.low < 420
    assert row(printed("rank1_miss_category", "421", hits=420, n=439)).status == "fail"
    change = printed("verb_only_hit1_delta_pts", "31.818181818181817", hits=10, n=22, config={"before_hits": 3})
    assert row(change).status == "recomputed"
    assert row(change.model_copy(update={"value": Decimal("18.2")})).status == "fail"


# --- shares of the gap: recomputed where one table has the margins, bounded where several have


def share(value: str, low: str | None, high: str | None, before: int, after: int, ceiling: int, n: int) -> Printed:
    told = {"before_hits": before, "hit10_hits": ceiling, "net": after - before, "gap_hits": ceiling - before}
    return printed("share_of_gap_closed_pct", value, low=low, high=high, hits=after, n=n, config=told)


def test_one_joint_table_is_recomputed() -> None:
    found = row(share("44.4043321299639", "37.54512635379061", "51.26353790613718", 0, 123, 277, 500))
    assert found.status == "recomputed"
    two_counts = str(37.54512635379061 + 2 * 100 / 277)
    assert row(share("44.4043321299639", two_counts, "51.26353790613718", 0, 123, 277, 500)).status == "fail"


def test_several_joint_tables_bound_the_interval() -> None:
    found = row(share("32.14285714285714", "18.51851851851852", "47.058823529411754", 11, 29, 67, 118))
    assert found.status == "bounded"
    assert "8 to 11 of the 11 hits are kept" in found.why
    assert found.ours is not None
    assert (found.ours.low, found.ours.high) == pytest.approx((0.1176, 0.5082), abs=1e-4)


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        ("32.14285714285714", "5.0", "47.06"),  # lower than any table has
        ("32.14285714285714", "12.0", "46.5"),  # each end has a table, and no table has both
        ("31.14285714285714", "18.5", "47.06"),
    ],
)
def test_an_interval_that_no_table_has_fails(value: str, low: str, high: str) -> None:
    assert row(share(value, low, high, 11, 29, 67, 118)).status == "fail"


@pytest.mark.parametrize("told", [{"net": 17}, {"gap_hits": 55}])
def test_what_is_told_beside_the_counts_must_follow_from_them(told: dict[str, int]) -> None:
    one = share("32.14285714285714", None, None, 11, 29, 67, 118)
    assert row(one).status == "recomputed"
    assert row(one.model_copy(update={"config": {**one.config, **told}})).status == "fail"


def test_misses_left_must_add_up() -> None:
    one = share("58.92857142857143", None, None, 11, 44, 67, 118)
    left = {"n_miss": 74, "sibling": 55, "near_miss": 15, "other": 4, "unparsed": 0}
    good = row(one.model_copy(update={"config": {**one.config, **left}}))
    assert (good.status, good.why) == ("recomputed", "55 of 74 misses left have a sibling at rank 1")
    bad = row(one.model_copy(update={"config": {**one.config, **left, "other": 3}}))
    assert bad.status == "fail"
    assert "74 misses are printed, 73 have a role, 74 are left" in bad.why


def paired(value: str, low: str, high: str) -> Row:
    judges = {
        name: share("0", None, None, 11, after, 67, 118).model_copy(update={"id": f"traj/minilm/pooled/{name}/share"})
        for name, after in (("glm-5.2-fp8", 53), ("gemini-3.1-flash-lite", 44))
    }
    one = printed("paired_share_difference_pts", value, low=low, high=high, n=118)
    one = one.model_copy(update={"id": "traj/minilm/paired_diff/GLM-j_minus_Gemini-j"})
    return row(one, *judges.values())


def test_a_paired_difference_is_bounded() -> None:
    found = paired("16.07142857142857", "4.687500000000014", "28.261894995898274")
    assert found.status == "bounded"
    assert "the margins alone would allow an interval that holds 0" in found.why
    assert paired("16.07142857142857", "-9.0", "28.26").status == "fail"
    assert paired("16.07142857142857", "4.7", "45.0").status == "fail"
    assert paired("17.0", "4.7", "28.26").status == "fail"


# --- tests


@pytest.mark.parametrize(
    ("value", "gained", "lost", "status"),
    [
        ("0.00014495849609375", 17, 1, "recomputed"),
        ("0.678", 10, 13, "recomputed"),
        ("0.648", 8, 11, "recomputed"),
        ("0.05", 8, 11, "fail"),
        (None, 8, 8, "recomputed"),
        ("1.0", 0, 0, "recomputed"),
    ],
)
def test_mcnemar(value: str | None, gained: int, lost: int, status: Status) -> None:
    told = {"first": "a", "second": "b"}
    one = printed("mcnemar_exact_p", value, gained=gained, lost=lost, n=210, config=told, domain="pilot6")
    found = row(one)
    assert found.status == status
    if value is None:
        assert found.published is None
        assert "not printed" in found.why


def test_discordant_counts_must_part_the_hits_of_both_conditions() -> None:
    told = {"first": "none", "second": "dumb"}
    one = printed("mcnemar_exact_p", "0.061", gained=20, lost=9, n=88, config=told, domain="solver_pilot")
    conditions = [
        printed("correct_pct", "0", hits=hits, n=88).model_copy(update={"id": f"pilot6/{name}"})
        for name, hits in (("none", 53), ("dumb", 64))
    ]
    assert row(one, *conditions).status == "recomputed"
    other = conditions[1].model_copy(update={"hits": 65})
    assert row(one, conditions[0], other).status == "fail"


# --- from other rows


def of_tier(figure: str, value: str, hits: tuple[int, int, int] = (61, 449, 488)) -> Row:
    place = "math/gemini/easy"
    rows = [
        printed(f"strict_hit@{k}", "0", hits=count, n=500).model_copy(update={"id": f"{place}/strict_hit@{k}"})
        for k, count in zip((1, 5, 10), hits, strict=True)
    ]
    one = printed(figure, value, n=500).model_copy(update={"id": f"{place}/{figure}"})
    return row(one, *rows)


@pytest.mark.parametrize(
    ("figure", "value", "status"),
    [
        ("strict_ndcg@1", "0.122", "recomputed"),
        ("strict_ndcg@1", "0.123", "fail"),
        ("strict_ndcg@5", "0.48093", "bounded"),
        ("strict_map@5", "0.3472", "bounded"),
        ("strict_map@10", "0.35862", "bounded"),
        ("strict_map@5", "0.6", "fail"),  # as if all had stood at rank 2: .122 + .776/2 = .51 at most
        ("strict_map@5", "0.2", "fail"),  # as if all had stood at rank 5: .122 + .776/5 = .277 at least
    ],
)
def test_hits_of_other_rows_fix_or_bound_a_figure(figure: str, value: str, status: Status) -> None:
    assert of_tier(figure, value).status == status


def test_the_bounds_of_a_reciprocal_rank() -> None:
    found = of_tier("strict_map@10", "0.35862")
    assert found.ours is not None
    assert found.ours.value is None
    assert found.ours.low == pytest.approx((61 + 388 / 5 + 39 / 10) / 500)
    assert found.ours.high == pytest.approx((61 + 388 / 2 + 39 / 6) / 500)


# --- no counts, needs


@pytest.mark.parametrize(
    ("figure", "config", "status"),
    [
        ("strict_map", {"embedder": "gemini"}, "no counts"),
        ("strict_map", {"embedder": "minilm"}, "needs"),
        ("deployment_cosine_mean", {}, "no counts"),
        ("gemini_usd", {}, "no counts"),
        ("bootstrap_seed", {}, "no counts"),
    ],
)
def test_figures_without_counts_say_what_they_would_take(figure: str, config: dict[str, str], status: Status) -> None:
    found = row(printed(figure, "0.5", n=118, config=config))
    assert found.status == status
    assert found.ours is None
    assert found.why


def test_an_unknown_figure_without_counts_is_an_error() -> None:
    with pytest.raises(FileProblem, match="'warmth'"):
        row(printed("warmth", "0.5"))
    with pytest.raises(DataProblem, match="has no 'before_hits'"):
        row(printed("share_of_gap_closed_pct", "0.5", hits=3, n=10))


# --- the row itself


def test_a_measured_figure_passes_or_fails() -> None:
    one = printed("chance_strict_hit@1", "0.153", n=118)
    assert row_of(one, Found("pass", exact(0.1525, 118, "exact"))).status == "pass"
    assert row_of(one, Found("pass", exact(0.1536, 118, "exact"))).status == "fail"
    assert row_of(one, Found("pass", exact(0.153, 118, "exact"), wrong="gold differs")).why == "gold differs"
    undefined = row_of(one, Found("pass", Estimate.undefined("no queries")))
    assert (undefined.status, undefined.why) == ("fail", "undefined: no queries")


def test_a_row_says_what_it_is_of() -> None:
    one = printed("strict_hit@1", "0.1", hits=1, n=10, config={"embedder": "minilm", "judge": "none", "seed": 3})
    found = row_of(one, Found("recomputed", exact(0.1, 10, "exact")))
    assert found.figure == "strict hit@1, minilm"
    assert found.about == {"embedder": "minilm", "judge": "none", "from": "x.json"}
    assert found.group == "traj"
