"""Runs every benchmark of this folder and writes docs/benchmarks.md. `make bench` does this.

A benchmark is a file here that prints what it measured, as a Markdown table or in columns; its docstring says what that
is. Names given as arguments run only those, and print instead of writing.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER.parent / "docs" / "benchmarks.md"
PACKAGES = ("askance", "numpy", "scipy", "onnxruntime", "typer")


def benchmarks() -> list[Path]:
    """Every benchmark, by name."""
    return sorted(path for path in FOLDER.glob("*.py") if path.name != Path(__file__).name)


class Outcome(NamedTuple):
    """What one benchmark has to say on the page, and whether it reached its target."""

    section: str
    reached: bool


def outcome(path: Path) -> Outcome:
    """Run one benchmark; exit code 1 means that it missed its target. RuntimeError where it broke."""
    print(f"{path.stem} …", file=sys.stderr, flush=True)
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    print(f"{path.stem}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    if done.returncode not in (0, 1) or "Traceback" in done.stderr or not done.stdout:
        raise RuntimeError(f"{path.name} ended with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    title = path.stem.replace("_", " ").capitalize()
    again = f"Again: `.venv/bin/python bench/{path.name}`"
    return Outcome(f"## {title}\n\n{about}\n\n{_as_markdown(done.stdout)}\n\n{again}", done.returncode == 0)


def _as_markdown(printed: str) -> str:
    """Markdown stays as it is, anything else keeps its columns."""
    is_table = any(line.startswith("|") for line in printed.splitlines())
    return printed.strip() if is_table else f"```text\n{printed.rstrip()}\n```"


def machine() -> str:
    """When and on what this was measured, as a table."""
    rows = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])


def _processor() -> str:
    """The model's name, where the system tells it."""
    told = Path("/proc/cpuinfo")
    if told.exists():
        for line in told.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if sys.platform == "darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return platform.processor() or "unknown"


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def main(names: Sequence[str]) -> int:
    """Run the named benchmarks and print, or all of them into the page; 1 where one missed its target."""
    paths = [FOLDER / f"{name}.py" for name in names] or benchmarks()
    found = {path.stem: outcome(path) for path in paths}
    sections = [outcome.section for outcome in found.values()]
    if names:
        print("\n\n".join(sections))
    else:
        head = "# Benchmarks\n\nWritten by `make bench`. Compare within a table: machines differ, and may be shared."
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text("\n\n".join([head, machine(), *sections]) + "\n", encoding="utf-8")
        print(f"wrote {PAGE}", file=sys.stderr)
    missed = [name for name, outcome in found.items() if not outcome.reached]
    if missed:
        print(f"missed their targets: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
