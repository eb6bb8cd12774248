"""Reading label sets: forms, odd labels kept as text, names, and what cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from askance.core.errors import BadInput, FileProblem
from askance.data.formats.labels import LabelRow, files_named, read_label_set, read_label_sets

ROWS = [LabelRow(1, "q1", "d1", "2"), LabelRow(2, "q1", "d2", "0")]


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("q1 0 d1 2\nq1 0 d2 0\n", ROWS),
        ("q1\t0\td1\t2\r\nq1\t0\td2\t0\r\n", ROWS),
        ("q1\td1\t2\nq1\td2\t0", ROWS),
        ("\ufeffq1   0   d1   2\nq1 0 d2 0\n", ROWS),
        ("query-id\tcorpus-id\tscore\nq1\td1\t2\n", [LabelRow(2, "q1", "d1", "2")]),
        ('qid,why,docid,label\nq1,"so, well",d1,2\n', [LabelRow(2, "q1", "d1", "2")]),
        ("q1,d1,2\nq1,d2,0\n", ROWS),
        ("q1\td1\tno idea\n", [LabelRow(1, "q1", "d1", "no idea")]),
        ("# a comment\n\nq1 0 d1 2\n", [LabelRow(3, "q1", "d1", "2")]),
        ("q1 0 d1 ERROR\nq1 0 d2 10\n", [LabelRow(1, "q1", "d1", "ERROR"), LabelRow(2, "q1", "d2", "10")]),
        ("q1\t0\td1\t\n", [LabelRow(1, "q1", "d1", "")]),
        ('{"qid": "q1", "docid": 7, "label": 2}\n', [LabelRow(1, "q1", "7", "2")]),
        (
            '{"query-id": "q1", "corpus-id": "d1", "score": "two"}\n{"query": "q1", "document": "d2", "grade": null}\n',
            [LabelRow(1, "q1", "d1", "two"), LabelRow(2, "q1", "d2", "None")],
        ),
    ],
)
def test_forms(tmp_path: Path, content: str, rows: list[LabelRow]) -> None:
    path = tmp_path / "labels.txt"
    path.write_bytes(content.encode())
    assert list(read_label_set(path).rows) == rows
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(content.encode()))
    assert list(read_label_set(packed).rows) == rows


@pytest.mark.parametrize(
    ("label", "number"),
    [("2", 2.0), ("2.0", 2.0), ("1e0", 1.0), ("-1", -1.0), ("", None), ("nan", None), ("inf", None), ("1_0", None)],
)
def test_what_number_a_label_writes(label: str, number: float | None) -> None:
    assert LabelRow(1, "q", "d", label).number == number


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no labels"),
        ("q1 d1\n", "labels.txt:1: this is no row of labels"),
        ("q1 0 d1 2 system\n", "labels.txt:1: this is no row of labels"),
        ("q1 0 d1 2\nq1 0 d2\n", "labels.txt:2: 3 columns, expected 4"),
        ("q1 0 d1 2\nq1 0 d2 very relevant\n", "labels.txt:2: 5 columns, expected 4"),
        ("q1\td1\t1\n\td2\t1\n", "labels.txt:2: an identifier is empty"),
        ('{"qid": "q1", "docid": "d1"}\n', "labels.txt:1: there is no label"),
        ('{"docid": "d1", "label": 1}\n', "labels.txt:1: there is no 'query-id'"),
    ],
)
def test_what_cannot_be_read_says_where(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "labels.txt"
    path.write_text(content)
    with pytest.raises(FileProblem, match=said):
        read_label_set(path)


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    inside = tmp_path / "sets"
    inside.mkdir()
    for name in ("b.txt", "a.txt.gz", ".hidden"):
        (inside / name).write_text("q 0 d 1\n")
    alone = tmp_path / "alone.tsv"
    alone.write_text("q 0 d 1\n")
    files = files_named([alone, inside])
    assert files == [alone, inside / "a.txt.gz", inside / "b.txt"]
    assert [one.name for one in read_label_sets(files)] == ["alone", "a", "b"]


def test_sets_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "judge.txt").write_text("q 0 d 1\n")
    (tmp_path / "one" / "judge.tsv").write_text("q\td\t1\n")
    files = files_named([tmp_path / "one", tmp_path / "two"])
    assert [one.name for one in read_label_sets(files)] == ["judge.tsv", "one/judge.txt", "two/judge.txt"]
    with pytest.raises(BadInput, match=r"two label sets are called 'one/judge.txt'"):
        read_label_sets([files[1], files[1]])


def test_a_folder_without_files_says_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    with pytest.raises(FileProblem, match="holds no files") as caught:
        files_named([tmp_path])
    assert "scores" in str(caught.value)


def test_the_judges_of_the_challenge(shared_data: Path) -> None:
    """33 complete sets; two labels 5 and one 10 are off the scale of 0 to 3."""
    sets = read_label_sets(files_named([shared_data / "llmjudge" / "submissions" / "scores"]))
    assert len(sets) == 33
    assert {len(one.rows) for one in sets} == {4423}
    odd = [(one.name, row) for one in sets for row in one.rows if row.label not in {"0", "1", "2", "3"}]
    assert odd == [
        ("RMITIR-llama70B", LabelRow(2449, "q0", "p3021", "5")),
        ("RMITIR-llama70B", LabelRow(3825, "q30", "p8935", "5")),
        ("h2oloo-zeroshot2", LabelRow(3187, "q2", "p8028", "10")),
    ]
