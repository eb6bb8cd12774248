"""The body an index is made with, whole: settings, analyzers, mapping, what it says of itself."""

from __future__ import annotations

import pytest
from tests.engines.opensearch.golden import golden

from askance.engines.opensearch.mapping import index_body
from askance.engines.opensearch.meta import Meta, Vectored
from askance.engines.settings import Analysis, IndexSettings, Lookup, VectorSettings

SCHEMA = {"kind": "pattern", "pattern": "{name} likes {items}."}


def vectored(lookup: Lookup) -> Meta:
    settings = IndexSettings(vectors=VectorSettings(embedder="letters", settings={"dimension": 8}, lookup=lookup))
    about = Vectored(
        fingerprint="5eed", model={"name": "letters"}, embedder="letters", settings={"dimension": 8}, lookup=lookup
    )
    return Meta(settings=settings, vectors=about)


BODIES = {
    "default": index_body(Meta(settings=IndexSettings())),
    "fields": index_body(
        Meta(settings=IndexSettings(), schema=SCHEMA), shards=3, replicas=1, further=("title", "note.to self")
    ),
    "stemmed": index_body(
        Meta(
            settings=IndexSettings(
                analysis=Analysis(stemmer="porter", stop_words=("the", "and"), normalize="nfkc"), k1=0.9, b=0.4
            )
        ),
        further=("title",),
    ),
    "folded": index_body(
        Meta(settings=IndexSettings(analysis=Analysis(fold_apostrophes=True, stop_words=("the", "and"))))
    ),
    "vectors-exact": index_body(vectored("exact"), dimension=8),
    "vectors-approximate": index_body(vectored("approximate"), dimension=8),
}


@pytest.mark.parametrize("name", BODIES)
def test_the_body_is_the_one_that_was_agreed_on(name: str) -> None:
    assert golden(f"index-{name}", BODIES[name]) == BODIES[name]


@pytest.mark.parametrize("name", BODIES)
def test_a_server_takes_it_and_gives_the_same_mapping_back(
    name: str, opensearch_url: str, opensearch_index: str
) -> None:
    """Nothing in it is misspelt, or dropped by the server, and `_meta` is what it was."""
    import opensearchpy

    with opensearchpy.OpenSearch(opensearch_url) as client:
        client.indices.create(index=opensearch_index, body=BODIES[name])
        held = client.indices.get(index=opensearch_index)[opensearch_index]
    mapping = held["mappings"]
    assert mapping["_meta"] == BODIES[name]["mappings"]["_meta"]
    assert set(mapping["properties"]) | {"more"} == set(BODIES[name]["mappings"]["properties"])
    for field, told in BODIES[name]["mappings"]["properties"].items():
        if field != "more":
            assert told.items() <= mapping["properties"][field].items()
    assert mapping["dynamic"] == "strict"
