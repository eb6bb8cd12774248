"""Where does each query end? One bar a cause of one system, with its interval; the bars add up to all queries."""

from __future__ import annotations

from askance.diagnose.causes import WON
from askance.diagnose.waterfall import Step, Waterfall
from askance.report.charts.drawing import FONTS, LINE, NARROW, Drawing, Spot, text_width, wrap
from askance.report.diagnosis_sentences import step_label
from askance.report.numbers import count, percent, percent_with_interval
from askance.report.texts import one_line
from askance.study.records import estimate_record

_BAR, _ROW, _LABEL_COLUMN = 15.0, 24.0, 176.0
_MOST_LINES = 7  # of one label: 100 letters and more are whole
_ENDS = "-_/.:,"  # after these a word may be broken


def draw_waterfall(fall: Waterfall, css: str, width: float) -> Drawing:
    """What is won has the system's hue, what is lost is grey."""
    narrow = width <= NARROW
    left = 0.0 if narrow else _LABEL_COLUMN + 14
    summary = "; ".join(
        f"{step_label(step)} {count(step.queries)}, {percent_with_interval(estimate_record(step.share))}"
        for step in fall.steps
    )
    labels = [_label(step, width - 10 if narrow else _LABEL_COLUMN) for step in fall.steps]
    above = [LINE * len(lines) + 2 if narrow else 2.0 for lines in labels]
    beside = [_ROW if narrow else max(_ROW, LINE * len(lines) + 6) for lines in labels]
    rows = [start - 2 + height for start, height in zip(above, beside, strict=True)]
    drawing = Drawing(width, sum(rows) + 4, f"Where the queries of {fall.label} end", summary)
    scale = min((_scale(step, width - left) for step in fall.steps), default=0.0)
    top = 0.0
    for step, lines, start, row in zip(fall.steps, labels, above, rows, strict=True):
        bar = top + (start if narrow else (row - _BAR) / 2 - 2)
        first = Spot(6, bar - 5 - LINE * (len(lines) - 1))
        if not narrow:
            first = Spot(_LABEL_COLUMN, bar + _BAR / 2 + 4 - LINE / 2 * (len(lines) - 1), "end")
        drawing.lines(first, lines, "row", _plain(step))
        hue = css if step.cause == WON else "lost"
        drawing.rect(left, bar, scale * (step.share.value or 0.0), _BAR, f"bar {hue}")
        low, high = step.share.low or 0.0, step.share.high or 0.0
        drawing.line((left + scale * low, bar + _BAR / 2), (left + scale * high, bar + _BAR / 2), "whisker")
        drawing.text(Spot(left + scale * _end(step) + 6, bar + _BAR / 2 + 4.5), _note(step), "val", "ink")
        top += row
    drawing.line((left, 0), (left, top), "zero")
    return drawing


def _plain(step: Step) -> str:
    """What outranks gold stands in quotes."""
    return step_label(step).removeprefix("outranked by ")


def _label(step: Step, room: float) -> list[str]:
    words = (piece for word in one_line(_plain(step)).split(" ") for piece in _broken(word, room))
    return wrap(" ".join(words), room, "row", _MOST_LINES)


def _broken(word: str, room: float) -> list[str]:
    """A word in pieces that fit into a line, where it does not fit itself; best broken after a mark."""
    size, bold = FONTS["row"]
    pieces = []
    while text_width(word, size, bold) > room:
        fits = next(end for end in range(len(word), 0, -1) if end == 1 or text_width(word[:end], size, bold) <= room)
        mark = max(word.rfind(each, 0, fits) for each in _ENDS) + 1
        at = mark if 2 * mark > fits else fits
        pieces.append(word[:at])
        word = word[at:]
    return [*pieces, word]


def _note(step: Step) -> str:
    return f"{count(step.queries)} · {percent(step.share.value)} %"


def _end(step: Step) -> float:
    return max(step.share.value or 0.0, step.share.high or 0.0)


def _scale(step: Step, room: float) -> float:
    size, bold = FONTS["val"]
    return (room - 8 - text_width(_note(step), size, bold)) / max(_end(step), 0.05)
