"""askance probe as a stranger types it."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import lines_of
from tests.diagnose.probe.fakes import VERBS, household
from tests.inside import Typed

PROGRAM = """\
import json, sys
corpus, queries, run = sys.argv[1:]
VERBS = {verbs!r}
documents = [json.loads(line) for line in open(corpus, encoding="utf-8")]
with open(run, "w", encoding="utf-8") as out:
    for line in open(queries, encoding="utf-8"):
        query = json.loads(line)
        asked = {{verb for verb in VERBS if verb in query["text"].lower()}}
        scored = [(sum(verb in one["text"] for verb in asked), -at, one["_id"]) for at, one in enumerate(documents)]
        for rank, (score, _, name) in enumerate(sorted(scored, reverse=True), 1):
            print(query["_id"], "Q0", name, rank, score - rank / 1e6, "verbs", file=out)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the collection `tasks`, a study, and a program that reads verbs only."""
    folder = tmp_path_factory.mktemp("probe")
    made = household()
    tasks = folder / "tasks"
    (tasks / "qrels").mkdir(parents=True)
    for name, texts in (("corpus", made.documents), ("queries", made.queries)):
        rows = zip(texts.ids, texts.field("text"), strict=True)
        lines_of(tasks / f"{name}.jsonl", [{"_id": id, "text": text} for id, text in rows])
    judgments = made.tier("strict").judgments
    lines = [
        f"{query}\t{judgments.documents[document]}\t1\n"
        for at, query in enumerate(judgments.queries)
        for document in judgments.of_query(at)[0].tolist()
    ]
    (tasks / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines), encoding="utf-8")
    (folder / "verbs.py").write_text(PROGRAM.format(verbs=VERBS), encoding="utf-8")
    (folder / "study.toml").write_text(
        '[study]\nname = "s"\nseed = 5\n[models.fake]\nembedder = "fake"\n[domains.d]\ncollection = "tasks"\n'
        '[[domains.d.systems]]\nname = "bm25"\nretriever = "lexical"\n'
        '[[domains.d.systems]]\nname = "near"\nretriever = "dense"\nmodel = "fake"\n'
        '[[domains.d.systems]]\nname = "both"\nretriever = "fused"\nof = ["bm25", "near"]\n',
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder, as the current one."""
    monkeypatch.chdir(folder)
    return folder


def test_the_table_and_the_page(typed: Typed, place: Path) -> None:
    done = typed("probe", "tasks", "--html", "probe.html", columns=100)
    assert done.code == 0, done.err
    assert done.widest <= 100
    said = " ".join(done.out.split())
    assert "what lexical reads" in said
    assert "all of it changed" in said
    assert "though the answer stays" in said
    assert "Blind spots to expect:" in said
    page = (place / "probe.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "<script" not in page


def test_a_command_is_probed(typed: Typed, place: Path) -> None:
    command = f"{sys.executable} verbs.py tasks/corpus.jsonl {{queries}} {{run}}"
    done = typed("probe", "tasks", "--command", command, "--json")
    assert done.code == 0, done.err
    found = done.json
    assert found["schema"] == "askance/probe/1"
    bill = {line["class"]: line for line in found["bill"]}
    assert bill["structure"]["reading"] == "follows"
    still = [line for line in found["bill"] if line["label"].startswith("words like")]
    assert len(still) == 2
    assert {(line["reading"], line["estimate"]["value"]) for line in still} == {("holds still", 0.0)}
    assert found["blind_spots"][0]["estimate"]["value"] == 0


def test_the_systems_of_a_study(typed: Typed, place: Path) -> None:
    done = typed("probe", "study.toml#d", "--format", "csv", "--documents", "0")
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["system"] for row in rows} == {"bm25", "near", "both"}
    one = typed("probe", "study.toml#d", "--system", "near", "--edit", "documents", "--json")
    found = one.json
    assert ({line["system"] for line in found["bill"]}, found["edited"], found["seed"]) == ({"near"}, "documents", 5)
    assert next(line for line in found["controls"] if line["class"] == "nothing")["estimate"]["value"] == 0


def test_the_rerankers_of_a_study(typed: Typed, place: Path) -> None:
    """A system that always answers alike, and what a lexical and a signature reranker read over it."""
    text = (
        '[study]\nname = "s"\n[domains.d]\ncollection = "tasks"\n'
        '[[domains.d.systems]]\nname = "same"\nretriever = "constant"\n'
        '[[domains.d.systems]]\nname = "bm25"\nretriever = "lexical"\n'
        '[[domains.d.rerankers]]\nname = "words"\nlabel = "by words"\nreranker = "lexical"\nfirst = 120\n'
        'over = ["same"]\n'
        '[[domains.d.rerankers]]\nname = "numbers"\nreranker = "signature"\ntokens = "numbers"\n'
    )
    (place / "reranked.toml").write_text(text, encoding="utf-8")
    found = typed("probe", "reranked.toml#d", "--documents", "0", "--json").json
    of = {name: {line["class"]: line for line in found["bill"] if line["system"] == name} for name in
          ("same", "bm25", "same+words", "same+numbers", "bm25+numbers")}  # fmt: skip
    assert {line["system"] for line in found["bill"]} == set(of)
    assert of["same"]["structure"]["estimate"]["value"] == 0
    assert of["same+words"]["structure"]["estimate"]["value"] > 0.1
    assert of["same+numbers"]["structure"]["estimate"]["value"] == 0
    assert of["bm25+numbers"]["structure"]["estimate"] == of["bm25"]["structure"]["estimate"]
    done = typed("probe", "reranked.toml#d", "--system", "same+words", "--edit", "documents", columns=100)
    assert done.code == 0, done.err
    assert "what constant + by words reads" in done.out or "what same + by words reads" in done.out
    done = typed("probe", "reranked.toml#d", "--system", "bm25+words")
    assert done.code == 2
    assert "bm25+numbers" in done.err


@pytest.mark.parametrize("queries", [True, False], ids=["queries", "no queries"])
def test_a_new_corpus_without_judgments(typed: Typed, place: Path, tmp_path: Path, queries: bool) -> None:
    """Blind spots per kind, with interval and how many were sought, on the day the corpus is there."""
    for name in ("corpus", *(["queries"] if queries else [])):
        (tmp_path / f"{name}.jsonl").write_bytes((place / "tasks" / f"{name}.jsonl").read_bytes())
    command = f"{sys.executable} verbs.py tasks/corpus.jsonl {{queries}} {{run}}"
    done = typed("probe", str(tmp_path), "--command", command, columns=100)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "without judgments" in said
    assert ("its own documents are asked" in said) is not queries
    assert "all documents 0.0 0.0–3.6 100" in said  # of n none missed: 1 − 0.025^(1/n), exact
    for verb in VERBS:
        assert f"{verb} some … and put it in … 0.0 0.0–" in said
    assert "Blind spots to expect: 0.0 % (0.0–3.6) of the documents" in said
    found = typed("probe", str(tmp_path), "--json").json
    assert found["tier"] is None
    assert len(found["blind_spots"]) == 4
    assert all(line["estimate"]["n"] >= 20 for line in found["blind_spots"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--command", "prog {queries}"], "does not say where {run} goes"),
        (["--command", "no-such-program-here {queries} {run}"], "no-such-program-here cannot be run"),
        (["--command", "true {queries} {run}"], "was not written by true"),
        (["--command", "false {queries} {run}"], "false ended with 1"),
        (["--command", "true {queries} {run}", "--edit", "documents"], "documents cannot be edited"),
        (["--command", "true {queries} {run}", "--model", "fake"], "a command and a model are given"),
        (["--retriever", "dense"], "a dense retriever needs a model"),
        (["--retriever", "lexcal"], "Did you mean 'lexical'?"),
        (["--system", "bm25"], "a system is named, but no study"),
        (["--field", "txt"], "Did you mean 'text'?"),
    ],
)
def test_bad_input(typed: Typed, place: Path, arguments: list[str], said: str) -> None:
    done = typed("probe", "tasks", *arguments)
    assert done.code == 2, done.out
    assert said in done.err
    assert "Traceback" not in done.err
