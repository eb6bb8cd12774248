"""Which questions a phrase search over one text field will get wrong, and why.

Documents that hold the words of the asked item next to one another are ranked by BM25 of the phrase. An answer holds
exactly this item; any other document is an impostor. Where the schema knows a document's sentence and not its list, the
item must stand there as items do. A question fails where an impostor stands before the last answer, which is where one
stands among as many first places as there are answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from askance.data.fields.schema import Fields, Outside
from askance.irl.lint.edges import Edges
from askance.irl.lint.findings import Asked, Finding, Foretold, Harm, Kind
from askance.irl.lint.holdings import Holdings, HoldingsBuilder
from askance.irl.lint.placing import Places
from askance.irl.lint.spelling import folded
from askance.irl.lint.words import Words, WordsBuilder
from askance.text.analyzer import Analyzer

CUT = 100  # places that are looked at


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents as numbers: their words, what they hold, and where it stands. `ids` names them, by position."""

    ids: Sequence[str]
    words: Words
    holdings: Holdings
    places: Places
    edges: Edges


def read_corpus(
    ids: Sequence[str], documents: Iterable[tuple[str, Fields | Outside]], analyzer: Analyzer | None = None
) -> Corpus:
    """From each document's text and what a schema made of it. Neither is kept.

    `analyzer`: that of the index; one with stop words is not meant here, since they leave gaps in phrases.
    """
    words = WordsBuilder(analyzer or Analyzer())
    holdings, edges = HoldingsBuilder(words), Edges(words.analyzer)
    for document, (text, parts) in enumerate(documents):
        words.add(text)
        holdings.add(parts)
        edges.add(document, text, parts)
    held = holdings.build()  # first: its terms are numbered as well
    column = words.build()
    edges.settle(held.forms)
    return Corpus(ids, column, held, Places(column, held), edges)


@dataclass(frozen=True)
class Outcome:
    """What becomes of one asked item: the question if it fails, and findings without their queries."""

    foretold: Foretold | None
    findings: tuple[Finding, ...]


def foretell(corpus: Corpus, asked: Asked, cut: int = CUT) -> Outcome:
    """What a phrase search makes of one asked item. `cut`: how many places are looked at."""
    terms = corpus.words.numbers(asked.text)
    key = corpus.holdings.keys.get(tuple(terms))
    begins = corpus.words.phrase(terms)
    answers = np.union1d(_answers(corpus.holdings, key, asked), _unsplit_answers(corpus, begins, len(terms)))
    if not terms or not len(answers):
        return _nowhere(corpus, asked, answers)
    if key is not None:
        asked = replace(asked, text=_as_written(corpus.holdings, terms, asked.text))
    ranked = corpus.words.ranked(begins)
    right = np.isin(ranked, answers)
    places = np.flatnonzero(right) + 1
    first, last = (int(places[0]), int(places[-1])) if len(places) else (None, None)
    before = ranked[: last or 0][~right[: last or 0]]
    hidden = len(answers) <= cut < (last or 0)  # more answers than places are not hidden by others
    harm: Harm = "none" if not len(before) else "hidden" if hidden else "outranked"
    findings = _impostors(corpus, asked, begins, ranked[~right], before, last, harm)
    absent = answers[~np.isin(answers, ranked)]
    if len(absent):
        harm = "unfindable"
        example = corpus.ids[int(absent[0])]
        findings.append(Finding("not in the text", asked.text, documents=len(absent), example=example, harm=harm))
    if harm == "none":
        return Outcome(None, tuple(findings))
    return Outcome(Foretold(asked.query, asked.text, len(answers), first, last, harm), tuple(findings))


def _answers(holdings: Holdings, key: int | None, asked: Asked) -> NDArray[np.int64]:
    """The documents that hold exactly this item in this relation.

    Where items with other marks have the same words (C++, C#), and the question writes one of them, only that one.
    """
    if key is None or not asked.text:
        return np.empty(0, dtype=np.int64)
    held = holdings.of_key(key)
    forms = {form: folded(holdings.forms[form]) for form in set(holdings.form[held].tolist())}
    meant = [form for form, fold in forms.items() if fold == folded(asked.text)]
    if meant and len(meant) < len(forms):
        held = held[np.isin(holdings.form[held], meant)]
    if asked.relation is not None:
        held = held[np.isin(holdings.relation[held], list(holdings.like_relation(asked.relation)))]
    return np.unique(holdings.document(held))


def _unsplit_answers(corpus: Corpus, begins: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Documents that the schema does not split, where the phrase stands as an item does."""
    found = []
    for document, begin in zip(corpus.words.document(begins).tolist(), begins.tolist(), strict=True):
        if document in corpus.edges:
            first = begin - int(corpus.words.offsets[document])
            if corpus.edges.is_item(document, first, first + length):
                found.append(document)
    return np.array(found, dtype=np.int64)


def _as_written(holdings: Holdings, terms: list[int], text: str) -> str:
    """The item as the documents write it: the form that is meant, where there are several."""
    forms = holdings.written(holdings.keys[tuple(terms)])
    return next((form for form in forms if folded(form) == folded(text)), forms[0])


def _nowhere(corpus: Corpus, asked: Asked, answers: NDArray[np.int64]) -> Outcome:
    """No document holds what is asked for, or it has no words."""
    foretold = Foretold(asked.query, asked.text, len(answers), None, None, "unfindable")
    if not len(answers):
        return Outcome(foretold, (Finding("no item", asked.text, harm="unfindable"),))
    example = corpus.ids[int(answers[0])]
    finding = Finding("wordless item", asked.text, documents=len(answers), example=example, harm="unfindable")
    return Outcome(foretold, (finding,))


def _impostors(
    corpus: Corpus,
    asked: Asked,
    begins: NDArray[np.int64],
    impostors: NDArray[np.int64],
    before: NDArray[np.int64],
    last: int | None,
    harm: Harm,
) -> list[Finding]:
    """One finding for each thing that impostors hold the phrase in."""
    length = len(corpus.words.numbers(asked.text))
    relations = None if asked.relation is None else corpus.holdings.like_relation(asked.relation)
    of_begin = corpus.words.document(begins)
    displacing = set(before.tolist())
    counts: dict[tuple[Kind, str], list[int]] = {}
    for document in impostors.tolist():
        low, high = np.searchsorted(of_begin, (document, document + 1))
        local = (begins[low:high] - corpus.words.offsets[document]).tolist()
        for cause in corpus.places.causes(document, local, length, relations):
            counts.setdefault(cause, []).append(document)
    found = []
    for (kind, inside), documents in counts.items():
        displaced = [document for document in documents if document in displacing]
        found.append(
            Finding(
                kind,
                asked.text,
                inside,
                documents=len(documents),
                before=len(displaced),
                example=corpus.ids[(displaced or documents)[0]],
                last=last,
                harm=harm if displaced else "none",
            )
        )
    return found
