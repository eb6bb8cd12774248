"""The page as a document: whole, closed, escaped, and made of the figures it is given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askance.report.page import render
from askance.report.texts import one_line
from askance.study.results import Results

Tags = list[tuple[str, dict[str, str | None]]]
Parse = Callable[[str], tuple[Tags, str]]
# The words that the schema fixes; everything else in a study is somebody's text.
FIXED = {"schema", "verdict", "sign", "reading"}
_ELEMENTS = """
html head meta title style body main header nav section h1 h2 h3 h4 p ul li b span a figure svg line polyline polygon
rect circle text div table thead tbody tr th td small bdi dl dt dd mark u details summary code footer
"""
_ATTRIBUTES = """
lang charset name content http-equiv id class dir href aria-label aria-labelledby aria-hidden role scope title tabindex
viewbox x y x1 y1 x2 y2 cx cy r points width height font-size text-anchor
"""
ELEMENTS, ATTRIBUTES = set(_ELEMENTS.split()), set(_ATTRIBUTES.split())


def rewritten(value: Any, change: Callable[[str], str], key: str = "") -> Any:
    """Every free text of a study's tree changed, keys that are texts too."""
    if isinstance(value, Mapping):
        texts = key in ("notes", "left_out", "settings", "embedded", "compared")
        return {change(k) if texts else k: rewritten(v, change, k) for k, v in value.items()}
    if isinstance(value, list):
        return [rewritten(item, change, key) for item in value]
    return change(value) if isinstance(value, str) and key not in FIXED else value


def test_the_page_is_whole_and_asks_for_nothing(drawn: Results, parsed: Parse) -> None:
    page = render(drawn)
    tags, text = parsed(page)
    assert page.startswith("<!doctype html>")
    assert {tag for tag, _ in tags} <= ELEMENTS
    assert {name for _, attributes in tags for name in attributes} <= ATTRIBUTES
    assert not re.search(r"https?:|//\w|url\(|@import|src=|<script|<link|javascript:", page)
    assert all((a["href"] or "").startswith("#") for tag, a in tags if tag == "a")
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {(a["href"] or "")[1:] for tag, a in tags if tag == "a"} <= set(ids)
    assert [a["content"] for tag, a in tags if a.get("http-equiv")] == ["default-src 'none'; style-src 'unsafe-inline'"]
    assert "askance study run" in text


def test_everything_the_report_owes_its_reader_is_there(drawn: Results, parsed: Parse) -> None:
    _, text = parsed(render(drawn))
    for part in (
        "Two domains, one protocol",
        "Is wording a friend or an enemy?",
        "Anchoring ladder",
        "Gold within the first k",
        "What stands at rank 1 instead",
        "Which words speak for gold",
        "Failures, one by one",
        "+ control-verbs",
        "gold, 7th",
        "cool",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "fp32",
        "296 of 336",
        "0f" * 32,
        "the original files, read from the folder of data",
        "893 judgments by a language model, left out",
        "seed is 12345",
        "Share of the gap that a lexical reranker closes",
    ):
        assert part in text, part


def test_the_head_says_where_the_data_came_from(drawn: Results, parsed: Parse) -> None:
    def origins(*told: str) -> Results:
        domains = [d.model_copy(update={"origin": o}) for d, o in zip(drawn.domains, told, strict=True)]
        return drawn.model_copy(update={"domains": domains})

    first, second, third = (domain.title for domain in drawn.domains)
    _, text = parsed(render(origins("made here", "the originals", "made here")))
    head = text[: text.index("Is wording a friend or an enemy?")]
    assert f"{first} and {third}: made here" in head
    assert f"{second}: the originals" in head


def test_charts_are_xml(drawn: Results) -> None:
    charts = re.findall(r"<svg .*?</svg>", render(drawn), re.DOTALL)
    assert len(charts) == 24
    for chart in charts:
        assert ElementTree.fromstring(chart).get("aria-label")


def test_the_same_results_give_the_same_bytes(drawn: Results) -> None:
    again = Results.model_validate_json(drawn.dump())
    assert render(again) == render(drawn)


def test_shared_words_are_marked_and_others_underlined(drawn: Results) -> None:
    page = render(drawn)
    assert "<u>cool</u> <mark>some</mark> <u>bowl</u> <mark>and put it in countertop</mark>" in page
    assert "<mark>clean some</mark> kettle <mark>and put it in</mark> stoveburner" in page


FRAGMENTS = st.sampled_from(
    [
        "<script>",
        "</svg>",
        "</style>",
        "</title>",
        "]]>",
        "<!--",
        "&lt;",
        "{{ 7 * 7 }}",
        "{% raw %}",
        "'\"`=",
        "\x00",
        "<b id=x>",
    ]
)
TEXTS = st.lists(st.one_of(FRAGMENTS, st.text(max_size=12)), min_size=1, max_size=5).map("".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=TEXTS, after=TEXTS)
def test_no_text_in_any_field_makes_an_element(before: str, after: str, drawn: Results, parsed: Parse) -> None:
    tree = rewritten(json.loads(drawn.dump()), lambda text: f"{before}{text}{after}")
    page = render(Results.model_validate(tree))
    tags, text = parsed(page)
    assert {tag for tag, _ in tags} <= ELEMENTS
    assert {name for _, attributes in tags for name in attributes} <= ATTRIBUTES
    assert "x" not in {attributes.get("id") for _, attributes in tags}
    assert one_line(f"{before}cool some bowl") in one_line(text)
    for chart in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
        assert {element.tag for element in ElementTree.fromstring(chart).iter()} <= ELEMENTS


def edited(results: Results, edit: Callable[[dict[str, Any]], None]) -> Results:
    tree = results.model_dump(by_alias=True)
    edit(tree["domains"][0])
    return Results.model_validate(tree)


def test_another_figure_changes_table_chart_and_sentence(drawn: Results) -> None:
    def edit(domain: dict[str, Any]) -> None:
        for figure in domain["figures"]:
            if (figure["system"], figure["tier"], figure["measure"]) == ("minilm", "strict", "Hit@1"):
                figure["estimate"].update(value=0.424, low=0.339, high=0.513)
                figure["chance"]["verdict"] = "above"

    page, changed = render(drawn), render(edited(drawn, edit))
    assert "42.4" not in page
    assert re.search(
        r"<td[^>]*>42\.4<span class=\"m\" aria-hidden=\"true\">▲</span><small>33\.9–51\.3</small>", changed
    )
    assert re.search(r"<text[^>]*>42\.4</text>", changed)
    assert "MiniLM, other object (i): 42.4 % (33.9–51.3), n = 118" in changed
    assert "BM25 and MiniLM do no better than chance" in page
    assert "BM25 does no better than chance" in changed
    assert "from 50.0 % (41.1–58.9) to 42.4 % (33.9–51.3) for MiniLM" in re.sub("\u00a0", " ", changed)


def test_another_sign_changes_table_chart_and_sentence(drawn: Results) -> None:
    def edit(domain: dict[str, Any]) -> None:
        for control in domain["controls"]:
            control.update(sign="negative")
            control["share_held"].update(value=-0.123, low=-0.2, high=-0.05)
        for preference in domain["preferences"]:
            preference.update(reading="adversarial")
            preference["estimate"].update(value=0.111, low=0.1, high=0.12)

    page, changed = render(drawn), render(edited(drawn, edit))
    for part in ("−12.3", "0.111"):
        assert part not in page
        assert re.search(rf"<text[^>]*>{part}", changed)
        assert re.search(rf"<td[^>]*>{part}", changed)
    assert "Wording is an enemy here." in changed
    assert "wording is a friend in Who likes what and an enemy in Trajectories and Word problems" in changed


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance of #rgb or #rrggbb."""
    digits = colour.lstrip("#")
    digits = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_all_texts_can_be_read_in_both_schemes_and_on_paper() -> None:
    style = files("askance.report").joinpath("templates/style.css").read_text(encoding="utf-8")
    schemes = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    assert len(schemes) == 3
    assert contrast("#000", "#fff") == 21
    for scheme in schemes:
        colours = dict(re.findall(r"--([\w-]+): (#\w+);", scheme))
        for text in ("ink", "soft", "chance", *(f"s{hue}" for hue in range(6))):
            assert contrast(colours[text], colours["paper"]) >= 4.5, (text, colours[text])
        assert contrast(colours["ink"], colours["mark"]) >= 4.5
        for mark in ("line", "own"):
            assert contrast(colours[mark], colours["paper"]) >= 2, mark
    elsewhere = re.sub(r":root \{.*?\}", "", style, flags=re.DOTALL)
    assert "#" not in elsewhere, "a colour outside the schemes"
    used = set(re.findall(r"(?<![-\w])(?:color|fill): ([^;]+);", elsewhere))
    allowed = {f"var(--{name})" for name in ("ink", "soft", "chance", "paper", *(f"s{hue}" for hue in range(6)))}
    assert used - {"inherit", "none"} <= allowed


@pytest.mark.parametrize("title", ["", "  \n "])
def test_a_study_without_a_title_goes_by_its_name(drawn: Results, title: str) -> None:
    named = drawn.model_copy(update={"study": drawn.study.model_copy(update={"title": title})})
    assert "<title>two-domains</title>" in render(named)
