"""Label sets compared: figures, intervals, outliers, audits; on made labels and on those of the LLMJudge challenge."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.data.formats.labels import LabelRow, LabelSet, files_named, read_label_set, read_label_sets
from askance.measure.agreement.audit import Audit
from askance.measure.agreement.compare import Agreement, compare_labels
from askance.measure.agreement.kappa import cross_table, kappa
from askance.measure.agreement.pairwise import pairwise_kappas
from askance.measure.agreement.resampling import Resampling, resampled_sums
from askance.measure.agreement.table import Codes, lay_out
from askance.measure.judged import Counts

QUERIES, DOCUMENTS = 30, 20
QUICK = Resampling(resamples=400)

# Cohen's kappa of four sets as the report on the challenge prints it (Rahmani et al. 2025)
PRINTED = {
    "Olz-gpt4o": 0.2625,
    "TREMA-4prompts": 0.1829,
    "prophet-setting2": 0.1757,
    "willia-umbrela1": 0.2863,
}


def label_set(name: str, codes: Codes) -> LabelSet:
    """Labels [queries, documents] as a file would have them; −1 is left out."""
    rows = [
        LabelRow(line, f"q{query}", f"d{document}", str(code))
        for line, ((query, document), code) in enumerate(np.ndenumerate(codes), 1)
        if code >= 0
    ]
    return LabelSet(name, Path(name), rows)


def noisy(truth: Codes, wrong: float, seed: int) -> Codes:
    """The truth, a share of it replaced by any label."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(truth.shape) < wrong, rng.integers(0, 4, truth.shape), truth)


@pytest.fixture(scope="module")
def truth() -> Codes:
    return np.random.default_rng(1).integers(0, 4, (QUERIES, DOCUMENTS))


def compared(truth: Codes | None, *sets: Codes, resampling: Resampling = QUICK) -> Agreement:
    gold = None if truth is None else label_set("gold", truth)
    return compare_labels(lay_out([label_set(f"s{at}", codes) for at, codes in enumerate(sets)], gold), resampling)


def inside(estimate: Estimate) -> bool:
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= estimate.value <= estimate.high


@pytest.mark.parametrize("over", ["queries", "pairs"])
def test_perfect_agreement_is_one_but_not_for_sure(truth: Codes, over: str) -> None:
    resampling = Resampling(over, 400)  # type: ignore[arg-type]
    found = compared(truth, truth, resampling=resampling).sets[0].with_gold
    for name, estimate in found.items():
        assert inside(estimate)
        assert estimate.value == pytest.approx(0.0 if name == "higher than gold" else 1.0)
        assert estimate.low is not None
        assert estimate.value is not None
        assert estimate.low < estimate.value
        assert "all resamples" in estimate.method


def test_chance_is_about_nought_and_noise_lies_between(truth: Codes) -> None:
    agreement = compared(truth, noisy(truth, 0.3, 2), noisy(truth, 1.0, 3))
    some, none = (one.with_gold for one in agreement.sets)
    for name in ("kappa", "kappa linear", "kappa quadratic", "alpha nominal", "alpha ordinal", "alpha interval"):
        assert inside(some[name])
        low, high = none[name].low, none[name].high
        assert low is not None
        assert high is not None
        assert low < 0.05 < 0.6 < (some[name].value or 0.0) < 0.8
        assert high < 0.2


def test_what_is_left_out_is_counted(truth: Codes) -> None:
    holed = truth.copy()
    holed[0, :3] = -1
    gold = truth.copy()
    gold[1, 0] = 9  # a slip in gold itself
    table = lay_out([label_set("s", holed)], label_set("gold", gold), (0.0, 1.0, 2.0, 3.0))
    figure = compare_labels(table, QUICK).sets[0].with_gold["kappa"]
    assert figure.n == truth.size - 4
    assert figure.left_out == {"pairs without a label": 3, "pairs without a usable gold label": 1}


def test_whole_queries_vary_more_than_single_pairs() -> None:
    """A judge who is right on some queries and lost on others: pairs taken singly promise too much."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 4, (QUERIES, 40))
    lost = rng.random(QUERIES) < 0.4
    judge = np.where(lost[:, None], rng.integers(0, 4, gold.shape), gold)
    widths = []
    for over in ("queries", "pairs"):
        figure = compared(gold, judge, resampling=Resampling(over, 1000)).sets[0].with_gold["kappa"]
        assert figure.low is not None
        assert figure.high is not None
        widths.append(figure.high - figure.low)
    assert widths[0] > 3 * widths[1]


def drawn_judge(queries: int, rng: np.random.Generator) -> tuple[Codes, Codes]:
    """Gold and a judge who errs more on some queries than on others, 40 pairs each."""
    wrong = rng.beta(2, 4, queries)[:, None]
    gold = rng.choice(4, p=(0.45, 0.3, 0.15, 0.1), size=(queries, 40))
    return gold, np.where(rng.random(gold.shape) < wrong, rng.integers(0, 4, gold.shape), gold)


def test_intervals_over_queries_hold_the_truth_and_those_over_pairs_do_not() -> None:
    rng = np.random.default_rng(12)
    gold, judge = drawn_judge(20_000, rng)
    truth = float(kappa(cross_table(gold.ravel(), judge.ravel(), 4), "linear"))
    samples, query = 120, np.repeat(np.arange(40), 40)
    held = {"queries": 0, "pairs": 0}
    for seed in range(samples):
        gold, judge = drawn_judge(40, rng)
        cells = np.eye(16)[gold.ravel() * 4 + judge.ravel()]
        for over in held:
            resampling = Resampling(over, 300, seed)  # type: ignore[arg-type]
            sums = resampled_sums(cells, query, np.ones(len(cells), dtype=np.bool_), resampling)
            low, high = np.quantile(kappa(sums.drawn.reshape(-1, 4, 4), "linear"), (0.025, 0.975))
            held[over] += int(low <= truth <= high)
    assert held["queries"] > 0.87 * samples  # 93 % ± 2.3
    assert held["pairs"] < 0.8 * samples


def test_the_same_seed_gives_the_same_figures_and_few_queries_are_said(truth: Codes) -> None:
    sets = [noisy(truth[:8], 0.4, seed) for seed in range(3)]
    one, again = (compared(truth[:8], *sets) for _ in range(2))
    assert [each.with_gold for each in one.sets] == [each.with_gold for each in again.sets]
    assert "too narrow" in one.sets[0].with_gold["kappa"].method
    assert "over 8 queries" in one.sets[0].with_gold["kappa"].method


def test_undefined_figures_say_why(truth: Codes) -> None:
    flat = np.zeros_like(truth)
    figures = (
        compare_labels(lay_out([label_set("s", flat)], label_set("gold", flat), (0.0, 1.0, 2.0, 3.0)), QUICK)
        .sets[0]
        .with_gold
    )
    assert figures["equal"].value == 1.0
    assert not figures["kappa"].defined
    assert figures["alpha ordinal"].method.startswith("undefined: every label is the same")


def test_one_random_judge_among_good_ones_stands_apart(truth: Codes) -> None:
    good = [noisy(truth, wrong, seed) for seed, wrong in enumerate((0.2, 0.25, 0.3, 0.3, 0.35))]
    found = compared(None, *good, noisy(truth, 1.0, 9))
    assert [one.column.name for one in found.outliers] == ["s5"]
    for one in found.sets:
        assert inside(one.standing.with_others)
        assert inside(one.standing.below_fence)
    assert found.with_gold == {}
    assert found.sets[0].with_gold == {}


def test_judges_alike_have_no_outlier(truth: Codes) -> None:
    assert compared(None, *(noisy(truth, 0.3, seed) for seed in range(6))).outliers == []


def test_of_three_the_fence_is_the_kappa_of_the_other_two(truth: Codes) -> None:
    sets = [noisy(truth, 0.1, 1), noisy(truth, 0.1, 2), noisy(truth, 0.8, 3)]
    found = compared(None, *sets)
    tables = {(a, b): cross_table(sets[a].ravel(), sets[b].ravel(), 4) for a, b in ((0, 1), (0, 2), (1, 2))}
    kappas = {pair: float(kappa(table, "quadratic")) for pair, table in tables.items()}
    apart = kappas[0, 1] - (kappas[0, 2] + kappas[1, 2]) / 2
    assert found.sets[2].standing.below_fence.value == pytest.approx(apart, abs=1e-6)
    assert [one.column.name for one in found.outliers] == ["s2"]


def test_two_sets_have_no_outlier(truth: Codes) -> None:
    found = compared(None, truth, noisy(truth, 1.0, 1))
    assert found.outliers == []
    assert "fewer than three" in found.sets[0].standing.below_fence.method


def test_pairwise_kappas_are_those_of_each_resample(truth: Codes) -> None:
    """Resampled tables against labels that are copied as often as their query was drawn."""
    codes = np.array([noisy(truth, 0.4, seed).ravel() for seed in range(3)])
    codes[0, 7] = codes[2, 11] = -1
    query: Counts = np.repeat(np.arange(QUERIES), DOCUMENTS)
    found = pairwise_kappas(codes, query, 4, "linear", Resampling(resamples=20, seed=4))
    rng = np.random.default_rng(4)
    for row in range(20):
        queries = rng.integers(0, QUERIES, QUERIES)
        items = np.concatenate([np.flatnonzero(query == at) for at in queries])
        for a, b in ((0, 1), (0, 2), (1, 2)):
            expected = float(kappa(cross_table(codes[a, items], codes[b, items], 4), "linear"))
            assert found.drawn[row, a, b] == pytest.approx(expected, abs=1e-9)
            assert found.drawn[row, b, a] == found.drawn[row, a, b]
    single = pairwise_kappas(codes, query, 4, "linear", Resampling("pairs", 20))
    assert np.allclose(single.whole, found.whole, equal_nan=True)
    assert (single.units, found.units) == (QUERIES * DOCUMENTS, QUERIES)


@pytest.mark.parametrize(
    ("text", "audit"), [("0/60", Audit("", 0, 60)), (" first judge = 3 / 50", Audit("first judge", 3, 50))]
)
def test_audits_are_read(text: str, audit: Audit) -> None:
    assert Audit.parse(text) == audit


@pytest.mark.parametrize("text", ["", "60", "0/0", "61/60", "-1/60", "a/b", "=1/2"])
def test_audits_that_cannot_be(text: str) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        Audit.parse(text)


def test_an_audit_without_an_error_is_an_estimate() -> None:
    rate = Audit.parse("0/60").error_rate
    assert (rate.value, rate.low, rate.n) == (0.0, 0.0, 60)
    assert rate.high == pytest.approx(1 - 0.025 ** (1 / 60))
    assert f"{rate.high:.4f}" == "0.0596"
    some = Audit.parse("3/60").error_rate
    assert inside(some)


@pytest.fixture(scope="module")
def challenge(shared_data: Path) -> Agreement:
    folder = shared_data / "llmjudge"
    sets = read_label_sets(files_named([folder / "submissions" / "scores"]))
    return compare_labels(lay_out(sets, read_label_set(folder / "llmjudge_test_qrel_idx.txt")), Resampling())


def test_the_challenge_gives_the_printed_kappas(challenge: Agreement) -> None:
    found = {one.column.name: one.with_gold["kappa"] for one in challenge.sets}
    assert len(found) == 33
    for name, printed in PRINTED.items():
        assert f"{found[name].value:.4f}" == f"{printed:.4f}"
    assert {estimate.n for estimate in found.values()} == {4423, 4422, 4421}


def test_the_challenge_has_two_sets_apart_and_none_is_lost(challenge: Agreement) -> None:
    assert [one.column.name for one in challenge.outliers] == ["TREMA-nuggets", "TREMA-rubric0"]
    left_out = {one.column.name: sum(one.column.left_out.values()) for one in challenge.sets if one.column.left_out}
    assert left_out == {"RMITIR-llama70B": 2, "h2oloo-zeroshot2": 1}
    for one in challenge.sets:
        for estimate in (*one.with_gold.values(), one.standing.with_others):
            assert inside(estimate)


def test_alpha_of_all_judges_of_the_challenge_pair_by_pair(challenge: Agreement) -> None:
    """Nominal alpha over 33 sets from how often two labels of one pair differ, item by item."""
    codes = challenge.table.codes()
    counts = np.array([(codes == place).sum(axis=0) for place in range(4)])
    m, every = counts.sum(axis=0), counts.sum(axis=1)
    differ = ((m * m - (counts**2).sum(axis=0)) / (m - 1)).sum()
    n = every.sum()
    expected = (n * n - (every**2).sum()) / (n - 1)
    assert challenge.together["alpha nominal"].value == pytest.approx(1 - differ / expected, abs=1e-12)
