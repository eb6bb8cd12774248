"""The JSON Schema of a query, for checking JSON forms and for models that call tools.

`.venv/bin/python -m askance.irl.json_schema > docs/language.schema.json` writes the file; a test holds it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from askance.irl.json_keys import FORMS, Form, Key
from askance.irl.limits import NumberRule

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_CLAUSE = {"$ref": "#/$defs/clause"}


def json_schema() -> dict[str, Any]:
    """The schema of what `from_json` takes. It cannot say: one weight a part, values or a range, depth."""
    return {"$schema": DRAFT, "title": "A query of askance", **_CLAUSE, "$defs": _definitions(strict=False)}


def tool_parameters(strict: bool = False) -> dict[str, Any]:
    """Parameters of a tool with one argument, `query`. `strict`: every key must be filled, with null where it is not
    wanted, as some endpoints ask of a schema."""
    return {
        "type": "object",
        "properties": {"query": _CLAUSE},
        "required": ["query"],
        "additionalProperties": False,
        "$defs": _definitions(strict),
    }


def _definitions(strict: bool) -> dict[str, Any]:
    clauses = {op: _clause(op, form, strict) for op, form in FORMS.items()}
    return {"clause": {"anyOf": [{"$ref": f"#/$defs/{op}"} for op in FORMS]}, **clauses}


def _clause(op: str, form: Form, strict: bool) -> dict[str, Any]:
    keys = {name: _key(key) for name, key in form.keys.items()}
    return {
        "type": "object",
        "description": form.about,
        "properties": {"op": {"type": "string", "enum": [op]}, **keys},
        "required": ["op", *(name for name, key in form.keys.items() if key.needed or strict)],
        "additionalProperties": False,
    }


def _key(key: Key) -> dict[str, Any]:
    if key.kind == "clause":
        return dict(_CLAUSE)
    schema = _value(key)
    if not key.needed:
        schema["type"] = [*_listed(schema["type"]), "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    return {**schema, "description": key.about}


def _value(key: Key) -> dict[str, Any]:
    match key.kind:
        case "clauses":
            return {"type": "array", "items": _CLAUSE, "minItems": 1}
        case "values":
            return {"type": "array", "items": {"type": ["string", "number", "boolean"]}}
        case "weights":
            return {"type": "array", "items": _number(key.rule)}
        case "end":
            return {"type": ["string", "number"]}
        case "choice":
            return {"type": "string", "enum": list(key.choices)}
        case "number":
            return _number(key.rule)
        case _:
            return {"type": "string"}


def _number(rule: NumberRule | None) -> dict[str, Any]:
    assert rule is not None
    schema: dict[str, Any] = {"type": "integer" if rule.whole else "number"}
    if rule.high < sys.float_info.max:
        schema |= {"minimum": 0 if rule.or_zero else rule.low, "maximum": rule.high}
    return schema


def _listed(kinds: Any) -> list[str]:
    return [kinds] if isinstance(kinds, str) else list(kinds)


if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=2))
