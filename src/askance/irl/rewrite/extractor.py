"""What finds the keyword of a question: one protocol, whether a model is asked or the collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from askance.irl.rewrite.stage import Stage
from askance.irl.rewrite.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Keyword:
    """`text`: as it stands in the question, or as an answer gives it.

    `settled`: it is the collection's own writing, and is not laid onto the question again.
    """

    text: str
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """The keywords of a question, each of which becomes clauses of its own; none where nothing was found."""

    keywords: tuple[Keyword, ...]
    stages: tuple[Stage, ...]


class Extractor(Protocol):
    """Finds what a question asks for."""

    def find(self, question: str, vocabulary: Vocabulary) -> Found:
        """Its keywords, and the stages that led to them."""
        ...
