"""Whole trees in one query, against the same trees put together from their leaves by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.embedded.made import Given, index_of_records, index_of_texts

from askance.engines.bm25 import BM25Index
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.embedded.updating import change
from askance.engines.settings import Indexed
from askance.irl.nodes import And, Boost, Exact, Field, Fuse, Knn, Lex, Node, Not, Or, Relation
from askance.text.analyzer import Analyzer

Scores = dict[int, float]
ITEMS = ["snow", "snow storm", "rain", "ice rain", "hail", "snow snow", "storm"]


def by_leaves(index: EmbeddedIndex, node: Node, field: str, relation: str | None) -> Scores:
    """What a tree matches and scores, by the words of nodes.py."""
    match node:
        case Lex():
            matches = index.lex(node, field, relation)
            return dict(zip(matches.positions.tolist(), matches.scores.tolist(), strict=True))
        case Exact():
            matches = index.exact(node, relation)
            return dict(zip(matches.positions.tolist(), matches.scores.tolist(), strict=True))
        case Not():
            inner = by_leaves(index, node.child, field, relation)
            return {at: 0.0 for at in index.all().tolist() if at not in inner}
        case Boost():
            return {at: node.weight * s for at, s in by_leaves(index, node.child, field, relation).items()}
        case Field():
            return by_leaves(index, node.child, node.name, relation)
        case Relation():
            return by_leaves(index, node.child, field, node.name)
        case And() | Or():
            parts = [by_leaves(index, part, field, relation) for part in node.parts]
            sets = [set(part) for part in parts]
            both = set.intersection(*sets) if isinstance(node, And) else set.union(*sets)
            return {at: sum(part.get(at, 0.0) for part in parts) for at in both}
    raise AssertionError(node)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedIndex:
    place = tmp_path_factory.mktemp("compiling") / "index"
    pick = np.random.default_rng(3)

    def record() -> dict[str, dict[str, list[str]]]:
        chosen = [ITEMS[n] for n in pick.integers(0, len(ITEMS), size=pick.integers(0, 6))]
        cut = int(pick.integers(0, len(chosen) + 1))
        return {"facts": {"likes": chosen[:cut], "hates": chosen[cut:]}}

    index_of_records(place, [record() for _ in range(80)])
    changes = [Indexed(f"d{at}", "snow rain", record=record()) for at in (3, 50, 90)]
    change(place, put=changes, delete=["d7", "d60"], schema=Given())
    return EmbeddedIndex.open(place)


PHRASES = st.sampled_from(["snow", "snow storm", "rain", "hail", "storm snow", "never", ""])
LEAVES = st.one_of(
    st.builds(Lex, PHRASES, st.sampled_from(["phrase", "any", "all"])),
    st.builds(Exact, PHRASES),
)


def grown(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(And, parts),
        st.builds(Or, parts),
        st.builds(Boost, st.sampled_from([0.5, 2.0, 7.0]), inner),
        st.builds(lambda one, other: And((one, Not(other))), inner, inner),
        st.builds(lambda one, other: Or((one, Not(other))), inner, inner),
        st.builds(Relation, st.sampled_from(["likes", "hates", "unknown"]), inner),
        st.builds(Field, st.sampled_from(["items", "text"]), inner),
    )


@settings(max_examples=250, deadline=None)
@given(node=st.recursive(LEAVES, grown, max_leaves=6), limit=st.sampled_from([1, 5, 20, 1000]))
def test_compiled_is_put_together(index: EmbeddedIndex, node: Node, limit: int) -> None:
    top = index.search_top(node, limit, "items")
    if top is None:
        return
    expected = by_leaves(index, node, "items", None)
    positions, scores, total = top
    assert total == len(expected)
    assert len(positions) == min(limit, total)
    np.testing.assert_allclose(scores, [expected[at] for at in positions.tolist()], rtol=2e-5)
    best = sorted(expected.values(), reverse=True)[:limit]
    np.testing.assert_allclose(scores, best, rtol=2e-5)
    pairs = list(zip((-scores).tolist(), positions.tolist(), strict=True))
    assert pairs == sorted(pairs)


ONE_QUERY: list[tuple[Node, bool]] = [
    (Lex("snow"), True),
    (Or((Exact("snow"), Lex("snow storm"))), True),
    (And((Lex("snow"), Not(Exact("rain")))), True),
    (Relation("likes", Lex("snow")), True),
    (Relation("likes", Exact("snow")), True),
    (Relation("likes", Or((Exact("snow"), Lex("snow")))), True),
    (Or((Exact("snow"), Relation("likes", Exact("snow")))), False),
    (Or((Lex("snow"), Field("text", Lex("snow")))), False),
    (Lex("snow storm", slop=1), False),
    (Lex("snow", slop=1), True),
    (Not(Lex("snow")), False),
    (Or((Lex("snow"), Not(Lex("rain")))), False),
    (And((Not(Lex("snow")), Not(Lex("rain")))), False),
    (Knn("snow"), False),
    (Or((Lex("snow"), Knn("snow"))), False),
    (Fuse("rrf", (Lex("snow"),)), False),
    (Field("text", Relation("likes", Lex("snow"))), False),
]


@pytest.mark.parametrize(("node", "one"), ONE_QUERY, ids=[str(n) for n in range(len(ONE_QUERY))])
def test_what_is_one_query(index: EmbeddedIndex, node: Node, one: bool) -> None:
    assert (index.search_top(node, 10, "items") is not None) == one


def test_among_given_positions(index: EmbeddedIndex) -> None:
    matches = index.lex(Lex("snow"), "items", None)
    some = np.array([0, 1, 2, 3, 50, 1000])
    among = index.among(Lex("snow"), some, "items")
    keep = np.isin(matches.positions, some)
    assert among.positions.tolist() == matches.positions[keep].tolist()
    assert among.scores.tolist() == matches.scores[keep].tolist()
    assert index.among(Lex("snow"), np.empty(0, dtype=np.int64), "items").positions.tolist() == []


WORDS = st.lists(st.sampled_from(["snow", "rain", "hail", "storm", "ice"]), max_size=60).map(" ".join)


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(WORDS, min_size=1, max_size=12), asked=WORDS)
def test_words_score_as_in_memory(texts: list[str], asked: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    index = index_of_texts(tmp_path_factory.mktemp("words") / "index", texts)
    documents, scores = BM25Index(texts, Analyzer()).scores(asked.split())
    matches = index.lex(Lex(asked, "any"), "text", None)
    assert matches.positions.tolist() == documents.tolist()
    np.testing.assert_allclose(matches.scores, scores, rtol=2e-6)


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(st.sampled_from(["snow rain hail", "hail rain snow", "rain snow hail"]), min_size=2, max_size=30))
def test_equal_documents_tie_by_position(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    index = index_of_texts(tmp_path_factory.mktemp("ties") / "index", texts)
    for node in (Lex("snow hail rain", "any"), Or((Lex("hail"), Lex("snow"), Boost(2.0, Lex("rain"))))):
        top = index.search_top(node, len(texts))
        assert top is not None
        assert top[0].tolist() == list(range(len(texts)))
