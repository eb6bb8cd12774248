"""What an index answered, for a terminal: the stages of a question, the hits, what each clause gave to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from askance.engines.engine import Explanation
from askance.engines.found import Excerpt, Found, leaves_of
from askance.irl.nodes import Boost, Fuse
from askance.irl.printer import pretty, print_query
from askance.report.columns import around, beginning, fitted, widest
from askance.report.grid import Column, Grid, as_table
from askance.report.numbers import DASH, count, counted
from askance.report.texts import clean, cut_at, isolated, one_line

if TYPE_CHECKING:
    from rich.console import Console

_SCALES = {"lucene": "Lucene's scale", "legacy": "the legacy scale, 2.2 times Lucene's"}
_GAP = 3  # columns between two cells
_LEAST_ID, _LEAST_TEXT = 12, 20
_LONGEST_STAGE, _LONGEST_QUESTION = 160, 300  # characters
_FLAG = "!"


def print_answers(found: Sequence[Found], console: Console, *, many: bool = False) -> None:
    """All there is to say of one answer; of `many`, a row each, unless they are explained."""
    if many and not any(one.explanations for one in found):
        console.print(as_table(answers_grid(found, console.width)))
        return
    for one in found:
        _print_answer(one, console)


def _print_answer(found: Found, console: Console) -> None:
    if found.name:
        _plain(console, [f"Query {one_line(found.name)}"])
    stages = stages_grid(found)
    if stages is not None:
        console.print(as_table(stages))
    _plain(console, expression_lines(found, console.width))
    console.print(as_table(hits_grid(found, console.width)))
    _plain(console, [*legend_lines(found, console.width), *(f"• {line}" for line in note_lines(found))])


def stages_grid(found: Found) -> Grid | None:
    """How a question became an expression, a row a stage; None where none was rewritten."""
    if found.rewritten is None:
        return None
    stages = found.rewritten.stages
    rows = []
    for stage in stages:
        given = "the query below" if stage is stages[-1] else _cut(stage.output, _LONGEST_STAGE)
        mark = f" {_FLAG}" if stage.flagged else ""
        rows.append([stage.stage + mark, given, "\n".join(map(one_line, (stage.rule, *stage.notes)))])
    asked = _cut(stages[0].input, _LONGEST_QUESTION)
    return Grid(f"Question: {asked}", (Column("stage"), Column("gives"), Column("by")), rows)


def expression_lines(found: Found, width: int) -> list[str]:
    """The expression, over several lines where it is long, and how much matches."""
    expression = print_query(found.query)
    lines = [expression] if len(expression) <= width else pretty(found.query).split("\n")
    return [beginning(line, width) for line in lines[:40]] + (["…"] if len(lines) > 40 else [])


def hits_grid(found: Found, width: int) -> Grid:
    """The hits, in `width` columns: with their texts, or with what each clause gave, clauses called A, B, C …"""
    scores = _decimals(found)
    fixed = [[str(rank) for rank in range(1, len(scores) + 1)], scores]
    room = width - 2 - sum(_GAP + widest(heading, column) for heading, column in zip(_FIXED, fixed, strict=True))
    names = [one_line(id) for id in found.answer.documents]
    further = _clause_columns(found, room) if found.explanations else []
    used = sum(_GAP + widest(column.heading, cells) for column, cells in further)
    longest = widest("document", names)
    if not further and found.excerpts:
        longest = min(longest, max(_LEAST_ID, room // 3))
        text_room = room - longest - _GAP
        if text_room >= _LEAST_TEXT:
            further = [(Column("text"), [_excerpt(one, text_room) for one in found.excerpts])]
            used = text_room + _GAP
    longest = min(longest, max(_LEAST_ID, room - used))
    documents = [isolated(fitted(name, longest)) for name in names]
    columns = [Column("rank", True), Column("score", True), Column("document"), *(column for column, _ in further)]
    cells = [*fixed, documents, *(each for _, each in further)]
    return Grid(_caption(found), columns, list(zip(*cells, strict=True)))


def legend_lines(found: Found, width: int) -> Iterator[str]:
    """Which clause each letter stands for, in how many of the hits it is, and what the signs mean."""
    if not found.explanations:
        return
    by_clause = _by_clause(found)
    for letter, leaves in zip(letters(len(by_clause)), by_clause, strict=True):
        missed = sum(not leaf.matches for leaf in leaves)
        said = f"  (not in {count(missed)} of {count(len(leaves))})" if missed else ""
        yield f"{letter}  {beginning(leaves[0].clause, width - 3 - len(said))}{said}"
    yield f"{DASH}  does not match;  #2  second place of the clause's own list"


def note_lines(found: Found) -> Iterator[str]:
    """What the reader should know, a sentence each."""
    for stage in found.rewritten.stages if found.rewritten is not None else ():
        if stage.flagged:
            why = _cut("; ".join((stage.rule, *stage.notes)), _LONGEST_QUESTION)
            yield f"To be checked, stage {stage.stage}: {why}."
    yield from found.answer.notes


def answers_grid(found: Sequence[Found], width: int) -> Grid:
    """A row a query: what was asked for, how many documents match, the first of them."""
    asked = [one.rewritten.keyword if one.rewritten else print_query(one.query) for one in found]
    names = [one_line(one.name) for one in found]
    totals = [count(one.answer.total) for one in found]
    name_room = min(widest("query", names), width // 4)
    total_room = widest("matches", totals)
    room = width - 2 - name_room - total_room - 3 * _GAP
    asked_room = min(widest("asked for", asked), room // 2)
    rows = [
        [
            isolated(fitted(name, name_room)),
            isolated(fitted(what or DASH, asked_room)),
            total,
            _first(one, room - asked_room),
        ]
        for name, what, total, one in zip(names, asked, totals, found, strict=True)
    ]
    columns = (Column("query"), Column("asked for"), Column("matches", True), Column("first documents"))
    without = sum(not one.answer.documents for one in found)
    said = f", {count(without)} without a hit" if without else ""
    return Grid(f"{counted(len(found), 'query', 'queries')}{said}", columns, rows)


def hits_rows(found: Sequence[Found]) -> Grid:
    """All hits of all queries as one table for machines: a hit a row, its clauses in one cell."""
    columns = (
        Column("query"),
        Column("rank", True),
        Column("document"),
        Column("score", True),
        *((Column("clauses"),) if any(one.explanations for one in found) else ()),
    )
    rows = []
    for one in found:
        name = one.name or (one.rewritten.stages[0].input if one.rewritten else print_query(one.query))
        for at, (id, score) in enumerate(zip(one.answer.documents, one.answer.scores.tolist(), strict=True)):
            row = [name, str(at + 1), id, repr(score)]
            if len(columns) > 4:
                leaves = leaves_of(one.explanations[at])
                row.append("; ".join(f"{leaf.clause} {_given(leaf)}" for leaf in leaves))
            rows.append(row)
    return Grid("hits", columns, rows)


def letters(many: int) -> list[str]:
    """A, B … Z, AA, AB …"""
    found = []
    for number in range(many):
        name, rest = "", number
        while rest >= 0:
            name, rest = chr(ord("A") + rest % 26) + name, rest // 26 - 1
        found.append(name)
    return found


_FIXED = ("rank", "score")


def _caption(found: Found) -> str:
    shown, total = len(found.answer.documents), found.answer.total
    if not total:
        return "no document matches"
    which = (
        f"the first {count(shown)} of {counted(total, 'match', 'matches')}"
        if shown < total
        else counted(total, "match", "matches")
    )
    return f"{which}; {_scale(found)}"


def _scale(found: Found) -> str:
    query = found.query
    while isinstance(query, Boost):
        query = query.child
    if isinstance(query, Fuse) and query.kind != "sum":
        return f"scores fused by {query.kind}"
    return f"scores on {_SCALES[found.scale]}"


def _decimals(found: Found) -> list[str]:
    """Scores; more decimals where all are small, as ranks fused are."""
    scores = found.answer.scores.tolist()
    places = 4 if any(abs(score) >= 1 for score in scores) else 6
    return [f"{score:.{places}f}" for score in scores]


def _by_clause(found: Found) -> list[list[Explanation]]:
    """What each clause gave to each hit, clause by clause."""
    return [list(leaves) for leaves in zip(*map(leaves_of, found.explanations), strict=True)]


def _clause_columns(found: Found, room: int) -> list[tuple[Column, list[str]]]:
    """A column a clause; all in one column, which is folded, where there are too many of them."""
    by_clause = _by_clause(found)
    names = letters(len(by_clause))
    columns = [
        (Column(name, True), [_given(leaf) for leaf in leaves]) for name, leaves in zip(names, by_clause, strict=True)
    ]
    if sum(_GAP + widest(column.heading, cells) for column, cells in columns) + _LEAST_ID <= room:
        return columns
    together = []
    for leaves in map(leaves_of, found.explanations):
        there = [f"{name} {_given(leaf)}" for name, leaf in zip(names, leaves, strict=True) if leaf.matches]
        missing = [name for name, leaf in zip(names, leaves, strict=True) if not leaf.matches]
        together.append(_folded(there + ([f"not in {' '.join(missing)}"] if missing else []), room - _LEAST_ID - _GAP))
    return [(Column("clauses"), together)]


def _folded(parts: Sequence[str], width: int) -> str:
    """The parts with commas between, on as many lines as they take; no part is parted."""
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]}, {part}" if lines[-1] else part
        if len(longer) > width and lines[-1]:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def _given(leaf: Explanation) -> str:
    if leaf.score is None:
        return DASH
    if leaf.kind in ("filter", "not"):
        return "✓"
    places = 4 if abs(leaf.score) >= 0.1 or not leaf.score else 6
    return f"{leaf.score:.{places}f}" + (f" #{leaf.rank}" if leaf.rank is not None else "")


def _excerpt(excerpt: Excerpt, width: int) -> str:
    return around(excerpt.text, excerpt.start, width)


def _first(found: Found, width: int) -> str:
    """As many of the first documents as there is room for, at least the first."""
    names = [isolated(one_line(id)) for id in found.answer.documents]
    if not names:
        return DASH
    shown = fitted(names[0], width)
    for name in names[1:]:
        longer = f"{shown}, {name}"
        if widest("", [longer]) > width - 3:
            return f"{shown}, …" if widest("", [shown]) <= width - 3 else shown
        shown = longer
    return shown


def _cut(text: str, limit: int) -> str:
    shown, more = cut_at(one_line(text), limit)
    return f"{shown} ({more})" if more else shown


def _plain(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(clean(line), markup=False, highlight=False)
