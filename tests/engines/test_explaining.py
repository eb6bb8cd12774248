"""What each clause gave to a document, and why it gave nothing: sentences by hand, sums against the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from askance.data.fields.schema import Fact, Fields, Outside
from askance.engines.absence import why_no_item, why_no_words, why_not_through
from askance.engines.engine import Explanation
from askance.engines.evaluate import Evaluation
from askance.engines.explaining import Explaining, PlacingByMatches, as_json
from askance.engines.leaves_in_memory import Held, LeavesInMemory
from askance.engines.matches import Matches
from askance.irl.nodes import And, Exact, Filter, Knn, Lex, Or
from askance.irl.normal import normal_form
from askance.irl.parser import parse
from askance.text.analyzer import Analyzer


@dataclass(frozen=True)
class Seen:
    """A document to look at."""

    text: str
    split: Fields | Outside | None = None
    metadata: Mapping[str, str | float | bool] = field(default_factory=dict)


ANN = Seen(
    "Ann Forests likes Hot Springs, Dark Chocolate, Mangrove Forests. Does not like Risk.",
    Fields(
        "Ann Forests",
        (Fact(("Hot Springs", "Dark Chocolate", "Mangrove Forests"), "likes"), Fact(("Risk",), "does not like")),
    ),
    {"age": 3.0, "kind": "person", "tall": True},
)
OUTSIDE = Seen("forests, hot chocolate", Outside("no match", "the pattern does not match"))
UNTOLD = Seen("a", Fields("Bo", (Fact(("Risk",)),)))
NO_SCHEMA = "the document does not follow the schema (the pattern does not match), so it has no items"
APART = "no item is exactly this; an item holds the words, in another order or with others between"
PLAIN = Seen("Cy likes chocolate that is hot")


@pytest.mark.parametrize(
    ("text", "match", "slop", "field", "relation", "document", "sentence"),
    [
        ("?!", "phrase", 0, "text", None, ANN, "there are no words in it"),
        ("hot chocolate", "phrase", 0, "items", None, ANN, "the words stand in different items"),
        ("hot chocolate", "all", 0, "items", "likes", ANN, "the words stand in different items"),
        ("chocolate hot", "phrase", 0, "text", None, PLAIN, "the words do not stand next to one another in this order"),
        ("chocolate hot", "phrase", 1, "text", None, PLAIN, "the words stand further apart than slop 1 allows"),
        ("hot tea", "phrase", 0, "text", None, PLAIN, "the text does not hold 'tea'"),
        ("iced tea", "any", 0, "text", None, PLAIN, "the text holds none of the words"),
        ("tea", "phrase", 0, "items", None, ANN, "the field items does not hold 'tea'"),
        ("Ann", "phrase", 0, "items", None, ANN, "only the name holds it"),
        ("Hot Springs", "phrase", 0, "name", None, ANN, "only an item holds it"),
        ("does not", "phrase", 0, "items", None, ANN, "only the text holds it"),
        ("risk", "phrase", 0, "items", "likes", ANN, "it stands in another relation, 'does not like'"),
        ("risk", "phrase", 0, "items", "knows", ANN, "it stands in another relation, 'does not like'"),
        ("tea", "phrase", 0, "items", "knows", ANN, "nothing in the document stands in the relation 'knows'"),
        ("risk", "phrase", 0, "items", "likes", UNTOLD, "the document does not say in which relation it stands"),
        ("tea", "phrase", 0, "items", None, PLAIN, "the document has no items"),
        ("tea", "phrase", 0, "text", None, Seen(" ?"), "the document has no words"),
        ("forests", "phrase", 0, "items", None, OUTSIDE, NO_SCHEMA),
    ],
)  # fmt: skip
def test_why_words_are_not_found(
    text: str, match: str, slop: int, field: str, relation: str | None, document: Seen, sentence: str
) -> None:
    clause = Lex(text, match, slop)  # type: ignore[arg-type]
    assert why_no_words(clause, field, relation, document, Analyzer()) == sentence


@pytest.mark.parametrize(
    ("text", "relation", "document", "sentence"),
    [
        ("?!", None, ANN, "there are no words in it"),
        ("forests", None, ANN, "no item is exactly this; the longer item 'Mangrove Forests' holds it"),
        ("forests", "likes", ANN, "no item is exactly this; the longer item 'Mangrove Forests' holds it"),
        ("ann", None, ANN, "no item is exactly this; only the name 'Ann Forests' holds it"),
        ("springs hot", None, ANN, APART),
        ("chocolate mangrove", None, ANN, "no item is exactly this; only the text holds it"),
        ("tea", None, ANN, "no item is exactly this, and none holds the words"),
        ("risk", "likes", ANN, "it stands in another relation, 'does not like'"),
        ("risk", "likes", UNTOLD, "the document does not say in which relation it stands"),
        ("tea", "knows", ANN, "nothing in the document stands in the relation 'knows'"),
        ("hot", None, OUTSIDE, NO_SCHEMA),
        ("hot", None, PLAIN, "the document has no items"),
    ],
)  # fmt: skip
def test_why_no_item_is_exactly_this(text: str, relation: str | None, document: Seen, sentence: str) -> None:
    assert why_no_item(Exact(text), relation, document, Analyzer()) == sentence


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        (Filter("size", (1.0,)), "the document has no 'size'"),
        (Filter("age", (1.0, 2.5)), "its age is 3, not 1 or 2.5"),
        (Filter("age", low=4.0, high=5.0), "its age is 3, not from 4 to 5"),
        (Filter("age", high=2.0), "its age is 3, not to 2"),
        (Filter("kind", ("place",)), "its kind is 'person', not 'place'"),
        (Filter("tall", (False,)), "its tall is true, not false"),
    ],
)
def test_why_a_filter_holds_it_back(clause: Filter, sentence: str) -> None:
    assert why_not_through(clause, ANN) == sentence


# -- whole queries

DOCUMENTS = [
    Held("ann likes hot springs", Fields("ann", (Fact(("hot springs",), "likes"),)), {"age": 1.0}),
    Held("bob likes hot chocolate", Fields("bob", (Fact(("hot chocolate",), "likes"),)), {"age": 2.0}),
    Held("cy likes hot hot chocolate", Fields("cy", (Fact(("hot", "hot chocolate"), "likes"),)), {"age": 3.0}),
    Held("dee likes tea", Fields("dee", (Fact(("tea",), "likes"),)), {"age": 4.0}),
]


class Memory(LeavesInMemory):
    """Leaves that can be explained."""

    def document_at(self, position: int) -> Seen:
        return Seen(DOCUMENTS[position].text, DOCUMENTS[position].fields, DOCUMENTS[position].metadata)

    def lex_figures(self, clause: Lex, field: str, relation: str | None, position: int) -> Mapping[str, float]:
        words = self.analyzer.terms(clause.text)
        return {"frequency": float(self.analyzer.terms(DOCUMENTS[position].text).count(words[0]))} if words else {}


ORDER = [3, 1, 0, 2]


class Nearest:
    """Documents in ORDER; the last has no vector."""

    def nearest(self, text: str, depth: int, allowed: NDArray[np.int64] | None) -> Matches:
        kept = [at for at in ORDER[:3] if allowed is None or at in allowed][:depth]
        pairs = sorted((at, 1.0 - ORDER.index(at) / 8) for at in kept)
        return Matches(np.array([at for at, _ in pairs], dtype=np.int64), np.array([score for _, score in pairs]))

    def place(self, text: str, position: int, allowed: NDArray[np.int64] | None) -> tuple[int, float] | None:
        kept = [at for at in ORDER[:3] if allowed is None or at in allowed]
        return (kept.index(position) + 1, 1.0 - ORDER.index(position) / 4) if position in kept else None


def explained(text: str, position: int) -> Explanation:
    memory, nearest = Memory(DOCUMENTS), Nearest()
    tree = normal_form(parse(text))
    return Explaining(tree, PlacingByMatches(Evaluation(memory, nearest), nearest), memory).explain(position)


def test_a_clause_that_matches() -> None:
    told = explained('(lex "hot")', 2)
    assert (told.clause, told.kind, told.rank, told.parts) == ('(lex "hot")', "lex", 1, ())
    assert told.why == "it occurs twice in text"
    assert told.span == (0, 11)
    assert told.score == Evaluation(Memory(DOCUMENTS)).matches(Lex("hot")).scores[2]


def test_wrappers_around_a_clause_are_explained_with_it() -> None:
    told = explained('(boost 3 (relation "likes" (field items (lex "hot chocolate" :boost 2))))', 1)
    plain = explained('(relation "likes" (lex "hot chocolate" :field items))', 1)
    assert told.kind == "lex"
    assert told.parts == ()
    assert told.score == pytest.approx(6 * (plain.score or 0))
    assert told.figures["weight"] == 6.0
    assert told.why == "it occurs once in items, in the relation 'likes'"


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (3, "place 1 of the nearest, cosine 1.0000"),
        (0, "place 3 of the nearest, depth 2"),
        (2, "the document has no vector"),
    ],
)
def test_nearness(position: int, why: str) -> None:
    assert explained('(knn "q" :depth 2)', position).why == why


def test_nearness_among_some() -> None:
    told = explained('(and (knn "q" :depth 1) (filter age :from 1 :to 2))', 0)
    assert told.parts[0].why == "place 2 of the nearest, depth 1"
    assert told.why == f"1 of its 2 clauses do not match, first {told.parts[0].clause}: {told.parts[0].why}"
    left_out = explained('(and (knn "q" :depth 1) (filter age :from 1 :to 2))', 3)
    assert left_out.parts[0].why == "the conditions beside it leave the document out"
    assert left_out.parts[1].why == "its age is 4, not from 1 to 2"


def test_an_or_names_what_gave_nothing() -> None:
    told = explained('(or (knn "q" :depth 2) (lex "hot" :boost 2) (exact "hot"))', 2)
    assert [part.matches for part in told.parts] == [False, True, True]
    assert told.why == '2 of its 3 clauses match; not (knn "q" :depth 2)'
    assert explained('(or (lex "milk") (exact "milk"))', 0).why == "none of its clauses matches"
    assert explained('(or (lex "hot") (exact "hot"))', 2).why == "all of its 2 clauses match"


def test_a_not() -> None:
    told = explained('(and (lex "hot") (not (exact "hot chocolate")))', 0)
    assert told.matches
    assert (told.parts[1].score, told.parts[1].why) == (0.0, "what it excludes does not match")
    told = explained('(and (lex "hot") (not (exact "hot chocolate")))', 1)
    assert not told.matches
    assert (told.parts[1].score, told.parts[1].why) == (None, "what it excludes matches")
    assert told.parts[1].parts[0].why == "an item is exactly this"


def test_a_fusion_shows_places_and_what_they_gave() -> None:
    told = explained('(or (knn "q" :depth 2) (lex "hot") :fuse rrf :weights (1 3))', 1)
    knn, lex = told.parts
    assert knn.rank == 2
    assert knn.score == pytest.approx(1 / 62)
    assert lex.rank is not None
    assert lex.score == pytest.approx(3 / (60 + lex.rank))
    assert lex.figures["in its list"] > 0
    assert told.score == pytest.approx(1 / 62 + 3 / (60 + lex.rank))


def test_a_fusion_says_what_lies_beyond_its_depth_or_below_its_least_score() -> None:
    told = explained('(or (knn "q") (lex "likes") :fuse minmax :depth 1)', 2)
    assert not told.matches
    assert told.parts[1].why == f"place {told.parts[1].rank} of its list, and the first 1 are fused"
    told = explained('(or (knn "q") (lex "likes") :fuse sum :min-score 9)', 3)
    assert not told.matches
    assert told.why.endswith("after fusion, below the least score 9")


EVERYTHING = [
    '(or (knn "q" :depth 2) (lex "hot" :boost 2) (exact "hot"))',
    '(and (or (lex "hot" :boost 0.5) (lex "chocolate")) (not (lex "tea")) (filter age :from 2))',
    '(or (lex "hot likes" :match any) (and (lex "likes") (exact "tea" :boost 0.1)))',
    '(boost 2 (or (knn "q") (lex "hot chocolate" :match any) :fuse minmax :weights (1 2)))',
    '(or (or (knn "q") (lex "hot") :fuse rrf) (lex "likes" :boost 3) :fuse sum)',
    '(relation "likes" (and (knn "q") (exact "tea")))',
]


@pytest.mark.parametrize("text", EVERYTHING)
def test_what_is_explained_is_what_is_answered(text: str) -> None:
    """The score and the place of every document; parts of a sum add up to it."""
    found, _ = Evaluation(Memory(DOCUMENTS), Nearest()).top(normal_form(parse(text)), 10)
    scores = dict(zip(found.positions.tolist(), found.scores.tolist(), strict=True))
    for position in range(len(DOCUMENTS)):
        told = explained(text, position)
        assert told.score == scores.get(position)
        assert told.rank == (found.positions.tolist().index(position) + 1 if position in scores else None)
        waiting = [told]
        while waiting:
            one = waiting.pop()
            given = [part.score for part in one.parts if part.score is not None]
            if one.matches and one.kind in ("or", "and", "fuse", "boost"):
                assert one.score == pytest.approx(sum(given), rel=1e-6)
            waiting += [] if one.kind == "fuse" else one.parts


def test_one_clause_at_two_places_is_explained_at_each() -> None:
    memory, nearest, knn = Memory(DOCUMENTS), Nearest(), Knn("q", 1)
    tree = Or((knn, And((knn, Filter("age", low=1.0, high=2.0)))))
    free, among = Explaining(tree, PlacingByMatches(Evaluation(memory, nearest), nearest), memory).explain(1).parts
    assert free.why == "place 2 of the nearest, depth 1"
    assert among.parts[0].why == "place 1 of the nearest, cosine 0.7500"


def test_as_json() -> None:
    told = as_json(explained('(or (lex "hot") (exact "tea"))', 2))
    assert set(told) == {"clause", "kind", "score", "rank", "why", "span", "figures", "parts"}
    assert told["span"] == [0, 30]
    assert told["parts"][1]["score"] is None
    assert told["parts"][1]["why"] == "no item is exactly this, and none holds the words"


def test_the_parts_are_those_of_the_query() -> None:
    parts = explained(EVERYTHING[0], 0).parts
    assert [part.clause for part in parts] == ['(knn "q" :depth 2)', '(lex "hot" :boost 2)', '(exact "hot")']
