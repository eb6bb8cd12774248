"""An index on OpenSearch beside the bare client (opensearch-py) in front of the same node, one run.

Times are medians of rounds, ratios those within a round: the middle one, the least and the greatest.

*Bulk*: 50,000 made documents as askance sends them, packed beforehand, in requests of 1,000 documents or 5 MiB at most.
Ours is its `load`; the client's is `helpers.streaming_bulk` with the same documents and sizes. Each round loads both
into new indexes of the same body, in alternating order. *Build* is the whole of it: documents split by their schema,
cut, packed, loaded, refreshed, counted, the alias switched.

*Phrases*: 1,000 of them by `_msearch`, 100 a request, the best 100 each. Ours takes trees and gives identifiers,
positions, scores and the number of matches. *Same bodies* are those that it sends, sent by the client, which decodes
the answers; *least bodies* ask for the phrase and nothing else: no order among ties, no positions, matches counted to
10,000, and the answers bring what the server says by itself.

*Fusion*: two lists of 1,000 documents, half of them in both, made one by the client.

*Memory*: of the process that builds, from 50,000 to a million documents, made and streamed one by one; most held,
without mapped files. A stand-in answers it, a server that takes all and indexes nothing: the node would be busy for
long, and its memory is not what is measured. The same 50,000 are built into the node too. Growth that is expected: 8
bytes a document, by which doubled identifiers are found. As in Million, glibc is told to part its memory in two.

Limits: bulk and phrases (same bodies) 1.2 times the client, fusion 1 ms, memory 100 bytes a document.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from opensearchpy import OpenSearch, helpers

from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.schema import Schema
from askance.engines.fusion import Ranking, fuse
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import build
from askance.engines.opensearch.bulk import Action, Limits, load
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.documents import Packing
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.mapping import index_body
from askance.engines.opensearch.meta import Meta
from askance.engines.settings import Indexed, IndexSettings
from askance.engines.sources import OfCollection
from askance.engines.stored import Source
from askance.irl.builder import lex
from askance.irl.nodes import FuseKind

if TYPE_CHECKING:
    from tests.node.node import Node

LIMIT, MOST_FUSION_MS, MOST_GROWTH = 1.2, 1.0, 100.0
DOCUMENTS, PHRASES, TOP, AT_ONCE, ROUNDS = 50_000, 1000, 100, 100, 5
SIZES = (50_000, 1_000_000)
KINDS: tuple[FuseKind, ...] = ("rrf", "minmax", "sum")
MEGABYTE = 1e6


def main() -> int:
    from tests.node import server
    from tests.node.node import Node

    why = server.missing()
    if why is not None:
        print(f"Not measured: a node {why}.")
        return 0
    made = limit_collection(LimitSettings(seed=3, documents=DOCUMENTS, queries=PHRASES, containment=0.1))
    documents = list(OfCollection(made))
    schema = LearnedSchema().learn(one.record for one in documents)
    phrases = [text.removeprefix("Who likes ").removesuffix("?") for text in made.queries.field("text")]
    with Node(memory="2g", quick_start=False) as node:
        slower = max(bulk(node, documents, schema), searches(node, phrases))
        slowest = fusions()
        grown = memory(node)
    met = slower <= LIMIT and slowest < MOST_FUSION_MS and (grown is None or grown < MOST_GROWTH)
    print(f"\n{'All limits met' if met else 'A limit is MISSED'}.")
    return 0 if met else 1


def place(node: Node, index: str) -> str:
    return f"opensearch://127.0.0.1:{node.port}/{index}"


def seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Of each round."""
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def compared(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The middle ratio of a round, the least and the greatest."""
    rounds = ratios(ours, theirs)
    return f"{median(rounds):.2f} ({min(rounds):.2f} to {max(rounds):.2f})"


# Loading


def bulk(node: Node, documents: Sequence[Indexed], schema: Schema) -> float:
    """Prints how long loading takes; ours over the client's."""
    packing = Packing(IndexSettings())
    sources = [Source.of(one, schema.split(one.record)) for one in documents]
    actions = [Action("index", one.id, packing.packed(at, one)) for at, one in enumerate(sources)]
    ours: list[float] = []
    theirs: list[float] = []
    whole: list[float] = []
    loaded(node, "warm", actions[:10_000], by_client=True)
    for turn in range(ROUNDS):
        for by_client in (False, True) if turn % 2 else (True, False):
            (theirs if by_client else ours).append(loaded(node, "load", actions, by_client=by_client))
        whole.append(seconds(lambda: build(documents, place(node, "built"), schema=schema, replace=True)))
    print("| 50,000 documents | seconds | of the client |\n|---|--:|--:|")
    print(f"| streaming_bulk of the client | {median(theirs):.2f} | 1 |")
    print(f"| load | {median(ours):.2f} | {compared(ours, theirs)} |")
    print(f"| build | {median(whole):.2f} | {compared(whole, theirs)} |")
    return median(ratios(ours, theirs))


def loaded(node: Node, index: str, actions: Sequence[Action], *, by_client: bool) -> float:
    """Seconds of loading into a new index, which is counted and deleted."""
    node.ask("PUT", f"/{index}", index_body(Meta(settings=IndexSettings())))
    took = seconds(lambda: (load_by_client if by_client else load_by_us)(node, index, actions))
    node.ask("POST", f"/{index}/_refresh")
    counted = node.ask("GET", f"/{index}/_count")["count"]
    if counted != len(actions):
        raise RuntimeError(f"{counted} documents of {len(actions)}")
    node.ask("DELETE", f"/{index}")
    return took


def load_by_us(node: Node, index: str, actions: Sequence[Action]) -> None:
    with Connection.open(address_of(place(node, index))) as connection:
        load(connection, index, actions)


def load_by_client(node: Node, index: str, actions: Sequence[Action]) -> None:
    sent = ({"_op_type": "index", "_index": index, "_id": one.id, "_source": one.document} for one in actions)
    sizes = Limits()
    with bare(node) as client:
        for _ in helpers.streaming_bulk(
            client, sent, chunk_size=sizes.documents, max_chunk_bytes=sizes.bytes, max_retries=3
        ):
            pass


def bare(node: Node) -> OpenSearch:
    return OpenSearch(hosts=[{"host": "127.0.0.1", "port": node.port}], timeout=120)


# Searching


def searches(node: Node, phrases: Sequence[str]) -> float:
    """Prints how long 1,000 phrases take; ours over the same bodies by the client."""
    trees = [lex(phrase) for phrase in phrases]
    least = [{"query": {"match_phrase": {"text": phrase}}, "size": TOP, "_source": False} for phrase in phrases]
    engine = OpenSearchEngine.open(place(node, "built"))
    same = [body for tree in trees for body in engine.bodies(tree, TOP)]
    took: dict[str, list[float]] = {"ours": [], "same": [], "least": []}
    with bare(node) as client:
        work: dict[str, Callable[[], int]] = {
            "ours": lambda: sum(len(answer.documents) for answer in engine.search_all(trees, TOP)),
            "same": lambda: by_msearch(client, engine.index, same),
            "least": lambda: by_msearch(client, engine.index, least),
        }
        found = {name: ask() for name, ask in work.items()}  # and the node is warm
        for _ in range(3):
            work["least"]()
        for turn in range(2 * ROUNDS):
            for name in work if turn % 2 else reversed(work):
                took[name].append(seconds(work[name]))
    engine.close()
    if len(set(found.values())) != 1:
        raise RuntimeError(f"not the same number of hits: {found}")
    print(f"\n| 1,000 phrases, {found['ours']:,} hits | seconds | of the client |\n|---|--:|--:|")
    print(f"| same bodies by the client | {median(took['same']):.3f} | 1 |")
    print(f"| least bodies by the client | {median(took['least']):.3f} | {compared(took['least'], took['same'])} |")
    print(f"| search_all | {median(took['ours']):.3f} | {compared(took['ours'], took['same'])} |")
    return median(ratios(took["ours"], took["same"]))


def by_msearch(client: OpenSearch, index: str, bodies: Sequence[Mapping[str, Any]]) -> int:
    hits = 0
    for begin in range(0, len(bodies), AT_ONCE):
        lines: list[Mapping[str, Any]] = []
        for body in bodies[begin : begin + AT_ONCE]:
            lines += [{"index": index}, body]
        for answer in client.msearch(body=lines, params={"max_concurrent_searches": 8})["responses"]:
            hits += len(answer["hits"]["hits"])
    return hits


# Fusing


def fusions() -> float:
    """Prints how long fusion takes; the slowest kind's median, milliseconds a query."""
    made = np.random.default_rng(3)
    lists = []
    for begin in (0, 500):
        positions = made.permutation(np.arange(begin, begin + 1000))
        lists.append(Ranking(positions, np.sort(made.random(1000))[::-1]))
    print("\n| fusion of two lists of 1,000 | ms a query, median | 95 of 100 below |\n|---|--:|--:|")
    slowest = 0.0
    for kind in KINDS:
        took = sorted(seconds(lambda kind=kind: fuse(lists, kind)) * 1e3 for _ in range(500))  # type: ignore[misc]
        print(f"| {kind} | {median(took):.3f} | {took[475]:.3f} |")
        slowest = max(slowest, median(took))
    return slowest


# Memory


def memory(node: Node) -> float | None:
    """Prints what building holds; how much more of it a document, None where the system does not tell."""
    told = [held(size) for size in SIZES]
    real = held(SIZES[0], place(node, "held"))
    print("\n| building | seconds | memory held, MB |\n|---|--:|--:|")
    for size, one, where in [(SIZES[0], real, "the node"), *zip(SIZES, told, ["the stand-in"] * 2, strict=True)]:
        most = "?" if one["most"] is None else f"{one['most'] / MEGABYTE:,.0f}"
        print(f"| {size:,} documents into {where} | {one['seconds']:.1f} | {most} |")
    if told[0]["most"] is None:
        return None
    growth = float((told[1]["most"] - told[0]["most"]) / (SIZES[1] - SIZES[0]))
    print(f"\nFrom {SIZES[0]:,} to {SIZES[1]:,} documents it grows by {growth:.0f} bytes a document.")
    return growth


def held(documents: int, where: str | None = None) -> Mapping[str, Any]:
    """What a process of its own says of a build into `where`, or into a stand-in that it starts."""
    with StandIn() as standing:
        told = where or f"opensearch://127.0.0.1:{standing.server_port}/held"
        command = [sys.executable, __file__, "build", str(documents), told]
        surroundings = {**os.environ, "MALLOC_ARENA_MAX": "2"}
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=surroundings)
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


def build_alone(documents: int, where: str) -> None:
    """In a process of its own: the same schema at every size, learned from the first 50,000 documents."""
    from bench.million import Held, collection, stream

    limit = collection(documents)
    first = islice(stream(limit), SIZES[0])
    schema = LearnedSchema().learn(one.record for one in first)
    with Held() as building:
        took = seconds(lambda: build(stream(limit), where, schema=schema))
    print(json.dumps({"seconds": took, "most": building.most}))


class StandIn(ThreadingHTTPServer):
    """Says yes to all that building asks, and counts the documents."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Yes)
        self.documents = 0
        self.alias: str | None = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class Yes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StandIn

    def do_GET(self) -> None:
        if self.server.alias is None and "--" not in self.path:
            self.answer({"error": {"type": "index_not_found_exception", "reason": "no such index"}}, 404)
        else:
            self.answer({self.server.alias or "": {"aliases": {"held": {}}}})

    def do_PUT(self) -> None:
        self.answer({"acknowledged": True})

    def do_POST(self) -> None:
        body = self.body()
        if "_bulk" in self.path:
            count = body.count(b"\n") // 2
            self.server.documents += count
            self.answer({"errors": False, "items": [{"index": {"status": 201}}] * count})
        elif "_count" in self.path:
            self.answer({"count": self.server.documents})
        elif "_aliases" in self.path:
            self.server.alias = json.loads(body)["actions"][-1]["add"]["index"]
            self.answer({"acknowledged": True})
        else:
            self.answer({"acknowledged": True})

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def answer(self, told: Mapping[str, Any], status: int = 200) -> None:
        if self.command != "POST":
            self.body()
        text = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Nothing."""


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    if sys.argv[1:2] == ["build"]:
        build_alone(int(sys.argv[2]), sys.argv[3])
        sys.exit(0)
    sys.exit(main())
