"""Running a study: what it writes, that it writes the same again, that nothing is done twice or lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from askance.core.errors import AskanceError, BadInput, FileProblem
from askance.models.embedder import FakeEmbedder
from askance.study.collections import open_collection
from askance.study.execute import run_study
from askance.study.file import read_study
from askance.study.folder import read_manifest
from askance.study.results import Results


def run(study: Path, out: Path, *, resume: bool = False) -> Results:
    return run_study(
        read_study(study), out, open_collection=partial(open_collection, beside=study.parent), resume=resume
    )


def test_the_folder_holds_everything_and_results_parse_back(study: Path, tmp_path: Path) -> None:
    results = run(study, tmp_path / "out")
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir() if "sqlite-" not in path.name} == {
        "manifest.json",
        "study.json",
        "results.json",
        "ledger.sqlite",
        "runs",
    }
    assert sorted(path.name for path in (out / "runs" / "chores").iterdir()) == [
        "bm25+control.jsonl.gz",
        "bm25.jsonl.gz",
        "small+control.jsonl.gz",
        "small.jsonl.gz",
    ]
    written = (out / "results.json").read_text(encoding="utf-8")
    assert Results.model_validate_json(written) == results
    assert json.loads(written)["schema"] == "askance/results/1"
    manifest = read_manifest(out)
    assert manifest.status == "finished"
    assert set(manifest.runs) == {"chores/bm25", "chores/small", "chores/bm25+control", "chores/small+control"}


def test_two_runs_are_byte_identical(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(study, tmp_path / "one")
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "another-cache"))
    run(study, tmp_path / "two")
    assert (tmp_path / "one" / "results.json").read_bytes() == (tmp_path / "two" / "results.json").read_bytes()


def test_a_second_tier_neither_embeds_nor_ranks_again(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = study.read_text(encoding="utf-8")
    study.write_text(text.replace('tiers = ["any", "other-thing"]', 'tiers = ["other-thing"]'), encoding="utf-8")
    first = run(study, tmp_path / "out")
    runs = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "runs").rglob("*.gz")}
    study.write_text(text, encoding="utf-8")

    def never(*_: object) -> None:
        raise AssertionError("a second tier must not embed")

    monkeypatch.setattr(FakeEmbedder, "embed", never)
    second = run(study, tmp_path / "out")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "runs").rglob("*.gz")} == runs
    assert first.domains[0].corpus_sha256 == second.domains[0].corpus_sha256
    kept = [figure for figure in second.domains[0].figures if figure.tier == "other-thing"]
    assert kept == first.domains[0].figures
    assert {figure.tier for figure in second.domains[0].figures} == {"any", "other-thing"}


def test_roles_of_ones_own_make_the_taxonomy_and_tiers_the_ladder(study: Path, tmp_path: Path) -> None:
    domain = run(study, tmp_path / "out").domains[0]
    assert [(role.name, role.label) for role in domain.roles][:3] == [
        ("twin", "the very same chore"),
        ("lookalike", "another chore, same thing"),
        ("stranger", "nothing in common"),
    ]
    taxonomy = next(one for one in domain.taxonomies if one.system == "bm25" and one.tier == "other-thing")
    assert taxonomy.misses == sum(winner.count for winner in taxonomy.winners)
    assert {winner.role: winner.count for winner in taxonomy.winners}["lookalike"] > 0  # objects are what BM25 reads
    assert [tier.name for tier in domain.tiers] == ["any", "other-thing"]
    assert {one.decoys for one in domain.preferences} == {"twin", "lookalike", "stranger"}


def test_changed_qrels_change_figures_taxonomy_and_sign(study: Path, chores: Path, tmp_path: Path) -> None:
    before = run(study, tmp_path / "before").domains[0]
    qrels = chores / "qrels" / "other-thing.tsv"
    lines = qrels.read_text(encoding="utf-8").splitlines()
    gone = {f"q-scrub-{thing}" for thing in ("bucket", "ladder")}
    lookalikes = [
        f"{query}\tcarry-{query.split('-')[2]}-{place}\t1" for query in gone for place in ("barn", "porch", "cellar")
    ]
    kept = [line for line in lines if line.split("\t")[0] not in gone]
    qrels.write_text("\n".join([*kept, *sorted(lookalikes)]) + "\n", encoding="utf-8")
    after = run(study, tmp_path / "after").domains[0]
    assert [one.estimate for one in before.figures] != [one.estimate for one in after.figures]
    assert before.taxonomies != after.taxonomies
    assert before.preferences != after.preferences
    assert before.controls != after.controls
    assert before.curves != after.curves


SLOW = """
import sys, time
from pathlib import Path
from askance.models.embedder import FakeEmbedder
from askance.app.study import run
quick = FakeEmbedder.embed
def slow(self, texts, kind):
    print("batch", flush=True)
    time.sleep(0.5)
    return quick(self, texts, kind)
FakeEmbedder.embed = slow
run(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def test_killed_between_two_batches_and_run_again_gives_the_same(study: Path, tmp_path: Path) -> None:
    run(study, tmp_path / "undisturbed")
    environment = {**os.environ, "ASKANCE_CACHE": str(tmp_path / "fresh-cache")}
    out = tmp_path / "killed"
    script = [sys.executable, "-c", SLOW, str(study), str(out)]
    with subprocess.Popen(script, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(2):  # the second batch has begun: the first is on disk
            assert process.stdout.readline() == "batch\n"
        process.send_signal(signal.SIGKILL)
    assert read_manifest(out).status == "running"
    assert not (out / "results.json").exists()
    done = subprocess.run(script, env=environment, capture_output=True, text=True, timeout=60, check=True)
    whole = subprocess.run(
        [sys.executable, "-c", SLOW, str(study), str(tmp_path / "whole")],
        env={**environment, "ASKANCE_CACHE": str(tmp_path / "third-cache")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.count("batch") == whole.stdout.count("batch") - 1
    undisturbed = (tmp_path / "undisturbed" / "results.json").read_bytes()
    assert (out / "results.json").read_bytes() == undisturbed
    assert (tmp_path / "whole" / "results.json").read_bytes() == undisturbed


def test_a_damaged_run_is_made_again(study: Path, tmp_path: Path) -> None:
    run(study, tmp_path / "out")
    results = (tmp_path / "out" / "results.json").read_bytes()
    (tmp_path / "out" / "runs" / "chores" / "bm25.jsonl.gz").write_bytes(b"cut")
    run(study, tmp_path / "out")
    assert (tmp_path / "out" / "results.json").read_bytes() == results


def test_another_studys_folder_is_left_alone(study: Path, tmp_path: Path) -> None:
    run(study, tmp_path / "out")
    before = (tmp_path / "out" / "manifest.json").read_bytes()
    study.write_text(
        study.read_text(encoding="utf-8").replace('name = "chores"', 'name = "others"', 1), encoding="utf-8"
    )
    with pytest.raises(BadInput, match="another study"):
        run(study, tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json").read_bytes() == before


def test_a_folder_of_something_else_is_left_alone(study: Path, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to-mum.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(BadInput, match="no result folder"):
        run(study, tmp_path / "letters")
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["to-mum.txt"]


def test_a_manifest_cut_off_by_a_kill_does_not_bar_the_folder(study: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".manifest.json.123.partial").write_bytes(b"{")
    assert run(study, tmp_path / "out").domains


@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"schema": "askance/manifest/2"}', b"\xff"])
def test_a_manifest_that_is_none_is_said_with_a_remedy(study: Path, tmp_path: Path, content: bytes | None) -> None:
    place = tmp_path / "out" / "manifest.json"
    if content is None:
        place.mkdir(parents=True)
    else:
        place.parent.mkdir()
        place.write_bytes(content)
    with pytest.raises(FileProblem) as caught:
        run(study, tmp_path / "out")
    assert caught.value.path == str(place)
    assert caught.value.remedy


def test_a_folder_in_the_place_of_a_run_is_said(study: Path, tmp_path: Path) -> None:
    run(study, tmp_path / "out")
    place = tmp_path / "out" / "runs" / "chores" / "bm25.jsonl.gz"
    place.unlink()
    place.mkdir()
    with pytest.raises(FileProblem, match="Is a directory"):
        run(study, tmp_path / "out")


def test_resume_insists_on_something_to_resume(study: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing to resume"):
        run(study, tmp_path / "out", resume=True)
    assert not (tmp_path / "out").exists()
    run(study, tmp_path / "out")
    run(study, tmp_path / "out", resume=True)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('tiers = ["any", "other-thing"]', 'tiers = ["any", "other-things"]', "chores.toml:13: "),
        ('collection = "chores"', 'collection = "chorse"', "chores.toml:12: "),
        ('tiers = ["any", "other-thing"]', 'tiers = ["any", "other-things"]', "Did you mean 'other-thing'?"),
        ('main_tier = "other-thing"', 'main_tier = "else"', "there is no tier 'else'"),
        ('collection = "chores"', 'collection = "chorse"', "chorse"),
        ('title = "Chores"', 'measures = ["Hit@1", "nDGC@10"]', "Did you mean 'nDCG'?"),
        ('title = "Chores"', 'measures = ["Hit"]', "Hit@10"),
        ('title = "Chores"', 'embed = { document = "body" }', "there is no field 'body'"),
        ('title = "Chores"', 'tokens = ["numerals"]', "numerals"),
        ('title = "Chores"', 'subsets.some = { where = { chore = "dance" } }', "'dance'"),
        ('title = "Chores"', 'decoys.wrong = { roles = ["twins"] }', "Did you mean 'twin'?"),
    ],
)
def test_what_does_not_fit_the_collection_is_said_before_anything_is_written(
    study: Path, tmp_path: Path, old: str, new: str, said: str
) -> None:
    study.write_text(study.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(AskanceError) as caught:
        run(study, tmp_path / "out")
    assert said in str(caught.value)
    assert caught.value.exit_code == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("grade", "excluded"),
    [("0", {}), ("1", {"q-scrub-bucket": ["scrub-bucket-barn"]})],
    ids=["grades of 0", "gold that is excluded"],
)
def test_a_study_of_nothing_to_find_is_refused(
    study: Path, chores: Path, tmp_path: Path, grade: str, excluded: dict[str, list[str]]
) -> None:
    for name in ("any", "other-thing"):
        rows = f"query-id\tcorpus-id\tscore\nq-scrub-bucket\tscrub-bucket-barn\t{grade}\n"
        (chores / "qrels" / f"{name}.tsv").write_text(rows, encoding="utf-8")
    (chores / "per_query_excluded_ids.json").write_text(json.dumps(excluded), encoding="utf-8")
    with pytest.raises(BadInput, match="chores.toml:13: no query of collection 'chores' has gold"):
        run(study, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_grades_that_cannot_be_added_up_are_refused(study: Path, chores: Path, tmp_path: Path) -> None:
    qrels = chores / "qrels" / "any.tsv"
    qrels.write_text(qrels.read_text(encoding="utf-8").replace("\t1\n", "\t1e308\n"), encoding="utf-8")
    with pytest.raises(BadInput, match=r"chores.toml:13: the tier 'any' has a grade of 1e\+308"):
        run(study, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_tiers_card_leaves_excluded_gold_out_as_its_figures_do(study: Path, chores: Path, tmp_path: Path) -> None:
    barred = [f"scrub-bucket-{place}" for place in ("barn", "porch", "cellar")]
    (chores / "qrels" / "any.tsv").write_text(
        "query-id\tcorpus-id\tscore\n"
        + "".join(f"q-scrub-bucket\t{name}\t1\n" for name in barred)
        + "q-scrub-ladder\tscrub-ladder-barn\t1\n",
        encoding="utf-8",
    )
    (chores / "per_query_excluded_ids.json").write_text(json.dumps({"q-scrub-bucket": barred}), encoding="utf-8")
    domain = run(study, tmp_path / "out").domains[0]
    card = next(tier for tier in domain.tiers if tier.name == "any")
    assert (card.queries, card.gold) == (1, 1.0)
    assert {figure.estimate.n for figure in domain.figures if figure.tier == "any"} == {1}
    assert domain.notes["gold of the tier 'any' that is excluded, and so does not count"] == 3


def test_half_a_surrogate_pair_in_a_text_is_written_by_its_name(study: Path, chores: Path, tmp_path: Path) -> None:
    corpus = chores / "corpus.jsonl"
    corpus.write_text(corpus.read_text(encoding="utf-8").replace("scrub the", "scrub \\ud83d the"), encoding="utf-8")
    run(study, tmp_path / "out")
    written = (tmp_path / "out" / "results.json").read_text(encoding="utf-8")
    shown = Results.model_validate_json(written).domains[0].failures
    assert any("scrub \\ud83d the" in one.winner.text for one in shown)


def test_a_collection_that_went_away_is_said(study: Path, chores: Path, tmp_path: Path) -> None:
    shutil.rmtree(chores)
    with pytest.raises(AskanceError, match="chores"):
        run(study, tmp_path / "out")
    assert not (tmp_path / "out").exists()
