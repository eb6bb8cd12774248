"""What the judged queries of one half say of classes of words: which views to try, which classes to anchor on.

Nothing here looks at a query outside `seen`: what one half may choose owes nothing to the other half. Many classes are
looked at, so a class is decided by its sign only where it stands after Holm's correction for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import erfc, sqrt

import numpy as np

from askance.core.estimate import Estimate
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.changes import on_field, view_of
from askance.diagnose.fixing.memory import SharedSlots
from askance.diagnose.fixing.sampled import judged_sample
from askance.measure.bill import bill
from askance.measure.compare.corrections import holm
from askance.measure.judged import Counts, Mask
from askance.study.choices import compared_in, decoys_of
from askance.text.signature_classes import SIGNATURE_CLASSES
from askance.views.agreement import ENOUGH, Agreement, agreements
from askance.views.choosing import changes, choose
from askance.views.classes import SlotSettings
from askance.views.foretelling import foretell
from askance.views.judged import Judged
from askance.views.slots import Slots

LEVEL = 0.05
_DECOYS = 30  # drawn a query, that classes of a view are judged by
_FORETOLD = 80  # queries that a view is foretold by
_MOST_DOCUMENTS = 4_000  # that they are judged by; slots of more documents are learned from these as a first look
_MOST_LEARNED = 200_000  # documents of which slots are learned before a view is run
_NORMAL = 1.959964


@dataclass(frozen=True)
class Offered:
    """Views that a half may choose: `first`: how often the view's gold is foretold to be nearest, 0 to 1.

    `why_not`: where the view is foretold to hurt, in a sentence; such views are not run. `note`: where it was judged
    by a sample, how that was drawn, a sentence each; "" where by everything.
    """

    candidates: tuple[Candidate, ...]
    first: float
    why_not: str | None
    note: str = ""


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
    many = len(case.collection.documents)
    whole = many <= max(_MOST_DOCUMENTS, len(judged.documents))
    learned = slots.of(field, SlotSettings()) if whole else Slots.learn(judged.documents)
    first_look = "" if whole else f"Slots are learned from {len(judged.documents):,} of {many:,} documents at first."
    says = "search views: open classes become their slots"
    ties = "search views, and order equal views by the texts as they are"
    found = [
        _offered(
            learned,
            judged,
            on_field(case, field, "view", says, view_of(case)),
            on_field(case, field, "view, ties by text", ties, view_of(case, ties="raw"), 2),
            note=_joined("Views are foretold by a sample.", judged.note, first_look),
        )
    ]
    if not by_sign:
        return found
    if many > _MOST_LEARNED:
        left = f"Which classes to open is not decided by sign: there are more than {_MOST_LEARNED:,} documents."
        return [replace(found[0], note=_joined("", found[0].note, left))]
    learned, seen_all = slots.of(field, SlotSettings()), _judged(case, field, np.sort(queries))
    told = decided(learned, seen_all)
    if told:
        says = "search views, with classes opened and closed by their sign"
        changed = learned.adjusted(**told)
        found.append(_offered(changed, judged, on_field(case, field, "view by sign", says, view_of(case, **told), 2)))
    signs = _joined("Signs of classes are those of a sample.", seen_all.note)
    return [replace(found[0], note=_joined("", found[0].note, signs)), *found[1:]]


def decided(slots: Slots, judged: Judged) -> dict[str, list[str]]:
    """`keep` and `hide` of a view: what the signs change of it, and stands after Holm's correction; empty lists out."""
    signs = {name: each for name, each in agreements(slots, judged).items() if each.n >= ENOUGH}
    sure = _sure({name: _p(each) for name, each in signs.items()})
    keep, hide = changes(slots, choose(slots, judged))
    class_of = {word: each.name for each in slots.classes for word in each.members}
    kept = [one for one in keep if class_of.get(one, one) in sure]
    hidden = [one for one in hide if one in sure]
    return {name: value for name, value in (("keep", kept), ("hide", hidden)) if value}


def _offered(slots: Slots, judged: Judged, *candidates: Candidate, note: str = "") -> Offered:
    told = foretell(slots, judged.documents, judged)
    return Offered(candidates, told.first_after or 0.0, told.sentence if told.verdict == "hurts" else None, note)


def _joined(heading: str, *sentences: str) -> str:
    """The sentences behind their heading; "" where there are none."""
    said = [one for one in sentences if one]
    return " ".join([heading, *said]).strip() if said else ""


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
    """These queries and some decoys of each."""
    return judged_sample(case, field, queries, min(_DECOYS, max(_MOST_DOCUMENTS // max(len(queries), 1), 2)))
