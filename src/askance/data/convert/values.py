"""Identifiers and numbers as other programs hand them over: taken where they have one meaning, refused elsewhere."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, MissingExtra
from askance.data.formats.layouts import VALUE, Kind
from askance.data.pair_columns import PairColumns

Where = Callable[[int], str]


def identifiers(given: Sequence[object], what: str, where: Where) -> list[str]:
    """Text as it is, whole numbers as their digits; DataProblem on anything else. `where`: the place of an entry."""
    if set(map(type, given)) <= {str}:
        names = list(given)
    else:
        names = [_identifier(one, what, where, at) for at, one in enumerate(given)]
    if "" in names:
        raise DataProblem(f"{where(names.index(''))}: the {what} is empty", remedy="Fill it in.")
    return names  # type: ignore[return-value]  # all of them are text, as the set of types says


def finite_numbers(given: Sequence[object], what: str, where: Where) -> NDArray[np.float64]:
    """Numbers of Python or numpy as float64; DataProblem on text, truth values, NaN and infinity."""
    kinds = set(map(type, given))
    if not kinds <= {int, float}:
        for at, one in enumerate(given):
            if isinstance(one, bool | np.bool_) or not isinstance(one, numbers.Real):
                raise DataProblem(
                    f"{where(at)}: the {what} is {one!r} ({type(one).__name__}), expected a number",
                    remedy="Turn it into a number.",
                )
    try:
        found = np.array([float(one) for one in given] if kinds - {int, float} else given, dtype=np.float64)  # type: ignore[arg-type]
    except OverflowError:
        found = np.array([_float(one) for one in given])
    odd = np.flatnonzero(~np.isfinite(found))
    if len(odd):
        at = int(odd[0])
        raise DataProblem(
            f"{where(at)}: the {what} is {str(given[at])[:40]}, expected a finite number", remedy="Use finite numbers."
        )
    return found


def once(columns: PairColumns, kind: Kind) -> PairColumns:
    """The same columns; DataProblem where a pair comes twice."""
    if columns.has_repeats():
        rows, firsts = columns.repeats()
        query, document = (
            columns.queries[int(columns.query[rows[0]])],
            columns.documents[int(columns.document[rows[0]])],
        )
        again, before = float(columns.value[rows[0]]), float(columns.value[firsts[0]])
        raise DataProblem(
            f"query {query!r} and document {document!r} occur twice, with the {VALUE[kind]} {before!r} and {again!r}",
            remedy='Keep one entry per query and document; 7 and "7" are one identifier.',
        )
    return columns


def other_tool(name: str) -> Any:
    """The package of that name; MissingExtra where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(f"handing over to {name}", f"pip install {name}") from None


def as_integers(grades: Iterable[float], tool: str) -> list[int]:
    """Grades for a tool that knows whole numbers only; DataProblem where one is a fraction."""
    whole = []
    for grade in grades:
        if grade != int(grade):
            raise DataProblem(
                f"the grade {grade!r} is a fraction, and {tool} knows whole grades only",
                remedy="Choose whole grades, or measure with askance.",
            )
        whole.append(int(grade))
    return whole


def _identifier(one: object, what: str, where: Where, at: int) -> str:
    if isinstance(one, str):
        return str(one)
    if isinstance(one, numbers.Integral) and not isinstance(one, bool | np.bool_):
        return str(int(one))
    hint = " A number with a fraction can be written in several ways." if isinstance(one, numbers.Real) else ""
    raise DataProblem(
        f"{where(at)}: the {what} is {one!r} ({type(one).__name__}), expected text or a whole number",
        remedy=f"Turn it into text.{hint}",
    )


def _float(one: object) -> float:
    try:
        return float(one)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
