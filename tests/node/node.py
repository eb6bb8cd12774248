"""Real OpenSearch nodes on loopback for tests: one, or three that form a cluster."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.node import server

READY = 180.0  # seconds that a node may take


class Node:
    """One node. It starts empty, ends with the process that started it, and leaves nothing behind.

    `settings`: of the server, besides those that every node here has; one that names no discovery is on its own.
    `memory`: of its heap, as Java writes it. `quick_start`: compiled quickly and not well: it starts in two thirds of
    the time and then searches at half the speed, as tests want it and benchmarks do not. `version`: server.VERSION or
    server.LEGACY.
    """

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        memory: str = "1g",
        quick_start: bool = True,
        version: str = server.VERSION,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="askance-node-"))
        self._settings = {"cluster.name": "askance", "node.name": "n1", "http.port": "0", "transport.port": "0"}
        self._settings |= settings or {"discovery.type": "single-node"}
        self._memory = memory
        self._quick_start = quick_start
        self._version = version
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def __enter__(self) -> Node:
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether its process lives."""
        return self._process is not None and self._process.poll() is None

    def launch(self) -> Node:
        """Start, and do not wait until it answers."""
        home, launcher, jdk = server.fetched(self._version), server.launcher(self._version), server.java()
        assert jdk is not None
        (self.folder / "tmp").mkdir(exist_ok=True)
        (self.folder / "http.port").unlink(missing_ok=True)
        if self.port:  # started again: where its clients know it
            self._settings["http.port"] = str(self.port)
        told = [f"{name}={value}" for name, value in self._settings.items()]
        options = [
            "-Xms256m", f"-Xmx{self._memory}", "-XX:+UseSerialGC", "-Xss1m",
            f"-Djava.io.tmpdir={self.folder / 'tmp'}", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8",
            "-Djna.nosys=true", "-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true",
            "-Dio.netty.noUnsafe=true", "-Djava.locale.providers=SPI,CLDR",
            "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED",
            f"-Dopensearch.path.home={home}", "-cp", f"{launcher}:{home / 'lib' / '*'}",
        ]  # fmt: skip
        if self._quick_start:
            options.append("-XX:TieredStopAtLevel=1")
        with (self.folder / "out.log").open("ab") as out:
            self._process = subprocess.Popen(
                [str(jdk / "bin" / "java"), *options, "Launcher", str(home), str(self.folder), *told],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        return self

    def start(self) -> Node:
        """Start, and wait until it answers."""
        self.launch()
        return self.wait()

    def wait(self) -> Node:
        """Wait until it answers; RuntimeError, with the end of its log, where it does not."""
        end = time.monotonic() + READY
        while time.monotonic() < end:
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(f"the node ended:\n{self.log()[-4000:]}")
            if (self.folder / "http.port").exists():
                self.port = int((self.folder / "http.port").read_text())
                if self._answers():
                    return self
            time.sleep(0.1)
        raise RuntimeError(f"the node did not answer within {READY:g} s:\n{self.log()[-4000:]}")

    def log(self) -> str:
        """What it printed."""
        path = self.folder / "out.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def kill(self) -> None:
        """End it at once, as a crash would; `start` has it again, with what it held."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._end_input()

    def pause(self) -> None:
        """Let it stand still: it takes connections and does not answer. All of it has stopped on return."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        end = time.monotonic() + 10
        while time.monotonic() < end and not self._stands_still():
            time.sleep(0.02)

    def _stands_still(self) -> bool:
        """Whether all threads have stopped; where the system does not say, a moment is waited."""
        threads = Path(f"/proc/{self.pid}/task")
        if not threads.is_dir():
            time.sleep(0.5)
            return True
        states = [path.read_text().rpartition(")")[2].split()[0] for path in threads.glob("*/stat")]
        return bool(states) and set(states) == {"T"}

    def resume(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End it in good order; `start` has it again, with what it held."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._end_input()

    def restart(self) -> Node:
        """End it in good order and start it again with what it holds, at the same place."""
        self.stop()
        return self.start()

    def close(self) -> None:
        """End it and remove what it holds."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method: str, path: str, body: Any = None, timeout: float = 60.0) -> Any:
        """A plain request, for tests that look past askance."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.url + path, data=data, method=method, headers={"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.load(answer)

    def _answers(self) -> bool:
        try:
            self.ask("GET", "/_cluster/health?wait_for_status=yellow&timeout=10s", timeout=15)
        except (OSError, urllib.error.HTTPError):
            return False
        return True

    def _end_input(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()


class Cluster:
    """Three nodes that know one another; each of `nodes` can be killed, paused and started again by itself."""

    def __init__(self, memory: str = "512m") -> None:
        ports = free_ports(3)
        names = [f"n{number}" for number in (1, 2, 3)]
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        self.nodes: Sequence[Node] = [
            Node(
                {
                    "node.name": name,
                    "transport.port": str(port),
                    "discovery.seed_hosts": hosts,
                    "cluster.initial_cluster_manager_nodes": ",".join(names),
                },
                memory,
            )
            for name, port in zip(names, ports, strict=True)
        ]

    def __enter__(self) -> Cluster:
        try:
            for node in self.nodes:
                node.launch()
            for node in self.nodes:
                node.wait()
            self.nodes[0].ask("GET", "/_cluster/health?wait_for_nodes=3&timeout=60s", timeout=70)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def url(self) -> str:
        """Of the first node."""
        return self.nodes[0].url

    @property
    def hosts(self) -> str:
        """host:port of all, with commas."""
        return ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def close(self) -> None:
        for node in self.nodes:
            node.close()


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on just now."""
    held = []
    for _ in range(count):
        one = socket.socket()
        one.bind(("127.0.0.1", 0))
        held.append(one)
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports
