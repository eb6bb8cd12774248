"""Runs of a question's words that are items of the collection, and which of them are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askance.irl.rewrite.question_words import QuestionWords
from askance.irl.rewrite.template_words import TemplateWords
from askance.irl.rewrite.vocabulary import Vocabulary

_LONGEST_ITEM = 64  # words
_LONGEST_AMONG_MANY = 12  # words, where more than so many stand together

_WRITTEN_SO, _WITH_CAPITAL, _WRITTEN_SMALL, _OTHER = 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class ItemRun:
    """Tokens [first, last) that are an item. `text`: as the question writes it."""

    first: int
    last: int
    text: str
    key: str

    def __len__(self) -> int:
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class ItemsAsked:
    """The items asked for, in the question's order, each once, and why others were left out.

    `small`: nothing in their writing says that they are meant. `capital_beside`: another word has a capital letter.
    `template`: they are template words.
    """

    runs: tuple[ItemRun, ...]
    notes: tuple[str, ...] = ()
    small: bool = False
    capital_beside: bool = False
    template: bool = False


def items_asked(words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords) -> ItemsAsked:
    """Longest items first, none inside another; then those written most as the documents write them; then those that
    are no template words, where there are others.
    """
    runs = longest_items(words, vocabulary)
    if not runs:
        return ItemsAsked(())
    notes: list[str] = []
    marks = _marks(runs, words, vocabulary, template)
    best = max(marks)
    runs = _kept(runs, [mark == best for mark in marks], "its writing says less", notes)
    told = [not template.all_of(words.terms[run.first : run.last]) for run in runs]
    if any(told):
        runs = _kept(runs, told, "nearly every document or question has it", notes)
    first: dict[str, ItemRun] = {}
    for run in runs:
        first.setdefault(run.key, run)
    different = tuple(first.values())
    if len(different) > 1:
        notes.append(f"{len(different)} items stand in the question, each is asked for")
    return ItemsAsked(
        different,
        tuple(notes),
        small=best < _WITH_CAPITAL,
        capital_beside=_capital_beside(different, words),
        template=not any(told),
    )


def longest_items(words: QuestionWords, vocabulary: Vocabulary) -> list[ItemRun]:
    """Items that overlap no longer one, in order; of equally long ones the first."""
    found = [
        run for first, end in _known_stretches(words, vocabulary) for run in _items_in(words, first, end, vocabulary)
    ]
    found.sort(key=lambda run: (run.first - run.last, run.first))
    taken = [False] * len(words)
    kept = []
    for run in found:
        if not any(taken[run.first : run.last]):
            taken[run.first : run.last] = [True] * (run.last - run.first)
            kept.append(run)
    return sorted(kept, key=lambda run: run.first)


def _known_stretches(words: QuestionWords, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Stretches of words that all stand in items: no item reaches over another word."""
    stretches: list[tuple[int, int]] = []
    for at, term in enumerate(words.terms):
        if vocabulary.holders(term, "items"):
            if stretches and stretches[-1][1] == at:
                stretches[-1] = (stretches[-1][0], at + 1)
            else:
                stretches.append((at, at + 1))
    return stretches


def _items_in(words: QuestionWords, start: int, end: int, vocabulary: Vocabulary) -> list[ItemRun]:
    found = []
    longest = _LONGEST_ITEM if end - start <= _LONGEST_ITEM else _LONGEST_AMONG_MANY
    for first in range(start, end):
        for last in range(first + 1, min(end, first + longest) + 1):
            key = words.key(first, last)
            if vocabulary.holders_of_item(key):
                found.append(ItemRun(first, last, words.text(first, last), key))
    return found


def _marks(runs: Sequence[ItemRun], words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords) -> list[int]:
    """How much the writing of each says that the item is meant.

    The capital that begins a question says nothing, unless at most one word, no template word, stands between it and
    the next item with one: "Snow or Honey?", but not "Who likes Snow?" where Who is an item.
    """
    marks = [_writing(run, vocabulary) for run in runs]
    if runs[0].first or not words.begins_large(runs[0].last):
        return marks
    if len(runs) == 1:
        return [_OTHER] if words.has_capital(runs[0].last, len(words)) else marks
    best = max(marks[1:])
    if best < _WITH_CAPITAL:
        return [best, *marks[1:]]
    following = next(run for run, mark in zip(runs[1:], marks[1:], strict=True) if mark == best)
    between = words.terms[runs[0].last : following.first]
    if len(between) > 1 or any(map(template, between)):
        marks[0] = _OTHER
    return marks


def _writing(run: ItemRun, vocabulary: Vocabulary) -> int:
    """Small letters say little: a template is written in them too."""
    small = run.text == run.text.lower()
    uncased = small and run.text == run.text.upper()
    written = run.text in vocabulary.written(run.key)
    if written and (uncased or not small):
        return _WRITTEN_SO
    if not small:
        return _WITH_CAPITAL
    return _WRITTEN_SMALL if written else _OTHER


def _capital_beside(runs: Sequence[ItemRun], words: QuestionWords) -> bool:
    """Whether a word that is in none of the runs is written with a capital letter."""
    inside = {at for run in runs for at in range(run.first, run.last)}
    return any(words.has_capital(at, at + 1) for at in range(len(words)) if at not in inside)


def _kept(runs: Sequence[ItemRun], keep: Sequence[bool], why: str, notes: list[str]) -> list[ItemRun]:
    kept = [run for run, keeps in zip(runs, keep, strict=True) if keeps]
    keys = {run.key for run in kept}
    for run, keeps in zip(runs, keep, strict=True):
        if not keeps and run.key not in keys:
            keys.add(run.key)
            notes.append(f"{run.text!r} is an item too, and left out: {why}")
    return kept
