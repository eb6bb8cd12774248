"""The expressions of the page on OpenSearch, compiled as the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from askance.engines.opensearch.compiling import Compiler
from askance.engines.opensearch.running import Hits, Running, Wanted, run
from askance.irl.normal import normal_form
from askance.irl.parser import parse
from askance.text.analyzer import Analyzer

PAGE = Path(__file__).resolve().parents[3] / "docs" / "opensearch.md"
METADATA = {"year": {"number": 3}, "lang": {"text": 3}}

_PAIR = re.compile(r"```lisp\n(?P<query>.*?)\n```\n\n```json\n(?P<body>.*?)\n```", re.DOTALL)
_VECTOR = np.array([0.6, 0.8], dtype=np.float32)


def pairs() -> list[tuple[str, Any]]:
    """Each expression with the JSON below it."""
    text = PAGE.read_text(encoding="utf-8")
    return [(found["query"], json.loads(found["body"])) for found in _PAIR.finditer(text)]


def body_of(query: str) -> Any:
    """The query that is sent last: the whole expression's, over what earlier ones found (documents 3 and 7)."""
    sent: list[Any] = []

    def ask(wanted: list[Wanted]) -> list[Hits]:
        sent.extend(one.query for one in wanted)
        found = Hits(("c", "g"), np.array([3, 7]), np.array([0.95, 0.9]), 2)
        return [found] * len(wanted)

    compiler = Compiler(Analyzer(), by_client=False, lexical=1.0, metadata=METADATA)
    running = Running(compiler, vector=lambda text: _VECTOR)
    run(running.top(normal_form(parse(query)), 10), ask)  # type: ignore[arg-type]
    return json.loads(json.dumps(_rounded(sent[-1])))


def _rounded(body: Any) -> Any:
    """Numbers as one writes them on a page: 32-bit ones have more digits than they mean."""
    if isinstance(body, float):
        return round(body, 6)
    if isinstance(body, dict):
        return {key: _rounded(value) for key, value in body.items()}
    return [_rounded(one) for one in body] if isinstance(body, list | tuple) else body
