"""Queries as JSON: the same tree back, problems by path, and a schema that says the same."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.strategies import queries

from askance.irl.json_form import from_json, to_json
from askance.irl.json_keys import FORMS
from askance.irl.json_schema import json_schema, tool_parameters
from askance.irl.nodes import Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.irl.problems import BadQuery

DOCS = Path(__file__).resolve().parents[2] / "docs"


@settings(deadline=None)
@given(queries())
def test_the_same_tree_comes_back(query: Node) -> None:
    written = json.loads(json.dumps(to_json(query), allow_nan=False))
    assert from_json(written) == query
    assert to_json(from_json(written)) == written


@settings(deadline=None)
@given(queries())
def test_what_is_written_follows_the_schema(query: Node) -> None:
    assert follows(to_json(query), json_schema())
    assert follows({"query": to_json(query)}, tool_parameters())


@pytest.mark.parametrize(
    ("query", "written"),
    [
        (Knn("q"), {"op": "knn", "text": "q"}),
        (Knn("q", 5), {"op": "knn", "text": "q", "depth": 5}),
        (Lex("a", "any"), {"op": "lex", "text": "a", "match": "any"}),
        (
            Boost(2.0, Field("f", Exact("x"))),
            {"op": "boost", "weight": 2, "child": {"op": "field", "name": "f", "child": {"op": "exact", "text": "x"}}},
        ),
        (
            Relation("r", Not(Lex("a"))),
            {"op": "relation", "name": "r", "child": {"op": "not", "child": {"op": "lex", "text": "a"}}},
        ),
        (Filter("k", (1, True, "x")), {"op": "filter", "key": "k", "values": [1, True, "x"]}),
        (Filter("k", low=1, high=2), {"op": "filter", "key": "k", "from": 1, "to": 2}),
        (Or((Lex("a"),)), {"op": "or", "parts": [{"op": "lex", "text": "a"}]}),
        (
            Fuse("rrf", (Lex("a"),), (2.0,), 10, 5, 0.5),
            {
                "op": "fuse",
                "kind": "rrf",
                "parts": [{"op": "lex", "text": "a"}],
                "weights": [2],
                "k": 10,
                "depth": 5,
                "min_score": 0.5,
            },
        ),
    ],
)
def test_forms(query: Node, written: dict[str, Any]) -> None:
    assert to_json(query) == written
    assert from_json(written) == query


def test_null_is_left_out() -> None:
    assert from_json({"op": "lex", "text": "a", "match": None, "slop": None}) == Lex("a")
    assert from_json({"op": "filter", "key": "k", "values": None, "from": 1, "to": None}) == Filter("k", low=1)


LEAF = {"op": "lex", "text": "a"}
WRONG: list[tuple[object, list[tuple[str, str, str]]]] = [
    ([], [("IRL009", "$", "an object, not a list")]),
    ('(lex "a")', [("IRL009", "$", "not a text")]),
    (None, [("IRL009", "$", "not null")]),
    ({}, [("IRL007", "$.op", "the key op")]),
    ({"op": "lexx"}, [("IRL007", "$.op", "did you mean lex?")]),
    ({"op": ["lex"]}, [("IRL007", "$.op", "no op")]),
    ({"op": "lex"}, [("IRL008", "$", "needs the key text")]),
    ({"op": "lex", "text": 3}, [("IRL009", "$.text", "not a number")]),
    ({"op": "lex", "text": "a", "slope": 1}, [("IRL010", "$.slope", "did you mean slop?")]),
    ({"op": "lex", "text": "a", "slop": -1}, [("IRL013", "$.slop", "from 0 to")]),
    ({"op": "lex", "text": "a", "slop": True}, [("IRL013", "$.slop", "not True")]),
    ({"op": "lex", "text": "a", "slop": "1"}, [("IRL013", "$.slop", "not '1'")]),
    ({"op": "lex", "text": "a", "match": "words"}, [("IRL019", "$.match", "phrase, any, all")]),
    ({"op": "lex", "text": "a", "match": [1]}, [("IRL019", "$.match", "found a list")]),
    ({"op": "lex", "text": "a", "match": "any", "slop": 1}, [("IRL017", "$", "slop changes nothing")]),
    ({"op": "lex", "text": "\ud800"}, [("IRL016", "$.text", "half a character")]),
    ({"op": "boost", "weight": math.nan, "child": LEAF}, [("IRL013", "$.weight", "nan")]),
    ({"op": "boost", "weight": 0, "child": LEAF}, [("IRL013", "$.weight", "1e-30")]),
    ({"op": "boost", "child": LEAF}, [("IRL008", "$", "needs the key weight")]),
    ({"op": "knn", "text": "a", "depth": 10_001}, [("IRL013", "$.depth", "10,000")]),
    ({"op": "and", "parts": []}, [("IRL008", "$", "no parts")]),
    ({"op": "and", "parts": LEAF}, [("IRL009", "$.parts", "a list")]),
    ({"op": "filter", "key": "k"}, [("IRL008", "$", "no values")]),
    ({"op": "filter", "key": "k", "values": [1], "from": 1}, [("IRL017", "$", "not both")]),
    ({"op": "filter", "key": "k", "values": [[1]]}, [("IRL009", "$.values[0]", "found a list")]),
    (
        {"op": "filter", "key": "k", "values": [math.inf, 10**400]},
        [("IRL013", "$.values[0]", "inf"), ("IRL013", "$.values[1]", "digits")],
    ),
    ({"op": "filter", "key": "k", "from": "a", "to": 1}, [("IRL009", "$", "a range")]),
    ({"op": "fuse", "kind": "rff", "parts": [LEAF]}, [("IRL019", "$.kind", "did you mean rrf?")]),
    ({"op": "fuse", "kind": "rrf", "parts": [LEAF], "weights": [1, 2]}, [("IRL020", "$", "2 for 1")]),
    ({"op": "fuse", "kind": "rrf", "parts": [LEAF], "weights": [-1]}, [("IRL013", "$.weights[0]", "0 or")]),
    (
        {"op": "or", "parts": [LEAF, {"op": "not", "child": {"op": "lex", "text": "a", "slop": -1}}, {"op": "nkn"}, 3]},
        [
            ("IRL013", "$.parts[1].child.slop", "slop"),
            ("IRL007", "$.parts[2].op", "knn"),
            ("IRL009", "$.parts[3]", "number"),
        ],
    ),
]


@pytest.mark.parametrize(("value", "expected"), WRONG, ids=[str(value)[:60] for value, _ in WRONG])
def test_what_is_wrong_and_where(value: object, expected: list[tuple[str, str, str]]) -> None:
    with pytest.raises(BadQuery) as raised:
        from_json(value)
    found = raised.value.problems
    assert [(str(problem.code), problem.path) for problem in found] == [(code, path) for code, path, _ in expected]
    for problem, (_, path, said) in zip(found, expected, strict=True):
        assert said in f"{problem.message} {problem.hint}"
        assert f"at {path}" in problem.render()
        assert problem.to_dict()["path"] == path


def test_any_depth_is_refused_in_words() -> None:
    value: dict[str, Any] = LEAF
    for _ in range(100_000):
        value = {"op": "not", "child": value}
    with pytest.raises(BadQuery, match="IRL014"):
        from_json(value)
    while "child" in value:  # taken apart from the outside: Python would free it recursively
        value = value["child"]


def test_many_problems_are_cut() -> None:
    with pytest.raises(BadQuery) as raised:
        from_json({"op": "or", "parts": [3] * 100_000})
    assert len(raised.value.problems) == 20


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 20_000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["a", "any", "rrf", "lex"]),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=3,
)
BEYOND_A_SCHEMA = {"IRL017", "IRL020"}


@settings(deadline=None)
@given(queries(most_leaves=4), st.data())
def test_the_schema_takes_what_is_read_and_nothing_else(query: Node, data: st.DataObject) -> None:
    """One key of one clause is left out, added or given another value."""
    written = to_json(query)
    places = [one for one in below(written) if isinstance(one, dict)]
    place = data.draw(st.sampled_from(places))
    known = [
        "text",
        "depth",
        "match",
        "slop",
        "key",
        "values",
        "from",
        "to",
        "parts",
        "child",
        "name",
        "weight",
        "kind",
    ]
    key = data.draw(st.sampled_from([*place, *known, "weights", "k", "min_score", "other"]))
    if data.draw(st.booleans()):
        place[key] = data.draw(JSON)
    else:
        place.pop(key, None)
    try:
        from_json(written)
        codes = set()
    except BadQuery as error:
        codes = {str(problem.code) for problem in error.problems}
        no_values = all("no values" in one.message or "a range" in one.message for one in error.problems)
        codes = set() if no_values else codes - BEYOND_A_SCHEMA
    assert follows(written, json_schema()) == (not codes) or unknown_null(written)


def test_a_strict_schema_asks_for_every_key() -> None:
    strict = tool_parameters(strict=True)
    for op, clause in strict["$defs"].items():
        if op != "clause":
            assert set(clause["required"]) == set(clause["properties"])
    filled = {"op": "lex", "text": "a", "match": None, "slop": None}
    assert follows({"query": filled}, strict)
    assert not follows({"query": LEAF}, strict)
    assert from_json(filled) == Lex("a")


def test_the_file_in_the_docs_is_this_schema() -> None:
    written = (DOCS / "language.schema.json").read_text(encoding="utf-8")
    assert written == json.dumps(json_schema(), indent=2) + "\n"


def unknown_null(value: object) -> bool:
    """Whether a clause has a null under a key that it needs or has not: left out when read, an error by the schema."""
    needed = {"text", "key", "parts", "child", "name", "weight", "kind"}
    defs = json_schema()["$defs"]
    for one in below(value):
        if isinstance(one, dict) and one.get("op") in FORMS:
            known = defs[one["op"]]["properties"]
            if any(one[key] is None and (key not in known or key in needed) for key in one):
                return True
    return False


def below(value: object) -> list[object]:
    """The value and all inside it."""
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [value, *(one for part in inside for one in below(part))]


def follows(value: object, schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> bool:
    """Whether the value follows the schema: as much of JSON Schema as ours is written in."""
    root = root or schema
    assert set(schema) <= {
        "$schema", "title", "description", "$ref", "$defs", "anyOf", "type", "enum", "properties", "required",
        "additionalProperties", "items", "minItems", "minimum", "maximum",
    }  # fmt: skip
    if "$ref" in schema and not follows(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root):
        return False
    if "anyOf" in schema and not any(follows(value, one, root) for one in schema["anyOf"]):
        return False
    kinds = schema.get("type", [])
    if kinds and not any(is_kind(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        if not set(schema["required"]) <= set(value) or (
            not schema["additionalProperties"] and set(value) - set(known)
        ):
            return False
        return all(follows(one, known[key], root) for key, one in value.items())
    if isinstance(value, list) and "items" in schema:
        return len(value) >= schema.get("minItems", 0) and all(follows(one, schema["items"], root) for one in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf))
    return True


def is_kind(value: object, kind: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    kinds: dict[str, bool] = {
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "number": number,
        "integer": number and isinstance(value, int | float) and value == int(value),
    }
    return kinds[kind]
