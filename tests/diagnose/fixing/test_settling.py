"""Choosing on one half, measuring on the other."""

from __future__ import annotations

import numpy as np

from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.halves import Halves, split
from askance.diagnose.fixing.settling import Offer, settle
from askance.measure.compare.clusters import Groups
from askance.study.file import SystemEntry

N = 80


def offer(name: str, size: int, after: np.ndarray) -> Offer:
    entry = SystemEntry(name=name, retriever="lexical")
    return Offer(Candidate(name, name, size, "text", (entry,)), after.astype(np.float64))


def halves(seed: int = 0) -> Halves:
    return split(np.ones(N, dtype=np.bool_), Groups.of([None] * N, N), seed)


def test_a_gain_on_both_halves_is_pooled_over_all_queries() -> None:
    before, after = np.zeros(N), np.ones(N)
    found = settle(before, ([offer("good", 1, after)],) * 2, halves(), 0)
    assert found.offer is not None
    assert found.offer.candidate.name == "good"
    assert found.gain is not None
    assert (found.gain.value, found.gain.n) == (1.0, N)
    assert found.unseen.all()


def test_the_smaller_of_equals_is_taken_and_the_larger_where_it_is_better() -> None:
    before, good, best = np.zeros(N), np.ones(N), np.ones(N)
    good[:2] = 0
    small, large = offer("small", 1, good), offer("large", 3, best)
    found = settle(before, ([large, small],) * 2, halves(), 0)
    assert found.offer is not None
    assert found.offer.candidate.name == "small"
    good[:60] = 0
    found = settle(before, ([offer("large", 3, best), offer("small", 1, good)],) * 2, halves(), 0)
    assert found.offer is not None
    assert found.offer.candidate.name == "large"


def test_what_gains_on_one_half_alone_is_not_believed() -> None:
    parts = halves()
    before = np.full(N, 0.0)
    found = settle(before, ([offer("lucky", 1, parts.first)],) * 2, parts, 0)
    assert found.choices[0].offer is not None  # the half where it is lucky takes it
    assert not found.choices[0].holds
    assert found.offer is None
    assert found.gain is None


def test_what_one_half_chose_is_measured_on_the_other_alone() -> None:
    parts = halves()
    after = np.ones(N)
    after[np.flatnonzero(parts.second)[:20]] = 0
    found = settle(np.zeros(N), ([offer("one", 1, after)], [offer("harm", 1, np.zeros(N) - 1)]), parts, 0)
    assert found.offer is not None
    assert found.gain is not None
    assert (found.unseen == parts.second).all()
    assert found.gain.value == after[parts.second].mean()


def test_a_harm_is_no_change() -> None:
    found = settle(np.ones(N), ([offer("harm", 1, np.zeros(N))],) * 2, halves(), 0)
    assert found.offer is None
