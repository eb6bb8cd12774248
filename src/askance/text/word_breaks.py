"""Where words begin and end: the rules of Lucene's StandardTokenizer.

They are the word-break rules of Unicode (UAX #29) with four exceptions: runs of South-East-Asian letters stay whole,
Han and Hiragana stand one by one, emoji sequences are words, and everything else between words is dropped. The longest
word wins at each place. ASCII text takes a pattern of the standard library; other text takes the whole grammar, whose
character classes come from the Unicode tables of the `regex` package: where they are newer than Lucene's (Unicode 9,
emoji 11), single symbols may differ.

No pattern goes over the same characters more than a constant number of times: a run of underscores or joiners that
begins no word is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

# Letters and digits, joined by underscores anywhere, by . ' : between letters and by . ' , ; between digits.
ASCII_WORD = re.compile(
    r"""( _* [A-Za-z0-9]+
          (?: (?: _+ | (?<=[A-Za-z])[.':](?=[A-Za-z]) | (?<=[0-9])[.',;](?=[0-9]) ) [A-Za-z0-9]+ )*
          _* )
      | _+""",
    re.VERBOSE,
)


def spans(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Begin and end of each word, in code points. Words of more than `longest` UTF-16 units are cut."""
    ascii_only = text.isascii()
    for start, end in _ascii_spans(text) if ascii_only else _any_spans(text):
        if end - start > longest or (2 * (end - start) > longest and _units(text[start:end]) > longest):
            yield from _cut(ASCII_WORD if ascii_only else _patterns()[0], text, start, end, longest)
        else:
            yield start, end


def _ascii_spans(text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in ASCII_WORD.finditer(text) if found.lastindex)


def _any_spans(text: str) -> Iterator[tuple[int, int]]:
    word, pictured = _patterns()
    at = 0
    while found := word.search(text, at):
        start, at = found.span()
        if found.lastgroup == "either" and (longer := pictured.match(text, start)):
            at = max(at, longer.end())
        if found.lastgroup:
            yield start, at


def _units(text: str) -> int:
    """Length in UTF-16 units, which is what Lucene counts."""
    return len(text) + sum(letter > "\uffff" for letter in text)


def _fitting(text: str, longest: int) -> str:
    """As much of the beginning as `longest` UTF-16 units hold."""
    units = 0
    for at, letter in enumerate(text):
        units += 1 + (letter > "\uffff")
        if units > longest:
            return text[:at]
    return text


def _cut(pattern: Any, text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Lucene's scanner sees `longest` units at a time: it takes what is a word in there, or steps one on."""
    while start < end:
        found = pattern.match(_fitting(text[start : min(end, start + longest)], longest))
        if found is not None and found.lastindex is not None:
            yield start, start + found.end()
            start += found.end()
        else:
            start += 1


@cache
def _patterns() -> tuple[Any, Any]:
    """The whole grammar, and the emoji part of it, compiled on first use.

    A match of the first is a word where its group `word` or `either` is set, else a gap; where it is `either`, a
    longer emoji sequence may begin at the same place.
    """
    import regex  # type: ignore[import-untyped]

    joiner = r"\u200D"
    # What clings to the character before it (UAX #29, WB4). Skin tones are no part of it: Unicode 9 had them apart.
    mark = r"[[\p{WB=Format}\p{WB=Extend}\p{WB=ZWJ}]--\p{Emoji_Modifier}]"
    marks = f"{mark}*+"
    plain_marks = rf"[{mark}--[\uFE0E\uFE0F]]*+"
    letter = r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]"
    digit = r"[\p{WB=Numeric}\uFF10-\uFF19]"
    katakana = r"\p{WB=Katakana}"
    hebrew = r"\p{WB=Hebrew_Letter}"
    mid_letter = r"[\p{WB=MidLetter}\p{WB=MidNumLet}\p{WB=Single_Quote}]"
    mid_digit = r"[\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}]"
    underscore = rf"(?:\p{{WB=ExtendNumLet}}{marks})"

    part = f"""(?: {hebrew}{marks} (?: \\p{{WB=Double_Quote}}{marks} {hebrew}{marks} | \\p{{WB=Single_Quote}}{marks} )
                 | {letter}{marks} (?: {mid_letter}{marks} {letter}{marks} )*+
                 | {digit}{marks} (?: {mid_digit}{marks} {digit}{marks} )*+ )"""
    block = f"(?: (?:{katakana}{marks})++ | {part}++ )"
    # An underscore right after another begins no word: the first one has looked for it already, in vain.
    first = rf"(?: (?<!\p{{WB=ExtendNumLet}}{mark}*) {underscore}++ )?+"
    word = f"(?: {first} {block} (?: {underscore}++ {block} )*+ {underscore}*+ )"

    emoji = r"[\p{Extended_Pictographic}[\p{Emoji}--[\p{Emoji_Modifier}\p{WB=Regional_Indicator}0-9\#*]]]"
    tone = rf"\p{{Emoji_Modifier}}{plain_marks}"
    toned = rf"\p{{Emoji_Modifier_Base}}{plain_marks} {tone}"
    one = rf"(?: {joiner}*+ (?: {toned} | {emoji}{plain_marks} \uFE0F?+ ) | {tone} )"
    # The marks of an emoji have taken the joiners behind it, unless a presentation selector stands between.
    joined = f"(?: (?<={joiner}) {one} | {joiner} {one} )*+"
    tagged = rf"{emoji}{plain_marks} \uFE0F [\U000E0020-\U000E007E]++ \U000E007F"
    keycap = rf"[0-9\#*][{mark}--[\uFE0E\uFE0F]]* \uFE0F? \u20E3 {plain_marks}"
    flag = rf"(?:\p{{WB=Regional_Indicator}}{marks}){{2}}"
    pictured = f"(?: {tagged} | {one} {joined} | {keycap} | {flag} )"

    south_east_asian = rf"(?:\p{{LB=SA}}{marks})++"
    alone = rf"[\p{{Script=Han}}\p{{Script=Hiragana}}]{marks}"
    whole = f"""(?P<either> (?=[{letter}{katakana}{digit}&&{emoji}]) {word} )
              | (?P<word> {word} | {pictured} | {south_east_asian} | {alone} )
              | {joiner}++"""
    flags = regex.VERBOSE | regex.VERSION1
    return regex.compile(whole, flags), regex.compile(pictured, flags)
