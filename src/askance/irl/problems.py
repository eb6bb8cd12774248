"""What is wrong with a query: found all at once, said with its place, and raised as one error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from askance.core.errors import BadInput
from askance.irl.codes import Code
from askance.irl.excerpt import Mark, excerpts, line_and_column, visible
from askance.irl.limits import MOST_PROBLEMS
from askance.irl.nodes import Span


@dataclass(frozen=True)
class Note:
    """A further remark, about another place of the query where it has a span."""

    message: str
    span: Span | None = None


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    `span`: code points of the source; `line` and `column` count from 1. None where there is no text. `path`: where it
    stands in the JSON form, as `$.parts[1].slop`. `label`: said beside the caret. `hint`: what to do.
    """

    code: Code
    message: str
    span: Span | None = None
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    label: str = ""
    path: str | None = None

    def placed(self, source: str) -> Problem:
        """The same with line and column, counted in `source`."""
        if self.span is None:
            return self
        line, column = line_and_column(source, self.span.start)
        return replace(self, line=line, column=column)

    def to_dict(self) -> dict[str, Any]:
        """The machine form: what is None or empty is there too, so that every problem has the same keys."""
        return {
            "code": str(self.code),
            "message": self.message,
            "span": list(self.span) if self.span else None,
            "line": self.line,
            "column": self.column,
            "hint": self.hint,
            "notes": [{"message": note.message, "span": list(note.span) if note.span else None} for note in self.notes],
            "label": self.label,
            "path": self.path,
        }

    def render(self, source: str | None = None) -> str:
        """For people: the code, the text with a caret under the place, the hint. Nothing in it steers a terminal."""
        lines = [f"error[{self.code}]: {visible(self.message)}"]
        if self.path is not None:
            lines.append(f"  at {visible(self.path)}")
        if source is not None and self.span is not None:
            marks = [Mark(self.span, self.label)]
            marks += [Mark(note.span, note.message, primary=False) for note in self.notes if note.span is not None]
            lines += excerpts(source, marks)
        if self.hint:
            lines.append(f"  help: {visible(self.hint)}")
        lines += [f"  note: {visible(note.message)}" for note in self.notes if note.span is None or source is None]
        return "\n".join(lines)


class BadQuery(BadInput):
    """A query that cannot be read, or cannot run. `problems`: all that was found; `source`: the text, if any."""

    def __init__(self, problems: Sequence[Problem], source: str | None = None) -> None:
        self.source = source
        self.problems = tuple(problem if source is None else problem.placed(source) for problem in problems)
        super().__init__(self.render())

    def render(self) -> str:
        """All problems, one below the other."""
        shown = [problem.render(self.source) for problem in self.problems[:MOST_PROBLEMS]]
        if len(self.problems) > MOST_PROBLEMS:
            shown.append(f"and {len(self.problems) - MOST_PROBLEMS} more")
        return "\n".join(shown)

    def to_dict(self) -> dict[str, Any]:
        """The machine form."""
        return {"source": self.source, "problems": [problem.to_dict() for problem in self.problems]}


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Which of `known` is most like `name`, whatever its case; None where none is near."""
    if len(name) > 60:
        return None
    by_case = {one.lower(): one for one in known}
    near = get_close_matches(name.lower(), by_case, n=1, cutoff=0.5)
    return by_case[near[0]] if near else None


def suggestion(name: str, known: Sequence[str], quoted: bool = False) -> str:
    """'did you mean x? Known: …' for a name that is not among `known`."""
    near = nearest(name, known)
    listed = ", ".join(f'"{one}"' if quoted else one for one in known[:20]) or "none"
    more = ", …" if len(known) > 20 else ""
    return f"{f'did you mean {near}? ' if near else ''}There are: {listed}{more}"


def quoted(text: str, longest: int = 40) -> str:
    """`text` for a message: in quotes, on one line, cut."""
    shown = visible(text[:longest])
    return f'"{shown}…"' if len(text) > longest else f'"{shown}"'
