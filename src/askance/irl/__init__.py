"""The query language: its tree, how it is read and printed, how a question becomes one. Knows no engine.

    from askance.irl import knn, lex, parse, print_query
    assert (knn("Who likes snow?") | lex("snow")) == parse('(or (knn "Who likes snow?") (lex "snow"))')

The names below are imported when first used, so that a module of this package costs no more than itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.irl.builder import and_, boost, exact, field, filter_, fuse, knn, lex, not_, or_, relation
    from askance.irl.check import EngineFacts, knn_clauses, must_run
    from askance.irl.codes import Code
    from askance.irl.json_form import from_json, to_json
    from askance.irl.json_schema import tool_parameters
    from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation, Span
    from askance.irl.normal import normal_form
    from askance.irl.parser import parse, read
    from askance.irl.printer import pretty, print_query
    from askance.irl.problems import BadQuery, Note, Problem
    from askance.irl.scopes import ScopedLeaf, scoped_leaves

__all__ = [
    "And",
    "BadQuery",
    "Boost",
    "Code",
    "EngineFacts",
    "Exact",
    "Field",
    "Filter",
    "Fuse",
    "Knn",
    "Lex",
    "Node",
    "Not",
    "Note",
    "Or",
    "Problem",
    "Relation",
    "ScopedLeaf",
    "Span",
    "and_",
    "boost",
    "exact",
    "field",
    "filter_",
    "from_json",
    "fuse",
    "knn",
    "knn_clauses",
    "lex",
    "must_run",
    "normal_form",
    "not_",
    "or_",
    "parse",
    "pretty",
    "print_query",
    "read",
    "relation",
    "scoped_leaves",
    "to_json",
    "tool_parameters",
]

_PLACES = {
    "builder": ("and_", "boost", "exact", "field", "filter_", "fuse", "knn", "lex", "not_", "or_", "relation"),
    "check": ("EngineFacts", "knn_clauses", "must_run"),
    "codes": ("Code",),
    "json_form": ("from_json", "to_json"),
    "json_schema": ("tool_parameters",),
    "nodes": (
        "And",
        "Boost",
        "Exact",
        "Field",
        "Filter",
        "Fuse",
        "Knn",
        "Lex",
        "Node",
        "Not",
        "Or",
        "Relation",
        "Span",
    ),
    "normal": ("normal_form",),
    "parser": ("parse", "read"),
    "printer": ("pretty", "print_query"),
    "problems": ("BadQuery", "Note", "Problem"),
    "scopes": ("ScopedLeaf", "scoped_leaves"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'askance.irl' has no attribute {name!r}")
    return getattr(import_module(f"askance.irl.{module}"), name)
