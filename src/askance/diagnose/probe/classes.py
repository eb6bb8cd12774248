"""The classes that are edited, and how each is: words swapped, order shuffled, reworded, a sentence more or less."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from askance.diagnose.probe.bill import ANOTHER, NOTHING
from askance.diagnose.probe.edits import HowMany, Make, swapping
from askance.diagnose.probe.pool import Pool
from askance.diagnose.probe.reading import TokenReader
from askance.diagnose.probe.rearranging import Neutral, Wordings, shuffling

ORDER, WORDING, LENGTH = "word order", "wording", "length"
NO_OTHER_TEXT = "there is no other text"
_MOST_OPEN = 8


@dataclass(frozen=True)
class Editable:
    """A class. `edit`: what is done to it, in a word; `swaps`: whether its words are exchanged for others.

    `drawn`: what its draws start from besides the seed. Of an open class that is its place among them, so that the
    edits do not hang on how classes are called.
    """

    name: str
    label: str
    edit: str
    make: Make
    swaps: bool = False
    drawn: str = ""


def editable(
    reader: TokenReader, pool: Pool, documents: Sequence[str], queries: Sequence[str], how_many: HowMany
) -> list[Editable]:
    """All classes of the collection: of open ones the eight most frequent."""
    texts = [*documents, *queries]
    groups = reader.groups()
    rare = [one for one in groups if one in reader.open][_MOST_OPEN:]
    found = [
        Editable(
            one,
            reader.label(one),
            "swapped",
            swapping(reader, pool, [one], how_many),
            swaps=True,
            drawn=f"open {place}" if one in reader.open else one,
        )
        for place, one in enumerate(groups)
        if one not in rare
    ]
    wordings, neutral = Wordings(reader, texts), Neutral(reader, texts)
    return [
        *found,
        Editable(ORDER, "word order", "shuffled", shuffling(reader)),
        Editable(WORDING, "wording", "another wording of the collection", wordings.rewording()),
        Editable(LENGTH, "length", "a neutral sentence more or less", neutral.resizing()),
    ]


def controls(texts: Sequence[str]) -> tuple[Editable, Editable]:
    """The text as it is, and another one of `texts` in its place."""
    distinct = sorted(set(texts))

    def another(text: str, draw: random.Random) -> tuple[str, float] | str:
        if distinct in ([], [text]):
            return NO_OTHER_TEXT
        chosen = text
        while chosen == text:
            chosen = draw.choice(distinct)
        return chosen, 1.0

    return (
        Editable(NOTHING, "nothing changed", "asked again", lambda text, _: (text, 0.0)),
        Editable(ANOTHER, "all of it changed", "another text of the collection", another),
    )
