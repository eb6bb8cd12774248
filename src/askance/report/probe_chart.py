"""What does it read? Points from nought to one, a group per system, a row per class; and the page around the chart."""

from __future__ import annotations

from html import escape

from askance.diagnose.probe.bill import BillEntry
from askance.diagnose.probe.probe import Probe
from askance.report.charts.dots import DotAxis, DotGroup, DotRow, draw_dots
from askance.report.charts.drawing import NARROW, WIDE, Drawing
from askance.report.numbers import DASH, counted, percent, percent_interval
from askance.report.page import environment
from askance.report.palette import HUES
from askance.report.probe_tables import entry_label, probe_lines, probe_notes, system_label
from askance.report.texts import one_line, shorten
from askance.study.records import estimate_record

_TICKS = ((0, "0 %"), (0.25, "25"), (0.5, "50"), (0.75, "75"), (1, "100 %"))
_AXIS = DotAxis(0, 1, 0.5, _TICKS, ("← holds still", "follows it →"))
_TITLE = "Which share of the first hits vanishes when a class of words changes"


def draw_probe(found: Probe, width: float) -> Drawing | None:
    """Hollow where nothing is decided; the two controls are grey. None where no class was edited."""
    groups = []
    for place, one in enumerate(found.systems):
        lines = [line for line in one.bill if line.vanished.defined]
        hue = f"s{place}" if place < HUES else "other"
        rows = [_row(line, hue, line.reading, line.reading not in ("follows", "holds still")) for line in lines]
        rows += [_row(line, "other", "control", False) for line in (one.nothing, one.another) if lines]
        if rows:
            groups.append(DotGroup(system_label(one) if len(found.systems) > 1 else "", rows))
    return draw_dots(groups, _AXIS, width, _TITLE)


def render_probe(found: Probe) -> str:
    """A self-contained page: sentences first, the chart, how to read it. Every text is escaped; no script."""
    made = environment()
    style, _, _ = made.loader.get_source(made, "style.css") if made.loader else ("", "", None)
    title = f"What is read: {shorten(one_line(found.collection), 80)}"
    n = counted(found.sources, "query", "queries")
    over = counted(found.documents, "document", "documents")
    edited = "queries are edited" if found.settings.side == "queries" else "what they find first is edited"
    drawn = [(draw_probe(found, width), css) for width, css in ((WIDE, "wide"), (NARROW, "narrow"))]
    charts = "\n".join(drawing.svg(css) for drawing, css in drawn if drawing is not None)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main>",
        f'<header><h1 dir="auto">{escape(title)}</h1>',
        f'<p class="sub">{n} over {over}; {edited}, one class of words at a time</p></header>',
        *(_sentences(found, place) for place in range(len(found.systems))),
        f'<section><figure><h3 class="apart">{_TITLE}?</h3>',
        '<p class="cap">A point is the mean over the queries, the bar its 95 % interval; '
        f"first hits: {found.settings.k}. Grey: nothing changed, and all of it changed.</p>",
        charts or '<p class="none">No class could be edited.</p>',
        "</figure></section>",
        *(_notes(found, place) for place in range(len(found.systems))),
        "</main></body></html>\n",
    ]
    return "\n".join(parts)


def _sentences(found: Probe, place: int) -> str:
    one = found.systems[place]
    css = f"s{place}" if place < HUES else "other"
    said = [f'<li class="{css}">{escape(one_line(line))}</li>' for line in probe_lines(found, one)]
    return f'<h2 dir="auto">{escape(system_label(one))}</h2><ul class="say">{"".join(said)}</ul>'


def _notes(found: Probe, place: int) -> str:
    """What could not be edited."""
    one = found.systems[place]
    notes = "".join(f"<li>{escape(one_line(line))}</li>" for line in probe_notes(one))
    return f'<p class="cap">{escape(system_label(one))}: not edited</p><ul class="notes">{notes}</ul>' if notes else ""


def _row(line: BillEntry, css: str, note: str, hollow: bool) -> DotRow:
    text = percent(line.vanished.value)
    return DotRow(
        label=entry_label(line),
        value=None if text == DASH else line.vanished.value,
        low=line.vanished.low,
        high=line.vanished.high,
        text=text,
        note=note,
        interval=percent_interval(estimate_record(line.vanished)),
        css=css,
        hollow=hollow,
    )
