"""Composed questions over LIMIT's documents: what is demanded of the rules, and what is measured beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.build.test_compositions import check, collection, some

from askance.app.study import run
from askance.build.limit.compositions import TEMPLATES, TIER, Compositions, CompositionSettings, compositions
from askance.build.limit.compositions_folder import write_compositions
from askance.build.limit.document import Question
from askance.core.errors import DownloadFailed
from askance.core.progress import Silent
from askance.data.adapters.limit import load
from askance.data.collection import Collection
from askance.measure.estimates import estimate
from askance.measure.measures import Measure
from askance.measure.order import judge_by
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.retriever import Resources
from askance.study.limit import compositions as reproducing
from askance.study.limit.cut_lists import joined_cut_lists
from askance.study.limit.lists import task_of
from askance.study.measured import measured_in


@pytest.fixture(scope="module")
def over_limit(shared_data: Path) -> Compositions:
    return compositions(load(shared_data, "limit-recon"), CompositionSettings(seed=1))


def test_sizes(over_limit: Compositions) -> None:
    """Seven times a hundred over the 50,000 documents, of the sizes that were printed of LIMIT+ or near them."""
    sizes: dict[str, list[int]] = {template: [] for template in TEMPLATES}
    for question, gold in zip(over_limit.questions, over_limit.gold, strict=True):
        sizes[question.template].append(len(gold))
    assert {template: len(some) for template, some in sizes.items()} == dict.fromkeys(TEMPLATES, 100)
    mean = {template: np.mean(some) for template, some in sizes.items()}
    assert mean["one"] == 2.0
    assert mean["not"] == 1.0
    assert 3.5 < mean["or"] <= 4.0
    assert 5.3 < mean["or_or"] <= 6.0
    assert 5 < mean["and_both"] < 12
    assert min(mean["and"], mean["and_not"]) > 80
    check(over_limit, ", | and ", every=9)


def test_rules_answer_them(over_limit: Compositions) -> None:
    """All gold comes first, whatever the template; longer items around the asked ones come behind."""
    run = IrlRetriever(IrlSettings(clauses="lex"), Resources()).retrieve(task_of(over_limit.collection, 200), Silent())
    judged = judge_by("input", run, over_limit.collection.tier(TIER).judgments)
    for measure, least in ((Measure("CappedRecall", 100), 0.98), (Measure("nDCG", 20), 0.99)):
        found = estimate(measure, judged)
        assert found.value is not None
        assert found.value >= least
        assert found.n == 700
    for at, gold in enumerate(over_limit.gold):
        assert set(run.of_query(at)[0][: len(gold)].tolist()) == set(gold.tolist()), over_limit.questions[at].text


@pytest.fixture(scope="module")
def small() -> Compositions:
    settings = {"questions": dict.fromkeys(TEMPLATES, 5), "seed": 2}
    return compositions(some(8, 400), CompositionSettings.model_validate(settings))


def test_rows(small: Compositions) -> None:
    rows = {row.id: row for row in reproducing.rows_of(small)}
    assert len(rows) == 5 * (3 + 7)
    assert {row.status for row in rows.values()} == {"pass"}
    assert all(row.published is None and row.ours is not None and row.ours.low is not None for row in rows.values())
    best = rows["fields.all.cappedrecall@100"].ours
    assert best is not None
    assert best.value == 1.0
    assert rows["bm25.and_not.ndcg@20"].why == "of LIMIT+'s own questions 0.175 is printed"
    assert rows["fields.all.ndcg@20"].why == ""
    for name in ("bm25.all.ndcg@20", "cut.all.ndcg@20"):
        ours = rows[name].ours
        assert ours is not None
        assert ours.value is not None
        assert ours.value < 1.0


def test_a_figure_below_what_is_asked_fails(small: Compositions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproducing, "AT_LEAST", {("bm25", "nDCG@20"): 0.9999})
    failed = [(row.id, row.why) for row in reproducing.rows_of(small) if row.status == "fail"]
    assert failed == [("bm25.all.ndcg@20", "below 0.9999; of LIMIT+'s own questions 0.785 is printed")]


def test_without_the_data() -> None:
    def none(name: str) -> Collection:
        raise DownloadFailed(f"no {name} here")

    (row,) = reproducing.reproduce(open_collection=none).rows
    assert (row.status, row.ours, row.why) == ("needs", None, "no limit-recon here")


TEXTS = ("Ann likes Snow, Tea.", "Bo likes Snow, Snow, Snow.", "Cy likes Tea, Honey, Snow.", "Di likes Honey.")


@pytest.mark.parametrize(
    ("template", "items", "depth", "expected"),
    [
        ("and", ("Snow", "Tea"), 9, {0, 2}),
        ("and", ("Snow", "Tea"), 1, set()),  # each list is cut before the one that holds both
        ("or", ("Honey", "Tea"), 9, {0, 2, 3}),
        ("not", ("Snow", "Tea"), 9, {1}),
        ("and_not", ("Snow", "Tea", "Honey"), 9, {0}),
    ],
)
def test_cut_lists(template: str, items: tuple[str, ...], depth: int, expected: set[int]) -> None:
    question = Question("q", template, items, items, "?")
    run = joined_cut_lists(collection(TEXTS), [question], {item: item for item in items}, depth, Silent())
    assert set(run.of_query(0)[0].tolist()) == expected


def test_a_study_by_template(tmp_path: Path) -> None:
    """The folder's templates are slices: each is a subset with its own figures."""
    settings = CompositionSettings.model_validate({"questions": dict.fromkeys(TEMPLATES, 3)})
    write_compositions(some(9, 150), settings, tmp_path / "made")
    (tmp_path / "study.toml").write_text(
        """
[study]
name = "composed"

[domains.composed]
collection = "made"
measures = ["CappedRecall@20", "nDCG@20"]
subsets = { all = {}, and_not = { where = { template = "and_not" } } }

[[domains.composed.systems]]
name = "bm25"
retriever = "lexical"

[[domains.composed.systems]]
name = "rules"
retriever = "irl"

[[domains.composed.rerankers]]
name = "verified"
reranker = "constraints"
first = 100
over = ["bm25"]
"""
    )
    results = run(tmp_path / "study.toml", tmp_path / "out").results
    found = dict(measured_in(results))
    assert found["rules.test.all.cappedrecall@20"].value == 1.0
    assert found["rules.test.and_not.ndcg@20"].value == 1.0
    assert found["rules.test.and_not.ndcg@20"].n == 3
    words = found["bm25.test.and_not.ndcg@20"].value
    assert words is not None
    assert words < 1.0
