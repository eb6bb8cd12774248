"""From logs to a collection whose gold is done alike and looks different."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from askance.build.trajectories.chance import chances
from askance.build.trajectories.induced import induced, order_of
from askance.build.trajectories.labels import Ambiguity, Label
from askance.build.trajectories.rules import Rules, Side
from askance.build.trajectories.settings import Asked, Given, TrajectorySettings
from askance.build.trajectories.tiers import roles_of, tiers_of
from askance.core.errors import DataProblem
from askance.core.estimate import Estimate
from askance.data.adapters.agent_logs import METADATA, Log
from askance.data.collection import Collection, Documents, Excluded, Queries
from askance.data.ids import Ids
from askance.views.slots import Slots

_Labeller = Callable[[str, Side, str | None], Label | None]


@dataclass(frozen=True, eq=False)
class Made:
    """A benchmark. `labels`, `texts`: of each trajectory and query, by "document ID" and "query ID".

    `slots`: what tiers vary, in order; `ambiguity`: of goals, and of queries; `chance`: (tier, measure, chance);
    `notes`: what was left out, reason → count.
    """

    collection: Collection
    settings: TrajectorySettings
    slots: tuple[str, ...]
    labels: Mapping[str, Label]
    texts: Mapping[str, str]
    ambiguity: tuple[Ambiguity, ...]
    chance: tuple[tuple[str, str, Estimate], ...]
    notes: Mapping[str, int]


def make(
    given: Given,
    settings: TrajectorySettings,
    rules: Rules | None = None,
    *,
    name: str = "trajectories",
    notes: Mapping[str, int] | None = None,
) -> Made:
    """The benchmark; equal logs, queries, rules and settings give equal ones.

    Without rules, types and slots are induced from the goals. Without queries, goals are asked, and trajectories with
    the very same goal are no candidates. `notes`: what was counted before. DataProblem where no text fits a rule, or no
    tier has gold.
    """
    labeller = _by_rules(rules) if rules is not None else _by_views(given.logs)
    goals = {log.goal: labeller(log.goal, "goals", None) for log in given.logs}
    logs = [(log, label) for log in given.logs if (label := goals[log.goal]) is not None]
    asked = given.queries if given.queries is not None else _drawn([log for log, _ in logs], settings)
    side: Side = "queries" if given.queries is not None else "goals"
    found = [(query, labeller(query.text, side, query.type)) for query in asked]
    queries = [(query, label) for query, label in found if label is not None]
    if not logs or not queries:
        what = "goal of a log" if not logs else "query"
        raise DataProblem(f"no {what} fits a rule", remedy="A pattern has to fit the whole text; see docs/build.md.")
    order = rules.slots if rules is not None else order_of(label for _, label in logs)
    varied = order[: settings.most_slots]
    types = {label.type for _, label in logs}
    counted = {
        **(notes or {}),
        "trajectories left out, their goal fits no rule": len(given.logs) - len(logs),
        "queries left out, they fit no rule": len(found) - len(queries),
        "queries whose type no trajectory has": sum(label.type not in types for _, label in queries),
        "slots that no tier varies": len(order) - len(varied),
    }
    collection, empty = _collection(name, logs, queries, varied, own=given.queries is None)
    counted |= {f"tier {tier} left out, it would have no gold": 1 for tier in empty}
    labels = {f"document {log.id}": label for log, label in logs}
    labels |= {f"query {query.id}": label for query, label in queries}
    texts = {f"document {log.id}": log.goal for log, _ in logs} | {
        f"query {query.id}": query.text for query, _ in queries
    }
    sides = [Ambiguity.of("goals", goals)]
    if given.queries is not None:
        sides.append(Ambiguity.of("queries", {query.text: label for query, label in found}))
    kept = {reason: count for reason, count in counted.items() if count}
    return Made(collection, settings, order, labels, texts, tuple(sides), tuple(chances(collection)), kept)


def _by_rules(rules: Rules) -> _Labeller:
    return lambda text, side, told: rules.label(text, side, told)


def _by_views(logs: Sequence[Log]) -> _Labeller:
    slots = Slots.learn([log.goal for log in logs])
    return lambda text, side, told: induced(slots, text)


def _drawn(logs: Sequence[Log], settings: TrajectorySettings) -> list[Asked]:
    """Distinct goals, in the order of the logs."""
    goals = list(dict.fromkeys(log.goal for log in logs))
    if settings.queries is not None and settings.queries < len(goals):
        kept = set(random.Random(f"queries:{settings.seed}").sample(range(len(goals)), settings.queries))
        goals = [goal for at, goal in enumerate(goals) if at in kept]
    return [Asked(f"q{at}", goal) for at, goal in enumerate(goals, start=1)]


def _collection(
    name: str,
    logs: Sequence[tuple[Log, Label]],
    asked: Sequence[tuple[Asked, Label]],
    slots: Sequence[str],
    *,
    own: bool,
) -> tuple[Collection, list[str]]:
    documents = Documents(
        Ids(log.id for log, _ in logs),
        {
            "text": tuple(log.text for log, _ in logs),
            "description": tuple(log.goal for log, _ in logs),
            "actions": tuple("\n".join(step.action for step in log.steps) for log, _ in logs),
            **{
                f"{METADATA}{key}": tuple(log.metadata.get(key, "") for log, _ in logs)
                for key in sorted({key for log, _ in logs for key in log.metadata})
            },
        },
        turns=tuple(log.turns for log, _ in logs),
    )
    queries = Queries(
        Ids(query.id for query, _ in asked),
        {"text": tuple(query.text for query, _ in asked)},
        slices={"type": tuple(label.type for _, label in asked)},
    )
    wanted, made = [label for _, label in asked], [label for _, label in logs]
    at: dict[str, list[int]] = {}
    for place, (log, _) in enumerate(logs):
        at.setdefault(log.goal, []).append(place)
    never = [at.get(query.text, []) if own else [] for query, _ in asked]
    tiers, empty = tiers_of(slots, queries.ids, documents.ids, wanted, made, never)
    if not tiers:
        own_said = "; a query's own goal does not count" if own else ""
        raise DataProblem(
            f"no trajectory is of the type of any query: {len(asked):,} queries of "
            f"{len({label.type for label in wanted}):,} types, {len(logs):,} trajectories of "
            f"{len({label.type for label in made}):,}{own_said}",
            remedy="Give more logs, with several goals of each kind, or rules that say the types (--rules).",
        )
    roles, decoys = roles_of(slots[0] if slots else None, queries.ids, documents.ids, wanted, made)
    barred = {query.id: [documents.ids[place] for place in row] for (query, _), row in zip(asked, never, strict=True)}
    excluded = Excluded.of(queries.ids, documents.ids, barred) if own else None
    return (
        Collection(
            name, documents, queries, tiers, roles, excluded, decoys, list(tiers)[min(1, len(tiers) - 1)], "description"
        ),
        empty,
    )
