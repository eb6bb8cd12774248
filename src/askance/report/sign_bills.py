"""The bills of `askance sign`: tables and sentences for a terminal, a page with all collections in one chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

import askance
from askance.measure.bill import Bill
from askance.report.bill_part import BillPart, bill_part
from askance.report.bill_tables import bill_grid, bill_lines
from askance.report.bill_view import read_bill
from askance.report.grid import Grid
from askance.report.numbers import listed
from askance.report.page import environment
from askance.report.texts import one_line, shorten
from askance.study.quick_sign import LexicalSign


@dataclass(frozen=True)
class BillPage:
    """What the template is given."""

    title: str
    sources: Sequence[str]
    bill: BillPart | None
    version: str


def sign_bills(found: LexicalSign) -> list[Bill]:
    """One a set of decoys."""
    labels = {decoys.name: decoys.label for decoys in found.decoys}
    return [read_bill(found.collection, one, found.tier_label, labels[one.decoys]) for one in found.bills]


def sign_bill_grids(found: LexicalSign) -> list[Grid]:
    """One table a bill."""
    return [bill_grid(bill, found.title) for bill in sign_bills(found)]


def sign_bill_lines(found: LexicalSign) -> list[str]:
    """What to anchor on and what to abstract, in sentences."""
    return [line for bill in sign_bills(found) for line in bill_lines(bill)]


def render_bills(found: Sequence[LexicalSign]) -> str:
    """A self-contained page: the bills of all collections in one chart on one axis; texts are escaped, no script."""
    made = environment()
    style, _, _ = made.loader.get_source(made, "style.css") if made.loader else ("", "", None)
    titles = [shorten(one_line(one.title or one.collection), 60) for one in found]
    page = BillPage(
        title=f"The bill per class of words: {listed(titles)}",
        sources=[
            f"{title}: gold is “{one.tier_label}”; {shorten(one_line(one.origin), 200)}"
            for title, one in zip(titles, found, strict=True)
        ],
        bill=bill_part([(str(at), titles[at], sign_bills(one)) for at, one in enumerate(found)]),
        version=one_line(askance.__version__),
    )
    return made.get_template("bill.html.j2").render(page=page, style=Markup(style))
