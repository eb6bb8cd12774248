"""What goes wrong on a cluster.

ClusterProblem
├── Unreachable     no host answered, or not in time
├── Untrusted       the host's certificate cannot be verified
├── Refused         the cluster does not know us, or does not let us
├── Busy            it stayed busy however often it was asked
├── NoSuchIndex     there is no such index, or it was taken away
├── Rejected        it will not do what was asked; says its reason
├── BadAnswer       what came back is no answer
├── Partial         a part of the cluster did not answer, so that the answer would be incomplete
└── LoadFailed      documents were not taken; names them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from askance.core.errors import AskanceError

if TYPE_CHECKING:
    from askance.engines.opensearch.address import Address

_NAMED = 5
_LONGEST = 300


class ClusterProblem(AskanceError):
    """A cluster does not do what was asked of it."""


class Unreachable(ClusterProblem):
    """No host answered, or not in time."""


class Untrusted(ClusterProblem):
    """The certificate of a host cannot be verified."""


class Refused(ClusterProblem):
    """The cluster does not know us, or does not let us."""


class Busy(ClusterProblem):
    """The cluster stayed busy however often it was asked. `undone`: it is certain that nothing was done."""

    def __init__(self, message: str, *, remedy: str | None = None, undone: bool = True) -> None:
        self.undone = undone
        super().__init__(message, remedy=remedy)


class NoSuchIndex(ClusterProblem):
    """There is no such index, or it was taken away."""

    @classmethod
    def of(cls, address: Address) -> NoSuchIndex:
        """For an index that is asked for by name."""
        return cls(
            f"{address.shown}: there is no such index",
            remedy=f"Build it: askance index DOCS --into {address.shown}",
        )


class Rejected(ClusterProblem):
    """The cluster will not do what was asked. `status`: of HTTP; `kind`: what the server calls it."""

    def __init__(self, message: str, *, status: int, kind: str = "", remedy: str | None = None) -> None:
        self.status, self.kind = status, kind
        super().__init__(message, remedy=remedy)


class BadAnswer(ClusterProblem):
    """What came back is no answer."""


class Partial(ClusterProblem):
    """A part of the cluster did not answer."""


@dataclass(frozen=True)
class FailedItem:
    """A document that was not taken, the status the server gave it, and why."""

    id: str
    status: int
    reason: str


class LoadFailed(ClusterProblem):
    """Documents were not taken. `failed`: those that are known."""

    failed: Sequence[FailedItem] = ()

    @classmethod
    def of(cls, index: str, sent: int, failed: Sequence[FailedItem]) -> LoadFailed:
        """For a load of so many documents with failures: how many, the first of them, and why."""
        some = "; ".join(f"{one.id!r} ({one.status}: {one.reason})" for one in failed[:_NAMED])
        more = f"; and {len(failed) - _NAMED:,} more" if len(failed) > _NAMED else ""
        problem = cls(
            f"{index}: {len(failed):,} of {sent:,} documents were not taken: {some}{more}",
            remedy="What answered before still does. Mend the documents or the cluster, and load again.",
        )
        problem.failed = failed
        return problem


def reason_of(error: Any) -> tuple[str, str]:
    """What the server calls an error, and its reason, from the `error` of an answer; the innermost cause is said."""
    if not isinstance(error, Mapping):
        return "", _short(error)
    kind, reason = str(error.get("type", "")), str(error.get("reason", ""))
    causes = error.get("root_cause") or [failed.get("reason", {}) for failed in error.get("failed_shards", ())]
    deepest: Any = error
    while isinstance(deepest.get("caused_by"), Mapping):
        deepest = deepest["caused_by"]
    if deepest is error and causes and isinstance(causes[0], Mapping):
        deepest = causes[0]
        while isinstance(deepest.get("caused_by"), Mapping):
            deepest = deepest["caused_by"]
    inner = str(deepest.get("reason", ""))
    if inner and inner != reason:
        reason = f"{reason}: {inner}" if reason else inner
    return kind or str(deepest.get("type", "")), _short(reason)


def _short(text: Any) -> str:
    told = " ".join(str(text).split())
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
