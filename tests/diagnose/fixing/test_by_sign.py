"""Classes decided by sign: what is shown is changed, and what one of many classes shows by accident is not."""

from __future__ import annotations

import numpy as np

from askance.diagnose.fixing.by_sign import decided
from askance.views.classes import SlotClass
from askance.views.judged import Judged
from askance.views.slots import Slots

THINGS = ["mug", "pan", "fork", "lamp", "book", "vase", "soap", "bowl", "knife", "plate", "spoon", "towel"]
PLACES = ["drawer", "shelf", "cabinet", "counter", "sofa", "bed", "table", "desk", "bin", "box", "tub", "rack"]


def judged(rng: np.random.Generator, queries: int, *, told: bool) -> Judged:
    """`told`: gold has the query's thing; else it is any document."""
    documents = [f"put a {thing} in the {place}" for thing in THINGS for place in PLACES]
    asked, gold, decoys = [], [], []
    for _ in range(queries):
        thing, place = rng.choice(THINGS), rng.choice(PLACES)
        asked.append(f"put a {thing} in the {place}")
        right = (
            [at for at, text in enumerate(documents) if f" {thing} " in text] if told else list(range(len(documents)))
        )
        own = rng.choice(right, 2, replace=False).astype(np.int32)
        others = np.setdiff1d(np.arange(len(documents), dtype=np.int32), own if not told else np.array(right))
        gold.append(np.sort(own))
        decoys.append(np.sort(rng.choice(others, 20, replace=False)).astype(np.int32))
    return Judged(asked, documents, gold, decoys)


def class_of(slots: Slots, word: str) -> SlotClass:
    return next(each for each in slots.classes if word in each.members)


def test_a_friend_is_kept() -> None:
    told = judged(np.random.default_rng(1), 40, told=True)
    slots = Slots.learn(told.documents)
    assert class_of(slots, "mug").open
    changed = decided(slots, told)
    assert set(changed["keep"]) & {class_of(slots, "mug").name, *THINGS}
    assert not set(changed["keep"]) & {class_of(slots, "drawer").name, *PLACES}


def test_chance_changes_nothing_in_nineteen_of_twenty() -> None:
    slots = Slots.learn(judged(np.random.default_rng(0), 1, told=False).documents)
    changed = sum(bool(decided(slots, judged(np.random.default_rng(seed), 30, told=False))) for seed in range(60))
    assert changed <= 3
