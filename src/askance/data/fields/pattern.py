"""Documents split by a regular expression with named groups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from askance.core.errors import BadInput
from askance.data.fields.list_text import ListText, NotAList
from askance.data.fields.records import free_names, text_of
from askance.data.fields.schema import Fact, Fields, Outside, Record


class PatternSchema:
    """A regular expression (Python's `re`) that the whole text must match.

    Its groups: `name`, `relation`, `items` (a list, as `marks` says how it is written); every other named group is a
    text field of that name. BadInput where the expression is none, or has no named group.
    """

    def __init__(self, pattern: str, marks: ListText | None = None, field: str = "text") -> None:
        self.pattern, self.marks, self.field = pattern, marks or ListText(), field
        others = set(self._compiled.groupindex) - {"name", "relation", "items"}
        if not self._compiled.groupindex:
            raise BadInput(
                f"the pattern {pattern!r} has no named group",
                remedy=r"Name what is to be found: (?P<name>.+?) likes (?P<items>.+)\.",
            )
        free_names(others, f"the pattern {pattern!r}")
        self._others = sorted(others)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        try:
            return re.compile(self.pattern)
        except (re.error, RecursionError, OverflowError) as error:
            at = getattr(error, "pos", None)
            caret = f"\n  {self.pattern}\n  {' ' * at}^" if at is not None and "\n" not in self.pattern else ""
            raise BadInput(
                f"the pattern {self.pattern!r} is no regular expression: {error}{caret}",
                remedy="Repair it; a group is (?P<name>…).",
            ) from None

    def split(self, record: Record) -> Fields | Outside:
        text = text_of(record, self.field)
        if isinstance(text, Outside):
            return text
        found = self._compiled.fullmatch(text)
        if found is None:
            return Outside("no match", "the text as a whole does not match the pattern")
        groups = found.groupdict()
        texts = {name: groups[name] for name in self._others if groups[name] is not None}
        try:
            facts = self._facts(groups)
        except NotAList as problem:
            return Outside("not a list", problem.message)
        return Fields(groups.get("name"), facts, texts)

    def _facts(self, groups: Mapping[str, str | None]) -> tuple[Fact, ...]:
        items = self.marks.split(groups.get("items") or "")
        return (Fact(items, groups.get("relation")),) if items else ()

    def described(self) -> Mapping[str, Any]:
        return {
            "kind": "pattern",
            "pattern": self.pattern,
            "field": self.field,
            "separators": list(self.marks.separators),
            "conjunction": self.marks.conjunction,
        }
