"""Questions that join the items of any collection by and, or, not, in the seven templates of LIMIT+ (arXiv 2605.03824),
with all their gold.

Gold is computed on the whole lists of who holds an item, and then counted once more by going through all documents.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Annotated, Literal, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from askance.build.limit.document import Document, Question
from askance.build.limit.frames import FRAMES, Frame
from askance.build.limit.holdings import Holdings, Splitting
from askance.build.limit.questions import GoldCount
from askance.build.limit.seeds import chance
from askance.core.errors import BadInput, DataProblem
from askance.data.collection import Collection, Queries, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import Positions

Template = Literal["one", "or", "or_or", "and", "and_both", "and_not", "not"]
TEMPLATES: tuple[Template, ...] = get_args(Template)
TIER = "test"

_TRIES = 5000  # for one more question that is not there yet
_RULE = "the document holds what is asked for, in the relation asked for"

Items = tuple[int, ...]


class CompositionSettings(BaseModel):
    """`questions`: template → how many; those left out are not asked. `most`: gold documents of a question, at most.

    `relation`: which one is asked for, None for the one that most documents have. `pattern`: how documents split, a
    regular expression with groups name, relation, items; learned where there is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(default=0, ge=0)
    questions: Mapping[Template, Annotated[int, Field(ge=0)]] = dict.fromkeys(TEMPLATES, 100)
    most: int = Field(default=200, ge=1)
    relation: str | None = None
    pattern: str | None = None


@dataclass(frozen=True, eq=False)
class Compositions:
    """`collection`: the documents that were given, with these questions and their gold. `questions`: their items as
    documents compare them (`held`) and as questions word them. `gold` [questions]. `relation`: the one asked for;
    `frame`: how it is asked for."""

    collection: Collection
    questions: Sequence[Question]
    gold: Sequence[Positions]
    relation: str | None
    frame: Frame


def compositions(collection: Collection, settings: CompositionSettings) -> Compositions:
    """Composed questions over the documents of a collection; the same for the same documents and settings.

    BadInput where the documents do not split into items, or where so many different questions cannot be found.
    """
    splitting = Splitting(collection, settings.pattern, settings.relation)
    holdings = Holdings.of(splitting)
    drawn = [(template, items) for template in TEMPLATES for items in _drawn(holdings, template, settings)]
    frame = frame_of(splitting.relation)
    number = dict.fromkeys(TEMPLATES, 0)
    questions = []
    for template, items in drawn:
        worded = tuple(holdings.written[item] for item in items)
        held = tuple(holdings.keys[item] for item in items)
        text = frame.question(template, worded)
        questions.append(Question(f"{template}_{number[template]}", template, held, worded, text))
        number[template] += 1
    if not questions:
        raise BadInput("no question is asked for", remedy="Ask for some of each template.")
    gold = [gold_of(holdings, template, items) for template, items in drawn]
    _must_be_all(questions, gold, splitting)
    return Compositions(_asked(collection, questions, gold), questions, gold, splitting.relation, frame)


def gold_of(holdings: Holdings, template: str, items: Items) -> Positions:
    """The documents that answer, rising, from the whole lists of who holds each item."""
    lists = [holdings.holders[item] for item in items]
    if template in ("or", "or_or"):
        return reduce(np.union1d, lists)
    if template in ("and_not", "not"):
        return np.setdiff1d(reduce(np.intersect1d, lists[:-1]), lists[-1], assume_unique=True)
    return reduce(np.intersect1d, lists)


def frame_of(relation: str | None) -> Frame:
    """The frame that asks in this relation: one of the package's, or the English one with the relation's own words."""
    known = next((frame for frame in FRAMES.values() if frame.relation == relation), None)
    if known is not None:
        return known
    english = FRAMES["english"]
    verb = (relation or "has").replace("{", "{{").replace("}", "}}")
    said = {template: text.replace(english.relation, verb) for template, text in english.questions.items()}
    return replace(english, relation=relation or "has", questions=said)


def _drawn(holdings: Holdings, template: Template, settings: CompositionSettings) -> Iterator[Items]:
    """So many different questions of a template, each with gold and with no more than `most`."""
    rng = chance(settings.seed, "compositions", template)
    seen: set[tuple[Items, Items]] = set()
    wanted = settings.questions.get(template, 0)
    for number in range(wanted):
        for _ in range(_TRIES):
            items = _ITEMS[template](holdings, rng)
            if items is None or (same := _same(template, items)) in seen:
                continue
            if 1 <= len(gold_of(holdings, template, items)) <= settings.most:
                break
        else:
            raise BadInput(
                f"{wanted} different questions of the template {template!r} cannot be found: there are {number}",
                remedy=f"Ask for fewer of them, or allow more gold documents than {settings.most} to a question.",
            )
        seen.add(same)
        yield items


def _same(template: Template, items: Items) -> tuple[Items, Items]:
    """Equal for questions that ask for the same."""
    if template == "not":
        return items[:1], items[1:]
    if template == "and_not":
        return tuple(sorted(items[:2])), items[2:]
    return tuple(sorted(items)), ()


def _any(count: int) -> Callable[[Holdings, random.Random], Items | None]:
    """Items of the collection, each as likely as any other."""

    def found(holdings: Holdings, rng: random.Random) -> Items | None:
        known = len(holdings.keys)
        return tuple(rng.sample(range(known), count)) if known >= count else None

    return found


def _together(count: int) -> Callable[[Holdings, random.Random], Items | None]:
    """Items of one document."""

    def found(holdings: Holdings, rng: random.Random) -> Items | None:
        held = holdings.held[rng.choice(holdings.documents)]
        return tuple(rng.sample(held, count)) if len(held) >= count else None

    return found


def _without(count: int) -> Callable[[Holdings, random.Random], Items | None]:
    """Items of one document, and one more of another that holds them too: it leaves out some document at least."""

    def found(holdings: Holdings, rng: random.Random) -> Items | None:
        first = _any(1)(holdings, rng) if count == 1 else _together(count)(holdings, rng)
        if first is None:
            return None
        both = gold_of(holdings, "and", first)
        others = [item for item in holdings.held[int(rng.choice(both))] if item not in first]
        return (*first, rng.choice(others)) if others else None

    return found


_ITEMS: Mapping[Template, Callable[[Holdings, random.Random], Items | None]] = {
    "one": _any(1),
    "or": _any(2),
    "or_or": _any(3),
    "and": _together(2),
    "and_both": _together(3),
    "and_not": _without(2),
    "not": _without(1),
}


def _must_be_all(questions: Sequence[Question], gold: Sequence[Positions], splitting: Splitting) -> None:
    """DataProblem where going through all documents finds other gold."""
    counted = GoldCount(questions, splitting.relation or "")
    for document, items in splitting.items():
        keys = tuple(map(splitting.key, items))
        counted.tell(Document(str(document), "", splitting.relation or "", keys, ""), document)
    for question, found, again in zip(questions, gold, counted.gold, strict=True):
        if found.tolist() != again.tolist():
            raise DataProblem(f"{question.text!r} has {len(found)} gold documents, and {len(again)} of all answer it")


def _asked(collection: Collection, questions: Sequence[Question], gold: Sequence[Positions]) -> Collection:
    ids = Ids([question.id for question in questions])
    slices = {
        "template": tuple(question.template for question in questions),
        "attrs": tuple(json.dumps(question.worded, ensure_ascii=False) for question in questions),
    }
    names = collection.documents.ids
    grades = {
        question.id: {names[at]: 1.0 for at in found.tolist()} for question, found in zip(questions, gold, strict=True)
    }
    judgments = Judgments.of(ids, names, grades)
    return Collection(
        f"{collection.name}-compositions",
        collection.documents,
        Queries(ids, {"text": tuple(question.text for question in questions)}, slices=slices),
        {TIER: Tier(TIER, "answers it", judgments, _RULE)},
        compared=collection.compared,
        origin=f"composed questions made over {collection.name!r}: {collection.origin or 'given documents'}",
    )
