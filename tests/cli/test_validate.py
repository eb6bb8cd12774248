"""`askance validate`: everything wrong or odd is said, with file, line and remedy; nothing is evaluated."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from askance.app.validate import validate
from askance.core.errors import BadInput
from askance.core.progress import Recorder
from askance.data.validation import ValidatedFile
from askance.report.validate_tables import files_grid, problem_lines, problems_grid

GOOD = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n"
BAD = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 nan t\nq1 Q0 d3 3\nq1 Q0 d1 4 0.5 t\n"
QRELS = "q1 0 d1 1\n"
CORPUS = '{"_id": "d1", "text": "one"}\n{"_id": "d2", "text": ""}\n'
QUERIES = '{"_id": "q1", "text": "what?"}\n'


def put(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


def askance(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "askance", "validate", *arguments]
    environment = {**os.environ, "COLUMNS": "100"}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False)


def one(path: Path, content: str, qrels: Path | None = None) -> ValidatedFile:
    return validate([put(path, content)], qrels=qrels).files[-1]


def test_exit_codes_and_what_is_printed(tmp_path: Path) -> None:
    put(tmp_path / "good", GOOD)
    put(tmp_path / "bad", BAD)
    fine = askance("good", cwd=tmp_path)
    assert (fine.returncode, "1 file: 0 errors, 0 warnings" in fine.stdout) == (0, True)
    wrong = askance("good", "bad", cwd=tmp_path)
    assert wrong.returncode == 2
    assert "error: bad:2: the score 'nan' is no finite number" in wrong.stdout
    assert "the line reads: 'q1 Q0 d3 3'" in wrong.stdout
    assert "2 files: 3 errors, 0 warnings" in wrong.stdout
    assert "Traceback" not in wrong.stdout + wrong.stderr


def test_warnings_alone_exit_with_0(tmp_path: Path) -> None:
    put(tmp_path / "odd", "q1 Q0 d1 1 1.0 one\nq1 Q0 d2 2 2.0 two\n")
    done = askance("odd", cwd=tmp_path)
    assert done.returncode == 0
    assert "warning: odd: the rank column contradicts the scores" in done.stdout
    assert "1 file: 0 errors, 2 warnings" in done.stdout


def test_the_machine_form(tmp_path: Path) -> None:
    put(tmp_path / "bad", BAD)
    done = askance("bad", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout) == {
        "schema": "askance/validate/1",
        "files": [
            {
                "name": "bad",
                "kind": "run",
                "form": "TREC",
                "rows": 1,
                "queries": 1,
                "documents": 1,
                "problems": [
                    {
                        "severity": "error",
                        "line": line,
                        "text": text,
                        "reads": BAD.splitlines()[line - 1],
                        "remedy": remedy,
                        "count": 1,
                    }
                    for line, text, remedy in (
                        (2, "the score 'nan' is no finite number", "Scores must be finite numbers."),
                        (
                            3,
                            "4 columns, expected 6: query, Q0, document, rank, score and tag",
                            "Was the line cut? Write all columns, parted by spaces or tabs.",
                        ),
                        (
                            4,
                            "query 'q1' and document 'd1' occur again, with the score 0.5; line 1 has them with 2.0",
                            "Keep one row per query and document.",
                        ),
                    )
                ],
            }
        ],
    }


def test_one_table_for_machines(tmp_path: Path) -> None:
    put(tmp_path / "good", GOOD)
    put(tmp_path / "bad", BAD)
    rows = list(csv.DictReader(io.StringIO(askance("good", "bad", "--format", "csv", cwd=tmp_path).stdout)))
    assert [(row["file"], row["severity"], row["line"]) for row in rows] == [
        ("good", "fine", ""),
        ("bad", "error", "2"),
        ("bad", "error", "3"),
        ("bad", "error", "4"),
    ]


def test_nothing_to_validate_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no file"):
        validate([])
    done = askance(cwd=tmp_path)
    assert done.returncode == 2
    assert "Name at least one." in done.stderr


@pytest.mark.parametrize(
    ("content", "kind", "form", "counts"),
    [
        (GOOD, "run", "TREC", (2, 1, 2)),
        (QRELS, "qrels", "TREC", (1, 1, 1)),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "qrels", "TSV", (1, 1, 1)),
        ("query,document,score\nq,d,1\n", "run", "CSV", (1, 1, 1)),
        (CORPUS, "texts", "JSON lines", (2, 0, 2)),
        ("\n", "unknown", "", (0, 0, 0)),
    ],
)
def test_every_kind_of_file(tmp_path: Path, content: str, kind: str, form: str, counts: tuple[int, int, int]) -> None:
    found = one(tmp_path / "file", content)
    assert (found.kind, found.form, (found.rows, found.queries, found.documents)) == (kind, form, counts)


def test_a_folder_is_a_collection(chores: Path) -> None:
    found = validate([chores]).files[0]
    assert (found.kind, found.form, found.queries, found.documents) == ("collection", "BEIR", 15, 45)
    assert found.rows > 0
    put(chores / "queries.jsonl", "{}\n")
    broken = validate([chores])
    assert broken.exit_code == 2
    assert "queries.jsonl:1" in broken.files[0].problems[0].text


@pytest.mark.parametrize("missing", ["nothing", "no/such/file"])
def test_a_file_that_is_not_there(tmp_path: Path, missing: str) -> None:
    found = validate([tmp_path / missing])
    assert found.exit_code == 2
    assert found.files[0].problems[0].text == "there is no such file"


def test_texts_that_are_broken(tmp_path: Path) -> None:
    found = one(tmp_path / "corpus", CORPUS + '{"_id": "d1", "text": "again"}\n')
    assert found.problems[0].line == 3
    assert "first on line 1" in found.problems[0].text
    assert one(tmp_path / "corpus", CORPUS).problems[0].text == "1 documents with an empty text"


def test_runs_are_held_against_judgments(tmp_path: Path) -> None:
    qrels = put(tmp_path / "qrels", QRELS + "q2 0 d2 1\n")
    found = validate([put(tmp_path / "run", GOOD + "q3 Q0 d1 1 1.0 t\n")], qrels=qrels)
    assert [file.kind for file in found.files] == ["qrels", "run"]
    assert [problem.text for problem in found.files[1].problems] == [
        "1 queries of the run have no judgments: 'q3'",
        "1 judged queries are not in the run: 'q2'",
    ]
    assert found.exit_code == 0


def test_a_run_of_another_collection_is_an_error(tmp_path: Path) -> None:
    found = one(tmp_path / "run", "12 Q0 d9 1 1.0 t\n", qrels=put(tmp_path / "qrels", "12.1 0 d1 1\n"))
    assert found.problems[0].severity == "error"
    assert "it has '12'; the judgments have '12.1'" in found.problems[0].text


def test_identifiers_that_no_text_has_are_errors(tmp_path: Path) -> None:
    corpus, queries = put(tmp_path / "corpus", CORPUS), put(tmp_path / "queries", QUERIES)
    qrels = put(tmp_path / "qrels", "q1 0 d1 1\nq7 0 d8 1\n")
    found = validate([put(tmp_path / "run", GOOD)], qrels=qrels, corpus=corpus, queries=queries)
    assert [file.kind for file in found.files] == ["texts", "texts", "qrels", "run"]
    assert [problem.text for problem in found.files[2].problems] == [
        "1 documents are not in the corpus: 'd8'; it has 'd1', 'd2'",
        "1 queries are not in the file of queries: 'q7'; it has 'q1'",
    ]
    assert found.files[3].count("error") == 0
    assert found.exit_code == 2


def test_a_collection_serves_as_corpus_and_queries(chores: Path, tmp_path: Path) -> None:
    run = put(tmp_path / "run", "q-scrub-bucket Q0 scrub-bucket-barn 1 1.0 t\nnobody Q0 nothing 1 1.0 t\n")
    found = validate([run], corpus=chores, queries=chores).files[-1]
    assert [problem.text.partition(";")[0] for problem in found.problems if problem.severity == "error"] == [
        "1 documents are not in the corpus: 'nothing'",
        "1 queries are not in the file of queries: 'nobody'",
    ]


def test_the_kind_can_be_told(tmp_path: Path) -> None:
    path = put(tmp_path / "file", "query-id\tcorpus-id\tscore\nq\td\t0.5\n")
    assert validate([path]).files[0].kind == "qrels"
    assert validate([path], kind="run").files[0].kind == "run"
    assert validate([put(tmp_path / "run", GOOD)], kind="qrels").exit_code == 2


def test_who_watches_is_told(tmp_path: Path) -> None:
    recorder = Recorder()
    validate([put(tmp_path / "run", GOOD)], qrels=put(tmp_path / "qrels", QRELS), progress=recorder)
    assert recorder.events == [
        ("start", "reading", 2),
        ("advance", "reading", 1),
        ("advance", "reading", 1),
        ("finish", "reading", None),
    ]


def test_tables_say_the_same(tmp_path: Path) -> None:
    found = validate([put(tmp_path / "bad", BAD)])
    assert [list(row) for row in files_grid(found).rows] == [["bad", "run, TREC", "1", "1", "1", "3", "0"]]
    assert len(problems_grid(found).rows) == 3
    lines = list(problem_lines(found))
    assert lines[-1] == "1 file: 3 errors, 0 warnings"
    assert any(line.endswith(":2: the score 'nan' is no finite number") for line in lines)


def test_the_runs_of_a_track(shared_data: Path) -> None:
    folder = shared_data / "trec_dl_runs" / "dl2021"
    runs = sorted((folder / "runs_top100").glob("*.gz"))[::20]
    found = validate(runs, qrels=folder / "qrels-pass.txt")
    assert found.errors == 0
    assert [file.queries for file in found.files[1:]] == [53] * len(runs)
