"""The second stage: a keyword as words joined by hyphens."""

from __future__ import annotations

from askance.irl.rewrite.stage import Stage
from askance.text.analyzer import Analyzer

_STANDARD = Analyzer()


def sanitise(keyword: str) -> Stage:
    """Lower case, without quotes and punctuation, words joined by hyphens; apostrophes inside a word are kept.

    Words are those of the standard analyzer, so that symbols which are words of an index stay. An underscore is a
    blank. The output is empty where there is no word.
    """
    words = _STANDARD.terms(keyword.replace("_", " "))
    output = "-".join(words)
    if not words:
        return Stage("sanitise", keyword, "", "no word in it", flagged=True)
    return Stage("sanitise", keyword, output, "as it was" if output == keyword else "words joined by hyphens")
