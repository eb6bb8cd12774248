"""The bill on the page of a study: one chart for all domains, a sentence a verdict, nothing of it without bills."""

from __future__ import annotations

import re

import pytest

from askance.report.bill_view import all_bills, main_bills
from askance.report.domain_view import DomainView
from askance.report.page import render
from askance.report.rules.bill import bill_sentences
from askance.study.results import BillClass, BillRecord, Domain, EstimateIn, Results


def one(tokens: str, value: float | None, *, read: int = 50, learned: bool = False, n: int = 118) -> BillClass:
    """A class whose interval is the value ± .02."""
    low, high = (None, None) if value is None else (value - 0.02, value + 0.02)
    verdict = "undecided" if low is None or high is None or low <= 0.5 <= high else "friend" if low > 0.5 else "enemy"
    method = "undefined: no query has gold" if value is None else "made"
    return BillClass(
        tokens=tokens,
        description="cup <b>, pan, pen, fork …" if learned else tokens,
        learned=learned,
        estimate=EstimateIn(value=value, low=low, high=high, n=n, method=method),
        read=read,
        verdict=verdict,
        prescription={"friend": "anchor", "enemy": "abstract", "undecided": "leave"}[verdict],
    )


def with_bills(domain: Domain, *classes: list[BillClass]) -> Domain:
    """The domain with such a bill for each set of decoys, under the main tier and under another."""
    bills = [
        BillRecord(tier=tier, subset=domain.main_subset, decoys=decoys.name, queries=118, slots="templates", classes=of)
        for tier in (domain.main_tier, "other")
        for decoys, of in zip(domain.decoys, classes, strict=False)
    ]
    return domain.model_copy(update={"bills": bills})


@pytest.fixture
def billed(drawn: Results) -> Results:
    first, second, *rest = drawn.domains
    one_bill = [one("numbers", 0.9), one("content", 0.1), one("names", 0.5), one("units", 0.2, read=3)]
    other = [one("verbs", 0.8), one("unita", 0.45, learned=True), one("function", None)]
    return drawn.model_copy(update={"domains": [with_bills(first, other), with_bills(second, one_bill), *rest]})


def section(page: str) -> str:
    found = re.search(r'<section id="bill".*?</section>', page, re.DOTALL)
    return found.group() if found else ""


def test_the_bills_of_both_domains_stand_in_one_chart(billed: Results) -> None:
    part = section(render(billed))
    wide = re.findall(r'<svg [^>]*class="wide">.*?</svg>', part, re.DOTALL)
    assert len(wide) == 1
    for domain in billed.domains[:2]:
        assert DomainView(domain).title in wide[0]
    for figure in ("0.900", "0.100", "0.800", "0.450"):
        assert f">{figure}<" in wide[0]
    assert "0.880–0.920, n = 118" in wide[0].replace("\N{NO-BREAK SPACE}", " ")
    assert "<b>, pan" not in part
    assert "cup &lt;b&gt;" in part


def test_friends_enemies_and_the_undecided_have_a_sentence_each(billed: Results) -> None:
    view = DomainView(billed.domains[1])
    said = [sentence.text for sentence in bill_sentences("x", main_bills(view))]
    against = view.decoys(view.domain.decoys[0].name)
    assert said == [
        f"Friends, to anchor on: numbers. Against “{against}” (n = 118): numbers 0.900 (0.880–0.920).",
        f"Enemies, to abstract away: content words. Against “{against}” (n = 118): content words 0.100 (0.080–0.120).",
        f"Undecided, to leave as they are: names. Against “{against}” (n = 118): names 0.500 (0.480–0.520).",
    ]


def test_what_is_a_friend_against_one_kind_of_decoy_alone_is_said_so(billed: Results) -> None:
    [bill] = main_bills(DomainView(billed.domains[1]))
    [other] = main_bills(DomainView(billed.domains[0]))
    said = [sentence.strong for sentence in bill_sentences("x", [bill, other])]
    assert said[0] == "Friends against some decoys only, to anchor on there."
    assert bill_sentences("x", []) == []


def test_what_is_not_drawn_is_named(billed: Results) -> None:
    part = section(render(billed))
    assert "not drawn, fewer than eight queries hold one: units (3)" in part
    assert "not drawn, no figure: function words" in part
    assert len(all_bills(DomainView(billed.domains[1]))) == 2  # the other tier is in the table


def test_results_without_bills_have_no_such_part_and_the_older_chart(drawn: Results) -> None:
    page = render(drawn)
    assert section(page) == ""
    assert "Which words speak for gold" in page
