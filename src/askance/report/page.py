"""One self-contained HTML page: no network, no script, every text escaped."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from askance.report.bill_part import BillPart, bill_part
from askance.report.bill_tables import bill_table
from askance.report.bill_view import all_bills, main_bills
from askance.report.charts.curves import draw_curves
from askance.report.charts.gap import draw_gap, shown_controls
from askance.report.charts.ladder import draw_ladder
from askance.report.charts.preference import draw_preferences, draw_token_classes
from askance.report.charts.winners import draw_winners
from askance.report.domain_view import EVERYTHING, DomainView
from askance.report.failures import FailureGroup, failure_groups
from askance.report.gate_lines import GateLine, gate_lines
from askance.report.numbers import count, counted, decimal, listed, percent, percent_with_interval, span_of_n
from askance.report.palette import HUES, Palette
from askance.report.parts import ChartPart, Said, drawn_twice
from askance.report.sentences import Sentence, conclusions
from askance.report.tables import Table, control_table, every_table, main_table, preference_table, tier_table
from askance.report.texts import bind, clean, one_line, shorten
from askance.study.results import ModelRecord, Results, SystemCard
from askance.text.classes import CLASSES

_LONGEST_NAME = 60


@dataclass(frozen=True)
class Section:
    """All that the page says of one domain."""

    anchor: str
    title: str
    note: str
    size: str
    sentences: Sequence[Said]
    charts: Sequence[ChartPart]
    more_charts: Sequence[ChartPart]
    no_misses: str
    main: Table
    further: Sequence[Table]
    failures: Sequence[FailureGroup]
    facts: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class SystemLine:
    """A retriever in the table of what was not read."""

    label: str
    domain: str
    made: str
    cut: str
    tied: str
    depth: str


@dataclass(frozen=True)
class ModelLine:
    """A model in the table of models."""

    label: str
    weights: str
    precision: str
    dimension: str
    window: str
    source: str


@dataclass(frozen=True)
class Page:
    """What the template is given."""

    title: str
    facts: Sequence[str]
    sources: Sequence[str]
    gates: Sequence[GateLine]
    leads: Sequence[Said]
    wording: Sequence[ChartPart]
    bill: BillPart | None
    sections: Sequence[Section]
    models: Sequence[ModelLine]
    systems: Sequence[SystemLine]
    word_classes: Sequence[str]
    methods: str
    study: str
    seed: int
    version: str
    sha256: str


def render(results: Results) -> str:
    """The page of these results; the same results give the same bytes."""
    made = environment()
    style, _, _ = made.loader.get_source(made, "style.css") if made.loader else ("", "", None)
    return made.get_template("page.html.j2").render(page=_page(results), style=Markup(style))


@cache
def environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("askance.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["bind"] = bind
    environment.filters["shorten"] = lambda text, limit=_LONGEST_NAME: shorten(text, limit)
    return environment


def _finalize(value: Any) -> Any:
    """Texts lose what no page may hold; markup made here, and figures, stay as they are."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _page(results: Results) -> Page:
    views = [DomainView(domain) for domain in results.domains]
    palette = Palette.of(views)
    found = conclusions(results)
    titles = {view.domain.name: view.title for view in views}
    return Page(
        title=one_line(results.study.title) or one_line(results.study.name) or "A study without a name",
        facts=_facts(results, views),
        sources=_sources(views),
        gates=gate_lines(results),
        leads=[_said(sentence, palette, titles) for sentence in found if sentence.lead],
        wording=_wording(views, palette),
        bill=bill_part([(view.domain.name, view.title, main_bills(view)) for view in views]),
        sections=[_section(view, palette, found, f"domain-{place}") for place, view in enumerate(views, 1)],
        models=[_model_line(model) for model in results.models],
        systems=[_system_line(view, card) for view in views for card in view.domain.systems],
        word_classes=_word_classes(results),
        methods=_methods(results),
        study=one_line(results.study.name),
        seed=results.study.seed,
        version=one_line(results.askance),
        sha256=_sha256(results),
    )


def _sha256(results: Results) -> str:
    """Of results.json as it is written."""
    return hashlib.sha256(results.dump().encode("utf-8", "surrogatepass")).hexdigest()


def _facts(results: Results, views: Sequence[DomainView]) -> list[str]:
    facts = [
        f"{view.title}: {counted(view.domain.queries, 'query', 'queries')} over "
        f"{counted(view.domain.documents, 'document', 'documents')}"
        for view in views[:6]
    ]
    facts += [f"{len(views) - 6} more domains"] if len(views) > 6 else []
    facts += [
        f"{_model_name(model)} {shorten(model.precision, 20)} {model.weights[:8]}" for model in results.models[:4]
    ]
    level = decimal(results.study.confidence * 100, 0)
    return [*facts, f"seed {results.study.seed}", f"every figure with its {level} % interval"]


def _sources(views: Sequence[DomainView]) -> list[str]:
    """Where the collections come from, those of one origin together: made ones must not pass for the originals."""
    titles: dict[str, list[str]] = {}
    for view in views:
        titles.setdefault(shorten(one_line(view.domain.origin), 200), []).append(view.title)
    return [f"{listed(of_it)}: {origin}" for origin, of_it in titles.items() if origin]


def _model_name(model: ModelRecord) -> str:
    return shorten(model.label or model.name, 40)


def _said(sentence: Sentence, palette: Palette, titles: dict[str, str] | None = None) -> Said:
    where = (titles or {}).get(sentence.domain or "", "")
    css = palette.css(sentence.system) if sentence.system is not None else ""
    return Said(where, css, sentence.strong, sentence.rest)


def _section(view: DomainView, palette: Palette, found: Sequence[Sentence], anchor: str) -> Section:
    domain = view.domain
    charts = _charts(view, palette)
    further = [
        control_table(view),
        preference_table([view]),
        bill_table(all_bills(view)),
        every_table(view),
        tier_table(view),
    ]
    return Section(
        anchor=anchor,
        title=view.title,
        note=one_line(domain.note),
        size=_size(view),
        sentences=[_said(s, palette) for s in found if s.domain == domain.name and not s.lead],
        charts=charts[:2],
        more_charts=charts[2:],
        no_misses=_no_misses(view),
        main=main_table(view),
        further=[table for table in further if table.rows],
        failures=failure_groups(view),
        facts=_domain_facts(view),
    )


def _wording(views: Sequence[DomainView], palette: Palette) -> list[ChartPart]:
    """The two readings of the lexical sign, over all domains."""
    preference = drawn_twice(lambda width: draw_preferences(views, width))
    gap = drawn_twice(lambda width: draw_gap(views, palette, width))
    first = "How often gold reads closer to its query than a decoy does; ½ is no preference."
    second = "From gold at rank 1 towards gold within the first few, in percent of the way; bars are 95 % intervals."
    more = sum(len(view.lexical_controls) - len(shown_controls(view, palette)) for view in views)
    second += f" {counted(more, 'more row', 'more rows')} in the tables." if more else ""
    return [
        *([ChartPart("Lexical preference", first, preference)] if preference else []),
        *([ChartPart("Share of the gap that a lexical reranker closes", second, gap)] if gap else []),
    ]


def _charts(view: DomainView, palette: Palette) -> list[ChartPart]:
    """Those that there is something to draw for."""
    ladder = drawn_twice(lambda width: draw_ladder(view, palette, width))
    curves = drawn_twice(lambda width: draw_curves(view, palette, width))
    winners = drawn_twice(lambda width: draw_winners(view, palette, width))
    classes = None if view.domain.bills else drawn_twice(lambda width: draw_token_classes(view, width))
    one_class = "Lexical preference of one class of words at a time; ½ is no preference."
    return [
        *([ChartPart("Anchoring ladder", _ladder_caption(view, palette), ladder)] if ladder else []),
        *([ChartPart("Gold within the first k", _curves_caption(view, palette), curves)] if curves else []),
        *(
            [ChartPart("What stands at rank 1 instead", _winners_caption(view), winners, _closer(view))]
            if winners
            else []
        ),
        *([ChartPart("Which words speak for gold", one_class, classes)] if classes else []),
    ]


def _size(view: DomainView) -> str:
    domain = view.domain
    tier = view.tier_card(view.main_tier)
    size = f"{counted(domain.queries, 'query', 'queries')} over {counted(domain.documents, 'document', 'documents')}."
    if tier is None:
        return size
    rule = one_line(tier.rule).rstrip(".")
    return f"{size} Gold is “{view.tier(tier.name)}”" + (f": {rule}." if rule else ".")


def _grey(view: DomainView, palette: Palette, systems: Sequence[str]) -> str:
    grey = [system for system in systems if palette.hue(view.system(system)) is None]
    if not grey:
        return ""
    return f" The first {HUES} systems are named; {counted(len(grey), 'other', 'others')} in grey, all in the table."


def _ladder_caption(view: DomainView, palette: Palette) -> str:
    systems = [s for s in view.systems if view.figure(s, view.first_measure)]
    return (
        f"{view.first_measure} in percent as gold must share less with the query, easy to hard; bars are 95 % "
        f"intervals, grey ticks are chance.{_grey(view, palette, systems)}"
    )


def _curves_caption(view: DomainView, palette: Palette) -> str:
    n = span_of_n(hit.n for curve in view.curves for hit in curve.hits)
    grey = _grey(view, palette, [curve.system for curve in view.curves])
    return f"Share of queries, in percent, bands are 95 % intervals; {n}, gold “{view.tier(view.main_tier)}”.{grey}"


def _winners_caption(view: DomainView) -> str:
    told = [f"{view.system(t.system)} {counted(t.misses, 'miss', 'misses')}" for t in view.taxonomies[:HUES]]
    return f"By role, in percent of a system’s misses, with 95 % interval: {listed(told)}."


def _closer(view: DomainView) -> list[str]:
    """Whether winners read closer than gold, and lists that hold nothing."""
    lines = []
    for taxonomy in view.taxonomies:
        label = view.system(taxonomy.system)
        if taxonomy.misses:
            lines.append(
                f"{label}: the winner reads closer to the query than gold in "
                f"{percent_with_interval(taxonomy.lexically_closer)} of misses, n = {taxonomy.lexically_closer.n}."
            )
        if taxonomy.empty:
            lines.append(f"{label}: {counted(taxonomy.empty, 'list is', 'lists are')} empty.")
    return lines


def _no_misses(view: DomainView) -> str:
    clean_sheets = [view.system(t.system) for t in view.taxonomies if not t.misses]
    return f"No miss at rank 1: {listed(clean_sheets)}." if clean_sheets else ""


def _domain_facts(view: DomainView) -> list[tuple[str, str]]:
    domain = view.domain
    facts = [
        ("collection", f"{domain.collection}; {domain.origin}"),
        ("documents", f"{count(domain.documents)}, sha256 {domain.corpus_sha256}"),
        ("queries", f"{count(domain.queries)}, sha256 {domain.queries_sha256}"),
        ("embedded text", _fields(domain.embedded)),
        ("compared text", _fields(domain.compared)),
    ]
    if len(domain.subsets) > 1:
        facts += [
            ("subset", f"{view.subset(s.name)}: {counted(s.queries, 'query', 'queries')}") for s in domain.subsets
        ]
    facts += [
        ("decoys", f"{view.decoys(d.name)}: {listed([view.role(role) for role in d.roles])}") for d in domain.decoys
    ]
    notes = [f"{count(number)} {one_line(what)}" for what, number in domain.notes.items()]
    return [*facts, ("noted on reading", "; ".join(notes) or "nothing dropped, nothing odd")]


def _fields(fields: dict[str, str]) -> str:
    return ", ".join(f"{side}: {name}" for side, name in fields.items()) or "–"


def _model_line(model: ModelRecord) -> ModelLine:
    window = "not known" if model.max_tokens is None else count(model.max_tokens)
    return ModelLine(_model_name(model), model.weights, model.precision, count(model.dimension), window, model.source)


def _system_line(view: DomainView, card: SystemCard) -> SystemLine:
    made = [card.retriever, *([card.model] if card.model else [])]
    made += [f"{name} {value}" for name, value in card.settings.items()]
    cut = "not known" if card.cut is None and card.model else "–" if card.cut is None else count(card.cut)
    if card.cut is not None:
        cut = f"{cut} of {count(view.domain.documents)}"
    return SystemLine(
        view.system(card.name), view.title, ", ".join(made), cut, f"{percent(card.tied_first_ten)} %", count(card.depth)
    )


def _word_classes(results: Results) -> list[str]:
    """What each class of words reads, of those that were measured."""
    used = {preference.tokens for domain in results.domains for preference in domain.preferences}
    used |= {control.tokens for domain in results.domains for control in domain.controls}
    return [each.description for name, each in CLASSES.items() if name in used and name != EVERYTHING]


def _methods(results: Results) -> str:
    """How intervals were made, as the estimates themselves say."""
    said: dict[str, None] = {}
    for domain in results.domains:
        for figure in domain.figures:
            if figure.estimate.value is not None:
                said[one_line(figure.estimate.method)] = None
        for control in domain.controls:
            if control.share_held.value is not None:
                said[one_line(control.share_held.method)] = None
        for preference in domain.preferences:
            if preference.estimate.value is not None:
                said[one_line(preference.estimate.method)] = None
    drawn = f"{count(results.study.resamples)} resamples where they are drawn"
    return "; ".join([*[shorten(method, 160) for method in said if method][:12], drawn])
