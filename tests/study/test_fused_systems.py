"""Studies with retrieval by the query language, and systems fused of others: run, resumed, verified, gated, shown."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from askance.app.study import run as run_study
from askance.app.verify import verify
from askance.core.errors import CheckFailed, StudyProblem
from askance.data.formats.runs import read_run
from askance.engines.fusion import fuse_runs
from askance.study.choices import control_tokens
from askance.study.collections import open_collection
from askance.study.file import RerankerEntry, parse_study
from askance.study.folder import read_manifest
from askance.study.results import Results

ITEMS = (
    *("Tea", "Iced Tea", "Snow", "Snow Leopards", "Forests", "Mangrove Forests", "Honey", "Jam", "Oak", "Tin"),
    *("Wool", "Reed", "Clay", "Moss", "Cork", "Salt", "Rice", "Ink", "Iron", "Lead"),
)
STUDY = """\
[study]
name = "likes"
seed = 3
resamples = 500

[models.small]
embedder = "fake"

[domains.likes]
collection = "likes"
measures = ["Recall@2", "Hit@1"]

[[domains.likes.systems]]
name = "bm25"
retriever = "lexical"

[[domains.likes.systems]]
name = "fields"
label = "exact items, rules"
retriever = "irl"

[[domains.likes.systems]]
name = "near"
retriever = "irl"
model = "small"
fuse = "rrf"
weights = [1, 2]

[[domains.likes.systems]]
name = "both"
retriever = "fused"
of = ["bm25", "fields"]

[[domains.likes.systems]]
name = "all"
label = "everything together"
retriever = "fused"
of = ["both", "near"]
kind = "minmax"
weights = [2, 1]
"""
GATE = '\n[[gates]]\nfigure = "{}"\nvalue = {}\ntolerance = 0.0005\norigin = "A. Author 2026"\n'


@pytest.fixture
def likes(tmp_path: Path) -> Path:
    return write_likes(tmp_path)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of that study, for tests that change nothing in them."""
    folder = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKANCE_CACHE", str(folder / "cache"))
        run_study(write_likes(folder), folder / "out")
    return folder / "out"


def run(study: Path, out: Path, *, resume: bool = False) -> Results:
    return run_study(study, out, resume=resume).results


def write_likes(place: Path) -> Path:
    """A study over forty people of two items each, none of them Snow, and one of twelve; who holds an item is gold."""
    folder = place / "likes"
    (folder / "qrels").mkdir(parents=True)
    held = [[ITEMS[(person * step + shift) % 20] for step, shift in ((1, 0), (3, 7))] for person in range(40)]
    held = [[item for item in its if item != "Snow"] for its in held] + [["Snow", *ITEMS[8:19]]]
    documents = [
        {"_id": f"p{at:02}", "text": f"Per{chr(97 + at % 26)} Son{at} likes {', '.join(dict.fromkeys(its))}."}
        for at, its in enumerate(held)
    ]
    asked = [{"_id": f"q{at:02}", "text": f"Who likes {item}?"} for at, item in enumerate(ITEMS)]
    for name, records in (("corpus", documents), ("queries", asked)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    rows = [
        f"q{at:02}\tp{person:02}\t1" for at, item in enumerate(ITEMS) for person, its in enumerate(held) if item in its
    ]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows, ""]), encoding="utf-8")
    path = place / "likes.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def figure(results: Results, system: str, measure: str) -> float:
    found = [
        one.estimate.value
        for one in results.domains[0].figures
        if (one.system, one.measure) == (system, measure) and one.estimate.value is not None
    ]
    assert len(found) == 1
    return found[0]


def test_exact_items_find_what_words_do_not(out: Path) -> None:
    results = Results.model_validate_json((out / "results.json").read_text(encoding="utf-8"))
    assert [card.name for card in results.domains[0].systems] == ["bm25", "fields", "near", "both", "all"]
    assert figure(results, "fields", "Hit@1") == 1.0
    assert figure(results, "bm25", "Hit@1") < 1.0
    assert set(read_manifest(out).runs) == {f"likes/{name}" for name in ("bm25", "fields", "near", "both", "all")}


def test_a_fused_system_is_the_fusion_of_its_runs(out: Path) -> None:
    collection = open_collection("likes", beside=out.parent)
    queries, documents = collection.queries.ids, collection.documents.ids
    read = {
        name: read_run(out / "runs" / "likes" / f"{name}.jsonl.gz", queries, documents, name)
        for name in ("bm25", "fields", "near", "both", "all")
    }
    both = fuse_runs([read["bm25"], read["fields"]])
    every = fuse_runs([read["both"], read["near"]], "minmax", (2, 1))
    for expected, name in ((both, "both"), (every, "all")):
        assert np.array_equal(expected.offsets, read[name].offsets)
        assert np.array_equal(expected.document, read[name].document)
        assert np.array_equal(expected.score, read[name].score)


def test_what_was_made_is_made_once_and_the_same_again(likes: Path, tmp_path: Path) -> None:
    run(likes, tmp_path / "one")
    first = (tmp_path / "one" / "results.json").read_bytes()
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "one" / "runs").rglob("*.gz")}
    run(likes, tmp_path / "one", resume=True)
    assert {path: path.stat().st_mtime_ns for path in written} == written
    assert (tmp_path / "one" / "results.json").read_bytes() == first
    run(likes, tmp_path / "two")
    assert (tmp_path / "two" / "results.json").read_bytes() == first


def test_a_fusion_is_made_again_where_one_of_its_runs_changed(likes: Path, tmp_path: Path, out: Path) -> None:
    before = read_manifest(out).runs
    changed = STUDY.replace('name = "bm25"\nretriever = "lexical"', 'name = "bm25"\nretriever = "lexical"\nk1 = 0.4')
    assert changed != STUDY
    likes.write_text(changed, encoding="utf-8")
    run(likes, tmp_path / "again")
    after = read_manifest(tmp_path / "again").runs
    same = {name: before[name].key == after[name].key for name in before}
    assert same == {
        "likes/bm25": False,
        "likes/fields": True,
        "likes/near": True,
        "likes/both": False,
        "likes/all": False,
    }


def test_a_lost_run_of_a_fusion_is_made_again(likes: Path, tmp_path: Path) -> None:
    run(likes, tmp_path / "out")
    first = (tmp_path / "out" / "results.json").read_bytes()
    for name in ("fields", "all"):
        (tmp_path / "out" / "runs" / "likes" / f"{name}.jsonl.gz").unlink()
    (tmp_path / "out" / "results.json").unlink()
    run(likes, tmp_path / "out", resume=True)
    assert (tmp_path / "out" / "results.json").read_bytes() == first


def test_the_folder_verifies(out: Path) -> None:
    found = verify(out)
    assert list(found.findings) == []
    assert found.figures == 10


def test_a_gate_on_a_fused_system_runs_what_it_is_made_of(likes: Path, tmp_path: Path, out: Path) -> None:
    tier = next(iter(open_collection("likes", beside=tmp_path).tiers))
    results = Results.model_validate_json((out / "results.json").read_text(encoding="utf-8"))
    hit = figure(results, "all", "Hit@1")
    likes.write_text(STUDY + GATE.format(f"all.{tier}.all.hit@1", hit), encoding="utf-8")
    results = run(likes, tmp_path / "held")
    assert [gate.status for gate in results.gates] == ["passed"]
    assert list(verify(tmp_path / "held").findings) == []
    likes.write_text(STUDY + GATE.format(f"both.{tier}.all.hit@1", 0.123), encoding="utf-8")
    with pytest.raises(CheckFailed, match="both"):
        run(likes, tmp_path / "stopped")
    made = {path.name for path in (tmp_path / "stopped" / "runs").rglob("*.gz")}
    assert made == {"bm25.jsonl.gz", "fields.jsonl.gz", "both.jsonl.gz"}


def test_the_page_names_the_systems(out: Path) -> None:
    page = (out / "report.html").read_text(encoding="utf-8")
    for label in ("exact items, rules", "everything together", ">both<", ">bm25<"):
        assert label in page


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('of = ["bm25", "fields"]', 'of = ["bm25", "field"]', "no system 'field' above 'both'. Did you mean 'fields'"),
        ('of = ["bm25", "fields"]', 'of = ["bm25", "all"]', "there is no system 'all' above 'both'"),
        ('of = ["bm25", "fields"]', 'of = ["bm25", "both"]', "there is no system 'both' above 'both'"),
        ('of = ["bm25", "fields"]', 'of = ["bm25", "bm25"]', "a system is named twice"),
        ('of = ["bm25", "fields"]', 'of = ["bm25"]', "at least 2"),
        ('of = ["bm25", "fields"]', 'of = "bm25"', "tuple"),
        ("weights = [2, 1]", "weights = [2]", "1 weights for 2 systems"),
        ("weights = [2, 1]", "weights = [0, 0]", "weights are 0 or more"),
        ("weights = [2, 1]", "weights = [inf, 1]", "finite"),
        ('kind = "minmax"', 'kind = "max"', "'rrf'"),
        ('model = "small"\nfuse = "rrf"', 'fuse = "rrf"', "fuse = 'rrf' and names no model"),
        ('model = "small"\nfuse = "rrf"\nweights = [1, 2]', 'clauses = "knn"', 'clauses = "knn" and names no model'),
        ('fuse = "rrf"', 'fuse = "rrf"\nclauses = "lex"', "`clauses` keeps lex alone"),
        ("weights = [1, 2]", "weights = [1, 2, 3]", "at most 2"),
        ("weights = [1, 2]", "weights = [-1, 2]", "weights are 0 or more"),
        ("weights = [1, 2]", 'rewrite = "model"', "a table `rewriter`"),
        ("weights = [1, 2]", 'form = "field"', "'text' or 'fields'"),
        ("weights = [1, 2]", "patern = '(.*)'", "Did you mean 'pattern'"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    assert old in STUDY
    with pytest.raises(StudyProblem) as caught:
        parse_study(STUDY.replace(old, new), "likes.toml")
    message = str(caught.value)
    assert said in message
    assert message.startswith("likes.toml:")


def test_a_rewriter_whose_settings_are_wrong_is_refused_without_its_key() -> None:
    told = 'rewrite = "model"\nrewriter = {kind = "endpoint", base_url = "http://u:sk-secret@h/v1", modle = "m"}'
    with pytest.raises(StudyProblem) as caught:
        parse_study(STUDY.replace("weights = [1, 2]", told), "likes.toml")
    assert "base_url" in str(caught.value)
    assert "sk-secret" not in str(caught.value)


def test_controls_that_look_at_the_same_words_have_different_names() -> None:
    def entry(reranker: str) -> RerankerEntry:
        return RerankerEntry.model_validate({"name": "one", "reranker": reranker, "tokens": "numbers"})

    assert control_tokens(entry("lexical")) == "numbers"
    assert control_tokens(entry("signature")) == "signature:numbers"
    assert control_tokens(RerankerEntry(name="plain", reranker="lexical")) == "all"
