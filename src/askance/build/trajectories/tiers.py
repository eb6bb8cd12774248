"""Gold and roles by what the labels of query and trajectory share.

Tiers escalate by slot: the same type whatever fills its slots; the same type and another first slot; and another second
slot as well; and so on. A slot that one of the two does not have counts as another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from askance.build.trajectories.labels import Label
from askance.data.collection import Decoys, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import frozen, offsets_of

SAME_TYPE = "same-type"


def tiers_of(
    slots: Sequence[str],
    queries: Ids,
    documents: Ids,
    asked: Sequence[Label],
    made: Sequence[Label],
    never: Sequence[Sequence[int]],
) -> tuple[dict[str, Tier], list[str]]:
    """The tiers from easy to hard, and the names of those that would have no gold at all.

    `never`: for each query the documents that are no candidates, which no tier judges.
    """
    tiers, empty = {}, []
    for varied in range(len(slots) + 1):
        hidden = slots[:varied]
        name = "-".join(("other", *hidden)) if hidden else SAME_TYPE
        label = f"other {' and '.join(hidden)}" if hidden else "same type, whatever fills it"
        rule = "same type" + "".join(f", another {slot} or none" for slot in hidden)
        judgments = _judgments(hidden, queries, documents, asked, made, never)
        if len(judgments):
            tiers[name] = Tier(name, label, judgments, rule)
        else:
            empty.append(name)
    return tiers, empty


def roles_of(
    slot: str | None, queries: Ids, documents: Ids, asked: Sequence[Label], made: Sequence[Label]
) -> tuple[Roles, tuple[Decoys, ...]]:
    """Sibling, other, near miss by type and first slot; every pair that shares neither has the default."""
    if slot is None:  # nothing varies, so nothing is near
        alone = (Role("sibling", "same task"),)
        pairs = _pairs(queries, documents, asked, made, lambda one, two: "sibling" if one.type == two.type else "")
        return Roles.of(queries, documents, alone, pairs, Role("other", "other task")), (
            Decoys("other-task", "other task", ("other",)),
        )
    disguised = f"other-{slot}"
    roles = (
        Role("sibling", f"same task, same {slot}"),
        Role(disguised, f"same task, other {slot}"),
        Role("near-miss", f"other task, same {slot}"),
    )
    default = Role("other", f"other task, other {slot}")

    def role(one: Label, two: Label) -> str:
        if one.type == two.type:
            return "sibling" if one.shares(two, slot) else disguised
        return "near-miss" if one.shares(two, slot) else ""

    pairs = _pairs(queries, documents, asked, made, role)
    decoys = (
        Decoys("other-task", "other task", ("near-miss", "other")),
        Decoys(f"other-task-same-{slot}", f"other task, same {slot}", ("near-miss",)),
    )
    return Roles.of(queries, documents, roles, pairs, default), decoys


def _pairs(
    queries: Ids, documents: Ids, asked: Sequence[Label], made: Sequence[Label], name_of: Callable[[Label, Label], str]
) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for query, one in zip(queries, asked, strict=True):
        named = {document: name_of(one, two) for document, two in zip(documents, made, strict=True)}
        found[query] = {document: name for document, name in named.items() if name}
    return found


def _judgments(
    hidden: Sequence[str],
    queries: Ids,
    documents: Ids,
    asked: Sequence[Label],
    made: Sequence[Label],
    never: Sequence[Sequence[int]],
) -> Judgments:
    by_type: dict[str, list[int]] = {}
    for at, label in enumerate(made):
        by_type.setdefault(label.type, []).append(at)
    rows = []
    for one, barred in zip(asked, never, strict=True):
        alike = set(by_type.get(one.type, ())).difference(barred)
        rows.append([at for at in sorted(alike) if not any(one.shares(made[at], slot) for slot in hidden)])
    flat = np.array([at for row in rows for at in row], dtype=np.int32)
    return Judgments(
        queries, documents, frozen(offsets_of([len(row) for row in rows])), frozen(flat), frozen(np.ones(len(flat)))
    )
