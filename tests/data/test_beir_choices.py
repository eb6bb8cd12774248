"""collection.json of a BEIR folder: the main tier and the compared field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askance.core.errors import UnknownName
from askance.data.formats.beir import read_beir


def test_the_folder_says_its_main_tier_and_compared_field(chores: Path) -> None:
    assert (read_beir(chores).main, read_beir(chores).compared) == ("", "text")
    (chores / "collection.json").write_text(json.dumps({"main": "any", "compared": "title"}), encoding="utf-8")
    assert (read_beir(chores).main, read_beir(chores).compared) == ("any", "title")


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ({"main": "anny"}, "Did you mean 'any'?"),
        ({"compared": "txt"}, "Did you mean 'text'?"),
        ({"mian": "any"}, "Did you mean 'main'?"),
    ],
)
def test_what_is_not_there_is_refused(chores: Path, card: dict[str, str], said: str) -> None:
    (chores / "collection.json").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(UnknownName) as caught:
        read_beir(chores)
    assert said in str(caught.value)
