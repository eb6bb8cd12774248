"""One clause while it is read: its arguments and options, taken one by one, each complaint kept with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from askance.irl.codes import Code
from askance.irl.lexer import NO_NUMBERS, Kind, Token
from askance.irl.limits import MOST_PROBLEMS, WEIGHT, NumberRule
from askance.irl.nodes import Boost, Node, Span
from askance.irl.problems import Note, Problem, quoted, suggestion


class Group(NamedTuple):
    """Something in parentheses: a clause (`node`), a list of numbers (`numbers`), or neither where it is wrong."""

    start: int
    end: int
    node: Node | None = None
    numbers: tuple[Token, ...] | None = None


Item = Token | Group


@dataclass
class Reading:
    """A clause with its operator read. `options`: name → its own token and the value after it."""

    operator: str
    span: Span
    source: str
    problems: list[Problem]
    arguments: list[Item] = field(default_factory=list)
    options: dict[str, tuple[Token, Item]] = field(default_factory=dict)

    def complain(
        self,
        code: Code,
        message: str,
        span: Span,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        label: str = "",
    ) -> None:
        self.problems.append(Problem(code, message, span, hint=hint, notes=notes, label=label))

    def place(self, item: Item) -> Span:
        return Span(item.start, item.end)

    def sort(self, items: list[Item], known: tuple[str, ...]) -> None:
        """Divides what follows the operator into arguments and options."""
        if not any(isinstance(item, Token) and item.kind == Kind.OPTION for item in items):
            self.arguments = items
            return
        waiting = list(reversed(items))
        while waiting and len(self.problems) < MOST_PROBLEMS:
            item = waiting.pop()
            if not isinstance(item, Token) or item.kind != Kind.OPTION:
                self.arguments.append(item)
                continue
            self._option(item, waiting, known)

    def _option(self, option: Token, waiting: list[Item], known: tuple[str, ...]) -> None:
        name = str(option.value)
        follows = waiting[-1] if waiting else None
        is_value = follows is not None and not (isinstance(follows, Token) and follows.kind == Kind.OPTION)
        if name not in known:
            near = suggestion(name, known)
            self.complain(Code.UNKNOWN_OPTION, f"{self.operator} has no option :{name}", self.place(option), hint=near)
            if is_value and not (isinstance(follows, Group) and follows.numbers is None):
                waiting.pop()
            return
        if not is_value:
            self.complain(Code.OPTION_WITHOUT_VALUE, f":{name} has no value after it", self.place(option))
            return
        value = waiting.pop()
        if name in self.options:
            first = Note("first given here", self.place(self.options[name][0]))
            self.complain(Code.REPEATED_OPTION, f":{name} is given twice", self.place(option), notes=(first,))
            return
        self.options[name] = (option, value)

    def expect(self, form: str, least: int, most: int | None) -> bool:
        """Whether the number of arguments is right; a complaint with the right `form` where it is not."""
        count = len(self.arguments)
        if count >= least and (most is None or count <= most):
            return True
        if any(isinstance(item, Token) and item.kind == Kind.OTHER for item in self.arguments):
            return False  # what cannot be read may be an option, or two things: it has been said
        if count < least:
            wanted = f"{least}" if most == least else f"at least {least}"
            where = self.span
        else:
            wanted = f"{most}" if least == most else f"at most {most}"
            where = Span(self.arguments[most or 0].start, self.arguments[-1].end)
        hint = f"it is written {form}"
        if self._touching():
            hint += r"; inside a text a quote is written \""
        plural = "" if wanted.split()[-1] == "1" else "s"
        message = f"{self.operator} takes {wanted} argument{plural}, found {count}"
        self.complain(Code.ARITY, message, where, hint=hint)
        return False

    def _touching(self) -> bool:
        """Whether a text stands against its neighbour, as where a quote inside it was not escaped."""
        texts = (item for item in self.arguments if isinstance(item, Token) and item.kind == Kind.TEXT)
        starts = {item.start for item in self.arguments}
        return any(text.end in starts for text in texts)

    def text(self, item: Item, what: str) -> str | None:
        """The text in quotes that `item` is."""
        if isinstance(item, Token) and item.kind in (Kind.TEXT, Kind.UNENDED):
            return str(item.value)
        written = self.source[item.start : item.end]
        hint = (
            f'a text stands in double quotes: "{written}"' if isinstance(item, Token) and len(written) <= 40 else None
        )
        self._wrong(item, f"{what} is a text in double quotes", hint)
        return None

    def name(self, item: Item, what: str) -> str | None:
        """The word, or text, that `item` is."""
        if isinstance(item, Token) and item.kind in (Kind.WORD, Kind.TEXT):
            return str(item.value)
        self._wrong(item, f"{what} is a word or a text in double quotes", None)
        return None

    def clause(self, item: Item) -> Node | None:
        """The clause that `item` is."""
        if isinstance(item, Group) and (item.node is not None or item.numbers is None):
            return item.node
        hint = None
        if isinstance(item, Token) and item.kind == Kind.TEXT:
            hint = (
                f"words are searched with (lex {self.source[item.start : item.end]})"
                if item.end - item.start <= 60
                else None
            )
        self._wrong(item, f"{self.operator} takes clauses", hint)
        return None

    def clauses(self, items: list[Item]) -> tuple[Node, ...] | None:
        """All of them; None where one is wrong."""
        found = [self.clause(item) for item in items]
        right = tuple(node for node in found if node is not None)
        return right if len(right) == len(found) else None

    def number(self, item: Item, rule: NumberRule) -> float | None:
        """The number that `item` is."""
        if isinstance(item, Token) and item.kind == Kind.NUMBER:
            complaint = rule.complaint(item.value)
            if complaint is None:
                return rule.read(item.value)  # type: ignore[arg-type]
            self.complain(Code.NUMBER, complaint, self.place(item))
        elif isinstance(item, Token) and item.kind == Kind.WORD and NO_NUMBERS.fullmatch(str(item.value)):
            self.complain(Code.NUMBER, f"{rule.name} is {rule.expected}, not {item.value}", self.place(item))
        else:
            self._wrong(item, f"{rule.name} is {rule.expected}", None)
        return None

    def choice(self, item: Item, what: str, known: tuple[str, ...]) -> str | None:
        """The word of `known` that `item` is."""
        if isinstance(item, Token) and item.kind in (Kind.WORD, Kind.TEXT):
            if item.value in known:
                return str(item.value)
            near = suggestion(str(item.value), known)
            self.complain(
                Code.UNKNOWN_CHOICE, f"there is no {what} {quoted(str(item.value))}", self.place(item), hint=near
            )
            return None
        self._wrong(item, f"the {what} is one of {', '.join(known)}", None)
        return None

    def option_number(self, name: str, rule: NumberRule, default: float) -> float:
        """An option's number; the default where it is not given, or wrong."""
        if name not in self.options:
            return default
        found = self.number(self.options[name][1], rule)
        return default if found is None else found

    def useless(self, name: str, why: str, hint: str | None = None) -> None:
        """Complains of an option that would change nothing."""
        option = self.options[name][0]
        self.complain(Code.OPTION_WITHOUT_EFFECT, f":{name} {why}", self.place(option), hint=hint)

    def boosted(self, node: Node | None) -> Node | None:
        """`node` under its :boost."""
        if "boost" not in self.options:
            return node
        weight = self.number(self.options["boost"][1], WEIGHT)
        return node if node is None or weight is None else Boost(weight, node, span=self.span)

    def _wrong(self, item: Item, expected: str, hint: str | None) -> None:
        """A complaint about the kind of an argument, unless it was wrong in itself, which has been said."""
        if isinstance(item, Token):
            if item.kind not in (Kind.OTHER, Kind.UNENDED):
                found = quoted(self.source[item.start : item.end].strip('"'))
                self.complain(
                    Code.ARGUMENT, f"{expected}; found {_KINDS[item.kind]} {found}", self.place(item), hint=hint
                )
        elif item.node is not None or item.numbers is not None:
            found = "a clause" if item.node is not None else "a list of numbers"
            self.complain(Code.ARGUMENT, f"{expected}; found {found}", self.place(item), hint=hint)


_KINDS = {Kind.TEXT: "the text", Kind.WORD: "the word", Kind.NUMBER: "the number"}
