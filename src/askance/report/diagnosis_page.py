"""A diagnosis as one self-contained HTML page: no network, no script, every text escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

import askance
from askance.diagnose.causes import CAUSES
from askance.diagnose.diagnosis import Diagnosis
from askance.report.charts.drawing import NARROW, WIDE
from askance.report.charts.waterfall import draw_waterfall
from askance.report.diagnosis_sentences import Conclusion, conclusions
from askance.report.diagnosis_tables import waterfall_tables
from askance.report.numbers import counted
from askance.report.page import environment
from askance.report.palette import HUES
from askance.report.parts import ChartPart, Drawn, Said
from askance.report.tables import Table
from askance.report.texts import one_line, shorten

_LEADS = 8
_GROUPS = {
    "regime": "Is wording a friend or an enemy?",
    "headroom": "What could a perfect reranker win?",
    "power": "Can so many queries show a difference?",
    "slices": "Which queries are harder?",
    "margins": "How close are the decisions?",
    "duplicates": "Are there copies of gold?",
    "unjudged": "What was never judged?",
}


@dataclass(frozen=True)
class Group:
    """Sentences that answer one question."""

    title: str
    sentences: Sequence[Said]


@dataclass(frozen=True)
class Section:
    """All that the page says of one domain."""

    anchor: str
    title: str
    size: str
    sentences: Sequence[Said]
    charts: Sequence[ChartPart]
    tables: Sequence[Table]
    groups: Sequence[Group]
    notes: Sequence[str]


@dataclass(frozen=True)
class Page:
    """What the template is given."""

    title: str
    facts: Sequence[str]
    leads: Sequence[Said]
    sections: Sequence[Section]
    causes: Sequence[tuple[str, str]]
    version: str


def render_diagnosis(found: Sequence[Diagnosis], title: str) -> str:
    """The page; the same diagnosis gives the same bytes."""
    made = environment()
    style, _, _ = made.loader.get_source(made, "style.css") if made.loader else ("", "", None)
    return made.get_template("diagnosis.html.j2").render(page=_page(found, title), style=Markup(style))


def _page(found: Sequence[Diagnosis], title: str) -> Page:
    hues: dict[str, str] = {}
    for one in found:
        for system in one.case.systems:
            if system.before is None:
                hues.setdefault(system.label, f"s{len(hues)}" if len(hues) < HUES else "other")
    sections = [_section(one, hues, f"domain-{place}") for place, one in enumerate(found, 1)]
    return Page(
        title=f"Why it fails: {one_line(title)}",
        facts=[
            f"{shorten(one.case.title, 40)}: {counted(len(one.case.queries), 'query', 'queries')} over "
            f"{counted(len(one.case.collection.documents), 'document', 'documents')}"
            for one in found[:6]
        ],
        leads=_leads(found, hues),
        sections=sections,
        causes=[(name, meaning) for name, meaning in CAUSES.items()],
        version=one_line(askance.__version__),
    )


def _leads(found: Sequence[Diagnosis], hues: dict[str, str]) -> list[Said]:
    """Of every domain the waterfall of its systems' own lists and what is to be mended, in turn."""
    rows = [
        [
            _said(conclusion, hues, one.case.title)
            for conclusion in conclusions(one)
            if conclusion.kind not in _GROUPS and conclusion.system in (*hues, "")
        ]
        for one in found
    ]
    turns = [row[turn] for turn in range(max(map(len, rows), default=0)) for row in rows if turn < len(row)]
    return turns[:_LEADS]


def _section(one: Diagnosis, hues: dict[str, str], anchor: str) -> Section:
    case = one.case
    said = conclusions(one)
    own = [fall for fall in one.waterfalls if fall.label in hues]
    groups = [
        Group(question, [_said(each, hues) for each in said if each.kind == kind])
        for kind, question in _GROUPS.items()
        if any(each.kind == kind for each in said)
    ]
    return Section(
        anchor,
        shorten(case.title, 80),
        f"{counted(len(case.queries), 'query', 'queries')} ({case.subset}), gold: {case.tier.label or case.tier.name}",
        [_said(each, hues) for each in said if each.kind not in _GROUPS],
        [
            ChartPart(
                f"Where the queries of {shorten(fall.label, 100)} end",
                f"Share of {counted(fall.n, 'query', 'queries')}, with its 95 % interval; every query stands in one "
                "row. In quotes: what outranks gold.",
                Drawn(*(Markup(draw_waterfall(fall, hues[fall.label], width).svg(css)) for width, css in _LAYOUTS)),
            )
            for fall in own
        ],
        waterfall_tables(one),
        groups,
        case.notes,
    )


_LAYOUTS = ((WIDE, "wide"), (NARROW, "narrow"))


def _said(conclusion: Conclusion, hues: dict[str, str], where: str = "") -> Said:
    rest = f"{conclusion.rest} {conclusion.remedy}".rstrip()
    return Said(shorten(where, 60), hues.get(conclusion.system, ""), conclusion.strong, rest)
