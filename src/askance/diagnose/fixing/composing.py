"""Candidates made of others: with a reranker behind it, fused with the system as it is, with another setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.irl.nodes import FuseKind
from askance.study.file import RerankerEntry, SystemEntry

FIRST = (10, 50)  # how much of a list is re-sorted


def as_it_is(case: FixCase) -> Candidate:
    """The system unchanged."""
    return Candidate("as it is", "no change", 0, case.entry.embed.document, (*case.before, case.system))


def entry(name: str, retriever: str, model: str | None, settings: Mapping[str, Any]) -> SystemEntry:
    """A system of a study file."""
    return SystemEntry.model_validate({"name": name, "retriever": retriever, "model": model, **settings})


def reranked(candidate: Candidate, reranker: RerankerEntry, says: str) -> Candidate:
    """The same with the first of each list re-sorted: one entry more, and what of it is not the default."""
    size = 1 + (reranker.first != FIRST[0]) + str(reranker.settings.get("tokens")).count("+")
    return Candidate(
        _joined(candidate, f"{reranker.name}, first {reranker.first}"),
        _said(candidate, says),
        candidate.size + size,
        candidate.document,
        candidate.systems,
        reranker,
    )


def fused(
    case: FixCase, other: Candidate, kind: FuseKind = "rrf", weights: Sequence[float] = (), depth: int | None = None
) -> Candidate:
    """The system as it is, over the field that `other` reads, fused with `other`; a setting more for all but rrf.

    `weights`: of the system and of the other; `depth`: how much of each list counts.
    """
    last, told = other.systems[-1], [("kind", kind), ("weights", list(weights)), ("depth", depth)]
    if last.name == case.system.name:
        last = last.model_copy(update={"name": f"{last.name}-changed"})
    settings: dict[str, Any] = {"of": [case.system.name, last.name], **{name: value for name, value in told if value}}
    now = (*case.before, case.system)
    between = tuple(one for one in other.systems[:-1] if one not in now)
    how = [
        {"rrf": "by ranks (rrf)", "sum": "by sums of scores", "minmax": "by scaled scores (minmax)"}[kind],
        *([f"weights {weights[0]:g} and {weights[1]:g}"] if weights else []),
        *([f"the first {depth} of each"] if depth else []),
    ]
    name = f"fused with {other.name}" + "".join(f", {one}" for one in how[1:]) + (f", {kind}" if kind != "rrf" else "")
    return Candidate(
        name,
        f"fuse {', '.join(how)} with another system: {other.says}",
        other.size + len(how) + (kind != "rrf"),
        other.document,
        (*now, *between, last, entry(f"{case.system.name}-fused", "fused", None, settings)),
    )


def reaching(reranker: RerankerEntry, first: int) -> RerankerEntry:
    """The same reranker over the first `first`."""
    return reranker.model_copy(update={"first": first})


def _joined(candidate: Candidate, more: str) -> str:
    return more if not candidate.size else f"{candidate.name}, then {more}"


def _said(candidate: Candidate, more: str) -> str:
    return more if not candidate.size else f"{candidate.says}, then {more}"
