"""Studies that go wrong in every way that a study may, and a browser to look at their pages."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from askance.study.results import EstimateIn, Results

Tree = dict[str, Any]
# What a field may hold besides free text: these words are fixed by the schema.
FIXED = {"schema", "verdict", "sign", "reading"}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'>]]></title></svg></style>&lt;{{7*7}}\x00\x1b[31m"
RIGHT_TO_LEFT = "البحث عن الوثيقة الصحيحة ‏שאלה"


def rewritten(value: Any, text: Callable[[str], str], key: str = "") -> Any:
    """The tree of a study with every free text changed, names of things alike everywhere."""
    if isinstance(value, Mapping):
        free = key in ("notes", "left_out", "settings", "embedded", "compared")
        return {(text(k) if free else k): rewritten(v, text, k) for k, v in value.items()}
    if isinstance(value, list):
        return [rewritten(item, text, key) for item in value]
    return text(value) if isinstance(value, str) and key not in FIXED else value


def estimates(value: Any, change: Callable[[Tree], Tree]) -> Any:
    """The tree with every estimate changed."""
    if isinstance(value, dict):
        if "left_out" in value:
            return change(value)
        return {key: estimates(item, change) for key, item in value.items()}
    return [estimates(item, change) for item in value] if isinstance(value, list) else value


def undefined(_: Tree) -> Tree:
    return {
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "method": "undefined: nothing to count",
        "left_out": {"without gold": 3},
    }


def constant(value: float) -> Callable[[Tree], Tree]:
    def change(old: Tree) -> Tree:
        return EstimateIn(value=value, low=value, high=value, n=old["n"], method="drawn").model_dump()

    return change


def one_query(old: Tree) -> Tree:
    value = None if old["value"] is None else float(round(old["value"]))
    return EstimateIn(value=value, low=0.0, high=1.0, n=1, method="drawn").model_dump()


def emptied(tree: Tree, *fields: str) -> Tree:
    domains = [{key: [] if key in fields else item for key, item in domain.items()} for domain in tree["domains"]]
    return {**tree, "domains": domains}


LISTS = (
    *["subsets", "tiers", "roles", "decoys", "systems"],
    *["figures", "curves", "controls", "taxonomies", "preferences", "failures"],
)


def many_systems(tree: Tree, number: int) -> Tree:
    """Every domain with its systems many times over, all under names of their own."""

    def copied(items: Sequence[Tree], field: str) -> list[Tree]:
        return [
            {
                **item,
                field: f"{item[field]}-{copy}",
                **({"label": f"{item['label']} {copy}"} if field == "name" else {}),
            }
            for copy in range(number)
            for item in items
        ]

    domains = []
    for domain in tree["domains"]:
        by_system = ("figures", "curves", "controls", "taxonomies", "failures")
        changed = {field: copied(domain[field], "system") for field in by_system}
        domains.append({**domain, **changed, "systems": copied(domain["systems"], "name")})
    return {**tree, "domains": domains}


@pytest.fixture(scope="session")
def bad_cases(drawn: Results) -> dict[str, Results]:
    """What goes wrong → a study in which it does."""
    tree = json.loads(drawn.dump())
    texts: dict[str, Callable[[str], str]] = {
        "hostile texts": lambda text: text + HOSTILE,
        "names of 200 characters": lambda text: text + "x" * (200 - len(text)),
        "long words and lines": lambda text: f"{text}\n\n{text} " * 40,
        "right to left": lambda text: f"{RIGHT_TO_LEFT} {text}",
        "nothing but spaces": lambda text: " " * len(text),
        "no texts": lambda text: "",
        "wide letters": lambda text: "検索𝕊漢字" + text,
    }
    trees = {name: rewritten(tree, text) for name, text in texts.items()}
    trees |= {
        "all undefined": estimates(tree, undefined),
        "all zero": estimates(tree, constant(0.0)),
        "all one": estimates(tree, constant(1.0)),
        "far beyond": estimates(tree, constant(-34.7)),
        "one query": estimates(tree, one_query),
        "forty systems": many_systems(tree, 20),
        "no domains": {**tree, "domains": [], "models": []},
        "nothing measured": emptied(tree, *LISTS),
        "no controls": emptied(tree, "controls"),
        "no preferences": emptied(tree, "preferences"),
        "no cards": emptied(tree, "subsets", "tiers", "roles", "decoys", "systems"),
        "only figures": emptied(tree, *(field for field in LISTS if field != "figures")),
        "twelve domains": {
            **tree,
            "domains": [{**domain, "name": f"{domain['name']}-{n}"} for n in range(4) for domain in tree["domains"]],
        },
    }
    return {name: Results.model_validate(changed) for name, changed in trees.items()}


Measured = list[dict[str, Any]]


def _browser() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        found = shutil.which(name)
        if found:
            return found
    pytest.skip("needs a browser: no chromium on the path")


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Measured]:
    """Lays pages out in a real browser at several widths and measures what is seen."""
    script = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")

    def measure(pages: Sequence[str], widths: Sequence[int], *, dark: bool = False) -> Measured:
        browser = _browser()
        folder = tmp_path_factory.mktemp("browser")
        style = "border:0;height:900px"
        frames = "".join(
            f'<iframe data-page="{at}" style="{style};width:{width}px" srcdoc="{html.escape(page)}"></iframe>'
            for at, page in enumerate(pages)
            for width in widths
        )
        place = folder / "page.html"
        place.write_text(f"<!doctype html><meta charset=utf-8>{frames}<script>{script}</script>", encoding="utf-8")
        options = [
            "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking",
            "--disable-component-update --disable-sync --hide-scrollbars --window-size=1600,1000",
            f"--blink-settings=preferredColorScheme={0 if dark else 1} --virtual-time-budget=20000 --dump-dom",
        ]
        command = [browser, *" ".join(options).split(), f"--user-data-dir={folder / 'user'}", place.as_uri()]
        done = subprocess.run(command, capture_output=True, timeout=120, check=True)
        told = re.search(r'<pre id="measured">(.*?)</pre>', done.stdout.decode("utf-8", "replace"), re.DOTALL)
        assert told, done.stderr.decode("utf-8", "replace")[-2000:]
        found: Measured = json.loads(html.unescape(told.group(1)))
        return found

    return measure
