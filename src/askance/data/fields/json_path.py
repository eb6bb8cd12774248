"""Documents split by paths into their JSON record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from askance.core.errors import BadInput
from askance.data.fields.list_text import ListText, NotAList
from askance.data.fields.records import free_names, kind_of
from askance.data.fields.schema import Fact, Fields, Outside, Record

_STEP = re.compile(r"""\.?([^.\[\]"]+)|\[(\*)\]|\[(-?\d+)\]|\["((?:[^"\\]|\\.)*)"\]""")


class _Missing(Exception):
    """A record does not hold what a path or list asks for."""

    def __init__(self, kind: str, why: str) -> None:
        self.outside = Outside(kind, why)


@dataclass(frozen=True)
class JsonPath:
    """A way into a JSON value: keys with dots between, `[*]` for all entries of an array, `[0]` for one, `["a.b"]` for
    a key that is no plain word. BadInput where it cannot be read.
    """

    written: str

    def __post_init__(self) -> None:
        if not self.steps:
            raise BadInput("a path is empty", remedy="Name a key, for example person.name or likes[*].item.")

    @cached_property
    def steps(self) -> tuple[str | int | None, ...]:
        """Keys as str, entries as int, None for every entry."""
        steps: list[str | int | None] = []
        at = 0
        while at < len(self.written):
            found = _STEP.match(self.written, at)
            if found is None or (at == 0 and self.written.startswith(".")):
                raise BadInput(
                    f"the path {self.written!r} cannot be read from character {at + 1}: {self.written[at:][:20]!r}",
                    remedy='Write keys with dots between, [*] or [0] for entries, ["…"] for other keys.',
                )
            key, every, entry, quoted = found.groups()
            if every:
                steps.append(None)
            elif entry is not None:
                steps.append(int(entry))
            else:
                steps.append(key if key is not None else re.sub(r"\\(.)", r"\1", quoted))
            at = found.end()
        return tuple(steps)

    @property
    def many(self) -> bool:
        """Whether it may lead to several values."""
        return None in self.steps

    def values(self, value: object) -> list[object]:
        """What the path leads to, in order; without `[*]` exactly one. _Missing where it leads nowhere."""
        found = [value]
        for number, step in enumerate(self.steps, 1):
            found = [inner for outer in found for inner in self._step(outer, step, number)]
        return found

    def _step(self, value: object, step: str | int | None, number: int) -> list[object]:
        if isinstance(step, str):
            if isinstance(value, Mapping) and step in value:
                return [value[step]]
            what = f"key {step!r}" if isinstance(value, Mapping) else f"key {step!r} in {kind_of(value)}"
        elif not isinstance(value, list | tuple):
            what = f"array, but {kind_of(value)}"
        elif step is None:
            return list(value)
        elif -len(value) <= step < len(value):
            return [value[step]]
        else:
            what = f"entry {step} in an array of {len(value)}"
        raise _Missing("missing", f"{self.written}: there is no {what} at step {number}")


@dataclass(frozen=True)
class FactPaths:
    """Facts as an array of objects: `each` leads to the objects, the other two start inside one."""

    each: JsonPath
    items: JsonPath
    relation: JsonPath | None = None


@dataclass(frozen=True)
class JsonPathSchema:
    """Paths to the parts of a document's record.

    `items`: an array of strings, or one string that is a list as `marks` says it is written. `relation`: that of all
    `items`. `facts`: arrays of objects with their own relation. `texts`: further text fields by name. A record where a
    path leads nowhere or to something of another kind is outside.
    """

    name: JsonPath | None = None
    items: JsonPath | None = None
    relation: JsonPath | None = None
    facts: FactPaths | None = None
    texts: Mapping[str, JsonPath] | None = None
    marks: ListText = ListText()

    def __post_init__(self) -> None:
        if not (self.name or self.items or self.facts or self.texts):
            raise BadInput("the schema names no path", remedy="Give at least one of name, items, facts, texts.")
        if self.relation and not self.items:
            raise BadInput("a path to the relation needs one to the items", remedy="Give items, or leave it out.")
        free_names(self.texts or (), "the schema")

    def split(self, record: Record) -> Fields | Outside:
        try:
            name = _string(self.name, record) if self.name else None
            texts = {name: _joined(path, record) for name, path in (self.texts or {}).items()}
            return Fields(name, tuple(self._facts(record)), texts)
        except _Missing as missing:
            return missing.outside
        except NotAList as problem:
            return Outside("not a list", problem.message)

    def _facts(self, record: Record) -> list[Fact]:
        facts = []
        if self.items:
            relation = _string(self.relation, record) if self.relation else None
            facts.append(Fact(self._items(self.items, record), relation))
        if self.facts:
            for entry in _entries(self.facts.each, record):
                relation = _string(self.facts.relation, entry) if self.facts.relation else None
                facts.append(Fact(self._items(self.facts.items, entry), relation))
        return [fact for fact in facts if fact.items]

    def _items(self, path: JsonPath, value: object) -> tuple[str, ...]:
        found = path.values(value)
        if path.many:
            return tuple(_checked(item, path) for item in found)
        whole = found[0]
        if isinstance(whole, str):
            return self.marks.split(whole)
        if isinstance(whole, list | tuple):
            return tuple(_checked(item, path) for item in whole)
        raise _Missing("wrong kind", f"{path.written} is {kind_of(whole)}, expected an array or a string")

    def described(self) -> Mapping[str, Any]:
        facts = self.facts and {
            "each": self.facts.each.written,
            "items": self.facts.items.written,
            "relation": self.facts.relation and self.facts.relation.written,
        }
        return {
            "kind": "json",
            "name": self.name and self.name.written,
            "items": self.items and self.items.written,
            "relation": self.relation and self.relation.written,
            "facts": facts,
            "texts": {name: path.written for name, path in (self.texts or {}).items()},
            "separators": list(self.marks.separators),
            "conjunction": self.marks.conjunction,
        }


def _checked(item: object, path: JsonPath) -> str:
    if not isinstance(item, str):
        raise _Missing("wrong kind", f"{path.written} holds {kind_of(item)}, expected strings")
    if not item.strip():
        raise _Missing("not a list", f"{path.written} holds an empty item")
    return item


def _string(path: JsonPath, value: object) -> str:
    found = path.values(value)
    if len(found) != 1 or not isinstance(found[0], str):
        what = kind_of(found[0]) if len(found) == 1 else f"{len(found)} values"
        raise _Missing("wrong kind", f"{path.written} is {what}, expected a string")
    return found[0]


def _joined(path: JsonPath, value: object) -> str:
    """A text; several are put one below the other."""
    return "\n".join(_checked_text(text, path) for text in path.values(value))


def _checked_text(text: object, path: JsonPath) -> str:
    if not isinstance(text, str):
        raise _Missing("wrong kind", f"{path.written} is {kind_of(text)}, expected a string")
    return text


def _entries(path: JsonPath, value: object) -> list[object]:
    found = path.values(value)
    if not path.many and isinstance(found[0], list | tuple):
        return list(found[0])
    return found
