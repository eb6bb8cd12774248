"""Lines and JSON lines: what is read, and what a damaged file says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import FileProblem
from askance.data.formats.lines import (
    FirstLines,
    optional,
    read_json,
    read_json_lines,
    read_lines,
    required,
    required_number,
)

# Line ends other than LF and CRLF are part of the text; a text that ends with CR would lose it to CRLF.
LINE = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\ufeff"), max_size=20)


def write(folder: Path, content: bytes, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"a", [(1, "a")]),
        (b"a\n", [(1, "a")]),
        (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
        (b"\n\nx", [(1, ""), (2, ""), (3, "x")]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", [(1, "a"), (2, "\ufeffb")]),
        ("a\u2028b\x0bc\x85d\n".encode(), [(1, "a\u2028b\x0bc\x85d")]),
        (b"a\rb\n", [(1, "a\rb")]),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_lines_end_with_lf_or_crlf_only(
    tmp_path: Path, content: bytes, lines: list[tuple[int, str]], packed: bool
) -> None:
    assert list(read_lines(write(tmp_path, gzip.compress(content) if packed else content))) == lines


@given(lines=st.lists(LINE, max_size=6), end=st.sampled_from(["\n", "\r\n"]), bom=st.booleans(), packed=st.booleans())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, bom: bool, packed: bool
) -> None:
    content = (b"\xef\xbb\xbf" if bom else b"") + "".join(line + end for line in lines).encode()
    path = write(tmp_path_factory.mktemp("lines"), gzip.compress(content) if packed else content)
    assert list(read_lines(path)) == list(enumerate(lines, start=1))


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"fine\nno\xe4\n", 2, "0xe4"),
        ("a\n".encode("utf-16"), 1, "UTF-16"),
        (gzip.compress(b"abc\n" * 999, mtime=0)[:-12], None, "gzip data is damaged"),
        (b"\x1f\x8bnot gzip at all", 1, "gzip data is damaged"),
    ],
)
def test_damaged_files_name_line_and_remedy(tmp_path: Path, content: bytes, line: int | None, words: str) -> None:
    path = write(tmp_path, content)
    with pytest.raises(FileProblem, match=words) as caught:
        list(read_lines(path))
    assert caught.value.path == str(path)
    assert caught.value.remedy
    assert line is None or caught.value.line == line


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="no such file"):
        list(read_lines(tmp_path / "absent"))
    with pytest.raises(FileProblem, match="a folder"):
        list(read_lines(tmp_path))


def test_json_lines_pass_over_blank_lines_and_count_them(tmp_path: Path) -> None:
    path = write(tmp_path, b'{"a": "x"}\n\n  \n{"a": "y"}\n')
    assert list(read_json_lines(path)) == [(1, {"a": "x"}), (4, {"a": "y"})]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1', "not valid JSON"),
        ("[1]", "found a list, expected an object"),
        ("null", "found null, expected an object"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity is not a JSON number"),
        ('{"a": 1, "a": 2}', "'a' occurs more than once"),
        ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_lines_that_are_no_json_object(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, f'{{"fine": 1}}\n{text}\n'.encode())
    with pytest.raises(FileProblem, match=words) as caught:
        list(read_json_lines(path))
    assert caught.value.line == 2
    assert caught.value.remedy


def test_json_file_says_where_it_breaks(tmp_path: Path) -> None:
    assert read_json(write(tmp_path, b'\xef\xbb\xbf{"a":\r\n [1, 2]}')) == {"a": [1, 2]}
    with pytest.raises(FileProblem, match="the line reads: '  2 3'") as caught:
        read_json(write(tmp_path, b"[1,\n  2 3\n]"))
    assert caught.value.line == 2
    with pytest.raises(FileProblem, match="NaN"):
        read_json(write(tmp_path, b"[NaN]"))


def test_accessors() -> None:
    path = Path("somewhere")
    record: dict[str, object] = {"text": "t", "n": 3, "f": 0.5, "none": None, "yes": True, "huge": 10**400}
    assert required(record, "text", path, 7) == "t"
    assert required_number(record, "n", path, 7) == 3.0
    assert required_number(record, "f", path, 7) == 0.5
    assert optional(record, "text", path, 7) == "t"
    assert optional(record, "absent", path, 7) is None
    assert optional(record, "none", path, 7) is None
    for call in (
        lambda: required(record, "absent", path, 7),
        lambda: required(record, "n", path, 7),
        lambda: required(record, "none", path, 7),
        lambda: optional(record, "n", path, 7),
        lambda: required_number(record, "text", path, 7),
        lambda: required_number(record, "yes", path, 7),
        lambda: required_number(record, "huge", path, 7),
    ):
        with pytest.raises(FileProblem, match="somewhere:7: field ") as caught:
            call()
        assert caught.value.remedy


def test_second_occurrence_names_the_first() -> None:
    seen = FirstLines(Path("corpus.jsonl"), "document")
    seen.note("d1", 1)
    seen.note("d2", 2)
    with pytest.raises(FileProblem, match=r"corpus.jsonl:5: document 'd1' occurs again; it was first on line 1"):
        seen.note("d1", 5)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5) | st.integers(-9, 9) | st.none(), max_size=4))
def test_any_object_survives(tmp_path_factory: pytest.TempPathFactory, record: dict[str, object]) -> None:
    path = write(tmp_path_factory.mktemp("json"), json.dumps(record).encode())
    assert list(read_json_lines(path)) == [(1, record)]
