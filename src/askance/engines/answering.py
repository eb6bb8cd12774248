"""What every engine does around an answer: see that the query can run, and say what the reader should know."""

from __future__ import annotations

from askance.irl.check import RULES, EngineFacts, exact_in_items, must_run
from askance.irl.nodes import Exact, Field, Lex, Node, Or, Relation
from askance.irl.normal import normal_form
from askance.irl.printer import print_query
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.irl.scopes import TEXT

_LISTED = 5


def runnable(query: Node, facts: EngineFacts) -> Node:
    """The query in its normal form; BadQuery, with all problems in the query as it is printed, where it cannot run."""
    if _is_plain(query, facts):
        return query
    tree = normal_form(query)  # of a query that is sound, and so is the tree
    hidden = exact_in_items(query, facts)  # the normal form leaves `text` out, on exact too
    if any(True for rule in RULES for _ in rule(tree, facts)) or any(True for _ in hidden):
        must_run(query, facts)  # what it shows is the query as it was asked
        must_run(tree, facts)
    return tree


def _is_plain(query: Node, facts: EngineFacts) -> bool:
    """Whether a query surely is in its normal form and can run, told at a glance: phrases and items, or one or of
    them. Most queries are like that, and going through the tree by the rules takes longer than the search."""
    parts = query.parts if type(query) is Or and len(query.parts) > 1 else (query,)
    return all(_is_plain_leaf(part, facts) for part in parts)


def _is_plain_leaf(node: Node, facts: EngineFacts) -> bool:
    if type(node) is Relation and facts.has_relations and _is_plain_text(node.name):
        node = node.child
    if type(node) is Field and node.name != TEXT and node.name in facts.fields and type(node.child) is Lex:
        node = node.child
    if type(node) is Lex:
        return node.match == "phrase" and type(node.slop) is int and node.slop == 0 and _is_plain_text(node.text)
    return type(node) is Exact and facts.has_items and _is_plain_text(node.text)


def _is_plain_text(text: object) -> bool:
    return isinstance(text, str) and text.isascii()


def notes_on(tree: Node, about: Vocabulary, outside: int = 0) -> tuple[str, ...]:
    """Clauses that can match nothing: those without words, and relations that no document has.

    `outside`: documents that do not follow the schema, said where items are asked for.
    """
    notes: dict[str, None] = {}
    exact = False
    for node in tree.walk():
        if isinstance(node, Lex | Exact) and not _has_words(node.text, about):
            notes[f"{print_query(node)} has no words and matches nothing"] = None
        elif isinstance(node, Relation) and not _has(about, node.name):
            frequent = sorted(about.relations, key=lambda name: (-about.relations[name], name))
            listed = ", ".join(f'"{name}"' for name in frequent[:_LISTED])
            more = ", …" if len(about.relations) > _LISTED else ""
            notes[f'no document has the relation "{node.name}"; there are: {listed}{more}'] = None
        exact = exact or isinstance(node, Exact | Relation)
    if exact and outside:
        notes[f"{outside:,} documents do not follow the schema: none of them is an exact hit"] = None
    return tuple(notes)


def _has_words(text: str, about: Vocabulary) -> bool:
    """Whether a text has words. One that begins with a letter or digit of ASCII has, if none are left out."""
    first = text[:1]
    return (first.isascii() and first.isalnum() and not about.analyzer.stop_words) or bool(about.analyzer.terms(text))


def _has(about: Vocabulary, relation: str) -> bool:
    """Whether any document has the relation, compared word by word."""
    if relation in about.relations:
        return True
    asked = about.analyzer.terms(relation)
    return any(about.analyzer.terms(name) == asked for name in about.relations)
