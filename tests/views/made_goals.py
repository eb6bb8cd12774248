"""Goals of a small world, in templates and as people might word them: for the tests of views."""

from __future__ import annotations

import random

import numpy as np

from askance.views.judged import Judged

THINGS = ["mug", "pan", "pen", "cup", "key", "box", "jar", "fan", "lid", "pot"]
PLACES = ["sink", "desk", "shelf", "drawer", "bed", "sofa", "bin", "cart", "rack"]
VERBS = ["clean", "heat", "cool"]


def templated(seed: int = 0, share: float = 0.5) -> list[str]:
    """A part of all goals of three wordings."""
    every = [f"{verb} some {thing} and put it in {place}." for verb in VERBS for thing in THINGS for place in PLACES]
    every += [f"put a {verb} {thing} in {place}." for verb in VERBS for thing in THINGS for place in PLACES]
    every += [f"put {number} {thing} in {place}." for number in ("a", "two") for thing in THINGS for place in PLACES]
    return random.Random(seed).sample(every, int(share * len(every)))


def judged(seed: int = 0) -> Judged:
    """Queries for the same verb with another thing; decoys have another verb, some of them the same thing."""
    documents = [text for text in templated(seed) if text.split()[0] in VERBS]
    queries = [
        f"{verb} some {thing} and put it in {place}." for verb in VERBS for thing in THINGS for place in PLACES[:2]
    ]
    said = [text.split() for text in documents]
    gold = [
        [at for at, words in enumerate(said) if words[0] == query.split()[0] and words[2] != query.split()[2]]
        for query in queries
    ]
    decoys = [[at for at, words in enumerate(said) if words[0] != query.split()[0]] for query in queries]
    as_arrays = [[np.array(each, dtype=np.int32) for each in kind] for kind in (gold, decoys)]
    return Judged(queries, documents, *as_arrays)
