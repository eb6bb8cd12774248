"""The tables in a terminal of 80 and of 100 columns."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from askance.report.terminal import print_results, tables
from askance.study.results import Results


def printed(results: Results, width: int, *, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, color_system="standard" if colour else None, force_terminal=colour)
    print_results(results, console)
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 100, 120])
def test_nothing_is_wider_than_the_terminal_or_cut_off(drawn: Results, width: int) -> None:
    shown = printed(drawn, width)
    assert max(cell_len(line) for line in shown.splitlines()) <= width
    assert "…" not in shown
    for part in ("9.3 ○", "5.3–15.9", "56.8 ○", "+32.1 ▲", "18.2–46.6", "−2.0 to 27.0", "no room ○", "296", "n = 118"):
        assert part in shown, part


@pytest.mark.parametrize("width", [80, 100])
def test_long_names_of_roles_and_systems_are_folded_not_cut(drawn: Results, width: int) -> None:
    long = "near misses that keep every word but change what is asked for"
    tree = drawn.model_dump(by_alias=True)
    for card in (*tree["domains"][0]["decoys"], *tree["domains"][0]["systems"]):
        card["label"] = long
    shown = printed(Results.model_validate(tree), width)
    assert "…" not in shown
    assert "change what is" in " ".join(shown.split())
    assert max(cell_len(line) for line in shown.splitlines()) <= width


def test_a_table_a_domain_then_preferences_and_sentences(drawn: Results) -> None:
    assert len(tables(drawn)) == 3 + 2
    shown = printed(drawn, 100)
    order = [
        "Trajectories  gold: other object (i)",
        "Word problems  gold:",
        "Who likes what  gold:",
        "Is wording",
        "What was found",
    ]
    assert sorted(order, key=shown.index) == order
    assert 3 <= shown.count("•") <= 6


def test_controls_stand_under_their_system(drawn: Results) -> None:
    lines = [line for line in printed(drawn, 100).splitlines() if line.strip()]
    system = next(at for at, line in enumerate(lines) if line.startswith("MiniLM"))
    assert lines[system + 2].startswith("  + control ")


def test_colour_is_never_alone(drawn: Results) -> None:
    """Without colours the same characters are printed."""
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", printed(drawn, 100, colour=True))
    assert coloured == printed(drawn, 100)
    assert "\x1b[" in printed(drawn, 100, colour=True)


def test_texts_are_neither_markup_nor_commands(drawn: Results) -> None:
    tree = drawn.model_dump(by_alias=True)
    tree["domains"][0]["title"] = "[red]T[/red]\x1b[2J[link=x]"
    tree["domains"][0]["systems"][0]["label"] = "[bold]BM25[/]"
    shown = printed(Results.model_validate(tree), 100)
    assert "[red]T[/red]\ufffd[2J[link=x]" in shown
    assert "[bold]BM25[/]" in shown
    assert "\x1b" not in shown


def test_many_measures_take_several_tables(drawn: Results) -> None:
    tree = drawn.model_dump(by_alias=True)
    domain = tree["domains"][0]
    domain["figures"] += [
        {**figure, "measure": f"Recall@{k}"}
        for figure in domain["figures"]
        if figure["measure"] == "AP"
        for k in range(20, 32)
    ]
    shown = printed(Results.model_validate(tree), 80)
    assert max(cell_len(line) for line in shown.splitlines()) <= 80
    for k in range(20, 32):
        assert f"Recall@{k}" in shown
