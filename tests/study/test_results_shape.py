"""results.json has a documented shape: docs/results.schema.json is what the code says, word for word."""

from __future__ import annotations

import json
from pathlib import Path

from askance.study.results import Results

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "results.schema.json"


def test_the_documented_schema_is_the_one_of_the_code() -> None:
    written = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert written == Results.model_json_schema(by_alias=True), "the shape changed: run `make schema`, and say so"


def test_every_record_refuses_keys_that_are_not_in_the_schema() -> None:
    definitions = Results.model_json_schema(by_alias=True)["$defs"]
    assert all(definition["additionalProperties"] is False for definition in definitions.values())
