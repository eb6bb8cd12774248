"""Runs as JSON lines: the same scores, the same bytes, and nothing taken on trust."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import FileProblem
from askance.data.formats.runs import read_run, write_run
from askance.data.ids import Ids
from askance.data.run import Run

QUERIES, DOCUMENTS = Ids(["q1", "q2", "q3"]), Ids(["Geneva Durben", "d2", "d\t3"])
RUN = Run.of("r", QUERIES, DOCUMENTS, {"q1": [("d2", 0.1 + 0.2), ("Geneva Durben", 7.0)], "q3": [("d\t3", -0.0)]})

scores = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=6)


def test_a_line_per_query_in_their_order(tmp_path: Path) -> None:
    write_run(RUN, tmp_path / "run.jsonl")
    assert (tmp_path / "run.jsonl").read_text().splitlines() == [
        '{"query": "q1", "hits": [["d2", 0.30000000000000004], ["Geneva Durben", 7.0]]}',
        '{"query": "q2", "hits": []}',
        '{"query": "q3", "hits": [["d\\t3", -0.0]]}',
    ]


@settings(deadline=None)
@given(st.data())
def test_runs_come_back_bit_for_bit(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    queries = Ids(data.draw(st.lists(texts, unique=True, min_size=1, max_size=4)))
    documents = Ids(data.draw(st.lists(texts, unique=True, min_size=1, max_size=6)))
    lists = {
        query: [
            (name, data.draw(scores)) for name in data.draw(st.lists(st.sampled_from(documents.names), unique=True))
        ]
        for query in queries
    }
    run = Run.of("any", queries, documents, lists)
    path = tmp_path_factory.mktemp("run") / data.draw(st.sampled_from(["run.jsonl", "run.jsonl.gz"]))
    write_run(run, path)
    read = read_run(path, queries, documents, "any")
    assert (read.name, read.queries, read.documents) == (run.name, run.queries, run.documents)
    assert np.array_equal(read.offsets, run.offsets)
    assert np.array_equal(read.document, run.document)
    assert read.score.tobytes() == run.score.tobytes()


def test_the_bytes_depend_on_nothing_but_the_run(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl.gz", tmp_path / "deeper" / "other.jsonl.gz"
    write_run(RUN, one)
    os.utime(one, (0, 0))
    write_run(Run.of("another name", QUERIES, DOCUMENTS, {"q3": [("d\t3", -0.0)], "q1": RUN_Q1}), other)
    assert one.read_bytes() == other.read_bytes()
    assert one.read_bytes()[:2] == b"\x1f\x8b"
    assert one.read_bytes()[4:8] == bytes(4), "no time in the header"
    assert not one.read_bytes()[3], "no name in the header"


RUN_Q1 = [("d2", 0.1 + 0.2), ("Geneva Durben", 7.0)]


def test_packed_or_not_is_told_by_the_bytes(tmp_path: Path) -> None:
    line = json.dumps({"query": "q2", "hits": [["d2", 1]]}).encode()
    for name, content in (("a.jsonl.gz", line), ("b.jsonl", gzip.compress(line)), ("c.jsonl", b"\xef\xbb\xbf" + line)):
        (tmp_path / name).write_bytes(content)
        run = read_run(tmp_path / name, QUERIES, DOCUMENTS, "r")
        assert run.matrix(1).tolist() == [[-1], [1], [-1]]


@pytest.mark.parametrize(
    ("lines", "line", "said"),
    [
        (['{"query": "q1", "hits": [["d2", 1.0], ["d2", 0.5]]}'], 1, "'d2' again"),
        (['{"query": "q1", "hits": []}', "", '{"query": "q1", "hits": []}'], 3, "first on line 1"),
        (['{"query": "q1", "hits": [["d2", NaN]]}'], 1, "NaN"),
        (['{"query": "q1", "hits": [["d2", 1e999]]}'], 1, "the score of hit 1, 'd2', is Infinity"),
        (['{"query": "q1", "hits": [["d2", 1' + "0" * 400 + "]]}"], 1, "the score of hit 1"),
        (['{"query": "q1", "hits": [["d2", "1.0"]]}'], 1, "the score of hit 1"),
        (['{"query": "q1", "hits": [["d2", true]]}'], 1, "the score of hit 1"),
        (['{"query": "q1", "hits": [["d2"]]}'], 1, "hit 1 is"),
        (['{"query": "q1", "hits": [[2, 1.0]]}'], 1, "hit 1 is"),
        (['{"query": "q1"}'], 1, '"hits" is missing'),
        (['{"query": 1, "hits": []}'], 1, "'query'"),
        (["[]"], 1, "expected an object"),
        (['{"query": "q1", "hits": []}', '{"query": "q1", "hi'], 2, "not valid JSON"),
        (['{"query": "q1", "hits": []}', '{"query": "q9", "hits": []}'], 2, "query 'q9' is not in the collection"),
        (['{"query": "q1", "hits": [["d2", 1]]}', '{"query": "q2", "hits": [["x", 1]]}'], 2, "document 'x'"),
        (['{"query": "q1", "hits": [["x", 1]]}', '{"query": "q2", "hits": [["x", 1]]}'], 1, "it names 'x'"),
    ],
)
def test_what_is_wrong_says_where(tmp_path: Path, lines: list[str], line: int, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(FileProblem) as caught:
        read_run(path, QUERIES, DOCUMENTS, "r")
    assert caught.value.line == line
    assert said in str(caught.value)
    assert caught.value.remedy


def test_a_packed_run_that_was_cut_is_not_read(tmp_path: Path) -> None:
    write_run(RUN, tmp_path / "run.jsonl.gz")
    (tmp_path / "cut.gz").write_bytes((tmp_path / "run.jsonl.gz").read_bytes()[:-9])
    with pytest.raises(FileProblem, match="gzip"):
        read_run(tmp_path / "cut.gz", QUERIES, DOCUMENTS, "r")
