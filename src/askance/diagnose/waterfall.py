"""The waterfall: every query won, or lost for one cause; the counts add up to all queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from askance.core.estimate import Estimate
from askance.diagnose.case import Case, System
from askance.diagnose.causes import (
    CAUSES,
    EXCLUDED,
    NO_JUDGMENT,
    NOT_IN_CORPUS,
    NOT_RETRIEVED,
    OUTRANKED,
    RERANKING,
    TIE,
    WON,
)
from askance.measure.intervals import proportion
from askance.measure.judged import Counts, gold_of


@dataclass(frozen=True, slots=True)
class Lost:
    """A gold document of a query (positions) that is not at rank 1. `rank`: its own, from 1; `winner`: rank 1."""

    query: int
    gold: int
    rank: int | None
    winner: int | None


class Reason(Protocol):
    """Looks for one cause."""

    cause: str

    def why(self, lost: Lost) -> str | None:
        """Why this gold document was lost for this cause, in a clause; None where it was not."""
        ...


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a query (position). `why`: a clause, where there is more to say than the cause.

    `gold`: the document that came furthest, None where none came anywhere. `role`: of the winner, where it outranks.
    """

    query: int
    cause: str
    why: str = ""
    gold: int | None = None
    rank: int | None = None
    winner: int | None = None
    role: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the waterfall. `cause`: "outranked by ROLE" where another document stands before gold."""

    cause: str
    label: str
    queries: int
    share: Estimate


@dataclass(frozen=True)
class Waterfall:
    """All queries of a system. `steps`: in the order of causes, those without queries left out."""

    system: str
    label: str
    n: int
    steps: Sequence[Step]
    fates: Sequence[Fate] = field(repr=False)

    def of(self, cause: str) -> list[Fate]:
        """The queries with this cause."""
        return [fate for fate in self.fates if fate.cause == cause]

    @property
    def won(self) -> int:
        return len(self.of(WON))


def waterfall(case: Case, system: System, before: Sequence[Reason], after: Sequence[Reason]) -> Waterfall:
    """`before`: reasons for which gold may be anywhere or nowhere; `after`: only what stands before it is left."""
    fates = [_fate(case, system, query, before, after) for query in case.queries]
    return Waterfall(system.name, system.label, len(fates), _steps(case, fates), fates)


def _fate(case: Case, system: System, query: int, before: Sequence[Reason], after: Sequence[Reason]) -> Fate:
    tier, excluded = case.tier, case.collection.excluded
    listed, scores = system.run.of_query(query)
    winner = int(listed[0]) if len(listed) else None
    gold = gold_of(tier.judgments, query, tier.threshold)
    if not len(gold):
        return Fate(query, NO_JUDGMENT, winner=winner)
    allowed = gold_of(tier.judgments, query, tier.threshold, excluded)
    if winner is not None and winner in allowed:
        return Fate(query, WON, gold=winner, rank=1, winner=winner)
    if not len(allowed):
        return Fate(query, EXCLUDED, gold=int(gold[0]), winner=winner)
    there = allowed if case.absent is None else allowed[~case.absent[allowed]]
    if not len(there):
        return Fate(query, NOT_IN_CORPUS, gold=int(allowed[0]), winner=winner)
    ranks = np.flatnonzero(np.isin(listed, there))
    first = int(ranks[0]) if len(ranks) else None
    furthest = there if first is None else listed[first : first + 1].astype(np.int64)
    rank = None if first is None else first + 1
    lost = [Lost(query, int(document), rank, winner) for document in furthest]

    def told(cause: str, why: str = "", role: str = "") -> Fate:
        return Fate(query, cause, why, lost[0].gold, rank, winner, role)

    if system.before is not None and _stood_first(system, query, there):
        return told(RERANKING)
    found = _first(before, lost)
    if found:
        return told(*found)
    if first is None or winner is None:
        return told(NOT_RETRIEVED)
    if scores[first] == scores[0]:
        return told(TIE)
    found = _first(after, lost)
    return told(*found) if found else told(OUTRANKED, role=case.role(query, winner).name)


def _first(reasons: Sequence[Reason], lost: Sequence[Lost]) -> tuple[str, str] | None:
    """The first reason that holds for all of these documents, and why it does for the first of them."""
    for reason in reasons:
        said = [reason.why(each) for each in lost]
        if all(why is not None for why in said):
            return reason.cause, said[0] or ""
    return None


def _stood_first(system: System, query: int, gold: Counts) -> bool:
    listed, _ = system.before.of_query(query) if system.before is not None else (gold[:0], None)
    return len(listed) > 0 and int(listed[0]) in gold


def _steps(case: Case, fates: Sequence[Fate]) -> list[Step]:
    counts = Counter((fate.cause, fate.role) for fate in fates)
    steps = []
    for cause, meaning in CAUSES.items():
        if cause != OUTRANKED:
            steps.append((cause, meaning, counts[cause, ""]))
            continue
        steps += [(f"{cause} by {role.name}", role.label, counts[cause, role.name]) for role in case.roles]
    return [Step(cause, label, n, proportion(n, len(fates))) for cause, label, n in steps if n]
