"""Lists in words: literal cases, and items → text → the same items."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput
from askance.data.fields.list_text import ListText, NotAList, render_list, split_list


@pytest.mark.parametrize(
    ("text", "separator", "conjunction", "items"),
    [
        ("Tea", ",", None, ["Tea"]),
        ("", ",", None, []),
        ("Tea, Salt and Pepper", ",", None, ["Tea", "Salt and Pepper"]),
        ("Tea, Salt and Pepper", ",", "and", ["Tea", "Salt", "Pepper"]),
        ("Salt and Pepper, Tea and Milk", ",", "and", ["Salt and Pepper", "Tea", "Milk"]),
        ("Tea, Milk, and Sand", ",", "and", ["Tea", "Milk", "Sand"]),
        ("Tea, Sand", ",", "and", ["Tea", "Sand"]),
        ('"Peter, Paul and Mary", Tea and "a and b"', ",", "and", ["Peter, Paul and Mary", "Tea", "a and b"]),
        ('Tea and "a and b"', ",", "and", ["Tea", "a and b"]),
        ('"she said ""no"", twice", Tea', ",", None, ['she said "no", twice', "Tea"]),
        ('12" nails, 7" nails', ",", None, ['12" nails', '7" nails']),
        ("Warhammer 40,000, Go", ", ", None, ["Warhammer 40,000", "Go"]),
        ("茶、塩と胡椒", "、", "と", ["茶", "塩", "胡椒"]),
        ("A; B, C; D", ";", None, ["A", "B, C", "D"]),
        ("A\nB\nC and D", "\n", None, ["A", "B", "C and D"]),
        ("Queso, Pan y Miel", ",", "y", ["Queso", "Pan", "Miel"]),
        ("A | B (x, y) | [C]", "|", None, ["A", "B (x, y)", "[C]"]),
    ],
)  # fmt: skip
def test_cases(text: str, separator: str, conjunction: str | None, items: list[str]) -> None:
    assert split_list(text, separator, conjunction) == tuple(items)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Tea,, Milk", "item 2 is empty"),
        ("Tea, ", "item 2 is empty"),
        ('Tea, "Milk', "never closed: '\"Milk'"),
        ('"Tea" Milk, Salt', "after the quoted item 1 comes ' Milk'"),
    ],
)
def test_what_is_no_list_is_told(text: str, words: str) -> None:
    with pytest.raises(NotAList, match=words) as caught:
        split_list(text)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("separators", "conjunction"), [((), None), (("",), None), (('"',), None), ((",",), " "), ((",",), '"')]
)
def test_marks_that_cannot_be(separators: tuple[str, ...], conjunction: str | None) -> None:
    with pytest.raises(BadInput):
        ListText(separators, conjunction)


def test_several_separators() -> None:
    assert ListText((",", ";")).split("a; b, c") == ("a", "b", "c")


@pytest.mark.parametrize(
    ("items", "text"),
    [
        (["Tea"], "Tea"),
        (["Tea", "Milk", "Rye"], "Tea, Milk and Rye"),
        (["Peter, Paul and Mary", "Tea"], '"Peter, Paul and Mary" and Tea'),
        (['a "b"', "Sand"], '"a ""b""" and Sand'),
        ([" x", "and"], '" x" and "and"'),
    ],
)
def test_rendered(items: list[str], text: str) -> None:
    assert render_list(items, ",", "and") == text


ITEMS = st.lists(
    st.one_of(
        st.sampled_from(
            ["and", "Salt and Pepper", "and x", "x and", "a, b", '"', '""', 'say "no"', "(x)", "[a|b]",
             "茶と塩", "塩、茶", "שלום", "e\u0301", "a\nb", " x ", "40,000", "-", "y", "- a",
             "a-", "x;", ";x", "と", " ", "Band", "a andy"]
        ),
        st.text(max_size=8),
        st.text(alphabet='ab, and"|;\n-、と', max_size=8),
    ),
    max_size=5,
)  # fmt: skip


@given(
    items=ITEMS,
    separator=st.sampled_from([",", ", ", ";", " | ", "\n", "\n- ", "、", "/", "||"]),
    conjunction=st.sampled_from([None, "and", "y", "と", "&", "or else"]),
)
def test_rendered_items_are_read_back(items: list[str], separator: str, conjunction: str | None) -> None:
    assert split_list(render_list(items, separator, conjunction), separator, conjunction) == tuple(items)
