"""Each clause's keys in JSON: what stands under them, and the clause they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from askance.irl.clauses import FUSE_KINDS, MATCHES
from askance.irl.limits import (
    FUSE_DEPTH_RULE,
    FUSE_WEIGHT,
    KNN_DEPTH_RULE,
    MIN_SCORE,
    RRF_K_RULE,
    SLOP,
    WEIGHT,
    NumberRule,
)
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

Kind = Literal["text", "number", "choice", "clause", "clauses", "values", "weights", "end"]


@dataclass(frozen=True)
class Key:
    """What stands under a key. `rule`: of a number, or of each weight; `choices`: of a choice."""

    kind: Kind
    about: str
    needed: bool = True
    rule: NumberRule | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A clause in JSON. `make`: from its values by key, absent ones left out, and its children."""

    about: str
    keys: Mapping[str, Key]
    make: Callable[[Mapping[str, Any], tuple[Node, ...]], Node]


def _text(about: str) -> Key:
    return Key("text", about)


def _number(about: str, rule: NumberRule, needed: bool = False) -> Key:
    return Key("number", about, needed, rule)


def _filter(values: Mapping[str, Any], parts: tuple[Node, ...]) -> Node:
    return Filter(values["key"], tuple(values.get("values", ())), values.get("from"), values.get("to"))


def _fuse(values: Mapping[str, Any], parts: tuple[Node, ...]) -> Node:
    weights = tuple(values.get("weights", ()))
    k, depth = values.get("k", RRF_K), values.get("depth", FUSE_DEPTH)
    return Fuse(values["kind"], parts, weights, k, depth, values.get("min_score"))


_PARTS = {"parts": Key("clauses", "one clause or more")}
_CHILD = Key("clause", "a clause")

FORMS: Mapping[str, Form] = {
    "knn": Form(
        "The documents nearest in meaning to a text, such as the question as it was asked.",
        {"text": _text("the question"), "depth": _number("how many documents; 1000 if absent", KNN_DEPTH_RULE)},
        lambda values, parts: Knn(values["text"], values.get("depth", KNN_DEPTH)),
    ),
    "lex": Form(
        "Documents with the words of a text, ranked by BM25.",
        {
            "text": _text("the words"),
            "match": Key(
                "choice", "phrase (if absent): next to one another; any of them; or all of them", False, None, MATCHES
            ),
            "slop": _number("for a phrase: how many moves its words may stand apart", SLOP),
        },
        lambda values, parts: Lex(values["text"], values.get("match", "phrase"), values.get("slop", 0)),
    ),
    "exact": Form(
        "Documents that hold exactly this item, and not merely a longer one around it.",
        {"text": _text("the item")},
        lambda values, parts: Exact(values["text"]),
    ),
    "filter": Form(
        "Documents by their metadata: one of some values, or a range with one end or two.",
        {
            "key": _text("the metadata's name"),
            "values": Key("values", "one value or more; not beside from and to", False),
            "from": Key("end", "the least value, included", False),
            "to": Key("end", "the greatest value, included", False),
        },
        _filter,
    ),
    "and": Form("Documents that all parts match.", _PARTS, lambda values, parts: And(parts)),
    "or": Form("Documents that any part matches; scores add up.", _PARTS, lambda values, parts: Or(parts)),
    "not": Form(
        "Documents that the clause does not match; no knn inside.",
        {"child": _CHILD},
        lambda values, parts: Not(parts[0]),
    ),
    "field": Form(
        "The clause, its lex clauses in this field and no other.",
        {"name": _text("the field"), "child": _CHILD},
        lambda values, parts: Field(values["name"], parts[0]),
    ),
    "relation": Form(
        "The clause, its items only as they stand in this relation.",
        {"name": _text("the relation, such as likes"), "child": _CHILD},
        lambda values, parts: Relation(values["name"], parts[0]),
    ),
    "boost": Form(
        "The clause, its scores times a weight.",
        {"weight": _number("above 0", WEIGHT, needed=True), "child": _CHILD},
        lambda values, parts: Boost(values["weight"], parts[0]),
    ),
    "fuse": Form(
        "Ranked lists of the parts, fused. Outermost, or inside another fuse or boost.",
        {
            "kind": Key("choice", "how scores are made of ranks or scores", True, None, FUSE_KINDS),
            **_PARTS,
            "weights": Key("weights", "one a part; all 1 if absent", False, FUSE_WEIGHT),
            "k": _number("for rrf: 1 / (k + rank); 60 if absent", RRF_K_RULE),
            "depth": _number("how much of each list is taken; 1000 if absent", FUSE_DEPTH_RULE),
            "min_score": _number("what is below it after fusion is left out", MIN_SCORE),
        },
        _fuse,
    ),
}
