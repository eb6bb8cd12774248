"""Which items a collection has: those that are asked for, and those that fill documents up."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from askance.build.limit.composed import composed_items, composed_synonyms, separated_items
from askance.build.limit.lists import listed, plain_items, synonym_pairs
from askance.build.limit.seeds import chance
from askance.build.limit.settings import LimitSettings
from askance.core.errors import BadInput


@dataclass(frozen=True)
class Items:
    """`held` [queries]: the asked items as documents hold them; `worded` [queries]: as questions ask for them.

    The two differ by synonyms only. `named` [queries]: whether it is to stand in names. `padding`: what fills documents
    up; no plain question asks for it. `longer`: those of the padding that hold an asked item; `separated`: all that
    hold a separator.
    """

    held: tuple[str, ...]
    worded: tuple[str, ...]
    named: tuple[bool, ...]
    padding: tuple[str, ...]
    longer: tuple[str, ...]
    separated: tuple[str, ...]


def items_of(settings: LimitSettings) -> Items:
    """The items of a collection; BadInput where the lists do not suffice or the shares do not fit together."""
    shares = _Shares.of(settings)
    rng = chance(settings.seed, "items")
    separated = separated_items(shares.asked_separated + shares.padding_separated, rng)
    names, plain = _names_and_plain(shares.named, rng)
    if settings.synonyms == "none":
        pairs = [(item, item) for item in [*names, *separated[: shares.asked_separated]]]
        usual = settings.queries - len(pairs)
    else:
        pairs, plain = _pairs(settings, plain, rng)
        usual = 0
    room = settings.padding - shares.longer - shares.padding_separated
    asked_composed = _composed(usual, len(plain), settings)
    padding_composed = _composed(room, len(plain) - (usual - asked_composed), settings)
    composed = composed_items(asked_composed + padding_composed, rng)
    pairs += [(item, item) for item in [*plain[: usual - asked_composed], *composed[:asked_composed]]]
    filling = [*plain[usual - asked_composed :][: room - padding_composed], *composed[asked_composed:]]
    order = rng.sample(range(settings.queries), settings.queries)
    worded = tuple(pairs[at][1] for at in order)
    longer = tuple(_longer(shares.longer, worded, rng))
    padding = [*longer, *separated[shares.asked_separated :], *filling]
    rng.shuffle(padding)
    return Items(
        held=tuple(pairs[at][0] for at in order),
        worded=worded,
        named=tuple(at < len(names) for at in order),
        padding=tuple(padding),
        longer=longer,
        separated=tuple(separated),
    )


def _composed(wanted: int, plain: int, settings: LimitSettings) -> int:
    """How many of the wanted items are composed: the share asked for, or what the lists lack."""
    return max(round(settings.composed * wanted), wanted - plain)


@dataclass(frozen=True)
class _Shares:
    """How many items of each kind."""

    named: int
    asked_separated: int
    padding_separated: int
    longer: int

    @classmethod
    def of(cls, settings: LimitSettings) -> _Shares:
        every = settings.queries + settings.padding
        separated = round(settings.separators * every)
        asked = 0 if settings.synonyms != "none" else round(settings.separators * settings.queries)
        shares = cls(
            named=round(settings.name_collisions * settings.queries),
            asked_separated=asked,
            padding_separated=separated - asked,
            longer=round(settings.containment * every),
        )
        if shares.named + shares.asked_separated > settings.queries:
            raise BadInput(
                f"of {settings.queries} asked items {shares.named} stand in names and {asked} hold a separator",
                remedy="Lower name_collisions or separators: together they are at most 1.",
            )
        if shares.longer + shares.padding_separated > settings.padding:
            raise BadInput(
                f"padding has {settings.padding} items, of which {shares.longer} are longer forms of asked ones and "
                f"{shares.padding_separated} hold a separator",
                remedy="Raise padding, or lower containment or separators: they are shares of all items.",
            )
        if shares.longer > settings.queries * len(listed("longer")):
            raise BadInput(
                f"{shares.longer} longer forms of {settings.queries} asked items are wanted, and each has "
                f"{len(listed('longer'))}",
                remedy="Lower containment or padding.",
            )
        return shares


def _names_and_plain(count: int, rng: random.Random) -> tuple[list[str], list[str]]:
    """So many items that can be a name, those of the list first, and all plain items that are left, in random order."""
    plain = list(plain_items())
    rng.shuffle(plain)
    known = list(listed("name_items"))
    rng.shuffle(known)
    names = known[:count]
    further = [item for item in plain if item.isalpha()][: count - len(names)]
    if len(names) + len(further) < count:
        raise BadInput(
            f"{count} items that can be a name are needed, and there are {len(names) + len(further)}",
            remedy="Lower name_collisions, or ask for fewer queries.",
        )
    taken = dict.fromkeys(further)
    return [*names, *further], [item for item in plain if item not in taken]


def _pairs(settings: LimitSettings, plain: list[str], rng: random.Random) -> tuple[list[tuple[str, str]], list[str]]:
    """(held, worded) of all asked items, and the plain items that none of them is made of."""
    known = synonym_pairs()
    if settings.queries <= len(known):
        pairs = rng.sample(known, settings.queries)
        made_of = dict.fromkeys(item for item, _ in pairs)
    else:
        pairs = composed_synonyms(settings.queries, rng)
        made_of = dict.fromkeys(item for item, _ in known)
    if settings.synonyms == "documents":
        pairs = [(synonym, item) for item, synonym in pairs]
    return pairs, [item for item in plain if item not in made_of]


def _longer(count: int, asked: Sequence[str], rng: random.Random) -> Iterator[str]:
    """So many items each of which holds one that is asked for: each once before any twice."""
    forms = listed("longer")
    first = {item: rng.randrange(len(forms)) for item in asked}
    order = rng.sample(asked, len(asked))
    for number in range(count):
        again, at = divmod(number, len(order))
        yield forms[(first[order[at]] + again) % len(forms)].format(order[at])
