"""The OpenSearch server that tests run: fetched from Maven Central once, kept in a folder of the user's."""

from __future__ import annotations

import fcntl
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
            f"needs a JDK of version {OLDEST_JAVA} or newer (apt install openjdk-21-jdk, or set OPENSEARCH_JAVA_HOME)"
        )
    if not _is_whole(folder()) and shutil.which("mvn") is None:
        return "needs Maven to fetch an OpenSearch server (apt install maven)"
    return None


def folder(version: str = VERSION) -> Path:
    """The unpacked server."""
    return home() / f"opensearch-{version}"


@cache
def java() -> Path | None:
    """The home of a JDK that is new enough."""
    told = [os.environ.get("OPENSEARCH_JAVA_HOME"), os.environ.get("JAVA_HOME")]
    places = [Path(place) for place in told if place]
    places += sorted(Path("/usr/lib/jvm").glob("*"), reverse=True)
    places += sorted(Path("/Library/Java/JavaVirtualMachines").glob("*/Contents/Home"), reverse=True)
    return next((place for place in places if _release(place) >= OLDEST_JAVA), None)


def fetched() -> Path:
    """The folder of the server; fetched where it is not there yet. Two processes may ask at once."""
    place = folder()
    if _is_whole(place):
        return place
    home().mkdir(parents=True, exist_ok=True)
    with _alone(home() / "lock"), tempfile.TemporaryDirectory(dir=home()) as made:
        if not _is_whole(place):
            _fetch(Path(made))
            shutil.rmtree(place, ignore_errors=True)
            (Path(made) / f"opensearch-{VERSION}").rename(place)
    return place


def _fetch(into: Path) -> None:
    command = ["mvn", "--batch-mode", "--quiet", "--file", str(HERE / "pom.xml"), f"-Dinto={into}", "package"]
    shutil.copy(HERE / "pom.xml", into)
    command[4] = str(into / "pom.xml")
    subprocess.run(command, check=True, timeout=900, stdin=subprocess.DEVNULL)
    server = into / f"opensearch-{VERSION}"
    jdk = java()
    assert jdk is not None
    compile_launcher = [str(jdk / "bin" / "javac"), "-d", str(server / "launcher"), "-cp", str(server / "lib" / "*")]
    subprocess.run([*compile_launcher, str(HERE / "Launcher.java")], check=True, timeout=300)


def _is_whole(server: Path) -> bool:
    plugin = server / "plugins" / "opensearch-knn" / "plugin-descriptor.properties"
    launcher = server / "launcher" / "Launcher.class"
    return (
        plugin.is_file() and launcher.is_file() and launcher.stat().st_mtime > (HERE / "Launcher.java").stat().st_mtime
    )


def _release(jdk: Path) -> int:
    """The version of a JDK, 0 where there is none."""
    try:
        told = re.search(r'JAVA_VERSION="(\d+)', (jdk / "release").read_text())
    except OSError:
        return 0
    return int(told[1]) if told and (jdk / "bin" / "javac").exists() else 0


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    why = missing()
    if why is not None:
        sys.exit(why)
    print(f"OpenSearch {VERSION}: {fetched()}")
