"""The first stage: the keyword in what a model answered. Its answer is text, and nothing in it is obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from askance.irl.rewrite.spelling import bare
from askance.irl.rewrite.stage import Stage
from askance.models.chat import without_thoughts
from askance.text.analyzer import Analyzer, lower

LONGEST_ANSWER = 100_000
"""Characters of an answer that are looked at."""

FIXED = "the fixed form"
GROUP = "a parenthesised group"
LINE = "the first line"
NOTHING = "no keyword in the answer"

_GROUP = re.compile(r"\(([^()\n]{1,1000})\)")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$|```", re.MULTILINE)
_LABEL = re.compile(r"[*_#> \t]*[^\W\d_][\w ]{0,30}[*_]*[:：][*_]*\s*(?=\S)")
_STANDARD = Analyzer()


def extract(answer: str, question: str) -> Stage:
    """The first text that can be a keyword: the fixed form `(lower-case-hyphenated)`, any group in parentheses, the
    first line.

    What the model thought aloud, code fences and a label before the keyword ("Keyword:") are no part of it. A keyword
    comes from the question: one with more letters than it, or that is the whole question again, is none. Of several
    groups of one kind the first that stands in the question goes first. The output is empty where there is none.
    """
    shown = _FENCE.sub("", without_thoughts(answer[:LONGEST_ANSWER])).strip()
    notes = _notes(answer, shown)
    limits = _Limits(question)
    for rule, candidates in (
        (FIXED, [group for group in _groups(shown) if _is_fixed(group)]),
        (GROUP, list(_groups(shown))),
        (LINE, list(_first_line(shown, limits))),
    ):
        usable = [text for text in candidates if limits.allow(text)]
        if usable:
            chosen = next((text for text in usable if limits.holds(text)), usable[0])
            return Stage("extract", answer, chosen, rule, notes)
    return Stage("extract", answer, "", NOTHING, (*notes, _why_not(shown, limits)), flagged=True)


class _Limits:
    """What a keyword of this question can be."""

    def __init__(self, question: str) -> None:
        self._terms = _STANDARD.terms(question)
        self._letters = bare(lower(question))

    def allow(self, text: str) -> bool:
        if len(text) > 2 * len(self._letters) + 100:
            return False
        terms = _STANDARD.terms(text)
        letters = bare("".join(terms))
        echo = letters == self._letters and len(self._terms) > 1
        return bool(letters) and len(letters) <= len(self._letters) + 3 and not echo

    def holds(self, text: str) -> bool:
        """Whether the question has these letters in a row."""
        return bare(lower(text)) in self._letters


def _groups(text: str) -> Iterator[str]:
    return (found.group(1).strip() for found in _GROUP.finditer(text))


def _is_fixed(group: str) -> bool:
    return group == lower(group) and not any(letter.isspace() for letter in group)


def _first_line(text: str, limits: _Limits) -> Iterator[str]:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(line) > 10_000:
        return
    if not limits.holds(line) and (label := _LABEL.match(line)):
        yield line[label.end() :]
    yield line


def _notes(answer: str, shown: str) -> tuple[str, ...]:
    notes = []
    if len(answer) > LONGEST_ANSWER:
        notes.append(f"only the first {LONGEST_ANSWER:,} of {len(answer):,} characters were looked at")
    if "<think" in answer.lower() and not shown:
        notes.append("the answer is a thought without an end")
    return tuple(notes)


def _why_not(shown: str, limits: _Limits) -> str:
    if not shown:
        return "there is nothing in it"
    return f"it reads {shown[:80]!r}"
