"""What a text is about, by rules that a user wrote: its type, and what fills its slots.

A TOML file:

    slots = ["object", "place"]          # in the order in which tiers vary them

    [[rule]]
    name = "put a clean X"               # how the report calls it
    type = "cleaning"                    # or type_of = "verb": the group whose words [types] maps to a type
    pattern = 'put a clean (?P<object>.+) in (?P<place>.+)'
    on = "goals"                         # goals, queries, or both, which is the default
    fallback = true                      # read only where no other rule fits

    [types]                              # verb → type, for type_of
    wash = "cleaning"

    [alias.object]                       # a word → the names it may mean
    bottle = ["glassbottle", "soapbottle"]

A pattern must fit the whole text (its last full stop is no part of it), whatever its case. A rule with neither `type`
nor `type_of` takes the type that the query itself says it has.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from askance.build.trajectories.labels import Label
from askance.core.errors import FileProblem

Side = Literal["goals", "queries"]


class Rule(BaseModel):
    """One wording. `type_of` names a group of the pattern whose words `types` of the file maps to a type."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    pattern: str
    type: str | None = None
    type_of: str | None = None
    on: Literal["goals", "queries", "both"] = "both"
    fallback: bool = False

    @field_validator("pattern")
    @classmethod
    def _readable(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as wrong:
            raise ValueError(f"the pattern {pattern!r} cannot be read: {wrong}") from None
        return pattern

    @model_validator(mode="after")
    def _one_type(self) -> Rule:
        if self.type is not None and self.type_of is not None:
            raise ValueError(f"the rule {self.name!r} has both type and type_of")
        if self.type_of is not None and self.type_of not in self.compiled.groupindex:
            raise ValueError(f"type_of of the rule {self.name!r} is {self.type_of!r}, no group of its pattern")
        return self

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)


class Rules(BaseModel):
    """All rules of a file; see the module."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slots: tuple[str, ...] = Field(min_length=1)
    rule: tuple[Rule, ...] = Field(min_length=1)
    types: Mapping[str, str] = {}
    alias: Mapping[str, Mapping[str, tuple[str, ...]]] = {}

    @model_validator(mode="after")
    def _fits(self) -> Rules:
        for name in self.alias:
            if name not in self.slots:
                raise ValueError(f"alias.{name} is for no slot; slots are {', '.join(self.slots)}")
        names = [rule.name for rule in self.rule]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two rules are called {name!r}")
        return self

    def label(self, text: str, side: Side, told: str | None = None) -> Label | None:
        """What the first rule that fits says of a text; None where none does. `told`: the type a query says it has."""
        said = text.strip().removesuffix(".")
        fitting: list[tuple[Rule, Label]] = []
        for rule in sorted(self.rule, key=lambda one: one.fallback):
            if rule.on not in (side, "both") or (rule.fallback and fitting):
                continue
            match = rule.compiled.fullmatch(said)
            label = self._read(rule, match, told) if match else None
            if label is not None:
                fitting.append((rule, label))
        if not fitting:
            return None
        first = fitting[0][1]
        differing = tuple(rule.name for rule, label in fitting[1:] if not label.same(first))
        return Label(first.type, first.slots, first.rule, differing)

    def _read(self, rule: Rule, match: re.Match[str], told: str | None) -> Label | None:
        found = {name: text.lower() for name, text in match.groupdict().items() if text is not None}
        kind = rule.type or told
        if rule.type_of is not None and rule.type_of in found:
            kind = self.types.get(found[rule.type_of])
        if kind is None:
            return None
        slots = {name: self._names(name, found[name]) for name in self.slots if name in found}
        return Label(kind, slots, rule.name)

    def _names(self, slot: str, said: str) -> tuple[str, ...]:
        """The names a word may mean; one written apart is joined: soap bar, soapbar."""
        return self.alias.get(slot, {}).get(said, (said.replace(" ", ""),))


def read_rules(path: str | Path) -> Rules:
    """The rules of a TOML file; FileProblem that says what is wrong with it."""
    path = Path(path)
    remedy = "See docs/build.md for what such a file holds."
    try:
        with path.open("rb") as file:
            return Rules.model_validate(tomllib.load(file))
    except OSError as refused:
        raise FileProblem(path, f"cannot be read: {refused.strerror}") from None
    except ValidationError as wrong:
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong.errors())
        raise FileProblem(path, said, remedy=remedy) from None
    except ValueError as wrong:
        raise FileProblem(path, f"this is no TOML: {wrong}", remedy=remedy) from None
