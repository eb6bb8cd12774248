"""What a view will lose, said before any run: documents made equal, gold no longer told from decoys, friends hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from askance.data.rows import Positions
from askance.views.agreement import Agreement, agreements
from askance.views.judged import Judged
from askance.views.slots import Slots
from askance.views.words import segments, terms

Verdict = Literal["hurts", "helps", "no harm seen", "unknown"]

_MANY = 0.1
_CLEARLY = 0.05


@dataclass(frozen=True)
class Foretold:
    """Figures of one view over one collection. What needs judgments is None without them.

    `documents`: how many; `distinct`, `distinct_views`: different texts among them, as they are and as views (letters
    and marks at the ends aside). `pairs_equal`: share of (gold, decoy) pairs whose views are equal though the texts are
    not, mean over queries; `queries_lost`: share of queries whose view a decoy's becomes equal to, and no gold's.
    `first_before`, `first_after`: share of queries for which, of gold and decoys, a gold document shares most words
    with the query (Jaccard; equal ones by expectation), in the texts and in the views. `hidden_friends`: open classes
    that tell gold from decoys.

    `verdict`: "helps" where gold is first more often by more than a twentieth; "hurts" where it is less often so by as
    much, or a tenth of the queries or pairs is lost for no such gain; else "no harm seen"; "unknown" without judgments.
    """

    documents: int
    distinct: int
    distinct_views: int
    pairs_equal: float | None
    queries_lost: float | None
    first_before: float | None
    first_after: float | None
    hidden_friends: tuple[Agreement, ...]
    verdict: Verdict
    sentence: str


def foretell(slots: Slots, documents: Sequence[str], judged: Judged | None = None) -> Foretold:
    """What the view loses on these documents, and on judged queries where there are some. No retrieval is run."""
    plain = slots.with_open(dict.fromkeys((each.name for each in slots.classes), (False, "")))
    distinct = len(set(plain.views(dict.fromkeys(documents))))
    distinct_views = len(set(slots.views(dict.fromkeys(documents))))
    said = (slots.caution, judged.note if judged is not None else "")
    caution = "".join(f"{one} " for one in said if one)
    made_equal = f"{caution}The view leaves {distinct_views:,} of {distinct:,} distinct documents"
    if judged is None:
        sentence = f"{made_equal}; whether that hurts, only judged queries can tell."
        return Foretold(len(documents), distinct, distinct_views, None, None, None, None, (), "unknown", sentence)
    before, after = _Viewed(plain, judged), _Viewed(slots, judged)
    pairs, lost = _lost(before, after, judged)
    first = before.first(judged), after.first(judged)
    hidden = {each.name for each in slots.open}
    friends = [each for name, each in agreements(slots, judged).items() if name in hidden and each.reading == "friend"]
    friends.sort(key=lambda each: -each.value)
    return Foretold(
        len(documents),
        distinct,
        distinct_views,
        pairs,
        lost,
        *first,
        tuple(friends),
        _verdict(pairs, lost, *first),
        f"{made_equal}. {_told(pairs, lost, *first, friends)}",
    )


def _verdict(pairs: float, lost: float, before: float, after: float) -> Verdict:
    if after > before + _CLEARLY:
        return "helps"
    return "hurts" if pairs >= _MANY or lost >= _MANY or after < before - _CLEARLY else "no harm seen"


def _told(pairs: float, lost: float, before: float, after: float, friends: Sequence[Agreement]) -> str:
    said = [
        f"For {lost:.1%} of the queries a decoy becomes equal to the query and no gold does; {pairs:.1%} of the pairs "
        f"of gold and decoy become equal. A gold document shares most words with {before:.1%} of the queries before, "
        f"with {after:.1%} after."
    ]
    if friends:
        named = ", ".join(f"{each.name} {each.value:.3f} [{each.low:.3f}, {each.high:.3f}]" for each in friends)
        said.append(f"It hides classes in which gold agrees more with its query: {named}; keep them, or some words.")
    return " ".join(said)


def _lost(before: _Viewed, after: _Viewed, judged: Judged) -> tuple[float, float]:
    """Share of pairs made equal, mean over queries; share of queries that a decoy alone is made equal to."""
    pairs, lost = [], []
    for query, (gold, decoys) in enumerate(zip(judged.gold, judged.decoys, strict=True)):
        if not len(gold) or not len(decoys):
            continue
        same = [each.documents[gold][:, None] == each.documents[decoys] for each in (before, after)]
        pairs.append(float((same[1] & ~same[0]).mean()))
        new = (after.documents[decoys] == after.queries[query]) & (before.documents[decoys] != before.queries[query])
        lost.append(bool(new.any() and not (after.documents[gold] == after.queries[query]).any()))
    return _mean(pairs), _mean(lost)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


class _Viewed:
    """The views of queries and documents: equal numbers for equal views, and the words of each number."""

    def __init__(self, slots: Slots, judged: Judged) -> None:
        coded: dict[str, int] = {}
        of_text = {
            text: coded.setdefault(slots.view(text).text, len(coded))
            for text in dict.fromkeys((*judged.documents, *judged.queries))
        }
        self.documents = np.array([of_text[text] for text in judged.documents], dtype=np.int64)
        self.queries = [of_text[text] for text in judged.queries]
        self._words = [frozenset(term for segment in segments(view) for term in terms(segment)) for view in coded]

    def first(self, judged: Judged) -> float:
        """How often gold shares most words with the query, mean over queries; equal ones by expectation; 0 of none."""
        shares = []
        for at, (gold, decoys) in enumerate(zip(judged.gold, judged.decoys, strict=True)):
            if not len(gold) or not len(decoys):
                continue
            of_gold, of_decoys = self._overlaps(at, gold), self._overlaps(at, decoys)
            most = max(of_gold.max(), of_decoys.max())
            golds, others = int((of_gold == most).sum()), int((of_decoys == most).sum())
            shares.append(golds / (golds + others))
        return _mean(shares)

    def _overlaps(self, query: int, documents: Positions) -> NDArray[np.float64]:
        asked = self._words[self.queries[query]]
        held = [self._words[code] for code in self.documents[documents].tolist()]
        return np.array([len(asked & each) / max(len(asked | each), 1) for each in held])
