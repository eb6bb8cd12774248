"""The bill: per class of words, what becomes of a query's hits when its words of that class change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from askance.core.estimate import Estimate
from askance.data.run import Run
from askance.diagnose.probe.answers import Claim, claim_of
from askance.diagnose.probe.edits import Edits
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.judged import Values

Reading = Literal["follows", "in part", "holds still", "cannot be told"]
NOTHING, ANOTHER = "nothing", "another query"
"""The two controls: the same text asked again, and the text of another query."""

_FOLLOWS, _HOLDS = 0.5, 0.25
_APART = 0.1
NO_HITS = "edits whose text found nothing before"
UNLISTED = "edits in whose list the former first is not"


@dataclass(frozen=True)
class BillEntry:
    """A class, and what its edits do. Estimates are means over `vanished.n` sources, each the mean of its edits.

    `vanished`: share of the first k hits that are no more among the first k (document edits: how often the document
    falls out of the first k); `overlap`: share of the first k that both lists have; `first_kept`: how often the former
    first document is first; `rank`: its rank, one below the list's end where it is not listed; `score`: what its
    score gained, in the system's own unit, where listed; `changed`: share of words that the edits changed, a plain
    mean. `answer`: how often gold stays gold when such words change, None where judgments were not asked. `dropped`:
    sources without an edit, reason → count.
    """

    name: str
    label: str
    edit: str
    vanished: Estimate
    overlap: Estimate
    first_kept: Estimate
    rank: Estimate
    score: Estimate
    edits: int
    changed: float | None
    dropped: Mapping[str, int] = field(default_factory=dict)
    answer: Estimate | None = None
    reading: Reading = "cannot be told"

    @property
    def claim(self) -> Claim:
        return claim_of(self.answer)

    def record(self, system: str) -> dict[str, object]:
        """One line of the machine form; `estimate` is `vanished`."""
        return {
            "system": system,
            "class": self.name,
            "label": self.label,
            "edit": self.edit,
            "estimate": self.vanished.record(),
            "overlap": self.overlap.record(),
            "first_kept": self.first_kept.record(),
            "rank": self.rank.record(),
            "score_change": self.score.record(),
            "edits": self.edits,
            "words_changed": self.changed,
            "dropped": dict(self.dropped),
            "answer_stays": None if self.answer is None else self.answer.record(),
            "claim": self.claim,
            "reading": self.reading,
        }


@dataclass(frozen=True)
class Outcome:
    """What one edit did: see BillEntry."""

    source: int
    vanished: float
    overlap: float
    first_kept: float
    rank: float
    score: float | None


def query_outcomes(edits: Edits, run: Run, start: int, k: int) -> tuple[list[Outcome], Counter[str]]:
    """What the edits of queries did. `run`: lists of the sources, by position; from row `start` on, of the edits."""
    found = []
    left: Counter[str] = Counter()
    for at, edit in enumerate(edits.made):
        old, old_scores = run.of_query(edit.source)
        if not len(old):
            left[NO_HITS] += 1
            continue
        new, new_scores = run.of_query(start + at)
        first, now = set(old[:k].tolist()), set(new[:k].tolist())
        there = np.flatnonzero(new == old[0])
        rank = int(there[0]) + 1 if len(there) else len(new) + 1
        found.append(
            Outcome(
                edit.source,
                len(first - now) / len(first),
                len(first & now) / max(len(first), len(now)),
                float(rank == 1 and len(there) > 0),
                rank,
                float(new_scores[there[0]] - old_scores[0]) if len(there) else None,
            )
        )
    return found, left


def entry(
    name: str,
    label: str,
    edit: str,
    edits: Edits,
    outcomes: Sequence[Outcome],
    left: Mapping[str, int],
    depth: int,
    answer: Estimate | None = None,
) -> BillEntry:
    """The line of a class. `depth`: length of the lists."""
    unlisted = sum(one.score is None for one in outcomes)
    scores = [(one.source, one.score) for one in outcomes if one.score is not None]
    return BillEntry(
        name,
        label,
        edit,
        vanished=_mean([(one.source, one.vanished) for one in outcomes], left),
        overlap=_mean([(one.source, one.overlap) for one in outcomes], left),
        first_kept=_mean([(one.source, one.first_kept) for one in outcomes], left),
        rank=_mean([(one.source, one.rank) for one in outcomes], left, (1.0, depth + 1.0)),
        score=_mean(scores, {**left, **({UNLISTED: unlisted} if unlisted else {})}, None),
        edits=len(edits.made),
        changed=float(np.mean([one.changed for one in edits.made])) if edits.made else None,
        dropped=dict(edits.dropped),
        answer=answer,
    )


def reading_of(line: BillEntry, nothing: Estimate, another: Estimate) -> Reading:
    """How far the hits follow the class, between the two controls.

    The interval of `vanished` is put on a scale from 0 (as if nothing had changed) to 1 (as if another query were
    asked): wholly above ½ it follows, wholly below ¼ it holds still. Where the controls are less than 0.1 apart, or
    fewer than eight sources were edited, nothing can be told: such a system hardly looks at the query, or never
    answers alike. Nor where the interval reaches from nothing to a quarter and more.
    """
    low, high, floor, ceiling = line.vanished.low, line.vanished.high, nothing.value, another.value
    if low is None or high is None or floor is None or ceiling is None:
        return "cannot be told"
    if ceiling - floor < _APART or line.vanished.n < 8:
        return "cannot be told"
    if (low - floor) / (ceiling - floor) > _FOLLOWS:
        return "follows"
    if (high - floor) / (ceiling - floor) < _HOLDS:
        return "holds still"
    return "in part" if low > floor else "cannot be told"


def _mean(
    pairs: Sequence[tuple[int, float]], left: Mapping[str, int], bounds: tuple[float, float] | None = (0.0, 1.0)
) -> Estimate:
    """The mean over sources of the mean of their edits."""
    held: defaultdict[int, list[float]] = defaultdict(list)
    for source, value in pairs:
        held[source].append(value)
    values: Values = np.array([sum(each) / len(each) for each in held.values()], dtype=np.float64)
    if not len(values):
        return Estimate.undefined("no edit could be made" if not left else "no edit counts", left_out=dict(left))
    if bounds is None:
        bounds = (float(values.min()), float(values.max()))
    return bootstrap_mean(values, dict(left), bounds)
