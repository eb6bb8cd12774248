"""What a view will lose, said before any run: documents made equal, gold no longer told from decoys, friends hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from askance.views.agreement import Agreement, agreements
from askance.views.judged import Judged
from askance.views.slots import Slots

Verdict = Literal["hurts", "no harm seen", "unknown"]

_MANY = 0.1


@dataclass(frozen=True)
class Foretold:
    """Figures of one view over one collection.

    `documents`: how many; `distinct`, `distinct_views`: different texts among them, as they are and as views (letters
    and marks at the ends aside). `pairs_equal`: share of (gold, decoy) pairs whose views are equal though the texts are
    not, mean over queries; `decoys_equal`: share of queries to whose view a decoy's is equal and no gold's is: these
    are lost. Both None without judgments. `hidden_friends`: open classes in which gold agrees more with its query than
    a decoy does. `verdict`: "hurts" where a friend is hidden or a tenth of the queries or pairs is lost; "unknown"
    without judgments.
    """

    documents: int
    distinct: int
    distinct_views: int
    pairs_equal: float | None
    decoys_equal: float | None
    hidden_friends: tuple[Agreement, ...]
    verdict: Verdict
    sentence: str


def foretell(slots: Slots, documents: Sequence[str], judged: Judged | None = None) -> Foretold:
    """What the view loses on these documents, and on judged queries where there are some. No retrieval is run."""
    plain = slots.with_open(dict.fromkeys((each.name for each in slots.classes), (False, "")))
    distinct = len(set(plain.views(dict.fromkeys(documents))))
    distinct_views = len(set(slots.views(dict.fromkeys(documents))))
    made_equal = f"The view leaves {distinct_views:,} of {distinct:,} distinct documents"
    if judged is None:
        sentence = f"{made_equal}; whether that hurts, only judged queries can tell."
        return Foretold(len(documents), distinct, distinct_views, None, None, (), "unknown", sentence)
    pairs, lost = _lost(slots, plain, judged)
    hidden = {each.name for each in slots.open}
    friends = [each for name, each in agreements(slots, judged).items() if name in hidden and each.reading == "friend"]
    friends.sort(key=lambda each: -each.value)
    hurts = bool(friends) or pairs >= _MANY or lost >= _MANY
    return Foretold(
        len(documents),
        distinct,
        distinct_views,
        pairs,
        lost,
        tuple(friends),
        "hurts" if hurts else "no harm seen",
        f"{made_equal}. {_told(pairs, lost, friends)}",
    )


def _told(pairs: float, lost: float, friends: Sequence[Agreement]) -> str:
    said = [
        f"For {lost:.1%} of the queries a decoy reads like the query and no gold does, and {pairs:.1%} of the pairs of "
        "gold and decoy become equal."
    ]
    if friends:
        named = ", ".join(f"{each.name} {each.value:.3f} [{each.low:.3f}, {each.high:.3f}]" for each in friends)
        said.append(f"It hides what tells gold from decoys: {named}; keep these classes.")
    return " ".join(said)


def _lost(slots: Slots, plain: Slots, judged: Judged) -> tuple[float, float]:
    """Share of pairs made equal, mean over queries; share of queries that a decoy alone is made equal to."""
    codes = [_Codes(each, judged) for each in (plain, slots)]
    pairs, lost = [], []
    for query, (gold, decoys) in enumerate(zip(judged.gold, judged.decoys, strict=True)):
        if not len(gold) or not len(decoys):
            continue
        same = [each.documents[gold][:, None] == each.documents[decoys] for each in codes]
        pairs.append(float((same[1] & ~same[0]).mean()))
        of_gold, of_decoys = ([each.documents[at] == each.queries[query] for each in codes] for at in (gold, decoys))
        lost.append(bool((of_decoys[1] & ~of_decoys[0]).any() and not of_gold[1].any()))
    if not pairs:
        return 0.0, 0.0
    return float(np.mean(pairs)), float(np.mean(lost))


class _Codes:
    """Equal numbers for equal views, queries and documents alike."""

    def __init__(self, slots: Slots, judged: Judged) -> None:
        coded: dict[str, int] = {}
        of_text = {
            text: coded.setdefault(slots.view(text).text, len(coded))
            for text in dict.fromkeys((*judged.documents, *judged.queries))
        }
        self.documents = np.array([of_text[text] for text in judged.documents], dtype=np.int64)
        self.queries = [of_text[text] for text in judged.queries]
