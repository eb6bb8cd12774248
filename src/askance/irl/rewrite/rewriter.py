"""A question becomes a query: found, cleaned, laid onto the question, read as a query, and built into phrases."""

from __future__ import annotations

from dataclasses import dataclass

from askance.irl.nodes import And, Knn, Lex, Node, Not, Or
from askance.irl.printer import print_query
from askance.irl.rewrite.composition import Composition, composed_query, composition_of
from askance.irl.rewrite.extractor import Extractor, Found, Keyword
from askance.irl.rewrite.left_out import left_out
from askance.irl.rewrite.parse_rewrite import parse_rewrite
from askance.irl.rewrite.phrases import Form, build_phrases
from askance.irl.rewrite.relations import RelationAsked, relation_asked
from askance.irl.rewrite.repair import repair
from askance.irl.rewrite.sanitise import sanitise
from askance.irl.rewrite.stage import Stage
from askance.irl.rewrite.vocabulary import Vocabulary


@dataclass(frozen=True)
class Rewritten:
    """`query`: what to run. `keywords`: in the question's order. `stages`: how it came about, first to last."""

    query: Node
    keywords: tuple[str, ...]
    stages: tuple[Stage, ...]

    @property
    def keyword(self) -> str:
        """All keywords; empty where there is none."""
        return "; ".join(self.keywords)

    @property
    def flagged(self) -> tuple[str, ...]:
        """Stages whose output is not what one would wish, with their rules and notes."""
        return tuple(
            ": ".join((stage.stage, "; ".join((stage.rule, *stage.notes)))) for stage in self.stages if stage.flagged
        )


def rewrite(
    question: str,
    *,
    vocabulary: Vocabulary,
    extractor: Extractor,
    form: Form | None = None,
    without_knn: bool = False,
) -> Rewritten:
    """The query for `question`, which stands in its knn clause as it is, byte for byte.

    `form` "text": each keyword as a phrase in the text; "fields": as an item, or a phrase inside one, in the relation
    that the question asks for, where the collection has relations; None: "fields" where it has items. Keywords that the
    question joins by and, or, not are joined so (composition.py). `without_knn`: for an index without vectors. Where
    there is no keyword, the query is the question alone: `(knn …)`, or any of its words in the text.
    """
    form = form or ("fields" if vocabulary.has_items else "text")
    found = extractor.find(question, vocabulary)
    stages = list(found.stages)
    keywords = _keywords(found, question, stages)
    text = _expression(question, keywords, without_knn)
    query = parse_rewrite(text, 0 if without_knn else 1)
    stages.append(_parsed(keywords, text))
    unread = tuple(f"{words!r} {_UNREAD}" for words in left_out(question, keywords, vocabulary))
    composition = composition_of(question, keywords, vocabulary, form)
    if composition is not None and not composition.is_plain:
        built = _with_knn(query, composed_query(composition, form), composition)
        notes = () if form == "fields" else _EXCLUDED_OF_TEXT if composition.excluded else _WANTED_OF_TEXT
        stages.append(
            Stage("phrases", text, print_query(built), f"composed: {composition}", (*notes, *unread), bool(unread))
        )
        return Rewritten(built, keywords, tuple(stages))
    asked = RelationAsked(None)
    if form == "fields" and keywords:
        asked = _relation(question, keywords, vocabulary)
    built = build_phrases(query, form, asked.name)
    said = (*((asked.note,) if asked.note else ()), *unread)
    stages.append(Stage("phrases", text, print_query(built), _rule(form, asked), said, bool(unread)))
    return Rewritten(built, keywords, tuple(stages))


_UNREAD = "is left out: the collection has nothing that it names"
_WANTED_OF_TEXT = ("in text alone a longer item around one that is asked for counts as that item",)
_EXCLUDED_OF_TEXT = ("in text alone a longer item around an excluded one is excluded too",)


def _with_knn(query: Node, composed: Node, composition: Composition) -> Node:
    """The composed clauses in the place of the phrases; what is excluded is no near document either."""
    near = [part for part in (query.parts if isinstance(query, Or) else (query,)) if isinstance(part, Knn)]
    if not near:
        return composed
    parts = composed.parts if composition.excluded and isinstance(composed, And) else (composed,)
    without = [part for part in parts if isinstance(part, Not)]
    wanted = [part for part in parts if not isinstance(part, Not)]
    either = Or((*near, *wanted)) if wanted else near[0]
    return And((either, *without)) if without else either


def _keywords(found: Found, question: str, stages: list[Stage]) -> tuple[str, ...]:
    """Sanitised and repaired, each once; empty ones are left out."""
    kept: dict[str, None] = {}
    for keyword in found.keywords:
        clean = sanitise(keyword.text)
        stages.append(clean)
        if clean.output:
            repaired = _repaired(keyword, clean.output, question)
            stages.append(repaired)
            kept[repaired.output] = None
    return tuple(keyword for keyword in kept if keyword)


def _repaired(keyword: Keyword, clean: str, question: str) -> Stage:
    if keyword.settled:
        return Stage("repair", clean, keyword.text, "the collection's own words")
    return repair(clean, question)


def _expression(question: str, keywords: tuple[str, ...], without_knn: bool) -> str:
    """The rewrite as text: knn and one lex clause a keyword."""
    clauses: list[Node] = [] if without_knn else [Knn(question)]
    clauses.extend(map(Lex, keywords))
    if not clauses:
        clauses.append(Lex(question, match="any"))
    return print_query(clauses[0] if len(clauses) == 1 else Or(tuple(clauses)))


def _parsed(keywords: tuple[str, ...], text: str) -> Stage:
    if keywords:
        return Stage("parse", "; ".join(keywords), text, "a query")
    note = "no keyword: the question alone is searched for"
    return Stage("parse", "", text, "the safe query", (note,), flagged=True)


def _relation(question: str, keywords: tuple[str, ...], vocabulary: Vocabulary) -> RelationAsked:
    """Asked of the question's words without those of the keywords, each keyword once."""
    analyzer = vocabulary.analyzer
    terms = analyzer.terms(question)
    for keyword in keywords:
        terms = _without(terms, analyzer.terms(keyword))
    return relation_asked(terms, vocabulary.relations, analyzer)


def _without(terms: list[str], run: list[str]) -> list[str]:
    """`terms` without the last occurrence of `run` in it."""
    for at in range(len(terms) - len(run), -1, -1):
        if terms[at : at + len(run)] == run:
            return terms[:at] + terms[at + len(run) :]
    return terms


def _rule(form: Form, asked: RelationAsked) -> str:
    if form == "text":
        return "phrases in the text"
    return "items" if asked.name is None else f"items in the relation {asked.name!r}"
