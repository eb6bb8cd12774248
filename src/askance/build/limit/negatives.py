"""Hard negatives: documents close to a gold one that do not answer its questions.

- negation, attribution: the same name and items in another relation ("does not like", "knows someone who likes")
- split: the same words, but no asked phrase: the ends of asked items are exchanged ("Hot Springs", "Dark Chocolate")
- containment: longer forms in place of all asked items ("Museums of Hot Chocolate")
- name: a person who is called like an asked item, and likes other things

The last three are true likings of other things, in other sentences than those of the documents. No hard negative holds
an asked item in the relation that is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from askance.build.limit.document import Document
from askance.build.limit.lists import listed
from askance.build.limit.names import called
from askance.build.limit.plan import Plan
from askance.build.limit.seeds import chance
from askance.build.limit.settings import Each, Kind
from askance.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Negative:
    """Which hard negative: number `number` of its `kind`, made from document `gold` for the question `query`."""

    kind: Kind
    number: int
    query: int
    gold: int


def negatives_of(plan: Plan) -> list[Negative]:
    """All hard negatives that the settings ask for, kind by kind."""
    return [
        Negative(kind, number, query, gold)
        for kind, wanted in plan.settings.negatives.items()
        for number, (query, gold) in enumerate(_judgments(plan, kind, wanted))
    ]


def written(plan: Plan, negative: Negative) -> Document:
    """The hard negative, made by itself."""
    rng = chance(plan.settings.seed, "negative", negative.kind, negative.number)
    gold = plan.document(negative.gold)
    items = _EDITS[negative.kind](plan, gold.items, rng)
    name = _named_after(plan, negative, rng) if negative.kind == "name" else gold.name
    sentence, relation = _said(plan, negative)
    return Document(
        id=identifier(plan, negative),
        name=name,
        relation=relation,
        items=tuple(items),
        text=plan.frame.sentence(sentence, name, items),
        negative_of=gold.id,
        kind=negative.kind,
    )


def identifier(plan: Plan, negative: Negative) -> str:
    """The identifier of the hard negative's document."""
    return f"{plan.name(negative.gold)} ({negative.kind} {negative.number})"


def queries_fooled(plan: Plan, negative: Negative) -> list[int]:
    """The plain questions that the hard negative is near to, by what it was made of."""
    return [negative.query] if negative.kind == "name" else plan.asked[negative.gold]


def _said(plan: Plan, negative: Negative) -> tuple[str, str]:
    """Sentence and relation; the sentences of a kind take turns."""
    frame = plan.frame
    said = {"negation": frame.negation, "attribution": frame.attribution}.get(negative.kind)
    sentences = said or [(sentence, frame.relation) for sentence in frame.same]
    sentence, relation = sentences[negative.number % len(sentences)]
    return sentence, relation


def _named_after(plan: Plan, negative: Negative, rng: random.Random) -> str:
    first, surname = plan.names.of(rng.randrange(plan.settings.documents)).split(" ", 1)
    return called(plan.items.worded[negative.query], first, surname, first=rng.random() < 0.5)


def _judgments(plan: Plan, kind: Kind, wanted: int | Each) -> Iterator[tuple[int, int]]:
    """(query, gold document) of each: all, one a document, or so many, all of them before any comes again."""
    rng = chance(plan.settings.seed, "negatives", kind)
    every = [
        (query, gold) for query, documents in enumerate(plan.gold) for gold in documents if _fits(plan, kind, query)
    ]
    if not every and wanted != 0:
        raise BadInput(
            f"no hard negative of the kind {kind!r} can be made: no asked item has two words",
            remedy="Leave the kind out, or ask for more queries.",
        )
    rng.shuffle(every)
    if wanted == "judgment":
        yield from every
    elif wanted == "document":
        yield from {gold: (query, gold) for query, gold in every}.values()
    else:
        yield from (every[number % len(every)] for number in range(wanted))


def _fits(plan: Plan, kind: Kind, query: int) -> bool:
    return kind != "split" or _can_be_split(plan, plan.items.worded[query])


def _can_be_split(plan: Plan, item: str) -> bool:
    """Whether it has several words and is no list in itself."""
    return " " in item and plan.frame.written(item) == item


def _as_they_are(plan: Plan, items: Sequence[str], rng: random.Random) -> list[str]:
    return rng.sample(items, len(items))


def _other_things(plan: Plan, items: Sequence[str], rng: random.Random) -> list[str]:
    return rng.sample(plan.items.padding, len(items))


def _longer(plan: Plan, items: Sequence[str], rng: random.Random) -> list[str]:
    made = _Made(plan, items)
    for at, item in enumerate(items):
        if at in made.asked:
            made.add_first(form.format(made.asked[at]) for form in _in_any_order(listed("longer"), rng))
        else:
            made.items.append(item)
    return made.items


def _split(plan: Plan, items: Sequence[str], rng: random.Random) -> list[str]:
    """Ends exchanged among asked items of several words; asked items of one word give way to padding."""
    made = _Made(plan, items)
    several = [at for at, item in made.asked.items() if _can_be_split(plan, item)]
    rng.shuffle(several)
    next_one = dict(zip(several, [*several[1:], *several[:1]], strict=True))
    for at, item in enumerate(items):
        if at not in made.asked:
            made.items.append(item)
        elif at not in next_one:
            made.add_first(_in_any_order(plan.items.padding, rng))
        else:
            head = made.asked[at].rpartition(" ")[0]
            end = made.asked[next_one[at]].rpartition(" ")[2]
            if made.may_add(f"{head} {end}"):
                made.items.append(f"{head} {end}")
            else:  # both parts, each in an item of its own
                made.add_first(f"{head} {noun}" for noun in _in_any_order(listed("nouns"), rng))
                made.add_first(f"{adjective} {end}" for adjective in _in_any_order(listed("adjectives"), rng))
    return made.items


class _Made:
    """The items of a hard negative while they are made: none is asked for, none comes twice.

    `asked`: place in the gold document's items → the asked item there, as questions word it.
    """

    def __init__(self, plan: Plan, items: Sequence[str]) -> None:
        known = plan.query_of
        self._plan = plan
        self.asked = {at: plan.items.worded[known[item]] for at, item in enumerate(items) if item in known}
        self._there = [item for at, item in enumerate(items) if at not in self.asked]
        self.items: list[str] = []

    def may_add(self, item: str) -> bool:
        """Whether no question asks for it, and it is not there."""
        asked = item in self._plan.query_of or item in self._plan.query_worded
        return not asked and item not in self._there and item not in self.items

    def add_first(self, candidates: Iterable[str]) -> None:
        """Add the first that may be added; nothing where none may."""
        self.items += islice(filter(self.may_add, candidates), 1)


def _in_any_order(words: Sequence[str], rng: random.Random) -> list[str]:
    return rng.sample(words, len(words))


_EDITS: Mapping[Kind, Callable[[Plan, Sequence[str], random.Random], list[str]]] = {
    "negation": _as_they_are,
    "attribution": _as_they_are,
    "split": _split,
    "containment": _longer,
    "name": _other_things,
}
