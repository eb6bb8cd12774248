"""docs/views.md shows systems that a study file can have."""

from __future__ import annotations

import re
from pathlib import Path

from askance.study.file import parse_study

ROOT = Path(__file__).resolve().parents[2]


def test_the_systems_of_the_page_are_read_by_a_study() -> None:
    page = (ROOT / "docs" / "views.md").read_text(encoding="utf-8")
    shown = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    example = (ROOT / "examples" / "two_domains.toml").read_text(encoding="utf-8")
    study = parse_study(example.split("[domains.gsm-plus]")[0] + shown.group(1), "views.toml")
    retrievers = {system.name: system.retriever for system in study.domains["trajectories"].systems}
    assert retrievers["minilm-view"] == "view"
    assert retrievers["both"] == "fused"
