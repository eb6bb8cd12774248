"""Items in documents whose list the schema cannot read: what stands around items elsewhere stands around them there.

A sentence that the schema knows, with a part in the middle of its list that it does not know, holds its other items all
the same. Where the first or last part is unknown, it may belong to the sentence ("likes no Tea, Salt") and turn its
meaning: such a document is not read in this way, nor is one with another sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from askance.data.fields.schema import Fields, Outside
from askance.text.analyzer import Analyzer

_LOOKED_AT = 500  # split documents that the edges are learned from
_LEAST_SHARE = 0.02  # of these must share an edge
_SENTENCE_IS_KNOWN = frozenset({"unknown item", "not a list"})


class Edges:
    """What stands before and behind items, and the texts of documents whose sentence is known and whose list is not."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._seen = 0
        self._first: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        self._behind: Counter[str] = Counter()
        self._last: Counter[str] = Counter()
        self._texts: dict[int, str] = {}
        self._offsets: dict[int, list[tuple[int, int]]] = {}

    def add(self, document: int, text: str, parts: Fields | Outside) -> None:
        """The next document."""
        if isinstance(parts, Outside):
            if parts.kind in _SENTENCE_IS_KNOWN:
                self._texts[document] = text
        elif self._seen < _LOOKED_AT and parts.items:
            self._learn(text, parts)

    def settle(self, forms: Iterable[str]) -> None:
        """All documents are there, and these are the items: texts whose first or last part is none are let go."""
        known = frozenset(forms)
        self._texts = {document: text for document, text in self._texts.items() if self._is_whole(text, known)}

    def __contains__(self, document: int) -> bool:
        return document in self._texts

    def is_item(self, document: int, first: int, last: int) -> bool:
        """Whether the words [first, last) of the document stand there as an item does."""
        text = self._texts[document]
        if document not in self._offsets:
            self._offsets[document] = [(token.start, token.end) for token in self._analyzer.tokens(text)]
        begin, end = self._offsets[document][first][0], self._offsets[document][last - 1][1]
        if not any(text.endswith(edge, 0, begin) for edge in self._common(self._before)):
            return False
        rest = text[end:]
        return rest in self._common(self._last) or any(map(rest.startswith, self._common(self._behind)))

    def _is_whole(self, text: str, known: frozenset[str]) -> bool:
        """Whether the list begins and ends with items."""
        between = self._common(self._before & self._behind)
        for opening in self._common(self._first):
            _, found, rest = text.partition(opening)
            for closing in self._common(self._last) if found else ():
                if rest.endswith(closing):
                    parts = (
                        re.split("|".join(map(re.escape, between)), rest.removesuffix(closing)) if between else [rest]
                    )
                    if parts[0] in known and parts[-1] in known:
                        return True
        return False

    def _learn(self, text: str, parts: Fields) -> None:
        found: list[tuple[int, int]] = []
        at = text.find(parts.name) + len(parts.name) if parts.name and parts.name in text else 0
        start = at
        for item in parts.items:
            begin = text.find(item, at)
            if begin < 0:
                return
            at = begin + len(item)
            found.append((begin, at))
        self._seen += 1
        ends = [start, *(end for _, end in found)]
        self._first.update([text[start : found[0][0]]])
        self._before.update({text[end:begin] for end, (begin, _) in zip(ends, found, strict=False)})
        self._behind.update({text[end:begin] for end, (begin, _) in zip(ends[1:], found[1:], strict=False)})
        self._last.update([text[at:]])

    def _common(self, edges: Counter[str]) -> list[str]:
        return [edge for edge, times in edges.items() if edge and times >= max(_LEAST_SHARE * self._seen, 1)]
