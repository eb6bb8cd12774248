"""The house rules, held by tests: light to import, floors kept, small files that say what they are, nothing private."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import askance
from askance.core.registry import Registry

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "askance"
PYTHON = sorted(SOURCE.rglob("*.py"))
CODE = [*PYTHON, *sorted(path for ending in ("css", "js", "html", "toml") for path in SOURCE.rglob(f"*.{ending}"))]
PROSE = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

LONGEST = 400  # lines of a file
QUICK = 0.5  # seconds of `import askance`
# What must not be loaded before it is needed: each costs 0.05 to 10 seconds.
HEAVY = {
    "torch", "transformers", "sentence_transformers", "onnx", "onnxruntime", "tokenizers", "huggingface_hub", "polars",
    "pandas", "pyarrow", "scipy", "numpy", "pydantic", "httpx", "jinja2", "rapidfuzz", "Stemmer", "regex",
}  # fmt: skip
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "tools"}


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that runs `code`, away from the checkout."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_import_is_quick() -> None:
    """The best of several: what a busy machine adds is not the package's."""
    took = []
    for _ in range(5):
        begun = time.perf_counter()
        assert python("import askance").returncode == 0
        took.append(time.perf_counter() - begun)
    assert min(took) < QUICK, took


@pytest.mark.parametrize(
    ("code", "arguments", "allowed"),
    [
        ("import askance", (), set()),
        ("from askance.cli import main; main()", ("--version",), set()),
        ("from askance.cli import main; main()", ("--help",), set()),
        # typer itself looks into pydantic for the types of a verb's options
        ("from askance.cli import main; main()", ("study", "run", "--help"), {"pydantic"}),
    ],
    ids=["import", "version", "help", "study run help"],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str, arguments: tuple[str, ...], allowed: set[str]) -> None:
    listing = "import atexit, sys; atexit.register(lambda: print('loaded:', *sys.modules, file=sys.stderr))"
    done = python(f"{listing}\n{code}", *arguments)
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in done.stderr.rpartition("loaded:")[2].split()}
    assert "sys" in loaded
    assert (loaded & HEAVY) - allowed == set()


def test_the_command_line_answers() -> None:
    shown = python("from askance.cli import main; main()", "--help")
    assert shown.returncode == 0
    for verb in ("study", "data", "sign"):
        assert verb in shown.stdout
    assert python("from askance.cli import main; main()", "--version").stdout == f"askance {askance.__version__}\n"


def test_floors() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def modules() -> list[str]:
    return [
        found.name for found in pkgutil.walk_packages([str(SOURCE)], "askance.") if not found.name.endswith("__main__")
    ]


def test_every_module_can_be_imported_and_every_registered_name_is_there() -> None:
    checked = 0
    for name in modules():
        for registry in vars(importlib.import_module(name)).values():
            if isinstance(registry, Registry):
                for registered in registry:
                    assert registry.get(registered) is not None
                    checked += 1
    assert checked > 10


@pytest.mark.parametrize("path", CODE, ids=relative)
def test_a_file_is_short_and_finished(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    unfinished = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
    assert [number for number, line in enumerate(lines, 1) if unfinished.search(line)] == []


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_a_module_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "no docstring"
    assert path.stem not in EMPTY_NAMES
    public = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    ]
    assert len(public) == len(set(public))


def committed() -> Iterator[Path]:
    """Every file that git tracks and this checkout holds."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, cwd=ROOT, check=True)
    for name in os.fsdecode(listed.stdout).split("\0"):
        if name and (ROOT / name).is_file():
            yield ROOT / name


def test_nothing_of_a_machine_is_committed() -> None:
    private = re.compile(rb"(?<![\w.])/(work|root|home|Users|opt/wheels)/[\w.]")
    found = [relative(path) for path in committed() if private.search(path.read_bytes())]
    assert found == []


def test_no_sentence_of_the_shared_papers_is_here() -> None:
    """Facts carry over, wording does not."""
    shared = ROOT.parent / "shared"
    if not shared.is_dir():
        pytest.skip(f"needs the shared papers: no folder {shared}")
    theirs = {
        line.strip()
        for folder, ending in (("reference", "md"), ("sources", "txt"), ("opensearch", "*"), (".", "md"))
        for path in (shared / folder).glob(f"*.{ending}")
        if path.is_file()
        for line in path.read_text(encoding="utf-8").splitlines()
        if len(line.strip()) >= 60
    }
    assert len(theirs) > 500
    for path in [*CODE, *PROSE]:
        ours = {line.strip() for line in path.read_text(encoding="utf-8").splitlines()}
        assert ours & theirs == set(), path


def test_the_lock_pins_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pinned = {
        canonicalize_name(name): version
        for name, _, version in (line.partition("==") for line in lines if not line.startswith("#"))
    }
    asked = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    for requirement in map(Requirement, asked):
        if canonicalize_name(requirement.name) != "askance":
            assert requirement.specifier, f"{requirement.name} has no lower bound"
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier
