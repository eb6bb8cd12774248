"""Runs of a question's words that stand in the documents as a phrase: what is asked for where no item is."""

from __future__ import annotations

from dataclasses import dataclass

from askance.irl.rewrite.question_words import QuestionWords
from askance.irl.rewrite.template_words import TemplateWords, rarity
from askance.irl.rewrite.vocabulary import Vocabulary

_LONGEST_PHRASE = 64


@dataclass(frozen=True, slots=True)
class PhraseRun:
    """Tokens [first, last) that `holders` documents have as a phrase.

    `rarity`: that of its words that are no template words, added up. `capital`: the question writes it with a capital.
    """

    first: int
    last: int
    holders: int
    rarity: float
    capital: bool

    def __len__(self) -> int:
        return self.last - self.first

    def overlaps(self, other: PhraseRun) -> bool:
        return self.first < other.last and other.first < self.last


def phrases_asked(
    words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords, field: str
) -> tuple[PhraseRun, ...]:
    """What is asked for: with a capital letter before without, a phrase before a word, then by the rarity of its words.

    A second phrase where it is rarer than the one with the capital. None where there are but single small words, and
    beside them a word with a capital that the field does not have.
    """
    found = [
        PhraseRun(first, last, holders, _rarity(words, vocabulary, template, field, first, last), capital)
        for first, last, holders in _longest(words, vocabulary, template, field)
        for capital in (words.has_capital(first, last),)
    ]
    if not found:
        return ()
    best = max(found, key=lambda run: (run.capital, len(run) > 1, run.rarity, -run.first))
    if not best.capital and len(best) == 1 and _unknown_capital(words, vocabulary, field):
        return ()
    others = [run for run in found if len(run) > 1 and run.rarity > best.rarity and not run.overlaps(best)]
    if not others:
        return (best,)
    return tuple(sorted((best, max(others, key=lambda run: run.rarity)), key=lambda run: run.first))


def _longest(
    words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords, field: str
) -> list[tuple[int, int, int]]:
    """Phrases of the field inside no longer one, without template words at their ends, and how many have them.

    Whatever begins a phrase is one too, so that its end is only moved on.
    """
    found: list[tuple[int, int, int]] = []
    reached = 0
    for first, term in enumerate(words.terms):
        if template(term):
            continue
        last, holders = _end(words, vocabulary, template, field, first, reached)
        reached = max(reached, last)
        if holders and not (found and found[-1][1] >= last):
            found.append((first, last, holders))
    return found


def _end(
    words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords, field: str, first: int, reached: int
) -> tuple[int, int]:
    """Where the longest phrase from `first` ends, in no template word, and its holders; `reached` surely is an end."""
    end, holders = first, 0
    for last in range(max(first + 1, reached), min(len(words), first + _LONGEST_PHRASE) + 1):
        having = _holders(words, vocabulary, field, first, last)
        if not having:
            break
        if not template(words.terms[last - 1]):
            end, holders = last, having
    return end, holders


def _holders(words: QuestionWords, vocabulary: Vocabulary, field: str, first: int, last: int) -> int:
    if last - first == 1:
        return vocabulary.holders(words.terms[first], field)
    return vocabulary.holders_of_phrase(words.terms[first:last], field)


def _rarity(
    words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords, field: str, first: int, last: int
) -> float:
    return sum(
        rarity(vocabulary.holders(term, field), vocabulary.documents)
        for term in words.terms[first:last]
        if not template(term)
    )


def _unknown_capital(words: QuestionWords, vocabulary: Vocabulary, field: str) -> bool:
    capitals = (term for at, term in enumerate(words.terms) if words.has_capital(at, at + 1))
    return any(not vocabulary.holders(term, field) for term in capitals)
