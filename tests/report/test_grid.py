"""Plain tables: no cell can steer a terminal or become markup."""

from __future__ import annotations

import csv
import io

import pytest
from rich.console import Console

from askance.report.grid import Column, Format, Grid, as_table, as_text

EVIL = "\x1b[31m\x9b31m\x07 \u202e<script>|&\\input{x}$ [red]"
GRID = Grid(f"caption {EVIL}", [Column("name"), Column("value", figures=True)], [[EVIL, "1"]])


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex"])
def test_what_a_terminal_would_obey_is_replaced(form: Format) -> None:
    if form == "table":
        console = Console(file=io.StringIO(), width=200, force_terminal=False)
        console.print(as_table(GRID))
        text = console.file.getvalue()  # type: ignore[attr-defined]
        assert "[red]" in text
    else:
        text = as_text(GRID, form)
    assert not set(text) & set("\x1b\x9b\x07\u202e")
    assert "\ufffd[31m" in text


def test_markdown_has_no_tags_and_as_many_columns_as_before() -> None:
    row = as_text(GRID, "markdown").splitlines()[2]
    assert "<" not in row
    assert "&lt;script>\\|&amp;" in row
    assert row.replace("\\|", "").count("|") == 3


def test_latex_commands_are_text() -> None:
    row = as_text(GRID, "latex")
    assert "\\input" not in row
    assert r"\&\textbackslash{}input\{x\}\$" in row


def test_csv_reads_back() -> None:
    rows = list(csv.reader(io.StringIO(as_text(Grid("", [Column("a")], [['1 "2"\n,3']]), "csv"))))
    assert rows == [["a"], ['1 "2"\n,3']]
