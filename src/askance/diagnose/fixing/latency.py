"""What a change costs in time."""

from __future__ import annotations

from dataclasses import dataclass

from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.running import Runner

METHOD = (
    "one timing; preparation: all but the vectors, and the first query; per query: what each further query adds; "
    "vectors of documents, queries and views are kept, embedding is not in it"
)
_SHORTEST = 1e-6  # seconds: below that a clock tells nothing


@dataclass(frozen=True)
class Latency:
    """Seconds before and after the change; see METHOD."""

    before: float
    after: float
    prepared_before: float
    prepared_after: float

    @property
    def ratio(self) -> float:
        """After over before, per query."""
        return self.after / self.before

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "before": self.before,
            "after": self.after,
            "ratio": self.ratio,
            "prepared_before": self.prepared_before,
            "prepared_after": self.prepared_after,
            "method": METHOD,
        }


def timed(runner: Runner, before: Candidate, after: Candidate, queries: int) -> Latency:
    """Both run again, once with the first query alone and once with all `queries`."""
    per_query, prepared = [], []
    for one in (before, after):
        first = runner.seconds(one, 1)
        whole = runner.seconds(one, queries)
        prepared.append(first)
        per_query.append(max((whole - first) / max(queries - 1, 1), _SHORTEST))
    return Latency(per_query[0], per_query[1], prepared[0], prepared[1])
