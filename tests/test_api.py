"""The public Python API: what it lists is there."""

from __future__ import annotations

import pytest

import askance


@pytest.mark.parametrize("name", askance.__all__)
def test_every_listed_name_is_there(name: str) -> None:
    assert getattr(askance, name) is not None


def test_the_list_is_sorted_and_nothing_else_answers() -> None:
    assert sorted(askance.__all__) == askance.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        askance.nothing  # noqa: B018
