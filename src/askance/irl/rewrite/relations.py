"""Which relation of the collection a question asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askance.irl.rewrite.spelling import close
from askance.text.analyzer import Analyzer

_APOSTROPHE = re.compile("['’＇ʼ]")
_FORM = 0.9  # a word in another form counts a little less than the word itself
_MISSING = 0.5  # what a word of the relation costs that the question does not have


@dataclass(frozen=True, slots=True)
class RelationAsked:
    """`name`: as the collection writes it, None where it knows none. `named`: whether the question has words of it."""

    name: str | None
    named: bool = False
    note: str = ""


def relation_asked(terms: Sequence[str], relations: Mapping[str, int], analyzer: Analyzer) -> RelationAsked:
    """The relation that shares most words with `terms`, the question's without its keywords.

    A shared word counts 1, one in another form .9, and each word of the relation that the question lacks costs ½. Among
    equals it is the one of which more is in the question, then the one that more documents have. Where none counts
    above 0, it is the one that most documents have, and the note says so. Words are cut at apostrophes: "doesn't" is
    near to "does".
    """
    if not relations:
        return RelationAsked(None)
    common = max(relations, key=lambda name: (relations[name], name))
    parts = [part for term in terms for part in _APOSTROPHE.split(term) if part]
    marks = {name: _mark(analyzer.terms(name), parts) for name in relations}
    best = max(relations, key=lambda name: (*marks[name], relations[name], name))
    if marks[best][0] > 0:
        alone = len(relations) == 1  # nothing else to tell it from
        return RelationAsked(best, named=True, note=_unless_whole(best, analyzer.terms(best), parts) if alone else "")
    if len(relations) == 1:
        return RelationAsked(common, note=f"the question does not name {common!r}, the only relation; it is taken")
    note = f"the question names none of {len(relations)} relations; {common!r}, which most documents have, is taken"
    return RelationAsked(common, note=note)


def _unless_whole(name: str, wanted: Sequence[str], terms: Sequence[str]) -> str:
    """A note where the question has the relation's words in part or in other forms: it may ask for another one."""
    if all(word in terms for word in wanted):
        return ""
    return f"the question is near to {name!r} and not the same: whether it asks for another relation cannot be told"


def _mark(wanted: Sequence[str], terms: Sequence[str]) -> tuple[float, float]:
    """What a relation counts, and the share of its words that the question has; each word of the question once."""
    left = list(terms)
    counted = 0.0
    for word in wanted:
        if word in left:
            left.remove(word)
            counted += 1.0
    for word in wanted:
        near = next((term for term in left if word not in terms and close(word, term)), None)
        if near is not None:
            left.remove(near)
            counted += _FORM
    share = counted / len(wanted) if wanted else 0.0
    return counted - _MISSING * (len(wanted) - counted), share
