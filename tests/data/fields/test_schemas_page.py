"""The examples of docs/schemas.md do what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

import pytest

from askance.data.fields.kinds import schema_from_file
from askance.data.fields.schema import Fact, Fields, Schema

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "schemas.md").read_text(encoding="utf-8")
FILES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
[RECORD] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def schema(tmp_path: Path, number: int) -> Schema:
    path = tmp_path / "schema.toml"
    path.write_text(FILES[number], encoding="utf-8")
    made = schema_from_file(path)

    return cast(Schema, made)


@pytest.mark.parametrize(
    ("text", "relation", "items"),
    [
        ('Ann likes Tea, "Peter, Paul and Mary" and Snow.', "likes", ("Tea", "Peter, Paul and Mary", "Snow")),
        ("Bo Lee does not like Tea.", "does not like", ("Tea",)),
    ],
)
def test_the_pattern(tmp_path: Path, text: str, relation: str, items: tuple[str, ...]) -> None:
    found = schema(tmp_path, 0).split({"text": text})
    assert isinstance(found, Fields)
    assert found.facts == (Fact(items, relation),)


def test_the_paths(tmp_path: Path) -> None:
    found = schema(tmp_path, 1).split(json.loads(RECORD))
    assert found == Fields(
        "Ann", (Fact(("Snow",), "likes"), Fact(("Peter, Paul and Mary",), "fears")), {"bio": "Sails."}
    )
