"""What every engine does around an answer: see that the query can run, and say what the reader should know."""

from __future__ import annotations

from askance.engines.engine import EngineCard
from askance.irl.check import EngineFacts, check, must_run
from askance.irl.nodes import Exact, Lex, Node, Relation
from askance.irl.normal import normal_form
from askance.irl.printer import print_query
from askance.irl.rewrite.vocabulary import Vocabulary

_LISTED = 5


def runnable(query: Node, facts: EngineFacts) -> Node:
    """The query in its normal form; BadQuery, with all problems in the query as it is printed, where it cannot run."""
    tree = normal_form(query)
    if check(tree, facts):
        must_run(query, facts)  # what it shows is the query as it was asked
        must_run(tree, facts)
    return tree


def notes_on(tree: Node, about: Vocabulary, card: EngineCard | None = None) -> tuple[str, ...]:
    """Clauses that can match nothing: those without words, and relations that no document has."""
    notes: dict[str, None] = {}
    relations = {" ".join(about.analyzer.terms(name)) for name in about.relations}
    exact = False
    for node in tree.walk():
        if isinstance(node, Lex | Exact) and not about.analyzer.terms(node.text):
            notes[f"{print_query(node)} has no words and matches nothing"] = None
        elif isinstance(node, Relation) and " ".join(about.analyzer.terms(node.name)) not in relations:
            listed = ", ".join(f'"{name}"' for name in list(about.relations)[:_LISTED])
            more = ", …" if len(about.relations) > _LISTED else ""
            notes[f'no document has the relation "{node.name}"; there are: {listed}{more}'] = None
        exact = exact or isinstance(node, Exact | Relation)
    if card is not None and exact and card.outside:
        notes[f"{card.outside:,} documents do not follow the schema: none of them is an exact hit"] = None
    return tuple(notes)
