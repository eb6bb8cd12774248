"""Items put together from adjectives, materials and nouns, for as many as are asked for."""

from __future__ import annotations

import random
from collections.abc import Iterator

from askance.build.limit.lists import adjective_pairs, listed, synonym_pairs
from askance.core.errors import BadInput


def composed_items(count: int, rng: random.Random) -> list[str]:
    """So many different items of an adjective and a noun ("Striped Lanyards"), or, beyond what these give, of an
    adjective, a material and a noun ("Striped Bamboo Lanyards"). None is inside another. BadInput beyond 1.9 million.
    """
    adjectives, materials, nouns = listed("adjectives"), listed("materials"), listed("nouns")
    short = len(adjectives) * len(nouns)
    ways = short * (1 + len(materials))
    if count > ways:
        raise BadInput(
            f"{count} composed items are needed, and {ways} can be made",
            remedy="Ask for fewer queries or less padding.",
        )
    made = []
    for number in rng.sample(range(short if count <= short else ways), count):
        rest, noun = divmod(number % short, len(nouns))
        material = number // short
        between = f"{materials[material - 1]} " if material else ""
        made.append(f"{adjectives[rest]} {between}{nouns[noun]}")
    return made


def composed_synonyms(count: int, rng: random.Random) -> list[tuple[str, str]]:
    """So many pairs of an adjective and a noun that say the same in other words; BadInput where there are fewer."""
    adjectives, pairs = adjective_pairs(), synonym_pairs()
    if count > len(adjectives) * len(pairs):
        raise BadInput(
            f"{count} items with a synonym are needed, and {len(adjectives) * len(pairs)} can be made",
            remedy="Ask for fewer queries, or for none with synonyms.",
        )
    found = []
    for number in rng.sample(range(len(adjectives) * len(pairs)), count):
        adjective, pair = divmod(number, len(pairs))
        one, other = zip(adjectives[adjective], pairs[pair], strict=True)
        found.append((" ".join(one), " ".join(other)))
    return found


def separated_items(count: int, rng: random.Random) -> list[str]:
    """So many different items with a comma or "and" inside: those of the list, then composed ones."""
    known = list(listed("separated"))
    rng.shuffle(known)
    return [*known[:count], *_joined(count - len(known), rng)]


def _joined(count: int, rng: random.Random) -> Iterator[str]:
    """Two things of one material each: such a pair is no item by itself."""
    materials, nouns = listed("materials"), listed("nouns")
    ways = len(materials) ** 2 * len(nouns) ** 2
    for number in rng.sample(range(ways), max(count, 0)):
        rest, right = divmod(number, len(nouns))
        rest, left = divmod(rest, len(nouns))
        first, second = divmod(rest, len(materials))
        yield f"{materials[first]} {nouns[left]} and {materials[second]} {nouns[right]}"
