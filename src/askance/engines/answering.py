"""What every engine does around an answer: see that the query can run, and say what the reader should know."""

from __future__ import annotations

from askance.irl.check import RULES, EngineFacts, must_run
from askance.irl.nodes import Exact, Lex, Node, Relation
from askance.irl.normal import normal_form
from askance.irl.printer import print_query
from askance.irl.rewrite.vocabulary import Vocabulary

_LISTED = 5


def runnable(query: Node, facts: EngineFacts) -> Node:
    """The query in its normal form; BadQuery, with all problems in the query as it is printed, where it cannot run."""
    tree = normal_form(query)  # of a query that is sound, and so is the tree
    if any(True for rule in RULES for _ in rule(tree, facts)):
        must_run(query, facts)  # what it shows is the query as it was asked
        must_run(tree, facts)
    return tree


def notes_on(tree: Node, about: Vocabulary, outside: int = 0) -> tuple[str, ...]:
    """Clauses that can match nothing: those without words, and relations that no document has.

    `outside`: documents that do not follow the schema, said where items are asked for.
    """
    notes: dict[str, None] = {}
    exact = False
    for node in tree.walk():
        if isinstance(node, Lex | Exact) and not about.analyzer.terms(node.text):
            notes[f"{print_query(node)} has no words and matches nothing"] = None
        elif isinstance(node, Relation) and not _has(about, node.name):
            listed = ", ".join(f'"{name}"' for name in list(about.relations)[:_LISTED])
            more = ", …" if len(about.relations) > _LISTED else ""
            notes[f'no document has the relation "{node.name}"; there are: {listed}{more}'] = None
        exact = exact or isinstance(node, Exact | Relation)
    if exact and outside:
        notes[f"{outside:,} documents do not follow the schema: none of them is an exact hit"] = None
    return tuple(notes)


def _has(about: Vocabulary, relation: str) -> bool:
    """Whether any document has the relation, compared word by word."""
    asked = about.analyzer.terms(relation)
    return any(about.analyzer.terms(name) == asked for name in about.relations)
