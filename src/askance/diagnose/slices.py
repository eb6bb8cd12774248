"""Slices of the queries in which a system hits more, or less, often than elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.diagnose.case import Case, System
from askance.diagnose.standing import gold_ranks
from askance.measure.compare.slices import Split, splits
from askance.measure.contamination import TwoGroups, contamination
from askance.measure.judged import Mask
from askance.text.analyzer import Analyzer

FEWEST = 5  # queries on each side of a split


@dataclass(frozen=True, slots=True)
class Apart:
    """Hit@1 inside a slice less that of `rest`. `p` after Holm's correction over all `looked_at`."""

    system: str
    label: str
    slice: str
    value: str
    rest: str
    hits: int
    n: int
    rest_hits: int
    rest_n: int
    gap: Estimate
    p: float

    @property
    def established(self) -> bool:
        return self.p <= 0.05


@dataclass(frozen=True)
class SlicesFound:
    """All that was looked at, the surest first; `passed_over`: slices with too many values or too few queries."""

    apart: Sequence[Apart]
    passed_over: int


def slices(case: Case, systems: Sequence[System]) -> SlicesFound:
    """Every slice, named subset and the two halves by length, of every system; Fisher's exact test, Holm over all."""
    parts, passed_over = _splits(case)
    cells: list[TwoGroups] = []
    named: list[tuple[System, Split]] = []
    for system in systems:
        ranks = gold_ranks(case, system.run)
        there = case.mask & (ranks >= 0)
        for part in parts:
            inside, outside = part.inside & there, part.outside & there
            if min(inside.sum(), outside.sum()) < FEWEST:
                passed_over += 1
                continue
            hit = ranks == 1
            cells.append(
                TwoGroups(int(hit[inside].sum()), int(inside.sum()), int(hit[outside].sum()), int(outside.sum()))
            )
            named.append((system, part))
    found = [
        Apart(
            system.name,
            system.label,
            part.slice,
            part.value,
            part.rest,
            one.groups.hits,
            one.groups.n,
            one.groups.rest_hits,
            one.groups.rest_n,
            one.gap,
            one.corrected,
        )
        for (system, part), one in zip(named, contamination(cells), strict=True)
    ]
    return SlicesFound(sorted(found, key=lambda one: one.p), passed_over)


def _splits(case: Case) -> tuple[list[Split], int]:
    found: list[Split] = []
    passed_over = 0
    columns: dict[str, Sequence[str | None]] = dict(case.collection.queries.slices)
    columns |= _halves(case)
    for name, column in columns.items():
        try:
            found += splits(name, [value if case.mask[at] else None for at, value in enumerate(column)])
        except BadInput:
            passed_over += 1
    known = {one.inside.tobytes() for one in found} | {one.outside.tobytes() for one in found}
    for name, mask in _subsets(case.subsets, case.mask).items():
        if mask.tobytes() not in known:
            found.append(Split("subset", name, "the rest", mask, case.mask & ~mask))
            known |= {mask.tobytes(), (case.mask & ~mask).tobytes()}
    return found, passed_over


def _subsets(subsets: Mapping[str, Mask], mask: Mask) -> dict[str, Mask]:
    return {name: one & mask for name, one in subsets.items() if (one & mask).any() and (mask & ~one).any()}


def _halves(case: Case) -> dict[str, list[str | None]]:
    """Queries by their number of words, the longer half and the shorter."""
    if case.texts is None or not case.mask.any():
        return {}
    analyzer = Analyzer()
    lengths = np.array([len(analyzer.terms(text)) for text in case.texts[0]])
    middle = np.median(lengths[case.mask])
    if not (lengths[case.mask] > middle).any():
        return {}
    return {"length of the query": ["longer" if one > middle else "shorter" for one in lengths]}
