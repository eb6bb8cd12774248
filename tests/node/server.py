"""The OpenSearch servers that tests run: fetched from Maven Central once, kept in a folder of the user's.

`python -m tests.node.server` fetches the one of the tests, so that its download is in no test's time.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = "3.5.0"
OLDEST_JAVA = 21


def home() -> Path:
    """Where servers are kept: $ASKANCE_NODES, or a folder beside the user's other caches."""
    told = os.environ.get("ASKANCE_NODES")
    return Path(told) if told else Path.home() / ".cache" / "askance-test-nodes"


def missing() -> str | None:
    """What keeps a node from running here, and how to get it; None where nothing does."""
    if java() is None:
        return (
            f"needs a JDK of version {OLDEST_JAVA} or newer: install openjdk-{OLDEST_JAVA}-jdk or any other build of "
            "one, and set OPENSEARCH_JAVA_HOME where it lies at an unusual place"
        )
    if not _is_whole(folder()) and shutil.which("mvn") is None:
        return "needs Maven to fetch an OpenSearch server: install maven, then `make node`"
    return None


def folder() -> Path:
    """The unpacked server, whether it is there yet or not."""
    return home() / f"opensearch-{VERSION}"


@cache
def java() -> Path | None:
    """The home of a JDK that is new enough: one named in the environment, else the newest that is installed."""
    told = [os.environ.get("OPENSEARCH_JAVA_HOME"), os.environ.get("JAVA_HOME")]
    for place in [Path(place) for place in told if place]:
        if _release(place) >= OLDEST_JAVA:
            return place
    installed = [*Path("/usr/lib/jvm").glob("*"), *Path("/Library/Java/JavaVirtualMachines").glob("*/Contents/Home")]
    newest = max(installed, key=_release, default=None)
    return newest if newest is not None and _release(newest) >= OLDEST_JAVA else None


def fetched() -> Path:
    """The folder of the server; fetched where it is not there yet. Two processes may ask at once."""
    place = folder()
    if not _is_whole(place):
        with _made_alone() as made:
            if not _is_whole(place):
                _unpack(made)
                shutil.rmtree(place, ignore_errors=True)
                (made / place.name).rename(place)
    return place


def launcher() -> Path:
    """The folder with the compiled launcher, one for each text of it: a node that runs keeps its own."""
    text = (HERE / "Launcher.java").read_bytes()
    place = home() / f"launcher-{VERSION}-{hashlib.sha256(text).hexdigest()[:12]}"
    if not place.is_dir():
        server, jdk = fetched(), java()
        assert jdk is not None
        with _made_alone() as made:
            if not place.is_dir():
                told = ["--release", str(OLDEST_JAVA), "-d", str(made / "classes"), "-cp", str(server / "lib" / "*")]
                _run([str(jdk / "bin" / "javac"), *told, str(HERE / "Launcher.java")])
                (made / "classes").rename(place)
    return place


def _unpack(into: Path) -> None:
    _run(["mvn", "--batch-mode", "--quiet", "--file", str(HERE / "pom.xml"), f"-Dinto={into}", "package"])


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout.decode(errors='replace')[-4000:]}")


def _is_whole(server: Path) -> bool:
    """Whether it is all there: it gets its name only when it is, so a look at its last part is enough."""
    return (server / "plugins" / "opensearch-knn" / "plugin-descriptor.properties").is_file()


def _release(jdk: Path) -> int:
    """The version of a JDK, 0 where there is none."""
    try:
        told = re.search(r'JAVA_VERSION="(\d+)', (jdk / "release").read_text())
    except OSError:
        return 0
    return int(told[1]) if told and (jdk / "bin" / "javac").exists() else 0


@contextmanager
def _made_alone() -> Iterator[Path]:
    """A new folder beside the kept ones, while no other process makes anything there."""
    home().mkdir(parents=True, exist_ok=True)
    with (home() / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with tempfile.TemporaryDirectory(prefix="made-", dir=home()) as made:
            yield Path(made)


if __name__ == "__main__":
    why = missing()
    if why is not None:
        sys.exit(f"An OpenSearch node {why}.")
    print(f"OpenSearch {VERSION}: {fetched()}, its launcher: {launcher()}")
