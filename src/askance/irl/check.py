"""Whether a query can run on an index: rules, each a function that finds what one kind of trouble there is.

A rule is added by writing it and naming it in RULES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from askance.irl.codes import Code
from askance.irl.nodes import Boost, Exact, Field, Filter, Fuse, Knn, Node, Not, Relation
from askance.irl.parser import parse
from askance.irl.printer import print_query
from askance.irl.problems import BadQuery, Note, Problem, quoted, suggestion
from askance.irl.shape import unsound

ITEMS = "items"


@dataclass(frozen=True)
class EngineFacts:
    """What an index can answer. `metadata_keys` None: not known, any key is asked."""

    fields: tuple[str, ...] = ("text",)
    metadata_keys: frozenset[str] | None = None
    has_items: bool = False
    has_relations: bool = False
    has_vectors: bool = False


Rule = Callable[[Node, EngineFacts], Iterator[Problem]]


def check(node: Node, facts: EngineFacts, rules: Sequence[Rule] | None = None) -> list[Problem]:
    """All that keeps the query from running. Where values of the tree are wrong in themselves, only that."""
    broken = unsound(node)
    if broken:
        return broken
    return [problem for rule in (RULES if rules is None else rules) for problem in rule(node, facts)]


def must_run(node: Node, facts: EngineFacts, source: str | None = None, rules: Sequence[Rule] | None = None) -> None:
    """BadQuery, with all problems shown in the query's text, unless the query can run.

    `source`: the text that `node` was read from; without it the query is shown as it is printed.
    """
    problems = check(node, facts, rules)
    if not problems:
        return
    if source is None and not unsound(node):
        source = print_query(node)
        problems = check(parse(source), facts, rules)
    raise BadQuery(problems, source)


def knn_clauses(node: Node) -> list[Knn]:
    """The knn clauses of a query, in order."""
    return [part for part in node.walk() if isinstance(part, Knn)]


def known_fields(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """Fields are those of the index."""
    for part in node.walk():
        if isinstance(part, Field) and part.name not in facts.fields:
            message = f"the index has no field {quoted(part.name)}"
            yield Problem(Code.UNKNOWN_FIELD, message, part.span, hint=suggestion(part.name, facts.fields))


def known_keys(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """Metadata keys are those of the index, where they are known."""
    keys = facts.metadata_keys
    for part in node.walk():
        if keys is not None and isinstance(part, Filter) and part.key not in keys:
            message = f"no document of the index has the metadata {quoted(part.key)}"
            yield Problem(Code.UNKNOWN_KEY, message, part.span, hint=suggestion(part.key, sorted(keys)))


def vectors_for_knn(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """knn needs vectors."""
    if not facts.has_vectors:
        hint = "build the index with an embedder, or leave the clause out"
        for part in knn_clauses(node):
            yield Problem(Code.NO_VECTORS, "knn needs vectors, and the index has none", part.span, hint=hint)


def items_for_exact(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """exact needs documents that are split into items."""
    if not facts.has_items:
        hint = "build the index with a schema that finds the items, or use lex"
        for part in node.walk():
            if isinstance(part, Exact):
                message = "exact compares items, and the index's documents are not split into items"
                yield Problem(Code.NO_ITEMS, message, part.span, hint=hint)


def relations_for_relation(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """relation needs items that stand in relations."""
    if not facts.has_relations:
        hint = "build the index with a schema that finds relations, or leave the scope out"
        for part in node.walk():
            if isinstance(part, Relation):
                message = f"the index keeps no relations, so {quoted(part.name)} cannot be told from any other"
                yield Problem(Code.NO_RELATIONS, message, part.span, hint=hint)


def no_knn_excluded(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """There is no knn inside not: every document is near to some degree, and only the first are listed."""
    told: set[int] = set()
    for outer in node.walk():
        if not isinstance(outer, Not):
            continue
        for part in knn_clauses(outer.child):
            if id(part) not in told:
                told.add(id(part))
                note = Note("inside this not", outer.span)
                hint = "exclude words or items, with lex, exact or filter"
                yield Problem(Code.KNN_EXCLUDED, "knn cannot be excluded", part.span, hint=hint, notes=(note,))


def fusion_at_the_top(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """A fusion stands at the top, or directly inside another fusion or a boost that does."""
    waiting: list[tuple[Node, Node | None]] = [(node, None)]
    while waiting:
        part, outer = waiting.pop()
        if isinstance(part, Fuse) and outer is not None:
            name = type(outer).__name__.lower()
            message = f"a fusion ranks whole lists and cannot stand inside {name}"
            note = Note(f"inside this {name}", outer.span)
            hint = "put the fusion outermost and the other clauses into its parts"
            yield Problem(Code.FUSION_PLACE, message, part.span, hint=hint, notes=(note,))
        if not isinstance(part, Fuse | Boost):
            outer = part
        waiting.extend((child, outer) for child in reversed(part.children))


def exact_in_items(node: Node, facts: EngineFacts) -> Iterator[Problem]:
    """exact looks at items: a field that is written on it directly can be no other."""
    for part in node.walk():
        if isinstance(part, Field) and part.name != ITEMS:
            child = part.child
            while isinstance(child, Boost):
                child = child.child
            if isinstance(child, Exact):
                message = f"exact compares items, and the field {quoted(part.name)} is not split into items"
                hint = f"use lex for words of that field, or :field {ITEMS}"
                yield Problem(Code.EXACT_FIELD, message, part.span, hint=hint)


RULES: list[Rule] = [
    known_fields,
    known_keys,
    vectors_for_knn,
    items_for_exact,
    relations_for_relation,
    no_knn_excluded,
    fusion_at_the_top,
    exact_in_items,
]
