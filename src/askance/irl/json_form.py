"""A query as JSON: {"op": "or", "parts": [{"op": "knn", "text": "…"}, …]}. What the text form shortens is written out.

A key whose value is null is a key left out, so that models that must fill every key can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from askance.irl.codes import Code
from askance.irl.folding import fold
from askance.irl.json_keys import FORMS, Form, Key
from askance.irl.lexer import SURROGATE
from askance.irl.limits import DEEPEST, MOST_PROBLEMS, VALUE
from askance.irl.nodes import Filter, Node
from askance.irl.problems import BadQuery, Problem, quoted, suggestion
from askance.irl.shape import must_be_sound, of_clause

_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "knn": {"depth": 1000},
    "lex": {"match": "phrase", "slop": 0},
    "fuse": {"k": 60, "depth": 1000, "weights": (), "min_score": None},
    "filter": {"values": (), "from": None, "to": None},
}


def to_json(node: Node) -> dict[str, Any]:
    """The query as JSON values; what is as by default is left out. BadQuery as for printing."""
    must_be_sound(node)
    return fold(node, _written)


def from_json(value: object) -> Node:
    """The query that JSON values make. BadQuery with every problem and its path, as `$.parts[1].slop`."""
    reading = _Reading([])
    node = reading.run(value)
    if node is None:
        raise BadQuery(reading.problems[:MOST_PROBLEMS])
    return node


def _written(node: Node, children: list[dict[str, Any]]) -> dict[str, Any]:
    op = type(node).__name__.lower()
    written: dict[str, Any] = {"op": op}
    for name, key in FORMS[op].keys.items():
        if key.kind == "clauses":
            written[name] = children
        elif key.kind == "clause":
            written[name] = children[0]
        else:
            value = _attribute(node, name)
            if key.needed or value != _DEFAULTS[op][name]:
                written[name] = list(value) if isinstance(value, tuple) else value
    return written


def _attribute(node: Node, name: str) -> Any:
    return getattr(node, {"from": "low", "to": "high"}.get(name, name) if isinstance(node, Filter) else name)


@dataclass
class _Clause:
    """A clause whose own keys were read, and which of the clauses read are its children."""

    form: Form
    path: str
    values: dict[str, Any]
    children: list[int]
    right: bool


@dataclass
class _Reading:
    problems: list[Problem]

    def run(self, value: object) -> Node | None:
        """Reads clauses from the outside in, then makes them from the inside out; not recursive."""
        found: list[_Clause | None] = []
        waiting: list[tuple[object, str, int, list[int] | None]] = [(value, "$", 1, None)]
        while waiting and len(self.problems) < MOST_PROBLEMS:
            here, path, depth, siblings = waiting.pop()
            if depth > DEEPEST:
                self.say(Code.TOO_DEEP, f"more than {DEEPEST} clauses inside one another", "$", "flatten the query")
                return None
            if siblings is not None:
                siblings.append(len(found))
            clause, inside = self.clause(here, path)
            found.append(clause)
            children = clause.children if clause is not None else None
            waiting.extend((child, where, depth + 1, children) for child, where in reversed(inside))
        made: dict[int, Node] = {}
        for number in range(len(found) - 1, -1, -1):
            clause = found[number]
            if clause is not None and clause.right and all(child in made for child in clause.children):
                node = clause.form.make(clause.values, tuple(made[child] for child in clause.children))
                self.problems += [Problem(code, message, path=clause.path) for code, message in of_clause(node)]
                made[number] = node
        return None if self.problems else made[0]

    def say(self, code: Code, message: str, path: str, hint: str | None = None) -> None:
        self.problems.append(Problem(code, message, path=path, hint=hint))

    def clause(self, value: object, path: str) -> tuple[_Clause | None, list[tuple[object, str]]]:
        """A clause's own keys, and the values of its children with their paths."""
        if not isinstance(value, Mapping):
            hint = 'as in {"op": "lex", "text": "Birch Trees"}'
            self.say(Code.ARGUMENT, f"a clause is an object, not {_kind(value)}", path, hint)
            return None, []
        op = value.get("op")
        form = FORMS.get(op) if isinstance(op, str) else None
        if form is None:
            message = "a clause has the key op" if op is None else f"there is no op {quoted(str(op))}"
            self.say(Code.UNKNOWN_OPERATOR, message, f"{path}.op", suggestion(str(op or ""), tuple(FORMS)))
            return None, []
        before = len(self.problems)
        given = {str(name): one for name, one in value.items() if one is not None and name != "op"}
        for name in given:
            if name not in form.keys:
                hint = suggestion(name, tuple(form.keys))
                self.say(Code.UNKNOWN_OPTION, f"{op} has no key {quoted(name)}", f"{path}.{name}", hint)
        values, inside = {}, []
        for name, key in form.keys.items():
            where = f"{path}.{name}"
            if name not in given:
                if key.needed:
                    self.say(Code.ARITY, f"{op} needs the key {name}: {key.about}", path)
            elif key.kind == "clause":
                inside.append((given[name], where))
            elif key.kind == "clauses":
                inside += self.list_of(given[name], where)
            else:
                values[name] = self.value(given[name], key, name, where)
        return _Clause(form, path, values, [], len(self.problems) == before), inside

    def list_of(self, value: object, path: str) -> list[tuple[object, str]]:
        """The values of a list with their paths."""
        if not isinstance(value, list | tuple):
            self.say(Code.ARGUMENT, f"expected a list, found {_kind(value)}", path)
            return []
        return [(one, f"{path}[{number}]") for number, one in enumerate(value)]

    def value(self, value: object, key: Key, name: str, path: str) -> Any:
        """What stands under a key, as the tree keeps it."""
        if key.kind == "number" or key.kind == "choice":
            return self.number(value, key, path) if key.kind == "number" else self.choice(value, key, name, path)
        if key.kind == "weights":
            return [self.number(one, key, where) for one, where in self.list_of(value, path)]
        if key.kind == "values":
            return [self.scalar(one, where) for one, where in self.list_of(value, path)]
        if key.kind == "end":
            return self.scalar(value, path)
        if not isinstance(value, str):
            self.say(Code.ARGUMENT, f"{name} is a text, not {_kind(value)}", path)
        elif SURROGATE.search(value):
            self.say(Code.BAD_ESCAPE, f"{name} holds half a character (a lone surrogate)", path, "leave it out")
        return value

    def number(self, value: object, key: Key, path: str) -> float:
        assert key.rule is not None
        complaint = key.rule.complaint(value)
        if complaint is None:
            return key.rule.read(value)  # type: ignore[arg-type]
        self.say(Code.NUMBER, complaint, path)
        return 0

    def choice(self, value: object, key: Key, name: str, path: str) -> object:
        if value not in key.choices:
            message = f"{name} is one of {', '.join(key.choices)}; found {_kind(value)}"
            hint = None
            if isinstance(value, str):
                message, hint = f"there is no {name} {quoted(value)}", suggestion(value, key.choices)
            self.say(Code.UNKNOWN_CHOICE, message, path, hint)
        return value

    def scalar(self, value: object, path: str) -> object:
        if isinstance(value, str):
            if SURROGATE.search(value):
                self.say(Code.BAD_ESCAPE, "half a character (a lone surrogate)", path, "leave it out")
        elif not isinstance(value, bool | int | float):
            self.say(Code.ARGUMENT, f"a value is a text, a number, true or false; found {_kind(value)}", path)
        elif not isinstance(value, bool) and VALUE.complaint(value):
            self.say(Code.NUMBER, str(VALUE.complaint(value)), path)
        return value


def _kind(value: object) -> str:
    """The JSON kind of a value, for messages."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    for kind, name in ((str, "a text"), (int | float, "a number"), (list | tuple, "a list"), (Mapping, "an object")):
        if isinstance(value, kind):
            return f"{name} {quoted(value)}" if isinstance(value, str) else name
    return type(value).__name__
