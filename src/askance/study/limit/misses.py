"""Why the first places of a phrase search are wrong: a name, a list cut too early, a longer item."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

Miss = Literal["cut", "name", "outranked"]

MISSES: tuple[Miss, ...] = ("name", "cut", "outranked")
CUT = 100  # how long a list the source asked for


def miss_of(ranked: Sequence[str], gold: AbstractSet[str], named: AbstractSet[str], cut: int = CUT) -> Miss | None:
    """Why the first |gold| of `ranked` are not all gold; None where they are.

    "name": one of the wrong documents holds the phrase in its name (`named`). Else "cut": a gold document is not among
    the first `cut`. Else "outranked": the phrase stands in a longer item, and that document comes first.
    """
    first = ranked[: len(gold)]
    wrong = [document for document in first if document not in gold]
    if not wrong and len(first) == len(gold):
        return None
    if named & set(wrong):
        return "name"
    return "outranked" if gold <= set(ranked[:cut]) else "cut"
