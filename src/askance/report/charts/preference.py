"""Does gold read closer to its query than a decoy does? Points around one half."""

from __future__ import annotations

from collections.abc import Sequence

from askance.report.charts.dots import DotAxis, DotGroup, DotRow, draw_dots
from askance.report.charts.drawing import Drawing
from askance.report.domain_view import DomainView, tokens_label
from askance.report.numbers import DASH, probability, probability_interval
from askance.report.readings import PREFERENCES
from askance.study.results import Preference

_AXIS = DotAxis(0, 1, 0.5, ((0, "0"), (0.5, "½"), (1, "1")), ("← decoy reads closer", "gold reads closer →"))


def draw_preferences(views: Sequence[DomainView], width: float) -> Drawing | None:
    """Over all words: a group per domain, a row per set of decoys."""
    groups = [
        DotGroup(view.title, [_row(p, f"against {view.decoys(p.decoys)}") for p in view.overall_preferences])
        for view in views
        if view.overall_preferences
    ]
    return draw_dots(groups, _AXIS, width, "How often gold reads closer to its query than a decoy does")


def draw_token_classes(view: DomainView, width: float) -> Drawing | None:
    """One domain: a group per set of decoys, a row per class of words; None where only one class was measured."""
    if len({preference.tokens for preference in view.preferences}) < 2:
        return None
    decoys = list(dict.fromkeys(preference.decoys for preference in view.preferences))
    groups = [
        DotGroup(
            f"against {view.decoys(name)}",
            [_row(p, tokens_label(p.tokens)) for p in view.preferences if p.decoys == name],
        )
        for name in decoys
    ]
    return draw_dots(groups, _AXIS, width, "Which words speak for gold, and which against it")


def _row(preference: Preference, label: str) -> DotRow:
    estimate = preference.estimate
    text = probability(estimate.value)
    return DotRow(
        label=label,
        value=None if text == DASH else estimate.value,
        low=estimate.low,
        high=estimate.high,
        text=text,
        note=PREFERENCES[preference.reading].word if text != DASH else "undefined",
        interval=probability_interval(estimate),
        css="ink",
        hollow=preference.reading == "undecided",
    )
