"""Start a node, run a command with OPENSEARCH_URL and OPENSEARCH_HOST set, stop the node.

python -m tests.node.run CMD…
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.node import server
from tests.node.node import Node


def main(command: list[str]) -> int:
    """The exit code of the command."""
    why = server.missing()
    if why is not None or not command:
        print(f"An OpenSearch node {why}." if why else "usage: python -m tests.node.run CMD…", file=sys.stderr)
        return 2
    with Node(memory="2g", quick_start=False) as node:
        told = {"OPENSEARCH_URL": node.url, "OPENSEARCH_HOST": f"127.0.0.1:{node.port}"}
        return subprocess.run(command, env={**os.environ, **told}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
