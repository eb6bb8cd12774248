"""Text of a query to its tree: `parse`, and `read`, which also gives what could be read where something is wrong.

Clauses are made from the inside out on a stack, so that no depth of parentheses exhausts Python's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from askance.irl.clauses import OPERATORS
from askance.irl.codes import Code
from askance.irl.lexer import SURROGATE, Kind, Token, tokens
from askance.irl.limits import DEEPEST, LONGEST, MOST_PROBLEMS, nesting
from askance.irl.nodes import Node, Span
from askance.irl.problems import BadQuery, Note, Problem, nearest, quoted
from askance.irl.reading import Group, Item, Reading


class Read(NamedTuple):
    """`node`: the query, None where it has a problem. `problems`: in order of place."""

    node: Node | None
    problems: tuple[Problem, ...]


@dataclass
class _Open:
    """A parenthesis that is not closed yet."""

    start: int
    items: list[Item] = field(default_factory=list)


def parse(text: str) -> Node:
    """The query that `text` is. BadQuery, with everything that is wrong, where it is none."""
    found = read(text)
    if found.node is None:
        raise BadQuery(found.problems, text)
    return found.node


def read(text: str) -> Read:
    """The query and its problems; reading stops at the twentieth. Time grows linearly with the length of the text."""
    if len(text) > LONGEST:
        message = f"the query has {len(text):,} characters, of at most {LONGEST:,}"
        return Read(None, (Problem(Code.TOO_LONG, message, Span(LONGEST, LONGEST + 1), hint="shorten its texts"),))
    problems = [] if text.isascii() else _half_characters(text)
    if problems:
        return Read(None, tuple(problems))
    node = _Parser(text, problems).run()
    if problems:
        problems.sort(key=lambda problem: problem.span or Span(0, 0))
        return Read(None, tuple(problems[:MOST_PROBLEMS]))
    return Read(node, ())


def _half_characters(text: str) -> list[Problem]:
    found = SURROGATE.search(text)
    if found is None:
        return []
    message = f"half a character (the lone surrogate U+{ord(found[0]):04X}) cannot be searched for"
    return [Problem(Code.BAD_ESCAPE, message, Span(*found.span()), hint="leave it out")]


class _Parser:
    def __init__(self, source: str, problems: list[Problem]) -> None:
        self.source = source
        self.problems = problems
        self.open: list[_Open] = []
        self.top: list[Item] = []
        self.deepest = 0

    def run(self) -> Node | None:
        unended = False
        items = self.top
        for token in tokens(self.source, self.problems):
            kind = token.kind
            if kind is Kind.OPEN:
                self.open.append(_Open(token.start))
                items = self.open[-1].items
                if len(self.open) > DEEPEST:
                    self._too_deep(Span(token.start, token.end))
                    return None
            elif kind is Kind.CLOSE:
                items = self._close(token)
            else:
                items.append(token)
                unended = unended or kind is Kind.UNENDED
            if len(self.problems) >= MOST_PROBLEMS:
                return None
        if self.open and not unended:
            self._unclosed()
        elif not any(problem.code is Code.STRAY_PARENTHESIS for problem in self.problems):
            return self._only()
        return None

    def _close(self, token: Token) -> list[Item]:
        """Makes the clause that ends here; where the next items go."""
        if not self.open:
            hint = "take it away, or open a clause before it"
            message = "this parenthesis closes nothing"
            self.problems.append(Problem(Code.STRAY_PARENTHESIS, message, Span(token.start, token.end), hint=hint))
            return self.top
        ended = self.open.pop()
        self.deepest = max(self.deepest, len(self.open) + 1)
        items = self.open[-1].items if self.open else self.top
        items.append(self._group(ended, token.end))
        return items

    def _group(self, opened: _Open, end: int) -> Group:
        items, start = opened.items, opened.start
        numbers = tuple(item for item in items if isinstance(item, Token) and item.kind is Kind.NUMBER)
        if items and len(numbers) == len(items):
            return Group(start, end, numbers=numbers)
        span = Span(start, end)
        operator = self._operator(items, span)
        if operator is None:
            return Group(start, end)
        rule = OPERATORS[operator]
        reading = Reading(operator, span, self.source, self.problems)
        reading.sort(items[1:], rule.all_options)
        if not reading.expect(rule.form, rule.least, rule.most):
            return Group(start, end)
        return Group(start, end, reading.boosted(rule.make(reading)))

    def _operator(self, items: list[Item], span: Span) -> str | None:
        """The operator that a clause begins with; None, and a problem, where there is none."""
        head = items[0] if items else None
        if isinstance(head, Token) and head.kind is Kind.WORD:
            if head.value in OPERATORS:
                return str(head.value)
            name = str(head.value)
            near = nearest(name, list(OPERATORS))
            hint = f"{f'did you mean {near}? ' if near else ''}There are: {', '.join(OPERATORS)}"
            self._say(Code.UNKNOWN_OPERATOR, f"there is no operator {quoted(name)}", Span(head.start, head.end), hint)
            return None
        if head is None:
            self._say(Code.UNKNOWN_OPERATOR, "nothing between the parentheses", span, f"one of: {', '.join(OPERATORS)}")
        elif isinstance(head, Group):
            if head.node is not None or head.numbers is not None:
                where = Span(span.start, head.start + 1)
                self._say(Code.UNKNOWN_OPERATOR, "a clause begins with its operator", where, "as in (or (…) (…))")
        elif head.kind is Kind.TEXT and len(items) == 1:
            text = self.source[head.start : head.end]
            hint = f"as in (lex {text})" if len(text) <= 60 else 'as in (lex "…")'
            self._say(Code.UNKNOWN_OPERATOR, "a text without an operator", Span(head.start, head.end), hint)
        elif head.kind is not Kind.OTHER:
            where = Span(head.start, head.end)
            self._say(
                Code.UNKNOWN_OPERATOR, "a clause begins with its operator", where, f"one of: {', '.join(OPERATORS)}"
            )
        return None

    def _only(self) -> Node | None:
        """The one clause at the top."""
        if not self.top and not self.problems:
            end = len(self.source)
            self._say(Code.EMPTY_QUERY, "the query is empty", Span(end, end), 'as in (lex "Birch Trees")')
            return None
        if not self.top:
            return None
        first = self.top[0]
        if any(isinstance(item, Token) and item.kind in (Kind.OTHER, Kind.UNENDED) for item in self.top):
            return None
        if len(self.top) > 1:
            extra = self.top[1]
            hint = "put several clauses into one: (or (…) (…))"
            message = f"one clause makes a query, found {len(self.top)}"
            note = Note("first", Span(first.start, first.end))
            self._say(Code.NOT_ONE_QUERY, message, Span(extra.start, extra.end), hint, (note,))
            return None
        if isinstance(first, Group) and first.node is None and first.numbers is None:
            return None
        if not isinstance(first, Group) or first.node is None:
            hint = 'as in (lex "Birch Trees")'
            self._say(Code.NOT_ONE_QUERY, "a query is a clause in parentheses", Span(first.start, first.end), hint)
            return None
        if 3 * self.deepest > DEEPEST and nesting(first.node) > DEEPEST:  # short forms add up to two clauses each
            self._too_deep(Span(first.start, first.end))
            return None
        return first.node

    def _unclosed(self) -> None:
        for opened in self.open:
            if opened.items and isinstance(opened.items[0], Token):
                self._operator(opened.items, Span(opened.start, opened.start + 1))
        *outer, last = (Span(opened.start, opened.start + 1) for opened in self.open)
        end = len(self.source.rstrip())
        notes = [Note("never closed either", span) for span in reversed(outer[-3:])]
        notes.append(Note("the query ends here", Span(end, end)))
        count = len(self.open)
        message = "a parenthesis is never closed" if count == 1 else f"{count} parentheses are never closed"
        self._say(Code.UNCLOSED, message, last, f"add {')' * min(count, 20)}", tuple(notes), "opened here")

    def _too_deep(self, span: Span) -> None:
        self._say(Code.TOO_DEEP, f"more than {DEEPEST} clauses inside one another", span, "flatten the query")

    def _say(
        self, code: Code, message: str, span: Span, hint: str | None, notes: tuple[Note, ...] = (), label: str = ""
    ) -> None:
        self.problems.append(Problem(code, message, span, hint=hint, notes=notes, label=label))
