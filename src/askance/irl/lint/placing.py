"""Where a document's name and items stand in its text, and what an occurrence of a phrase lies in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from askance.irl.lint.findings import Kind
from askance.irl.lint.holdings import Holdings
from askance.irl.lint.words import Words

NAME = -1


@dataclass(frozen=True)
class Placed:
    """Stretches of a document's words, in order and apart: `what` is NAME or the place of an item in the columns.

    `unplaced`: items that the text does not hold.
    """

    begins: list[int]
    ends: list[int]
    what: list[int]
    unplaced: int


class Places:
    """Places items when a document is asked for, and keeps what it found."""

    def __init__(self, words: Words, holdings: Holdings) -> None:
        self._words, self._holdings = words, holdings
        self._kept: dict[int, Placed] = {}

    def of(self, document: int) -> Placed:
        """The document's name and items in its text."""
        found = self._kept.get(document)
        if found is None:
            name = self._holdings.names[document]
            held = self._holdings.of_document(document)
            forms = self._holdings.form[held].tolist()
            items = [self._holdings.terms[key] for key in self._holdings.key[forms].tolist()]
            found = placed(self._words.of(document), self._words.numbers(name or ""), items, held.start)
            self._kept[document] = found
        return found

    def causes(
        self, document: int, begins: Sequence[int], length: int, relations: frozenset[int] | None
    ) -> set[tuple[Kind, str]]:
        """What the occurrences that begin at these words of the document lie in: kind, and what is written there.

        The document is no answer. `relations`: numbers of those asked for; None: any.
        """
        outside = self._holdings.outside[document]
        if outside:
            return {("outside the schema", outside)}
        found = self.of(document)
        return {self._cause(found, document, begin, begin + length, relations) for begin in begins}

    def _cause(
        self, found: Placed, document: int, begin: int, end: int, relations: frozenset[int] | None
    ) -> tuple[Kind, str]:
        at = bisect_right(found.begins, begin) - 1
        if at >= 0 and end <= found.ends[at]:
            exactly = (begin, end) == (found.begins[at], found.ends[at])
            return self._within(found.what[at], document, exactly, relations)
        first = at if at >= 0 and begin < found.ends[at] else at + 1
        after = bisect_right(found.begins, end - 1)
        touched = [self._said(found.what[each], document) for each in range(first, after)]
        return ("across a boundary", ", ".join(touched)) if touched else ("template words", "")

    def _within(self, what: int, document: int, exactly: bool, relations: frozenset[int] | None) -> tuple[Kind, str]:
        said = self._said(what, document)
        if what == NAME:
            return "item in name", said
        if not exactly:
            return "item in item", said
        # The very item, and yet no answer: held in another relation, or written as another item.
        held = int(self._holdings.relation[what])
        if relations is not None and held not in relations:
            return "other relation", f"{self._holdings.relations[held]} {said}"
        return "ambiguous item", said

    def _said(self, what: int, document: int) -> str:
        if what == NAME:
            return self._holdings.names[document] or ""
        return self._holdings.forms[int(self._holdings.form[what])]


def placed(words: list[int], name: list[int], items: Sequence[Sequence[int]], first: int = 0) -> Placed:
    """Places a name and items, all as term numbers, in the words of a text; items count from `first`.

    The name takes its first occurrence. Items follow one another: each takes the first occurrence after the one before
    it, then moves as near to the next as it can, so that an item called like a word of the template does not take that
    word's place. What does not stand in that order is looked for anywhere that is free.
    """
    taken: list[tuple[int, int, int]] = []
    at = _find(words, name, 0, taken)
    if at >= 0:
        taken.append((at, at + len(name), NAME))
    row: list[tuple[int, int, int]] = []
    late = []
    after = 0
    for number, item in enumerate(items, first):
        at = _find(words, item, after, taken)
        if at < 0:
            late.append((number, item))
        else:
            after = at + len(item)
            row.append((at, after, number))
    taken += _tightened(words, row, taken)
    unplaced = 0
    for number, item in late:
        at = _find(words, item, 0, taken)
        if at < 0:
            unplaced += 1
        else:
            taken.append((at, at + len(item), number))
    taken.sort()
    return Placed([each[0] for each in taken], [each[1] for each in taken], [each[2] for each in taken], unplaced)


def _find(words: list[int], wanted: Sequence[int], after: int, taken: list[tuple[int, int, int]]) -> int:
    """The first free occurrence that begins at or after a place; -1 where there is none."""
    if not wanted:
        return -1
    whole, length = list(wanted), len(wanted)
    try:
        while True:
            at = words.index(whole[0], after)
            if words[at : at + length] == whole:
                lying = [end for begin, end, _ in taken if at < end and begin < at + length]
                if not lying:
                    return at
            after = at + 1
    except ValueError:
        return -1


def _tightened(
    words: list[int], row: list[tuple[int, int, int]], taken: list[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    """Each but the last moved to its last free occurrence before the next."""
    found = list(row)
    for place in range(len(row) - 2, -1, -1):
        begin, end, number = found[place]
        length, limit = end - begin, found[place + 1][0]
        for at in range(limit - length, begin, -1):
            if words[at : at + length] == words[begin:end] and _find(words, words[begin:end], at, taken) == at:
                found[place] = (at, at + length, number)
                break
    return found
