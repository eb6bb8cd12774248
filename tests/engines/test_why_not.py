"""Why a document is not among the first answers, over an embedded index."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.core.errors import UnknownName
from askance.data.fields.schema import Fact, Fields, Outside, Record
from askance.engines.embedded.engine import EmbeddedEngine, build
from askance.engines.settings import Indexed
from askance.engines.why_not import WhyNot, why_not
from askance.irl.parser import parse
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore


class Listed:
    """Splits "name: item, item"; a document without a colon is outside."""

    def split(self, record: Record) -> Fields | Outside:
        name, colon, rest = str(record["text"]).partition(": ")
        return (
            Fields(name, (Fact(tuple(rest.split(", ")), "likes"),)) if colon else Outside("no colon", "no colon in it")
        )

    def described(self) -> dict[str, str]:
        return {"kind": "listed"}


NONE = "no item is exactly this, and none holds the words"
TEXTS = {
    "ann": "Ann: Forests, Hot Springs, Dark Chocolate, Venus, Honey",
    "bob": "Bob: Mangrove Forests",
    "cy": "Cy: Rain Forests, Rain",
    "forests": "Forests Gump: Risk",
    "dee": "Dee: Zip Ties",
    "eve": "a page about forests",
    "fay": "Fay: Mangrove Forests",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    folder: Path = tmp_path_factory.mktemp("why")
    documents = [Indexed(name, text) for name, text in TEXTS.items()]
    store = VectorStore(folder / "store")
    build(documents, folder / "index", schema=Listed(), embedder=FakeEmbedder(32), store=store)
    return EmbeddedEngine.open(folder / "index", FakeEmbedder(32))


def asked(engine: EmbeddedEngine, query: str, document: str, limit: int = 10) -> WhyNot:
    return why_not(engine, parse(query), document, limit)


@pytest.mark.parametrize(
    ("query", "document", "clause", "why"),
    [
        ('(exact "forests")', "bob", "", "no item is exactly this; the longer item 'Mangrove Forests' holds it"),
        ('(exact "forests")', "forests", "", "no item is exactly this; only the name 'Forests Gump' holds it"),
        ('(exact "tea")', "eve", "", "the document does not follow the schema (no colon in it), so it has no items"),
        ('(lex "hot chocolate" :field items)', "ann", "", "the words stand in different items"),
        ('(lex "forests" :field items)', "forests", "", "only the name holds it"),
        ('(and (lex "forests") (exact "tea"))', "bob", '(exact "tea")', NONE),
        ('(and (lex "forests") (not (exact "rain")))', "cy", '(not (exact "rain"))', "what it excludes matches"),
        ('(or (lex "venus") (exact "honey"))', "dee", '(lex "venus")', "the text does not hold 'venus'"),
    ],
)
def test_the_first_clause_that_failed(engine: EmbeddedEngine, query: str, document: str, clause: str, why: str) -> None:
    clause = clause or query
    told = asked(engine, query, document)
    assert not told.found
    assert (told.rank, told.score, told.ahead) == (None, None, ())
    assert told.failed is not None
    assert (told.failed.clause, told.failed.why) == (clause, why)
    assert told.sentence == f"It does not match. {clause}: {why}."
    start, end = told.failed.span or (0, 0)
    assert query[start:end] == clause


def test_the_nearest_name_the_place(engine: EmbeddedEngine) -> None:
    order = engine.search(parse('(knn "rain forests")'), 10).documents
    told = asked(engine, '(knn "rain forests" :depth 3)', order[5])
    assert told.failed is not None
    assert told.failed.why == "place 6 of the nearest, depth 3"


def test_a_document_that_is_there(engine: EmbeddedEngine) -> None:
    told = asked(engine, '(exact "forests")', "ann")
    assert told.found
    assert (told.rank, told.score, told.failed, told.needed) == (1, 128.0, None, None)
    assert told.sentence == "It is there: place 1 of 1, with 128."


def test_a_document_that_is_outranked(engine: EmbeddedEngine) -> None:
    query = '(or (exact "forests") (lex "forests" :field items))'
    answer = engine.search(parse(query), 10)
    assert answer.documents[0] == "ann"
    last = answer.documents[-1]
    told = asked(engine, query, last, 2)
    assert not told.found
    assert told.rank == len(answer.documents)
    assert told.score == pytest.approx(answer.scores[-1])
    assert told.needed == pytest.approx(answer.scores[1])
    assert [ahead.document for ahead in told.ahead] == list(answer.documents[:2])
    assert told.ahead[0].by == pytest.approx(answer.scores[0] - answer.scores[-1])
    assert told.missing_from == ('(exact "forests")',)
    assert told.failed is not None
    assert told.failed.clause == '(exact "forests")'
    assert f"at place {told.rank} of {answer.total}" in told.sentence
    assert f"Place 2 is {answer.documents[1]!r}" in told.sentence
    assert '(exact "forests") gave it nothing: no item is exactly this; the longer item' in told.sentence


def test_a_tie_stands_by_position(engine: EmbeddedEngine) -> None:
    told = asked(engine, '(lex "mangrove" :field items)', "fay", 1)
    assert (told.rank, told.needed) == (2, told.score)
    assert told.ahead[0].by == 0.0
    assert told.sentence.endswith("as much, and stands before it in the index.")


def test_a_fusion_says_which_list_lacks_it(engine: EmbeddedEngine) -> None:
    told = asked(engine, '(or (knn "zip ties" :depth 2) (lex "forests") :fuse rrf)', "dee", 1)
    assert told.missing_from == ('(lex "forests")',)
    assert told.explanation.kind == "fuse"


def test_no_such_document(engine: EmbeddedEngine) -> None:
    with pytest.raises(UnknownName, match="'nobody'"):
        asked(engine, '(lex "forests")', "nobody")


def test_as_json(engine: EmbeddedEngine) -> None:
    told = asked(engine, '(lex "forests")', "eve", 1).as_json()
    assert told["document"] == "eve"
    assert set(told) == {
        "query", "document", "limit", "found", "rank", "score", "needed", "sentence", "failed", "missing_from", "ahead",
        "explanation",
    }  # fmt: skip
    assert told["ahead"] == [] or set(told["ahead"][0]) == {"id", "rank", "score", "by"}


def test_an_explanation_holds_the_figures_of_the_score(engine: EmbeddedEngine) -> None:
    told = engine.explain(parse('(or (lex "forests" :field items) (lex "rain forests" :match any))'), "cy")
    items, words = told.parts
    norm = 1.2 * (0.25 + 0.75 * items.figures["length as kept"] / items.figures["mean length"])
    frequency = items.figures["frequency"]
    assert items.score == pytest.approx(items.figures["idf"] * frequency / (frequency + norm), rel=2e-5)
    assert words.figures["frequency of rain"] == 2.0
    assert words.figures["idf of rain"] > words.figures["idf of forests"]
    assert engine.explain(parse('(lex "zip" :field items)'), "cy").matches is False
