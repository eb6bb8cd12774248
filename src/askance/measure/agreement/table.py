"""Label sets side by side: one row a set, one column a (query, document) pair, each label a place on one scale.

A label that is not on the scale is no label: it is named with its line, and counted, never moved to the nearest one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, DataProblem
from askance.data.formats.labels import LabelRow, LabelSet
from askance.data.ids import Ids
from askance.measure.judged import Counts

Scale = tuple[float, ...]
Codes = NDArray[np.int64]
Pair = tuple[str, str]

NONE = -1
MOST_VALUES = 50

OFF_SCALE = "pairs with labels off the scale only"
CONTRADICTORY = "pairs labelled twice, differently"
UNKNOWN = "pairs that gold does not have"
MISSING = "pairs without a label"


@dataclass(frozen=True)
class Column:
    """One label set on the scale.

    `codes` int64 [items]: places on the scale, −1 where there is no usable label. `off_scale`: rows whose label is not
    on it. `repeated`: rows that say the same of a pair once more; they count once. `unknown`: labelled pairs that are
    no item. Every item has a code, or is `contradictory` (several labels of the scale), `unusable` (labels off the
    scale only) or `missing` (the file says nothing of it).
    """

    name: str
    path: str
    labels: int
    codes: Codes
    off_scale: tuple[LabelRow, ...]
    repeated: int
    unknown: int
    contradictory: int
    unusable: int
    missing: int

    @property
    def left_out(self) -> dict[str, int]:
        """Why pairs are not compared: reason → count, only what occurs."""
        counts = {
            OFF_SCALE: self.unusable,
            CONTRADICTORY: self.contradictory,
            UNKNOWN: self.unknown,
            MISSING: self.missing,
        }
        return {reason: count for reason, count in counts.items() if count}


@dataclass(frozen=True, eq=False)
class LabelTable:
    """Label sets over the same items.

    `items`: gold's pairs where there is gold, else every pair that a set labels. `query` int64 [items]: the position
    in `queries` of each item's query. `scale_from`: who said the scale.
    """

    scale: Scale
    scale_from: Literal["told", "gold", "found"]
    items: tuple[Pair, ...]
    queries: Ids
    query: Counts
    sets: tuple[Column, ...]
    gold: Column | None

    def codes(self) -> Codes:
        """All label sets, gold not among them: int64 [sets, items]."""
        return np.array([column.codes for column in self.sets], dtype=np.int64).reshape(len(self.sets), len(self.items))


def lay_out(sets: Sequence[LabelSet], gold: LabelSet | None, scale: Scale | None = None) -> LabelTable:
    """Bring label sets onto one scale and one list of pairs.

    `scale` None: gold's labels, with the whole numbers between them where all are whole; without gold, every number
    that occurs. BadInput where that gives fewer than two labels or more than fifty; DataProblem where the sets and
    gold share no pair.
    """
    told: Literal["told", "gold", "found"] = "told" if scale else "gold" if gold else "found"
    places = place_of(scale or _scale_of([gold] if gold else sets, whole=gold is not None))
    pairs = _pairs([gold] if gold else sets)
    items = {pair: at for at, pair in enumerate(pairs)}
    queries = Ids(dict.fromkeys(query for query, _ in items))
    return LabelTable(
        tuple(places),
        told,
        tuple(items),
        queries,
        np.array([queries.position(query) for query, _ in items], dtype=np.int64),
        tuple(_column(one, items, places) for one in sets),
        _column(gold, items, places) if gold else None,
    )


def check_shared(table: LabelTable) -> None:
    """DataProblem, with examples of both sides, where no label set has a single pair of gold's."""
    if table.gold is None or any(len(table.items) > column.missing for column in table.sets):
        return
    raise DataProblem(
        f"no label set has a pair of gold's: {table.gold.name} labels {_examples(table.items)}, and not one of its "
        f"{len(table.items):,} pairs is in {', '.join(column.name for column in table.sets[:3])}",
        remedy="Are these labels of one collection? Identifiers are compared letter by letter.",
    )


def grades_of(one: LabelSet, scale: Scale) -> dict[str, dict[str, float]]:
    """{query: {document: label}} of a set's usable labels, gold's pairs or not: as `lay_out` uses them."""
    said: dict[Pair, set[float]] = {}
    for row in one.rows:
        number = row.number
        if number is not None and number in scale:
            said.setdefault((row.query, row.document), set()).add(number)
    grades: dict[str, dict[str, float]] = {}
    for (query, document), labels in said.items():
        if len(labels) == 1:
            grades.setdefault(query, {})[document] = next(iter(labels))
    return grades


def place_of(scale: Sequence[float]) -> dict[float, int]:
    """Label → its place on the scale, ascending; BadInput where there are fewer than two or more than fifty."""
    values = sorted(set(scale))
    if len(values) < 2:
        raise BadInput(f"a scale of {len(values)} labels tells nothing apart", remedy="Name it, e.g. --scale 0,1,2,3.")
    if len(values) > MOST_VALUES:
        raise BadInput(
            f"the labels take {len(values)} values, from {values[0]:g} to {values[-1]:g}",
            remedy="Name the scale, e.g. --scale 0,1,2,3; labels that are not on it are counted.",
        )
    return {value: place for place, value in enumerate(values)}


def _scale_of(sets: Sequence[LabelSet], *, whole: bool) -> Scale:
    found = {row.number for one in sets for row in one.rows} - {None}
    values = sorted(value for value in found if value is not None)
    between = bool(values) and all(value.is_integer() for value in values) and values[-1] - values[0] < MOST_VALUES
    if whole and between:
        return tuple(float(value) for value in range(int(values[0]), int(values[-1]) + 1))
    return tuple(values)


def _pairs(sets: Sequence[LabelSet]) -> list[Pair]:
    """Every pair once, query by query, in order of appearance."""
    by_query: dict[str, dict[str, None]] = {}
    for one in sets:
        for row in one.rows:
            by_query.setdefault(row.query, {})[row.document] = None
    return [(query, document) for query, documents in by_query.items() for document in documents]


def _column(one: LabelSet, items: Mapping[Pair, int], places: Mapping[float, int]) -> Column:
    off_scale: list[LabelRow] = []
    said: dict[Pair, set[int]] = {}
    on_scale = 0
    for row in one.rows:
        number = row.number
        place = None if number is None else places.get(number)
        labels = said.setdefault((row.query, row.document), set())
        if place is None:
            off_scale.append(row)
        else:
            on_scale += 1
            labels.add(place)
    codes = np.full(len(items), NONE, dtype=np.int64)
    different = dict.fromkeys((0, 1, 2), 0)
    for pair, labels in said.items():
        at = items.get(pair)
        if at is not None:
            different[min(len(labels), 2)] += 1
            codes[at] = next(iter(labels)) if len(labels) == 1 else NONE
    codes.setflags(write=False)
    return Column(
        name=one.name,
        path=str(one.path),
        labels=len(one.rows),
        codes=codes,
        off_scale=tuple(off_scale),
        repeated=on_scale - sum(map(len, said.values())),
        unknown=len(said) - sum(different.values()),
        contradictory=different[2],
        unusable=different[0],
        missing=len(items) - sum(different.values()),
    )


def _examples(pairs: Sequence[Pair]) -> str:
    return ", ".join(f"{query} {document}" for query, document in pairs[:3]) + (" …" if len(pairs) > 3 else "")
