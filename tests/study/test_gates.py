"""Gates: checked first, alone; a failed one stops the study unless a reason is given, which is printed everywhere."""

from __future__ import annotations

import json
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from askance.app.study import run
from askance.core.errors import AskanceError, BadInput, CheckFailed, StudyProblem
from askance.report.page import render
from askance.report.terminal import print_results
from askance.study.collections import open_collection
from askance.study.execute import run_study
from askance.study.file import parse_study, read_study
from askance.study.folder import read_manifest
from askance.study.gates import figures_of, gated, off
from askance.study.measured import measured_of
from askance.study.results import EstimateIn, Results

ROOT = Path(__file__).resolve().parents[2]

SUBSETS = """
[domains.chores.subsets]
every = { label = "all of them" }
scrub = { label = "scrubbing", where = { chore = "scrub" } }
"""


def gate(figure: str, value: float, tolerance: float = 0.0005, **told: str) -> str:
    more = "".join(f'{key} = "{text}"\n' for key, text in told.items())
    return f'\n[[gates]]\nfigure = "{figure}"\nvalue = {value!r}\ntolerance = {tolerance!r}\n{more}'


def append(study: Path, *tables: str) -> None:
    study.write_text(study.read_text(encoding="utf-8") + "".join(tables), encoding="utf-8")


def execute(study: Path, out: Path, past_gate: str | None = None) -> Results:
    opened = partial(open_collection, beside=study.parent)
    return run_study(read_study(study), out, open_collection=opened, past_gate=past_gate)


@pytest.fixture
def whole(study: Path, tmp_path: Path) -> Results:
    """The study without gates."""
    return execute(study, tmp_path / "whole")


def shown(results: Results) -> str:
    out = StringIO()
    print_results(results, Console(file=out, width=300))
    return out.getvalue()


# --- names


def test_the_names_that_a_gate_may_use_are_those_of_the_figures_measured(
    study: Path, chores: Path, tmp_path: Path
) -> None:
    append(study, SUBSETS, '\n[[domains.chores.rerankers]]\nname = "verbs"\nreranker = "lexical"\ntokens = "verbs"\n')
    append(study, 'over = ["bm25"]\n')
    domain = execute(study, tmp_path / "out").domains[0]
    entry = read_study(study).domains["chores"]
    possible = figures_of(entry, open_collection(str(chores)))
    assert set(possible) == {found.id for found in measured_of(domain)}


def test_the_same_where_a_domain_has_no_subsets(study: Path, chores: Path, whole: Results) -> None:
    entry = read_study(study).domains["chores"]
    possible = figures_of(entry, open_collection(str(chores)))
    assert set(possible) == {found.id for found in measured_of(whole.domains[0])}
    assert "bm25.any.all.hit@1" in possible


# --- passed


def test_a_gate_that_is_met_leaves_everything_else_as_it_is(study: Path, tmp_path: Path, whole: Results) -> None:
    value = next(found.estimate for found in measured_of(whole.domains[0]) if found.id == "bm25.any.all.hit@1")
    assert value.value is not None
    append(study, gate("bm25.any.all.hit@1", round(value.value, 3), origin="A. Author 2026"))
    results = execute(study, tmp_path / "out")
    assert results.domains == whole.domains
    (record,) = results.gates
    assert (record.status, record.domain, record.figure) == ("passed", "chores", "bm25.any.all.hit@1")
    assert (record.ours, record.origin, record.why, record.past) == (value, "A. Author 2026", "", "")
    assert "Gates passed: bm25.any.all.hit@1" in shown(results)
    assert "Gates passed: bm25.any.all.hit@1" in render(results)
    assert "Gate" not in shown(whole)


@pytest.mark.parametrize(
    "figure",
    [
        "small.other-thing.every.ap",
        "chance.any.every.hit@5",
        "small.control.any.scrub",
        "small.control.any.scrub.resampled",
        "bm25.control.other-thing.every.hit@1",
        "bm25.control.other-thing.every.lost",
        "sign.other-thing.every.lookalike.content",
    ],
)
def test_a_figure_alone_is_the_same_as_among_all_others(study: Path, tmp_path: Path, figure: str) -> None:
    append(study, SUBSETS)
    figure = figure.replace(".control.any.scrub", ".control.any.scrub.all").replace(
        ".control.other-thing.every", ".control.other-thing.every.all"
    )
    whole = {found.id: found.estimate for found in measured_of(execute(study, tmp_path / "whole").domains[0])}
    value = whole[figure].value
    assert value is not None
    append(study, gate(figure, value, 0.0))
    (record,) = execute(study, tmp_path / "out").gates
    assert record.status == "passed"
    assert record.ours == whole[figure]


def test_only_what_a_gate_needs_is_measured_for_it(study: Path, chores: Path) -> None:
    append(study, SUBSETS, gate("small.any.scrub.hit@5", 0.5))
    file = read_study(study)
    entry = gated(file, {"chores": open_collection(str(chores))})["chores"].entry
    assert [system.name for system in entry.systems] == ["small"]
    assert (entry.tiers, entry.main_tier, entry.measures) == (["any"], "any", ["Hit@5"])
    assert (list(entry.subsets), entry.rerankers, entry.decoys, entry.tokens) == (["scrub"], [], {}, [])


# --- failed


def test_a_failed_gate_stops_the_study_before_anything_else(study: Path, tmp_path: Path) -> None:
    append(study, gate("bm25.any.all.hit@1", 0.01, origin="A. Author 2026"), gate("bm25.any.all.hit@5", 0.02))
    with pytest.raises(CheckFailed) as caught:
        execute(study, tmp_path / "out")
    said = str(caught.value)
    assert caught.value.exit_code == 1
    assert "gate failed: chores, bm25.any.all.hit@1: " in said
    assert "above 0.01 ± 0.0005 (A. Author 2026)" in said
    assert "bm25.any.all.hit@5" in said
    assert "--past-gate" in said
    out = tmp_path / "out"
    assert sorted(path.name for path in (out / "runs").rglob("*.gz")) == ["bm25.jsonl.gz"]
    assert not (out / "results.json").exists()
    assert read_manifest(out).status == "running"


def test_a_reason_goes_past_and_is_printed_everywhere(study: Path, tmp_path: Path) -> None:
    append(study, gate("bm25.any.all.hit@1", 0.01))
    reason = "the corpus was <b>cut</b> & we know"
    found = run(study, tmp_path / "out", past_gate=reason)
    written = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert written["gates"][0]["status"] == "failed"
    assert written["gates"][0]["past"] == reason
    assert f"Gone past it, since: {reason}" in shown(found.results)
    page = found.report.read_text(encoding="utf-8")
    assert "Gate failed: chores, bm25.any.all.hit@1" in page
    assert "the corpus was &lt;b&gt;cut&lt;/b&gt; &amp; we know" in page
    assert "<b>cut</b>" not in page
    assert len(found.results.domains[0].systems) == 2


def test_a_reason_is_not_noted_where_no_gate_fails(study: Path, tmp_path: Path) -> None:
    append(study, gate("bm25.any.all.hit@1", 0.5, 0.5))
    (record,) = execute(study, tmp_path / "out", past_gate="just in case").gates
    assert (record.status, record.past) == ("passed", "")


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_an_empty_reason_is_none(study: Path, tmp_path: Path, reason: str) -> None:
    with pytest.raises(BadInput, match="no reason"):
        execute(study, tmp_path / "out", past_gate=reason)
    assert not (tmp_path / "out").exists()


def test_what_was_ranked_for_a_gate_is_not_ranked_again(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(study, gate("bm25.any.all.hit@1", 0.01))
    with pytest.raises(CheckFailed):
        execute(study, tmp_path / "out")
    run_file = tmp_path / "out" / "runs" / "chores" / "bm25.jsonl.gz"
    before = run_file.stat().st_mtime_ns
    execute(study, tmp_path / "out", past_gate="known")
    assert run_file.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("value", "published", "tolerance", "said"),
    [
        (0.5, 0.5, 0.0, ""),
        (0.0932, 0.093, 0.0005, ""),
        (0.0935, 0.093, 0.0005, ""),
        (0.0936, 0.093, 0.0005, "0.0936 is 0.0006 above 0.093 ± 0.0005"),
        (0.6296, 0.7945, 0.01, "0.6296 is 0.16 below 0.7945 ± 0.01"),
        (None, 0.5, 1.0, "undefined: no queries"),
    ],
)
def test_how_far_off(value: float | None, published: float, tolerance: float, said: str) -> None:
    ours = EstimateIn(value=value, low=None, high=None, n=1, method="undefined: no queries")
    assert off(published, tolerance, ours) == said


# --- what cannot be a gate


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (gate("bm25.any.all.hit@2", 0.5), "Did you mean 'bm25.any.all.hit@5'?"),
        (gate("warmth", 0.5), "A figure is SYSTEM.TIER.SUBSET.MEASURE"),
        (gate("bm25.any.all.hit@1", 0.5, domain="chorse"), "Did you mean 'chores'?"),
        (gate("bm25.any.all.hit@2", 0.5, domain="chores"), "the domain 'chores' measures"),
        (gate("bm25.any.all.hit@1", 0.5, -0.1), "greater than or equal to 0"),
        ('\n[[gates]]\nfigure = "bm25.any.all.hit@1"\nvalue = 0.5\n', "'gates.0.tolerance' is missing"),
        ('\n[[gates]]\nfigure = "bm25.any.all.hit@1"\nvalue = nan\ntolerance = 0.1\n', "finite number"),
        (gate("bm25.any.all.hit@1", 0.5) + "tolerence = 1\n", "Did you mean 'tolerance'?"),
    ],
)
def test_wrong_gates_are_refused_with_their_line(study: Path, tmp_path: Path, table: str, said: str) -> None:
    first = len(study.read_text(encoding="utf-8").splitlines()) + 2
    append(study, table)
    with pytest.raises(StudyProblem) as caught:
        execute(study, tmp_path / "out")
    assert said in str(caught.value)
    assert any(f"{study}:{line}: " in str(caught.value) for line in range(first, first + 6))
    assert caught.value.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_a_figure_that_two_domains_have_needs_its_domain(study: Path, tmp_path: Path) -> None:
    text = study.read_text(encoding="utf-8")
    domain = text[text.index("[domains.chores]") :]
    append(study, "\n", domain.replace("domains.chores", "domains.again"), gate("bm25.any.all.hit@1", 0.5, 0.5))
    with pytest.raises(AskanceError, match=r"in the domains chores, again: say which, domain = …"):
        execute(study, tmp_path / "out")
    append(study, 'domain = "again"\n')
    (record,) = execute(study, tmp_path / "out").gates
    assert (record.domain, record.status) == ("again", "passed")


# --- made collections


def test_gates_are_skipped_where_askance_made_the_collection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKANCE_OFFLINE", "1")
    monkeypatch.setenv("ASKANCE_DATA", "")
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "examples" / "two_domains.toml").read_text(encoding="utf-8")
    small = text[: text.index("# Word problems")].replace('embedder = "minilm"', 'embedder = "fake"')
    small = small[: small.index("[[domains.trajectories.rerankers]]")].replace(', "Hit@5", "Hit@10", "AP"]', "]")
    study = parse_study(small, "example")
    results = run_study(study, tmp_path / "out", open_collection=open_collection)
    (record,) = results.gates
    assert (record.domain, record.figure, record.status) == ("trajectories", "minilm.strict.all118.hit@1", "skipped")
    assert record.ours is None
    said = "Gates skipped, since the collection was made by askance"
    assert said in shown(results)
    assert said in render(results)


def test_the_gate_of_the_example_is_met_on_the_real_data(shared_data: Path, tmp_path: Path) -> None:
    text = (ROOT / "examples" / "two_domains.toml").read_text(encoding="utf-8")
    study = parse_study(text[: text.index("# Word problems")], "example")
    entry = study.domains["trajectories"]
    alone = study.model_copy(update={"domains": {"trajectories": entry.model_copy(update={"rerankers": []})}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKANCE_DATA", str(shared_data))
        (record,) = run_study(alone, tmp_path / "out", open_collection=open_collection).gates
    assert record.status == "passed"
    assert record.ours is not None
    assert record.ours.value == pytest.approx(11 / 118)
