"""Text to index terms, as Lucene's standard analyzer makes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from askance.core.errors import UnknownName
from askance.text.word_breaks import ASCII_WORD, spans


class Token(NamedTuple):
    """A term, where it stands in the text (code points, end exclusive), and its place in the token stream."""

    term: str
    start: int
    end: int
    position: int


@dataclass(frozen=True)
class Analyzer:
    """Lucene's standard analyzer: word breaks, lower case, then (asked for only) stop words and stemming.

    `stemmer`: "porter" or a Snowball language such as "english"; None keeps words as they are. `stop_words`: dropped
    after lower-casing and before stemming; they leave gaps in the positions. `max_token_length`: longer words are cut
    into pieces, in UTF-16 units. There is no normalisation of any kind: NFC and NFD forms are different terms.
    """

    stemmer: str | None = None
    stop_words: frozenset[str] = field(default=frozenset())
    max_token_length: int = 255

    def __post_init__(self) -> None:
        if self.stemmer is not None:
            _known_stemmer(self.stemmer)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of `text` in order. Time grows linearly with the length of the text."""
        found = []
        for position, (start, end) in enumerate(spans(text, self.max_token_length)):
            term = lower(text[start:end])
            if term not in self.stop_words:
                found.append(Token(self._stem(term), start, end, position))
        return found

    def terms(self, text: str) -> list[str]:
        """The terms alone: what `tokens` gives, and quicker."""
        if text.isascii():
            words = [word for word in ASCII_WORD.findall(text.lower()) if word]
            if any(len(word) > self.max_token_length for word in words):
                return [token.term for token in self.tokens(text)]
        else:
            words = [lower(text[start:end]) for start, end in spans(text, self.max_token_length)]
        if self.stop_words:
            words = [word for word in words if word not in self.stop_words]
        if self._stemmer is not None:
            return list(self._stemmer.stemWords(words))
        return words

    @cached_property
    def _stemmer(self) -> Any:
        if self.stemmer is None:
            return None
        import Stemmer

        return Stemmer.Stemmer(self.stemmer)

    def _stem(self, term: str) -> str:
        return term if self._stemmer is None else str(self._stemmer.stemWord(term))


def lower(word: str) -> str:
    """Lower case code point by code point, as Java does it: no final sigma, and İ is a plain i."""
    if word.isascii():
        return word.lower()
    return "".join("i" if letter == "İ" else letter.lower() for letter in word)


def _known_stemmer(name: str) -> None:
    import Stemmer

    known = Stemmer.algorithms()
    if name not in known:
        raise UnknownName("stemmer", name, known)
