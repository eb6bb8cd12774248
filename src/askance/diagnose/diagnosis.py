"""A whole diagnosis: domain by domain, all that was found, as figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from askance.core.progress import Progress, Silent
from askance.diagnose.case import Case, System
from askance.diagnose.copies import Copies, Sameness, Unjudged, copies, unjudged
from askance.diagnose.headroom import Headroom, headroom
from askance.diagnose.margins import THIN, Margins, margins
from askance.diagnose.power import LOOKED_FOR, Detectable, detectable
from askance.diagnose.reasons import Reasons
from askance.diagnose.regime import Regime, regime
from askance.diagnose.slices import SlicesFound, slices
from askance.diagnose.waterfall import Waterfall


@dataclass(frozen=True)
class Diagnosis:
    """One domain. Reranked lists have a waterfall; the rest is of the systems' own lists."""

    case: Case
    regime: Regime | None
    waterfalls: Sequence[Waterfall]
    headrooms: Sequence[Headroom]
    detectable: Sequence[Detectable]
    slices: SlicesFound
    margins: Sequence[Margins]
    copies: Copies | None
    unjudged: Sequence[Unjudged]


def diagnose(
    case: Case, *, looked_for: float = LOOKED_FOR, thin: float = THIN, progress: Progress | None = None
) -> Diagnosis:
    """`looked_for`: the difference of Hit@1 one wants to see; `thin`: share of the spread below which a margin is."""
    told = progress or Silent()
    if case.index is not None and case.index.notes:
        case = replace(case, notes=(*case.notes, *case.index.notes))
    task = f"diagnose {case.name}"
    told.start(task, len(case.systems) + 2)
    reasons, waterfalls = Reasons(case), []
    for system in case.systems:
        waterfalls.append(reasons.waterfall(system))
        told.advance(task)
    own = [system for system in case.systems if system.before is None]
    same = Sameness(case) if case.texts is not None else None
    told.advance(task)
    found = Diagnosis(
        case,
        regime(case, own),
        waterfalls,
        [room for system in own for room in headroom(case, system)],
        _detectable(case, own, looked_for),
        slices(case, own),
        [one for one in (margins(case, system, thin) for system in own) if one is not None],
        copies(case, same) if same is not None else None,
        [unjudged(case, system, same) for system in own],
    )
    told.finish(task)
    return found


def _detectable(case: Case, systems: Sequence[System], looked_for: float) -> list[Detectable]:
    """Of the first system against each other one; of a single one as it stands."""
    first, *others = systems
    pairs: list[System | None] = [*others] if others else [None]
    return [one for one in (detectable(case, first, other, looked_for) for other in pairs) if one is not None]
