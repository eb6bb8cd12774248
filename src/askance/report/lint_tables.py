"""What lint found: a table a kind for the terminal, one table for machines, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from askance.irl.lint.findings import HARMS, KINDS, Finding, Kind, LintFound
from askance.report.grid import Column, Grid
from askance.report.numbers import DASH, count, counted, listed
from askance.report.texts import shorten

MOST_ROWS = 20
_MOST_INSIDE, _MOST_QUERIES, _LONGEST, _LONGEST_INSIDE = 2, 2, 30, 44

_REMEDIES: dict[Kind, str] = {
    "item in name": "index the name as a field of its own",
    "outside the schema": "write a schema for the documents that this one does not split",
    "item in item": "ask for exact items",
    "across a boundary": "index items as an array, not as a sentence",
    "template words": "search the field items, not the text",
    "other relation": "index the relation beside its items and ask for it",
    "ambiguous item": "give the items that differ in marks only another name",
    "no item": "check these questions: nothing they ask for is an item",
    "wordless item": "give the items without words another name",
    "not in the text": "search the field items: the text does not name what the documents hold",
}


def lint_grids(found: LintFound, *, every: bool = False) -> Iterator[Grid]:
    """A table a kind, worst first, for 80 to 100 columns; `every`: what displaces nothing as well."""
    shown = found.findings if every else found.harmful
    kinds = dict.fromkeys(finding.kind for finding in shown)
    for kind in kinds:
        yield _kind_grid(kind, [finding for finding in shown if finding.kind == kind], found)


def lint_lines(found: LintFound, *, every: bool = False) -> list[str]:
    """What it comes to, what is not shown, and what to do."""
    what = "items" if found.by_item else "questions"
    one = "item" if found.by_item else "question"
    lines = []
    if found.outside:
        reasons = listed([f"{reason} {count(number)}" for reason, number in found.outside.items()])
        outside = sum(found.outside.values())
        lines.append(
            f"The schema does not split {counted(outside, 'document', 'documents')} ({reasons}): "
            "searchable as text, never an exact hit."
        )
    harmless = Counter(finding.kind for finding in found.findings if finding.harm == "none")
    if harmless and not every:
        kinds = listed([f"{kind} {count(number)}" for kind, number in harmless.most_common()])
        lines.append(f"Findings that displace no answer: {kinds}. --all lists them.")
    if not found.questions:
        lines.append(
            f"No {one} of {count(found.asked)} is foretold to fail in a phrase search over the text of "
            f"{counted(found.documents, 'document', 'documents')}."
        )
        return lines
    harms = {harm: found.failing(harm) for harm in HARMS}
    said = {
        "hidden": f"with an answer beyond the first {count(found.cut)}",
        "unfindable": "with an answer that no phrase finds",
        "outranked": "with other documents before an answer",
    }
    parts = listed([f"{count(harms[harm])} {said[harm]}" for harm in HARMS if harms[harm]])
    lines.append(f"{count(found.failing())} of {count(found.asked)} {what} will fail: {parts}.")
    return [*lines, f"To do: {_remedies(found)}."]


def lint_figures_grid(found: LintFound, *, every: bool = False) -> Grid:
    """The same as one table for machines: a finding a row."""
    columns = (
        Column("kind"),
        Column("text"),
        Column("inside"),
        Column("harm"),
        Column("documents", True),
        Column("before", True),
        Column("last", True),
        Column("example"),
        Column("queries"),
        Column("why"),
    )
    rows = [
        [
            each.kind,
            each.text,
            each.inside,
            each.harm,
            str(each.documents),
            str(each.before),
            "" if each.last is None else str(each.last),
            each.example,
            " ".join(each.queries),
            each.why,
        ]
        for each in (found.findings if every else found.harmful)
    ]
    return Grid(found.name, columns, rows)


def _kind_grid(kind: Kind, findings: Sequence[Finding], found: LintFound) -> Grid:
    by_text: dict[str, list[Finding]] = {}
    for finding in findings:
        by_text.setdefault(finding.text, []).append(finding)
    groups = sorted(by_text.values(), key=_weight)
    rows = [_row(each) for each in groups]
    if len(rows) > MOST_ROWS:
        rest = ["" for _ in rows[0]]
        rows = [*rows[:MOST_ROWS], [f"… and {count(len(rows) - MOST_ROWS)} more", *rest[1:]]]
    columns = [
        Column("asked for" if kind in _REMEDIES else "text"),
        Column("stands in (documents)" if kind in _REMEDIES else "near"),
        Column("last answer at", True),
        Column("queries"),
    ]
    kept = [at for at in range(len(columns)) if at == 0 or any(row[at] not in ("", DASH) for row in rows)]
    caption = f"{kind}: {KINDS[kind]}; {_failing(findings, found)}"
    return Grid(caption, [columns[at] for at in kept], [[row[at] for at in kept] for row in rows])


def _weight(findings: Sequence[Finding]) -> tuple[int, int, int]:
    """Sorts worst first: by harm, then by how many documents stand before answers, then by how many there are."""
    harm = min(HARMS.index(finding.harm) for finding in findings)
    return harm, -sum(finding.before for finding in findings), -sum(finding.documents for finding in findings)


def _failing(findings: Sequence[Finding], found: LintFound) -> str:
    """How many questions or items fail of it."""
    harmful = [finding for finding in findings if finding.harm != "none"]
    if not harmful:
        return f"{counted(len(findings), 'finding', 'findings')}, nothing is displaced"
    if found.by_item:
        return counted(len({finding.text for finding in harmful}), "item", "items")
    return counted(len({query for finding in harmful for query in finding.queries}), "question", "questions")


def _row(findings: Sequence[Finding]) -> list[str]:
    first = findings[0]
    inside = [_inside(finding) for finding in findings if _inside(finding)]
    more = len(inside) - _MOST_INSIDE
    said = ", ".join(inside[:_MOST_INSIDE]) + (f" and {count(more)} more" if more > 0 else "")
    queries = list(dict.fromkeys(query for finding in findings for query in finding.queries))
    last = max((finding.last for finding in findings if finding.last is not None), default=None)
    return [
        shorten(first.text, _LONGEST),
        said,
        DASH if last is None or first.harm == "none" else count(last),
        _queries(queries),
    ]


def _inside(finding: Finding) -> str:
    """What it stands in and how many such documents there are, or what else there is to say."""
    said = shorten(finding.inside, _LONGEST_INSIDE)
    documents = finding.before or finding.documents
    told = [each for each in (finding.why, count(documents) if documents else "") if each]
    if not said:
        return ", ".join(told)
    return f"{said} ({', '.join(told)})" if told and not _only_one(finding, documents) else said


def _only_one(finding: Finding, documents: int) -> bool:
    """A name stands for one document: that goes without saying."""
    return finding.kind == "item in name" and documents == 1


def _queries(queries: Sequence[str]) -> str:
    shown = ", ".join(shorten(query, _LONGEST) for query in queries[:_MOST_QUERIES])
    more = len(queries) - _MOST_QUERIES
    return f"{shown} and {count(more)} more" if more > 0 else shown


def _remedies(found: LintFound) -> str:
    kinds = dict.fromkeys(finding.kind for finding in found.harmful)
    told = [_REMEDIES[kind] for kind in kinds if kind in _REMEDIES]
    return "; ".join(dict.fromkeys(told))
