"""Properties of queries in columns."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from askance.core.errors import FileProblem
from askance.data.formats.query_columns import read_query_columns

TSV = "query\tkind\tlength\nq1\twhat\tshort\nq2\thow\t\nq#3\twho, when\tlong\n"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "columns"
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    "text",
    [
        TSV,
        "\ufeff" + TSV.replace("\n", "\r\n"),
        'kind,Query_ID,length\nwhat,q1,short\n\nhow,q2,\n"who, when",q#3,long\n',
        '{"_id": "q1", "kind": "what", "length": "short"}\n{"_id": "q2", "kind": "how", "length": null}\n'
        '{"length": "long", "_id": "q#3", "kind": "who, when"}\n',
    ],
)
def test_all_forms_say_the_same(tmp_path: Path, text: str) -> None:
    found = read_query_columns(written(tmp_path, text))
    assert list(found.queries) == ["q1", "q2", "q#3"]
    assert found.columns["kind"] == {"q1": "what", "q2": "how", "q#3": "who, when"}
    assert found.aligned("length", ["q#3", "q2", "q9"]) == ["long", None, None]


def test_numbers_and_truth_values_are_text(tmp_path: Path) -> None:
    found = read_query_columns(written(tmp_path, '{"query": 7, "group": 3, "hard": true, "length": 0.5}\n'))
    assert found.columns == {"group": {"7": "3"}, "hard": {"7": "True"}, "length": {"7": "0.5"}}
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(TSV.encode()))
    assert list(read_query_columns(packed).columns) == ["kind", "length"]


def test_the_column_of_groups(tmp_path: Path) -> None:
    assert read_query_columns(written(tmp_path, "qid,stem\nq1,a\n")).group_column() == "stem"
    assert read_query_columns(written(tmp_path, "qid,kind,Group\nq1,a,b\n")).group_column() == "Group"
    with pytest.raises(FileProblem, match="none of its columns is called group: 'kind', 'length'"):
        read_query_columns(written(tmp_path, TSV)).group_column()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no properties"),
        ("query\n", "no properties"),
        ("query\nq1\n", "no properties"),
        ("q1\tg1\nq2\tg1\n", r"columns:1: no column is called query"),
        ("query,a,a\nq1,x,y\n", r"columns:1: two columns have one name"),
        ("query,a\nq1,x\nq2\n", r"columns:3: 1 columns, expected 2: query, a"),
        ("query,a\nq1,x\n,y\n", r"columns:3: a row without a query"),
        ("query,a\nq1,x\nq1,y\n", r"columns:3: query 'q1' occurs again; it was first on line 2"),
        ('{"a": 1}\n', r"columns:1: the record has no query"),
        ('{"query": "q", "a": [1]}\n', r"columns:1: the value of 'a' is no text"),
    ],
)
def test_what_cannot_be_read_says_where(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FileProblem, match=said):
        read_query_columns(written(tmp_path, text))
