"""Which parts of lists are items: those the collection repeats; and what unknown parts say about a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, lgamma, log

from askance.data.fields.part_counts import Unknown
from askance.data.fields.schema import Outside
from askance.data.fields.tokens import is_unspaced, is_word, tokens

SATURATED = 0.001  # unknown parts a part, at most, where no unknown part passes
RECURS = 3  # different parts with the same words beside an item: those words belong to a sentence
MAY_BE_LOST = 0.005  # of the documents, by a rule against parts made of an item and more
MOST_LOOKED_AT = 5000  # items
DOUBTFUL = 0.2  # unknown parts a part, from which on little can be told
WHOLE = "whole:"  # before a part that as a whole belongs to a sentence
FALSE_ALARMS = 0.01  # documents of the whole collection that chance alone may put outside


@dataclass(frozen=True)
class Dictionary:
    """The items of a collection.

    `known`: parts that occur at least twice. `rate`: how often a part is unknown. `usual`: the most unknown parts that
    are usual in one document. `glue`: words that recur beside known items in parts that are none. `longest`: words of
    the longest known item. `strict_edges`, `strict_inside`: an unknown part that is a known item and more words is
    none, at the edges of a list from one word on, inside it from two; not so where items are often made like that.
    """

    known: frozenset[str]
    rate: float
    documents: int
    usual: int = 0
    glue: frozenset[str] = field(default=frozenset())
    longest: int = 0
    strict_edges: bool = False
    strict_inside: bool = False

    @property
    def saturated(self) -> bool:
        """Whether so few parts are unknown that an unknown one is no item."""
        return self.rate <= SATURATED

    def objection(self, items: Sequence[str]) -> Outside | None:
        """Why these are not the items of a list of this collection, or None."""
        if self.known.issuperset(items):
            return None
        unknown = [item for item in items if item not in self.known]
        if not all(unknown):
            return Outside("not a list", "an item is empty")
        if self.saturated:
            return Outside("unknown item", f"{unknown[0][:80]!r} is no item of this collection")
        for item in unknown:
            why = self._strange(item, first=item == items[0], last=item == items[-1])
            if why:
                return Outside("unknown item", f"{item[:80]!r} {why}")
        if len(unknown) >= self._too_many(len(items)):
            return Outside(
                "unknown items", f"{len(unknown)} of {len(items)} parts are unknown, the first {unknown[0]!r}"
            )
        return None

    def _strange(self, item: str, *, first: bool, last: bool) -> str | None:
        pieces = tokens(item)
        words = sum(map(is_word, pieces))
        if f"{WHOLE}{item}" in self.glue:
            return "always stands in the same place"
        if any(_beside(item, self.glue, self.known)):
            return "is an item with words that recur beside other items"
        if self.longest and words > self.longest and len(self.known) >= 100:
            return f"has {words} words, more than any item"
        for at in range(1, len(pieces)):
            left, right = "".join(pieces[:at]).strip(), "".join(pieces[at:]).strip()
            if right in self.known and self._is_much(pieces[:at], edge=first):
                return f"is the item {right!r} after other words"
            if left in self.known and self._is_much(pieces[at:], edge=last):
                return f"is the item {left!r} before other words"
        return None

    def _is_much(self, pieces: Sequence[str], *, edge: bool) -> bool:
        if edge and self.strict_edges:
            return _further(pieces, 1)
        return self.strict_inside and _further(pieces, 2)

    def _too_many(self, parts: int) -> int:
        if parts not in self._limits:
            chance = _limit(parts, self.rate, FALSE_ALARMS / max(1, self.documents))
            self._limits[parts] = max(chance, self.usual + 1)
        return self._limits[parts]

    @cached_property
    def _limits(self) -> dict[int, int]:
        return {}


def learn_dictionary(
    inner: Mapping[str, int],
    firsts: Mapping[str, int],
    lasts: Mapping[str, int],
    unknown: Unknown,
    fixed: Collection[str] = (),
) -> Dictionary:
    """From the counts of inner parts, and of first and last items after the sentence was cut off; `fixed` parts always
    stand in the same place, and are none.

    What occurs at one edge only and is a known item with words that recur there belongs to a sentence that the frames
    do not hold.
    """
    rate = unknown.rate
    total = Counter(inner)
    total.update(firsts)
    total.update(lasts)
    known = {part for part, times in total.items() if times > 1 and part}
    sure = known & inner.keys()
    glue = _glue(total, sure, 1 if rate <= SATURATED else 2)
    edge_glue = _edge_glue(firsts, inner, sure) | _edge_glue(lasts, inner, sure)
    everywhere = glue | edge_glue
    dropped = set(fixed)
    for part in known:
        side = everywhere if part not in inner or rate <= SATURATED else glue
        if side and total[part] <= max((side[around] for around in _beside(part, side, sure)), default=0):
            dropped.add(part)
    kept = known - dropped
    longest = max((sum(map(is_word, tokens(part))) for part in kept), default=0)
    beside = frozenset({*everywhere, *(f"{WHOLE}{part}" for part in fixed)})
    some = sorted(kept)[:MOST_LOOKED_AT]
    lost = rate / max(1, len(some))  # documents that a rule would put outside, for each item made like that
    inner_parts = unknown.parts / max(1, unknown.documents)
    return Dictionary(
        frozenset(kept),
        rate,
        unknown.documents,
        unknown.usual,
        beside,
        longest,
        strict_edges=2 * lost * (1 + _composed(some, kept, 1)) <= MAY_BE_LOST,
        strict_inside=inner_parts * lost * (1 + _composed(some, kept, 2)) <= MAY_BE_LOST,
    )


def _composed(items: Sequence[str], known: Collection[str], words: int) -> int:
    """How many items are another item and at least so many words more."""
    return sum(1 for item in items if _is_composed(tokens(item), known, words))


def _is_composed(pieces: Sequence[str], known: Collection[str], words: int) -> bool:
    return any(
        ("".join(pieces[at:]).strip() in known and _further(pieces[:at], words))
        or ("".join(pieces[:at]).strip() in known and _further(pieces[at:], words))
        for at in range(1, len(pieces))
    )


def _beside(part: str, glue: Collection[str], known: Collection[str]) -> Iterator[str]:
    """The glue in a part: two words or more beside anything, one word only beside another known item."""
    pieces = tokens(part)
    for at in range(1, len(pieces)):
        left, right = "".join(pieces[:at]).strip(), "".join(pieces[at:]).strip()
        for around, item in ((f"end:{left}", right), (f"start:{right}", left)):
            if around in glue and item and (item in known or _words(around) >= 2):
                yield around


def _glue(total: Mapping[str, int], known: set[str], words: int) -> Counter[str]:
    """Words beside known items in parts that occur once, where they recur."""
    found: Counter[str] = Counter()
    for part, times in total.items():
        if times == 1:
            found.update(set(_remainders(tokens(part), known)))
    return Counter({around: times for around, times in found.items() if times >= RECURS and _words(around) >= words})


def _edge_glue(edge: Mapping[str, int], inner: Mapping[str, int], known: set[str]) -> Counter[str]:
    """The same, for parts that occur at one edge of lists only, however often."""
    found: Counter[str] = Counter()
    for part in edge:
        if part not in inner:
            found.update(set(_remainders(tokens(part), known)))
    return Counter({around: times for around, times in found.items() if times >= RECURS})


def _remainders(pieces: Sequence[str], known: set[str] | frozenset[str]) -> Iterator[str]:
    """What stands before a known item at the end of a part ("end:…"), or after one at its start ("start:…")."""
    for at in range(1, len(pieces)):
        left, right = "".join(pieces[:at]).strip(), "".join(pieces[at:]).strip()
        if right in known and pieces[at - 1].isspace() and left:
            yield f"end:{left}"
        if left in known and pieces[at].isspace() and right:
            yield f"start:{right}"


def _further(pieces: Sequence[str], enough: int) -> bool:
    """Whether so many words stand beside an item; of scripts without blanks, four characters count as one."""
    found = [piece for piece in pieces if is_word(piece)]
    unspaced = sum(map(is_unspaced, found))
    return len(found) - unspaced + unspaced // 4 >= enough


def _words(around: str) -> int:
    return sum(map(is_word, tokens(around.partition(":")[2])))


def _limit(parts: int, rate: float, alarms: float) -> int:
    """The least number of unknown parts that chance reaches in fewer than `alarms` of the lists of that length."""
    if rate <= 0:
        return 1
    if rate >= 1:
        return parts + 1
    tail = 0.0
    for unknown in range(parts, -1, -1):
        ways = lgamma(parts + 1) - lgamma(unknown + 1) - lgamma(parts - unknown + 1)
        tail += exp(ways + unknown * log(rate) + (parts - unknown) * log(1 - rate))
        if tail >= alarms:
            return unknown + 1
    return 0
