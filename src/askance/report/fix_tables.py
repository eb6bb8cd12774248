"""The smallest change that holds, as sentences and as a table of all candidates."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from askance.core.estimate import Estimate
from askance.diagnose.fixing.fix import Fixed
from askance.diagnose.fixing.settling import Choice, Tried
from askance.report.grid import Column, Grid
from askance.report.numbers import counted, listed, p_value, percent, percent_with_interval
from askance.report.texts import one_line, shorten
from askance.study.records import estimate_record

SHOWN = 12  # candidates of a table for readers
_HARMED = 10
_LONGEST = 70
_LONGEST_LINE = 160
_MORE = " … (all of it: --json)"


def fix_lines(found: Fixed) -> list[str]:
    """What to change, what it gains on queries that did not choose it, what it costs, whom it harms."""
    case, settled = found.case, found.settled
    where = f"{one_line(case.name)}, {one_line(case.system.name)}, gold “{one_line(case.tier.label or case.tier.name)}”"
    halves = " and ".join(str(int(choice.unseen.sum())) for choice in settled.choices)
    tried = len({one.candidate.key for choice in settled.choices for one in choice.tried})
    lines = [f"{where}: {counted(tried, 'change', 'changes')} tried on halves of {halves} queries."]
    if found.chosen is None or settled.gain is None or found.after is None:
        lines.append(f"No change gains anything that holds on queries that had no part in choosing it. {_why(found)}")
    else:
        lines.append(f"Change: {one_line(found.chosen.says)}.")
        lines.append(
            f"{case.measure} {percent(found.before.value)} → {percent(found.after.value)}: "
            f"{percent_with_interval(estimate_record(settled.gain), signed=True, unit=' points')} over "
            f"{counted(settled.gain.n, 'query', 'queries')} that did not choose it, {p_value(settled.p)} "
            "(exact, two-sided)."
        )
        if found.latency is not None:
            lines.append(
                f"Time per query, what is learned or indexed included, embedding aside: × {found.latency.ratio:.2g} "
                f"({1000 * found.latency.before:.2g} ms → {1000 * found.latency.after:.2g} ms)."
            )
        lines.append(_harm(found))
    if found.mended is not None:
        lines.append(in_study_line(str(case.measure), found.mended.before, found.mended.after))
    lines += not_tried_lines(found.left_out)
    return [*lines, *map(one_line, found.notes)]


def candidates_grid(found: Fixed, most: int | None = None) -> Grid:
    """A row a candidate, the largest gain first: what each half that chooses saw of it; `most`: rows, None all."""
    columns = (
        Column("change"),
        Column("size", True),
        *(Column(f"{heading} {half}", True, True) for half in (1, 2) for heading in ("gain", "Holm's p")),
    )
    halves = [{one.candidate.key: one for one in choice.tried} for choice in found.settled.choices]
    both = {key: one.candidate for tried in halves for key, one in tried.items()}
    order = sorted(both, key=lambda key: -max(tried[key].gain for tried in halves if key in tried))
    rows = [
        [
            shorten(one_line(both[key].name), _LONGEST),
            str(both[key].size),
            *(cell for tried in halves for cell in _cells(tried.get(key))),
        ]
        for key in order[:most]
    ]
    shown = f", the first {most} of {len(order)}" if most is not None and most < len(order) else ""
    return Grid(f"Changes on the two halves that choose, gain in points{shown}", columns, rows)


def in_study_line(measure: str, before: Estimate, after: Estimate) -> str:
    """What the written study prints, over all its queries: other figures than those of the unseen ones."""
    told = (percent_with_interval(estimate_record(one)) for one in (before, after))
    return f"The written study will print, over all its queries, {measure} {' → '.join(told)}."


def not_tried_lines(left_out: Mapping[str, str]) -> list[str]:
    """A line a candidate that was not run; long reasons end early, after a whole word, and say where all of it is."""
    return [
        textwrap.shorten(f"Not tried: {one_line(name)}: {one_line(why)}", _LONGEST_LINE, placeholder=_MORE)
        for name, why in left_out.items()
    ]


def _cells(one: Tried | None) -> tuple[str, str]:
    return ("", "") if one is None else (percent(one.gain, signed=True), p_value(one.holm))


def _why(found: Fixed) -> str:
    return " ".join(
        _half(name, choice) for name, choice in zip(("first", "second"), found.settled.choices, strict=True)
    )


def _half(name: str, choice: Choice) -> str:
    if choice.offer is None or choice.gain is None:
        return f"On the {name} half none gains after correction for their number."
    chosen = one_line(choice.offer.candidate.name)
    gain = percent_with_interval(estimate_record(choice.gain), signed=True, unit=" points")
    return f"The {name} half chose “{chosen}”: {gain} on the other, {p_value(choice.p)}."


def _harm(found: Fixed) -> str:
    if not found.harmed:
        return "It harms no query."
    names = [shorten(one_line(name), _LONGEST) for name in found.harmed[:_HARMED]]
    more = f" and {len(found.harmed) - _HARMED} more (--json)" if len(found.harmed) > _HARMED else ""
    said = listed(names) if not more else ", ".join(names)
    return f"It harms {counted(len(found.harmed), 'query', 'queries')}: {said}{more}."
