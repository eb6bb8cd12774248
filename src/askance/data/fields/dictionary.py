"""Which parts of lists are items: those the collection repeats; and what unknown parts say about a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, lgamma, log

from askance.data.fields.part_counts import Unknown
from askance.data.fields.schema import Outside
from askance.data.fields.tokens import is_word, tokens

SATURATED = 0.001  # unknown parts a part, at most, where no unknown part passes
RECURS = 3  # different parts with the same words beside an item: those words belong to a sentence
DOUBTFUL = 0.2  # unknown parts a part, from which on little can be told
FALSE_ALARMS = 0.01  # documents of the whole collection that chance alone may put outside


@dataclass(frozen=True)
class Dictionary:
    """The items of a collection.

    `known`: parts that occur at least twice. `rate`: how often a part is unknown. `glue`: words that recur beside
    known items in parts that are none. `longest`: words of the longest known item. `usual`: unknown parts that many of the documents hold.
    """

    known: frozenset[str]
    rate: float
    documents: int
    usual: int = 0
    glue: frozenset[str] = field(default=frozenset())
    longest: int = 0

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
            why = self._strange(item)
            if why:
                return Outside("unknown item", f"{item[:80]!r} {why}")
        if len(unknown) >= self._too_many(len(items)):
            return Outside(
                "unknown items", f"{len(unknown)} of {len(items)} parts are unknown, the first {unknown[0]!r}"
            )
        return None

    def _strange(self, item: str) -> str | None:
        pieces = tokens(item)
        words = sum(map(is_word, pieces))
        if self.longest and words > self.longest and len(self.known) >= 100:
            return f"has {words} words, more than any item"
        starts = [at for at in range(1, len(pieces)) if "".join(pieces[:at]).strip() in self.known]
        ends = [at for at in range(1, len(pieces)) if "".join(pieces[at:]).strip() in self.known]
        for end in starts:
            for begin in ends:
                if end < begin and sum(map(is_word, pieces[end:begin])) >= 2:
                    return "holds two items and words between them"
        if any(around in self.glue for around in _remainders(pieces, self.known)):
            return "is an item with words that recur beside other items"
        return None

    def _too_many(self, parts: int) -> int:
        if parts not in self._limits:
            chance = _limit(parts, self.rate, FALSE_ALARMS / max(1, self.documents))
            self._limits[parts] = max(chance, self.usual + 1)
        return self._limits[parts]

    @cached_property
    def _limits(self) -> dict[int, int]:
        return {}


def learn_dictionary(
    inner: Mapping[str, int], firsts: Mapping[str, int], lasts: Mapping[str, int], unknown: Unknown
) -> Dictionary:
    """From the counts of inner parts, and of first and last items after the sentence was cut off.

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
    edge_glue = _edge_glue(firsts, inner, sure, "end") | _edge_glue(lasts, inner, sure, "start")
    dropped = set()
    for part in known:
        side = glue if part in inner else glue | edge_glue
        evidence = (times for around in _remainders(tokens(part), sure - {part}) if (times := side_count(side, around)))
        if side and total[part] <= max(evidence, default=0):
            dropped.add(part)
    kept = known - dropped
    longest = max((sum(map(is_word, tokens(part))) for part in kept), default=0)
    beside = frozenset(glue.keys() | edge_glue.keys())
    return Dictionary(frozenset(kept), rate, unknown.documents, unknown.usual, beside, longest)


def side_count(glue: Mapping[str, int], around: str) -> int:
    """In how many different parts these words stand beside an item."""
    return glue.get(around, 0)


def _glue(total: Mapping[str, int], known: set[str], words: int) -> Counter[str]:
    """Words beside known items in parts that occur once, where they recur."""
    found: Counter[str] = Counter()
    for part, times in total.items():
        if times == 1:
            found.update(set(_remainders(tokens(part), known)))
    return Counter({around: times for around, times in found.items() if times >= RECURS and _words(around) >= words})


def _edge_glue(edge: Mapping[str, int], inner: Mapping[str, int], known: set[str], side: str) -> Counter[str]:
    """The same, for parts that occur at one edge of lists only, however often."""
    found: Counter[str] = Counter()
    for part in edge:
        if part not in inner:
            found.update(around for around in _remainders(tokens(part), known) if around.startswith(f"{side}:"))
    return Counter({around: times for around, times in found.items() if times >= RECURS})


def _remainders(pieces: Sequence[str], known: set[str] | frozenset[str]) -> Iterator[str]:
    """What stands before a known item at the end of a part ("end:…"), or after one at its start ("start:…")."""
    for at in range(1, len(pieces)):
        left, right = "".join(pieces[:at]).strip(), "".join(pieces[at:]).strip()
        if right in known and pieces[at - 1].isspace() and left:
            yield f"end:{left}"
        if left in known and pieces[at].isspace() and right:
            yield f"start:{right}"


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
