"""Rows beside the printed ones: where the source's words and its own figures part."""

from __future__ import annotations

from askance.core.estimate import Estimate
from askance.study.records import estimate_record
from askance.study.reproduce import ROUNDING, Row, Status

GROUP = "inconsistency"


def line(
    name: str,
    figure: str,
    ours: Estimate | None,
    why: str,
    *,
    published: float | None = None,
    status: Status = "recomputed",
    tolerance: float = 0.0,
) -> Row:
    """A row `inconsistency.NAME`, NAME beginning with the number that the data's README gives it.

    `published`: the figure in the source's files, which ours must equal; `why`: what its words make of it.
    """
    wrong = ""
    if published is not None and ours is not None and ours.value is not None:
        away = ours.value - published
        wrong = f"differs by {away:+.4g}" if abs(away) > tolerance + ROUNDING else ""
    return Row(
        id=f"{GROUP}.{name}",
        figure=figure,
        published=published,
        ours=None if ours is None else estimate_record(ours),
        tolerance=tolerance,
        status="fail" if wrong else status,
        why="; ".join(part for part in (wrong, why) if part),
        group=GROUP,
    )
