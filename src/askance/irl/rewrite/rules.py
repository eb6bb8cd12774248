"""The extractor that needs no model: the collection decides what is template and what is content."""

from __future__ import annotations

from collections.abc import Iterable

from askance.irl.rewrite.extractor import Found, Keyword
from askance.irl.rewrite.item_runs import items_asked
from askance.irl.rewrite.near_items import NearItems
from askance.irl.rewrite.phrase_runs import PhraseRun, phrases_asked
from askance.irl.rewrite.question_words import QuestionWords
from askance.irl.rewrite.stage import Stage
from askance.irl.rewrite.template_words import TemplateWords, shared_by
from askance.irl.rewrite.vocabulary import Vocabulary

_LONGEST_NEAR = 8

Near = tuple[int, int, str]


class Rules:
    """Keywords from counts over the collection, without a model, a list of words or a setting.

    In this order, the first that gives something: items that stand in the question; an item that stands in it but for
    the endings of its words, if no longer phrase of an item does; a phrase inside items; a phrase of the text.
    `questions`: a batch that this one is part of, where there is one: words that most of them share are template.
    """

    def __init__(self, questions: Iterable[str] = ()) -> None:
        self._questions = tuple(questions)
        self._shared: tuple[Vocabulary, frozenset[str]] | None = None

    def find(self, question: str, vocabulary: Vocabulary) -> Found:
        words = QuestionWords.of(question, vocabulary.analyzer)
        template = TemplateWords(vocabulary, self._shared_words(vocabulary))
        if not words.tokens:
            return _found(question, (), "no word in it", flagged=True)
        if vocabulary.has_items:
            asked = items_asked(words, vocabulary, template)
            if asked.runs:
                rule = "an item" if len(asked.runs) == 1 else "several items"
                return _found(question, tuple(Keyword(run.text) for run in asked.runs), rule, asked.notes)
            return self._nearly(words, vocabulary, template)
        return _in_text(words, vocabulary, template)

    def _nearly(self, words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords) -> Found:
        phrases = phrases_asked(words, vocabulary, template, "items")
        near = _near(words, vocabulary, template)
        if near is not None and near[1] - near[0] >= max(map(len, phrases), default=0):
            text, key = words.text(near[0], near[1]), near[2]
            note = f"{text!r} is no item, {key!r} is"
            return _found(
                words.question, (Keyword(key, settled=True),), "an item in another form", (note,), flagged=True
            )
        if phrases:
            return _phrases(words, phrases, "a phrase inside items", "no item stands in the question")
        return _in_text(words, vocabulary, template)

    def _shared_words(self, vocabulary: Vocabulary) -> frozenset[str]:
        if self._shared is None or self._shared[0] is not vocabulary:
            self._shared = (vocabulary, shared_by(self._questions, vocabulary.analyzer))
        return self._shared[1]


def _in_text(words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords) -> Found:
    phrases = phrases_asked(words, vocabulary, template, "text")
    if not phrases:
        return _found(words.question, (), "nothing in it stands in the documents", flagged=True)
    why = "nothing of the question stands in items" if vocabulary.has_items else ""
    return _phrases(words, phrases, "a phrase of the text", why)


def _phrases(words: QuestionWords, phrases: tuple[PhraseRun, ...], rule: str, why: str) -> Found:
    texts = [words.text(run.first, run.last) for run in phrases]
    notes = [f"{run.holders} documents have {text!r}" for run, text in zip(phrases, texts, strict=True)]
    return _found(words.question, tuple(map(Keyword, texts)), rule, (*((why,) if why else ()), *notes), bool(why))


def _near(words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords) -> Near | None:
    """The longest run that is an item but for endings, and that item; of several one with a capital, then the first."""
    if not isinstance(vocabulary, NearItems):
        return None
    for length in range(min(len(words), _LONGEST_NEAR), 0, -1):
        found = []
        for first in range(len(words) - length + 1):
            if not template.all_of(words.terms[first : first + length]):
                keys = vocabulary.near_items(words.key(first, first + length))
                found += [(first, first + length, key) for key in keys[:1]]
        if found:
            return max(found, key=lambda near: (words.has_capital(near[0], near[1]), -near[0]))
    return None


def _found(
    question: str, keywords: tuple[Keyword, ...], rule: str, notes: tuple[str, ...] = (), flagged: bool = False
) -> Found:
    output = "; ".join(keyword.text for keyword in keywords)
    return Found(keywords, (Stage("extract", question, output, rule, notes, flagged),))
