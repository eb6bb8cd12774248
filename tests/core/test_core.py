"""Errors, registries, whole files."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.errors import AskanceError, CheckFailed, FileProblem, UnknownName
from askance.core.estimate import Estimate
from askance.core.files import whole_file, write_whole
from askance.core.registry import Registry


def test_every_error_says_what_and_what_to_do() -> None:
    error = FileProblem("runs/a.txt", "has 5 columns, 6 expected", line=3, text="q1 Q0 d1 1 2.0", remedy="Add the tag.")
    assert str(error) == "runs/a.txt:3: has 5 columns, 6 expected\n  the line reads: 'q1 Q0 d1 1 2.0'\n  Add the tag."
    assert error.exit_code == 2
    assert CheckFailed("a row failed").exit_code == 1
    assert isinstance(error, AskanceError)


def test_an_unknown_name_gets_its_nearest() -> None:
    registry: Registry[object] = Registry("retriever", {"lexical": "askance.core.files:write_whole"})
    with pytest.raises(UnknownName, match="there is no retriever 'lexcial'\n  Did you mean 'lexical'. Known: lexical."):
        registry.get("lexcial")
    assert registry.get("lexical") is write_whole


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_whole(path, "first")

    def stop_half_way() -> None:
        with whole_file(path) as out:
            out.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stop_half_way()
    assert path.read_text(encoding="utf-8") == "first"
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


@pytest.mark.parametrize(
    ("place", "why"),
    [("folder", "Is a directory"), ("file/below", "File exists"), ("x" * 300, "File name too long")],
)
def test_a_disk_that_refuses_is_named(tmp_path: Path, place: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    with pytest.raises(FileProblem, match=f"cannot be written .*{why}"):
        write_whole(tmp_path / place, "new")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder"]
    assert (tmp_path / "file").read_text(encoding="utf-8") == "kept"


def test_an_undefined_estimate_says_why() -> None:
    estimate = Estimate.undefined("no queries", left_out={"queries without gold": 2})
    assert not estimate.defined
    assert estimate.record() == {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "method": "undefined: no queries",
        "left_out": {"queries without gold": 2},
    }
