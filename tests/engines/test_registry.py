"""Where a query can run, by the place it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.engines.registry import folder_of, open_engine


def test_a_place_with_a_password_is_refused_without_repeating_it() -> None:
    for asked in (open_engine, folder_of):
        with pytest.raises(BadInput, match="opensearch://") as caught:
            asked("opensearch://u:secret@host:9200/index?tls=on")
        assert "secret" not in str(caught.value)


def test_a_folder_is_no_place_on_a_cluster() -> None:
    with pytest.raises(BadInput, match="opensearch://host/index: an index in a folder is needed here"):
        folder_of("opensearch://host/index")


def test_an_engine_that_is_none() -> None:
    with pytest.raises(UnknownName, match="there is no engine 'elastic'"):
        open_engine("elastic://host/index")
    with pytest.raises(UnknownName, match="there is no engine 'elastic'"):
        folder_of("elastic://host/index")


def test_folders(tmp_path: Path) -> None:
    assert folder_of("a/b") == folder_of(Path("a/b")) == folder_of("embedded://a/b") == Path("a/b")
    with pytest.raises(FileProblem, match="is no index of askance"):
        open_engine(tmp_path)
    with pytest.raises(FileProblem, match="is no index of askance"):
        open_engine(f"embedded://{tmp_path}")
