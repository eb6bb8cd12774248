"""Tables of plain rows, read many lines at once by polars.

Nothing is guessed here: wherever a file holds anything out of the ordinary, the answer is None, and the careful reader
(table_rows) reads it line by line and says what is wrong, or that nothing is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from askance.data.formats.ahead import one_ahead
from askance.data.formats.blocks import BLOCK, read_blocks
from askance.data.formats.layouts import Layout
from askance.data.formats.packed import DamagedFile
from askance.data.formats.spacing import evenly_spaced
from askance.data.ids import Ids
from askance.data.interning import Interner
from askance.data.pair_columns import NO_RANK, PairColumns
from askance.data.rows import Positions

if TYPE_CHECKING:
    from polars import DataFrame, Series

_OTHER_SPACE = {b" ": (b"\t", b"\v", b"\f", b"\r"), b"\t": (b" ", b"\v", b"\f", b"\r")}
_MOST_TAGS = 1000
_MOST_PACKED = 8  # how much smaller than its content a packed file may be

T = TypeVar("T")


def read_table_blocks(path: Path, layout: Layout, documents: Interner) -> PairColumns | None:
    """The rows of a table; None where a row, a number or the bytes of the file are not as they should be."""
    gathered = Gathered(documents)
    try:
        for frame, ascii in _some_ahead(path, _frames(path, layout)):
            if frame is None or not gathered.take(frame, ascii=ascii):
                return None
    except DamagedFile:
        return None
    return gathered.columns()


def _some_ahead(path: Path, frames: Iterator[T]) -> Iterator[T]:
    """The same frames, made ahead where there are several; a thread for one is a waste."""
    try:
        several = path.stat().st_size > BLOCK / _MOST_PACKED
    except OSError:
        several = False
    return one_ahead(frames) if several else frames


def _frames(path: Path, layout: Layout) -> Iterator[tuple[DataFrame | None, bool]]:
    """The rows of each block, None where they are not all plain; and whether the block is ASCII throughout."""
    for number, block in enumerate(read_blocks(path)):
        body = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        if not number and layout.header:
            body = body[body.find(b"\n") + 1 :] if b"\n" in body else b""
        if not body:
            continue
        frame = _plain_rows(body, layout)
        if frame is None and layout.by_space:
            frame = _plain_rows(evenly_spaced(body, layout.width), layout)
        yield frame, body.isascii()


class Gathered:
    """Columns that grow frame by frame: query, document and value, and rank and tag where there are any."""

    def __init__(self, documents: Interner) -> None:
        self._queries, self._documents = Interner(), documents
        self._query: list[Positions] = []
        self._document: list[Positions] = []
        self._value: list[NDArray[np.float64]] = []
        self._rank: list[Positions] = []
        self._tags: dict[str, None] = {}

    def take(self, frame: DataFrame, *, ascii: bool = False) -> bool:
        """Add these rows; False, and nothing added, where a value is not finite. `ascii`: all text is known to be."""
        value = frame["value"].to_numpy()
        if not np.isfinite(value).all():
            return False
        self._query.append(self._queries.grouped_positions(frame["query"]))
        self._document.append(self._documents.positions(frame["document"], ascii=ascii))
        self._value.append(value)
        if "rank" in frame.columns:
            self._rank.append(whole_ranks(frame["rank"]))
        if "tag" in frame.columns and frame.height:
            self._note_tags(frame["tag"])
        return True

    def columns(self, queries: Sequence[str] | None = None) -> PairColumns:
        """All of it; `queries`: every query in its order, where some have no rows."""
        ids, query = self._queries.ids(), _joined(self._query, np.dtype(np.int32))
        if queries is not None and len(queries) != len(ids):
            every = Ids(queries)
            query = np.array([every.position(name) for name in ids], dtype=np.int32)[query]
            ids = every
        return PairColumns(
            ids,
            self._documents.ids(),
            query,
            _joined(self._document, np.dtype(np.int32)),
            _joined(self._value, np.dtype(np.float64)),
            _joined(self._rank, np.dtype(np.int32)) if self._rank else None,
            tags=tuple(self._tags),
        )

    def _note_tags(self, tags: Series) -> None:
        """All names of systems, quick where there is one."""
        known = next(iter(self._tags), None) or tags[0]
        self._tags.setdefault(known)
        if (tags != known).any():
            self._tags.update(dict.fromkeys(tags.unique(maintain_order=True)[:_MOST_TAGS]))


def _plain_rows(body: bytes, layout: Layout) -> DataFrame | None:
    """Rows of one block whose cells stand between single separators; None where one is not like that."""
    separator = layout.separator.encode()
    if layout.by_space:
        if b"\t" in body[: body.find(b"\n")]:
            separator = b"\t"
        if any(space in body for space in _OTHER_SPACE[separator]):
            return None
    elif (b'"' in body and separator != b"\t") or b"\r" in body:
        return None
    frame = _parse(body, layout, separator)
    if frame is None or sum(frame.null_count().row(0)):
        return None
    if np.count_nonzero(np.frombuffer(body, dtype=np.uint8) == separator[0]) != (layout.width - 1) * frame.height:
        return None
    is_comment = layout.by_space and (frame["query"] == "#").any()
    return None if is_comment else frame


def _parse(body: bytes, layout: Layout, separator: bytes) -> DataFrame | None:
    """The columns that matter; ranks as numbers, or as text where one is none."""
    import polars

    wanted = {layout.query: "query", layout.document: "document", layout.value: "value"}
    for at, name in ((layout.rank, "rank"), (layout.tag, "tag")):
        if at is not None:
            wanted[at] = name
    if layout.tag is None and layout.width - 1 not in wanted:
        wanted[layout.width - 1] = "last"  # a row that is cut short has none
    names = [wanted.get(at, f"column {at}") for at in range(layout.width)]
    for rank_type in (polars.Int64(), polars.String()):
        schema = dict.fromkeys(names, polars.String()) | {"value": polars.Float64(), "rank": rank_type}
        try:
            return polars.read_csv(
                body,
                schema={name: schema[name] for name in names},
                separator=separator.decode(),
                has_header=False,
                quote_char=None,
                columns=sorted(wanted),
            )
        except polars.exceptions.PolarsError:
            if layout.rank is None:
                break
    return None


def whole_ranks(ranks: Series) -> Positions:
    """Ranks as int32 [rows], NO_RANK where one is no whole number from 0 on."""
    import polars

    numbers = ranks.cast(polars.Int64, strict=False).fill_null(NO_RANK).to_numpy()
    within = (numbers >= 0) & (numbers <= np.iinfo(np.int32).max)
    return np.where(within, numbers, NO_RANK).astype(np.int32)


def _joined(pieces: list[NDArray], dtype: np.dtype) -> NDArray:  # type: ignore[type-arg]
    """All pieces in one array; they are let go on the way."""
    if len(pieces) == 1:
        return pieces.pop()
    whole = np.concatenate(pieces) if pieces else np.zeros(0, dtype=dtype)
    pieces.clear()
    return whole
