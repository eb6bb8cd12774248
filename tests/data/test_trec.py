"""TREC files: real ones, odd ones, and the way back."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import DataProblem, FileProblem
from askance.data.formats.qrels import read_qrels
from askance.data.formats.trec import (
    read_topics,
    read_trec_qrels,
    read_trec_run,
    write_topics,
    write_trec_qrels,
    write_trec_run,
)
from askance.data.ids import Ids
from askance.data.run import Run

# Identifiers as they occur: digits, marks, other scripts, white space that no TREC tool parts columns at.
names = st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=8).filter(
    lambda name: name[0] not in "\ufeff<" and name != "#"
)
grades = st.one_of(st.integers(-3, 5).map(float), st.floats(allow_nan=False, allow_infinity=False))


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("q1 0 d1 1\nq1 0 d2 0\n", {"q1": {"d1": 1.0, "d2": 0.0}}),
        ("q1\t0\td1\t1\r\nq2  Q0   d1    2\r\n", {"q1": {"d1": 1.0}, "q2": {"d1": 2.0}}),
        ("\ufeffq1 0 d1 1", {"q1": {"d1": 1.0}}),
        ("q1 0 d1 0.5\nq1 0 d2 -2\nq1 0 d3 1e0\nq1 0 d4 1.0\n", {"q1": {"d1": 0.5, "d2": -2, "d3": 1, "d4": 1}}),
        ("# a comment\nq1 0 CR#93E 1\n\n#another comment here, five words\n", {"q1": {"CR#93E": 1.0}}),
        ("q1 0 d1 1\n#1 0 d1 1\n", {"q1": {"d1": 1.0}, "#1": {"d1": 1.0}}),
        ("7 0 7 1\n07 0 7 1\n", {"7": {"7": 1.0}, "07": {"7": 1.0}}),
        ("q\u00a01 0 d\u30001 1\n", {"q\u00a01": {"d\u30001": 1.0}}),
        ("q2 0 d1 1\nq1 0 d1 1\nq2 0 d2 1\n", {"q2": {"d1": 1.0, "d2": 1.0}, "q1": {"d1": 1.0}}),
        ("", {}),
    ],
)
def test_qrels_in_their_many_dresses(tmp_path: Path, content: str, expected: dict[str, dict[str, float]]) -> None:
    path = put(tmp_path / "qrels", content)
    assert read_trec_qrels(path) == expected
    assert read_qrels(path) == expected
    assert read_trec_qrels(put(tmp_path / "packed", gzip.compress(content.encode()))) == expected


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("q1 0 d1 1\nq1 0 d1 0\n", 2, "line 1"),
        ("q1 0 d1 1\nq1 0 d1 1\n", 2, "occur again"),
        ("q1 0 d1 1\n\nq1 0 d2 nan\n", 3, "'nan' is no finite number"),
        ("q1 0 d1 -inf\n", 1, "'-inf'"),
        ("q1 0 d1 1e999\n", 1, "'1e999'"),
        ("q1 0 d1 high\n", 1, "'high'"),
        ("q1 0 d1 1_0\n", 1, "'1_0'"),
        ("q1 0 d1 ٣\n", 1, "٣"),
        ("q1 0 d1\n", 1, "3 columns, expected 4"),
        ("q1 0 a document 1\n", 1, "5 columns, expected 4"),
    ],
)
def test_qrels_that_are_wrong_say_where(tmp_path: Path, content: str, line: int, said: str) -> None:
    path = put(tmp_path / "qrels.txt", content)
    with pytest.raises(FileProblem) as caught:
        read_trec_qrels(path)
    assert caught.value.line == line
    assert said in str(caught.value)
    assert f"{path}:{line}" in str(caught.value)
    assert caught.value.remedy


@settings(deadline=None)
@given(st.dictionaries(names, st.dictionaries(names, grades, min_size=1, max_size=4), max_size=4))
def test_qrels_come_back_as_written(
    tmp_path_factory: pytest.TempPathFactory, written: dict[str, dict[str, float]]
) -> None:
    path = tmp_path_factory.mktemp("qrels") / "qrels"
    write_trec_qrels(written, path)
    assert read_trec_qrels(path) == written


@pytest.mark.parametrize("name", ["Geneva Durben", "a\tb", "a\nb", "", "a\u00a0b", "\ud800", "#", "\ufeffa"])
def test_an_identifier_that_no_trec_line_holds_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "out"
    with pytest.raises(DataProblem, match="cannot be written in a TREC file"):
        write_trec_qrels({"q": {name: 1.0}}, path)
    with pytest.raises(DataProblem, match="cannot be written in a TREC file"):
        write_trec_qrels({name: {"d": 1.0}}, path)
    with pytest.raises(DataProblem, match="cannot be written in a TREC file"):
        write_trec_run(Run.of("r", Ids(["q"]), Ids([name]), {"q": [(name, 1.0)]}), path)
    with pytest.raises(DataProblem, match="tag"):
        write_trec_run(Run.of("r", Ids(["q"]), Ids(["d"]), {"q": [("d", 1.0)]}), path, tag=name)
    with pytest.raises(DataProblem, match="cannot be written in a TREC file"):
        write_topics({name: "text"}, path)
    assert list(tmp_path.iterdir()) == []


def test_a_grade_that_is_not_finite_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match="nan"):
        write_trec_qrels({"q": {"d": float("nan")}}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


RUN = "q1 Q0 d1 1 3.5 tag\nq2 Q0 d1 1 1.0 tag\nq1 Q0 d2 2 4.5 tag\nq1 Q0 d3 3 3.5 tag\n"


def test_a_run_is_ordered_by_score_and_ties_keep_the_file_s_order(tmp_path: Path) -> None:
    read = read_trec_run(put(tmp_path / "bm25.txt.gz", gzip.compress(RUN.encode(), mtime=0)))
    run = read.run
    assert run.name == "bm25.txt"
    assert run.queries.names == ("q1", "q2")
    assert run.documents.names == ("d1", "d2", "d3")
    assert [run.documents[d] for d in run.of_query(0)[0]] == ["d2", "d1", "d3"]
    assert run.of_query(0)[1].tolist() == [4.5, 3.5, 3.5]
    assert (read.disagreements, read.unranked, read.tags) == (1, 0, ("tag",))


def test_a_run_over_given_identifiers(tmp_path: Path) -> None:
    queries, documents = Ids(["q0", "q2", "q1"]), Ids(["d3", "d2", "d1", "d0"])
    run = read_trec_run(put(tmp_path / "run", RUN), queries, documents, "mine").run
    assert (run.name, run.queries, run.documents) == ("mine", queries, documents)
    assert run.matrix(3).tolist() == [[-1, -1, -1], [2, -1, -1], [1, 2, 0]]


def test_an_empty_run_retrieved_nothing(tmp_path: Path) -> None:
    path = put(tmp_path / "run", "\n")
    assert len(read_trec_run(path).run) == 0
    assert read_trec_run(path, Ids(["q"]), Ids(["d"])).run.matrix(2).tolist() == [[-1, -1]]


@pytest.mark.parametrize(
    ("rows", "disagreements", "unranked"),
    [
        ([("1", 3.0), ("2", 2.0), ("3", 1.0)], 0, 0),
        ([("0", 3.0), ("1", 3.0), ("2", 1.0)], 0, 0),
        ([("3", 3.0), ("2", 2.0), ("1", 1.0)], 2, 0),
        ([("1", 1.0), ("1", 2.0), ("1", 3.0)], 0, 0),
        ([("-", 1.0), ("2.5", 2.0), ("1", 3.0)], 0, 2),
    ],
)
def test_ranks_that_contradict_scores_are_counted(
    tmp_path: Path, rows: list[tuple[str, float]], disagreements: int, unranked: int
) -> None:
    content = "".join(f"q Q0 d{at} {rank} {score} t{at}\n" for at, (rank, score) in enumerate(rows))
    read = read_trec_run(put(tmp_path / "run", content))
    assert (read.disagreements, read.unranked) == (disagreements, unranked)
    assert read.run.score.tolist() == sorted((score for _, score in rows), reverse=True)
    assert read.tags == ("t0", "t1", "t2")


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq1 Q0 d1 3 0.5 t\n", 3, "first on line 1"),
        ("q1 Q0 d1 1 nan t\n", 1, "'nan'"),
        ("q1 Q0 d1 1 inf t\n", 1, "'inf'"),
        ("q1 Q0 d1 1 high t\n", 1, "'high'"),
        ("q1 Q0 d1 1 2.0\n", 1, "5 columns, expected 6"),
        ("q1 Q0 d1 1 2.0 my tag\n", 1, "7 columns, expected 6"),
        ("q1 Q0 d1 1 2.0 t\nq1 Q0 d2 1 2", 2, "5 columns"),
        ("q1 Q0 d1 1 2.0 t\nq9 Q0 d1 1 2.0 t\n", 2, "query 'q9' is not in the collection"),
        ("q1 Q0 d1 1 2.0 t\nq1 Q0 d8 1 2.0 t\nq1 Q0 d9 1 2.0 t\n", 2, "nor are 1 more of the documents"),
    ],
)
def test_runs_that_are_wrong_say_where(tmp_path: Path, content: str, line: int, said: str) -> None:
    path = put(tmp_path / "run", content)
    with pytest.raises(FileProblem) as caught:
        read_trec_run(path, Ids(["q1", "q2"]), Ids(["d1", "d2"]))
    assert caught.value.line == line
    assert said in str(caught.value)


def test_where_nothing_matches_both_sides_are_shown(tmp_path: Path) -> None:
    path = put(tmp_path / "run", "".join(f"{n}.1 Q0 d1 1 2.0 t\n" for n in range(5)))
    with pytest.raises(FileProblem) as caught:
        read_trec_run(path, Ids(["12", "13", "14", "15"]), Ids(["d1"]))
    assert "'0.1', '1.1', '2.1' …" in str(caught.value)
    assert "'12', '13', '14' …" in str(caught.value)
    assert "letter by letter" in str(caught.value)


falling = st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5).map(lambda s: sorted(s, reverse=True))


@settings(deadline=None)
@given(st.lists(falling, min_size=1, max_size=4), st.randoms())
def test_runs_come_back_as_written(tmp_path_factory: pytest.TempPathFactory, lists: list[list[float]], rng) -> None:  # type: ignore[no-untyped-def]
    documents = Ids(f"d#{n}" for n in range(6))
    queries = Ids(f"q{n}" for n in range(len(lists)))
    given = {
        query: list(zip(rng.sample(documents.names, len(scores)), scores, strict=True))
        for query, scores in zip(queries, lists, strict=True)
    }
    run = Run.of("r", queries, documents, given)
    path = tmp_path_factory.mktemp("run") / "run"
    write_trec_run(run, path)
    read = read_trec_run(path, queries, documents, "r")
    for name in ("offsets", "document"):
        assert np.array_equal(getattr(read.run, name), getattr(run, name))
    assert read.run.score.tobytes() == run.score.tobytes()
    assert read.disagreements == 0


def test_a_run_whose_order_scores_do_not_give_is_written_by_rank_or_not_at_all(tmp_path: Path) -> None:
    run = Run.of("r", Ids(["q"]), Ids(["a", "b", "c"]), {"q": [("b", 1.0), ("a", 2.0), ("c", 0.0)]})
    with pytest.raises(DataProblem, match="do not fall"):
        write_trec_run(run, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    write_trec_run(run, tmp_path / "run", tag="mine", by_rank=True)
    assert (tmp_path / "run").read_text() == "q Q0 b 1 3 mine\nq Q0 a 2 2 mine\nq Q0 c 3 1 mine\n"
    assert read_trec_run(tmp_path / "run", run.queries, run.documents).run.document.tolist() == run.document.tolist()


CLASSIC = """
<top>
<num> Number: 401
<title> foreign minorities, Germany

<desc> Description:
What language and cultural differences impede the integration of foreign minorities in Germany?
</top>
<top><num>402</num>
<title> Topic: behavioral
 genetics <desc> What is happening?
</top>
"""


def test_topics_of_either_form(tmp_path: Path) -> None:
    tabs = put(tmp_path / "tabs", "\ufeff1\twhat is a\ttab\r\n\r\n2\t\r\n3 b\tthree\n")
    assert read_topics(tabs) == {"1": "what is a\ttab", "2": "", "3 b": "three"}
    assert read_topics(put(tmp_path / "classic", CLASSIC)) == {
        "401": "foreign minorities, Germany",
        "402": "behavioral genetics",
    }
    assert read_topics(put(tmp_path / "none", "")) == {}


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("1\tone\n2 two\n", 2, "no topic"),
        ("\tone\n", 1, "no topic"),
        ("1\tone\n1\tone again\n", 2, "first on line 1"),
        ("\n<top>\n<num> 1\n</top>\n", 2, "has no <title>"),
        ("<top>\n<title> t\n</top>\n", 1, "has no <num>"),
        ("<top>\n<num> 1\n<title> t\n", 1, "no end"),
        ("<top><num> 1 <title> t </top>\n<top><num> 1 <title> t </top>\n", 2, "first on line 1"),
    ],
)
def test_topics_that_are_wrong_say_where(tmp_path: Path, content: str, line: int, said: str) -> None:
    with pytest.raises(FileProblem) as caught:
        read_topics(put(tmp_path / "topics", content))
    assert caught.value.line == line
    assert said in str(caught.value)


@settings(deadline=None)
@given(
    st.dictionaries(names, st.text(st.characters(exclude_categories=["Cs"])).filter(lambda t: not set(t) & set("\r\n")))
)
def test_topics_come_back_as_written(tmp_path_factory: pytest.TempPathFactory, topics: dict[str, str]) -> None:
    path = tmp_path_factory.mktemp("topics") / "topics"
    write_topics(topics, path)
    assert read_topics(path) == topics


@pytest.mark.parametrize("topics", [{"1": "a\nb"}, {"1": "a\rb"}, {"<top>": "a"}])
def test_a_topic_that_would_not_come_back_is_not_written(tmp_path: Path, topics: dict[str, str]) -> None:
    with pytest.raises(DataProblem, match="several lines"):
        write_topics(topics, tmp_path / "topics")
    assert list(tmp_path.iterdir()) == []


def test_the_files_of_a_real_track(shared_data: Path) -> None:
    folder = shared_data / "trec_dl_runs" / "dl2021"
    qrels = read_trec_qrels(folder / "qrels-pass.txt")
    rows = [line.split() for line in (folder / "qrels-pass.txt").read_text().splitlines()]
    assert sum(map(len, qrels.values())) == len(rows)
    assert Counter(grade for row in qrels.values() for grade in row.values()) == Counter(float(row[3]) for row in rows)
    topics = read_topics(folder / "test-queries.tsv")
    assert qrels.keys() <= topics.keys()
    read = read_trec_run(folder / "runs_top100" / "p_bm25.gz")
    assert read.run.name == "p_bm25"
    assert len(read.run.queries) > 0
    assert set(read.run.queries) <= topics.keys()
    assert (read.unranked, read.disagreements, read.tags) == (0, 0, ("p_bm25",))


def test_comments_of_trec_eval_s_own_files(shared_data: Path) -> None:
    folder = shared_data / "trec_eval_fixtures" / "test"
    with_comments = read_trec_qrels(folder / "qrels.test.with-comments")
    assert "CR#93E-1860" in with_comments["301"]
    plain = read_trec_qrels(folder / "qrels.test")
    assert with_comments["301"].keys() - plain["301"].keys() == {"CR#93E-1860"}
    assert sum(map(len, read_trec_qrels(folder / "qrels.comment.test").values())) > 0
