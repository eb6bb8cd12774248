"""Names of slots: one word for an analyzer, and none that the collection itself uses.

Of eighteen stems that were tried with MiniLM, on views of goals, of actions, of whole logs and of people's wordings,
"unit" was best on average at rank 1 and among the first five. To a lexical index all are alike.
"""

from __future__ import annotations

from collections.abc import Container

from askance.views.rules import RULES, Rule

_STEMS = ("unit", "slot", "entity", "blank", "xunit", "xslot", "xentity")


class Names:
    """Gives names: unita, unitb, …, unitz, unitaa; unitnumber and its like for what is open by rule."""

    def __init__(self, taken: Container[str]) -> None:
        """`taken`: the words of the collection. Another stem is used where one of the names is among them."""
        self._stem = next((stem for stem in _STEMS if not _is_taken(stem, taken)), _STEMS[-1])
        self._given = 0

    def next(self) -> str:
        """The next name."""
        name = self._stem + _letters(self._given)
        self._given += 1
        return name

    def of_rule(self, rule: Rule) -> str:
        """The name of what is open by this rule."""
        return self._stem + rule


def _letters(number: int) -> str:
    """a, b, …, z, aa, ab, …"""
    out = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(ord("a") + rest) + out
    return out


def _is_taken(stem: str, taken: Container[str]) -> bool:
    return any(stem + ending in taken for ending in (*map(_letters, range(52)), *RULES))
