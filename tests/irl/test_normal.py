"""The normal form: the same documents with the same scores, by an evaluator that is written from the docs alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.strategies import queries

from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.irl.normal import normal_form
from askance.irl.parser import parse
from askance.irl.printer import print_query
from askance.irl.problems import BadQuery
from askance.irl.scopes import scoped_leaves


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ('(or (lex "a") (or (lex "b") (or (lex "c"))))', '(or (lex "a") (lex "b") (lex "c"))'),
        ('(and (lex "a") (and (lex "b") (lex "c")))', '(and (lex "a") (lex "b") (lex "c"))'),
        ('(or (lex "a") (and (lex "b") (lex "c")))', '(or (lex "a") (and (lex "b") (lex "c")))'),
        ('(and (or (lex "a")))', '(lex "a")'),
        ('(field items (or (lex "a") (lex "b" :field name)))', '(or (lex "a" :field items) (lex "b" :field name))'),
        ('(field items (lex "a" :field text))', '(lex "a")'),
        ('(field items (or (knn "q") (filter k 1)))', '(or (knn "q") (filter k 1))'),
        ('(field items (or (exact "x") (lex "a")))', '(or (exact "x") (lex "a" :field items))'),
        ('(exact "x" :field name :boost 2)', '(exact "x" :field name :boost 2)'),
        ('(or (lex "a" :boost 2) (lex "b") :boost 3)', '(or (lex "a" :boost 6) (lex "b" :boost 3))'),
        ('(boost 2 (lex "a" :boost 0.5))', '(lex "a")'),
        (
            '(boost 2 (and (lex "a") (filter k 1) (not (lex "b" :boost 3))))',
            '(and (lex "a" :boost 2) (filter k 1) (not (lex "b")))',
        ),
        ('(boost 1e20 (boost 1e20 (lex "a")))', '(boost 1e+20 (lex "a" :boost 1e+20))'),
        ('(boost 1e20 (boost 1e20 (boost 1e-20 (lex "a"))))', '(lex "a" :boost 1e+20)'),
        (
            '(relation "r" (or (lex "a") (exact "x") (filter k 1)))',
            '(or (relation "r" (lex "a")) (relation "r" (exact "x")) (filter k 1))',
        ),
        ('(relation "r" (not (exact "x")))', '(not (relation "r" (exact "x")))'),
        ('(relation "r" (relation "s" (exact "x")))', '(relation "s" (exact "x"))'),
        (
            '(relation "r" (and (knn "q") (lex "a" :boost 2)) :boost 3)',
            '(relation "r" (and (knn "q" :boost 3) (lex "a" :boost 6)))',
        ),
        (
            '(or (lex "a") (or (lex "b") :fuse sum :boost 2) :fuse rrf :boost 3)',
            '(or (lex "a") (or (lex "b") :fuse sum :boost 2) :fuse rrf :boost 3)',
        ),
        (
            '(field items (or (lex "a") (lex "b") :fuse rrf))',
            '(or (lex "a" :field items) (lex "b" :field items) :fuse rrf)',
        ),
        (
            '(and (or (knn "q") (lex "a") :fuse rrf :k 5) (filter k 1))',
            '(or (and (knn "q") (filter k 1)) (and (lex "a") (filter k 1)) :fuse rrf :k 5)',
        ),
        (
            '(and (filter k 1) (and (or (lex "a") :fuse sum :boost 2) (not (lex "b"))))',
            '(or (and (lex "a") (not (lex "b")) (filter k 1)) :fuse sum :boost 2)',
        ),
        (
            '(and (or (or (lex "a") :fuse sum) (lex "b") :fuse rrf) (filter k 1))',
            '(or (or (and (lex "a") (filter k 1)) :fuse sum) (and (lex "b") (filter k 1)) :fuse rrf)',
        ),
        ('(and (or (lex "a") :fuse rrf) (lex "b"))', '(and (or (lex "a") :fuse rrf) (lex "b"))'),
        (
            '(relation "r" (or (or (knn "q") (lex "a") :fuse sum) (lex "b") :fuse rrf))',
            '(or (or (relation "r" (knn "q")) (relation "r" (lex "a")) :fuse sum) (relation "r" (lex "b")) :fuse rrf)',
        ),
        (
            '(relation "r" (and (or (knn "q") (lex "a") :fuse sum) (filter k 1)))',
            '(or (relation "r" (and (knn "q") (filter k 1))) (and (relation "r" (lex "a")) (filter k 1)) :fuse sum)',
        ),
        # a condition comes to restrict no knn that it did not restrict before
        ('(and (knn "q") (and (lex "a") (filter k 1)))', '(and (knn "q") (and (lex "a") (filter k 1)))'),
        ('(and (knn "q") (and (not (lex "a")) (filter k 1)))', '(and (knn "q") (not (lex "a")) (filter k 1))'),
    ],
)
def test_forms(written: str, normal: str) -> None:
    assert print_query(normal_form(parse(written))) == normal


@settings(deadline=None)
@given(queries(most_leaves=12))
def test_the_normal_form_is_its_own(query: Node) -> None:
    normal = normal_form(query)
    assert normal_form(normal) == normal


@settings(deadline=None)
@given(queries(most_leaves=12))
def test_what_is_looked_for_stays(query: Node) -> None:
    """Each leaf with its scope, as often as conditions need it; weights to rounding, and 0 stays 0."""

    def looked_for(node: Node) -> set[tuple[object, ...]]:
        return {
            (
                type(leaf).__name__,
                repr(leaf),
                place if isinstance(leaf, Lex) else "",
                None if isinstance(leaf, Filter) else relation,
            )
            for leaf, place, relation, _ in scoped_leaves(node)
        }

    assert looked_for(normal_form(query)) == looked_for(query)


def test_spans_stay() -> None:
    text = '(field items (or (lex "a") (lex "b") :boost 2))'
    normal = normal_form(parse(text))
    assert [text[slice(*node.span)] for node in normal.walk() if node.span is not None and isinstance(node, Lex)] == [
        '(lex "a")',
        '(lex "b")',
    ]
    assert normal.span is not None


def test_scopes() -> None:
    text = '(or (lex "b" :boost 2) (exact "c") (lex "d" :field g) :boost 3)'
    query = parse(f'(or (lex "a") (field f (relation "r" {text})) (not (knn "e")))')
    assert [(leaf.text, *rest) for leaf, *rest in scoped_leaves(query) if isinstance(leaf, Lex | Exact | Knn)] == [
        ("a", "text", None, 1.0),
        ("b", "f", "r", 6.0),
        ("c", "f", "r", 3.0),
        ("d", "g", "r", 3.0),
        ("e", "text", None, 0.0),
    ]
    fused = parse('(or (lex "a" :boost 2) :fuse rrf :boost 3)')
    assert [leaf.weight for leaf in scoped_leaves(fused)] == [2.0]


def test_a_tree_the_language_has_not_is_refused() -> None:
    with pytest.raises(BadQuery, match="IRL008"):
        normal_form(Or(()))


def test_the_deepest_tree_there_is() -> None:
    query: Node = Lex("a")
    for number in range(199):
        query = Not(query) if number % 2 else And((query, Lex("b")))
    assert normal_form(normal_form(query)) == normal_form(query)


# An evaluator of its own: sets of documents and plain sums, as the docs have it.


@dataclass(frozen=True)
class Document:
    fields: dict[str, str]
    items: tuple[tuple[str, str], ...]  # relation, item
    year: int
    nearness: dict[str, float]


@dataclass(frozen=True)
class Around:
    field: str = "text"
    relation: str | None = None
    allowed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Corpus:
    documents: tuple[Document, ...]

    def scores(self, node: Node) -> dict[int, float]:
        return self.matches(node, Around(allowed=frozenset(range(len(self.documents)))))

    def matches(self, node: Node, around: Around) -> dict[int, float]:
        every = range(len(self.documents))
        match node:
            case Knn():
                allowed = [d for d in every if d in around.allowed and self.stands(d, around.relation)]
                allowed.sort(key=lambda d: (-self.documents[d].nearness.get(node.text, 0.0), d))
                return {d: (1 + self.documents[d].nearness.get(node.text, 0.0)) / 2 for d in allowed[: node.depth]}
            case Lex():
                return {d: score for d in every if (score := self.lex(d, node, around)) > 0}
            case Exact():
                return {d: 128.0 for d in every if node.text in self.items(d, around.relation)}
            case Filter():
                return {d: 0.0 for d in every if self.documents[d].year in node.values}
            case Field():
                return self.matches(node.child, replace(around, field=node.name))
            case Relation():
                return self.matches(node.child, replace(around, relation=node.name))
            case Boost():
                return {d: node.weight * score for d, score in self.matches(node.child, around).items()}
            case Not():
                return dict.fromkeys(set(every) - set(self.matches(node.child, around)), 0.0)
            case And():
                for part in node.parts:
                    if restricts(part):
                        around = replace(around, allowed=around.allowed & set(self.matches(part, around)))
                found = [self.matches(part, around) for part in node.parts]
                return {d: sum(one[d] for one in found) for d in every if all(d in one for one in found)}
            case Or():
                found = [self.matches(part, around) for part in node.parts]
                return {d: sum(one.get(d, 0.0) for one in found) for d in every if any(d in one for one in found)}
            case Fuse():
                return self.fused(node, around)
        raise AssertionError(node)

    def fused(self, node: Fuse, around: Around) -> dict[int, float]:
        total: dict[int, float] = {}
        for number, part in enumerate(node.parts):
            found = self.matches(part, around)
            ranked = sorted(found, key=lambda d: (-round(found[d], 6), d))[: node.depth]
            weight = node.weights[number] if node.weights else 1.0
            for rank, d in enumerate(ranked, 1):
                gained = {"sum": found[d], "rrf": 1 / (node.k + rank), "minmax": scaled(found[d], found, ranked)}
                total[d] = total.get(d, 0.0) + weight * gained[node.kind]
        if node.kind == "minmax":
            total = {d: score / (sum(node.weights) or len(node.parts)) for d, score in total.items()}
        if node.min_score is not None:
            total = {d: score for d, score in total.items() if score >= node.min_score}
        return total

    def lex(self, d: int, node: Lex, around: Around) -> float:
        document = self.documents[d]
        words = node.text.split()
        if around.field == "items":
            texts = list(self.items(d, around.relation))
        elif not self.stands(d, around.relation):
            texts = []
        else:
            texts = [document.fields.get(around.field, "")]
        if node.match == "phrase":
            return float(sum(f" {text} ".count(f" {node.text} ") for text in texts))
        counts = [sum(text.split().count(word) for text in texts) for word in words]
        return float(sum(counts)) if node.match == "any" or all(counts) else 0.0

    def items(self, d: int, relation: str | None) -> set[str]:
        return {item for one, item in self.documents[d].items if relation in (None, one)}

    def stands(self, d: int, relation: str | None) -> bool:
        return relation is None or any(one == relation for one, _ in self.documents[d].items)


def scaled(score: float, found: dict[int, float], ranked: list[int]) -> float:
    least, greatest = found[ranked[-1]], found[ranked[0]]
    if math.isclose(least, greatest, rel_tol=1e-9, abs_tol=1e-12):
        return 1.0
    return 0.001 if math.isclose(score, least) else (score - least) / (greatest - least)


def restricts(node: Node) -> bool:
    """Filters, relations and excluded clauses, and what is made of these alone."""
    if isinstance(node, Filter | Not):
        return True
    if isinstance(node, Relation):
        return not any(isinstance(one, Knn) for one in node.walk())
    if isinstance(node, Field | Boost):
        return restricts(node.child)
    return isinstance(node, And | Or) and all(map(restricts, node.parts))


RELATIONS = ("likes", "hates")
TEXTS = ("hot", "snow", "hot snow")


def document(number: int) -> Document:
    """One of 24: every text, name, year and item beside most others; nearest to "p" first and to "q" last."""
    items = ((), (("likes", "hot"),), (("hates", "hot"),), (("hates", "snow"), ("likes", "hot snow")))[number % 4]
    near = {"p": 1 - number / 24, "q": (7 * number % 24) / 24}
    return Document({"text": TEXTS[number % 3], "name": TEXTS[number // 3 % 3]}, items, 1 + number * 5 % 7 % 3, near)


CORPUS = Corpus(tuple(map(document, range(24))))
LEAVES = st.one_of(
    st.builds(Lex, st.sampled_from(TEXTS), st.sampled_from(["phrase", "any", "all"])),
    st.builds(Exact, st.sampled_from(TEXTS)),
    st.builds(lambda year: Filter("year", (year,)), st.integers(1, 3)),
    st.builds(Knn, st.sampled_from(["p", "q"]), st.integers(1, 12)),
)
FIELDS, STANDING = st.sampled_from(["text", "name", "items"]), st.sampled_from(RELATIONS)
TREES = queries(runnable=True, leaf=LEAVES, fields=FIELDS, relations=STANDING, most_leaves=9)
UNFUSED = queries(runnable=True, leaf=LEAVES, fields=FIELDS, relations=STANDING, fused=False)


@st.composite
def beside_knn(draw: st.DrawFn) -> Node:
    """An and of a knn and two others, one of them an and in a relation, or in none: where conditions may stray."""
    inner: Node = And((draw(LEAVES), draw(UNFUSED)))
    if draw(st.booleans()):
        inner = Relation(draw(STANDING), inner)
    return And((draw(LEAVES), inner, Knn("p", draw(st.integers(1, 12)))))


def same(one: dict[int, float], other: dict[int, float]) -> bool:
    return set(one) == set(other) and all(math.isclose(one[d], other[d], rel_tol=1e-9, abs_tol=1e-12) for d in one)


@settings(max_examples=400, deadline=None)
@given(TREES | beside_knn())
def test_the_meaning_stays(query: Node) -> None:
    assert same(CORPUS.scores(query), CORPUS.scores(normal_form(query)))


@settings(deadline=None)
@given(UNFUSED, UNFUSED, st.integers(1, 3))
def test_conditions_beside_a_fusion_hold_before_it(first: Node, second: Node, year: int) -> None:
    """Fusing what is left after a filter is not filtering what was fused: the normal form is the former."""
    condition = Filter("year", (year,))
    fused = normal_form(And((Fuse("rrf", (first, second)), condition)))
    assert fused == normal_form(Fuse("rrf", (And((first, condition)), And((second, condition)))))
    assert all(CORPUS.documents[d].year == year for d in CORPUS.scores(fused))
