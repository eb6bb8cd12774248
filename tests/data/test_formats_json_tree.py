"""Nested JSON walked with care: values, and the line of what does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import FileProblem
from askance.data.formats.json_tree import JsonNode

SCALARS = st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5) | st.just('",:[]{}\\')
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def nodes_of(node: JsonNode) -> Iterator[JsonNode]:
    """The node and all below it."""
    yield node
    if isinstance(node.value, dict):
        for key in node.value:
            yield from nodes_of(node.member(key))
    if isinstance(node.value, list):
        for entry in node.items():
            yield from nodes_of(entry)


def in_place(tree: object, steps: tuple[str | int, ...], new: object) -> object:
    """A copy of the tree with another value at the end of the steps."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(tree, dict):
        return {key: in_place(value, rest, new) if key == step else value for key, value in tree.items()}
    assert isinstance(tree, list)
    return [in_place(value, rest, new) if index == step else value for index, value in enumerate(tree)]


@given(tree=TREES, indent=st.sampled_from([None, 0, 2]), data=st.data())
def test_the_line_of_any_value(
    tmp_path_factory: pytest.TempPathFactory, tree: object, indent: int | None, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("tree") / "tree.json"
    path.write_text(json.dumps(tree, indent=indent))
    node = data.draw(st.sampled_from(list(nodes_of(JsonNode.of(path)))))
    marked = json.dumps(in_place(tree, node.steps, "the marked one"), indent=indent)
    assert node.line() == marked[: marked.index('"the marked one"')].count("\n") + 1


def test_what_does_not_fit_names_place_line_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "bank.json"
    path.write_text('{\n "queries": [\n  {"id": "a", "n": 1},\n  {"id": 7, "n": true}\n ]\n}')
    queries = JsonNode.of(path).member("queries")
    first, second = queries.items()
    assert (first.string("id"), first.integer("n")) == ("a", 1)
    for call, line, words in (
        (lambda: second.string("id"), 4, r"queries\[1\].id: expected a string, found 7"),
        (lambda: second.integer("n"), 4, r"queries\[1\].n: expected a whole number, found true"),
        (lambda: first.member("text"), 3, r"queries\[0\]: the key 'text' is missing; there is 'id', 'n'"),
        (lambda: queries.member("x"), 2, "queries: expected an object with the key 'x'"),
        (lambda: list(first.items()), 3, r"queries\[0\]: expected a list"),
    ):
        with pytest.raises(FileProblem, match=words) as caught:
            call()
        assert caught.value.line == line
        assert caught.value.remedy
