"""A nested JSON file, walked with care: what does not fit names its line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.formats.lines import read_json, read_lines

_SPACE = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value of a JSON file and the keys and indices that lead to it."""

    path: Path
    value: object
    steps: tuple[str | int, ...] = ()

    @classmethod
    def of(cls, path: Path) -> JsonNode:
        """The whole of a file; FileProblem where it cannot be read."""
        return cls(path, read_json(path))

    def member(self, key: str) -> JsonNode:
        """What stands under `key`; FileProblem where this is no object or has no such key."""
        if not isinstance(self.value, dict):
            raise self.problem(f"expected an object with the key {key!r}")
        if key not in self.value:
            has = ", ".join(map(repr, self.value)) or "nothing"
            raise self.problem(f"the key {key!r} is missing; there is {has}")
        return JsonNode(self.path, self.value[key], (*self.steps, key))

    def items(self) -> Iterator[JsonNode]:
        """The entries of a list; FileProblem where this is none."""
        if not isinstance(self.value, list):
            raise self.problem("expected a list")
        for index, value in enumerate(self.value):
            yield JsonNode(self.path, value, (*self.steps, index))

    def string(self, key: str) -> str:
        """The string under `key`."""
        node = self.member(key)
        if not isinstance(node.value, str):
            raise node.problem(f"expected a string, found {json.dumps(node.value)[:60]}")
        return node.value

    def integer(self, key: str) -> int:
        """The whole number under `key`."""
        node = self.member(key)
        if isinstance(node.value, bool) or not isinstance(node.value, int):
            raise node.problem(f"expected a whole number, found {json.dumps(node.value)[:60]}")
        return node.value

    def problem(self, found: str, remedy: str = "Repair the file, or fetch it again.") -> FileProblem:
        """What is wrong with this value, with the line on which it begins."""
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps).lstrip(".")
        return FileProblem(self.path, f"{where}: {found}" if where else found, line=self.line(), remedy=remedy)

    def line(self) -> int:
        """The line on which this value begins, found by reading the file again: only errors ask for it."""
        text = "\n".join(line for _, line in read_lines(self.path))
        return text.count("\n", 0, _place(text, self.steps)) + 1


def _place(text: str, steps: Sequence[str | int]) -> int:
    """Where in a valid JSON text the value at the end of `steps` begins."""
    decoder = json.JSONDecoder()
    at = _past_space(text, 0)
    for step in steps:
        index = 0
        while True:
            at = _past_space(text, at + 1)  # past the bracket or comma
            name: object = index
            if isinstance(step, str):
                name, at = decoder.raw_decode(text, at)
                at = _past_space(text, _past_space(text, at) + 1)  # past the colon
            if name == step:
                break
            _, at = decoder.raw_decode(text, at)
            at = _past_space(text, at)
            index += 1
    return at


def _past_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
