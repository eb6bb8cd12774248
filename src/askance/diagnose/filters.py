"""Gold that a filter kept out, read from what the listed documents have in common and gold has not.

A facet is a field with few values (or numbers). Gold is kept out where (1) the list of its query has one value alone,
or nothing but numbers on one side, and gold is elsewhere; or (2) no list of the system holds gold's value at all. Said
only where that is unlikely for lists made without a filter: below 1 in 10,000, were documents listed by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np

from askance.data.collection import Documents
from askance.diagnose.case import System
from askance.diagnose.causes import FILTER
from askance.diagnose.filter_values import written
from askance.diagnose.waterfall import Lost
from askance.measure.judged import Counts, Mask, Values

MOST_VALUES = 50
UNLIKELY = 1e-4

Facets = Mapping[str, Sequence[str]]


def facets_of(documents: Documents, filters: Facets | None = None) -> dict[str, Sequence[str]]:
    """Fields with at least two and at most MOST_VALUES values, less than half as many as documents; and numbers.

    `filters`: what filters can ask for; where a field of text has the same name, its values are those.
    """
    columns = {**documents.fields, **(filters or {})}
    return {name: column for name, column in columns.items() if is_facet(column)}


def is_facet(column: Sequence[str]) -> bool:
    """Whether a field says of what kind a document is, and not what it is."""
    values = set(column)
    if len(values) < 2:
        return False
    return (len(values) <= MOST_VALUES and 2 * len(values) <= len(column)) or all(map(_is_number, values - {""}))


class FilteredOut:
    """The reason `filter`."""

    cause = FILTER

    def __init__(self, system: System, facets: Facets) -> None:
        self._run = system.run
        self._facets = {name: _Facet(column) for name, column in facets.items()}
        self._listed = np.zeros(len(system.run.documents), dtype=np.bool_)
        self._listed[system.run.document] = True

    def why(self, lost: Lost) -> str | None:
        if lost.rank is not None or self._listed[lost.gold]:
            return None
        listed, _ = self._run.of_query(lost.query)
        for name, facet in self._facets.items():
            said = facet.keeps_out(name, lost.gold, listed.astype(np.int64), len(self._run), self._listed)
            if said:
                return said
        return None


class _Facet:
    """One field as codes, and as numbers where all its values are."""

    def __init__(self, column: Sequence[str]) -> None:
        self.values = list(dict.fromkeys(column))
        code = {value: at for at, value in enumerate(self.values)}
        self.code = np.array([code[value] for value in column], dtype=np.int64)
        self.share = np.bincount(self.code, minlength=len(self.values)) / max(len(column), 1)
        self.number: Values | None = None
        if all(map(_is_number, (value for value in self.values if value))):
            self.number = np.array([float(value) if value else np.nan for value in column])

    def keeps_out(self, name: str, gold: int, listed: Counts, rows: int, ever: Mask) -> str | None:
        """Said of `gold`, which is not listed. `rows`: of all lists; `ever`: documents that are in some list."""
        mine = self.code[gold]
        found = np.unique(self.code[listed])
        if len(found) == 1 and found[0] != mine and self.share[found[0]] ** len(listed) < UNLIKELY:
            return f"every listed document has {name} {self._said(found[0])!r}, and it has {self._said(mine)!r}"
        if self.number is not None and len(listed):
            here, there = self.number[gold], self.number[listed]
            for beyond, side in ((self.number > here, "above"), (self.number < here, "below")):
                if beyond[listed].all() and float(beyond.mean()) ** len(listed) < UNLIKELY:
                    span = f"{written(float(there.min()))} to {written(float(there.max()))}"
                    return f"every listed document has a {name} of {span}, {side} its {written(float(here))}"
        held = np.unique(self.code[ever])
        if len(self.values) <= MOST_VALUES and mine not in held and (1 - self.share[mine]) ** rows < UNLIKELY:
            return f"no list holds a document with {name} {self._said(mine)!r}"
        return None

    def _said(self, code: int) -> str:
        return self.values[code][:60]


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
