"""Published figures, reproduced on the real data with the real model."""

from __future__ import annotations

import json
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest

from askance.app.study import reproduce_published
from askance.core.errors import BadInput, UnknownName
from askance.study import reproduce as reproducing
from askance.study.collections import open_collection
from askance.study.execute import run_study
from askance.study.file import parse_study
from askance.study.reproduce import Published, Reproduction, as_json, reproductions, studies
from askance.study.results import EstimateIn

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def found(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reproduction]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKANCE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        return {name: reproduce_published(name, shared_data) for name in studies()}


def test_there_are_four(found: dict[str, Reproduction]) -> None:
    rows = {name: len(one.rows) for name, one in found.items()}
    assert rows == {"gsm-plus": 4, "limit": 20, "limit-small": 19, "trajectories": 97}
    assert reproductions() == ("gsm-plus", "limit", "limit-plus", "limit-small", "structural", "trajectories")


def test_limit_says_which_questions_go_wrong(found: dict[str, Reproduction]) -> None:
    why = {row.id: row.why for row in found["limit"].rows}
    assert why["phrase.text.wrong"] == "30 of 1,000"
    assert why["phrase.text.wrong.cut"] == "5: apple cider, clouds, forests, honey, snow"
    assert why["phrase.text.wrong.outranked"] == "5: delight, fishing, iron, milk chocolate, ties"
    assert why["phrase.text.wrong.name"].startswith("20: barley, copper, ")
    assert "5,182 ('snow')" in why["phrase.text.depth.10000"]
    assert why["fields.exact.rules.negatives.leaks"] == "0 of 46 negatives follow the schema"


@pytest.mark.parametrize(("least", "status"), [(0.999, "pass"), (1.0, "pass"), (None, "pass"), (1.1, "fail")], ids=str)
def test_a_figure_that_nobody_printed_must_reach_what_is_asked(least: float | None, status: str) -> None:
    ours = EstimateIn(value=1.0, low=0.9, high=1.0, n=10, method="test")
    printed = Published(id="row", figure="a figure", at_least=least)
    row = reproducing._row(printed, reproducing.Added(ours, "ten of ten"))
    assert (row.status, row.published) == (status, None)
    assert row.why == ("ten of ten" if status == "pass" else "below 1.1; ten of ten")


@pytest.mark.parametrize("name", ["gsm-plus", "limit", "limit-small", "trajectories"])
def test_every_row_passes(found: dict[str, Reproduction], name: str) -> None:
    assert [(row.id, row.why) for row in found[name].rows if row.status != "pass"] == []


@pytest.mark.parametrize(
    ("row", "value", "n"),
    [
        ("minilm.strict.all118.hit@1", 11 / 118, 118),
        ("minilm.strict.old40.hit@1", 1 / 40, 40),
        ("minilm.strict.new78.hit@10", 50 / 78, 78),
        ("minilm.reference.all118.hit@1", 59 / 118, 118),
        ("minilm.strict-ii.all118.hit@1", 8 / 118, 118),
        ("control.all118.all", 18 / 56, 118),
        ("control.old40.verbs", 2 / 16, 40),
    ],
)
def test_rows_are_counts_over_queries(found: dict[str, Reproduction], row: str, value: float, n: int) -> None:
    ours = next(one.ours for one in found["trajectories"].rows if one.id == row)
    assert ours is not None
    assert ours.value == pytest.approx(value, abs=1e-12)
    assert ours.n == n
    assert ours.low is not None
    assert ours.high is not None
    assert ours.low <= value + 1e-12
    assert value <= ours.high + 1e-12


def test_the_machine_form(found: dict[str, Reproduction]) -> None:
    tree = json.loads(json.dumps(as_json(found["limit-small"])))
    assert tree["schema"] == "askance/study reproduce/1"
    assert set(tree["rows"][0]) >= {"id", "figure", "published", "ours", "tolerance", "status"}
    assert set(tree["rows"][0]["ours"]) == {"value", "low", "high", "n", "method", "left_out"}


def test_a_wrong_figure_fails_and_printed_values_are_read_last(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    printed = reproducing._published
    ran = run_study

    def read(name: str) -> list[Published]:
        order.append("printed")
        return [one.model_copy(update={"published": 0.5}) for one in printed(name)]

    def run(*arguments: object, **named: object) -> object:
        order.append("ran")
        return ran(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(reproducing, "_published", read)
    monkeypatch.setattr(reproducing, "run_study", run)
    monkeypatch.setattr(reproducing, "ADDED", {})  # what the study itself measures is enough here
    wrong = reproduce_published("limit-small", shared_data)
    assert order == ["ran", "printed"]
    measured = [row for row in wrong.rows if row.ours is not None]
    assert [row.why[:7] for row in measured] == ["differs"] * 5
    assert {row.status for row in wrong.rows} == {"fail"}
    assert wrong.failed == len(wrong.rows)


def test_without_the_data_rows_say_what_they_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKANCE_OFFLINE", "1")
    monkeypatch.setenv("ASKANCE_DATA", "")
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    lacking = reproduce_published("limit-small")
    assert {row.status for row in lacking.rows} == {"needs"}
    assert "limit-small" in lacking.rows[0].why
    assert lacking.failed == 0
    assert not lacking.stands


def test_wrong_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'trajectories'?"):
        reproduce_published("trajectory")
    with pytest.raises(BadInput, match="is no folder"):
        reproduce_published("trajectories", tmp_path / "nowhere")


def test_printed_figures_are_well_formed() -> None:
    for name in studies():
        text = files("askance.study").joinpath("published", f"{name}.json").read_text(encoding="utf-8")
        rows = [Published.model_validate(entry) for entry in json.loads(text)]
        assert len({row.id for row in rows}) == len(rows)
        assert all(row.origin and row.figure for row in rows if row.published is not None)
        most = 0.001 if name == "limit" else 0.0005  # one question of a thousand, or half a unit of the last digit
        assert all(row.tolerance <= most for row in rows)


def test_the_example_runs_on_collections_made_by_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKANCE_OFFLINE", "1")
    monkeypatch.setenv("ASKANCE_DATA", "")
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / "two_domains.toml").read_text(encoding="utf-8")
    quick = text.replace('embedder = "minilm"', 'embedder = "fake"').replace(
        "seed = 12345", "seed = 1\nresamples = 500"
    )
    results = run_study(parse_study(quick, "example"), tmp_path / "out", open_collection=partial(open_collection))
    assert [domain.name for domain in results.domains] == ["trajectories", "gsm-plus", "limit-small"]
    assert all("made by askance" in domain.origin for domain in results.domains)
    assert [(domain.documents, domain.queries) for domain in results.domains] == [(336, 118), (2100, 300), (46, 1000)]
