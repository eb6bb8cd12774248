"""Start a node, run a command with OPENSEARCH_HOST set, stop the node: python -m tests.node.run CMD…"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.node.node import Node

if __name__ == "__main__":
    with Node(memory="2g") as node:
        host = f"127.0.0.1:{node.port}"
        done = subprocess.run(sys.argv[1:], env={**os.environ, "OPENSEARCH_HOST": host}, check=False)
    sys.exit(done.returncode)
