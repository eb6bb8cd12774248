"""Well-known competitions against the rest: the gap of each cell, and Fisher's exact p under Holm over all six."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from askance.measure.contamination import Contamination, TwoGroups, contamination
from askance.study.records import estimate_record
from askance.study.reproduce import Row
from askance.study.structural.finding import Found, exact
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

FIGURE = "contamination_gap_pts"


def gap(printed: Printed, source: Source) -> Found:
    """Hit@1 among the well-known less that among the rest; printed ends may be one well-known query off."""
    found = cells(source)[printed.id]
    return Found("recomputed", found.gap, why=_said(found), slack=1 / found.groups.n)


@cache
def cells(source: Source) -> Mapping[str, Contamination]:
    """Every printed cell, corrected for all of them."""
    printed = [row for row in source.printed.values() if row.figure == FIGURE]
    return dict(zip([row.id for row in printed], contamination([_groups(row) for row in printed]), strict=True))


def corrected_rows(source: Source) -> Iterator[Row]:
    """Fisher's p after Holm's correction of each cell: the source has intervals alone."""
    for name, found in cells(source).items():
        printed = source.row(name)
        embedder, judge = printed.about["embedder"], printed.about["judge"]
        method = f"Fisher's exact p, two-sided, {found.p:.4f} before Holm's correction over {len(cells(source))} cells"
        yield Row(
            id=f"contamination.{embedder}.{judge}",
            figure=f"corrected p of well-known against the rest, hard tier, {embedder}, {judge}",
            published=None,
            ours=estimate_record(exact(found.corrected, found.groups.n + found.groups.rest_n, method)),
            tolerance=0.0,
            status="recomputed",
            why=f"not printed; {_said(found)}",
            group="contamination",
            about=printed.about,
        )


def _said(found: Contamination) -> str:
    groups = found.groups
    what = "established" if found.established else "not established"
    return (
        f"{groups.hits} of {groups.n} against {groups.rest_hits} of {groups.rest_n}: "
        f"Fisher p {found.p:.4f}, after Holm {found.corrected:.4f}, {what}"
    )


def _groups(printed: Printed) -> TwoGroups:
    return TwoGroups(printed.found, printed.queries, printed.told("rest_hits"), printed.told("rest_n"))
