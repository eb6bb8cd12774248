"""From what a rewriting found in a question to the items that are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from askance.irl.lint.findings import Asked
from askance.irl.lint.holdings import Holdings
from askance.irl.lint.spelling import folded
from askance.irl.lint.words import Words


def asked_by(
    query: str, question: str, keywords: Sequence[str], relation: str | None, words: Words, holdings: Holdings
) -> list[Asked]:
    """One for each keyword; one without text where there is none.

    A keyword has lost the marks at its edges ("C" of C++): where the question holds an item of the same words with
    its marks, that item is meant.
    """
    if not keywords:
        return [Asked(query, "")]
    whole = folded(question)
    return [Asked(query, _with_marks(keyword, whole, words, holdings), relation) for keyword in keywords]


def _with_marks(keyword: str, question: str, words: Words, holdings: Holdings) -> str:
    key = holdings.keys.get(tuple(words.numbers(keyword)))
    if key is None:
        return keyword
    standing = [form for form in holdings.written(key) if folded(form) in question]
    return max(standing, key=lambda form: len(folded(form)), default=keyword)
