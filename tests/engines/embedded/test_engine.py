"""The embedded engine against brute force over the same documents, and what it says of its answers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.data.fields.schema import Fact, Fields, Outside, Record
from askance.engines.embedded.engine import EmbeddedEngine, build, change
from askance.engines.embedders import embedded_questions
from askance.engines.engine import Answer, Engine
from askance.engines.evaluate import Evaluation
from askance.engines.leaves_in_memory import Held, LeavesInMemory
from askance.engines.matches import Matches
from askance.engines.registry import open_engine
from askance.engines.settings import Indexed, IndexSettings, VectorSettings
from askance.irl.nodes import And, Boost, Exact, Field, Filter, Knn, Lex, Node, Not, Or, Relation
from askance.irl.normal import normal_form
from askance.irl.parser import parse
from askance.irl.problems import BadQuery
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.models.embedder import FakeEmbedder, Kind, Vectors
from askance.models.vectors import VectorStore

THINGS = [
    "hot chocolate",
    "hot springs",
    "dark chocolate",
    "forests",
    "mangrove forests",
    "rain forests",
    "ties",
    "risk",
]
NAMES = ["ann lee", "bob hot", "forests gump", "cy risk"]


class ByRecord:
    """A schema whose records say it all; a document without facts is outside."""

    def split(self, record: Record) -> Fields | Outside:
        if not record.get("facts"):
            return Outside("no facts", "there are no facts")
        return Fields(record["name"], tuple(Fact(tuple(items), relation) for relation, items in record["facts"]))

    def described(self) -> dict[str, str]:
        return {"kind": "by record"}


def people(count: int, seed: int) -> list[Indexed]:
    draw = random.Random(seed)
    made = []
    for at in range(count):
        likes = draw.sample(THINGS, draw.randint(0, 4))
        dislikes = draw.sample(THINGS, draw.randint(0, 2))
        facts = [("likes", likes)] * bool(likes) + [("does not like", dislikes)] * bool(dislikes)
        name = draw.choice(NAMES)
        text = f"{name} likes {', '.join(likes)}. does not like {', '.join(dislikes)}" if draw.random() < 0.95 else ""
        record = {"text": text, "name": name, "facts": facts}
        made.append(Indexed(f"d{at:03d}", text, {"age": float(draw.randint(1, 5))}, record))
    return made


def held(document: Indexed) -> Held:
    split = ByRecord().split(document.record)
    return Held(document.text, split if isinstance(split, Fields) else Fields(), document.metadata)


class PlainVectors:
    """The nearest by a plain sort."""

    def __init__(self, documents: Sequence[Indexed | None], embedder: FakeEmbedder) -> None:
        self.embedder = embedder
        self.texts = [document.text if document is not None else "" for document in documents]
        self.vectors = embedder.embed(self.texts, "document").astype(np.float64)

    def nearest(self, text: str, depth: int, allowed: object) -> Matches:
        question = self.embedder.embed([text], "query")[0].astype(np.float64)
        cosines = [(round(float(vector @ question), 6), at) for at, vector in enumerate(self.vectors)]
        kept = [pair for pair in cosines if self.texts[pair[1]].strip() and (allowed is None or pair[1] in allowed)]  # type: ignore[operator]
        best = sorted(kept, key=lambda pair: (-pair[0], pair[1]))[:depth]
        found = sorted((at, (1 + cosine) / 2) for cosine, at in best)
        scores = np.array([score for _, score in found]).astype(np.float32).astype(np.float64)
        return Matches(np.array([at for at, _ in found], dtype=np.int64), scores)


DOCUMENTS = people(60, seed=1)
MEMORY = LeavesInMemory([held(document) for document in DOCUMENTS])
PLAIN = PlainVectors(DOCUMENTS, FakeEmbedder(16))
WITH_VECTORS = IndexSettings(vectors=VectorSettings(embedder="fake", settings={"dimension": 16}))


def made(
    folder: Path, documents: Sequence[Indexed] = DOCUMENTS, chosen: IndexSettings = WITH_VECTORS
) -> EmbeddedEngine:
    build(documents, folder / "index", schema=ByRecord(), settings=chosen, store=VectorStore(folder / "store"))
    return EmbeddedEngine.open(folder / "index")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    return made(tmp_path_factory.mktemp("people"))


def same(answer: Answer, query: Node, limit: int, memory: LeavesInMemory = MEMORY, plain: PlainVectors = PLAIN) -> None:
    """The answer is that of brute force: same documents, scores within 2e-5, order where scores are further apart."""
    expected, total = Evaluation(memory, plain).top(normal_form(query), 1000)
    scores = dict(zip(expected.positions.tolist(), expected.scores.tolist(), strict=True))
    assert answer.total == total
    assert len(answer.positions) == min(limit, total)
    assert len(set(answer.positions.tolist())) == len(answer.positions)
    for at, score, best in zip(answer.positions.tolist(), answer.scores.tolist(), expected.scores, strict=False):
        assert score == pytest.approx(scores[at], rel=2e-5, abs=1e-9)
        assert score == pytest.approx(float(best), rel=2e-5, abs=1e-9)
    for one, other in zip(range(len(answer.scores)), range(1, len(answer.scores)), strict=False):
        tied = answer.scores[one] == answer.scores[other]
        assert answer.scores[one] > answer.scores[other] or (tied and answer.positions[one] < answer.positions[other])


QUERIES = [
    '(lex "hot chocolate")',
    '(lex "hot chocolate" :match any)',
    '(lex "hot chocolate" :match all :field items)',
    '(lex "chocolate hot" :slop 120 :field items)',
    '(exact "Forests")',
    '(or (exact "forests") (lex "forests" :field items))',
    '(or (knn "who likes forests?") (exact "forests") (lex "forests" :field items))',
    '(or (knn "who likes forests?" :depth 5) (lex "forests"))',
    '(or (knn "who likes forests?" :depth 60) (lex "likes"))',
    '(or (boost 9 (knn "hot chocolate")) (lex "hot chocolate" :match any :boost 0.5))',
    '(or (knn "a") (knn "forests" :depth 3) (lex "hot" :match any) (lex "risk" :field name))',
    '(knn "forests" :depth 7)',
    '(and (knn "forests" :depth 7) (filter age :from 2 :to 3))',
    '(and (or (knn "forests" :depth 4) (lex "hot")) (not (exact "risk")))',
    '(relation "likes" (or (knn "forests" :depth 4) (exact "forests")))',
    '(relation "does not like" (lex "forests" :field items))',
    '(and (exact "forests") (not (relation "does not like" (exact "forests"))))',
    '(and (lex "forests") (filter age 1 2))',
    '(not (lex "likes"))',
    '(or (lex "risk" :field name) (lex "risk" :field items))',
    '(or (knn "forests" :depth 9) (lex "forests" :match any) :fuse rrf)',
    '(or (knn "forests" :depth 9) (lex "hot forests" :match any) :fuse minmax :weights (1 3) :depth 8)',
    '(or (knn "forests" :depth 9) (exact "forests") :fuse sum :min-score 0.6)',
    '(and (or (knn "forests" :depth 9) (lex "forests") :fuse rrf :k 5) (filter age :from 3))',
    '(boost 100 (or (lex "hot") (lex "forests" :field items) :fuse rrf))',
]


@pytest.mark.parametrize("limit", [1, 7, 100])
@pytest.mark.parametrize("text", QUERIES)
def test_equals_brute_force(engine: EmbeddedEngine, text: str, limit: int) -> None:
    query = parse(text)
    answer = engine.search(query, limit)
    same(answer, query, limit)
    assert answer.total > 0
    assert answer.documents == tuple(f"d{at:03d}" for at in answer.positions.tolist())


LEAVES = st.one_of(
    st.sampled_from(["hot", "forests", "hot chocolate", "likes"]).map(Lex),
    st.sampled_from(["hot forests", "not like ties"]).map(lambda text: Lex(text, "any")),
    st.sampled_from(["forests", "risk"]).map(lambda text: Field("items", Lex(text))),
    st.sampled_from(["forests", "hot chocolate"]).map(Exact),
    st.tuples(st.sampled_from(["forests", "who?"]), st.integers(1, 70)).map(lambda pair: Knn(*pair)),
    st.just(Filter("age", low=3.0)),
    st.sampled_from(["ties", "risk"]).map(lambda text: Not(Lex(text))),
)
TREES = st.recursive(
    LEAVES,
    lambda inside: st.one_of(
        st.lists(inside, min_size=1, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(inside, min_size=1, max_size=3).map(lambda parts: Or(tuple(parts))),
        st.tuples(st.sampled_from([0.5, 3.0]), inside).map(lambda pair: Boost(*pair)),
        st.tuples(st.sampled_from(["likes", "does not like"]), inside).map(lambda pair: Relation(*pair)),
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TREES, st.sampled_from([1, 5, 60]))
def test_any_tree_equals_brute_force(engine: EmbeddedEngine, tree: Node, limit: int) -> None:
    same(engine.search(tree, limit), tree, limit)


def test_many_queries_at_once_get_the_answers_of_each(engine: EmbeddedEngine) -> None:
    trees = [parse(text) for text in QUERIES]
    for answer, tree in zip(engine.search_all(trees, 9), trees, strict=True):
        alone = engine.search(tree, 9)
        assert answer.documents == alone.documents
        assert answer.scores.tolist() == alone.scores.tolist()
        assert (answer.total, answer.notes) == (alone.total, alone.notes)


def test_a_batch_is_embedded_at_once(tmp_path: Path) -> None:
    made(tmp_path)
    embedder = FakeEmbedder(16)
    opened = EmbeddedEngine.open(tmp_path / "index", embedder)
    assert embedder.batches == []
    opened.search_all([parse(f'(or (knn "{word}") (lex "{word}"))') for word in ("ties", "risk", "ties")])
    assert embedder.batches == [("risk", "ties")]


def test_updates_change_words_and_vectors(tmp_path: Path) -> None:
    made(tmp_path)
    fresh = people(64, seed=2)
    put = [fresh[3], *fresh[60:]]
    change(
        tmp_path / "index", put=put, delete=["d000", "d007"], schema=ByRecord(), store=VectorStore(tmp_path / "store")
    )
    now: list[Indexed | None] = [*DOCUMENTS, *fresh[60:]]
    now[3], now[0], now[7] = fresh[3], None, None
    plain = PlainVectors(now, FakeEmbedder(16))
    changed = EmbeddedEngine.open(tmp_path / "index")
    answer = changed.search(Knn("forests", 20), 100)
    expected = plain.nearest("forests", 20, None)
    assert sorted(answer.positions.tolist()) == expected.positions.tolist()
    assert answer.documents[0] not in ("d000", "d007")
    assert changed.search(Exact("forests"), 100).total == sum(
        "forests" in held(document).fields.items for document in now if document is not None
    )


def test_compacting_keeps_the_vectors(tmp_path: Path) -> None:
    made(tmp_path)
    before = EmbeddedEngine.open(tmp_path / "index")
    change(tmp_path / "index", delete=["d000"], compact=True, store=VectorStore(tmp_path / "store"))
    after = EmbeddedEngine.open(tmp_path / "index")
    told = [name for name in before.search(Knn("forests", 60), 60).documents if name != "d000"]
    assert list(after.search(Knn("forests", 60), 60).documents) == told
    assert after.search(Knn("forests", 60), 60).positions.max() == 58


def test_a_question_of_another_model_is_an_error(tmp_path: Path) -> None:
    made(tmp_path)
    with pytest.raises(BadInput, match="Vectors of two models cannot be compared"):
        EmbeddedEngine.open(tmp_path / "index", FakeEmbedder(32))


class Nameless(FakeEmbedder):
    """An embedder that the registry does not know."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        return super().embed([text[::-1] for text in texts], kind)


def test_an_embedder_that_was_handed_over_is_asked_for_again(tmp_path: Path) -> None:
    build(DOCUMENTS, tmp_path / "index", embedder=Nameless(), store=VectorStore(tmp_path / "store"))
    with pytest.raises(BadInput, match="Open the index with the same embedder"):
        EmbeddedEngine.open(tmp_path / "index").search(Knn("forests"))
    assert EmbeddedEngine.open(tmp_path / "index", Nameless()).search(Knn("forests")).total > 0
    change(tmp_path / "index", delete=["d001"])  # takes no embedder
    with pytest.raises(BadInput, match="Open the index with the same embedder"):
        change(tmp_path / "index", put=[Indexed("new", "a new text")])
    assert EmbeddedEngine.open(tmp_path / "index").documents == 59
    change(tmp_path / "index", put=[Indexed("new", "a new text")], embedder=Nameless())
    assert EmbeddedEngine.open(tmp_path / "index", Nameless()).search(Knn("a new text")).documents[0] == "new"


def test_an_index_without_vectors_or_schema(tmp_path: Path) -> None:
    build(DOCUMENTS, tmp_path / "index")
    plain = open_engine(tmp_path / "index")
    assert plain.card.vectors is None
    assert plain.search(Lex("hot chocolate"), 3).total > 0
    for query, code in ((Knn("forests"), "IRL023"), (Exact("forests"), "IRL024"), (Relation("a", Lex("b")), "IRL025")):
        with pytest.raises(BadQuery, match=code):
            plain.search(query)
    with pytest.raises(UnknownName, match="d999"):
        plain.text("d999")


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ('(or (lex "forests") (lex "?!"))', '(lex "?!") has no words and matches nothing'),
        ('(or (lex "forests") (relation "knows" (exact "risk")))', 'no document has the relation "knows"; there are:'),
        ('(or (knn "a") (lex "forests"))', "documents have no text, so no vector"),
        ('(exact "forests")', "documents do not follow the schema"),
    ],
)
def test_what_the_reader_should_know(engine: EmbeddedEngine, query: str, note: str) -> None:
    assert [one for one in engine.search(parse(query)).notes if note in one]


def test_nothing_to_say(engine: EmbeddedEngine) -> None:
    assert engine.search(parse('(lex "forests")')).notes == ()


def test_the_measured_recall_is_on_the_card_and_beside_answers(tmp_path: Path) -> None:
    settings = {"embedder": "fake", "settings": {"dimension": 16}, "lookup": "approximate"}
    engine = made(tmp_path, chosen=IndexSettings(vectors=VectorSettings.model_validate(settings)))
    (note,) = [note for note in engine.card.notes if "recall@10" in note]
    assert note in engine.search(Knn("forests")).notes
    assert note not in engine.search(Lex("forests")).notes


def test_two_short_cuts_at_once_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    both = VectorSettings(embedder="fake", precision="int8", lookup="approximate")
    with pytest.raises(BadInput, match="Choose one of the two"):
        build(DOCUMENTS, tmp_path / "index", settings=IndexSettings(vectors=both))
    assert list(tmp_path.iterdir()) == []


def test_the_answer_to_nothing(engine: EmbeddedEngine) -> None:
    answer = engine.search(Lex("nowhere"))
    assert (answer.documents, answer.total, len(answer.scores)) == ((), 0, 0)
    none = engine.search(parse('(or (knn "a") (lex "likes"))'), 0)
    assert (none.documents, none.total > 0) == ((), True)
    with pytest.raises(BadInput, match="limit is -1"):
        engine.search(Lex("hot"), -1)


def test_pages_do_not_overlap(engine: EmbeddedEngine) -> None:
    for text in QUERIES:
        whole = engine.search(parse(text), 60).documents
        for size in (1, 10, 25):
            assert engine.search(parse(text), size).documents == whole[:size]


def test_places_without_an_engine(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="is no index"):
        open_engine(tmp_path)
    with pytest.raises(BadInput, match="a place holds no user and no password") as told:
        open_engine("opensearch://me:secret@here/index")
    assert "secret" not in str(told.value)


def test_vectors_that_are_lost_are_missed(tmp_path: Path) -> None:
    engine = made(tmp_path)
    (engine.folder / "vectors" / "vectors.npy").unlink()
    with pytest.raises(FileProblem, match="vectors.npy"):
        EmbeddedEngine.open(tmp_path / "index")


def test_it_is_an_engine_and_a_vocabulary(engine: EmbeddedEngine) -> None:
    """The types are what is checked, and that nothing is missing."""
    asked: Engine = engine
    counted: Vocabulary = engine
    assert asked.card.name == "embedded"
    assert counted.holders_of_item("forests") == MEMORY.holders_of_item("forests") > 0
    assert dict(counted.relations) == dict(MEMORY.relations)
    assert counted.holders_of_phrase(["hot", "chocolate"]) == MEMORY.holders_of_phrase(["hot", "chocolate"]) > 0
    assert asked.text("d003") == DOCUMENTS[3].text


def test_questions_in_any_order_give_one_vector() -> None:
    one = embedded_questions(FakeEmbedder(), ["risk", "ties", "risk"])
    assert np.array_equal(one[0], one[2])
