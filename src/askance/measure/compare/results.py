"""What a comparison of systems finds, and its machine form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askance.core.estimate import Estimate
from askance.measure.compare.p_value import PValue
from askance.measure.compare.slices import Confounded

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Change:
    """A query on which two systems differ: its name, both values, and second − first."""

    query: str
    first: float
    second: float
    difference: float

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {"query": self.query, "a": self.first, "b": self.second, "difference": self.difference}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems on a measure, on the same queries. Differences are second − first.

    `wins`: queries on which the second is better, `losses`: on which the first is, `ties`: on which they are equal.
    """

    first: str
    second: str
    measure: str
    difference: Estimate
    wins: int
    losses: int
    ties: int

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "a": self.first,
            "b": self.second,
            "measure": self.measure,
            "difference": self.difference.record(),
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A pair on all queries. `tests`: by name. `minimal`: the least true difference that so many queries find.

    `needed`: queries that find the difference that was wished for; None where none was. `changed`: the queries on which
    the two differ, the largest difference first.
    """

    pair: Pair
    tests: Mapping[str, PValue]
    minimal: Estimate
    needed: Estimate | None
    changed: Sequence[Change]

    def record(self, *, per_query: bool = False) -> dict[str, object]:
        """The machine form; the ten largest changes, or all of them with `per_query`."""
        shown = self.changed if per_query else self.changed[:SHOWN]
        found = self.pair.record()
        found["tests"] = {name: test.record() for name, test in self.tests.items()}
        found["minimal_difference"] = self.minimal.record()
        found |= {} if self.needed is None else {"queries_needed": self.needed.record()}
        return found | {"changed": len(self.changed), "changes": [change.record() for change in shown]}


@dataclass(frozen=True, slots=True)
class InSlice:
    """A pair on the queries that have this value of a slice."""

    slice: str
    value: str
    pair: Pair
    test: PValue

    def record(self) -> dict[str, object]:
        """The machine form."""
        head = {"slice": self.slice, "value": self.value}
        return head | self.pair.record() | {"tests": {self.test.test: self.test.record()}}


@dataclass(frozen=True, slots=True)
class Interaction:
    """Whether two systems differ more here than there: (second − first) in `value` minus (second − first) in `rest`."""

    slice: str
    value: str
    rest: str
    first: str
    second: str
    measure: str
    difference: Estimate
    test: PValue

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "slice": self.slice,
            "value": self.value,
            "rest": self.rest,
            "a": self.first,
            "b": self.second,
            "measure": self.measure,
            "difference": self.difference.record(),
            "tests": {self.test.test: self.test.record()},
        }


@dataclass(frozen=True, slots=True)
class Family:
    """All p-values of one test, corrected together: how many there are, and what was not counted, reason → count."""

    test: str
    tested: int
    left_out: Mapping[str, int]


@dataclass(frozen=True)
class Comparisons:
    """Systems compared. `groups`: how many groups of queries were resampled whole; None where queries were."""

    systems: Sequence[str]
    measures: Sequence[str]
    comparisons: Sequence[Comparison]
    slices: Sequence[InSlice] = ()
    interactions: Sequence[Interaction] = ()
    confounded: Sequence[Confounded] = ()
    families: Sequence[Family] = ()
    groups: int | None = None
    seed: int = 0
    baseline: str | None = None

    def record(self, *, per_query: bool = False) -> dict[str, object]:
        """The machine form of what was compared."""
        return {
            "baseline": self.baseline,
            "groups": self.groups,
            "seed": self.seed,
            "comparisons": [one.record(per_query=per_query) for one in self.comparisons],
            "slices": [one.record() for one in self.slices],
            "interactions": [one.record() for one in self.interactions],
            "confounded": [
                {"slices": [one.first, one.second], "cramers_v": one.v, "n": one.n} for one in self.confounded
            ],
            "families": {one.test: {"tested": one.tested, "left_out": dict(one.left_out)} for one in self.families},
        }
