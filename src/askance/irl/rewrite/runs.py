"""Where the keywords of a question stand in it."""

from __future__ import annotations

from collections.abc import Sequence

from askance.text.analyzer import Analyzer, Token


def keyword_runs(tokens: Sequence[Token], keywords: Sequence[str], analyzer: Analyzer) -> list[tuple[int, int]] | None:
    """[first, last) of each keyword in the question's tokens, one after another; None where one is not there."""
    terms = [token.term for token in tokens]
    runs: list[tuple[int, int]] = []
    start = 0
    for keyword in keywords:
        wanted = analyzer.terms(keyword)
        last = len(terms) - len(wanted)
        at = next((at for at in range(start, last + 1) if terms[at : at + len(wanted)] == wanted), None)
        if at is None or not wanted:
            return None
        start = at + len(wanted)
        runs.append((at, start))
    return runs
