"""Which failures to show, one by one: as positions, so that whoever shows them brings the texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from askance.data.collection import Excluded, Roles, Tier
from askance.data.run import Run
from askance.measure.closeness import Compared
from askance.measure.judged import Mask, gold_of
from askance.measure.misses import Misses, misses


@dataclass(frozen=True, slots=True)
class Standing:
    """A document (position) of a failure. `rank` from 1 and `score`: None where the list does not have it.

    `likeness`: how close it reads to the query. `role`: its name; None for gold.
    """

    document: int
    rank: int | None
    score: float | None
    likeness: float
    role: str | None


@dataclass(frozen=True, slots=True)
class Failure:
    """A query (position) whose rank 1 is not gold. `gold`: its first listed gold document, else its closest one."""

    query: int
    winner: Standing
    gold: Standing


def failures(
    run: Run,
    tier: Tier,
    roles: Roles | None,
    compared: Compared,
    most: int = 10,
    *,
    spread: bool = True,
    excluded: Excluded | None = None,
    mask: Mask | None = None,
) -> tuple[Failure, ...]:
    """At most `most` failures: the first of every role in turn, then the second … (`spread`), else the first ones."""
    missed = misses(run, tier, roles, excluded=excluded, mask=mask)
    chosen = _in_turn(missed, roles) if spread else range(len(missed))
    return tuple(_failure(missed, at, run, tier, compared, excluded) for at in list(chosen)[:most])


def _in_turn(missed: Misses, roles: Roles | None) -> list[int]:
    """The misses in the order in which roles take turns, within a role by query."""
    order = [] if roles is None else [role.name for role in roles.every]
    seen: Counter[str] = Counter()
    turns = []
    for at, role in enumerate(missed.roles):
        turns.append((seen[role.name], order.index(role.name) if order else 0, at))
        seen[role.name] += 1
    return [at for _, _, at in sorted(turns)]


def _failure(missed: Misses, at: int, run: Run, tier: Tier, compared: Compared, excluded: Excluded | None) -> Failure:
    query, winner = int(missed.query[at]), int(missed.winner[at])
    documents, scores = run.of_query(query)
    gold = gold_of(tier.judgments, query, tier.threshold, excluded)
    closeness = compared.scores(query, np.append(winner, gold))
    listed = np.flatnonzero(np.isin(documents, gold))
    first = Standing(winner, 1, float(scores[0]), float(closeness[0]), missed.roles[at].name)
    if len(listed):
        place = int(listed[0])
        document = int(documents[place])
        likeness = float(closeness[1:][gold == document][0])
        return Failure(query, first, Standing(document, place + 1, float(scores[place]), likeness, None))
    closest = int(closeness[1:].argmax())
    return Failure(query, first, Standing(int(gold[closest]), None, None, float(closeness[1 + closest]), None))
