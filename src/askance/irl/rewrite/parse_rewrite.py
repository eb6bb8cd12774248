"""The fourth stage: a rewritten question is text of the language, and has one knn clause."""

from __future__ import annotations

from askance.irl.codes import Code
from askance.irl.nodes import Knn, Node
from askance.irl.parser import parse
from askance.irl.problems import BadQuery, Note, Problem


def parse_rewrite(text: str, knn: int = 1) -> Node:
    """The tree of a rewritten question. BadQuery, quoting the rewrite, unless it has exactly `knn` knn clauses.

    The language allows any number; a rewrite keeps the question in one. 0 where the index has no vectors.
    """
    query = parse(text)
    found = [node for node in query.walk() if isinstance(node, Knn)]
    if len(found) == knn:
        return query
    wanted = "exactly one knn clause" if knn == 1 else "no knn clause" if knn == 0 else f"{knn} knn clauses"
    problem = Problem(
        Code.KNN_COUNT,
        f"expected {wanted}, found {len(found)}, in the rewrite {_quoted(text)}",
        span=found[-1].span if found else query.span,
        label=f"knn clause {len(found)}" if found else "",
        notes=tuple(Note(f"knn clause {number}", node.span) for number, node in enumerate(found[:-1], 1)),
        hint="keep the question in one knn clause and put keywords in lex"
        if knn
        else "the index has no vectors: leave knn out",
    )
    raise BadQuery([problem], text)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 300 else text[:300] + "…")
