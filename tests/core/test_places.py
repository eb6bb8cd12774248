"""What a file names by a relative path is looked for in the current directory, then beside the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.places import found_beside
from askance.engines.registry import place_beside
from askance.study.collections import open_collection


@pytest.fixture
def studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here").mkdir()
    (tmp_path / "studies" / "there").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "studies"


def test_here_comes_first_then_beside(studies: Path) -> None:
    assert found_beside(Path("there"), studies) == studies / "there"
    Path("there").mkdir()
    assert found_beside(Path("there"), studies) == Path("there")


def test_a_file_is_no_folder(studies: Path) -> None:
    Path("there").write_text("")
    assert found_beside(Path("there"), studies, Path.is_dir) == studies / "there"
    assert place_beside("there", studies) == str(studies / "there")


def test_a_file_named_as_a_collection_hides_no_folder_beside_the_study(chores: Path, studies: Path) -> None:
    Path("chores").write_text("")
    assert len(open_collection("chores", beside=chores.parent).documents) == 45


@pytest.mark.parametrize("path", ["nowhere", "/nowhere/at/all"])
def test_what_is_nowhere_stays_as_it_was_written(studies: Path, path: str) -> None:
    assert found_beside(Path(path), studies) == Path(path)
    assert found_beside(Path(path), None) == Path(path)


def test_an_index_is_a_folder_or_a_place_of_an_engine(studies: Path) -> None:
    assert place_beside("there", studies) == str(studies / "there")
    assert place_beside("embedded://there", studies) == str(studies / "there")
    assert place_beside("opensearch://127.0.0.1:9200/there", studies) == "opensearch://127.0.0.1:9200/there"
