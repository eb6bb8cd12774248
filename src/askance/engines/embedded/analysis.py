"""Text to what tantivy is given: the terms of the analyzer with a blank between, and the keys of items and relations.

Tantivy cuts at blanks only. For ASCII text whose words hold no joiners the string comes at C speed from a table of
bytes; it is the analyzer's, term by term. Where stop words may leave holes, terms go with positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

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


class ItemForm(NamedTuple):
    """An item as it is indexed: its key, the key as one term; under its relation its terms, and both as one term.

    Empty where it has no words; the last two also where there is no relation with words.
    """

    key: str
    term: str
    tokens: str
    fact: str


class ItemForms:
    """Items as they are indexed. They repeat: each is analysed once, while there is room."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._known: dict[str | None, dict[str, ItemForm]] = {}
        self._relations: dict[str | None, str] = {}
        self._size = 0

    def of(self, items: Sequence[str], relation: str | None) -> list[ItemForm]:
        """Of each item in a relation (as it is written), in order."""
        known = self._known.get(relation, {})
        try:
            return list(map(known.__getitem__, items))
        except KeyError:
            return [known.get(item) or self._made(item, relation) for item in items]

    def relation(self, written: str | None) -> str:
        """The key of a relation; empty for none, and for one without words."""
        key = self._relations.get(written)
        if key is None:
            key = "" if written is None else key_of(self._analyzer, written)
            self._make_room()
            self._relations[written] = key
        return key

    def _made(self, item: str, relation: str | None) -> ItemForm:
        key, under = key_of(self._analyzer, item), self.relation(relation)
        form = ItemForm(key, key_term(key), "", "")
        if key and under:
            tokens = " ".join(in_relation(under, term) for term in key.split(" "))
            form = ItemForm(key, key_term(key), tokens, fact_term(under, key))
        self._make_room()
        self._known.setdefault(relation, {})[item] = form
        return form

    def _make_room(self) -> None:
        if self._size >= _MOST_CACHED:
            self._known.clear()
            self._relations.clear()
            self._size = 0
        self._size += 1


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
