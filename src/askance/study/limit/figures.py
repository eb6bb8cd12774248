"""Figures of LIMIT that a study does not hold: what goes wrong in phrase search, what a longer list recovers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import proportion
from askance.study.execute import OpenCollection
from askance.study.limit.leaks import of_leaks
from askance.study.limit.lists import Lists, phrase_lists
from askance.study.limit.misses import MISSES, Miss, miss_of
from askance.study.limit.synonyms import of_synonyms
from askance.study.records import estimate_record
from askance.study.reproduce import Added
from askance.text.analyzer import Analyzer

TIER = "likes"
DEPTHS = (100, 1_000, 10_000)
HOT_CHOCOLATE = "Who likes Hot Chocolate?"


def of_limit(*, open_collection: OpenCollection, progress: Progress) -> Mapping[str, Added]:
    """Of the 50,000 documents, by row id."""
    collection = open_collection("limit-recon")
    lists = phrase_lists(collection, TIER, progress)
    leaks = of_leaks(open_collection("limit-recon-h"), collection, lists.keywords)
    return {**_misses(lists), **_depths(lists), **_hot_chocolate(collection, lists), **leaks}


def of_limit_small(*, open_collection: OpenCollection, progress: Progress) -> Mapping[str, Added]:
    """Of the 46 documents, and of a collection of their shape whose questions use other words, by row id."""
    collection = open_collection("limit-small")
    return {**_misses(phrase_lists(collection, TIER, progress)), **of_synonyms(collection, progress)}


def _misses(lists: Lists) -> dict[str, Added]:
    """How many questions have a wrong document among the first, and why, each keyword named."""
    analyzer = Analyzer()
    found: dict[Miss, list[str]] = defaultdict(list)
    for keyword, ranked, gold in zip(lists.keywords, lists.ranked, lists.gold, strict=True):
        words = analyzer.terms(keyword)
        named = {document for document in ranked[: len(gold)] if _holds(analyzer, lists.names.get(document, ""), words)}
        kind = miss_of(ranked, gold, named)
        if kind is not None:
            found[kind].append(keyword)
    asked = len(lists.keywords)
    rows = {
        f"phrase.text.wrong.{kind}": Added(estimate_record(proportion(len(found[kind]), asked)), _named(found[kind]))
        for kind in MISSES
    }
    every = sum(map(len, found.values()))
    return {"phrase.text.wrong": Added(estimate_record(proportion(every, asked)), f"{every} of {asked:,}"), **rows}


def _depths(lists: Lists) -> dict[str, Added]:
    """Recall within ever longer lists, and how many documents must be read for it."""
    lengths = np.array([len(ranked) for ranked in lists.ranked])
    longest = int(lengths.argmax())
    found = {}
    for depth in (*DEPTHS, int(lengths.max())):
        values = np.array(
            [len(gold & set(ranked[:depth])) / len(gold) for ranked, gold in zip(lists.ranked, lists.gold, strict=True)]
        )
        read = np.minimum(lengths, depth)
        why = (
            f"lists hold {read.mean():,.1f} documents on average, at most {read.max():,} ({lists.keywords[longest]!r})"
        )
        name = "all" if depth == lengths.max() else str(depth)
        found[f"phrase.text.depth.{name}"] = Added(estimate_record(bootstrap_mean(values)), why)
    return found


def _hot_chocolate(collection: Collection, lists: Lists) -> dict[str, Added]:
    """The question whose phrase finds two documents, both gold."""
    at = list(collection.queries.field("text")).index(HOT_CHOCOLATE)
    ranked, gold = lists.ranked[at], lists.gold[at]
    right = sum(document in gold for document in ranked)
    why = f"{right} of the {len(ranked)} documents with the phrase are gold; gold are {len(gold)}"
    return {"phrase.text.hot-chocolate": Added(estimate_record(proportion(right, len(ranked))), why)}


def _holds(analyzer: Analyzer, name: str, words: Sequence[str]) -> bool:
    terms = analyzer.terms(name)
    return any(terms[at : at + len(words)] == list(words) for at in range(len(terms) - len(words) + 1))


def _named(keywords: Sequence[str]) -> str:
    return f"{len(keywords)}: {', '.join(sorted(keywords))}" if keywords else "none"
