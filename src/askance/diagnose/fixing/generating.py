"""The candidates of a case, made from its data: its fields, its documents, its classes of words, its bill.

What needs judgments (which classes are friends or enemies) is read off the queries of `seen` alone: a candidate
that one half may choose owes nothing to the other half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np

from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import LearnedSchema
from askance.data.rows import Positions
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.measure.bill import bill
from askance.measure.judged import Mask
from askance.rerank.lexical import LexicalSettings
from askance.rerank.signature import WHOLE
from askance.study.choices import compared_in, decoys_of
from askance.study.file import RerankerEntry, SystemEntry
from askance.text.signature_classes import SIGNATURE_CLASSES
from askance.views.choosing import changes, choose
from askance.views.judged import judged_in
from askance.views.slots import Slots

FIRST = (10, 50)  # how much of a list is re-sorted
STEMMERS = ("porter", "english")
_MOST_PAIRS = 20_000_000  # of queries and documents: with more, no view by sign is offered
_DECOYS = 30  # drawn a query, that classes of a view are judged by
_FEWEST_WORDS = 3  # of a field that may be read, in the middle text
_FEWEST_DISTINCT = 0.25  # share of a field's texts


@dataclass(frozen=True)
class _Change:
    """A system in place of the one there is, before it is known which field it reads."""

    name: str
    says: str
    size: int
    entry: SystemEntry


def as_it_is(case: FixCase) -> Candidate:
    """The system unchanged."""
    return Candidate("as it is", "no change", 0, case.entry.embed.document, (*case.before, case.system))


def candidates(case: FixCase) -> Iterator[Candidate]:
    """Those that need no judgments."""
    now = case.entry.embed.document
    for field in readable_fields(case):
        read = [] if field == now else [f"read the documents' field {field!r}"]
        if read:
            yield Candidate(f"field {field}", read[0], 1, field, (*case.before, case.system))
        for change in (*_analyzers(case), *_views(case), *_others(case), *_split(case, field)):
            yield Candidate(
                " on ".join([change.name, *([f"field {field}"] if read else [])]),
                ", and ".join([*read, change.says]),
                change.size + len(read),
                field,
                (*_needed(case, change.entry), change.entry),
            )
            if change.name not in ("stems: porter", "stems: english"):
                yield _fused(case, field, change, read)
    for reranker, says in _rerankers(case):
        yield _reranked(case, reranker, says)


def judged_candidates(case: FixCase, seen: Mask) -> Iterator[Candidate]:
    """Those that read the bill of the queries in `seen` [queries]: friends to anchor on, enemies to abstract away."""
    friends = _friends(case, seen)
    for first in _firsts(case):
        if len(friends) > 1:
            entry = _signature("+".join(friends), first)
            yield _reranked(case, entry, f"{_first(first)} by the friends of the bill: {', '.join(friends)}")
    if len(case.collection.documents) * len(case.collection.queries) <= _MOST_PAIRS and _can_view(case):
        for field in readable_fields(case):
            yield from _by_sign(case, field, seen)


def readable_fields(case: FixCase) -> list[str]:
    """The field that is read, then others whose texts have words enough, and are not a few labels."""
    now = case.entry.embed.document
    found = [now]
    for name, column in case.collection.documents.fields.items():
        words = median(len(text.split()) for text in column)
        if name != now and words >= _FEWEST_WORDS and len(set(column)) >= _FEWEST_DISTINCT * len(column):
            found.append(name)
    return found


def _analyzers(case: FixCase) -> Iterator[_Change]:
    if case.system.retriever != "lexical":
        return
    now = case.system.settings.get("stemmer")
    for stemmer in STEMMERS:
        if stemmer != now:
            yield _Change(f"stems: {stemmer}", f"stem words ({stemmer})", 1, _with(case.system, stemmer=stemmer))
    if now is not None:
        left = {name: value for name, value in case.system.settings.items() if name != "stemmer"}
        yield _Change("no stems", "leave words unstemmed", 1, _entry(case.system.name, "lexical", None, left))


def _can_view(case: FixCase) -> bool:
    return case.system.retriever in ("dense", "lexical")


def _views(case: FixCase) -> Iterator[_Change]:
    if _can_view(case):
        yield _Change("view", "search views: open classes become their slots", 1, _view(case))
        says = "search views, and order equal views by the texts as they are"
        yield _Change("view, ties by text", says, 2, _view(case, ties="raw"))


def _others(case: FixCase) -> Iterator[_Change]:
    """Another way to search: by words where there are vectors, by vectors where there are words and a model."""
    if case.system.retriever != "lexical":
        yield _Change("words", "search by words (BM25)", 1, _entry("words", "lexical", None, {}))
    for model in case.embedders:
        if (case.system.retriever, case.system.model) != ("dense", model):
            yield _Change(f"vectors of {model}", f"search by {model}'s vectors", 1, _entry("near", "dense", model, {}))


def _split(case: FixCase, field: str) -> Iterator[_Change]:
    """Fields and exact items, where the documents split by a schema that is learned from them."""
    if case.system.retriever == "irl":
        return
    records = ({"text": text} for text in case.collection.documents.field(field))
    if learned_where_it_fits(LearnedSchema(), records).schema is not None:
        says = "split documents into fields (learned) and ask for exact items"
        yield _Change("fields and exact items", says, 1, _entry("fields", "irl", None, {"form": "fields"}))


def _fused(case: FixCase, field: str, change: _Change, read: list[str]) -> Candidate:
    other = change.entry
    if other.name == case.system.name:
        other = other.model_copy(update={"name": f"{other.name}-changed"})
    both = _entry(f"{case.system.name}-fused", "fused", None, {"of": [case.system.name, other.name], "kind": "rrf"})
    return Candidate(
        " on ".join([f"fused with {change.name}", *([f"field {field}"] if read else [])]),
        ", and ".join([*read, f"fuse by ranks (rrf) with another system: {change.says}"]),
        change.size + 1 + len(read),
        field,
        (*case.before, case.system, other, both),
    )


def _rerankers(case: FixCase) -> Iterator[tuple[RerankerEntry, str]]:
    for first in _firsts(case):
        for name in (*SIGNATURE_CLASSES, WHOLE):
            words = "all classes of a signature" if name == WHOLE else name
            yield _signature(name, first), f"{_first(first)} by agreement of {words}"
        for tokens in LexicalSettings.model_fields["tokens"].annotation.__args__:  # type: ignore[union-attr]
            entry = _reranker(f"control-{tokens}", "lexical", first, {"tokens": tokens})
            yield entry, f"{_first(first)} by lexical likeness ({tokens} words)"


def _friends(case: FixCase, seen: Mask) -> list[str]:
    compare = compared_in(case.entry, case.collection)
    found = bill(
        case.collection,
        case.tier,
        decoys_of(case.entry, case.collection)[0],
        classes=tuple(SIGNATURE_CLASSES.values()),
        query_field=compare.query,
        document_field=compare.document,
        mask=seen,
        seed=case.study.seed,
    )
    return list(found.anchors)


def _by_sign(case: FixCase, field: str, seen: Mask) -> Iterator[Candidate]:
    """Views with classes opened and closed by their sign among the queries seen, where that differs from learned."""
    judged = judged_in(
        case.collection, tier=case.tier.name, query_field=case.entry.embed.query, document_field=field
    ).take(np.flatnonzero(seen))
    judged = replace(judged, decoys=_drawn(judged.decoys, case.study.seed))
    slots = Slots.learn(case.collection.documents.field(field))
    keep, hide = changes(slots, choose(slots, judged))
    if not keep and not hide:
        return
    told = {"keep": list(keep), "hide": list(hide)}
    read = [] if field == case.entry.embed.document else [f"read the documents' field {field!r}"]
    says = "search views, with classes opened and closed by their sign"
    yield Candidate(
        " on ".join(["view by sign", *([f"field {field}"] if read else [])]),
        ", and ".join([*read, says]),
        2 + len(read),
        field,
        (*_needed(case, case.system), _view(case, **{name: value for name, value in told.items() if value})),
    )


def _drawn(decoys: Sequence[Positions], seed: int) -> list[Positions]:
    """A few of each query's decoys, drawn by seed."""
    rng = np.random.default_rng(seed)
    return [
        np.sort(rng.choice(all_of, _DECOYS, replace=False)) if len(all_of) > _DECOYS else all_of for all_of in decoys
    ]


def _view(case: FixCase, **more: Any) -> SystemEntry:
    system = case.system
    settings = {"over": system.retriever, **({"inner": system.settings} if system.settings else {}), **more}
    return _entry(f"{system.name}-view", "view", system.model, settings)


def _needed(case: FixCase, entry: SystemEntry) -> tuple[SystemEntry, ...]:
    return case.before if "of" in entry.settings else ()


def _firsts(case: FixCase) -> tuple[int, ...]:
    return tuple(first for first in FIRST if first <= len(case.collection.documents))


def _first(first: int) -> str:
    return f"re-sort the first {first}"


def _reranked(case: FixCase, entry: RerankerEntry, says: str) -> Candidate:
    size = 1 + (entry.first != FIRST[0]) + str(entry.settings.get("tokens")).count("+")
    now = case.entry.embed.document
    return Candidate(f"{entry.name}, first {entry.first}", says, size, now, (*case.before, case.system), entry)


def _signature(tokens: str, first: int) -> RerankerEntry:
    return _reranker("signature-" + tokens.replace("+", "-"), "signature", first, {"tokens": tokens})


def _reranker(name: str, reranker: str, first: int, settings: Mapping[str, Any]) -> RerankerEntry:
    return RerankerEntry.model_validate({"name": name, "reranker": reranker, "first": first, **settings})


def _entry(name: str, retriever: str, model: str | None, settings: Mapping[str, Any]) -> SystemEntry:
    return SystemEntry.model_validate({"name": name, "retriever": retriever, "model": model, **settings})


def _with(entry: SystemEntry, **settings: Any) -> SystemEntry:
    return _entry(entry.name, entry.retriever, entry.model, {**entry.settings, **settings})
