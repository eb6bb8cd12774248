"""Where a query can run, by the place it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.engines.registry import folder_of, open_engine


@pytest.mark.parametrize("place", ["opensearch://u:pass@host:9200/index?tls=1", "opensearch://host/index"])
def test_opensearch_is_said_to_be_another_part(place: str) -> None:
    for asked in (open_engine, folder_of):
        with pytest.raises(
            BadInput, match="the OpenSearch engine is a part of askance that this version does not have"
        ):
            asked(place)
        with pytest.raises(BadInput, match="opensearch://host") as caught:
            asked(place)
        assert "pass" not in str(caught.value)


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
