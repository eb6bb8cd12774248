"""Who likes what: every pair of documents that a query asks for shares one thing that nobody else likes.

The construction of LIMIT (arXiv 2508.21038): `people` documents hold `each` things; as many different pairs of them
as there are queries get a thing of their own; what is missing to `each` is filled with things that one person likes.
"""

from __future__ import annotations

import random
from itertools import combinations

from askance.build.as_published import as_published, json_lines, words
from askance.core.errors import BadInput
from askance.data.adapters.limit import VARIANTS, load
from askance.data.collection import Collection


def likes(seed: int, *, people: int = 46, queries: int = 1000, each: int = 45) -> Collection:
    """A collection of that many people and queries, `each` things a person; BadInput where that cannot be.

    Each query's thing is liked by exactly two people, and no two queries ask for the same two.
    """
    rng = random.Random(f"likes:{seed}")
    pairs = _pairs(rng, people, queries, each)
    both = zip(_some("first_names", people, rng), _some("surnames", people, rng), strict=True)
    names = [f"{first} {last}" for first, last in both]
    things = _some("things", people * each - queries, rng)
    liked: list[list[str]] = [[] for _ in range(people)]
    for thing, pair in zip(things, pairs, strict=False):
        for person in pair:
            liked[person].append(thing)
    rest = iter(things[queries:])
    for own in liked:
        own.extend(next(rest) for _ in range(each - len(own)))
        rng.shuffle(own)
    variant = VARIANTS["limit-small"]
    return as_published(
        {
            variant.corpus: json_lines(
                {"_id": name, "title": "", "text": _profile(name, own)} for name, own in zip(names, liked, strict=True)
            ),
            variant.queries: json_lines(
                {"_id": f"query_{at}", "text": f"Who likes {thing}?"} for at, thing in enumerate(things[:queries])
            ),
            variant.qrels: json_lines(
                {"query-id": f"query_{at}", "corpus-id": names[person], "score": 1}
                for at, pair in enumerate(pairs)
                for person in pair
            ),
        },
        load,
    )


def _pairs(rng: random.Random, people: int, queries: int, each: int) -> list[tuple[int, int]]:
    """Different pairs of people, as many as there are queries, none of whom is in more than `each`."""
    every = list(combinations(range(people), 2))
    if queries > len(every) or people - 1 > each:
        raise BadInput(
            f"{people} people make {len(every)} pairs, each of them in {people - 1}; "
            f"{queries} queries and {each} things a person do not fit",
            remedy="Let there be at most as many queries as pairs, and at least as many things as other people.",
        )
    return sorted(rng.sample(every, queries))


def _some(kind: str, count: int, rng: random.Random) -> list[str]:
    """So many different words of a list of the package; BadInput where it is too short."""
    known = words(kind)
    if count > len(known):
        raise BadInput(
            f"{count} different {kind.replace('_', ' ')} are needed, and there are {len(known)}",
            remedy="Ask for fewer people, or fewer things a person.",
        )
    return rng.sample(known, count)


def _profile(name: str, things: list[str]) -> str:
    return f"{name} likes {', '.join(things[:-1])} and {things[-1]}."
