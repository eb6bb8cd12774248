"""Chance of Hit@k over the trajectories: from the collection's own labels, else from the counts of gold in the data."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from askance.data.collection import Collection
from askance.measure.chance import chance
from askance.measure.judged import Counts, Mask, Values
from askance.measure.measures import Measure
from askance.study.structural.finding import Found, exact
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

DOCUMENTS = 336

FIGURE = r"chance_(?P<tier>strict|lenient|harsher_ii)_(?P<measure>hit@\d+)"

_TIERS = {"strict": "strict", "lenient": "reference", "harsher_ii": "strict-ii"}
_COLUMNS = {"strict": "K_strict", "lenient": "K_lenient", "harsher_ii": "K_harsher_ii"}
_SETS = {"old_40": "old40", "new_78": "new78"}


def expected(printed: Printed, source: Source) -> Found:
    """The mean chance over a subset of the queries: exact, hypergeometric."""
    told = re.fullmatch(FIGURE, printed.figure)
    assert told is not None
    mask = of_subset(source, str(printed.config.get("subset", "pooled")))
    chances = per_query(source, told["tier"], told["measure"])[mask]
    ours = exact(float(chances.mean()), len(chances), "exact: hypergeometric chance of each query")
    if source.trajectories is None:
        return Found("recomputed", ours, why="gold per query as the data's labels count it")
    why = "gold per query counted here, by rules over the descriptions"
    return Found("pass", ours, why=why, wrong=_labels_differ(source, told["tier"]))


@cache
def per_query(source: Source, tier: str, measure: str) -> Values:
    """Chance of each of the 118 queries [queries]; `tier`: strict, lenient or harsher_ii."""
    gold = gold_counts(source, tier)
    found = chance(Measure.parse(measure), np.full(len(gold), DOCUMENTS, dtype=np.int64), gold)
    assert not isinstance(found, str)
    return found


def gold_counts(source: Source, tier: str) -> Counts:
    """How many of the trajectories are gold for each query [queries]."""
    if source.trajectories is None:
        return np.array([int(row[_COLUMNS[tier]]) for row in source.labels], dtype=np.int64)
    return counted_here(source.trajectories, _TIERS[tier])


def _labels_differ(source: Source, tier: str) -> str:
    """Our count of gold and the source's own must be the same for every query."""
    assert source.trajectories is not None
    ours = dict(zip(source.trajectories.queries.ids, gold_counts(source, tier).tolist(), strict=True))
    theirs = {row["query_id"]: int(row[_COLUMNS[tier]]) for row in source.labels}
    other = sum(ours.get(query) != gold for query, gold in theirs.items()) + len(ours.keys() - theirs.keys())
    return f"{other} queries have other gold than the source's labels" if other else ""


def counted_here(trajectories: Collection, tier: str) -> Counts:
    """The same of a tier of the collection itself."""
    there = trajectories.tier(tier)
    return there.judgments.gold_counts(there.threshold)


def of_subset(source: Source, subset: str) -> Mask:
    """Which of the queries [queries] are pooled, old_40 or new_78."""
    if source.trajectories is not None:
        return source.trajectories.queries.mask({"set": _SETS[subset]} if subset in _SETS else {})
    old = np.array([row["provenance"] == "original" for row in source.labels])
    return {"pooled": np.ones(len(old), dtype=np.bool_), "old_40": old, "new_78": ~old}[subset]
