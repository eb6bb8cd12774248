"""What a comparison of two servings found, and its machine form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from askance.core.errors import BadInput, CheckFailed
from askance.core.estimate import Estimate
from askance.data.problems import Problem
from askance.measure.compare.corrections import holm
from askance.measure.drift.cosines import CosineDrift
from askance.measure.drift.decisions import FirstPlaces, MeasureDrift
from askance.measure.drift.ranks import RankDrift


@dataclass(frozen=True)
class ServingCard:
    """One side. `kind`: run, vectors or model; `about`: what is known of it; `problems`: what is odd about it."""

    name: str
    kind: str
    about: Mapping[str, object]
    problems: tuple[Problem, ...] = ()

    def record(self) -> dict[str, object]:
        return {
            "name": self.name,
            "kind": self.kind,
            "about": dict(self.about),
            "problems": [each.record() for each in self.problems],
        }


@dataclass(frozen=True, eq=False)
class TierDrift:
    """One measure under one definition of gold; `tier` empty where there is only one."""

    tier: str
    drift: MeasureDrift


@dataclass(frozen=True, eq=False)
class DriftFound:
    """Two servings compared on whatever both have. `texts`: what the rows of `cosines` are, in words.

    `cosines` None: not both have vectors; `ranks`, `first_places` None: not both have ranked lists.
    """

    first: ServingCard
    second: ServingCard
    cosines: CosineDrift | None
    texts: Sequence[str]
    ranks: RankDrift | None
    first_places: FirstPlaces | None
    measures: tuple[TierDrift, ...]

    @property
    def corrected(self) -> list[float | None]:
        """Holm's correction of McNemar's p over all measures and tiers; None where a measure is no yes or no."""
        return holm([one.drift.p for one in self.measures])

    def check_cosines(self, least: float) -> None:
        """CheckFailed where a cosine lies below `least` or a row has none; BadInput where nothing can be held to it."""
        if self.cosines is None:
            raise BadInput("there are no vectors to hold to a cosine", remedy="Compare vectors, or models.")
        if not -1.0 <= least <= 1.0:
            raise BadInput(f"a cosine cannot be held to {least:g}", remedy="Name one from -1 to 1, e.g. 0.999.")
        lowest = self.cosines.lowest.value
        for why, rows in self.cosines.lowest.left_out.items():
            raise CheckFailed(f"{rows:,} {why}: no cosine can be held to {least:g} there")
        if lowest is not None and lowest < least:
            raise CheckFailed(
                f"the lowest cosine is {lowest:.6f}, below {least:g}: {self.texts[int(self.cosines.rows[0])]}"
            )

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {
            "schema": "askance/drift/1",
            "first": self.first.record(),
            "second": self.second.record(),
            "cosines": _cosines(self.cosines, self.texts) if self.cosines else None,
            "ranks": _ranks(self.ranks) if self.ranks else None,
            "first_places": _first_places(self.first_places) if self.first_places else None,
            "measures": [_measure(one, p) for one, p in zip(self.measures, self.corrected, strict=True)],
        }


def _cosines(found: CosineDrift, texts: Sequence[str]) -> dict[str, object]:
    return {
        "mean": found.mean.record(),
        "lowest": found.lowest.record(),
        "threshold": found.threshold,
        "close": found.close.record(),
        "quantiles": {f"{share:g}": estimate.record() for share, estimate in found.quantiles.items()},
        "farthest": [
            {"text": texts[row], "cosine": value}
            for row, value in zip(found.rows.tolist(), found.values.tolist(), strict=True)
        ],
    }


def _ranks(found: RankDrift) -> dict[str, object]:
    single: dict[str, Estimate] = {
        "same_first": found.same_first,
        "same_order": found.same_order,
        "rbo": found.rbo,
        "moved": found.moved,
        "gone": found.gone,
    }
    return {
        "depth": found.depth,
        "p": found.p,
        "overlap": {str(k): estimate.record() for k, estimate in found.overlap.items()},
        **{name: estimate.record() for name, estimate in single.items()},
    }


def _first_places(found: FirstPlaces) -> dict[str, object]:
    return {
        "changed": found.changed.record(),
        "margin_changed": found.margin_changed.record(),
        "margin_kept": found.margin_kept.record(),
        "changes": [asdict(change) for change in found.changes],
    }


def _measure(one: TierDrift, corrected: float | None) -> dict[str, object]:
    found = one.drift
    return {
        "tier": one.tier,
        "measure": str(found.measure),
        "first": found.first.record(),
        "second": found.second.record(),
        "difference": found.difference.record(),
        "gained": found.gained,
        "lost": found.lost,
        "p": found.p,
        "p_holm": corrected,
        "discordant": [asdict(query) for query in found.discordant],
    }
