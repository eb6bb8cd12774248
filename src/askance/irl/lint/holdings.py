"""Which document holds which item, in which relation, and what it is called."""

from __future__ import annotations

from array import array
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from askance.data.fields.schema import Fields, Outside
from askance.irl.lint.words import WordsBuilder
from askance.text.analyzer import Analyzer


class HoldingsBuilder:
    """Takes what a schema made of the documents, one by one, and keeps numbers of written forms only."""

    def __init__(self, words: WordsBuilder) -> None:
        self._words = words
        self._forms: dict[str, int] = {}
        self._relations: dict[str | None, int] = {None: 0}
        self._form, self._relation, self._lengths = array("i"), array("i"), array("q")
        self._names: list[str | None] = []
        self._outside: list[str] = []

    def add(self, parts: Fields | Outside) -> None:
        """The next document."""
        if isinstance(parts, Outside):
            self._lengths.append(0)
            self._names.append(None)
            self._outside.append(parts.kind or "outside")
            return
        forms, before = self._forms, len(self._form)
        for fact in parts.facts:
            self._form.extend([forms.setdefault(item, len(forms)) for item in fact.items])
            relation = self._relations.setdefault(fact.relation, len(self._relations))
            self._relation.extend([relation] * len(fact.items))
        self._lengths.append(len(self._form) - before)
        self._names.append(parts.name)
        self._outside.append("")

    def build(self) -> Holdings:
        """All of them. The builder is not used after it."""
        terms = [self._words.numbers(form) for form in self._forms]
        keys: dict[tuple[int, ...], int] = {}
        key = [keys.setdefault(tuple(each), len(keys)) for each in terms]
        return Holdings(
            self._words.analyzer,
            np.array(self._form, dtype=np.int32),
            np.array(self._relation, dtype=np.int32),
            np.array(self._lengths, dtype=np.int64),
            list(self._forms),
            np.array(key, dtype=np.int32),
            keys,
            [relation or "" for relation in self._relations],
            self._names,
            self._outside,
        )


class Holdings:
    """The items of all documents one after another, and per document what else the schema found.

    `form` int32 [held]: the number of the item's written form, in `forms`; `relation` int32 [held]: the number of its
    relation in `relations`, the first of which is none. `offsets` int64 [documents + 1] into these. `key` int32
    [forms]: the number of the form's words; `keys`: the number of each sequence of term numbers, in order. `names` and
    `outside` [documents]: None and "" where there is none.
    """

    def __init__(
        self,
        analyzer: Analyzer,
        form: NDArray[np.int32],
        relation: NDArray[np.int32],
        lengths: NDArray[np.int64],
        forms: list[str],
        key: NDArray[np.int32],
        keys: dict[tuple[int, ...], int],
        relations: list[str],
        names: list[str | None],
        outside: list[str],
    ) -> None:
        self.analyzer = analyzer
        self.form, self.relation, self.forms, self.relations = form, relation, forms, relations
        self.key, self.keys, self.terms = key, keys, list(keys)
        self.names, self.outside = names, outside
        self.offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        held = key[form]
        self._order = np.argsort(held, kind="stable")
        self._begin = np.concatenate([[0], np.cumsum(np.bincount(held, minlength=len(keys)))]).astype(np.int64)

    def of_document(self, document: int) -> slice:
        """Where its items stand in the columns."""
        return slice(int(self.offsets[document]), int(self.offsets[document + 1]))

    def of_key(self, key: int) -> NDArray[np.int64]:
        """Where items with these words stand in the columns; ascending."""
        return self._order[self._begin[key] : self._begin[key + 1]]

    def document(self, held: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which document each place of the columns belongs to."""
        found: NDArray[np.int64] = np.searchsorted(self.offsets, held, side="right") - 1
        return found

    def like_relation(self, name: str) -> frozenset[int]:
        """Numbers of the relations with the words of `name`, and of none: such items may stand in any."""
        wanted = self.analyzer.terms(name)
        return frozenset(at for at, each in enumerate(self.relations) if not at or self.analyzer.terms(each) == wanted)

    def written(self, key: int) -> list[str]:
        """The ways the item is written, most frequent first."""
        counts = Counter(self.form[self.of_key(key)].tolist())
        return [self.forms[form] for form, _ in counts.most_common()]

    def reasons_outside(self) -> dict[str, int]:
        """Reason → documents that the schema does not split."""
        return dict(Counter(kind for kind in self.outside if kind))
