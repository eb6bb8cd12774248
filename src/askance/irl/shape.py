"""Whether a tree is one the language has, however it was made: what `parse` makes always is."""

from __future__ import annotations

from collections.abc import Iterator

from askance.irl.clauses import FUSE_KINDS, MATCHES, weights_complaint
from askance.irl.codes import Code
from askance.irl.lexer import SURROGATE
from askance.irl.limits import (
    DEEPEST,
    FUSE_DEPTH_RULE,
    FUSE_WEIGHT,
    KNN_DEPTH_RULE,
    MIN_SCORE,
    RRF_K_RULE,
    SLOP,
    VALUE,
    WEIGHT,
    NumberRule,
    nesting,
)
from askance.irl.nodes import RRF_K, And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Or, Relation
from askance.irl.problems import BadQuery, Problem, suggestion

Finding = tuple[Code, str]


def must_be_sound(node: Node) -> None:
    """BadQuery where the tree has a value that the language has not, or is too deep."""
    problems = unsound(node)
    if problems:
        raise BadQuery(problems)


def unsound(node: Node) -> list[Problem]:
    """What is wrong with the values of a tree, each with the span of its clause."""
    if nesting(node) > DEEPEST:
        message = f"more than {DEEPEST} clauses inside one another"
        return [Problem(Code.TOO_DEEP, message, node.span, hint="flatten the query")]
    return [Problem(code, message, part.span) for part in node.walk() for code, message in of_clause(part)]


def of_clause(node: Node) -> Iterator[Finding]:
    """What is wrong with the values of one clause, without its children."""
    match node:
        case Knn():
            yield from _text(node.text, "the text of knn")
            yield from _number(node.depth, KNN_DEPTH_RULE)
        case Lex():
            yield from _lex(node)
        case Exact():
            yield from _text(node.text, "the text of exact")
        case Filter():
            yield from _filter(node)
        case And() | Or():
            if not node.parts:
                yield Code.ARITY, f"{type(node).__name__.lower()} has no parts"
        case Field():
            yield from _text(node.name, "the name of a field")
        case Relation():
            yield from _text(node.name, "the name of a relation")
        case Boost():
            yield from _number(node.weight, WEIGHT)
        case Fuse():
            yield from _fuse(node)


def _lex(node: Lex) -> Iterator[Finding]:
    yield from _text(node.text, "the text of lex")
    yield from _number(node.slop, SLOP)
    if node.match not in MATCHES:
        yield Code.UNKNOWN_CHOICE, f"there is no match {node.match!r}; {suggestion(str(node.match), MATCHES)}"
    elif node.match != "phrase" and node.slop:
        yield Code.OPTION_WITHOUT_EFFECT, f"slop changes nothing with match {node.match}"


def _filter(node: Filter) -> Iterator[Finding]:
    yield from _text(node.key, "the key of a filter")
    ends = [end for end in (node.low, node.high) if end is not None]
    for value in [*node.values, *ends]:
        if isinstance(value, str):
            yield from _text(value, "a value of a filter")
        elif not isinstance(value, bool):
            yield from _number(value, VALUE)
    if any(isinstance(end, bool) for end in ends) or len({isinstance(end, str) for end in ends}) > 1:
        yield Code.ARGUMENT, "a range goes from number to number, or from text to text"
    if node.values and ends:
        yield Code.OPTION_WITHOUT_EFFECT, "a filter has values or a range, not both"
    if not node.values and not ends:
        yield Code.ARITY, "a filter has a key and no values"


def _fuse(node: Fuse) -> Iterator[Finding]:
    if not node.parts:
        yield Code.ARITY, "a fusion has no parts"
    if node.kind not in FUSE_KINDS:
        yield Code.UNKNOWN_CHOICE, f"there is no fusion {node.kind!r}; {suggestion(str(node.kind), FUSE_KINDS)}"
    yield from _number(node.depth, FUSE_DEPTH_RULE)
    yield from _number(node.k, RRF_K_RULE)
    if node.k != RRF_K and node.kind in ("sum", "minmax"):
        yield Code.OPTION_WITHOUT_EFFECT, f"k changes nothing with the fusion {node.kind}"
    if node.min_score is not None:
        yield from _number(node.min_score, MIN_SCORE)
    wrong = [finding for weight in node.weights for finding in _number(weight, FUSE_WEIGHT)]
    yield from wrong
    if node.weights and not wrong:
        complaint = weights_complaint(node.weights, len(node.parts))
        if complaint is not None:
            yield Code.WEIGHTS, complaint


def _text(value: object, what: str) -> Iterator[Finding]:
    if not isinstance(value, str):
        yield Code.ARGUMENT, f"{what} is a text, not {type(value).__name__}"
    elif not value.isascii() and SURROGATE.search(value):
        yield Code.BAD_ESCAPE, f"{what} holds half a character (a lone surrogate)"


def _number(value: object, rule: NumberRule) -> Iterator[Finding]:
    complaint = rule.complaint(value)
    if complaint is not None:
        yield Code.NUMBER, complaint
