"""Every figure of a study under one name, by which published figures and gates are held against it.

SYSTEM.TIER.SUBSET.MEASURE · chance.TIER.SUBSET.MEASURE · SYSTEM.control.TIER.SUBSET.TOKENS, alone the share of the gap,
and with .resampled, .hit@1, .gained or .lost · sign.TIER.SUBSET.DECOYS.TOKENS
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from askance.study.results import Control, Domain, EstimateIn, Results

CONTROL_ENDINGS = ("", ".resampled", ".hit@1", ".gained", ".lost")


class Measured(NamedTuple):
    """One of our figures under its name."""

    id: str
    estimate: EstimateIn


def measured_in(results: Results) -> Iterator[Measured]:
    """Every figure of all domains, one domain after the other."""
    for domain in results.domains:
        yield from measured_of(domain)


def measured_of(domain: Domain) -> Iterator[Measured]:
    """Every figure of one domain."""
    yield from _figures(domain)
    for control in domain.controls:
        yield from _controls(control)
    for preference in domain.preferences:
        name = sign_id(preference.tier, preference.subset, preference.decoys, preference.tokens)
        yield Measured(name, preference.estimate)


def figure_id(system: str, tier: str, subset: str, measure: str) -> str:
    """A measure of a system; of `chance`, what a random ranking would get."""
    return f"{system}.{tier}.{subset}.{measure.lower()}"


def control_id(system: str, tier: str, subset: str, tokens: str) -> str:
    """What a lexical reranker does to Hit@1; see CONTROL_ENDINGS."""
    return f"{system}.control.{tier}.{subset}.{tokens}"


def sign_id(tier: str, subset: str, decoys: str, tokens: str) -> str:
    """A lexical preference."""
    return f"sign.{tier}.{subset}.{decoys}.{tokens}"


def _figures(domain: Domain) -> Iterator[Measured]:
    chances = set()
    for figure in domain.figures:
        where = (figure.tier, figure.subset, figure.measure)
        yield Measured(figure_id(figure.system, *where), figure.estimate)
        if figure.chance.expected is not None and where not in chances:
            chances.add(where)
            expected = _exact(figure.chance.expected, figure.estimate.n, figure.chance.method)
            yield Measured(figure_id("chance", *where), expected)


def _controls(control: Control) -> Iterator[Measured]:
    where = control_id(control.system, control.tier, control.subset, control.tokens)
    n = control.after.n
    parts = (
        control.share_held,
        control.share_resampled,
        control.after,
        _exact(control.gained, n, "count"),
        _exact(control.lost, n, "count"),
    )
    for ending, estimate in zip(CONTROL_ENDINGS, parts, strict=True):
        yield Measured(f"{where}{ending}", estimate)


def _exact(value: float, n: int, method: str) -> EstimateIn:
    return EstimateIn(value=value, low=value, high=value, n=n, method=method)
