"""A collection of household tasks, and systems that read one class of its words and nothing else."""

from __future__ import annotations

import random
from collections.abc import Collection as Some
from dataclasses import dataclass

import numpy as np

from askance.core.progress import Progress
from askance.data.collection import Collection, Documents, Queries, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.engines.selection import best
from askance.retrieve.ranked import run_of
from askance.retrieve.retriever import RetrievalTask
from askance.text.classes import words

_OBJECTS = "mug cup plate bowl fork spoon knife pan kettle candle towel pillow book pen vase lamp"
_PLACES = "desk shelf sofa cabinet drawer fridge sink table bed counter dresser stove bench cart"
OBJECTS, PLACES = _OBJECTS.split(), _PLACES.split()
VERBS = ["clean", "heat", "cool"]


def household() -> Collection:
    """Three tasks, each with the same 40 pairs of object and place: 120 documents, 40 queries.

    Gold: the same verb, another object.
    """
    pairs = random.Random(7).sample([(thing, place) for thing in OBJECTS for place in PLACES], 40)
    told = {f"{verb}{at}": (verb, *pair) for verb in VERBS for at, pair in enumerate(pairs)}
    names = list(told)
    asked = {f"q{name}": told[name] for name in names[::3]}
    gold = {
        query: {name: 1.0 for name in names if told[name][0] == verb and told[name][1] != thing}
        for query, (verb, thing, _) in asked.items()
    }
    documents = Documents(Ids(names), {"text": tuple(_text(*told[name]) for name in names)})
    queries = Queries(Ids(asked), {"text": tuple(_text(*one) for one in asked.values())})
    tier = Tier("strict", "same task, another object", Judgments.of(queries.ids, documents.ids, gold))
    return Collection("household", documents, queries, {"strict": tier}, origin="made for tests", main="strict")


def _text(verb: str, thing: str, place: str) -> str:
    return f"{verb} some {thing} and put it in {place}."


@dataclass
class Reads:
    """Scores by how many of these words query and document share, and prefers what a hash of these words says."""

    name: str
    vocabulary: Some[str]
    edits_documents: bool = True

    @property
    def label(self) -> str:
        return self.name

    def run(self, task: RetrievalTask, progress: Progress) -> Run:
        held = [frozenset(words(text)) & frozenset(self.vocabulary) for text in task.document_texts]
        lists = []
        for text in task.query_texts:
            asked = frozenset(words(text)) & frozenset(self.vocabulary)
            scores = np.array([len(asked & one) / max(len(asked | one), 1) for one in held])
            chosen = best(scores, task.depth)
            lists.append((chosen.astype(np.int32), scores[chosen]))
        return run_of(self.name, task, lists)
