"""Three real nodes, some of them killed, stopped or full: nothing is lost, nothing doubled, what cannot be is said."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.node.node import Cluster, Node

from askance.engines.opensearch import aliases
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import build
from askance.engines.opensearch.bulk import Action, Limits, load
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.deep import hits
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.many import search_many
from askance.engines.opensearch.problems import ClusterProblem, Partial, Unreachable
from askance.engines.opensearch.waits import Waits
from askance.engines.settings import Indexed
from askance.irl.parser import parse

DOCUMENTS = 12_000
ROOT = Path(__file__).resolve().parents[3]
ALL = {"query": {"match_all": {}}, "sort": [{"position": "asc"}], "_source": False}
WORDS = ("snow", "rain", "hail", "fog", "wind")


def documents(count: int = DOCUMENTS) -> Iterator[Indexed]:
    for at in range(count):
        yield Indexed(f"d{at:05d}", f"{WORDS[at % 5]} {WORDS[at % 3]} {at}")


@pytest.fixture(autouse=True)
def afterwards_all_are_there(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that fails in the middle of an outage does not leave it to the next one."""
    yield
    if "opensearch_cluster" in request.fixturenames:
        cluster: Cluster = request.getfixturevalue("opensearch_cluster")
        for node in cluster.nodes:
            if not node.runs:
                node.start()
        whole(cluster)


@pytest.fixture
def place(opensearch_cluster: Cluster) -> str:
    return f"opensearch://{opensearch_cluster.hosts}/held-{secrets.token_hex(4)}?shards=3&replicas=1"


def whole(cluster: Cluster) -> None:
    """Wait until all nodes are there and every shard has its copies."""
    for node in cluster.nodes:
        node.wait()
    cluster.nodes[0].ask("GET", "/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=90s", timeout=100)


def counted(place: str) -> Counter[str]:
    """Every identifier of an index, and how often it is there."""
    address = address_of(place)
    with Connection.open(address) as connection:
        return Counter(hit["_id"] for hit in hits(connection, address.index, ALL))


def all_there(place: str, count: int = DOCUMENTS) -> bool:
    found = counted(place)
    return len(found) == count and set(found.values()) == {1}


def test_a_node_dies_while_documents_are_loaded(opensearch_cluster: Cluster, place: str) -> None:
    victim = opensearch_cluster.nodes[1]

    def dying() -> Iterator[Indexed]:
        for at, document in enumerate(documents()):
            if at == DOCUMENTS // 2:
                victim.kill()
            yield document

    meta = build(dying(), place)
    assert meta.counts.documents == DOCUMENTS
    assert all_there(place)
    victim.restart()
    whole(opensearch_cluster)
    assert all_there(place)


def test_a_node_dies_while_questions_are_asked(opensearch_cluster: Cluster, place: str) -> None:
    build(documents(), place)
    queries = [
        parse(f'(or (lex "{one}") (lex "{other} {at}"))') for at, one in enumerate(WORDS) for other in WORDS
    ] * 12
    engine = OpenSearchEngine.open(place)
    before = engine.search_all(queries, 50)
    victim = opensearch_cluster.nodes[2]
    killer = threading.Timer(0.15, victim.kill)
    killer.start()
    after = [one for start in range(0, len(queries), 30) for one in engine.search_all(queries[start : start + 30], 50)]
    killer.join()
    assert [one.total for one in after] == [one.total for one in before]
    assert [set(one.documents) for one in after] == [set(one.documents) for one in before]
    engine.close()
    victim.restart()
    whole(opensearch_cluster)


def test_a_node_dies_while_a_long_list_is_read(opensearch_cluster: Cluster, place: str) -> None:
    build(documents(), place)
    address = address_of(place)
    victim = opensearch_cluster.nodes[0]
    seen: list[str] = []
    with Connection.open(address) as connection:
        for hit in hits(connection, address.index, ALL, page=500):
            seen.append(hit["_id"])
            if len(seen) == DOCUMENTS // 3:
                victim.kill()
    assert seen == [one.id for one in documents()]
    victim.restart()
    whole(opensearch_cluster)


def test_what_a_lost_shard_held_is_not_left_out_silently(opensearch_cluster: Cluster) -> None:
    """Without copies a dead node takes its shards along: there is no shorter answer, there is an error."""
    place = f"opensearch://{opensearch_cluster.hosts}/alone-{secrets.token_hex(4)}?shards=3&replicas=0"
    build(documents(3000), place)
    engine = OpenSearchEngine.open(place)
    engine._connection.waits = _quick(engine._connection)
    assert engine.search(parse('(lex "snow")'), 5).total > 0
    victim = opensearch_cluster.nodes[1]
    victim.kill()
    opensearch_cluster.nodes[0].ask("GET", "/_cluster/health?wait_for_nodes=2&timeout=60s", timeout=70)
    with pytest.raises(ClusterProblem) as caught:
        engine.search(parse('(lex "snow")'), 5)
    assert "_cluster/health" in str(caught.value)
    with pytest.raises(ClusterProblem):
        engine.search(parse('(lex "snow")'), 20_000)
    with pytest.raises(ClusterProblem):  # a point in time over the shards that are left would end early in silence
        list(hits(engine._connection, engine.index, ALL, page=100))
    with pytest.raises(Partial, match="1 of 3 shards did not answer"):
        engine._connection.send("POST", f"/{engine.index}/_count", {"query": {"match_all": {}}})
    victim.restart()
    whole(opensearch_cluster)
    assert engine.search(parse('(lex "snow")'), 5).total > 0
    engine.close()
    assert all_there(place, 3000)


def _quick(connection: Connection) -> Waits:
    return replace(connection.waits, tries=3, first=0.05)


def test_a_node_that_stands_still(opensearch_cluster: Cluster, place: str) -> None:
    build(documents(200), place)
    slow = opensearch_cluster.nodes[0]
    alone = f"opensearch://127.0.0.1:{slow.port}/{address_of(place).index}?timeout=1"
    slow.pause()
    try:
        begun = time.monotonic()
        with pytest.raises(Unreachable, match="no answer to GET /held-.* within 1 s"):
            OpenSearchEngine.open(alone)
        assert time.monotonic() - begun < 20
    finally:
        slow.resume()
    whole(opensearch_cluster)
    assert OpenSearchEngine.open(alone).search(parse('(lex "snow")'), 5).total > 0


def test_full_queues(opensearch_cluster: Cluster) -> None:
    """A node that takes one piece of work at a time and refuses what comes meanwhile: it is asked again."""
    assert opensearch_cluster.nodes
    few = {f"thread_pool.{pool}.size": "1" for pool in ("write", "search")}
    few |= {f"thread_pool.{pool}.queue_size": "2" for pool in ("write", "search")}
    with Node({"discovery.type": "single-node", **few}, memory="512m") as node:
        place = f"opensearch://127.0.0.1:{node.port}/full"
        address = address_of(place)
        with Connection.open(address) as connection:
            connection.send("PUT", "/full", {"mappings": {"properties": {"position": {"type": "long"}}}})
            told = []

            def one(number: int) -> None:
                actions = (Action("index", f"{number}-{at}", {"position": at}) for at in range(500))
                told.append(load(connection, "full", actions, limits=Limits(documents=100)))

            _at_once(one)
            connection.send("POST", "/full/_refresh")
            assert [(each.done, each.failed) for each in told] == [(500, ())] * 8
            assert connection.send("POST", "/full/_count", {"query": {"match_all": {}}})["count"] == 4000
            found = []

            def ask(number: int) -> None:
                bodies = [{"query": {"match_all": {}}, "size": 0, "track_total_hits": True}] * 30
                found.extend(search_many(connection, "full", bodies))

            _at_once(ask)
            assert [answer["hits"]["total"]["value"] for answer in found] == [4000] * 240
            refused = node.ask("GET", "/_cat/thread_pool/write,search?format=json&h=name,rejected")
        assert any(int(pool["rejected"]) > 0 for pool in refused), refused


def _at_once(work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


LOADER = """
import sys
from askance.engines.opensearch.building import build
from askance.engines.opensearch.waits import Waits
from askance.engines.settings import Indexed
def documents():
    for at in range(10**9):
        if at == 3000:
            print("under way", flush=True)
        yield Indexed(f"x{at}", "snow")
build(documents(), sys.argv[1], replace=True)
"""


def test_a_load_that_is_killed_leaves_what_was(opensearch_cluster: Cluster, place: str) -> None:
    build(documents(300), place)
    with subprocess.Popen([sys.executable, "-c", LOADER, place], stdout=subprocess.PIPE, cwd=ROOT) as loader:
        assert loader.stdout is not None
        assert loader.stdout.readline() == b"under way\n"
        os.kill(loader.pid, signal.SIGKILL)
    assert all_there(place, 300)
    engine = OpenSearchEngine.open(place)
    (left,) = aliases.left_over(engine._connection, engine.address.index)
    assert left in engine.left_over_notes()[0]
    engine.close()
    build(documents(400), place, replace=True)
    assert all_there(place, 400)
