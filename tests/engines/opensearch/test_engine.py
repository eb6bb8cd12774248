"""The engine on a node: explanations, counts, long lists, near documents by a graph, several shards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.opensearch.parity import (
    EMBEDDER,
    Both,
    ByRecord,
    agree,
    answer_or_error,
    difference,
    in_both,
    made_fielded,
    made_unicode,
    random_queries,
)
from tests.node.node import Node as Server

from askance.app.search import ask, why_not
from askance.core.errors import BadInput, UnknownName
from askance.engines.embedded.engine import EmbeddedEngine
from askance.engines.embedded.engine import build as build_here
from askance.engines.engine import Explanation
from askance.engines.opensearch.building import build as build_there
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.settings import Indexed, IndexSettings, Scale, VectorSettings
from askance.irl.nodes import Node
from askance.irl.parser import parse
from askance.irl.problems import BadQuery
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.models.vectors import VectorStore

SCALES: tuple[Scale, ...] = ("lucene", "legacy")


@pytest.fixture(scope="module")
def fielded(tmp_path_factory: pytest.TempPathFactory, opensearch_host: str) -> Both:
    folder = tmp_path_factory.mktemp("fielded")
    return in_both(made_fielded(200), folder, f"opensearch://{opensearch_host}/engine-{folder.name}")


def flat(told: Explanation) -> Iterator[Explanation]:
    yield told
    for part in told.parts:
        yield from flat(part)


def test_explanations_are_the_same(fielded: Both) -> None:
    """Every clause: whether it matches, what it gave, its place, the sentence; figures of those that match."""
    ids = st.sampled_from([document.id for document in fielded.drawn.documents])

    @random_queries(60)
    @given(fielded.drawn.queries(4), ids)
    def on(query: Node, document: str) -> None:
        if isinstance(answer_or_error(fielded.here, query), str):
            return
        pairs = zip(
            flat(fielded.here.explain(query, document)), flat(fielded.there.explain(query, document)), strict=True
        )
        for here, there in pairs:
            assert (there.clause, there.kind, there.why) == (here.clause, here.kind, here.why)
            assert (there.matches, there.rank) == (here.matches, here.rank)
            if here.matches:
                assert there.score == pytest.approx(here.score, rel=2e-5, abs=2e-5)
            common = {name: here.figures[name] for name in there.figures}  # a word nobody holds has no figures there
            assert dict(there.figures) == pytest.approx(common, rel=2e-5, abs=1e-5)
            if here.matches and "frequency" in here.figures:
                assert list(there.figures) == list(here.figures)

    on()


def test_it_is_a_vocabulary(fielded: Both) -> None:
    here: Vocabulary = fielded.here
    there: Vocabulary = fielded.there
    assert there.documents == here.documents
    assert there.has_items is here.has_items is True
    assert dict(there.relations) == dict(here.relations)
    words = ["hot", "chocolate", "springs", "the", "zzz"]
    for field in ("text", "name", "items", "body.of*text"):
        assert [there.holders(word, field) for word in words] == [here.holders(word, field) for word in words]
        pairs = [("hot", "chocolate"), ("rain", "forests"), ("zzz", "hot"), ()]
        for pair in pairs:
            assert there.holders_of_phrase(pair, field) == here.holders_of_phrase(pair, field)
    for key in ("hot chocolate", "rain", "dark dark chocolate", "zzz", ""):
        assert there.holders_of_item(key) == here.holders_of_item(key)
        assert there.written(key) == here.written(key)
    for key in ("forest", "chocolat", "ti", "rainy forests"):
        assert fielded.there.near_items(key) == fielded.here.near_items(key)
    with pytest.raises(UnknownName, match="there is no field 'body'"):
        there.holders("hot", "body")


@pytest.mark.parametrize(
    "query",
    [
        '(lex "hot" :field nowhere)',
        '(filter colour "red")',
        '(filter open "yes")',
        "(filter age true)",
    ],
)
def test_what_cannot_run_is_refused_alike(query: str, fielded: Both) -> None:
    tree = parse(query)
    told = []
    for engine in (fielded.here, fielded.there):
        with pytest.raises((BadQuery, BadInput)) as caught:
            engine.search(tree)
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_notes_are_the_same(fielded: Both) -> None:
    for query in ('(lex "...")', '(exact "hot chocolate")', '(relation "nothing" (lex "hot" :field items))'):
        assert fielded.there.search(parse(query)).notes == fielded.here.search(parse(query)).notes


def test_documents_come_back_as_they_were_given(fielded: Both) -> None:
    for document in fielded.drawn.documents[:50]:
        assert fielded.there.source(document.id) == fielded.here.source(document.id)
        assert fielded.there.position(document.id) == fielded.here.position(document.id)
    with pytest.raises(UnknownName, match="there is no document 'zzz'"):
        fielded.there.text("zzz")


def test_why_not_and_ask(fielded: Both) -> None:
    for document in ("d007", "d100"):
        here = why_not(fielded.here, '(or (exact "hot chocolate") (lex "hot springs" :slop 2))', document)
        there = why_not(fielded.there, '(or (exact "hot chocolate") (lex "hot springs" :slop 2))', document)
        assert there.sentence == here.sentence
        assert (there.rank, there.found, there.missing_from) == (here.rank, here.found, here.missing_from)
    question = "Who likes dark chocolate?"
    here_found, there_found = ask(fielded.here, question, explain=True), ask(fielded.there, question, explain=True)
    assert there_found.query == here_found.query
    assert there_found.answer.documents == here_found.answer.documents


def test_a_list_longer_than_a_server_gives_at_once(tmp_path: Path, opensearch_place: str) -> None:
    documents = [Indexed(f"d{at:05d}", f"snow {'rain ' * (at % 3)}") for at in range(12_345)]
    build_here(documents, tmp_path / "here")
    build_there(documents, opensearch_place)
    here, there = EmbeddedEngine.open(tmp_path / "here"), OpenSearchEngine.open(opensearch_place)
    for query in ('(lex "snow")', '(or (lex "rain") (lex "snow") :fuse rrf :depth 10000)'):
        for limit in (0, 1, 10_000, 10_001, 20_000):
            one, other = here.search(parse(query), limit), there.search(parse(query), limit)
            assert one.total == other.total
            assert one.documents == other.documents
            assert np.allclose(one.scores, other.scores, rtol=2e-5, atol=2e-5)
    left = there._connection.send("GET", "/_nodes/stats/indices/search")["nodes"]
    assert all(node["indices"]["search"]["point_in_time_current"] == 0 for node in left.values())


def test_near_documents_by_a_graph_say_their_recall(tmp_path: Path, opensearch_place: str) -> None:
    drawn = made_unicode(400)
    vectors = VectorSettings(embedder="fake", lookup="approximate")
    chosen = IndexSettings(vectors=vectors)
    build_there(
        drawn.documents,
        opensearch_place,
        schema=ByRecord(),
        settings=chosen,
        embedder=EMBEDDER,
        store=VectorStore(tmp_path / "store"),
    )
    engine = OpenSearchEngine.open(opensearch_place, EMBEDDER)
    assert engine.meta.vectors is not None
    recall = {one.depth: one for one in engine.meta.vectors.recall}
    assert set(recall) == {10, 100}
    assert all(0.5 < one.mean <= 1 and one.questions > 100 for one in recall.values())
    answer = engine.search(parse('(knn "snow" :depth 10)'))
    assert len(answer.documents) == 10
    assert any("approximate graph" in note for note in answer.notes)


def test_several_shards(tmp_path: Path, opensearch_place: str) -> None:
    """Hits are the same; words are counted in each shard, or over all of them."""
    drawn = made_fielded(300)
    both = in_both(drawn, tmp_path, f"{opensearch_place}?shards=3")
    whole = OpenSearchEngine.open(f"{opensearch_place}?dfs=on", EMBEDDER)
    query = parse('(or (lex "hot chocolate" :match any) (lex "dark"))')
    here, each, over_all = (engine.search(query, 1000) for engine in (both.here, both.there, whole))
    assert set(each.documents) == set(here.documents)
    assert difference(here, each) is not None
    assert difference(here, over_all) is None
    assert "3 shards: idf and average length are each shard's own" in each.notes[0]
    assert "words counted over all of them" in over_all.notes[0]


def test_a_server_whose_scores_have_another_scale(tmp_path: Path, opensearch_legacy_node: Server) -> None:
    """OpenSearch 2 multiplies BM25 by 2.2; the index's own scale decides, on either server."""
    for scale in SCALES:
        place = f"opensearch://127.0.0.1:{opensearch_legacy_node.port}/{scale}"
        both = in_both(made_fielded(80), tmp_path / scale, place, IndexSettings(scale=scale))
        assert both.there.card.scale == scale
        agree(both, 100)
