"""What a diagnosis found, in plain sentences, each with the figure that carries it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from askance.core.estimate import Estimate, EstimateRecord
from askance.diagnose.causes import (
    ANALYZER,
    CUT,
    EXCLUDED,
    FAULTS,
    FILTER,
    LONGER_ITEM,
    MISSING_VECTOR,
    NAME,
    NEVER_INDEXED,
    NO_JUDGMENT,
    NOT_IN_CORPUS,
    RERANKING,
    TIE,
    WON,
    WRONG_MODEL,
)
from askance.diagnose.diagnosis import Diagnosis
from askance.diagnose.headroom import Headroom
from askance.diagnose.regime import Regime
from askance.diagnose.slices import Apart
from askance.diagnose.waterfall import Step
from askance.measure.intervals import proportion
from askance.report.diagnosis_power import power_said
from askance.report.numbers import (
    count,
    counted,
    listed,
    p_value,
    percent,
    percent_with_interval,
    probability_with_interval,
)
from askance.report.texts import one_line, shorten
from askance.study.records import estimate_record
from askance.study.results import EstimateIn

_REMEDIES = {
    NO_JUDGMENT: "Judge documents for them, or leave them out.",
    EXCLUDED: "Take gold out of the exclusions.",
    NOT_IN_CORPUS: "Add the documents, or use the judgments of this corpus.",
    NEVER_INDEXED: "Index them.",
    MISSING_VECTOR: "Embed them again.",
    WRONG_MODEL: "Embed questions and documents by one model.",
    CUT: "Cut documents into passages, or choose a longer window.",
    FILTER: "Loosen the filter, or mend what it reads.",
    ANALYZER: "Index and ask with that analyzer, and see what it costs elsewhere.",
    TIE: "Break ties by a second signal, or count them by expectation.",
    NAME: "Search names and items as fields of their own.",
    LONGER_ITEM: "Ask for exact items before phrases.",
}
_MOST_STEPS, _MOST_SLICES, _LONGEST, _USUAL = 5, 5, 100, 10


@dataclass(frozen=True)
class Conclusion:
    """`kind`: what it is about; a cause of CAUSES where it names one. `strong`: what was found, `rest` the figures.

    `system`: label of the one it is about, "" where of all. `remedy`: what would mend it, where that is plain.
    `figures`: all that the sentence holds, by name, where it holds several.
    """

    domain: str
    system: str
    kind: str
    strong: str
    rest: str
    figure: Estimate | None
    remedy: str = ""
    figures: Mapping[str, Estimate] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        return " ".join(part for part in (self.strong, self.rest, self.remedy) if part)

    def record(self) -> dict[str, object]:
        """The machine form."""
        figure: EstimateRecord | None = None if self.figure is None else self.figure.record()
        return {
            "kind": self.kind,
            "domain": self.domain,
            "system": self.system,
            "sentence": self.sentence,
            "figure": figure,
            **({"figures": {name: one.record() for name, one in self.figures.items()}} if self.figures else {}),
        }


def conclusions(found: Diagnosis) -> list[Conclusion]:
    """All of one domain: where queries were lost, what is to be mended, then what the figures allow to say besides."""
    return [
        *_waterfalls(found),
        *_faults(found),
        *(_regime(found, found.regime) if found.regime is not None else ()),
        *_headroom(found),
        *_power(found),
        *_slices(found),
        *_margins(found),
        *_copies(found),
        *_unjudged(found),
    ]


def step_label(step: Step) -> str:
    """A line of the waterfall in the reader's words."""
    return f"outranked by “{step.label}”" if step.cause.startswith("outranked by ") else step.cause


def _waterfalls(found: Diagnosis) -> Iterator[Conclusion]:
    own = {system.name for system in found.case.systems if system.before is None}
    for fall in found.waterfalls:
        won = next((step.share for step in fall.steps if step.cause == WON), None) or proportion(0, fall.n)
        lost = sorted((step for step in fall.steps if step.cause != WON), key=lambda step: -step.queries)
        strong = f"{_name(fall.label)} puts gold first for {count(fall.won)} of {counted(fall.n, 'query', 'queries')}."
        rest = f"That is {_percent(won)}."
        if lost and fall.system in own:
            parts = [f"{count(step.queries)} {step_label(step)}" for step in lost[:_MOST_STEPS]]
            more = sum(step.queries for step in lost[_MOST_STEPS:])
            parts += [f"{count(more)} for other causes"] if more else []
            rest += f" The others: {listed(parts)}."
        elif fall.system not in own:
            rest += f" {counted(len(fall.of(RERANKING)), 'query', 'queries')} lost by reranking."
        yield _conclusion(found, fall.label, "waterfall", strong, rest, won)


def _faults(found: Diagnosis) -> Iterator[Conclusion]:
    """What is to be mended, most queries first; a reranker's lists inherit it and are not named again."""
    own = {system.name for system in found.case.systems if system.before is None}
    told = [
        (fall, step)
        for fall in found.waterfalls
        if fall.system in own
        for step in fall.steps
        if step.cause in FAULTS or step.cause == NO_JUDGMENT
    ]
    seen: set[str] = set()
    for fall, step in sorted(told, key=lambda one: -one[1].queries):
        if step.cause in (NO_JUDGMENT, EXCLUDED, NOT_IN_CORPUS):  # the same for every system
            if step.cause in seen:
                continue
            seen.add(step.cause)
        fate = fall.of(step.cause)[0]
        case = found.case
        example = f"Query {_quoted(case.collection.queries.ids[fate.query])}"
        example += f", gold {_quoted(case.collection.documents.ids[fate.gold])}" if fate.gold is not None else ""
        why = f": {one_line(fate.why)}" if fate.why else ""
        whose = "" if step.cause in seen else f" {_name(fall.label)}"
        strong = (
            f"{step.cause[0].upper()}{step.cause[1:]}: {counted(step.queries, 'query', 'queries')} lost{_with(whose)}."
        )
        rest = f"{step.label[0].upper()}{step.label[1:]}, in {_percent(step.share)} of the queries. {example}{why}."
        yield _conclusion(
            found, whose.strip(), step.cause, strong, rest, step.share, remedy=_REMEDIES.get(step.cause, "")
        )


def _with(whose: str) -> str:
    return f" with{whose}" if whose else ""


def _regime(found: Diagnosis, regime: Regime) -> Iterator[Conclusion]:
    says = {
        "incidental": "Wording is a friend",
        "adversarial": "Wording is an enemy",
        "undecided": "Whether wording is a friend or an enemy is undecided",
    }
    for preference in regime.preferences:
        if preference.estimate.value is None:
            continue
        decoys = regime.decoys.get(preference.decoys) or preference.decoys
        strong = f"{says[preference.reading]} against “{_name(decoys)}”."
        figure = probability_with_interval(preference.estimate)
        rest = (
            f"Gold reads closer to its query than such a document with probability {figure}, {_n(preference.estimate)}."
        )
        yield _conclusion(found, "", "regime", strong, rest, _estimate(preference.estimate))
    signs = {
        "positive": "Reranking by wording helps",
        "negative": "Reranking by wording harms",
        "undecided": "Whether reranking by wording helps is undecided for",
        "no room": "Reranking by wording has no room to tell with",
    }
    labels = {system.name: system.label for system in found.case.systems}
    for control in regime.controls:
        label = _name(labels.get(control.system, control.system))
        strong = f"{signs[control.sign]} {label}."
        rest = (
            f"Over the first {control.first} it gains {count(control.gained)} and loses {count(control.lost)} queries "
            f"({p_value(control.p)}), {percent_with_interval(control.share_held, signed=True)} of what a perfect "
            f"reranker would win, {_n(control.before)}."
        )
        if control.share_held.value is None or control.sign == "no room":
            rest = (
                f"Gold is at rank 1 for {percent_with_interval(control.before)}, among the first {control.first} for "
                f"{percent_with_interval(control.ceiling)}, {_n(control.before)}."
            )
        share = control.share_held if control.share_held.value is not None else control.before
        yield _conclusion(found, label, "regime", strong, rest, _estimate(share))


def _headroom(found: Diagnosis) -> Iterator[Conclusion]:
    """One sentence a system; its figure is that of the first ten."""
    for label in dict.fromkeys(room.label for room in found.headrooms):
        rooms = [room for room in found.headrooms if room.label == label and room.share.value is not None]
        if not rooms:
            continue
        usual = next((room for room in rooms if room.first == _USUAL), rooms[-1])
        strong = (
            f"A perfect reranker of the first {count(usual.first)} of {_name(label)} could win "
            f"{percent(usual.share.value)} points."
        )
        told = [f"{_percent(room.share)} within {_ranks(room)}" for room in rooms]
        rest = f"Queries with gold below rank 1: {listed(told)}, {_n(usual.share)}."
        further = {f"first {room.first}": room.share for room in rooms}
        yield replace(_conclusion(found, label, "headroom", strong, rest, usual.share), figures=further)


def _ranks(room: Headroom) -> str:
    return f"all {count(room.first)}" if room.whole else f"the first {count(room.first)}"


def _power(found: Diagnosis) -> Iterator[Conclusion]:
    for one in found.detectable:
        yield _conclusion(found, one.label, "power", *power_said(one), one.least)


def _slices(found: Diagnosis) -> Iterator[Conclusion]:
    tested = len(found.slices.apart)
    sure = [one for one in found.slices.apart if one.established]
    if not tested:
        strong = "No slices of the queries can be compared."
        passed_over = found.slices.passed_over
        rest = f"{counted(passed_over, 'has', 'have')} too many values or too few queries." if passed_over else ""
        yield _conclusion(found, "", "slices", strong, rest, None)
    for one in sure[:_MOST_SLICES]:
        yield _slice(found, one, tested)
    if len(sure) > _MOST_SLICES:
        strong = f"{count(len(sure) - _MOST_SLICES)} further slices differ."
        yield _conclusion(found, "", "slices", strong, "They are in the table.", sure[_MOST_SLICES].gap)
    if tested and not sure:
        first = found.slices.apart[0]
        strong = "No slice of the queries differs from the rest."
        rest = (
            f"{counted(tested, 'comparison was', 'comparisons were')} made, corrected after Holm; the nearest is "
            f"{_name(first.slice)} = {_name(first.value)} with {_name(first.label)}, {_points(first.gap)}, "
            f"{p_value(first.p)}."
        )
        yield _conclusion(found, "", "slices", strong, rest, first.gap)


def _slice(found: Diagnosis, one: Apart, tested: int) -> Conclusion:
    more = "more" if one.hits * one.rest_n > one.rest_hits * one.n else "less"
    strong = f"{_name(one.label)} hits {more} often where {_name(one.slice)} = {_name(one.value)}."
    rest = (
        f"{count(one.hits)} of {count(one.n)} against {count(one.rest_hits)} of {count(one.rest_n)} "
        f"({_name(one.rest)}): {_points(one.gap)}, {p_value(one.p)} after Holm's correction over "
        f"{count(tested)} comparisons."
    )
    return _conclusion(found, one.label, "slices", strong, rest, one.gap)


def _margins(found: Diagnosis) -> Iterator[Conclusion]:
    for one in found.margins:
        strong = f"{_name(one.label)} decides {percent(one.thin.value)} % of the queries by a thin margin."
        rest = (
            f"The first two differ by less than {percent(one.below)} % of the spread of the first ten in "
            f"{_percent(one.thin)}, {_n(one.thin)}; changing places would win {count(one.won)} and lose "
            f"{count(one.lost)}."
        )
        yield _conclusion(found, one.label, "margins", strong, rest, one.thin)


def _copies(found: Diagnosis) -> Iterator[Conclusion]:
    one = found.copies
    if one is None or one.exact.value is None:
        return
    figures = f"word for word {_percent(one.exact)}, by their words {_percent(one.normalised)}, {_n(one.normalised)}"
    if one.example is None:
        yield _conclusion(
            found, "", "duplicates", "No gold has a copy that is not gold.", f"Queries: {figures}.", one.normalised
        )
        return
    query, gold, other = map(_quoted, one.example)
    strong = f"{counted(one.documents, 'gold document has', 'gold documents have')} copies that are not gold."
    rest = f"Queries that this concerns: {figures}. Query {query}: {gold} and {other}."
    yield _conclusion(found, "", "duplicates", strong, rest, one.normalised, remedy="Judge the copies, or keep one.")


def _unjudged(found: Diagnosis) -> Iterator[Conclusion]:
    for one in found.unjudged:
        label = _name(one.label)
        if one.above.value:
            strong = f"In {percent(one.above.value)} % of its misses {label} has an unjudged document above gold."
            rest = f"{_percent(one.above)}, {_n(one.above)} misses."
            if one.only_gold:
                strong = f"Whether what {label} puts above gold is wrong was never judged."
                rest += " The judgments name gold alone: what is unjudged may have been looked at, or not."
            yield _conclusion(found, one.label, "unjudged", strong, rest, one.above)
        if one.alike is not None and one.alike.value and one.example is not None:
            query, gold, other = map(_quoted, one.example)
            strong = (
                f"{label} finds unjudged documents that look like gold for {percent(one.alike.value)} % of the queries."
            )
            rest = (
                f"They share 80 % of their words with a gold document and stand among the first ten: "
                f"{_percent(one.alike)}, {_n(one.alike)}. Query {query}: {other} looks like {gold}."
            )
            yield _conclusion(found, one.label, "unjudged", strong, rest, one.alike, remedy="Judge them.")


def _conclusion(
    found: Diagnosis, system: str, kind: str, strong: str, rest: str, figure: Estimate | None, *, remedy: str = ""
) -> Conclusion:
    return Conclusion(found.case.name, system, kind, strong, rest, figure, remedy)


def _percent(estimate: Estimate) -> str:
    return percent_with_interval(estimate_record(estimate))


def _points(estimate: Estimate) -> str:
    return percent_with_interval(estimate_record(estimate), signed=True, unit=" points")


def _n(estimate: Estimate | EstimateIn) -> str:
    return f"n = {count(estimate.n)}"


def _estimate(told: EstimateIn) -> Estimate:
    return Estimate(told.value, told.low, told.high, told.n, told.method, told.left_out)


def _name(text: str) -> str:
    return shorten(text, _LONGEST)


def _quoted(identifier: str) -> str:
    return f"“{shorten(identifier, _LONGEST)}”"


__all__: Sequence[str] = ["Conclusion", "conclusions", "step_label"]
