"""An index template on a node: indexes are made by it, take packed documents, and answer the bodies of queries."""

from __future__ import annotations

import pytest
from tests.engines.opensearch.parity import EMBEDDER, ByRecord, made_fielded

from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import Embedding, build
from askance.engines.opensearch.bulk import Action, load
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.documents import Packing
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.meta import Meta
from askance.engines.opensearch.template import index_template
from askance.engines.settings import Analysis, IndexSettings
from askance.engines.stored import Source
from askance.irl.parser import parse

QUERIES = (
    '(lex "hot chocolate")',
    '(or (exact "risk") (lex "snow"))',
    '(relation "likes" (lex "snow" :field items))',
    '(lex "dark" :field name)',
    '(lex "ties" :field "body.of*text")',
    '(and (filter age 7) (not (lex "risk")))',
    '(knn "snow")',
)


@pytest.mark.parametrize("analysis", [Analysis(), Analysis(stemmer="porter")], ids=["usual", "stemmed"])
def test_an_index_made_by_it_answers_as_one_that_was_built(
    analysis: Analysis, opensearch_place: str, opensearch_index: str
) -> None:
    documents = made_fielded(120).documents
    settings = IndexSettings(analysis=analysis)
    schema = ByRecord()
    build(documents, opensearch_place, schema=schema, settings=settings, embedder=EMBEDDER)
    engine = OpenSearchEngine.open(opensearch_place, EMBEDDER)
    embedding = Embedding.of(settings, EMBEDDER, None)
    meta = Meta(settings=settings, schema=dict(schema.described()), vectors=embedding.about)
    made = index_template(
        meta,
        f"{opensearch_index}-x*",
        further=[name for name in engine.meta.fields if name not in ("text", "name", "items")],
        dimension=embedding.dimension,
    )
    packing = Packing(settings)
    sources = [Source.of(one, schema.split(one.record)) for one in documents]
    vectors = embedding.of_texts([source.text for source in sources])
    name = f"{opensearch_index}-x1"
    with Connection.open(address_of(opensearch_place)) as connection:
        connection.send("PUT", f"/_index_template/{opensearch_index}", made)
        try:
            connection.send("PUT", f"/{name}")
            packed = (
                Action("index", source.id, packing.packed(at, source, vector))
                for at, (source, vector) in enumerate(zip(sources, vectors, strict=True))
            )
            assert not load(connection, name, packed).failed
            connection.send("POST", f"/{name}/_refresh")
            for query in QUERIES:
                answer = engine.search(parse(query), 50)
                (body,) = engine.bodies(parse(query), 50)
                found = connection.send("POST", f"/{name}/_search", body)["hits"]["hits"]
                first = found[: len(answer.documents)]  # of nearest documents more are asked for: ties are cut here
                assert tuple(hit["_id"] for hit in first) == answer.documents, query
                assert answer.documents, query
        finally:
            connection.send("DELETE", f"/_index_template/{opensearch_index}")
            engine.close()
