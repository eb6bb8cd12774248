"""Each operator: how it is written, which options it has, and the clause it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast, get_args

from askance.irl.codes import Code
from askance.irl.lexer import Kind, Token
from askance.irl.limits import FUSE_DEPTH_RULE, FUSE_WEIGHT, KNN_DEPTH_RULE, MIN_SCORE, RRF_K_RULE, SLOP, VALUE, WEIGHT
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
    FuseKind,
    Knn,
    Lex,
    Match,
    Node,
    Not,
    Or,
    Relation,
)
from askance.irl.reading import Group, Item, Reading

MATCHES: tuple[str, ...] = get_args(Match)
FUSE_KINDS: tuple[str, ...] = get_args(FuseKind)


@dataclass(frozen=True)
class Operator:
    """`form`: how it is written, for messages. `options`: their names, without boost, which every clause has."""

    form: str
    make: Callable[[Reading], Node | None]
    least: int
    most: int | None
    options: tuple[str, ...] = ()

    @property
    def all_options(self) -> tuple[str, ...]:
        return (*self.options, "boost")


def _knn(reading: Reading) -> Node | None:
    text = reading.text(reading.arguments[0], "what knn looks for")
    depth = reading.option_number("depth", KNN_DEPTH_RULE, KNN_DEPTH)
    return None if text is None else Knn(text, int(depth), span=reading.span)


def _lex(reading: Reading) -> Node | None:
    text = reading.text(reading.arguments[0], "what lex looks for")
    slop = int(reading.option_number("slop", SLOP, 0))
    match: str | None = "phrase"
    if "match" in reading.options:
        match = reading.choice(reading.options["match"][1], "match", MATCHES)
    if slop and match in ("any", "all"):
        reading.useless("slop", f"changes nothing with :match {match}", "slop is for phrases")
    if text is None or match is None:
        return _in_field(reading, None)
    return _in_field(reading, Lex(text, cast(Match, match), slop, span=reading.span))


def _exact(reading: Reading) -> Node | None:
    text = reading.text(reading.arguments[0], "what exact looks for")
    return _in_field(reading, None if text is None else Exact(text, span=reading.span))


def _in_field(reading: Reading, node: Node | None) -> Node | None:
    if "field" not in reading.options:
        return node
    name = reading.name(reading.options["field"][1], "a field")
    return None if node is None or name is None else Field(name, node, span=reading.span)


def _filter(reading: Reading) -> Node | None:
    key = reading.name(reading.arguments[0], "a metadata key")
    values = [_value(reading, item) for item in reading.arguments[1:]]
    ends = [_value(reading, reading.options[name][1]) if name in reading.options else None for name in ("from", "to")]
    low, high = ends
    if any(isinstance(end, bool) for end in ends):
        reading.complain(Code.ARGUMENT, "a range goes from a number or text, not from true or false", reading.span)
        return None
    if low is not None and high is not None and isinstance(low, str) != isinstance(high, str):
        reading.complain(Code.ARGUMENT, "a range goes from number to number, or from text to text", reading.span)
        return None
    ranged = [name for name in ("from", "to") if name in reading.options]
    if values and ranged:
        reading.useless(
            ranged[0], "stands beside values", "a filter has values or a range; two filters can stand in an (and …)"
        )
        return None
    if not values and not ranged:
        reading.complain(Code.ARITY, "filter has a key and no values", reading.span, f"it is written {FILTER_FORM}")
        return None
    if key is None or None in values or (ranged and low is None and high is None):
        return None
    kept = tuple(value for value in values if value is not None)
    return Filter(key, kept, low, high, span=reading.span)


def _value(reading: Reading, item: Item) -> str | float | bool | None:
    if isinstance(item, Token):
        if item.kind == Kind.TEXT:
            return str(item.value)
        if item.kind == Kind.NUMBER:
            return item.value
        if item.value in ("true", "false") and item.kind == Kind.WORD:
            return item.value == "true"
    if isinstance(item, Token) and item.kind == Kind.WORD:
        reading.text(item, "a value of a filter, unless a number, true or false,")
    else:
        reading.number(item, VALUE)
    return None


def _and(reading: Reading) -> Node | None:
    parts = reading.clauses(reading.arguments)
    return None if parts is None else And(parts, span=reading.span)


def _or(reading: Reading) -> Node | None:
    parts = reading.clauses(reading.arguments)
    if "fuse" not in reading.options:
        for name in reading.options:
            if name != "boost":
                reading.useless(name, "needs :fuse beside it", f"as in (or … :fuse rrf :{name} …)")
        return None if parts is None else Or(parts, span=reading.span)
    kind = reading.choice(reading.options["fuse"][1], "fusion", FUSE_KINDS)
    weights = _weights(reading) if "weights" in reading.options else ()
    depth = int(reading.option_number("depth", FUSE_DEPTH_RULE, FUSE_DEPTH))
    k = reading.option_number("k", RRF_K_RULE, RRF_K)
    least = reading.number(reading.options["min-score"][1], MIN_SCORE) if "min-score" in reading.options else None
    if k != RRF_K and kind in ("sum", "minmax"):
        reading.useless("k", f"changes nothing with :fuse {kind}", "k is for rrf")
    if parts is None or kind is None:
        return None
    return Fuse(cast(FuseKind, kind), parts, weights, k, depth, least, span=reading.span)


def _weights(reading: Reading) -> tuple[float, ...]:
    item = reading.options["weights"][1]
    if not isinstance(item, Group) or item.numbers is None:
        if isinstance(item, Token) or item.node is not None:
            reading.complain(
                Code.ARGUMENT, "weights are a list of numbers", reading.place(item), "as in :weights (1 0.5)"
            )
        return ()
    if len(item.numbers) != len(reading.arguments):
        complaint = weights_complaint((1.0,) * len(item.numbers), len(reading.arguments))
        reading.complain(Code.WEIGHTS, str(complaint), reading.place(item))
        return ()
    found = [reading.number(number, FUSE_WEIGHT) for number in item.numbers]
    weights = tuple(weight for weight in found if weight is not None)
    if len(weights) < len(found):
        return ()
    complaint = weights_complaint(weights, len(reading.arguments))
    if complaint is not None:
        reading.complain(Code.WEIGHTS, complaint, reading.place(item))
        return ()
    return weights


def weights_complaint(weights: tuple[float, ...], parts: int) -> str | None:
    """What is wrong with a fusion's weights, taken together: one a part, one of them at least above 0."""
    if len(weights) != parts:
        return f"each part has one weight, but there are {len(weights)} for {parts}"
    if not any(weights):
        return "all weights are 0: at least one must be above"
    return None


def _not(reading: Reading) -> Node | None:
    child = reading.clause(reading.arguments[0])
    return None if child is None else Not(child, span=reading.span)


def _field(reading: Reading) -> Node | None:
    name, child = reading.name(reading.arguments[0], "a field"), reading.clause(reading.arguments[1])
    return None if name is None or child is None else Field(name, child, span=reading.span)


def _relation(reading: Reading) -> Node | None:
    name, child = reading.name(reading.arguments[0], "a relation"), reading.clause(reading.arguments[1])
    return None if name is None or child is None else Relation(name, child, span=reading.span)


def _boost(reading: Reading) -> Node | None:
    weight, child = reading.number(reading.arguments[0], WEIGHT), reading.clause(reading.arguments[1])
    return None if weight is None or child is None else Boost(weight, child, span=reading.span)


FILTER_FORM = '(filter key "value" …) or (filter key :from 1 :to 2)'
OPERATORS = {
    "knn": Operator('(knn "…")', _knn, 1, 1, ("depth",)),
    "lex": Operator('(lex "…")', _lex, 1, 1, ("match", "slop", "field")),
    "exact": Operator('(exact "…")', _exact, 1, 1, ("field",)),
    "filter": Operator(FILTER_FORM, _filter, 1, None, ("from", "to")),
    "and": Operator("(and (…) …)", _and, 1, None),
    "or": Operator("(or (…) …)", _or, 1, None, ("fuse", "weights", "k", "depth", "min-score")),
    "not": Operator("(not (…))", _not, 1, 1),
    "field": Operator("(field name (…))", _field, 2, 2),
    "relation": Operator('(relation "…" (…))', _relation, 2, 2),
    "boost": Operator("(boost 2 (…))", _boost, 2, 2),
}
