"""Copies of gold in the corpus that are not gold, and unjudged documents that look like it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.diagnose.case import Case, System
from askance.measure.estimates import WITHOUT_GOLD
from askance.measure.intervals import proportion
from askance.measure.judged import Mask, gold_of
from askance.text.analyzer import Analyzer
from askance.text.likeness import jaccard

LIKE = 0.8  # share of common words from which on a document looks like gold
FIRST = 10


@dataclass(frozen=True, slots=True)
class Copies:
    """Queries whose gold has a copy in the corpus that is not gold for them: exact, and with the same words in order.

    `documents`: gold documents that have one. `example`: a query, its gold and the copy (identifiers), None without.
    """

    exact: Estimate
    normalised: Estimate
    documents: int
    example: tuple[str, str, str] | None


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Documents without a judgment and without a role, in the lists of one system.

    `above`: of the queries whose rank 1 is not gold, the share in which it is such a document and gold is listed below.
    `alike`: queries in whose first ten one shares 80 % of its words with a gold document. `only_gold`: nothing but gold
    is judged in the collection, so that what is unjudged may as well have been found wrong.
    """

    system: str
    label: str
    above: Estimate
    alike: Estimate | None
    only_gold: bool
    example: tuple[str, str, str] | None


class Sameness:
    """The documents of a case by their text, and by their words."""

    def __init__(self, case: Case) -> None:
        self._case = case
        texts = case.texts[1] if case.texts is not None else ()
        self._analyzer = Analyzer()
        self.exact = _groups(texts)
        self.normalised = _groups([" ".join(self._analyzer.terms(text)) for text in texts])
        self._bags: dict[int, frozenset[str]] = {}

    def bag(self, document: int) -> frozenset[str]:
        """The words of a document."""
        if document not in self._bags:
            assert self._case.texts is not None
            self._bags[document] = frozenset(self._analyzer.terms(self._case.texts[1][document]))
        return self._bags[document]


def copies(case: Case, same: Sameness) -> Copies | None:
    """None where there are no texts."""
    if case.texts is None:
        return None
    counts = {"exact": 0, "normalised": 0}
    n = without = 0
    doubled: set[int] = set()
    example = None
    for query in case.queries:
        gold = set(gold_of(case.tier.judgments, query, case.tier.threshold).tolist())
        without += not gold
        n += bool(gold)
        for kind, groups in (("exact", same.exact), ("normalised", same.normalised)):
            pairs = [(one, other) for one in sorted(gold) for other in groups.get(one, ()) if other not in gold]
            counts[kind] += bool(pairs)
            doubled |= {one for one, _ in pairs}
            if pairs and example is None:
                names = case.collection.documents.ids
                example = (case.collection.queries.ids[query], names[pairs[0][0]], names[pairs[0][1]])
    left_out = {WITHOUT_GOLD: without} if without else None
    return Copies(
        proportion(counts["exact"], n, left_out), proportion(counts["normalised"], n, left_out), len(doubled), example
    )


def unjudged(case: Case, system: System, same: Sameness | None) -> Unjudged:
    """What stands unjudged before gold, and what looks like gold among the first ten. `same` None: no texts."""
    judgments, roles = case.tier.judgments, case.collection.roles
    above = misses = alike = n = 0
    example = None
    for query in case.queries:
        gold = gold_of(judgments, query, case.tier.threshold, case.collection.excluded)
        if not len(gold):
            continue
        n += 1
        listed, _ = system.run.of_query(query)
        judged, _ = judgments.of_query(query)
        known = set(judged.tolist())
        if roles is not None:
            known |= set(roles.document[roles.offsets[query] : roles.offsets[query + 1]].tolist())
        if len(listed) and int(listed[0]) not in gold:
            misses += 1
            above += int(listed[0]) not in known and bool(np.isin(listed, gold).any())
        if same is None:
            continue
        look = _alike([int(one) for one in listed[:FIRST] if int(one) not in known], gold.tolist(), same)
        if look is not None:
            alike += 1
            names = case.collection.documents.ids
            example = example or (case.collection.queries.ids[query], names[look[1]], names[look[0]])
    return Unjudged(
        system.name,
        system.label,
        proportion(above, misses),
        proportion(alike, n) if same is not None else None,
        roles is None and bool(_all_gold(case)),
        example,
    )


def _alike(documents: Sequence[int], gold: Sequence[int], same: Sameness) -> tuple[int, int] | None:
    """The first unjudged document that shares enough words with a gold one, and that one."""
    for document in documents:
        words = same.bag(document)
        for one in gold:
            if words and jaccard(words, same.bag(one)) >= LIKE:
                return document, one
    return None


def _all_gold(case: Case) -> bool:
    grades = case.tier.judgments.grade
    found: Mask = grades >= case.tier.threshold
    return bool(found.all())


def _groups(texts: Sequence[str]) -> dict[int, list[int]]:
    """For each document that has copies, the others; blank texts are no copies of each other."""
    by_text: dict[str, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        if text.strip():
            by_text[text].append(at)
    return {
        one: [other for other in group if other != one] for group in by_text.values() if len(group) > 1 for one in group
    }
