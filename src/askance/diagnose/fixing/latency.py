"""What a change costs in time."""

from __future__ import annotations

from dataclasses import dataclass

from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.running import Runner

METHOD = (
    "one timing of all queries together, over their number: what is learned or indexed is made anew and is in it; "
    "vectors of documents, queries and views are kept, embedding is not in it"
)
_SHORTEST = 1e-6  # seconds: below that a clock tells nothing


@dataclass(frozen=True)
class Latency:
    """Seconds per query before and after the change; see METHOD."""

    before: float
    after: float

    @property
    def ratio(self) -> float:
        """After over before."""
        return self.after / self.before

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {"before": self.before, "after": self.after, "ratio": self.ratio, "method": METHOD}


def timed(runner: Runner, before: Candidate, after: Candidate, queries: int) -> Latency:
    """Both run again with all `queries`."""
    first, second = (max(runner.seconds(one) / max(queries, 1), _SHORTEST) for one in (before, after))
    return Latency(first, second)
