"""Runs of a question's words that are an item but for their endings: Birch Tree, where documents say Birch Trees."""

from __future__ import annotations

from collections.abc import Iterable

from askance.irl.rewrite.item_runs import ItemRun
from askance.irl.rewrite.near_items import NearItems
from askance.irl.rewrite.question_words import QuestionWords
from askance.irl.rewrite.template_words import TemplateWords
from askance.irl.rewrite.vocabulary import Vocabulary

_LONGEST = 8
_LONGEST_QUESTION = 100
_FURTHER = 2  # words
_LEAST_BESIDE = 4  # letters


def nearest_item(words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords) -> ItemRun | None:
    """The longest such run, of several one with a capital letter, then the first. `key` is the item's.

    None for an index that cannot tell, and for a question of more than 100 words.
    """
    if not isinstance(vocabulary, NearItems) or len(words) > _LONGEST_QUESTION:
        return None
    for length in range(min(len(words), _LONGEST), 0, -1):
        runs = ((first, first + length) for first in range(len(words) - length + 1))
        found = list(_near(words, vocabulary, (run for run in runs if not template.all_of(words.terms[slice(*run)]))))
        if found:
            return max(found, key=lambda run: (words.has_capital(run.first, run.last), -run.first))
    return None


def longer_near(run: ItemRun, words: QuestionWords, vocabulary: Vocabulary) -> ItemRun | None:
    """An item of up to two words more on either side of `run` that is there but for endings, the longest.

    `run` is an item itself, so that more is asked of the words beside it: a capital, or four letters where `run` has no
    capital either.
    """
    if not isinstance(vocabulary, NearItems):
        return None
    around = (
        (first, last)
        for first in range(max(0, run.first - _FURTHER), run.first + 1)
        for last in range(min(len(words), run.last + _FURTHER), run.last - 1, -1)
        if last - first > len(run)
        and all(_fit(words, at, run) for at in (*range(first, run.first), *range(run.last, last)))
    )
    found = list(_near(words, vocabulary, around))
    return max(found, key=len, default=None)


def _fit(words: QuestionWords, at: int, run: ItemRun) -> bool:
    if words.has_capital(at, at + 1):
        return True
    return len(words.terms[at]) >= _LEAST_BESIDE and not words.has_capital(run.first, run.last)


def _near(words: QuestionWords, vocabulary: NearItems, runs: Iterable[tuple[int, int]]) -> Iterable[ItemRun]:
    for first, last in runs:
        for key in vocabulary.near_items(words.key(first, last))[:1]:
            yield ItemRun(first, last, words.text(first, last), key)
