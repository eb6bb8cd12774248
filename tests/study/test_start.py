"""askance study init: the file it writes runs as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.app.study import init, run
from askance.core.errors import BadInput
from askance.study.file import parse_study


def test_the_file_for_ones_own_collection_runs_and_gets_ladder_and_taxonomy(chores: Path, tmp_path: Path) -> None:
    into = tmp_path / "mine.toml"
    text = init([str(chores)], into)
    assert into.read_text(encoding="utf-8") == text
    file = parse_study(text.replace('embedder = "minilm"', 'embedder = "fake"'), "mine.toml")
    assert list(file.domains) == ["chores"]
    into.write_text(text.replace('embedder = "minilm"', 'embedder = "fake"'), encoding="utf-8")
    found = run(into, tmp_path / "out")
    domain = found.results.domains[0]
    assert [tier.name for tier in domain.tiers] == ["any", "other-thing"]
    assert {role.name for role in domain.roles} >= {"twin", "lookalike", "stranger"}
    assert found.report.read_text(encoding="utf-8").count("another chore, same thing") > 0


def test_it_never_overwrites(chores: Path, tmp_path: Path) -> None:
    into = tmp_path / "mine.toml"
    into.write_text("keep me", encoding="utf-8")
    with pytest.raises(BadInput, match="exists already"):
        init([str(chores)], into)
    assert into.read_text(encoding="utf-8") == "keep me"


def test_names_that_steer_a_terminal_are_escaped(chores: Path, tmp_path: Path) -> None:
    odd = tmp_path / "a\x1b[31m\x9b\u202e\x7f<b>"
    chores.rename(odd)
    (odd / "roles.json").write_text('{"twin": "the \\u001b[31m\\u0007\\ud83d same\\n[study]"}', encoding="utf-8")
    text = init([str(odd)])
    assert not set(text) & set("\x1b\x9b\u202e\x7f\x07")
    file = parse_study(text, "odd.toml")
    assert [domain.collection for domain in file.domains.values()] == [str(odd)]


def test_awkward_names_are_quoted(chores: Path, tmp_path: Path) -> None:
    odd = tmp_path / 'a "quoted" näme'
    chores.rename(odd)
    text = init([str(odd), str(odd)])
    file = parse_study(text, "odd.toml")
    assert len(file.domains) == 2
    assert all(domain.collection == str(odd) for domain in file.domains.values())
