"""Random rankings, drawn: only the ranks at which something has a grade are ever looked at."""

from __future__ import annotations

import numpy as np

from askance.measure.judged import Counts, Found, Gains, Judged, Mask, Values
from askance.measure.measures import Measure
from askance.measure.metrics.metric import Candidates
from askance.measure.per_query import sum_per_query
from askance.measure.ties import Ties

FEWEST_DRAWS = 199

_CELLS = 40_000_000
_BLOCK_CELLS = 2_000_000
_CELLS_OF_A_COUNT = 20  # drawing how many hits a list holds takes as long as filling so many places


def random_means(measure: Measure, candidates: Candidates, seed: int, draws: int, ties: Ties | None = None) -> Values:
    """The mean of a measure over all queries, for each of several draws of one random ranking per query [draws].

    `ties`: which ranks of each query are tied, as those of a run are; then every value is the mean over their orders,
    and the cut-off of `candidates` must not split them.
    As many of `draws` as fit about a second, never fewer than 199: 1,000 queries of which every list of 100 holds gold
    get 333, 10,000 whose gold is rare 200.
    """
    rng = np.random.default_rng(seed)
    graded = candidates.gains.counts
    depth = int(candidates.cutoff.max(initial=1))
    likely = _chance_of_any(candidates)
    per_draw = float(likely.sum()) * depth + _CELLS_OF_A_COUNT * len(candidates)
    draws = int(np.clip(_CELLS / per_draw, min(draws, FEWEST_DRAWS), draws))
    block = int(np.clip(_BLOCK_CELLS / per_draw, 1, draws))
    means = np.zeros(draws)
    nothing = _without_hits(measure, candidates)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        hits = rng.hypergeometric(graded, candidates.size - graded, candidates.cutoff, size=(rows, len(candidates)))
        draw, query = np.nonzero(hits)
        ranked = _random_lists(rng, candidates, query, hits[draw, query], ties)
        values = measure.metric.compute(ranked, measure.k)
        means[start : start + rows] = (sum_per_query(draw, values - nothing[query], rows) + nothing.sum()) / len(
            candidates
        )
    return means


def _chance_of_any(candidates: Candidates) -> Values:
    """A bound on the chance that anything graded is among the ranks that count [queries]."""
    expected = candidates.cutoff * candidates.gains.counts / np.maximum(candidates.size, 1)
    return np.minimum(1.0, expected)


def _without_hits(measure: Measure, candidates: Candidates) -> Values:
    """The value of each query whose list holds nothing graded [queries]; such lists are not drawn."""
    none = np.zeros(0, dtype=np.int64)
    empty = Found(none, none, np.zeros(0), np.zeros(0, dtype=np.bool_))
    listed, gold, pool = candidates.cutoff.copy(), candidates.gold.copy(), candidates.pool.copy()
    return measure.metric.compute(Judged.of(empty, listed, gold, pool, candidates.gains), measure.k)


def _random_lists(
    rng: np.random.Generator, candidates: Candidates, query: Counts, hits: Counts, ties: Ties | None
) -> Judged:
    """One random list per entry of `query`, given that `hits` graded documents are among the ranks that count."""
    places = _random_places(rng, candidates.cutoff[query], hits)
    gains = candidates.gains.take(query)
    row, column = np.nonzero(places)
    grade = _random_gains(rng, gains, hits)
    gold = candidates.gold[query]
    found = Found(row, column + 1, grade, grade >= _lowest_gold(gains, gold)[row])
    tied = None if ties is None else ties.take(query)
    return Judged.of(found, candidates.cutoff[query], gold, candidates.pool[query], gains, tied)


def _random_places(rng: np.random.Generator, length: Counts, hits: Counts) -> Mask:
    """Which of the first `length` ranks hold the `hits` documents: every subset is as likely [rows, depth]."""
    depth = int(length.max(initial=1))
    places = np.zeros((depth, len(hits)), dtype=np.bool_)
    left = hits.copy()
    for rank in range(depth):
        np.less(rng.random(len(hits)) * np.maximum(length - rank, 0), left, out=places[rank])
        left -= places[rank]
    return np.ascontiguousarray(places.T)


def _random_gains(rng: np.random.Generator, gains: Gains, hits: Counts) -> Values:
    """Which of its grades each hit has, drawn without replacement within a list; lists one after the other [hits]."""
    if not len(gains.gain) or gains.gain.min() == gains.gain.max():
        return np.full(int(hits.sum()), gains.gain.max(initial=0.0))
    owner = np.repeat(np.arange(len(hits)), gains.counts)
    shuffled = gains.gain[np.lexsort((rng.random(len(owner)), owner))]
    within = np.arange(len(owner)) - gains.offsets[owner]
    return shuffled[within < hits[owner]]


def _lowest_gold(gains: Gains, gold: Counts) -> Values:
    """The lowest grade that is gold, per list; infinite where none is."""
    if not len(gains.gain):
        return np.full(len(gold), np.inf)
    last = np.clip(gains.offsets[:-1] + gold - 1, 0, len(gains.gain) - 1)
    return np.where(gold > 0, gains.gain[last], np.inf)
