"""Documents split by paths into their record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.data.fields.json_path import FactPaths, JsonPath, JsonPathSchema
from askance.data.fields.kinds import schema_of
from askance.data.fields.list_text import ListText
from askance.data.fields.schema import Fact, Fields, Outside

RECORD = {
    "person": {"name": "Bo Ray", "born.in": "Ulm"},
    "likes": ["Tea", "Peter, Paul and Mary"],
    "listed": "Tea, Rye and Oats",
    "verb": "likes",
    "facts": [{"how": "likes", "what": ["Tea"]}, {"how": "fears", "what": "Bees, Wasps"}],
    "notes": [{"text": "one"}, {"text": "two"}],
    "empty": [],
    "null": None,
    "numbers": [1],
}


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("a", ("a",)),
        ("a.b", ("a", "b")),
        ("a[*].b", ("a", None, "b")),
        ("a[0][-1]", ("a", 0, -1)),
        ('["born.in"]', ("born.in",)),
        (r'a["x\"y"].z', ("a", 'x"y', "z")),
        ("ein Schlüssel", ("ein Schlüssel",)),
    ],
)
def test_paths(path: str, steps: tuple[object, ...]) -> None:
    assert JsonPath(path).steps == steps


@pytest.mark.parametrize(
    ("path", "at"), [("a..b", 2), (".a", 1), ("a[", 2), ("a[x]", 2), ('a["b]', 2), ("a]", 2), ("a.", 2)]
)
def test_paths_that_cannot_be_read_say_where(path: str, at: int) -> None:
    with pytest.raises(BadInput, match=f"cannot be read from character {at}"):
        JsonPath(path)


def test_an_empty_path_and_an_empty_schema() -> None:
    with pytest.raises(BadInput, match="a path is empty"):
        JsonPath("")
    with pytest.raises(BadInput, match="names no path"):
        JsonPathSchema()
    with pytest.raises(BadInput, match="needs one to the items"):
        JsonPathSchema(JsonPath("a"), relation=JsonPath("b"))
    with pytest.raises(BadInput, match="'relation', a name that is taken"):
        JsonPathSchema(JsonPath("a"), texts={"relation": JsonPath("b")})


def test_every_part() -> None:
    schema = JsonPathSchema(
        JsonPath("person.name"),
        JsonPath("likes[*]"),
        JsonPath("verb"),
        FactPaths(JsonPath("facts[*]"), JsonPath("what"), JsonPath("how")),
        {"notes": JsonPath("notes[*].text"), "born": JsonPath('person["born.in"]')},
    )
    assert schema.split(RECORD) == Fields(
        "Bo Ray",
        (
            Fact(("Tea", "Peter, Paul and Mary"), "likes"),
            Fact(("Tea",), "likes"),
            Fact(("Bees", "Wasps"), "fears"),
        ),
        {"notes": "one\ntwo", "born": "Ulm"},
    )
    again = schema_of(schema.described())
    assert again.described() == schema.described()
    assert again.split(RECORD) == schema.split(RECORD)


@pytest.mark.parametrize(
    ("items", "facts"),
    [
        ("likes", (Fact(("Tea", "Peter, Paul and Mary")),)),
        ("listed", (Fact(("Tea", "Rye", "Oats")),)),
        ("likes[0]", (Fact(("Tea",)),)),
        ("empty", ()),
        ("empty[*]", ()),
    ],
)
def test_items(items: str, facts: tuple[Fact, ...]) -> None:
    schema = JsonPathSchema(items=JsonPath(items), marks=ListText((",",), "and"))
    assert schema.split(RECORD) == Fields(None, facts)


@pytest.mark.parametrize(
    ("items", "kind", "why"),
    [
        ("dislikes", "missing", "dislikes: there is no key 'dislikes' at step 1"),
        ("person[*]", "missing", "no array, but an object at step 2"),
        ("likes[7]", "missing", "no entry 7 in an array of 2"),
        ("likes.name", "missing", "no key 'name' in an array at step 2"),
        ("person", "wrong kind", "person is an object, expected an array or a string"),
        ("numbers[*]", "wrong kind", "holds a number, expected strings"),
        ("null", "wrong kind", "null is null"),
    ],
)
def test_a_record_that_does_not_fit_is_outside(items: str, kind: str, why: str) -> None:
    found = JsonPathSchema(items=JsonPath(items)).split(RECORD)
    assert isinstance(found, Outside)
    assert found.kind == kind
    assert why in found.why


@given(items=st.lists(st.text(min_size=1).filter(lambda item: bool(item.strip())), max_size=6), name=st.text())
def test_arrays_keep_items_as_they_are(items: list[str], name: str) -> None:
    schema = JsonPathSchema(JsonPath("who"), JsonPath("what[*]"))
    expected = (Fact(tuple(items)),) if items else ()
    assert schema.split({"who": name, "what": items}) == Fields(name, expected)
