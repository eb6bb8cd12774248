"""askance fix as a stranger types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from tests.inside import Typed

STUDY = """
[study]
name = "plurals"

[domains.one]
collection = "plurals"
[[domains.one.systems]]
name = "constant"
retriever = "constant"
[[domains.one.systems]]
name = "bm25"
retriever = "lexical"
"""


@pytest.fixture(scope="module")
def plurals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a collection whose documents hold what is asked for in the plural, and a study of it."""
    place = tmp_path_factory.mktemp("fix")
    (place / "plurals" / "qrels").mkdir(parents=True)
    things = [f"{a}{b}b" for a in ("ban", "kol", "mip", "rud", "tef", "zog") for b in ("a", "e", "i", "o", "u")]
    corpus = [{"_id": f"d{at}", "text": f"number {at} has {thing}s"} for at, thing in enumerate(things)]
    asked = [{"_id": f"q{at}", "text": thing} for at, thing in enumerate(things)]
    for name, rows in (("corpus", corpus), ("queries", asked)):
        (place / "plurals" / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = "".join(f"q{at}\td{at}\t1\n" for at in range(len(things)))
    (place / "plurals" / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    (place / "study.toml").write_text(STUDY)
    return place


@pytest.fixture
def there(plurals: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(plurals)
    return plurals


def test_a_result_folder_is_mended_and_the_study_that_is_written_runs(there: Path, typed: Typed) -> None:
    assert typed("study", "run", "study.toml", "--out", "out").code == 0
    done = typed("fix", "out", "--system", "bm25", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["schema"] == "askance/fix/1"
    assert told["change"]["systems"][-1]["stemmer"] == "porter"
    assert told["gain"]["value"] == 1.0
    assert told["gain"]["n"] == told["unseen"]["queries"] == 30
    assert told["harmed"] == []
    assert told["index_schema"] is None
    assert {"name", "says", "size", "halves"} <= set(told["candidates"][0])
    assert (there / "out" / "fix.toml").read_text() == told["study"]
    exported = json.loads((there / "out" / "fix.opensearch.json").read_text())
    assert exported["template"]["index_patterns"] == ["one-*"]
    assert exported["query"]["query"] == {"match": {"text": {"query": exported["question"]}}}
    assert typed("study", "run", "out/fix.toml", "--out", "fixed").code == 0
    results = json.loads((there / "fixed" / "results.json").read_text())
    hits = {
        one["system"]: one["estimate"]["value"] for one in results["domains"][0]["figures"] if one["measure"] == "Hit@1"
    }
    assert hits == {"bm25": 0.0, "bm25-changed": 1.0}


def test_a_collection_with_a_retriever_and_words_for_a_reader(there: Path, typed: Typed) -> None:
    done = typed("fix", "plurals", "--retriever", "lexical")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "Change: stem words (porter)." in said
    assert "over 30 queries that did not choose it, p < .001" in said
    assert "It harms no query." in said


def test_a_domain_of_a_study_file_and_a_table_for_machines(there: Path, typed: Typed) -> None:
    done = typed("fix", "study.toml#one", "--system", "bm25", "--format", "csv", "--out", "written")
    assert done.code == 0, done.err
    rows = list(csv.reader(io.StringIO(done.out)))
    assert "stems: porter" in {row[0] for row in rows}
    assert (there / "written" / "fix.toml").is_file()


def test_finding_nothing_is_no_error(there: Path, typed: Typed) -> None:
    (there / "fine.toml").write_text(STUDY.replace('"lexical"', '"lexical"\nstemmer = "porter"'))
    done = typed("fix", "fine.toml#one", "--system", "bm25")
    assert done.code == 0, done.err
    assert "No change gains anything that holds" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("plurals",), "no system is named"),
        (("study.toml#one", "--system", "bm26"), "Did you mean 'bm25'"),
        (("study.toml#one", "--retriever", "lexical"), "a study has its own systems"),
        (("nowhere-at-all", "--retriever", "lexical"), "nowhere-at-all"),
        (("plurals", "--retriever", "lexcal"), "lexical"),
        (("plurals", "--retriever", "dense"), "model"),
        (("plurals", "--retriever", "dense", "--model", "minlm"), "minilm"),
        (("plurals", "--retriever", "lexical", "--measure", "Hitt@1"), "Hit"),
    ],
)
def test_bad_input_says_what_to_do(there: Path, typed: Typed, arguments: tuple[str, ...], said: str) -> None:
    done = typed("fix", *arguments)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err
