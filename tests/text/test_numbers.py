"""The numbers of a text, by value."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.text.numbers import WORDS, is_number, numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Three boys have 3 apples, or 3.0", ["3", "3", "3"]),
        ("one two three", ["1", "2", "3"]),
        ("twenty-one, twenty one", ["21", "21"]),
        ("three hundred and five; 3 hundred", ["305", "300"]),
        ("between one hundred and two hundred dollars", ["100", "200"]),
        ("one million two hundred thousand and five", ["1200005"]),
        ("2 million; two thousand three hundred; 2 million, three thousand", ["2000000", "2300", "2003000"]),
        ("two thousand, three thousand and four hundred thousand", ["2000", "3000", "400000"]),
        ("thousands of them, a hundred", ["1000", "100"]),
        ("$1,234.56 and 1,000,000", ["30864/25", "1000000"]),
        ("1,2345 1,2,3", ["1", "2345", "1", "2", "3"]),
        (".5 0.50 1/2 ½ half 50% 50 % 50 percent fifty percent", ["1/2"] * 9),
        ("1½ 1 1/2 3/2 one and a half 1.5", ["3/2"] * 5),
        ("two thirds, two-thirds, 2/3", ["2/3"] * 3),
        ("a third, one third, 1 third", ["1/3"] * 3),
        ("three quarters; 3 half-price tickets", ["3/4", "3", "1/2"]),
        ("two dozen eggs, a dozen", ["24", "12"]),
        ("twice, double, thrice, triple", ["2", "2", "3", "3"]),
        ("the 3rd of 5kg", ["3", "5"]),
        ("x86 4x4 23c08e", ["x86", "4x4", "23c08e"]),
        ("10-20, -5", ["10", "20", "5"]),
        ("1/0", ["1/0"]),
        ("9" * 61, ["9" * 61]),
        ("٣ and ２", ["3", "2"]),
        ("once, a second, a pair, someone, often, stone, tone", []),
        ("", []),
    ],
)
def test_values(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


@given(st.integers(0, 10**12))
def test_thousands_commas_change_nothing(value: int) -> None:
    assert numbers(f"it is {value:,} now") == numbers(f"it is {value} now") == [str(value)]


@given(st.fractions(0, 1000, max_denominator=999))
def test_fractions(value: Fraction) -> None:
    assert numbers(f"{value.numerator}/{value.denominator}") == [str(value)]


SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen"""
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"


def spelled(value: int) -> str:
    """English cardinals, written down independently of the reader."""
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = f" and {spelled(value % size)}" if value % size and size == 100 else ""
            rest = rest or (f" {spelled(value % size)}" if value % size else "")
            return f"{spelled(value // size)} {name}{rest}"
    if value < 20:
        return SMALL.split()[value]
    return TENS.split()[value // 10] + (f"-{SMALL.split()[value % 10]}" if value % 10 else "")


@given(st.integers(0, 999_999_999))
def test_cardinals_in_words(value: int) -> None:
    assert numbers(f"they had {spelled(value)} sheep") == [str(value)]
    assert all(is_number(word) for word in spelled(value).replace("-", " ").split() if word != "and")


@given(st.text(alphabet="0123456789,./% -one two hundred half½x", max_size=60))
def test_any_text_is_read(text: str) -> None:
    assert all(numbers(text))


def test_words_are_words() -> None:
    assert all(word.isalpha() and word.islower() for word in WORDS)
    assert not is_number("三")  # a letter to Unicode
    assert is_number("½")
    assert is_number("b2b")
