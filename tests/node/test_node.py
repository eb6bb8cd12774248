"""The nodes that tests run on: there when asked for, on loopback alone, gone with whoever started them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from tests.node import server
from tests.node.node import Cluster, Node

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def node(opensearch_node: Node) -> Node:
    return opensearch_node


def test_it_is_the_server_that_was_asked_for_with_the_plugin_of_vectors(node: Node) -> None:
    assert node.ask("GET", "/")["version"]["number"] == server.VERSION
    plugins = node.ask("GET", "/_cat/plugins?format=json")
    assert [plugin["component"] for plugin in plugins] == ["opensearch-knn"]


def test_it_listens_on_loopback_alone(node: Node) -> None:
    listening = [held for held in psutil.Process(node.pid).net_connections("inet") if held.status == "LISTEN"]
    assert node.port in {held.laddr.port for held in listening}
    assert {held.laddr.ip.removeprefix("::ffff:") for held in listening} == {"127.0.0.1"}


def test_five_documents_and_a_search(node: Node, opensearch_index: str) -> None:
    texts = ["red snow", "blue snow", "red rain", "fog", "snow snow"]
    _load(node, opensearch_index, texts)
    found = node.ask("POST", f"/{opensearch_index}/_search", {"query": {"match": {"text": "snow"}}})
    assert [hit["_id"] for hit in found["hits"]["hits"]] == ["4", "0", "1"]


def test_it_makes_no_index_by_itself(node: Node) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        node.ask("PUT", "/never-made/_doc/1", {"text": "snow"})
    with refused.value as answer:
        assert answer.code == 404


def test_a_node_that_stands_still_answers_later(node: Node) -> None:
    node.pause()
    try:
        with pytest.raises(OSError, match="timed out"):
            node.ask("GET", "/", timeout=0.5)
    finally:
        node.resume()
    assert node.ask("GET", "/")["tagline"]


def test_a_node_ends_with_the_process_that_started_it(node: Node) -> None:
    """`node`: so that this is skipped where none can run."""
    code = "import time\nfrom tests.node.node import Node\nn = Node().launch()\nprint(n.pid, n.folder, flush=True)\n"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}time.sleep(600)"], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        pid, folder = parent.stdout.readline().split()
        os.kill(parent.pid, signal.SIGKILL)
    end = time.monotonic() + 60  # it looks at its input once it is up
    while _is_there(int(pid), Path(folder)) and time.monotonic() < end:
        time.sleep(0.2)
    assert not _is_there(int(pid), Path(folder))


@pytest.mark.parametrize(
    "query",
    [
        {"match": {"text": "snow rain"}},
        {"match_phrase": {"text": "snow and rain"}},
        {"bool": {"should": [{"match": {"text": {"query": "snow", "boost": 3}}}, {"term": {"text": "fog"}}]}},
    ],
)
def test_the_older_line_scores_2_2_times_as_much(
    query: dict[str, Any], node: Node, opensearch_legacy_node: Node, opensearch_index: str
) -> None:
    """Its BM25 has the factor k1 + 1, which the newer one leaves out; k1 is 1.2."""
    scores = []
    for one in (node, opensearch_legacy_node):
        _load(
            one, opensearch_index, ["red snow", "red rain", "fog", "snow snow", "much snow and rain and fog and snow"]
        )
        hits = one.ask("POST", f"/{opensearch_index}/_search", {"query": query})["hits"]["hits"]
        scores.append({hit["_id"]: hit["_score"] for hit in hits})
    newer, older = scores
    assert list(newer) == list(older)
    assert older == pytest.approx({name: 2.2 * score for name, score in newer.items()}, rel=1e-6)


def test_a_cluster_loses_a_node_and_no_document_and_has_it_back(opensearch_cluster: Cluster) -> None:
    first, _, last = opensearch_cluster.nodes
    _load(first, "held", [f"snow {number}" for number in range(60)], shards=3, replicas=1)
    assert _health(first, "wait_for_status=green&wait_for_no_initializing_shards=true") == ("green", 3)

    last.kill()
    assert _health(first, "wait_for_nodes=2&wait_for_status=yellow") == ("yellow", 2)
    assert first.ask("GET", "/held/_count")["count"] == 60

    port = last.port
    last.start()
    assert last.port == port
    assert _health(first, "wait_for_nodes=3&wait_for_status=green") == ("green", 3)
    assert last.ask("GET", "/held/_count")["count"] == 60


def _load(node: Node, index: str, texts: list[str], shards: int = 1, replicas: int = 0) -> None:
    settings = {"number_of_shards": shards, "number_of_replicas": replicas}
    properties = {"text": {"type": "text"}}
    node.ask("PUT", f"/{index}", {"settings": settings, "mappings": {"properties": properties}})
    lines: list[Any] = []
    for at, text in enumerate(texts):
        lines += [{"index": {"_id": str(at)}}, {"text": text}]
    request = urllib.request.Request(
        f"{node.url}/{index}/_bulk?refresh=true",
        data="".join(json.dumps(line) + "\n" for line in lines).encode(),
        headers={"content-type": "application/x-ndjson"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert not json.load(answer)["errors"]


def _health(node: Node, wait: str) -> tuple[str, int]:
    told = node.ask("GET", f"/_cluster/health?timeout=60s&{wait}", timeout=70)
    return told["status"], told["number_of_nodes"]


def _is_there(pid: int, folder: Path) -> bool:
    """Whether the process is there; it is known by its folder, since its number may be given to another."""
    try:
        return any(str(folder) in word for word in psutil.Process(pid).cmdline())
    except psutil.NoSuchProcess:
        return False
