"""What a system reads: the bill for a terminal, its blind spots, what both come to, and one table for machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from askance.core.estimate import Estimate
from askance.diagnose.probe.bill import BillEntry
from askance.diagnose.probe.blind import BlindKind
from askance.diagnose.probe.probe import Probe, SystemBill
from askance.report.grid import Column, Grid
from askance.report.numbers import (
    DASH,
    count,
    counted,
    listed,
    percent,
    percent_interval,
    percent_with_interval,
    reason,
)
from askance.report.texts import isolated, one_line, shorten
from askance.study.records import estimate_record

_LONGEST, _LONGEST_KIND = 60, 48
_ANSWERS = {"keeps": "stays", "changes": "changes", "undecided": "undecided", "not known": DASH}


def probe_grid(found: Probe, system: SystemBill) -> Grid:
    """One row a class: the share of the first hits that vanish, and what that says; controls last. What became of the
    first hit and of its score stands in the table for machines."""
    columns = (
        Column("changed"),
        Column("vanish", True, True),
        Column("interval", True, True),
        Column("n", True, True),
        Column("answer", whole=True),
        Column("it", whole=True),
    )
    rows = [_row(line, line.reading) for line in system.bill if line.vanished.defined]
    rows += [_row(line, "") for line in (system.nothing, system.another)]
    return Grid(_caption(found, system), columns, rows)


def blind_grid(found: Probe, system: SystemBill) -> Grid:
    """One row a kind of document: how many no query of its structure finds."""
    columns = (
        Column("documents of the kind"),
        Column("never found", True, True),
        Column("interval", True, True),
        Column("sought", True, True),
        Column("by chance", True, True),
        Column("there are", True, True),
    )
    rows = [
        [
            kind_label(kind),
            _share(kind.blind),
            percent_interval(estimate_record(kind.blind)),
            count(kind.blind.n),
            percent(kind.chance) if kind.blind.defined else DASH,
            count(kind.documents),
        ]
        for kind in system.blind
    ]
    said = f"{system_label(system)}: blind spots, in percent: queries keep a document's structure and change the rest"
    return Grid(said, columns, rows)


def probe_lines(found: Probe, system: SystemBill) -> list[str]:
    """What it reads, where that is wrong, and which blind spots to expect."""
    lines = []
    told = {
        reading: [line for line in system.bill if line.reading == reading] for reading in ("follows", "holds still")
    }
    if told["follows"]:
        lines.append(f"It reads {listed([_said(found, line) for line in told['follows']])}.")
    if told["holds still"]:
        lines.append(f"It hardly reads {listed([_said(found, line) for line in told['holds still']])}.")
    wrong = [line for line in told["follows"] if line.claim == "keeps"]
    missed = [line for line in told["holds still"] if line.claim == "changes"]
    if wrong:
        lines.append(f"It follows {_names(wrong)}, though the answer stays: such words hide what is sought.")
    if missed:
        lines.append(f"It holds still in {_names(missed)}, though the answer changes: what decides is overlooked.")
    if not any(told.values()):
        lines.append(_nothing_told(system))
    if system.blind and system.blind[0].blind.defined:
        every = system.blind[0]
        lines.append(
            f"Blind spots to expect: {percent_with_interval(estimate_record(every.blind))} of the documents are never "
            f"found by a query of their structure in other words; a random order would miss {percent(every.chance)} %."
        )
    return lines


def probe_notes(system: SystemBill) -> list[str]:
    """Classes without any edit, and how many edits were not made in the others."""
    lines = []
    for line in system.bill:
        why = ", ".join(f"{one} ({count(number)})" for one, number in line.dropped.items())
        if not line.vanished.defined:
            lines.append(f"{DASH} {entry_label(line)}: {why or reason(estimate_record(line.vanished))}")
    others = Counter[str]()
    for line in system.bill:
        if line.vanished.defined:
            others.update(line.dropped)
            others.update(line.vanished.left_out)
    if others:
        lines.append("not edited: " + "; ".join(f"{one}: {count(number)}" for one, number in sorted(others.items())))
    return lines


def probe_figures_grid(found: Probe) -> Grid:
    """All of it as one table for machines: fractions; interval and n in columns of their own."""
    names = ("system", "part", "class", "label", "measure", "value", "low", "high", "n", "reading", "claim")
    figures = {"value", "low", "high", "n"}
    rows = []
    for one in found.systems:
        for part, lines in (("bill", one.bill), ("control", (one.nothing, one.another))):
            for line in lines:
                for measure, estimate in _estimates(line):
                    where = [one.name, part, line.name, line.label, measure]
                    rows.append([*where, *_plain(estimate), line.reading if part == "bill" else "", line.claim])
        rows += [
            [one.name, "blind spots", kind.kind, kind.example, "never found", *_plain(kind.blind), "", ""]
            for kind in one.blind
        ]
    return Grid(f"{found.collection}: probe", [Column(name, name in figures) for name in names], rows)


def system_label(system: SystemBill) -> str:
    return isolated(shorten(one_line(system.label), _LONGEST))


def entry_label(line: BillEntry) -> str:
    """A class in the reader's words."""
    return isolated(shorten(one_line(line.label), _LONGEST))


def kind_label(kind: BlindKind) -> str:
    return isolated(shorten(one_line(kind.kind), _LONGEST_KIND))


def _row(line: BillEntry, reading: str) -> list[str]:
    return [
        entry_label(line),
        _share(line.vanished),
        percent_interval(estimate_record(line.vanished)),
        count(line.vanished.n),
        _ANSWERS[line.claim],
        reading,
    ]


def _share(estimate: Estimate) -> str:
    return percent(estimate.value) if estimate.defined else DASH


def _caption(found: Probe, system: SystemBill) -> str:
    title = shorten(one_line(found.collection), _LONGEST)
    share = f"share of the first {count(found.settings.k)} hits that vanish, in percent"
    if found.settings.side == "documents":
        share = f"how often the first hit falls out of the first {count(found.settings.k)}, in percent"
    each = "all words of the class" if found.settings.words == "all" else "one word of the class"
    return (
        f"{title}: what {system_label(system)} reads\n"
        f"{share}, when {found.settings.side} are edited: {each}, others of the collection instead\n"
        f"{counted(found.sources, 'query', 'queries')} of {count(found.queries)} over "
        f"{counted(found.documents, 'document', 'documents')}; {one_line(found.origin)}"
    )


def _said(found: Probe, line: BillEntry) -> str:
    what = "of the first hits vanish" if found.settings.side == "queries" else "of the first hits fall out"
    return f"{entry_label(line)} ({line.edit}: {percent_with_interval(estimate_record(line.vanished))} {what})"


def _names(lines: Sequence[BillEntry]) -> str:
    return listed([entry_label(line) for line in lines])


def _nothing_told(system: SystemBill) -> str:
    floor, ceiling = (percent_with_interval(estimate_record(one.vanished)) for one in (system.nothing, system.another))
    return (
        f"What it reads cannot be told: {floor} of the hits vanish when nothing changes, {ceiling} when all of it does."
    )


def _estimates(line: BillEntry) -> list[tuple[str, Estimate]]:
    found = [
        ("vanished", line.vanished),
        ("overlap", line.overlap),
        ("first kept", line.first_kept),
        ("rank of the former first", line.rank),
        ("change of its score", line.score),
    ]
    return [*found, ("answer stays", line.answer)] if line.answer is not None else found


def _plain(estimate: Estimate) -> list[str]:
    figures = ["" if value is None else f"{value:.6f}" for value in (estimate.value, estimate.low, estimate.high)]
    return [*figures, str(estimate.n)]
