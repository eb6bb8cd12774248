"""A query as text: canonical on one line, or indented. `parse` gives the same tree back."""

from __future__ import annotations

import re
import unicodedata

from askance.irl.codes import Code
from askance.irl.folding import fold
from askance.irl.lexer import SURROGATE, WORD
from askance.irl.nodes import (
    FUSE_DEPTH,
    KNN_DEPTH,
    RRF_K,
    And,
    Boost,
    Exact,
    Field,
    Filter,
    Fuse,
    Knn,
    Lex,
    Node,
    Not,
    Or,
    Relation,
)
from askance.irl.problems import BadQuery, Problem
from askance.irl.shape import must_be_sound

WIDE = 80


def print_query(node: Node) -> str:
    """The query on one line, in the one way it is printed. BadQuery where a value is none the language has."""
    must_be_sound(node)
    return fold(node, _one_line)


def pretty(node: Node) -> str:
    """The same with a line for each part, where one line would be long or parts have parts."""
    must_be_sound(node)
    lines: list[str] = fold(node, _lines)
    return "\n".join(lines)


def quote(text: str) -> str:
    """`text` in double quotes. Control characters and what turns the direction of writing are escaped.

    BadQuery where it holds a lone surrogate, which is no character.
    """
    if SURROGATE.search(text):
        message = "half a character (a lone surrogate) cannot be searched for"
        raise BadQuery([Problem(Code.BAD_ESCAPE, message, hint="leave it out")])
    return f'"{_ESCAPED.sub(_escape, text)}"'


def number(value: float) -> str:
    """A number as it is printed: the shortest that reads as the same, whole ones without a fraction."""
    if isinstance(value, int):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _escape(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}"


def _name(text: str) -> str:
    return text if WORD.fullmatch(text) else quote(text)


def _value(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return quote(value) if isinstance(value, str) else number(value)


def _head(node: Node) -> tuple[str, list[str]]:
    """What stands before the children of a clause, and the options after them."""
    match node:
        case Knn():
            return f"knn {quote(node.text)}", _option("depth", node.depth, KNN_DEPTH)
        case Lex():
            match_option = [] if node.match == "phrase" else [f":match {node.match}"]
            return f"lex {quote(node.text)}", match_option + _option("slop", node.slop, 0)
        case Exact():
            return f"exact {quote(node.text)}", []
        case Filter():
            ends = [("from", node.low), ("to", node.high)]
            written = [f":{name} {_value(end)}" for name, end in ends if end is not None]
            return " ".join(["filter", _name(node.key), *map(_value, node.values)]), written
        case Field():
            return f"field {_name(node.name)}", []
        case Relation():
            return f"relation {quote(node.name)}", []
        case Boost():
            return f"boost {number(node.weight)}", []
        case Fuse():
            weights = [f":weights ({' '.join(map(number, node.weights))})"] if node.weights else []
            least = [] if node.min_score is None else [f":min-score {number(node.min_score)}"]
            rest = _option("k", node.k, RRF_K) + _option("depth", node.depth, FUSE_DEPTH) + least
            return "or", [f":fuse {node.kind}", *weights, *rest]
        case And():
            return "and", []
        case Or():
            return "or", []
        case Not():
            return "not", []
    raise TypeError(f"no clause of the language: {node!r}")


def _option(name: str, value: float, default: float) -> list[str]:
    return [] if value == default else [f":{name} {number(value)}"]


def _short(node: Node) -> str | None:
    """The option that `node` is on its child, where it can be written so."""
    if isinstance(node, Boost) and not isinstance(node.child, Boost):
        return f":boost {number(node.weight)}"
    if isinstance(node, Field) and isinstance(node.child, Lex | Exact):
        return f":field {_name(node.name)}"
    return None


def _one_line(node: Node, children: list[str]) -> str:
    short = _short(node)
    if short is not None:
        return f"{children[0][:-1]} {short})"
    head, options = _head(node)
    return f"({' '.join([head, *children, *options])})"


def _lines(node: Node, children: list[list[str]]) -> list[str]:
    """Lines of a clause; a clause of leaves stays on one line where that is not long."""
    short = _short(node)
    if short is not None:
        lines = children[0]
        if len(lines) == 1:
            return [f"{lines[0][:-1]} {short})"]
        return [*lines[:-1], lines[-1][:-1], f"  {short})"]
    head, options = _head(node)
    below = [line for lines in children for line in lines]
    together = f"({' '.join([head, *below, *options])})"
    leaves_only = not any(child.children for child in node.children)
    if not children or (
        (leaves_only or len(children) == 1) and len(below) == len(children) and _columns(together) <= WIDE
    ):
        return [together]
    lines = [f"({head}", *(f"  {line}" for line in [*below, *options])]
    return [*lines[:-1], f"{lines[-1]})"]


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
