"""Where does each query end? One bar a cause of one system, with its interval; the bars add up to all queries."""

from __future__ import annotations

from askance.diagnose.causes import WON
from askance.diagnose.waterfall import Step, Waterfall
from askance.report.charts.drawing import FONTS, NARROW, Drawing, Spot, text_width, wrap
from askance.report.diagnosis_sentences import step_label
from askance.report.numbers import count, percent, percent_with_interval
from askance.study.records import estimate_record

_BAR, _ROW, _LABEL_COLUMN = 15.0, 24.0, 176.0


def draw_waterfall(fall: Waterfall, css: str, width: float) -> Drawing:
    """What is won has the system's hue, what is lost is grey."""
    narrow = width <= NARROW
    left = 0.0 if narrow else _LABEL_COLUMN + 14
    row = _ROW + (18.0 if narrow else 0.0)
    summary = "; ".join(
        f"{step_label(step)} {count(step.queries)}, {percent_with_interval(estimate_record(step.share))}"
        for step in fall.steps
    )
    drawing = Drawing(width, row * len(fall.steps) + 4, f"Where the queries of {fall.label} end", summary)
    scale = min((_scale(step, width - left) for step in fall.steps), default=0.0)
    for place, step in enumerate(fall.steps):
        top = row * place + (18.0 if narrow else 2.0)
        label = step_label(step).removeprefix("outranked by ")  # what outranks gold stands in quotes
        [text] = wrap(label, width - 4 if narrow else _LABEL_COLUMN, "row", 1)
        spot = Spot(0, top - 5) if narrow else Spot(_LABEL_COLUMN, top + _BAR / 2 + 4, "end")
        drawing.text(spot, text, "row", whole=label)
        hue = css if step.cause == WON else "lost"
        drawing.rect(left, top, scale * (step.share.value or 0.0), _BAR, f"bar {hue}")
        low, high = step.share.low or 0.0, step.share.high or 0.0
        drawing.line((left + scale * low, top + _BAR / 2), (left + scale * high, top + _BAR / 2), "whisker")
        drawing.text(Spot(left + scale * _end(step) + 6, top + _BAR / 2 + 4.5), _note(step), "val", "ink")
    drawing.line((left, 0), (left, row * len(fall.steps)), "zero")
    return drawing


def _note(step: Step) -> str:
    return f"{count(step.queries)} · {percent(step.share.value)} %"


def _end(step: Step) -> float:
    return max(step.share.value or 0.0, step.share.high or 0.0)


def _scale(step: Step, room: float) -> float:
    size, bold = FONTS["val"]
    return (room - 8 - text_width(_note(step), size, bold)) / max(_end(step), 0.05)
