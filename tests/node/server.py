"""The OpenSearch servers that tests run: fetched from Maven Central once, kept in a folder of the user's.

`python -m tests.node.server` fetches those of the tests, so that no download is in a test's time.
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
LEGACY = "2.19.1"  # of the line whose scores are on the older scale
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
    if not all(_is_whole(folder(version)) for version in (VERSION, LEGACY)) and shutil.which("mvn") is None:
        return "needs Maven to fetch an OpenSearch server: install maven, then `make node`"
    return None


def folder(version: str = VERSION) -> Path:
    """The unpacked server, whether it is there yet or not."""
    return home() / f"opensearch-{version}"


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


def fetched(version: str = VERSION) -> Path:
    """The folder of the server; fetched where it is not there yet. Two processes may ask at once."""
    place = folder(version)
    if not _is_whole(place):
        with _made_alone() as made:
            if not _is_whole(place):
                _unpack(version, made)
                shutil.rmtree(place, ignore_errors=True)
                (made / place.name).rename(place)
    return place


def launcher(version: str = VERSION) -> Path:
    """The folder with the compiled launcher, one for each text of it: a node that runs keeps its own."""
    text = (HERE / "Launcher.java").read_bytes()
    place = home() / f"launcher-{version}-{hashlib.sha256(text).hexdigest()[:12]}"
    if not place.is_dir():
        server, jdk = fetched(version), java()
        assert jdk is not None
        with _made_alone() as made:
            if not place.is_dir():
                told = ["--release", str(OLDEST_JAVA), "-d", str(made / "classes"), "-cp", str(server / "lib" / "*")]
                _run([str(jdk / "bin" / "javac"), *told, str(HERE / "Launcher.java")])
                (made / "classes").rename(place)
    return place


def _unpack(version: str, into: Path) -> None:
    pom = HERE / ("pom-2.x.xml" if version == LEGACY else "pom.xml")
    _run(["mvn", "--batch-mode", "--quiet", "--file", str(pom), f"-Dinto={into}", f"-Dserver={version}", "package"])
    if version == LEGACY:
        modules = into / f"opensearch-{version}" / "modules"
        painless = ["lang-painless-*", "opensearch-scripting-painless-spi-*", "asm*", "antlr4-runtime-*"]
        _lay_out(modules / "lang-painless", into / "jars", painless, "org.opensearch.painless.PainlessPlugin", "")
        analysis = "org.opensearch.analysis.common.CommonAnalysisPlugin"
        _lay_out(modules / "analysis-common", into / "jars", ["analysis-common-*"], analysis, "lang-painless")


def _lay_out(module: Path, jars: Path, names: list[str], plugin: str, extends: str) -> None:
    """A module of the server out of its jars, which Maven Central has without the descriptor."""
    module.mkdir()
    for name in names:
        for jar in jars.glob(f"{name}.jar"):
            shutil.copy(jar, module)
    told = {
        "name": module.name,
        "description": module.name,
        "version": LEGACY,
        "opensearch.version": LEGACY,
        "java.version": "11",
        "classname": plugin,
        "extended.plugins": extends,
        "has.native.controller": "false",
    }
    (module / "plugin-descriptor.properties").write_text("".join(f"{key}={value}\n" for key, value in told.items()))


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
    for wanted in (VERSION, LEGACY):
        print(f"OpenSearch {wanted}: {fetched(wanted)}, its launcher: {launcher(wanted)}")
