"""The standard analyzer against real Lucene 9.5.0, and its laws."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import UnknownName
from askance.text import word_breaks
from askance.text.analyzer import Analyzer, lower

PLAIN = Analyzer()


def in_utf16(text: str, at: int) -> int:
    return len(text[:at].encode("utf-16-le", "surrogatepass")) // 2


def test_streams_of_lucene(shared_data: Path) -> None:
    lines = (shared_data / "lucene" / "standard_analyzer_lucene_9_5_0.jsonl").read_text("utf-8").split("\n")
    streams = [json.loads(line) for line in lines if line]
    assert len(streams) == 128
    differing = []
    for stream in streams:
        text = stream["text"]
        ours = [(t.term, in_utf16(text, t.start), in_utf16(text, t.end), t.position) for t in PLAIN.tokens(text)]
        theirs = [(t["token"], t["start_utf16"], t["end_utf16"], t["position"]) for t in stream["tokens"]]
        if ours != theirs:
            differing.append((text, ours, theirs))
    assert differing == []


# The grammar word for word, with plain backtracking: the longest accepted piece at each place is the word.
def literal_grammar() -> list[str]:
    mark = r"(?:[[\p{WB=Format}\p{WB=Extend}\p{WB=ZWJ}]--\p{Emoji_Modifier}]*)"
    bare = r"(?:[[\p{WB=Format}\p{WB=Extend}\p{WB=ZWJ}]--[\p{Emoji_Modifier}\uFE0E\uFE0F]]*)"
    number = rf"(?:[\p{{WB=Numeric}}\uFF10-\uFF19]{mark})"
    letter = rf"(?:[\p{{WB=ALetter}}\p{{WB=Hebrew_Letter}}]{mark})"
    hebrew = rf"(?:\p{{WB=Hebrew_Letter}}{mark})"
    katakana = rf"(?:\p{{WB=Katakana}}{mark})"
    mid_letter = rf"(?:[\p{{WB=MidLetter}}\p{{WB=MidNumLet}}']{mark})"
    mid_number = rf"(?:[\p{{WB=MidNum}}\p{{WB=MidNumLet}}']{mark})"
    under = rf"(?:\p{{WB=ExtendNumLet}}{mark})"
    group = rf"""(?: {katakana} (?: {under}* {katakana} )*
      | (?: {hebrew} (?: '{mark} | "{mark} {hebrew} ) | {number} (?: (?: {under}* | {mid_number} ) {number} )*
          | {letter} (?: (?: {under}* | {mid_letter} ) {letter} )* )+ )"""
    emoji = r"[\p{Extended_Pictographic}[\p{Emoji}--[\p{Emoji_Modifier}\p{WB=Regional_Indicator}0-9\#*]]]"
    one = rf"""(?: \u200D* {emoji}{bare} \uFE0F?
      | (?: \u200D* \p{{Emoji_Modifier_Base}}{bare} )? \p{{Emoji_Modifier}}{bare} )"""
    return [
        rf"{one} (?: (?: \u200D {one} )* | [\U000E0020-\U000E007E]+ \U000E007F )",
        rf"[0-9\#*]{bare} \uFE0F? \u20E3{bare}",
        rf"(?:\p{{WB=Regional_Indicator}}{mark}){{2}}",
        rf"{under}* {group} (?: {under}+ {group} )* {under}*",
        rf"(?:\p{{LB=SA}}{mark})+",
        rf"[\p{{Script=Han}}\p{{Script=Hiragana}}]{mark}",
    ]


def by_the_letter(text: str) -> list[tuple[int, int]]:
    import regex  # type: ignore[import-untyped]

    rules = [regex.compile(rule, regex.VERBOSE | regex.VERSION1) for rule in literal_grammar()]
    at, out = 0, []
    while at < len(text):
        ends = (end for end in range(len(text), at, -1) if any(rule.fullmatch(text[at:end]) for rule in rules))
        end = next(ends, None)
        if end is not None:
            out.append((at, end))
        at = end or at + 1
    return out


HARD = (
    "aZ1_.,:;'\" -#*\u05d0\u05d1\u0301\u200d\ufe0f\u20e3\u30a2\u3042\u4e2d\u0e01\u0e31"
    "\U0001f1fa\u2764\U0001f600\U0001f469\U0001f3fb\u24c2\u00ad\ud55c\uff11\u202f"
)


@given(st.text(alphabet=HARD, max_size=9))
def test_longest_word_wins(text: str) -> None:
    assert [(token.start, token.end) for token in PLAIN.tokens(text)] == by_the_letter(text)


@given(st.text(alphabet="aZ09_.,:;'\"-/@ \n", max_size=40))
def test_ascii_path_equals_the_whole_grammar(text: str) -> None:
    whole = list(word_breaks._any_spans(text))
    assert [(token.start, token.end) for token in PLAIN.tokens(text)] == whole


@given(st.text(max_size=60), st.sampled_from([None, "porter"]), st.sampled_from([3, 255]))
def test_terms_are_the_terms_of_tokens(text: str, stemmer: str | None, longest: int) -> None:
    analyzer = Analyzer(stemmer, frozenset({"a", "the"}), longest)
    tokens = analyzer.tokens(text)
    assert analyzer.terms(text) == [token.term for token in tokens]
    for token in tokens:
        piece = text[token.start : token.end]
        assert token.term in (lower(piece), Analyzer("porter").terms(piece)[0] if stemmer else None)
        assert len(piece.encode("utf-16-le", "surrogatepass")) // 2 <= longest


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("x" * 300, [255, 45]),  # as Lucene 9.5.0 splits it
        ("x" * 254 + "'" + "y" * 10, [254, 10]),  # a joiner at the edge of the window joins nothing
        ("a" + "_" * 300 + "b", [255, 47]),
        ("_" * 300 + "b", [255]),  # 46 underscores are stepped over before a word fits the window
        ("\U00020000" * 3, [1, 1, 1]),
        ("\U00010400" * 200, [127, 73]),  # letters of two UTF-16 units
    ],
)
def test_long_words_are_cut(text: str, lengths: list[int]) -> None:
    assert [token.end - token.start for token in PLAIN.tokens(text)] == lengths
    assert [len(term) for term in PLAIN.terms(text)] == lengths


@pytest.mark.parametrize(
    "piece",
    [
        "_",
        "_\u0301",
        "\u200d",
        "\u0301",
        "a'",
        "a.1,",
        "\u05d0\"\u05d0'",
        "1\ufe0f",
        "\U0001f600\u200d",
        "#\u0301",
        "\u30a2_",
        "_\u0e31",
        "\u24c2\u200d",
        "x",
    ],
)
def test_time_is_linear(piece: str) -> None:
    def seconds(times: int) -> float:
        text, begun = piece * times, time.perf_counter()
        PLAIN.tokens(text)
        return time.perf_counter() - begun

    PLAIN.tokens("é")
    short, long = min(seconds(2_000) for _ in range(3)), min(seconds(32_000) for _ in range(2))
    assert long < 16 * short * 6 + 0.05  # quadratic time would be 256 times as long


def test_stop_words_leave_gaps() -> None:
    tokens = Analyzer(stop_words=frozenset({"the"})).tokens("The house of the rising sun")
    assert [(token.term, token.position) for token in tokens] == [("house", 1), ("of", 2), ("rising", 4), ("sun", 5)]


def test_stemmers() -> None:
    assert Analyzer("porter").terms("Snow Leopards likes Jellies") == ["snow", "leopard", "like", "jelli"]
    assert Analyzer("german").terms("Häuser") == ["haus"]
    with pytest.raises(UnknownName, match="portr.*\n.*Did you mean 'porter'"):
        Analyzer("portr")
