"""Start-up time of the command line, beside a bare interpreter and a program that only imports typer.

Each command runs in a fresh process; the rounds are interleaved, so that a busy moment meets all alike.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROUNDS = 15

ASKANCE = str(Path(sys.executable).with_name("askance"))
TYPER_ONLY = """
import typer
app = typer.Typer()
@app.command()
def greet(name: str = "you") -> None:
    "Greet someone."
app()
"""

COMMANDS: Mapping[str, Sequence[str]] = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "import askance": (sys.executable, "-c", "import askance"),
    "askance --version": (ASKANCE, "--version"),
    "askance --help": (ASKANCE, "--help"),
    "askance study run --help": (ASKANCE, "study", "run", "--help"),
    "a typer program of one verb, --help": (sys.executable, "-c", TYPER_ONLY, "--help"),
}


def measure(commands: Mapping[str, Sequence[str]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each command, once a round; one round before them warms the file cache."""
    took: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            took[name].append(time.perf_counter() - begun)
    return {name: seconds[1:] for name, seconds in took.items()}


def table(took: Mapping[str, Sequence[float]]) -> str:
    """Milliseconds; the ratio is the median over rounds of a command's time to the first one's of the same round."""
    bare = next(iter(took.values()))
    lines = ["| command | fastest, ms | median, ms | ratio |", "|---|---|---|---|"]
    for name, seconds in took.items():
        ratio = statistics.median(one / other for one, other in zip(seconds, bare, strict=True))
        lines.append(f"| `{name}` | {min(seconds) * 1e3:.0f} | {statistics.median(seconds) * 1e3:.0f} | {ratio:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    print(f"{ROUNDS} fresh processes each, interleaved; ratio to a bare interpreter, median over rounds.\n")
    print(table(measure(COMMANDS, ROUNDS)))


if __name__ == "__main__":
    main()
