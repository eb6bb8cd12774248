"""What an index answered, for a terminal: the stages of a question, the hits, what each clause gave to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from askance.engines.engine import Explanation
from askance.engines.found import Found, leaves_of
from askance.engines.why_not import WhyNot
from askance.irl.printer import print_query
from askance.report.grid import Column, Grid, as_table
from askance.report.numbers import count, counted
from askance.report.texts import clean, one_line

if TYPE_CHECKING:
    from rich.console import Console

STAGES = (Column("stage"), Column("gives"), Column("rule"))
_SCALES = {"lucene": "Lucene's scale", "legacy": "the legacy scale, 2.2 times Lucene's"}


def stages_grid(found: Found) -> Grid | None:
    """How a question became an expression, a row a stage; None where none was rewritten."""
    if found.rewritten is None:
        return None
    rows = [
        [stage.stage, one_line(stage.output), "; ".join([stage.rule, *stage.notes])] for stage in found.rewritten.stages
    ]
    return Grid(f"Question: {one_line(found.rewritten.stages[0].input)}", STAGES, rows)


def hits_grid(found: Found) -> Grid:
    """The hits; where they are explained, a column a clause that stands alone: what it gave, or – where it missed."""
    columns = [Column("rank", True), Column("score", True), Column("document")]
    clauses = [leaf.clause for leaf in leaves_of(found.explanations[0])] if found.explanations else []
    columns += [Column(clause, True) for clause in clauses]
    rows = []
    for rank, (id, score) in enumerate(zip(found.answer.documents, found.answer.scores, strict=True), start=1):
        row = [str(rank), f"{score:.4f}", id]
        if found.explanations:
            row += [_given(leaf) for leaf in leaves_of(found.explanations[rank - 1])]
        rows.append(row)
    return Grid(_caption(found), columns, rows)


def note_lines(found: Found) -> Iterator[str]:
    """What the reader should know, a sentence each."""
    yield from found.answer.notes


def why_not_lines(found: WhyNot) -> Iterator[str]:
    """The verdict, then clause by clause what the document has and lacks."""
    yield found.sentence
    for leaf in leaves_of(found.explanation):
        mark = "✓" if leaf.matches else "✗"
        score = f" {leaf.score:.4f}" if leaf.score is not None else ""
        yield f"  {mark} {leaf.clause}{score}: {leaf.why}"


def _caption(found: Found) -> str:
    shown, total = len(found.answer.documents), found.answer.total
    title = f"{found.name}: " if found.name else ""
    if not total:
        return f"{title}{print_query(found.query)}\nno document matches"
    which = (
        f"the first {count(shown)} of {counted(total, 'match', 'matches')}"
        if shown < total
        else counted(total, "match", "matches")
    )
    return f"{title}{print_query(found.query)}\n{which}; scores on {_SCALES[found.scale]}"


def _given(leaf: Explanation) -> str:
    if leaf.score is None:
        return "–"
    return f"{leaf.score:.4f}" + (f" (no. {leaf.rank})" if leaf.rank is not None else "")


def print_answers(found: Sequence[Found], console: Console) -> None:
    """All tables and notes of these answers, in order."""
    for one in found:
        stages = stages_grid(one)
        for grid in (stages, hits_grid(one)):
            if grid is not None:
                console.print(as_table(grid))
        for line in note_lines(one):
            console.print(clean(f"• {line}"), markup=False, highlight=False)
