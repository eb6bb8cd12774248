"""Schemas by name, from files, and from what was written down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.data.fields.callable import CallableSchema
from askance.data.fields.json_path import JsonPathSchema
from askance.data.fields.kinds import schema_from_file, schema_named, schema_of
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import Fields, Outside

HERE = "tests.data.fields.test_kinds"


def by_colon(record: Mapping[str, Any]) -> Fields | Outside:
    name, colon, _ = record["text"].partition(":")
    return Fields(name) if colon else Outside("no colon", "there is no colon")


def nonsense(record: Mapping[str, Any]) -> str:
    return "no fields"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("kind = 'pattern'\npattern = '(?P<name>.*)'\nseparators = [';']\nconjunction = 'und'\n", PatternSchema),
        ("kind = 'json'\nname = 'a.b'\n[facts]\neach = 'f[*]'\nitems = 'i'\nrelation = 'r'\n", JsonPathSchema),
        ("kind = 'learned'\n", LearnedSchema),
    ],
)
def test_toml_files(tmp_path: Path, content: str, kind: type) -> None:
    (tmp_path / "schema.toml").write_text(content)
    assert isinstance(schema_from_file(tmp_path / "schema.toml"), kind)


def test_a_json_file(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"kind": "json", "items": "likes[*]", "texts": {"body": "b"}}))
    schema = schema_from_file(path)
    assert isinstance(schema, JsonPathSchema)
    assert schema_of(schema.described()).described() == schema.described()


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("kind = 'patern'\n", 1, "no kind of schema 'patern'"),
        ("pattern = 'x'\n", None, "the key 'kind' is missing"),
        ("kind = 'pattern'\n", None, "the key 'pattern' is missing"),
        ("kind = 'pattern'\npattern = '(?P<name>'\n", 2, "no regular expression"),
        ("kind = 'pattern'\npattern = 'x'\npatern = 'x'\n", 3, "no key 'patern'. Did you mean 'pattern'"),
        ("kind = 'pattern'\npattern = 3\n", 2, "pattern: Input should be a valid string"),
        ("kind = 'pattern'\n\npattern = (\n", 3, "not valid TOML"),
        ("kind = 'json'\nname = 'a..b'\n", 2, "cannot be read from character 2"),
        ("kind = 'json'\n[facts]\neach = 'a'\nitem = 'b'\n", 4, "no key 'facts.item'"),
        ("kind = 'json'\n", None, "names no path"),
        ("kind = 'pattern'\npattern = '(?P<name>.*)'\nseparators = []\n", 3, "separators"),
        ("kind = 'callable'\nplace = 'os:system'\n", 1, "cannot name a function"),
    ],
)
def test_a_file_that_is_wrong_says_where(tmp_path: Path, content: str, line: int | None, words: str) -> None:
    path = tmp_path / "schema.toml"
    path.write_text(content)
    with pytest.raises(FileProblem) as caught:
        schema_from_file(path)
    assert words in str(caught.value)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert caught.value.remedy


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="there is no such file"):
        schema_from_file(tmp_path / "schema.toml")
    (tmp_path / "schema.toml").write_bytes(b"kind = '\xff'")
    with pytest.raises(FileProblem, match="not UTF-8"):
        schema_from_file(tmp_path / "schema.toml")
    (tmp_path / "schema.json").write_text("[1]")
    with pytest.raises(FileProblem, match="holds no object"):
        schema_from_file(tmp_path / "schema.json")
    (tmp_path / "schema.json").write_text('{"kind":\n oops}')
    with pytest.raises(FileProblem) as caught:
        schema_from_file(tmp_path / "schema.json")
    assert caught.value.line == 2


def test_names() -> None:
    assert isinstance(schema_named("learned"), LearnedSchema)
    assert isinstance(schema_named(f"{HERE}:by_colon"), CallableSchema)
    with pytest.raises(UnknownName, match="Did you mean 'learned'"):
        schema_named("learnt")


def test_a_function_splits_and_runs_only_when_it_is_named_again() -> None:
    schema = CallableSchema(f"{HERE}:by_colon")
    assert schema.split({"text": "Bo: x"}) == Fields("Bo")
    assert schema.split({"text": "Bo"}) == Outside("no colon", "there is no colon")
    described = schema.described()
    with pytest.raises(BadInput, match="runs only when you name it") as caught:
        schema_of(described)
    assert f"{HERE}:by_colon" in (caught.value.remedy or "")
    with pytest.raises(BadInput, match="not by"):
        schema_of(described, function=f"{HERE}:nonsense")
    assert schema_of(described, function=f"{HERE}:by_colon").split({"text": "Bo: x"}) == Fields("Bo")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("by_colon", "names no function"),
        ("no.such.module:f", "cannot be imported"),
        (f"{HERE}:by_colun", "has no function 'by_colun'"),
        (f"{HERE}:HERE", "has no function 'HERE'"),
    ],
)
def test_a_place_without_a_function(place: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        CallableSchema(place)


def test_a_function_that_gives_something_else() -> None:
    with pytest.raises(BadInput, match="gave str"):
        CallableSchema(f"{HERE}:nonsense").split({"text": "x"})


@pytest.mark.parametrize(
    "described",
    [{"kind": "learned"}, {"kind": "pattern"}, {"kind": "pattern", "pattern": 1}, {"kind": "odd"}, {}],
)
def test_damage_to_what_was_written_down_is_told(described: Mapping[str, Any]) -> None:
    with pytest.raises(BadInput) as caught:
        schema_of(described)
    assert caught.value.remedy
