"""A question as the collection's analyzer cuts it, and what its writing says of a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from askance.irl.rewrite.glued_words import unglued
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.text.analyzer import Token


@dataclass(frozen=True)
class QuestionWords:
    """A question and its tokens. Runs of tokens are [first, last), counted in tokens."""

    question: str
    tokens: Sequence[Token]

    @classmethod
    def of(cls, question: str, vocabulary: Vocabulary) -> QuestionWords:
        """Words that no document has are cut where a language glues an article or an ending to what is asked for.

        A record may have items that its text does not name: both are looked at.
        """

        def known(term: str) -> bool:
            return vocabulary.holders(term) > 0 or (vocabulary.has_items and vocabulary.holders(term, "items") > 0)

        return cls(question, unglued(question, vocabulary.analyzer, known))

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        return tuple(token.term for token in self.tokens)

    def text(self, first: int, last: int) -> str:
        """The run as it stands in the question."""
        return self.question[self.tokens[first].start : self.tokens[last - 1].end]

    def key(self, first: int, last: int) -> str:
        return " ".join(self.terms[first:last])

    def has_capital(self, first: int, last: int) -> bool:
        """Whether a word of the run has a capital letter that says something.

        The first word of a question has one anyway, and where no word is without one they say nothing.
        """
        return any(self._capitals[first:last])

    def begins_large(self, last: int) -> bool:
        """Whether the run [0, last) has a capital letter at its very beginning and no other."""
        text = self.text(0, last)
        return _capital(text[:1]) and not _capital(text[1:])

    @cached_property
    def _capitals(self) -> tuple[bool, ...]:
        capitals = [_capital(self.text(at, at + 1)) for at in range(len(self.tokens))]
        if all(capitals):
            return (False,) * len(capitals)
        if capitals and self.begins_large(1):
            capitals[0] = False
        return tuple(capitals)


def _capital(text: str) -> bool:
    return text != text.lower()
