"""The extractor that needs no model: the collection decides what is template and what is content."""

from __future__ import annotations

from collections.abc import Iterable

from askance.irl.rewrite.extractor import Found, Keyword
from askance.irl.rewrite.item_runs import ItemRun, ItemsAsked, items_asked
from askance.irl.rewrite.near_runs import longer_near, nearest_item
from askance.irl.rewrite.phrase_runs import PhraseRun, phrases_asked
from askance.irl.rewrite.question_words import QuestionWords
from askance.irl.rewrite.stage import Stage
from askance.irl.rewrite.template_words import TemplateWords, shared_by
from askance.irl.rewrite.vocabulary import Vocabulary


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
        words = QuestionWords.of(question, vocabulary)
        template = TemplateWords(vocabulary, self._shared_words(vocabulary))
        if not words.tokens:
            return _found(question, (), "no word in it", flagged=True)
        if not vocabulary.has_items:
            return _in_text(words, vocabulary, template)
        asked = items_asked(words, vocabulary, template)
        if asked.runs and not asked.small:
            return _items(words, vocabulary, asked)
        nearly = _nearly(words, vocabulary, template, asked)
        if nearly is not None:
            return nearly
        if asked.runs and not (asked.template and asked.capital_beside):
            return _items(words, vocabulary, asked)
        return _in_text(words, vocabulary, template)

    def _shared_words(self, vocabulary: Vocabulary) -> frozenset[str]:
        if self._shared is None or self._shared[0] is not vocabulary:
            self._shared = (vocabulary, shared_by(self._questions, vocabulary.analyzer))
        return self._shared[1]


def _nearly(words: QuestionWords, vocabulary: Vocabulary, template: TemplateWords, asked: ItemsAsked) -> Found | None:
    """An item in another form, or a phrase inside items, where it says more than the items that stand there.

    More: those are template words; or another word has a capital, and an item in another form is longer.
    """
    if asked.runs and not asked.template and not asked.capital_beside:
        return None
    near = nearest_item(words, vocabulary, template)
    if asked.runs and not asked.template:
        if near is None or len(near) <= max(map(len, asked.runs)):
            return None
        return _near(words, near)
    phrases = phrases_asked(words, vocabulary, template, "items")
    if near is not None and len(near) >= max(map(len, phrases), default=0):
        return _near(words, near)
    return _phrases(words, phrases, "a phrase inside items", "no item stands in the question") if phrases else None


def _near(words: QuestionWords, near: ItemRun) -> Found:
    note = f"{near.text!r} is no item, {near.key!r} is"
    return _found(words.question, (Keyword(near.key, settled=True),), "an item in another form", (note,), flagged=True)


def _items(words: QuestionWords, vocabulary: Vocabulary, asked: ItemsAsked) -> Found:
    """The items, each replaced by a longer one that is there but for endings: Snow Leopard is not Snow."""
    keywords, notes = [], list(asked.notes)
    for run in asked.runs:
        longer = longer_near(run, words, vocabulary)
        if longer is None:
            keywords.append(Keyword(run.text))
        else:
            keywords.append(Keyword(longer.key, settled=True))
            notes.append(f"{run.text!r} is an item, and {longer.text!r} is nearly one: {longer.key!r} is taken")
    rule = "an item" if len(keywords) == 1 else "several items"
    return _found(words.question, tuple(keywords), rule, tuple(notes), any(keyword.settled for keyword in keywords))


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


def _found(
    question: str, keywords: tuple[Keyword, ...], rule: str, notes: tuple[str, ...] = (), flagged: bool = False
) -> Found:
    output = "; ".join(keyword.text for keyword in keywords)
    return Found(keywords, (Stage("extract", question, output, rule, notes, flagged),))
