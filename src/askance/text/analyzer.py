"""Text to index terms, as Lucene's standard analyzer makes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from askance.core.errors import UnknownName
from askance.text.normal_forms import Form, normal, placed
from askance.text.word_breaks import ASCII_WORD, spans

_APOSTROPHES = str.maketrans("\u2019\uff07\u02bc", "'''")


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
    into pieces, in UTF-16 units. Unless asked for there is no normalisation of any kind: NFC and NFD forms are
    different terms, and so are the apostrophes of Levi's. `normalize`: the text is brought to this Unicode form first;
    `fold_apostrophes`: then \u2019 \uff07 \u02bc become the plain one. Offsets point into the text as it was given.
    """

    stemmer: str | None = None
    stop_words: frozenset[str] = field(default=frozenset())
    max_token_length: int = 255
    fold_apostrophes: bool = False
    normalize: Form | None = None

    def __post_init__(self) -> None:
        if self.stemmer is not None:
            _known_stemmer(self.stemmer)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of `text` in order. Time grows linearly with the length of the text."""
        found = []
        plain, begins, ends = self._plain_and_places(text)
        for position, (start, end) in enumerate(spans(plain, self.max_token_length)):
            term = lower(plain[start:end])
            if term not in self.stop_words:
                if begins:
                    start, end = begins[start], ends[end - 1]
                found.append(Token(self._stem(term), start, end, position))
        return found

    def terms(self, text: str) -> list[str]:
        """The terms alone: what `tokens` gives, and quicker."""
        words = self._words(text)
        if self.stop_words:
            words = [word for word in words if word not in self.stop_words]
        return self._stems(words)

    def places(self, text: str) -> tuple[list[str], list[int], int]:
        """The terms, the position of each in the token stream, and how many positions the text takes up in all.

        Stop words take one up and give no term, also behind the last term.
        """
        words = self._words(text)
        at = [position for position, word in enumerate(words) if word not in self.stop_words]
        return self._stems([words[position] for position in at]), at, len(words)

    def _words(self, text: str) -> list[str]:
        """All words in lower case, stop words among them, not stemmed."""
        if text.isascii():
            words = [word for word in ASCII_WORD.findall(text.lower()) if word]
            if all(len(word) <= self.max_token_length for word in words):
                return words
        plain = self._plain(text)
        return [lower(plain[start:end]) for start, end in spans(plain, self.max_token_length)]

    def _plain(self, text: str) -> str:
        """The text after the filters that were asked for."""
        if text.isascii():
            return text
        normalized = normal(self.normalize, text) if self.normalize else text
        return normalized.translate(_APOSTROPHES) if self.fold_apostrophes else normalized

    def _plain_and_places(self, text: str) -> tuple[str, list[int], list[int]]:
        """The filtered text, and where each of its characters begins and ends in `text`: empty where in its place."""
        plain = self._plain(text)
        if not self.normalize or text.isascii():
            return plain, [], []
        return plain, *placed(self.normalize, text)

    @cached_property
    def _stemmer(self) -> Any:
        if self.stemmer is None:
            return None
        import Stemmer

        return Stemmer.Stemmer(self.stemmer)

    def _stem(self, term: str) -> str:
        return term if self._stemmer is None else str(self._stemmer.stemWord(term))

    def _stems(self, words: list[str]) -> list[str]:
        return words if self._stemmer is None else list(self._stemmer.stemWords(words))


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
