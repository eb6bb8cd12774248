from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.irl.rewrite.sanitise import sanitise


@pytest.mark.parametrize(
    ("keyword", "output"),
    [
        ("hot-chocolate", "hot-chocolate"),
        ("Hot Chocolate", "hot-chocolate"),
        ("Hot-Chocolate.", "hot-chocolate"),
        ('"hot-chocolate"', "hot-chocolate"),
        ("'hot-chocolate'", "hot-chocolate"),
        ("“hot chocolate”", "hot-chocolate"),
        ("«hot — chocolate»!", "hot-chocolate"),
        ("`hot-chocolate`", "hot-chocolate"),
        ("hot_chocolate", "hot-chocolate"),
        ("hot   chocolate\n", "hot-chocolate"),
        ("Levi's Jeans", "levi's-jeans"),
        ("Levi’s jeans", "levi’s-jeans"),
        ("rock'n'roll", "rock'n'roll"),
        ("dogs'", "dogs"),
        ("AT&T", "at-t"),
        ("U.S.A.", "u.s.a"),
        ("3.14", "3.14"),
        ("東京", "東-京"),
        ("İstanbul", "istanbul"),
        ("ΟΔΟΣ", "οδοσ"),
        ("❤️", "❤️"),
        ("C++", "c"),
        ("(a) [b] {c}", "a-b-c"),
        ('x") (knn "y', "x-knn-y"),
    ],
)
def test_words_joined_by_hyphens(keyword: str, output: str) -> None:
    stage = sanitise(keyword)
    assert (stage.stage, stage.input, stage.output, stage.flagged) == ("sanitise", keyword, output, False)


@pytest.mark.parametrize("keyword", ["", " ", "...", "++", "___", "''"])
def test_nothing_is_said(keyword: str) -> None:
    stage = sanitise(keyword)
    assert (stage.output, stage.rule, stage.flagged) == ("", "no word in it", True)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_once_is_enough(text: str) -> None:
    once = sanitise(text).output
    assert sanitise(once).output == once
    assert not set(once) & set('"()[]{}“”« _\t\n')
