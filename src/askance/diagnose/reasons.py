"""Which reasons are looked for in a system, given what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from askance.diagnose.case import Case, System, VectorsSeen, Window
from askance.diagnose.causes import LONGER_ITEM, NAME
from askance.diagnose.collisions import HeldElsewhere, Holders
from askance.diagnose.filters import Facets, FilteredOut, facets_of
from askance.diagnose.indexed import InNoList, NotInIndex
from askance.diagnose.vector_faults import NoVector, OtherModel, scores_are_cosines
from askance.diagnose.waterfall import Reason, Waterfall, waterfall
from askance.diagnose.window import BehindTheCut
from askance.diagnose.word_forms import OtherForms, WordForms, matches_words


class Reasons:
    """Shares between the systems of a case what takes long to make."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._windows: dict[int, BehindTheCut] = {}
        self._words: dict[str, bool] = {}

    def waterfall(self, system: System) -> Waterfall:
        """The waterfall of a system."""
        return waterfall(self._case, system, list(self._before(system)), list(self._after(system)))

    def _before(self, system: System) -> Sequence[Reason]:
        case, texts, index, vectors = self._case, self._case.texts, self._case.index, self._vectors
        found: list[Reason] = []
        if index is not None:
            found.append(NotInIndex(index))
        if vectors is not None and not self._matches_words(system):
            found += [NoVector(vectors, texts[1] if texts else None), OtherModel(case, system, vectors)]
        if system.window is not None and texts is not None:
            found.append(self._cut(system.window, texts))
        found.append(FilteredOut(system, self._facets))
        if index is None:
            found.append(InNoList(case, system, self._matches_words(system)))
        if texts is not None and self._matches_words(system):
            found.append(OtherForms(system, self._forms, index.analyzer if index is not None else None))
        return found

    def _after(self, system: System) -> Sequence[Reason]:
        if not self._matches_words(system):
            return ()
        return [HeldElsewhere(cause, self._holders) for cause in (NAME, LONGER_ITEM)]

    def _matches_words(self, system: System) -> bool:
        """Whether the system ranks by words, as it says or as its lists do."""
        name = system.reranks or system.name
        if name not in self._words:
            self._words[name] = self._found_to_match_words(system)
        return self._words[name]

    def _found_to_match_words(self, system: System) -> bool:
        case = self._case
        if case.texts is None or (system.reads == "unknown" and case.vectors is not None):
            return False  # whoever hands over vectors says that the lists were made with them
        if system.reads == "unknown" and self._vectors is not None and scores_are_cosines(case, system, self._vectors):
            return False
        return matches_words(case, system, self._forms, case.index.analyzer if case.index else None)

    @property
    def _vectors(self) -> VectorsSeen | None:
        if self._case.vectors is not None:
            return self._case.vectors
        return self._case.index.vectors if self._case.index is not None else None

    def _cut(self, window: Window, texts: tuple[Sequence[str], Sequence[str]]) -> BehindTheCut:
        if id(window) not in self._windows:
            self._windows[id(window)] = BehindTheCut(window, texts)
        return self._windows[id(window)]

    @cached_property
    def _forms(self) -> WordForms:
        assert self._case.texts is not None
        return WordForms(self._case.texts)

    @cached_property
    def _holders(self) -> Holders:
        return Holders(self._case.collection)

    @cached_property
    def _facets(self) -> Facets:
        known = dict(facets_of(self._case.collection.documents, self._case.filters))
        if self._case.index is not None:
            known |= {name: each for name, each in self._case.index.metadata.items() if name not in known}
        return known
