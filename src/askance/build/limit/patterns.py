"""Which of the documents that may be gold hold the item of each query: the relevance patterns of LIMIT."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, islice
from math import comb

from askance.build.limit.seeds import chance
from askance.build.limit.settings import LimitSettings, Pattern
from askance.core.errors import BadInput

Gold = tuple[int, ...]  # numbers of documents, counted among those that may be gold, in rising order


def gold_of(settings: LimitSettings) -> tuple[int, list[Gold]]:
    """How many documents may be gold, and for each query its k of them. BadInput where there are too few."""
    relevant = _relevant(settings)
    if relevant > settings.documents or settings.gold > relevant:
        raise BadInput(
            f"{settings.queries} queries with {settings.gold} gold documents each, in the pattern {settings.pattern}, "
            f"need {max(relevant, settings.gold)} documents that may be gold, and there are "
            f"{min(settings.documents, relevant)}",
            remedy="Ask for more documents, or for fewer queries or gold.",
        )
    return relevant, list(_PATTERNS[settings.pattern](settings, relevant))


def smallest_dense(queries: int, gold: int) -> int:
    """The smallest n with C(n, gold) >= queries."""
    n = gold
    while comb(n, gold) < queries:
        n += 1
    return n


def _relevant(settings: LimitSettings) -> int:
    if settings.pattern == "dense":
        return smallest_dense(settings.queries, settings.gold)
    if settings.pattern == "disjoint":
        return settings.queries * settings.gold
    return settings.documents if settings.relevant is None else settings.relevant


def _random(settings: LimitSettings, relevant: int) -> Iterator[Gold]:
    rng = chance(settings.seed, "gold")
    for _ in range(settings.queries):
        yield tuple(sorted(rng.sample(range(relevant), settings.gold)))


def _cycle(settings: LimitSettings, relevant: int) -> Iterator[Gold]:
    for query in range(settings.queries):
        yield tuple(sorted((query + step) % relevant for step in range(settings.gold)))


def _disjoint(settings: LimitSettings, relevant: int) -> Iterator[Gold]:
    for query in range(settings.queries):
        yield tuple(range(query * settings.gold, (query + 1) * settings.gold))


def _dense(settings: LimitSettings, relevant: int) -> Iterator[Gold]:
    return islice(combinations(range(relevant), settings.gold), settings.queries)


_PATTERNS: Mapping[Pattern, Callable[[LimitSettings, int], Iterator[Gold]]] = {
    "random": _random,
    "cycle": _cycle,
    "disjoint": _disjoint,
    "dense": _dense,
}
