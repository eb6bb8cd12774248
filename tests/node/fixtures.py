"""A node for all tests of a session, an index of one's own on it, and a cluster for the tests of one file.

`make test` runs in one process, so a session is one node. With pytest-xdist each worker has a node of its own.
"""

from __future__ import annotations

import os
import secrets
import urllib.request
from collections.abc import Iterator

import pytest
from tests.node import server
from tests.node.node import Cluster, Node


@pytest.fixture(scope="session")
def opensearch_node() -> Iterator[Node]:
    """A real node, the same for all tests of a session."""
    _or_skip()
    with Node() as node:
        yield node


@pytest.fixture(scope="session")
def opensearch_host(request: pytest.FixtureRequest) -> str:
    """host:port of a real server: $OPENSEARCH_HOST where that is set, else of a node started here."""
    told = os.environ.get("OPENSEARCH_HOST")
    if told:
        return told
    node: Node = request.getfixturevalue("opensearch_node")
    return f"127.0.0.1:{node.port}"


@pytest.fixture(scope="session")
def opensearch_url(opensearch_host: str) -> str:
    """The same server for a plain client: http://host:port."""
    return f"http://{opensearch_host}"


@pytest.fixture
def opensearch_index(opensearch_url: str) -> Iterator[str]:
    """A name of an index that nobody else has; what begins with it is deleted afterwards."""
    name = f"test-{secrets.token_hex(4)}"
    yield name
    request = urllib.request.Request(f"{opensearch_url}/{name}*", method="DELETE")
    with urllib.request.urlopen(request, timeout=60):
        pass


@pytest.fixture
def opensearch_place(opensearch_host: str, opensearch_index: str) -> str:
    """The place of an index that nobody else has."""
    return f"opensearch://{opensearch_host}/{opensearch_index}"


@pytest.fixture(scope="module")
def opensearch_legacy_node() -> Iterator[Node]:
    """A real node of the line whose scores are on the older scale."""
    _or_skip()
    with Node(version=server.LEGACY, memory="512m") as node:
        yield node


@pytest.fixture(scope="module")
def opensearch_cluster() -> Iterator[Cluster]:
    """Three real nodes, the tests of one file to themselves."""
    _or_skip()
    with Cluster() as cluster:
        yield cluster


def _or_skip() -> None:
    why = server.missing()
    if why is not None:
        pytest.skip(why)
