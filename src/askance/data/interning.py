"""Positions for identifiers that come in columns, in order of first appearance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from askance.data.ids import Ids
from askance.data.rows import Positions

if TYPE_CHECKING:
    from polars import Series


class Interner:
    """Numbers the names of one column after another; equal names get equal positions, also across files.

    polars keeps the dictionary, since one of Python's costs ten times the time and memory.
    """

    def __init__(self) -> None:
        import polars

        self._categories = polars.Categories.random()
        # polars forgets a dictionary that no column uses
        self._kept = polars.Series([], dtype=polars.Categorical(self._categories))
        self._length = 0
        self._ascii = True

    def positions(self, names: Series, *, ascii: bool = False) -> Positions:
        """The position of each name [rows]; no entry may be null. `ascii`: they are known to be."""
        self._ascii &= ascii
        codes = names.cast(self._kept.dtype).to_physical().to_numpy().view(np.int32)
        self._length = max(self._length, int(codes.max(initial=-1)) + 1)
        return codes

    def grouped_positions(self, names: Series) -> Positions:
        """The same, quick where equal names stand together, as the rows of one query do."""
        runs = names.rle().struct.unnest()
        return np.repeat(self.positions(runs["value"]), runs["len"].to_numpy())

    def ids(self) -> Ids:
        """All names so far; those that come later get other positions."""
        length = self._length

        def listed() -> Series:
            return self._categories.to_series().rename("names").head(length)

        return Ids.later(length, listed, source=self, ascii=self._ascii)
