"""Text fields of an index on OpenSearch: where they stand in its mapping, and how their words are cut.

The server's standard analyzer cuts text as ours does. Where more is asked for (stemming, Unicode forms), which
servers do in ways of their own or not at all, the client cuts: words are sent with a line each, and the server's
analyzer `lines` takes them as they are. Words under a relation are always sent so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from askance.engines.settings import Analysis
from askance.engines.words import in_relation
from askance.text.analyzer import Analyzer

FACTS = "facts"
OWN = ("text", "name", "items")  # fields every index has
WORDS, LINES = "askance", "askance_lines"  # names of the analyzers

_HOLE = "\x1f"  # stands where a stop word was, and is dropped by the server


def path_of(field: str) -> str:
    """Where a text field stands in the mapping: further fields of a schema lie under `more`, their names escaped."""
    if field in (*OWN, FACTS):
        return field
    return f"more.{escaped(field)}"


def escaped(name: str) -> str:
    """A field's name without what has a meaning in mappings."""
    return quote(name, safe="").replace(".", "%2E")


def cut_by_client(analysis: Analysis) -> bool:
    """Whether words are cut here and sent a line each."""
    return analysis.stemmer is not None or analysis.normalize is not None


def sent(analyzer: Analyzer, text: str, by_client: bool) -> str:
    """What is sent of a text, of a document and of a clause alike."""
    return lines(analyzer, text) if by_client else text


def lines(analyzer: Analyzer, text: str, relation: str | None = None) -> str:
    """The words a line each; inside a relation (its key) under it. Stop words leave holes."""
    if not analyzer.stop_words:
        terms = analyzer.terms(text)
        return "\n".join(terms if relation is None else [in_relation(relation, term) for term in terms])
    terms, at, width = analyzer.places(text)
    placed = [_HOLE] * width
    for term, position in zip(terms, at, strict=True):
        placed[position] = term if relation is None else in_relation(relation, term)
    return "\n".join(placed)


def analysis_body(analysis: Analysis) -> Mapping[str, Any]:
    """The part `analysis` of an index's settings."""
    words: dict[str, Any] = {"type": "custom", "tokenizer": "askance_words", "filter": ["lowercase"]}
    body: dict[str, Any] = {
        "tokenizer": {
            "askance_words": {"type": "standard", "max_token_length": Analyzer().max_token_length},
            "askance_lines": {"type": "pattern", "pattern": "\n"},
        },
        "filter": {"askance_holes": {"type": "stop", "stopwords": [_HOLE]}},
        "analyzer": {
            WORDS: words,
            LINES: {"type": "custom", "tokenizer": "askance_lines", "filter": ["askance_holes"]},
        },
    }
    if analysis.fold_apostrophes:
        folded = ["\\u2019=>'", "\\uFF07=>'", "\\u02BC=>'"]
        body["char_filter"] = {"askance_apostrophes": {"type": "mapping", "mappings": folded}}
        words["char_filter"] = ["askance_apostrophes"]
    if analysis.stop_words:
        body["filter"]["askance_stop"] = {"type": "stop", "stopwords": sorted(analysis.stop_words)}
        words["filter"] = ["lowercase", "askance_stop"]
    return body


def text_mapping(by_client: bool, gap: int | None = None) -> Mapping[str, Any]:
    """One text field. `gap`: places between two of its values, where it has several."""
    found: dict[str, Any] = {"type": "text", "analyzer": LINES if by_client else WORDS}
    return found if gap is None else {**found, "position_increment_gap": gap}


def properties_of(names: Sequence[str], by_client: bool) -> Mapping[str, Any]:
    """The mapping of further text fields, under `more`."""
    return {escaped(name): text_mapping(by_client) for name in names}
