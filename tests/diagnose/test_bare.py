"""Run files and texts that do not belong together, or are not read whole: said, or an error where nothing fits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.diagnose.planting import FAULTY, PLANTERS

from askance.app.diagnose import diagnose
from askance.core.errors import DataProblem
from askance.diagnose.bare import bare_case
from askance.diagnose.filter_values import written


def files(folder: Path, listed: str) -> dict[str, Any]:
    texts = {
        "corpus": '{"_id": "d1", "text": "one"}\n{"_id": "d2", "text": "two"}\n',
        "queries": '{"_id": "q", "text": "one"}\n',
        "qrels": "q 0 d1 1\n",
        "run": listed,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}


@pytest.mark.parametrize(
    ("listed", "notes"),
    [
        ("q Q0 d1 1 2 x\n", ()),
        (
            "q Q0 d1 1 2 x\nq Q0 away 2 1 x\n",
            ("run: 1 of 2 rows name documents that --corpus does not have, as 'away'.",),
        ),
    ],
)
def test_documents_that_the_corpus_has_not_are_counted(listed: str, notes: tuple[str, ...], tmp_path: Path) -> None:
    told = files(tmp_path, listed)
    run = told.pop("run")
    assert tuple(bare_case([run], **told).notes) == notes


def test_a_run_of_another_corpus_is_an_error(tmp_path: Path) -> None:
    told = files(tmp_path, "q Q0 away 1 1 x\n")
    run = told.pop("run")
    with pytest.raises(DataProblem, match="lists no document of --corpus; its first one is 'away'"):
        bare_case([run], **told)


@pytest.mark.parametrize("nested", [{"language": "en"}, {"year": 2001}, {"open": True}, {"at": 20240101}])
def test_filters_on_values_inside_metadata_are_found(nested: dict[str, object], tmp_path: Path) -> None:
    """Gold of six queries has another value than what is let through, and stands in no list."""
    [(key, value)] = nested.items()
    others: dict[str, str | float | bool] = {"language": "de", "year": 1999, "open": False, "at": 20240102}
    other = others[key]
    told = PLANTERS["filter"](tmp_path, 1)
    corpus = Path(told["corpus"])
    records = [json.loads(line) for line in corpus.read_text().splitlines()]
    for record in records:
        record["metadata"] = {key: value if record.pop("language") == "en" else other}
    corpus.write_text("".join(json.dumps(record) + "\n" for record in records))
    [fall] = diagnose(**told).domains[0].waterfalls
    assert len(fall.of("filter")) >= FAULTY - 1
    assert any(written(other) in fate.why for fate in fall.of("filter"))


def test_what_is_dropped_of_the_texts_is_counted(tmp_path: Path) -> None:
    told = files(tmp_path, "q Q0 d1 1 2 x\n")
    run = told.pop("run")
    told["corpus"].write_text(
        '{"_id": "d1", "text": "one", "metadata": {"tags": ["a"], "year": 1999}}\n'
        '{"_id": "d2", "text": "", "pages": 3, "parts": {"a": 1}}\n'
    )
    told["queries"].write_text('{"_id": "q", "text": "one", "rank": 3, "metadata": {"tags": ["a"]}}\n')
    case = bare_case([run], **told)
    assert case.filters == {"year": ("1999", ""), "pages": ("", "3")}
    assert case.notes == (
        "--corpus: documents with an empty text: 1.",
        "No filter asks for keys that hold lists, objects or null: 'tags' (1), 'parts' (1), by documents that have "
        "them.",
        "--queries: values in queries' 'metadata' left out (neither text nor number): 1.",
        "--queries: queries whose 'rank' is left out (it is not text): 1.",
    )


def test_a_value_that_no_index_takes_is_told(tmp_path: Path) -> None:
    told = files(tmp_path, "q Q0 d1 1 2 x\n")
    run = told.pop("run")
    told["corpus"].write_text('{"_id": "d1", "text": "one", "a": "x", "metadata": {"a": "y"}}\n')
    dropped, note = bare_case([run], **told).notes
    assert dropped == "--corpus: documents whose 'metadata' is left out (it is not text): 1."
    assert note.startswith("No filter is looked for in what an index refuses: ")
    assert "corpus:1: 'a' stands both beside the text and in 'metadata', with two values" in note


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("", "run 'run' lists no document for any query: 2 queries are judged, as 'q'"),
        ("x9 Q0 d1 1 1 x\n", "run 'run': no query of the run is judged: it has 'x9'; the judgments have 'q', 'r'"),
    ],
)
def test_a_run_that_answers_nothing_is_an_error(listed: str, said: str, tmp_path: Path) -> None:
    told = files(tmp_path, listed)
    told["qrels"].write_text("q 0 d1 1\nr 0 d1 1\n")
    run = told.pop("run")
    with pytest.raises(DataProblem, match=re.escape(said)):
        bare_case([run], **told)


def test_a_run_that_answers_some_queries_is_told(tmp_path: Path) -> None:
    told = files(tmp_path, "q Q0 d1 1 2 x\nx9 Q0 d1 1 2 x\n")
    told["qrels"].write_text("q 0 d1 1\nr 0 d1 1\n")
    run = told.pop("run")
    assert bare_case([run], **told).notes == (
        "run: 1 of 2 judged queries have no list, as 'r'; their gold counts as not retrieved, unless another cause is "
        "found.",
        "run: 1 of 2 queries are not judged nor in --queries, as 'x9'.",
    )
