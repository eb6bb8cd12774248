"""askance search as a stranger types it: tables, machine output, run files, bad input."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from tests.cli.conftest import LONG_ID, lines_of
from tests.inside import Typed

QUERY = '(or (knn "sparse reading") (lex "dense retrieval") (and (filter year :from 2021) (lex "sparse")))'


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("explain", [False, True])
def test_tables_fit_a_terminal(there: Path, typed: Typed, columns: int, explain: bool) -> None:
    done = typed("search", "near", QUERY, *(["--explain"] if explain else []), columns=columns)
    assert done.code == 0, done.err
    assert done.widest <= columns
    rows = [line.split() for line in done.lines if line.strip()[:1].isdigit() and "." in line]
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]  # a row each: nothing is folded
    assert "4 matches; scores on Lucene's scale" in done.lines
    assert "\x1b" not in done.out


def test_explained_clauses_go_by_letters(there: Path, typed: Typed) -> None:
    done = typed("search", "near", QUERY, "--explain", columns=100)
    head = next(line for line in done.lines if line.startswith(" rank"))
    assert head.split() == ["rank", "score", "document", "A", "B", "C", "D"]
    first = next(line for line in done.lines if line.startswith("    1"))
    assert re.fullmatch(r"1 1\.\d{4} p4 0\.\d{4} #3 0\.\d{4} #1 – –", " ".join(first.split()))
    assert 'B  (lex "dense retrieval")  (not in 3 of 4)' in done.lines
    assert "C  (filter year :from 2021)  (not in 1 of 4)" in done.lines
    assert sum("✓" in line for line in done.lines) == 3


def test_many_clauses_are_folded_into_one_column(there: Path, typed: Typed) -> None:
    words = ["sparse", "dense", "vectors", "retrieval", "and", "red", "other", "things"]
    clauses = " ".join(f'(lex "{word}")' for word in words)
    query = f"(or {clauses})"
    done = typed("search", "papers", query, "--explain")
    assert (done.code, done.widest <= 80) == (0, True)
    assert "document" in done.out
    assert "clauses" in done.out
    assert 'H  (lex "things")  (not in 3 of 4)' in done.lines
    said = " ".join(done.out.split())
    assert "not in F G H" in said
    for part in ("A 0.", "E 0.", "#1,"):
        assert part in said


def test_texts_are_shown_where_the_words_stand(there: Path, typed: Typed) -> None:
    done = typed("search", "people", '(lex "Salt")')
    row = next(line for line in done.lines if line.startswith("    1"))
    assert "d2" in row
    assert "Salt" in row
    assert "… " in row
    assert "Bo likes" not in row


def test_the_machine_form(there: Path, typed: Typed) -> None:
    done = typed("search", "near", QUERY, "--json", "--explain", "--limit", "2")
    found = done.json
    assert done.err == ""
    assert set(found) == {"schema", "query", "expression", "hits", "total", "stages", "scale", "notes"}
    assert (found["schema"], found["scale"], found["stages"], found["total"]) == ("askance/search/1", "lucene", [], 4)
    assert found["query"] == found["expression"] == QUERY
    assert [(hit["id"], hit["rank"]) for hit in found["hits"]] == [("p4", 1), ("שלום", 2)]
    assert set(found["hits"][0]) == {"id", "score", "rank", "clauses"}
    assert [(one["clause"], one["kind"], one["score"] is None, one["rank"]) for one in found["hits"][0]["clauses"]] == [
        ('(knn "sparse reading")', "knn", False, 3),
        ('(lex "dense retrieval")', "lex", False, 1),
        ("(filter year :from 2021)", "filter", True, None),
        ('(lex "sparse")', "lex", True, None),
    ]
    assert set(found["hits"][0]["clauses"][0]) == {"clause", "kind", "score", "rank", "why"}
    given = [one["score"] or 0.0 for one in found["hits"][0]["clauses"]]
    assert found["hits"][0]["score"] == pytest.approx(sum(given), rel=1e-6)
    assert typed("search", "near", QUERY, "--json").json["hits"][0]["clauses"] == []


def test_a_fusion_shows_its_lists(there: Path, typed: Typed) -> None:
    query = '(or (knn "sparse") (or (lex "dense") (lex "sparse")) :fuse rrf)'
    hits = typed("search", "near", query, "--json", "--explain").json["hits"]
    for hit in hits:
        assert [one["kind"] for one in hit["clauses"]] == ["knn", "or"]
        assert hit["score"] == pytest.approx(sum(one["score"] or 0.0 for one in hit["clauses"]), rel=1e-9)
        for one in hit["clauses"]:
            assert one["score"] is None or one["score"] == pytest.approx(1 / (60 + one["rank"]))
    done = typed("search", "near", query)
    assert f"{hits[0]['score']:.6f}" in done.out
    assert "4 matches; scores fused by rrf" in done.lines


def test_an_excluding_clause_is_one(there: Path, typed: Typed) -> None:
    hits = typed("search", "people", '(and (lex "Honey") (not (lex "Di")))', "--json", "--explain").json["hits"]
    assert [hit["id"] for hit in hits] == ["d3"]
    assert [one["clause"] for one in hits[0]["clauses"]] == ['(lex "Honey")', '(not (lex "Di"))']


def test_tables_for_machines(there: Path, typed: Typed) -> None:
    done = typed("search", "people", '(lex "Honey")', "--format", "csv", "--explain")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["rank"], row["document"]) for row in rows] == [("1", "d3"), ("2", "d4")]
    assert rows[0]["clauses"].startswith('(lex "Honey") ')
    assert typed("search", "people", '(lex "Honey")', "--format", "markdown").lines[0].startswith("| query |")


def test_queries_of_a_file(there: Path, typed: Typed, tmp_path: Path) -> None:
    file = lines_of(tmp_path / "q.jsonl", [{"_id": "q1", "text": '(lex "Honey")'}, {"id": 2, "text": '(lex "zzz")'}])
    run = tmp_path / "run.jsonl"
    done = typed("search", "people", "--queries", str(file), "--run", str(run), "--json")
    assert set(done.json) == {"schema", "answers"}
    assert [(one["query"], len(one["hits"]), one["stages"]) for one in done.json["answers"]] == [
        ("q1", 2, []),
        ("2", 0, []),
    ]
    assert "search: done" in done.err
    lines = [json.loads(line) for line in run.read_text(encoding="utf-8").splitlines()]
    assert [(line["query"], [id for id, _ in line["hits"]]) for line in lines] == [("q1", ["d3", "d4"]), ("2", [])]
    table = typed("search", "people", "--queries", str(file))
    assert "2 queries, 1 without a hit" in table.lines
    assert any(line.split()[:1] == ["q1"] and line.endswith("d3, d4") for line in table.lines)


def test_queries_of_a_file_explained(there: Path, typed: Typed, tmp_path: Path) -> None:
    file = lines_of(
        tmp_path / "q.jsonl", [{"_id": "q1", "text": '(lex "Honey")'}, {"_id": "q2", "text": '(lex "zzz")'}]
    )
    done = typed("search", "people", "--queries", str(file), "--explain")
    assert [line for line in done.lines if line.startswith("Query")] == ["Query q1", "Query q2"]
    assert 'A  (lex "Honey")' in done.lines
    assert "no document matches" in done.lines


def test_a_run_file_as_trec_has_it(there: Path, typed: Typed, tmp_path: Path) -> None:
    run = tmp_path / "run.trec"
    assert typed("search", "people", '(lex "Honey")', "--run", str(run)).code == 0
    columns = [line.split() for line in run.read_text(encoding="utf-8").splitlines()]
    assert [(row[0], row[2], row[3]) for row in columns] == [("query", "d3", "1"), ("query", "d4", "2")]


def test_long_identifiers_keep_both_ends(there: Path, typed: Typed) -> None:
    done = typed("search", "papers", '(lex "合約")')
    shown = next(line for line in done.lines if "合約" in line and "paper" in line).split()[2]
    head, tail = shown.split("…")
    assert LONG_ID.startswith(head)
    assert LONG_ID.endswith(tail)
    assert typed("search", "papers", '(lex "合約")', "--json").json["hits"][0]["id"] == LONG_ID


def test_notes_say_what_matches_nothing(there: Path, typed: Typed) -> None:
    done = typed("search", "people", '(or (relation "hates" (exact "Snow")) (lex "..."))')
    said = " ".join(done.out.split())
    assert "no document matches" in said
    assert '• no document has the relation "hates"; there are: ' in said
    assert '• (lex "...") has no words and matches nothing' in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere", '(lex "a")'), "nowhere: is no index of askance"),
        (("people.jsonl", '(lex "a")'), "people.jsonl: is no index of askance"),
        ((".", '(lex "a")'), "Build one: askance index DOCS --into DIR"),
        (("damaged", '(lex "a")'), "manifest.json: is damaged"),
        (("newer", '(lex "a")'), "has format 99; this askance reads up to"),
        (("opensearch://u:pw@host/i", '(lex "a")'), "opensearch://…: a place holds no user and no password"),
        (("papers",), "there is no QUERY"),
        (("papers", ""), "error[IRL005]: the query is empty"),
        (("papers", "birch"), "error[IRL006]"),
        (("papers", '(or (lex "x") (lexx "y"))'), '(lexx "y"))\n                 ^^^^\n  help: did you mean lex?'),
        (("papers", '(or (lex "x")'), "a parenthesis is never closed\n  (or (lex"),
        (("papers", '(lex "x" :field titel)'), 'the index has no field "titel"'),
        (("papers", "(filter yaer 2021)"), "did you mean year?"),
        (("papers", '(filter year "2021")'), "'2021' is a text, and its values are: number"),
        (("papers", '(knn "x")'), "knn needs vectors, and the index has none\n  (knn"),
        (("papers", '(exact "x")'), "the index's documents are not split into items"),
        (("papers", '(relation "likes" (lex "x"))'), "the index keeps no relations"),
        (("papers", '(lex "x")', "--queries", "papers.jsonl"), "a query and a file of queries are given"),
        (("papers", "--queries", "nothing.jsonl"), "nothing.jsonl: there is no such file"),
        (("papers", '(lex "x")', "--limit", "0"), "--limit"),
        (("people", '(lex "tea")', "--run", "damaged"), "damaged: cannot be written"),
    ],
)  # fmt: skip
def test_bad_input(
    indexes: Path, typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("people", "papers", "papers.jsonl", "people.jsonl"):
        (tmp_path / name).symlink_to(indexes / name)
    for name, text in (("damaged", '{"format": 1, "engine'), ("newer", '{"format": 99, "engine": "x"}')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(text, encoding="utf-8")
    done = typed("search", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err.replace("\n│ ", " ")
    assert "Traceback" not in done.err
    assert "pw@" not in done.err


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{"_id": "a", "text": '(lex "x")'}, {"text": "y"}], "q.jsonl:2: there is no '_id'"),
        ([{"_id": "a", "text": '(lex "x")'}, {"_id": "a", "text": '(lex "x")'}], "q.jsonl:2: query 'a' occurs again"),
        ([{"_id": "a"}], "q.jsonl:1: field 'text' is missing"),
        ([], "q.jsonl: there is no query in it"),
        ([{"_id": "a", "text": '(lex "x")'}, {"_id": "b", "text": '(lexx "y")'}], "'b' cannot be used\nerror[IRL007]"),
        ([{"_id": "a", "text": '(lex "x")'}, {"_id": "b", "text": '(exact "y")'}], "'b' cannot be used\nerror[IRL024]"),
    ],
)  # fmt: skip
def test_bad_files_of_queries(
    there: Path, typed: Typed, tmp_path: Path, records: list[dict[str, object]], said: str
) -> None:
    file = lines_of(tmp_path / "q.jsonl", records)
    done = typed("search", "papers", "--queries", str(file), "--run", str(tmp_path / "run.jsonl"))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert not (tmp_path / "run.jsonl").exists()
