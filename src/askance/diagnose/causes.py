"""The causes for which a query is lost, in the order in which they are looked for: a query has the first that holds.

The order is that of the way from the judgments to rank 1. A query with several gold documents is lost where the one
that came furthest was lost. What was at rank 1 before it was reranked has nothing wrong with it that comes earlier.
"""

from __future__ import annotations

from collections.abc import Mapping

WON = "won"
NO_JUDGMENT = "judgment missing"
EXCLUDED = "excluded id"
NOT_IN_CORPUS = "not in the corpus"
NEVER_INDEXED = "never indexed"
MISSING_VECTOR = "missing vector"
WRONG_MODEL = "wrong model"
CUT = "cut"
FILTER = "filter"
ANALYZER = "analyzer"
NOT_RETRIEVED = "not retrieved"
TIE = "tie"
RERANKING = "lost by reranking"
NAME = "name"
LONGER_ITEM = "longer item"
OUTRANKED = "outranked"

CAUSES: Mapping[str, str] = {
    WON: "gold at rank 1",
    NO_JUDGMENT: "no document is judged to be gold",
    EXCLUDED: "every gold document is excluded for the query",
    NOT_IN_CORPUS: "gold is judged, and not in the corpus",
    RERANKING: "gold was at rank 1 before reranking",
    NEVER_INDEXED: "gold is in the corpus, and not in what is searched",
    MISSING_VECTOR: "gold has no vector, or one that says nothing",
    WRONG_MODEL: "gold or question has the vector of another model",
    CUT: "what gold shares with the query stands behind the end of the model's window",
    FILTER: "a filter lets gold not through",
    ANALYZER: "gold holds the query's words in a form that the analyzer takes for other words",
    NOT_RETRIEVED: "gold is not in the list",
    TIE: "gold has the score of rank 1, and position decides",
    NAME: "rank 1 is called what is asked for",
    LONGER_ITEM: "rank 1 holds a longer item around what is asked for",
    OUTRANKED: "another document stands before gold",
}
"""Each cause and what it means, in order. `outranked` is told by role."""

FAULTS = (
    EXCLUDED,
    NOT_IN_CORPUS,
    NEVER_INDEXED,
    MISSING_VECTOR,
    WRONG_MODEL,
    CUT,
    FILTER,
    ANALYZER,
    TIE,
    NAME,
    LONGER_ITEM,
)
"""Causes that name what is to be mended."""
