"""Text to what tantivy is given: the terms of the analyzer with a blank between, and the keys of items and relations.

Tantivy cuts at blanks only. For ASCII text whose words hold no joiners the string comes at C speed from a table of
bytes; it is the analyzer's, term by term. Where stop words may leave holes, terms go with positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from askance.data.fields.schema import Fact
from askance.engines.settings import Analysis
from askance.text.analyzer import Analyzer

_PLAIN = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))
_CUTS_NOWHERE = re.compile(r"[A-Za-z0-9][.':,;](?=[A-Za-z0-9])|_|[^\x00-\x7f]")
_LONGEST_KEYWORD = 8000  # characters; tantivy drops a term above 65,530 bytes
_BLANK = "\x1e"
MARK = "\x1f"
_BETWEEN = f" {MARK} "
_MOST_CACHED = 100_000


def analyzer_of(analysis: Analysis) -> Analyzer:
    """The analyzer that these settings describe."""
    return Analyzer(
        stemmer=analysis.stemmer,
        stop_words=frozenset(analysis.stop_words),
        fold_apostrophes=analysis.fold_apostrophes,
        normalize=analysis.normalize,
    )


def joined(analyzer: Analyzer, text: str) -> str:
    """A string that, cut at blanks, gives `analyzer.terms(text)`."""
    if analyzer.stemmer is not None or analyzer.stop_words:
        return " ".join(analyzer.terms(text))
    if text.isascii() and _joins_nothing(text):
        return _cut_long(analyzer, text)
    parts, done = [], 0
    for found in _CUTS_NOWHERE.finditer(text):
        if found.start() < done:
            continue
        start = text.rfind(" ", done, found.start()) + 1 or done
        end = text.find(" ", found.end())
        end = len(text) if end < 0 else end
        parts.append(_cut_long(analyzer, text[done:start]))
        parts.extend(analyzer.terms(text[start:end]))
        done = end
    parts.append(_cut_long(analyzer, text[done:]))
    return " ".join(parts)


def _joins_nothing(text: str) -> bool:
    """Whether an ASCII text surely holds no joiner inside a word: commas and full stops all stand before a blank.

    Counting is six times as quick as a pattern; where it does not tell, the pattern does.
    """
    return (
        "'" not in text
        and "_" not in text
        and ":" not in text
        and ";" not in text
        and text.count(",") == text.count(", ")
        and text.count(".") == text.count(". ") + text.endswith(".")
    )


def _cut_long(analyzer: Analyzer, text: str) -> str:
    """For ASCII text without joiners inside words; one with an overlong word goes through the analyzer."""
    plain = text.encode().translate(_PLAIN).decode()
    longest = analyzer.max_token_length
    for at in range(longest, len(plain), longest + 1):  # a longer run covers one of these places
        if plain[at] != " " and _run(plain, at) > longest:
            return " ".join(analyzer.terms(text))
    return plain


def _run(plain: str, at: int) -> int:
    end = plain.find(" ", at)
    return (len(plain) if end < 0 else end) - plain.rfind(" ", 0, at) - 1


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


def in_one_string(values: Sequence[str], gap: int) -> str:
    """The values of a field, each of joined terms. Between two stands a mark that tantivy drops, which leaves a hole:
    no phrase goes over it. One string is far quicker to hand over than one for each value."""
    return _BETWEEN.join(values) if gap else " ".join(values)


class ItemForms:
    """Items to keys. Items repeat: each is analysed once, while there is room."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._keys: dict[str, str] = {}
        self._terms: dict[str, str] = {}

    def keys(self, items: Sequence[str]) -> list[str]:
        """The key of each item, in order."""
        try:
            return list(map(self._keys.__getitem__, items))
        except KeyError:
            return [self.key(item) for item in items]

    def terms(self, keys: Sequence[str]) -> list[str]:
        """The term of each key, in order."""
        try:
            return list(map(self._terms.__getitem__, keys))
        except KeyError:
            return [key_term(key) for key in keys]

    def key(self, item: str) -> str:
        """The key of one item."""
        key = self._keys.get(item)
        if key is None:
            if len(self._keys) >= _MOST_CACHED:
                self._keys.clear()
                self._terms.clear()
            key = self._keys[item] = key_of(self._analyzer, item)
            self._terms[key] = key_term(key)
        return key


class RelationForms:
    """Items as they are indexed under one relation; kept, while there is room. `relation`: its key."""

    def __init__(self, written: str, items: ItemForms) -> None:
        self.relation = items.key(written)
        self._items = items
        self._tokens: dict[str, str] = {}
        self._facts: dict[str, str] = {}

    def tokens(self, items: Sequence[str]) -> list[str]:
        """The terms of each item under the relation, with blanks between; empty for one without words."""
        try:
            return list(map(self._tokens.__getitem__, items))
        except KeyError:
            return [self._known(item)[0] for item in items]

    def facts(self, items: Sequence[str]) -> list[str]:
        """Relation and item as one term, for each item with words."""
        try:
            found = list(map(self._facts.__getitem__, items))
        except KeyError:
            found = [self._known(item)[1] for item in items]
        return [each for each in found if each] if "" in found else found

    def _known(self, item: str) -> tuple[str, str]:
        if item not in self._facts:
            if len(self._facts) >= _MOST_CACHED:
                self._tokens.clear()
                self._facts.clear()
            key = self._items.key(item)
            self._tokens[item] = " ".join(in_relation(self.relation, term) for term in key.split(" ")) if key else ""
            self._facts[item] = fact_term(self.relation, key) if key else ""
        return self._tokens[item], self._facts[item]


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
    terms, at, _ = analyzer.places(text)
    return [(position - at[0], term) for term, position in zip(terms, at, strict=True)]
