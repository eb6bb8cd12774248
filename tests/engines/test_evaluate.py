"""What clauses make of the leaves: the semantics of the tree, by hand and against a plain reading of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from askance.core.errors import BadInput, UnknownName
from askance.data.fields.schema import Fact, Fields
from askance.engines.evaluate import Evaluation, evaluate
from askance.engines.leaves_in_memory import Held, LeavesInMemory, stored_length
from askance.engines.matches import Matches
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.text.lengths import stored_lengths


class Listed:
    """Nearest documents in a given order: the first scores 1, each further .01 less."""

    def __init__(self, order: list[int]) -> None:
        self.order = order

    def nearest(self, text: str, depth: int, allowed: NDArray[np.int64] | None) -> Matches:
        kept = [at for at in self.order if allowed is None or at in allowed][:depth]
        pairs = sorted((at, 1.0 - 0.01 * self.order.index(at)) for at in kept)
        scores = np.array([score for _, score in pairs]).astype(np.float32).astype(np.float64)
        return Matches(np.array([at for at, _ in pairs], dtype=np.int64), scores)


def person(name: str, likes: list[str], dislikes: tuple[str, ...] = (), text: str | None = None, **of: float) -> Held:
    facts = [Fact(tuple(likes), "likes")] + ([Fact(dislikes, "does not like")] if dislikes else [])
    said = text or f"{name} likes {', '.join(likes)}." + (f" Does not like {', '.join(dislikes)}." if dislikes else "")
    return Held(said, Fields(name, tuple(facts)), of)


PEOPLE = [
    person("Ann Lee", ["Hot Chocolate", "Mangrove Forests"], age=30.0),
    person("Bob Ray", ["Hot Springs", "Dark Chocolate"], age=40.0),
    person("Cy Snow", ["Forests", "Venus", "Honey", "Clouds", "Snow Angels", "Ties", "Rain"], age=50.0),
    person("Patience Schmiel", ["Risk"], ("Forests",), age=60.0),
    person("Dee Ivy", ["Patience"], text="nothing to see", age=70.0),
    person("Eve Hot", ["Zip Ties", "Mangrove Forests", "Rain Forests"]),
]
LEAVES = LeavesInMemory(PEOPLE)
NEAREST = Listed([3, 1, 4, 0, 2, 5])


def found(node: Node) -> list[int]:
    return [int(at) for at in evaluate(node, LEAVES, NEAREST).positions]


def items(node: Node) -> Node:
    return Field("items", node)


def test_the_length_of_the_oracle_is_the_one_byte() -> None:
    lengths = np.arange(1, 5000)
    assert [stored_length(int(length)) for length in lengths] == stored_lengths(lengths).tolist()


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Lex("hot chocolate"), [0]),
        (Lex("hot chocolate", "any"), [0, 1, 5]),
        (Lex("hot chocolate", "all"), [0, 1]),
        (items(Lex("springs dark", slop=99)), []),  # a gap of 100 stands between two items
        (items(Lex("springs dark", slop=100)), [1]),
        (Lex("springs dark"), [1]),  # in the text a comma does not stop a phrase
        (items(Lex("springs dark")), []),
        (Lex("Patience"), [3]),
        (items(Lex("Patience")), [4]),
        (Field("name", Lex("Patience")), [3]),
        (items(Field("name", Lex("Patience"))), [3]),  # the innermost field holds
        (Exact("forests"), [2, 3]),
        (Relation("likes", Exact("forests")), [2]),
        (Relation("does not like", Exact("Forests")), [3]),
        (Relation("likes", items(Lex("Forests"))), [0, 2, 5]),
        (Relation("does not like", Lex("Forests")), [3]),
        (Relation("knows", Exact("forests")), []),
        (And((Exact("forests"), Not(Relation("does not like", Exact("forests"))))), [2]),
        (Not(Lex("likes")), [4]),
        (Or((Lex("hot"), Exact("forests"))), [0, 1, 2, 3, 5]),
        (And((Lex("hot"), items(Lex("forests")))), [0, 5]),
        (Filter("age", low=40.0, high=60.0), [1, 2, 3]),
        (Filter("age", (30.0, 70.0)), [0, 4]),
        (Filter("age", (30.0, 31.0)), [0]),
        (Not(Filter("age", low=0.0)), [5]),
        (Lex("?!"), []),
        (Exact("?!"), []),
        (Knn("q", 2), [1, 3]),
        (Or((Knn("q", 1), Lex("hot chocolate"))), [0, 3]),
        (And((Knn("q", 1), Lex("likes"))), [3]),
        (And((Knn("q", 1), Lex("hot"))), []),  # words do not hold before the nearest are taken
        (And((Knn("q", 1), Filter("age", low=70.0))), [4]),
        (And((Or((Knn("q", 1), Lex("hot"))), Filter("age", low=70.0))), [4]),
        (And((Knn("q", 2), Not(Exact("risk")))), [1, 4]),
        (And((Knn("q", 1), Relation("likes", Exact("forests")))), [2]),
        (And((Knn("q", 1), Or((Filter("age", (30.0,)), Filter("age", (40.0,)))))), [1]),
        (And((And((Lex("likes"), Knn("q", 1))), Filter("age", (30.0,)))), [0]),
        (And((Boost(2.0, Knn("q", 1)), Boost(3.0, Not(Filter("age", (60.0,)))))), [1]),
        (Relation("does not like", Knn("q", 5)), [3]),
        (Relation("likes", Relation("does not like", Exact("forests"))), [3]),
    ],
)
def test_what_a_clause_matches(node: Node, expected: list[int]) -> None:
    assert found(node) == expected


def test_scores_by_the_formula() -> None:
    docs = [Held("a b a"), Held("a"), Held("c d e f"), Held("")]
    leaves = LeavesInMemory(docs)
    idf_a = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    idf_b = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    norm = 1.2 * (0.25 + 0.75 * 3 / (8 / 3))
    one = evaluate(Lex("a"), leaves)
    assert one.positions.tolist() == [0, 1]
    assert one.scores[0] == pytest.approx(idf_a * 2 / (2 + norm), rel=1e-7)
    both = evaluate(Lex("a b", "any"), leaves)
    assert both.scores[0] == pytest.approx(idf_a * 2 / (2 + norm) + idf_b / (1 + norm), rel=1e-7)
    phrase = evaluate(Lex("a b"), leaves)
    assert phrase.scores.tolist() == pytest.approx([(idf_a + idf_b) / (1 + norm)], rel=1e-7)
    apart = evaluate(Lex("b a", slop=2), leaves)  # b a: as it stands; a b: two moves
    assert apart.scores[0] == pytest.approx((idf_a + idf_b) * 1 / (1 + norm), rel=1e-7)


def test_scores_add_and_multiply() -> None:
    hot, chocolate = evaluate(Lex("hot"), LEAVES), evaluate(Lex("chocolate"), LEAVES)
    plain = dict(zip(hot.positions.tolist(), hot.scores.tolist(), strict=True))
    other = dict(zip(chocolate.positions.tolist(), chocolate.scores.tolist(), strict=True))
    either = evaluate(Or((Boost(2.0, Lex("hot")), Lex("chocolate"))), LEAVES)
    for position, score in zip(either.positions.tolist(), either.scores.tolist(), strict=True):
        expected = np.float32(2.0 * plain.get(position, 0.0) + other.get(position, 0.0))
        assert score == float(expected)
    both = evaluate(And((Lex("hot"), Lex("chocolate"), Filter("age", (30.0,)))), LEAVES)
    assert both.scores.tolist() == [float(np.float32(plain[0] + other[0]))]


def test_an_exact_item_comes_above_any_phrase() -> None:
    tier = Evaluation(LEAVES).ranking(Or((Exact("forests"), items(Lex("forests")))), 10)
    assert tier.positions.tolist()[:2] == [3, 2]  # both hold it exactly; the shorter list first
    assert set(tier.positions.tolist()[2:]) == {0, 5}
    assert tier.scores[1] > 128 > tier.scores[2]


@pytest.mark.parametrize("scale", ["lucene", "legacy"])
def test_the_legacy_scale_is_2_2_times_as_high(scale: str) -> None:
    factor = 2.2 if scale == "legacy" else 1.0
    scaled = LeavesInMemory(PEOPLE, scale=scale)  # type: ignore[arg-type]
    for node in (Lex("hot"), Lex("hot chocolate", "any"), items(Lex("rain forests"))):
        expected = evaluate(node, LEAVES).scores * factor
        assert evaluate(node, scaled).scores.tolist() == pytest.approx(expected.tolist(), rel=1e-6)


def test_fusion_at_the_top() -> None:
    lists = (Lex("hot"), Knn("q", 3))
    fused = evaluate(Fuse("rrf", lists), LEAVES, NEAREST)
    hot = Evaluation(LEAVES).ranking(Lex("hot"), 10).positions.tolist()
    expected = dict.fromkeys([*hot, 3, 1, 4], 0.0)
    for rank, at in enumerate(hot, 1):
        expected[at] += 1 / (60 + rank)
    for rank, at in enumerate([3, 1, 4], 1):
        expected[at] += 1 / (60 + rank)
    assert dict(zip(fused.positions.tolist(), fused.scores.tolist(), strict=True)) == pytest.approx(expected)
    assert fused.positions.tolist() == sorted(expected)


def test_a_sum_fusion_is_an_or_where_depth_cuts_nothing() -> None:
    lists = (Lex("hot"), Knn("q", 3))
    plain, fused = evaluate(Or(lists), LEAVES, NEAREST), evaluate(Fuse("sum", lists), LEAVES, NEAREST)
    assert plain.positions.tolist() == fused.positions.tolist()
    assert plain.scores.tolist() == pytest.approx(fused.scores.tolist(), rel=1e-6)


def test_a_fusion_inside_a_fusion_and_a_boost() -> None:
    inner = Fuse("rrf", (Lex("hot"), Knn("q", 3)))
    outer = evaluate(Fuse("sum", (Boost(10.0, inner), Exact("risk"))), LEAVES, NEAREST)
    alone = evaluate(inner, LEAVES, NEAREST)
    scores = dict(zip(alone.positions.tolist(), (10 * alone.scores).tolist(), strict=True))
    scores[3] += 128.0
    assert dict(zip(outer.positions.tolist(), outer.scores.tolist(), strict=True)) == pytest.approx(scores)


@pytest.mark.parametrize(("size", "larger"), [(1, 2), (2, 5), (3, 6)])
def test_a_short_answer_begins_a_long_one(size: int, larger: int) -> None:
    node = Fuse("rrf", (Lex("likes"), Knn("q")), depth=4)
    run = Evaluation(LEAVES, NEAREST)
    assert run.ranking(node, larger).positions.tolist()[:size] == run.ranking(node, size).positions.tolist()


def test_one_and_true_are_different_values() -> None:
    leaves = LeavesInMemory([Held("a", metadata={"x": 1.0}), Held("b", metadata={"x": True})])
    assert evaluate(Filter("x", (1.0,)), leaves).positions.tolist() == [0]
    both = And((Filter("x", (1.0,)), Filter("x", (True,))))
    assert evaluate(both, leaves).positions.tolist() == []


def test_what_is_not_there() -> None:
    with pytest.raises(BadInput, match="no vectors"):
        evaluate(Knn("q"), LEAVES)
    with pytest.raises(UnknownName, match="'nmae'"):
        evaluate(Field("nmae", Lex("a")), LEAVES)
    with pytest.raises(UnknownName, match="'agee'"):
        evaluate(Filter("agee", (1.0,)), LEAVES)


def test_deleted_documents_match_nothing() -> None:
    leaves = LeavesInMemory([Held("a"), Held("a b", deleted=True), Held("b")])
    assert evaluate(Lex("a"), leaves).positions.tolist() == [0]
    assert evaluate(Not(Lex("a")), leaves).positions.tolist() == [2]


# -- a plain reading of the tree, document by document

LEXES = st.sampled_from(["hot", "forests", "hot chocolate", "likes", "risk", "patience", "?"]).map(Lex)
ALONE = st.one_of(
    LEXES,
    LEXES.map(items),
    st.sampled_from(["forests", "risk", "rain forests"]).map(Exact),
    st.sampled_from([Filter("age", low=35.0), Filter("age", (30.0, 50.0))]),
)
TREES = st.recursive(
    ALONE,
    lambda inside: st.one_of(
        st.lists(inside, min_size=1, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inside, min_size=1, max_size=3).map(lambda parts: Or(tuple(parts))),
        inside.map(Not),
        st.tuples(st.sampled_from([0.5, 2.0, 3.0]), inside).map(lambda pair: Boost(*pair)),
        st.tuples(st.sampled_from(["likes", "does not like"]), inside).map(lambda pair: Relation(*pair)),
    ),
    max_leaves=8,
)


def score_of(node: Node, at: int, field: str = "text", relation: str | None = None) -> float | None:
    """What the node gives to one document; None where it does not match."""
    match node:
        case And(parts):
            given = [score_of(part, at, field, relation) for part in parts]
            return None if None in given else sum(score for score in given if score is not None)
        case Or(parts):
            some = [score for score in (score_of(part, at, field, relation) for part in parts) if score is not None]
            return sum(some) if some else None
        case Not(child):
            return 0.0 if score_of(child, at, field, relation) is None else None
        case Boost(weight, child):
            score = score_of(child, at, field, relation)
            return None if score is None else weight * score
        case Field(name, child):
            return score_of(child, at, name, relation)
        case Relation(name, child):
            return score_of(child, at, field, name)
        case Filter():
            return 0.0 if at in LEAVES.filter(node) else None
        case Lex() | Exact():
            of = LEAVES.lex(node, field, relation) if isinstance(node, Lex) else LEAVES.exact(node, relation)
            pairs = dict(zip(of.positions.tolist(), of.scores.tolist(), strict=True))
            return pairs.get(at)
    raise AssertionError(node)


@settings(deadline=None)
@given(TREES)
def test_equals_a_reading_document_by_document(node: Node) -> None:
    expected = {at: score for at in range(len(PEOPLE)) if (score := score_of(node, at)) is not None}
    got = evaluate(node, LEAVES)
    assert got.positions.tolist() == sorted(expected)
    for at, score in zip(got.positions.tolist(), got.scores.tolist(), strict=True):
        assert score == pytest.approx(expected[at], rel=1e-6)
        assert score == float(np.float32(score))


@settings(deadline=None)
@given(TREES, TREES)
def test_a_higher_boost_never_lowers_a_document(one: Node, other: Node) -> None:
    low = evaluate(Or((one, Boost(1.0, other))), LEAVES)
    high = evaluate(Or((one, Boost(3.0, other))), LEAVES)
    assert low.positions.tolist() == high.positions.tolist()
    assert (high.scores >= low.scores).all()
