"""Words of documents and of clauses: their analyzer, where they stand, and the keys of items and relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from askance.data.fields.schema import Fact
from askance.engines.settings import Analysis
from askance.text.analyzer import Analyzer

_LONGEST_KEYWORD = 8000  # characters; tantivy drops a term above 65,530 bytes, Lucene refuses one above 32,766
_BLANK = "\x1e"


def analyzer_of(analysis: Analysis) -> Analyzer:
    """The analyzer that these settings describe."""
    return Analyzer(
        stemmer=analysis.stemmer,
        stop_words=frozenset(analysis.stop_words),
        fold_apostrophes=analysis.fold_apostrophes,
        normalize=analysis.normalize,
    )


def key_of(analyzer: Analyzer, item: str) -> str:
    """What is compared of an item or a relation: its terms with one blank between. Empty where it has no words."""
    return " ".join(analyzer.terms(item))


def keyword(text: str) -> str:
    """A text as one term of an index: overlong ones by their hash, since tantivy would drop them."""
    return text if len(text) <= _LONGEST_KEYWORD else "\x1f" + sha256(text.encode()).hexdigest()


def key_term(key: str) -> str:
    """The key of an item or a relation as one term. There is no blank in it: all of a document's go as one string."""
    return keyword(key).replace(" ", _BLANK)


def fact_term(relation: str, key: str) -> str:
    """An item in one relation, both as keys, as one term."""
    return key_term(f"{relation}\x1f{key}")


def in_relation(relation: str, term: str) -> str:
    """A term of an item as it is indexed under its relation's key."""
    return f"{key_term(relation)}\x1f{term}"


def places(analyzer: Analyzer, values: Sequence[str], gap: int) -> Iterator[tuple[str, int]]:
    """Terms and positions of the values of one field, as Lucene counts them, with `gap` places between two values."""
    base = 0
    for value in values:
        terms, at, width = analyzer.places(value)
        for term, position in zip(terms, at, strict=True):
            yield term, base + position
        base += width + gap


def fact_places(analyzer: Analyzer, facts: Iterable[Fact], gap: int) -> Iterator[tuple[str, int]]:
    """The items that stand in a relation: their terms under its key, and positions as above."""
    base = 0
    for fact in facts:
        relation = key_of(analyzer, fact.relation) if fact.relation is not None else ""
        for item in fact.items if relation else ():
            terms, at, width = analyzer.places(item)
            for term, position in zip(terms, at, strict=True):
                yield in_relation(relation, term), base + position
            base += width + gap


def phrase_of(analyzer: Analyzer, text: str) -> list[tuple[int, str]]:
    """The terms of a phrase with their places in it, the first at 0; stop words leave holes."""
    if not analyzer.stop_words:
        return list(enumerate(analyzer.terms(text)))
    terms, at, _ = analyzer.places(text)
    return [(position - at[0], term) for term, position in zip(terms, at, strict=True)]
