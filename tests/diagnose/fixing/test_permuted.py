"""Under labels dealt out to other queries the whole search finds nothing: classes decided by sign, views, all of it."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from askance.core.progress import Silent
from askance.data.collection import Collection, Documents, Queries, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.composing import as_it_is
from askance.diagnose.fixing.halves import split
from askance.diagnose.fixing.opening import of_collection
from askance.diagnose.fixing.running import Runner
from askance.diagnose.fixing.searching import Search
from askance.diagnose.fixing.settling import Settled, settle
from askance.measure.compare.clusters import Groups

DRAWS = 60
VERBS = {"clean": "rinse", "heat": "warm", "cool": "chill"}
THINGS = ["mug", "pan", "fork", "lamp", "book", "vase", "soap", "bowl", "knife", "plate", "spoon", "towel"]
PLACES = ["drawer", "shelf", "cabinet", "counter", "sofa", "bed", "table", "desk"]


def chores(seed: int, queries: int) -> Collection:
    """Who wants the same done to another thing, so many times: words mislead, verb and number tell."""
    draw = random.Random(seed)

    def told(verb: str, times: int) -> str:
        return f"{verb} {times} {draw.choice(THINGS)}s and put them in the {draw.choice(PLACES)}"

    kinds = [(verb, times) for verb in VERBS for times in range(2, 7)]
    asked = [kinds[at % len(kinds)] for at in range(queries)]
    held = [kinds[at % len(kinds)] for at in range(2 * len(kinds))]
    documents = {
        "text": tuple(told(*kind) for kind in held),
        "said": tuple(told(VERBS[verb], times) for verb, times in held),
    }
    ids, names = Ids(f"d{at}" for at in range(len(held))), Ids(f"q{at}" for at in range(queries))
    gold = {
        name: {id: 1.0 for id, other in zip(ids, held, strict=True) if other == kind}
        for name, kind in zip(names, asked, strict=True)
    }
    tier = Tier("same", "the same done", Judgments.of(names, ids, gold))
    texts = {"text": tuple(told(*kind) for kind in asked)}
    return Collection("chores", Documents(ids, documents), Queries(names, texts), {"same": tier})


class Remembering(Runner):
    """Lists do not depend on labels: each is made once for all draws."""

    lists: dict[str, Run]

    def run(self, candidate: Candidate) -> Run:
        if candidate.key not in self.lists:
            self.lists[candidate.key] = super().run(candidate)
        return self.lists[candidate.key]


def dealt(case: FixCase, seed: int) -> FixCase:
    """The same with each query's gold given to another one."""
    names, ids = case.collection.queries.ids, case.collection.documents.ids
    order = np.random.default_rng(seed).permutation(len(names))
    gold = {}
    for name, other in zip(names, order, strict=True):
        documents, grades = case.tier.judgments.of_query(int(other))
        gold[name] = {ids[int(at)]: float(grade) for at, grade in zip(documents, grades, strict=True)}
    tier = Tier(case.tier.name, case.tier.label, Judgments.of(names, ids, gold), threshold=case.tier.threshold)
    return replace(case, collection=replace(case.collection, tiers={tier.name: tier}), tier=tier)


def searched(case: FixCase, runner: Runner, seed: int) -> tuple[Settled, set[str]]:
    """What is settled on, and the names of all that was tried."""
    before = runner.values(as_it_is(case))
    halves = split(case.mask, Groups.of([None] * len(before), len(before)), seed)
    offered = Search(case, runner, halves, Silent()).offers(before)
    return settle(before, offered, halves, seed), {one.candidate.name for half in offered for one in half}


def finds(collection: Collection, draws: int) -> tuple[int, set[str]]:
    """How many of the draws find something, and what was tried in any of them."""
    case = of_collection(collection.name, collection, retriever="lexical", model=None)
    runner = Remembering(case, Silent(), {})
    Remembering.lists = {}
    found, tried = 0, set()
    for draw in range(draws):
        other = dealt(case, draw)
        settled, names = searched(other, runner.judging(other), draw)
        found += settled.offer is not None
        tried |= names
    return found, tried


def test_permuted_labels_find_nothing() -> None:
    collection = chores(1, 36)
    found, tried = finds(collection, DRAWS)
    assert found <= 0.05 * DRAWS
    assert "view" in tried
    assert "signature-numbers, first 10" in tried
    # and with its own labels there is something to find: the test could fail
    case = of_collection(collection.name, collection, retriever="lexical", model=None)
    Remembering.lists = {}
    settled, _ = searched(case, Remembering(case, Silent(), {}), 0)
    assert settled.offer is not None
    assert settled.gain is not None
    assert settled.gain.value is not None
    assert settled.gain.value > 0.1
