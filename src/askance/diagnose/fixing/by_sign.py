"""What the judged queries of one half say of classes of words: which views to try, which classes to anchor on.

Nothing here looks at a query outside `seen`: what one half may choose owes nothing to the other half. Many classes are
looked at, so a class is decided by its sign only where it stands after Holm's correction for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import erfc, sqrt

import numpy as np

from askance.core.estimate import Estimate
from askance.data.rows import Positions
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.changes import on_field, view_of
from askance.diagnose.fixing.memory import SharedSlots
from askance.measure.bill import bill
from askance.measure.compare.corrections import holm
from askance.measure.judged import Counts, Mask, gold_of
from askance.study.choices import compared_in, decoys_of
from askance.text.signature_classes import SIGNATURE_CLASSES
from askance.views.agreement import ENOUGH, Agreement, agreements
from askance.views.choosing import changes, choose
from askance.views.classes import SlotSettings
from askance.views.foretelling import foretell
from askance.views.judged import Judged, judged_in
from askance.views.slots import Slots

LEVEL = 0.05
_MOST_PAIRS = 20_000_000  # of queries and documents: with more, decoys are any other documents
_DECOYS = 30  # drawn a query, that classes of a view are judged by
_FORETOLD = 80  # queries that a view is foretold by
_MOST_DOCUMENTS = 4_000  # that they are judged by; slots of more documents are learned from these as a first look
_NORMAL = 1.959964


@dataclass(frozen=True)
class Offered:
    """Views that a half may choose: `first`: how often the view's gold is foretold to be nearest, 0 to 1.

    `why_not`: where the view is foretold to hurt, in a sentence; such views are not run.
    """

    candidates: tuple[Candidate, ...]
    first: float
    why_not: str | None


def friends_of(case: FixCase, seen: Mask) -> list[str]:
    """Classes of a signature in which gold agrees more with its query than decoys do, the strongest first."""
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
    sure = _sure({one.tokens: _p_of(one.estimate) for one in found.entries})
    return [name for name in found.anchors if name in sure]


def views_of(case: FixCase, field: str, slots: SharedSlots, seen: Mask, *, by_sign: bool) -> list[Offered]:
    """The view of a field as learned; `by_sign`: and with classes opened and closed by their sign among those seen."""
    queries = np.random.default_rng(case.study.seed).permutation(np.flatnonzero(seen))
    judged = _judged(case, field, np.sort(queries[:_FORETOLD]))
    whole = len(case.collection.documents) <= max(_MOST_DOCUMENTS, len(judged.documents))
    learned = slots.of(field, SlotSettings()) if whole else Slots.learn(judged.documents)
    says = "search views: open classes become their slots"
    ties = "search views, and order equal views by the texts as they are"
    found = [
        _offered(
            learned,
            judged,
            on_field(case, field, "view", says, view_of(case)),
            on_field(case, field, "view, ties by text", ties, view_of(case, ties="raw"), 2),
        )
    ]
    told = decided(learned, _judged(case, field, np.sort(queries))) if whole and by_sign else {}
    if told:
        says = "search views, with classes opened and closed by their sign"
        changed = learned.adjusted(**told)
        found.append(_offered(changed, judged, on_field(case, field, "view by sign", says, view_of(case, **told), 2)))
    return found


def decided(slots: Slots, judged: Judged) -> dict[str, list[str]]:
    """`keep` and `hide` of a view: what the signs change of it, and stands after Holm's correction; empty lists out."""
    signs = {name: each for name, each in agreements(slots, judged).items() if each.n >= ENOUGH}
    sure = _sure({name: _p(each) for name, each in signs.items()})
    keep, hide = changes(slots, choose(slots, judged))
    class_of = {word: each.name for each in slots.classes for word in each.members}
    kept = [one for one in keep if class_of.get(one, one) in sure]
    hidden = [one for one in hide if one in sure]
    return {name: value for name, value in (("keep", kept), ("hide", hidden)) if value}


def _offered(slots: Slots, judged: Judged, *candidates: Candidate) -> Offered:
    told = foretell(slots, judged.documents, judged)
    return Offered(candidates, told.first_after or 0.0, told.sentence if told.verdict == "hurts" else None)


def _sure(p: Mapping[str, float]) -> set[str]:
    return {name for name, one in zip(p, holm(list(p.values())), strict=True) if one is not None and one < LEVEL}


def _p(agreement: Agreement) -> float:
    """Two-sided, of the normal interval that the agreement has; where all queries say the same, of their signs."""
    return _normal_p(agreement.value, agreement.low, agreement.high, agreement.n)


def _p_of(estimate: Estimate) -> float:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return 1.0
    return _normal_p(estimate.value, estimate.low, estimate.high, estimate.n)


def _normal_p(value: float, low: float, high: float, n: int) -> float:
    distance = abs(value - 0.5)
    if not distance or not n:
        return 1.0
    # towards ½, where an interval that is cut off at 0 or 1 is whole
    error = ((value - low) if value > 0.5 else (high - value)) / _NORMAL
    return float(max(erfc(distance / error / sqrt(2.0)) if error > 0 else 0.0, 2.0 ** (1 - n)))


def _judged(case: FixCase, field: str, queries: Counts) -> Judged:
    """These queries, some decoys of each drawn by seed, and no other documents."""
    collection = case.collection
    many = min(_DECOYS, max(_MOST_DOCUMENTS // max(len(queries), 1), 2))
    rng = np.random.default_rng(case.study.seed)
    if len(collection.documents) * len(collection.queries) <= _MOST_PAIRS:
        told = judged_in(
            collection, tier=case.tier.name, query_field=case.entry.embed.query, document_field=field
        ).take(queries)
        told = replace(told, decoys=[_drawn(all_of, many, rng) for all_of in told.decoys])
    else:
        gold = [
            gold_of(case.tier.judgments, int(at), case.tier.threshold, collection.excluded).astype(np.int32)
            for at in queries
        ]
        told = Judged(
            [collection.queries.field(case.entry.embed.query)[int(at)] for at in queries],
            collection.documents.field(field),
            gold,
            [
                np.setdiff1d(
                    rng.integers(0, len(collection.documents), many, dtype=np.int32),
                    own if collection.excluded is None else np.union1d(own, collection.excluded.of_query(int(at))),
                ).astype(np.int32)
                for at, own in zip(queries, gold, strict=True)
            ],
        )
    return _used(told)


def _used(judged: Judged) -> Judged:
    """The same without documents that are neither gold nor decoys."""
    used = np.unique(np.concatenate([*judged.gold, *judged.decoys, np.empty(0, dtype=np.int32)])).astype(np.int32)

    def placed(columns: Sequence[Positions]) -> list[Positions]:
        return [np.searchsorted(used, column).astype(np.int32) for column in columns]

    texts = [judged.documents[int(at)] for at in used]
    return Judged(judged.queries, texts, placed(judged.gold), placed(judged.decoys))


def _drawn(all_of: Positions, many: int, rng: np.random.Generator) -> Positions:
    return np.sort(rng.choice(all_of, many, replace=False)) if len(all_of) > many else all_of
