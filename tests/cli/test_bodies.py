"""What OpenSearch would be told: the template of an index, and the bodies of a query."""

from __future__ import annotations

import json
from pathlib import Path

import opensearchpy
import pytest
from tests.inside import Typed

PLACE = "opensearch://127.0.0.1:1/people"  # nothing listens there, and nothing is to be asked


def test_a_template_is_written_and_nothing_is_sent(there: Path, typed: Typed, tmp_path: Path) -> None:
    file = tmp_path / "people.json"
    place = f"{PLACE}?shards=3&replicas=1"
    done = typed("index", "people.jsonl", "--into", place, "--schema", "likes.toml", "--template", str(file))
    assert (done.code, done.out) == (0, "")
    made = json.loads(file.read_text(encoding="utf-8"))
    assert made["index_patterns"] == ["people-*"]
    index = made["template"]["settings"]["index"]
    assert (index["number_of_shards"], index["number_of_replicas"]) == (3, 1)
    assert "refresh_interval" not in index
    held = made["template"]["mappings"]["_meta"]["askance"]
    assert held["schema"]["kind"] == "pattern"
    assert not held["complete"]


def test_a_server_takes_the_template(
    there: Path, typed: Typed, tmp_path: Path, opensearch_url: str, opensearch_index: str
) -> None:
    file = tmp_path / "made.json"
    place = f"opensearch://127.0.0.1:1/{opensearch_index}"
    done = typed("index", "papers.jsonl", "--into", place, "--stemmer", "porter", "--template", str(file))
    assert done.code == 0, done.err
    with opensearchpy.OpenSearch(opensearch_url) as client:
        client.indices.put_index_template(name=opensearch_index, body=json.loads(file.read_text(encoding="utf-8")))
        try:
            client.indices.create(index=f"{opensearch_index}-1")
            mapping = client.indices.get(index=f"{opensearch_index}-1")[f"{opensearch_index}-1"]["mappings"]
        finally:
            client.indices.delete_index_template(name=opensearch_index)
    assert mapping["properties"]["text"] == {"type": "text", "analyzer": "askance_lines"}
    assert mapping["_meta"]["askance"]["settings"]["analysis"]["stemmer"] == "porter"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("index", "people.jsonl", "--into", "new", "--template", "t.json"), "a template is of an index on OpenSearch"),
        (("index", "--into", PLACE, "--template", "t.json"), "there are no documents to index"),
        (("index", "--into", PLACE, "--compact", "--template", "t.json"), "--template: an index keeps what"),
        (("search", "people", '(lex "snow")', "--body"), "the embedded engine is not asked by bodies"),
        (("search", PLACE, "--body"), "there is no QUERY"),
    ],
)
def test_what_cannot_be(there: Path, typed: Typed, command: tuple[str, ...], said: str) -> None:
    done = typed(*command)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert not Path("t.json").exists()


def test_the_bodies_of_a_query_are_what_a_server_can_be_asked(
    there: Path, typed: Typed, opensearch_url: str, opensearch_place: str
) -> None:
    typed("index", "people.jsonl", "--into", opensearch_place, "--schema", "likes.toml")
    query = '(or (exact "Snow") (lex "snow"))'
    told = typed("search", opensearch_place, query, "--limit", "3", "--body")
    (body,) = told.json["bodies"]
    assert body["size"] == 3
    with opensearchpy.OpenSearch(opensearch_url) as client:
        hits = client.search(index=opensearch_place.rpartition("/")[2], body=body)["hits"]["hits"]
    answer = typed("search", opensearch_place, query, "--limit", "3", "--json").json
    assert [hit["_id"] for hit in hits] == [hit["id"] for hit in answer["hits"]]
