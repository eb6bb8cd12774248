"""The nodes that tests run on: there when asked for, gone with whoever started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
from pathlib import Path

import pytest
from tests.node import server
from tests.node.node import Node


@pytest.fixture(scope="module")
def node(opensearch_node: Node) -> Node:
    return opensearch_node


def test_it_is_the_server_that_was_asked_for_with_the_plugin_of_vectors(node: Node) -> None:
    assert node.ask("GET", "/")["version"]["number"] == server.VERSION
    plugins = node.ask("GET", "/_cat/plugins?format=json")
    assert [plugin["component"] for plugin in plugins] == ["opensearch-knn"]


def test_it_makes_no_index_by_itself(node: Node) -> None:
    with pytest.raises(urllib.error.HTTPError):
        node.ask("PUT", "/never-made/_doc/1", {"text": "snow"})


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
    code = "import sys, time\nfrom tests.node.node import Node\nprint(Node().launch().pid, flush=True)\ntime.sleep(600)"
    root = Path(__file__).resolve().parent.parent.parent
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        os.kill(parent.pid, signal.SIGKILL)
    end = time.monotonic() + 60
    while _runs(pid) and time.monotonic() < end:
        time.sleep(0.2)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
