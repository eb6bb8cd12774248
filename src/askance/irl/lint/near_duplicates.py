"""Items that differ in spelling only, and documents that hold the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from askance.irl.lint.findings import Finding
from askance.irl.lint.foretell import Corpus
from askance.irl.lint.holdings import Holdings
from askance.irl.lint.spelling import bare, difference, folded, shorter_endings

_ENDING = "ending of a word"


class Spellings:
    """The items of a collection by what is left of them without the freedom of spelling."""

    def __init__(self, holdings: Holdings) -> None:
        held = Counter(holdings.form.tolist())
        self._forms = [holdings.forms[form] for form, _ in held.most_common()]
        self._bare: dict[str, list[str]] = defaultdict(list)
        for form in self._forms:
            self._bare[bare(form)].append(form)
        self._folded: dict[str, str] = {}
        for form in self._forms:
            self._folded.setdefault(folded(form), form)

    def near(self, text: str) -> list[str]:
        """Items that are `text` but for case, accents, blanks, hyphens, apostrophes or an ending; most held first."""
        found = dict.fromkeys(self._bare.get(bare(text), ()))
        found.update(dict.fromkeys(self._folded[each] for each in shorter_endings(text) if each in self._folded))
        for ending in ("s", "es", "n", "e"):
            longer = f"{folded(text)}{ending}"
            if longer in self._folded:
                found[self._folded[longer]] = None
        found.pop(text, None)
        return list(found)

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """Each item that is near another, that other one, and what they differ in."""
        for forms in self._bare.values():
            for other in forms[1:]:
                yield forms[0], other, difference(forms[0], other)
        for form in self._folded.values():
            for shorter in dict.fromkeys(shorter_endings(form)):
                if shorter in self._folded:
                    yield self._folded[shorter], form, _ENDING


def near_duplicate_items(spellings: Spellings) -> list[Finding]:
    """A finding a pair. It displaces nothing by itself: a phrase finds one of the two."""
    return [Finding("near-duplicate items", one, other, why=why) for one, other, why in spellings.pairs()]


def near_duplicate_documents(corpus: Corpus) -> list[Finding]:
    """A finding a group of documents with the same items, or else with the same words."""
    by_items = _groups(_item_sets(corpus), "the same items", corpus.ids)
    known = {(finding.text, finding.inside) for finding in by_items}
    by_words = _groups(_word_bags(corpus), "the same words", corpus.ids)
    return [*by_items, *(finding for finding in by_words if (finding.text, finding.inside) not in known)]


def _item_sets(corpus: Corpus) -> Iterator[Hashable]:
    """Per document a hash of its items with their relations; None where it has none."""
    holdings = corpus.holdings
    width = len(holdings.relations)
    held = holdings.key[holdings.form].astype(np.int64) * width + holdings.relation
    for document in range(len(corpus.ids)):
        mine = held[holdings.of_document(document)]
        yield np.unique(mine).tobytes() if len(mine) else None


def _word_bags(corpus: Corpus) -> Iterator[Hashable]:
    """Per document its words, whatever their order; None where it has none."""
    offsets = corpus.words.offsets
    for document in range(len(corpus.ids)):
        mine = corpus.words.terms[offsets[document] : offsets[document + 1]]
        yield np.sort(mine).tobytes() if len(mine) else None


def _groups(contents: Iterator[Hashable], why: str, ids: Sequence[str]) -> list[Finding]:
    first: dict[int, int] = {}
    groups: dict[int, list[int]] = defaultdict(list)
    for document, content in enumerate(contents):
        if content is None:
            continue
        mark = hash(content)
        if mark in first:
            groups[mark].append(document)
        else:
            first[mark] = document
    return [
        Finding(
            "near-duplicate documents",
            ids[first[mark]],
            ids[others[0]] if len(others) == 1 else f"{ids[others[0]]} and {len(others) - 1:,} more",
            documents=len(others) + 1,
            example=ids[first[mark]],
            why=why,
        )
        for mark, others in groups.items()
    ]
