"""Runs and judgments of any form: the same columns from each, by bulk and row by row, and nothing taken on trust."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askance.core.errors import FileProblem
from askance.data.formats import table_blocks
from askance.data.formats.blocks import read_blocks
from askance.data.formats.examine import examine
from askance.data.formats.layouts import TREC_QRELS, TREC_RUN
from askance.data.formats.loaded import read_qrels_file, read_run_file
from askance.data.formats.recognise import recognise
from askance.data.formats.table_blocks import read_table_blocks
from askance.data.formats.table_rows import Entry, table_rows
from askance.data.interning import Interner
from askance.data.run import Run

Rows = list[tuple[str, str, float]]
ROWS: Rows = [("q1", "d1", 2.5), ("q2", "d1", -0.0), ("q1", "d2", 1e-3), ("q2", "d3", -7.0)]
ODD: Rows = [("q 1", "d, one", 2.5), ('q"2', "dé", 0.5), ("q 1", "a\\b", 1.0), ("7", "07", 3.0)]


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows_of(run: Run) -> Rows:
    """By query, in the order of the file within each."""
    found = []
    for at, query in enumerate(run.queries):
        documents, scores = run.of_query(at)
        found += [(query, run.documents[int(d)], float(s)) for d, s in zip(documents, scores, strict=True)]
    return found


def by_query(rows: Rows) -> Rows:
    order = list(dict.fromkeys(query for query, _, _ in rows))
    return sorted(rows, key=lambda row: order.index(row[0]))


def as_trec(rows: Rows) -> str:
    return "".join(f"{query} Q0 {document} 0 {score!r} tag\n" for query, document, score in rows)


def as_csv(rows: Rows, separator: str, header: tuple[str, ...] = ("query", "document", "score")) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    writer.writerows([header, *rows])
    return out.getvalue()


def as_tsv(rows: Rows, header: str = "query_id\tdoc_id\tscore\n") -> str:
    return header + "".join(f"{query}\t{document}\t{score!r}\n" for query, document, score in rows)


def as_records(rows: Rows, names: tuple[str, str, str] = ("query", "document", "score")) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)


def as_hits(rows: Rows) -> str:
    lists: dict[str, list[tuple[str, float]]] = {}
    for query, document, score in rows:
        lists.setdefault(query, []).append((document, score))
    return "".join(json.dumps({"query": query, "hits": hits}) + "\n" for query, hits in lists.items())


def as_mapping(rows: Rows) -> str:
    lists: dict[str, dict[str, float]] = {}
    for query, document, score in rows:
        lists.setdefault(query, {})[document] = score
    return json.dumps(lists)


TEXT_FORMS: dict[str, Callable[[Rows], str]] = {
    "CSV": lambda rows: as_csv(rows, ","),
    "CSV by semicolon": lambda rows: as_csv(rows, ";"),
    "CSV of PyTerrier": lambda rows: as_csv(rows, ",", ("qid", "docno", "score")),
    "TSV": as_tsv,
    "records": as_records,
    "records of ir_measures": lambda rows: as_records(rows, ("query_id", "doc_id", "score")),
    "hits": as_hits,
    "mapping": as_mapping,
    "pretty mapping": lambda rows: json.dumps(json.loads(as_mapping(rows)), indent=2),
}


@pytest.mark.parametrize("rows", [ROWS, ODD], ids=["plain", "odd"])
@pytest.mark.parametrize("form", TEXT_FORMS)
@pytest.mark.parametrize("packed", [False, True])
def test_one_run_in_every_form(tmp_path: Path, rows: Rows, form: str, packed: bool) -> None:
    content = TEXT_FORMS[form](rows).encode()
    loaded = read_run_file(put(tmp_path / "anything", gzip.compress(content) if packed else content))
    assert rows_of(loaded.run) == by_query(rows)
    assert loaded.problems == ()


def test_trec_and_parquet_too(tmp_path: Path) -> None:
    assert rows_of(read_run_file(put(tmp_path / "trec", as_trec(ROWS))).run) == by_query(ROWS)
    for names in (("query", "document", "score"), ("qid", "docno", "sim"), ("Query ID", "Doc_ID", "SCORE")):
        query, document, score = zip(*ODD, strict=True)
        polars.DataFrame(dict(zip(names, (query, document, score), strict=True))).write_parquet(tmp_path / "parquet")
        assert rows_of(read_run_file(tmp_path / "parquet").run) == by_query(ODD)


@pytest.mark.parametrize("packed", [False, True])
def test_zstd(tmp_path: Path, packed: bool) -> None:
    program = shutil.which("zstd")
    if program is None:
        pytest.skip("needs the program zstd")
    plain = put(tmp_path / "run", as_trec(ROWS).replace("\n", "\r\n" if packed else "\n"))
    subprocess.run([program, "-q", str(plain)], check=True)
    assert rows_of(read_run_file(tmp_path / "run.zst").run) == by_query(ROWS)
    assert read_run_file(tmp_path / "run.zst").run.name == "run"
    whole = (tmp_path / "run.zst").read_bytes()
    with pytest.raises(FileProblem, match="zstd data is damaged"):
        read_run_file(put(tmp_path / "cut.zst", whole[: len(whole) // 2]))


def test_a_pipe_is_read_once_and_all_of_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(as_trec(ROWS).encode()),))
    writer.start()
    loaded = read_run_file(pipe)
    writer.join()
    assert rows_of(loaded.run) == by_query(ROWS)


@pytest.mark.parametrize(
    ("content", "form"),
    [
        ("q 0 d 1\n", "TREC"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "TSV"),
        ("corpus-id\tscore\tquery-id\nd\t1\tq\n", "TSV"),
        ("query-id corpus-id score\nq d 1\n", "columns"),
        ("q\td\t1\n", "tab-separated"),
        ("q d 1\n", "three columns"),
        ("query_id,doc_id,relevance\nq,d,1\n", "CSV"),
        ("qid,docno,label\nq,d,1\n", "CSV"),
        ('{"query-id": "q", "corpus-id": "d", "score": 1}\n', "JSON lines"),
        ('{"query_id": "q", "doc_id": "d", "relevance": 1}\n', "JSON lines"),
        ('{"q": {"d": 1}}', "JSON"),
    ],
)
def test_judgments_in_every_form(tmp_path: Path, content: str, form: str) -> None:
    path = put(tmp_path / "qrels", content)
    loaded = read_qrels_file(path)
    judgments = loaded.judgments
    assert (judgments.queries.names, judgments.documents.names, judgments.grade.tolist()) == (("q",), ("d",), [1.0])
    assert loaded.form == form
    assert examine(path).kind == "qrels"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (as_trec(ROWS), "run"),
        (as_hits(ROWS), "run"),
        (as_records(ROWS), "run"),
        (as_mapping(ROWS), "run"),
        (as_csv(ROWS, ","), "run"),
        ("query-id\tcorpus-id\tscore\trank\nq\td\t1\t1\n", "run"),
        ("q Q0 d 1 2.0\n", "run"),
        ("q 0 d\n", "qrels"),
    ],
)
def test_what_a_file_is_its_content_tells(tmp_path: Path, content: str, kind: str) -> None:
    assert examine(put(tmp_path / "file", content)).kind == kind


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ("query,document,score\nq,d,1\nq,e\n", 3, "2 columns, expected 3: query, document, score"),
        ('query,document,score\nq,"d\nd",1\nq,e,x\n', 4, "the score 'x' is no finite number"),
        ("query\tdocument\tscore\nq\t\t1\n", 2, "the identifier of the document is empty"),
        ("query\tdocument\tscore\n\td\t1\n", 2, "the identifier of the query is empty"),
        ("query\tdocument\tscore\nq\td\t1\t2\n", 2, "4 columns, expected 3"),
        ('{"query": "q", "document": "d", "score": 1}\n{"query": 7.0, "document": "d", "score": 1}\n', 2, "is 7.0"),
        ('{"query": "q", "document": "d", "score": 1}\n{"query": "q", "document": "e"}\n', 2, "the score is missing"),
        ('{"query": "q", "document": "d", "score": true}\n', 1, "the score is true"),
        ('{"query": "q", "document": "d", "score": "1"}\n', 1, 'the score is "1"'),
        ('{"query": "q", "document": "d", "score": NaN}\n', 1, "NaN is not a JSON number"),
        ('{"query": "q", "document": "d", "score": 1}\n{"query": "q", "document": "d", "score": 2}\n', 2, "again"),
        ('{"query": "q", "hits": [["d", 1]]}\n{"query": "q", "hits": []}\n', 2, "the query 'q' occurs again"),
        ('{"query": "q", "hits": [["d", 1], ["d", 0]]}\n', 1, "occur again"),
        ('{"query": "q", "hits": [["d", 1], ["e", null]]}\n', 1, "the score of hit 2, 'e', is null"),
        ('{"query": "q", "hits": [["d"]]}\n', 1, 'hit 1 is ["d"]'),
        ('{"query": "q", "hits": {}}\n', 1, '"hits" is missing or no list'),
        ('{"query": "q", "hits": [], "hits": []}\n', 1, "occurs more than once"),
        ('{"q": {"d": 1}, "p": 3}', None, "the entry of query 'p' is no object"),
        ('{"q": {"d": "1"}}', None, "the score of 'd' for query 'q' is \"1\""),
        ('{"a": 1}\n', 1, "the first record has 'a'"),
        ("hello world\n", 1, "this is no row of a run"),
        ("[1, 2]\n", 1, "this is no row of a run"),
    ],
)  # fmt: skip
def test_faults_of_other_forms_name_line_and_remedy(tmp_path: Path, content: str, line: int | None, found: str) -> None:
    with pytest.raises(FileProblem) as caught:
        read_run_file(put(tmp_path / "run", content))
    assert found in str(caught.value)
    assert caught.value.line == line
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"query": ["q"], "document": ["d"]}, "no column for the score of a run"),
        ({"query": ["q"], "document": [7.0], "score": [1.0]}, "the column 'document' has the type Float64"),
        ({"query": ["q", None], "document": ["d", "e"], "score": [1.0, 2.0]}, "row 2: an identifier is missing"),
        ({"query": ["q", ""], "document": ["d", "e"], "score": [1.0, 2.0]}, "row 2: an identifier is empty"),
        ({"query": ["q"], "document": ["d"], "score": ["1"]}, "the column 'score' has the type String"),
        ({"query": ["q"], "document": ["d"], "score": [True]}, "the column 'score' has the type Boolean"),
        ({"query": ["q"], "document": ["d"], "score": [float("nan")]}, "row 1: nan is no finite number"),
        (
            {"query": ["q", "q"], "document": ["d", "d"], "score": [1, 2]},
            "row 2: query 'q' and document 'd' occur again",
        ),
    ],
)
def test_faults_of_parquet_name_column_and_row(tmp_path: Path, columns: dict[str, list[object]], found: str) -> None:
    polars.DataFrame(columns).write_parquet(tmp_path / "run.parquet")
    with pytest.raises(FileProblem, match=r"run\.parquet") as caught:
        read_run_file(tmp_path / "run.parquet")
    assert found in str(caught.value)


def test_numbers_as_identifiers_of_parquet_become_their_digits(tmp_path: Path) -> None:
    polars.DataFrame({"query": [7, 8], "document": [1, 1], "score": [1, 2]}).write_parquet(tmp_path / "run")
    assert rows_of(read_run_file(tmp_path / "run").run) == [("7", "1", 1.0), ("8", "1", 2.0)]


def test_all_errors_are_told_of_each_kind_the_first_few(tmp_path: Path) -> None:
    rows = ["q Q0 d 1 1 t", *["q Q0 e 1 nan t"] * 9, "q Q0 f 1", "q Q0 d 2 1 t", "q Q0 g 1 1 t"]
    found = examine(put(tmp_path / "run", "\n".join(rows)), "run")
    errors = [problem for problem in found.problems if problem.severity == "error"]
    assert [error.line for error in errors] == [2, 3, 4, 5, 6, 11, 12, None]
    assert errors[-1].text == "4 more rows are wrong in this way"
    assert errors[-1].count == 4
    assert "line 1 has them" in errors[-2].text
    assert len(found.columns) == 2


# --- by bulk and row by row -------------------------------------------------------------------------------------------

names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=5).filter(
    lambda name: name != "#" and not name.startswith("\ufeff")
)
numbers = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.sampled_from(["+1.5", ".5", "5.", "1E5", "1e-400", "-0", "00.10", "1e308", "123456789.123456789123456789"]),
)
spaces = st.text(" \t", min_size=1, max_size=3)


@st.composite
def messy_runs(draw: st.DrawFn) -> tuple[str, list[tuple[str, str, float]]]:
    """Text of a run with any white space, comments and blank lines, and what it says."""
    lines, rows = [], []
    for _ in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["row", "row", "row", "blank", "comment"]))
        if kind == "row":
            query, document, score, rank = draw(names), draw(names), draw(numbers), draw(st.sampled_from("12x"))
            cells = [query, "Q0", document, rank, score, draw(names)]
            edge = draw(st.sampled_from(["", " ", "\t"])) if not query.startswith("#") else ""
            lines.append(edge + "".join(cell + draw(spaces) for cell in cells).rstrip(" \t") + edge)
            rows.append((query, document, float(score)))
        else:
            lines.append(" " if kind == "blank" else "# " + draw(names))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines) + draw(st.sampled_from(["", end])), rows


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(messy_runs())
def test_bulk_and_rows_agree_with_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, told: tuple[str, list[tuple[str, str, float]]]
) -> None:
    text, rows = told
    path = put(tmp_path_factory.mktemp("run") / "run", text)
    one_by_one = [row for row in table_rows(path, TREC_RUN, "run") if isinstance(row, Entry)]
    assert [(row.query, row.document, row.value) for row in one_by_one] == rows
    bulk = read_table_blocks(path, TREC_RUN, Interner())
    if all(np.isfinite(score) for _, _, score in rows):
        assert bulk is not None
        assert [bulk.queries[at] for at in bulk.query] == [query for query, _, _ in rows]
        assert [bulk.documents[at] for at in bulk.document] == [document for _, document, _ in rows]
        assert bulk.value.tobytes() == np.array([score for _, _, score in rows]).tobytes()
        assert rows == [] or bulk.rank is not None
        assert bulk.rank is None or bulk.rank.tolist() == [row.rank for row in one_by_one]


@pytest.fixture(params=[7, 64, 1000])
def small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Blocks of a few bytes, so that a small file has many."""
    monkeypatch.setattr(table_blocks, "read_blocks", lambda path: read_blocks(path, request.param))
    return int(request.param)


def test_what_a_block_is_makes_no_difference(tmp_path: Path, small_blocks: int) -> None:
    rows = [(f"q{at // 7 % 5}", f"d{at * 37 % 101}", 100.0 - at) for at in range(101)]
    text = "".join(
        f"{query}  Q0 {document} {at} {score} t{at // 60}\n" for at, (query, document, score) in enumerate(rows)
    )
    loaded = read_run_file(put(tmp_path / "run", "\ufeff" + text))
    assert rows_of(loaded.run) == by_query(rows)
    assert loaded.run.queries.names == ("q0", "q1", "q2", "q3", "q4")
    assert loaded.run.documents.names == tuple(dict.fromkeys(document for _, document, _ in rows))
    assert loaded.tags == ("t0", "t1")
    with pytest.raises(FileProblem, match="occur again") as caught:
        read_run_file(put(tmp_path / "again", text + "q0 Q0 d0 1 7 t\n"))
    assert caught.value.line == 102


def test_blocks_are_the_file(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf" + b"".join(b"x" * (at % 9) + b"\n" for at in range(200)) + b"end"
    for size in (3, 10, 64, 10_000):
        for data in (content, gzip.compress(content)):
            blocks = list(read_blocks(put(tmp_path / "file", data), size))
            assert b"".join(blocks) == content[3:]
            assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_damaged_gzip_is_an_error(tmp_path: Path) -> None:
    packed = gzip.compress(as_trec([(f"q{at}", "d", 1.0) for at in range(5000)]).encode())
    with pytest.raises(FileProblem, match="gzip data is damaged"):
        read_run_file(put(tmp_path / "run.gz", packed[:-20]))


def test_files_that_share_their_documents(tmp_path: Path) -> None:
    shared = Interner()
    qrels = read_qrels_file(put(tmp_path / "qrels", "q 0 b 1\nq 0 a 1\n"), shared)
    run = read_run_file(put(tmp_path / "run", "q Q0 c 1 2 t\nq Q0 a 2 1 t\n"), documents=shared)
    assert qrels.judgments.documents.names == ("b", "a")
    assert run.run.documents.names == ("b", "a", "c")
    assert qrels.judgments.documents.begins(run.run.documents)
    assert not run.run.documents.begins(qrels.judgments.documents)
    assert rows_of(run.run) == [("q", "c", 2.0), ("q", "a", 1.0)]


def test_real_runs_are_read_as_they_were(shared_data: Path) -> None:
    from askance.data.formats.trec import read_trec_run

    folder = shared_data / "trec_dl_runs" / "dl2021" / "runs_top100"
    for path in sorted(folder.glob("*.gz"))[::16]:
        ours, theirs = read_run_file(path).run, read_trec_run(path).run
        assert ours.queries == theirs.queries
        assert ours.documents == theirs.documents
        assert np.array_equal(ours.offsets, theirs.offsets)
        assert sorted(zip(ours.document.tolist(), ours.score.tolist(), strict=True)) == sorted(
            zip(theirs.document.tolist(), theirs.score.tolist(), strict=True)
        )


def test_trec_eval_s_own_files(shared_data: Path) -> None:
    folder = shared_data / "trec_eval_fixtures" / "test"
    with_comments = read_qrels_file(folder / "qrels.test.with-comments").judgments
    assert with_comments.documents.position("CR#93E-1860") is not None
    form = recognise(folder / "qrels.test")
    assert form is not None
    assert form.layout == TREC_QRELS
    assert len(read_run_file(folder / "results.test").run) > 0
