"""Documents split by a regular expression."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.data.fields.kinds import schema_of
from askance.data.fields.list_text import ListText
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import Fact, Fields, Outside

LIKES = r"(?P<name>.+?) (?P<relation>likes|does not like) (?P<items>.+)\."
AND = ListText((",",), "and")


def test_a_document_that_matches() -> None:
    schema = PatternSchema(LIKES, AND)
    assert schema.split({"text": "Bo Ray likes Tea, Rye and Oats."}) == Fields(
        "Bo Ray", (Fact(("Tea", "Rye", "Oats"), "likes"),)
    )
    found = schema.split({"text": "Bo Ray does not like Tea."})
    assert isinstance(found, Fields)
    assert found.facts == (Fact(("Tea",), "does not like"),)


@pytest.mark.parametrize(
    ("record", "kind", "why"),
    [
        ({"text": "Bo Ray hates Tea."}, "no match", "as a whole"),
        ({"text": "Bo Ray likes Tea. Really"}, "no match", "as a whole"),
        ({"text": "Bo Ray likes Tea,, Rye."}, "not a list", "item 2 is empty"),
        ({"text": 'Bo Ray likes "Tea.'}, "not a list", "never closed"),
        ({}, "no text", "no field 'text'"),
        ({"text": 3}, "no text", "is a number"),
    ],
)
def test_a_document_that_does_not(record: dict[str, object], kind: str, why: str) -> None:
    found = PatternSchema(LIKES, AND).split(record)
    assert isinstance(found, Outside)
    assert found.kind == kind
    assert why in found.why


def test_other_groups_are_texts_and_groups_may_be_missing() -> None:
    schema = PatternSchema(r"(?P<town>\w+)(?: of (?P<land>\w+))?: (?P<items>.*)")
    assert schema.split({"text": "Ulm: a, b"}) == Fields(None, (Fact(("a", "b")),), {"town": "Ulm"})
    assert schema.split({"text": "Ulm of X: "}) == Fields(None, (), {"town": "Ulm", "land": "X"})


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(?P<name>", "no regular expression"),
        ("(.*) likes (.*)", "no named group"),
        ("(?P<exact>.*)", "'exact', a name that is taken"),
        ("(?P<text>.*)", "'text', a name that is taken"),
    ],
)
def test_a_pattern_that_cannot_be_used(pattern: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        PatternSchema(pattern)
    assert caught.value.remedy


def test_where_a_pattern_breaks_is_shown() -> None:
    with pytest.raises(BadInput) as caught:
        PatternSchema("(?P<name>a)(b")
    assert caught.value.message.endswith("\n  (?P<name>a)(b\n             ^")


@given(
    name=st.text(alphabet="abC ", min_size=1, max_size=6),
    items=st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=4),
)
def test_rendered_documents_are_split_back(name: str, items: list[str]) -> None:
    schema = PatternSchema(r"(?P<name>[abC ]+) likes (?P<items>(?s:.+))\.", AND)
    found = schema.split({"text": f"{name} likes {AND.render(items)}."})
    assert found == Fields(name, (Fact(tuple(items)),))


def test_it_is_made_again_from_what_is_written_down() -> None:
    schema = PatternSchema(LIKES, ListText((";", "|"), "und"), "body")
    again = schema_of(schema.described())
    assert again.described() == schema.described()
    record = {"body": "Bo likes a; b | c und d."}
    assert again.split(record) == schema.split(record) == Fields("Bo", (Fact(("a", "b", "c", "d"), "likes"),))
