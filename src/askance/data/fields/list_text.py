"""Lists as they are written: "Tea, Salt and Pepper" to items and back. What stands in double quotes is one item."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from askance.core.errors import BadInput

QUOTE = '"'
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


class NotAList(BadInput):
    """A text that cannot be read as a list of items."""


@dataclass(frozen=True)
class ListText:
    """How a list is written.

    `separators`: what stands between items, exactly as written (", " leaves "40,000" whole, "," does not); blanks
    around an item are no part of it. `conjunction`: a word that stands between the last two items instead ("and"); it
    counts as a word only, with blanks on both sides where its script has blanks. A last item that holds the word is
    cut at the last one: put double quotes around an item that must stay whole, two for each quote inside.
    """

    separators: tuple[str, ...] = (",",)
    conjunction: str | None = None

    def __post_init__(self) -> None:
        if not self.separators or not all(self.separators):
            raise BadInput(
                "a list of items needs a separator, and no separator is empty", remedy='Give one, for example ",".'
            )
        if any(QUOTE in mark for mark in (*self.separators, self.conjunction or "")):
            raise BadInput(
                "a separator or conjunction holds a double quote",
                remedy="Quotes mark items that are whole: leave it out.",
            )
        if self.conjunction is not None and not self.conjunction.strip():
            raise BadInput("the conjunction is blank", remedy='Give a word, for example "and", or none.')

    def split(self, text: str) -> tuple[str, ...]:
        """The items of `text`, in order; none for a blank text. NotAList on an empty item and on a quote left open."""
        if not text.strip():
            return ()
        parts = self._parts(text)
        items = [*parts[:-1], *self._last(parts[-1], alone=len(parts) == 1)]
        return tuple(self._item(part, number) for number, part in enumerate(items, 1))

    def render(self, items: Sequence[str]) -> str:
        """The list in words: `split` gives the same items. Items that would be misread are put in quotes."""
        written = [self._written(item) for item in items]
        if self.conjunction is not None and len(written) > 1:
            blank = "" if self._unspaced else " "
            between = f"{blank}{self.conjunction.strip()}{blank}"
            written[-2:] = [f"{written[-2]}{between}{written[-1]}"]
        first = self.separators[0]
        return (first if first[-1:].isspace() or _is_unspaced(first) else f"{first} ").join(written)

    @cached_property
    def _unspaced(self) -> bool:
        return self.conjunction is not None and _is_unspaced(self.conjunction)

    @cached_property
    def _separator(self) -> re.Pattern[str]:
        return re.compile("|".join(re.escape(mark) for mark in sorted(self.separators, key=len, reverse=True)))

    @cached_property
    def _conjunction(self) -> re.Pattern[str] | None:
        if self.conjunction is None:
            return None
        word = re.escape(self.conjunction.strip())
        return re.compile(word if self._unspaced else rf"(?:(?<=\s)|^){word}(?=\s)")

    def _parts(self, text: str) -> list[str]:
        if QUOTE not in text:
            return self._separator.split(text)
        parts, begin, at = [], 0, 0
        while at < len(text):
            quoted = self._quoted_end(text, begin, at)
            if quoted is not None:
                at = quoted
                continue
            found = self._separator.match(text, at)
            if found is None:
                at += 1
                continue
            parts.append(text[begin : found.start()])
            begin = at = found.end()
        return [*parts, text[begin:]]

    def _quoted_end(self, text: str, begin: int, at: int) -> int | None:
        """Where the quoted item that opens at `at` ends; None where none opens: a quote inside a word is a letter."""
        if text[at] != QUOTE:
            return None
        before = text[begin:at]
        if before.strip() and not self._ends_with_conjunction(before):
            return None
        return _closing(text, at)

    def _ends_with_conjunction(self, before: str) -> bool:
        if self._conjunction is None:
            return False
        last = None
        for last in self._conjunction.finditer(before):  # noqa: B007
            pass
        return last is not None and not before[last.end() :].strip()

    def _last(self, part: str, *, alone: bool) -> list[str]:
        """The last part, cut at its last conjunction outside quotes."""
        if self._conjunction is None:
            return [part]
        cuts = [found for found in self._conjunction.finditer(part) if not self._inside_quotes(part, found.start())]
        for found in reversed(cuts):
            before, after = part[: found.start()], part[found.end() :]
            if after.strip() and (before.strip() or not alone):
                return [before, after] if before.strip() else [after]
        return [part]

    def _inside_quotes(self, part: str, at: int) -> bool:
        opened = 0
        while opened < at:
            end = self._quoted_end(part, 0, opened)
            if end is not None and end > at:
                return True
            opened = end if end is not None else opened + 1
        return False

    def _item(self, part: str, number: int) -> str:
        item = part.strip()
        if not item:
            raise NotAList(f"item {number} is empty", remedy="Is a separator doubled, or the last one too many?")
        if not item.startswith(QUOTE):
            return item
        end = _closing(item, 0)
        if end != len(item):
            raise NotAList(f"after the quoted item {number} comes {item[end:][:40]!r}", remedy="Put a separator there.")
        return item[1:-1].replace(QUOTE * 2, QUOTE)

    def _written(self, item: str) -> str:
        if not self._must_be_quoted(item):
            return item
        return f"{QUOTE}{item.replace(QUOTE, QUOTE * 2)}{QUOTE}"

    def _must_be_quoted(self, item: str) -> bool:
        if not item or item != item.strip() or QUOTE in item:
            return True
        # a piece of a separator at the edge could become one together with its neighbour
        marks = {mark.strip() or mark for mark in self.separators}
        if any(mark in item for mark in marks) or any(
            item.startswith(mark[-n:]) or item.endswith(mark[:n]) for mark in marks for n in range(1, len(mark))
        ):
            return True
        if self.conjunction is None:
            return False
        word = re.escape(self.conjunction.strip())
        return re.search(word if self._unspaced else rf"(?:^|\s){word}(?:\s|$)", item) is not None


def render_list(items: Sequence[str], separator: str = ",", conjunction: str | None = None) -> str:
    """Items as a list in words; `split_list` with the same marks gives them back."""
    return ListText((separator,), conjunction).render(items)


def split_list(text: str, separator: str = ",", conjunction: str | None = None) -> tuple[str, ...]:
    """The items of a list in words."""
    return ListText((separator,), conjunction).split(text)


def _closing(text: str, opening: int) -> int:
    """The end of the quoted piece that opens at `opening`, its closing quote included."""
    at = opening + 1
    while True:
        at = text.find(QUOTE, at)
        if at < 0:
            shown = text[opening : opening + 40]
            raise NotAList(f"the quote is never closed: {shown!r}", remedy="Close it, or write two for a quote inside.")
        if text[at + 1 : at + 2] != QUOTE:
            return at + 1
        at += 2


def _is_unspaced(word: str) -> bool:
    """Whether the script of the mark's first character goes without blanks between words."""
    return unicodedata.name(word.strip()[:1] or " ", "").startswith((*_UNSPACED, "IDEOGRAPHIC", "FULLWIDTH"))
