"""What an index holds, for a terminal and for machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askance.engines.held import IndexHeld
from askance.report.grid import Column, Grid
from askance.report.numbers import count, counted
from askance.report.texts import isolated, one_line, shorten

_MOST = 8  # relations, kinds or keys in one cell
_LONGEST = 60
_SCALES = {"lucene": "Lucene's", "legacy": "the legacy scale: lexical ones times 2.2, as OpenSearch 2 has them"}

COLUMNS = (Column("part"), Column("holds"))


def index_grid(made: IndexHeld) -> Grid:
    """A row a part: documents, what does not follow the schema and why, relations, fields, what filters may ask."""
    counts = made.counts
    rows = [["documents", count(counts.documents)]]
    if counts.wordless:
        rows.append(["without words", count(counts.wordless)])
    if made.deleted or made.superseded:
        gone = made.deleted + made.superseded
        rows.append(["deleted or replaced", f"{count(gone)}; their words count until the index is compacted"])
    if made.splits is None:
        rows.append(["split by a schema", "no: exact items and relations cannot be asked for"])
    else:
        rows.append(["split by a schema", f"{count(counts.with_items)} into items; it is {_kind(made)}"])
        rows.append(["outside the schema", _listed(counts.outside) or "none"])
        rows.append(["relations", _listed(counts.relations) or "none told"])
    fields = ", ".join(f"{name} ({count(number)})" for name, number in made.fields.items())
    rows.append(["text fields", fields])
    if counts.metadata:
        rows.append(["filters", _keys(counts.metadata)])
    vectors = made.settings.vectors
    rows.append(["vectors", f"{vectors.embedder}, {vectors.precision}, {vectors.lookup}" if vectors else "none"])
    rows.append(["scores", _SCALES[made.settings.scale]])
    return Grid(f"{made.place}: {counted(counts.documents, 'document', 'documents')}", COLUMNS, rows)


def index_lines(notes: Sequence[str]) -> Iterator[str]:
    """What the reader should know of how it was made."""
    yield from (f"• {note}" for note in notes)


def index_record(made: IndexHeld, notes: Sequence[str] = ()) -> dict[str, Any]:
    """The machine form: askance/index/1."""
    counts = made.counts
    return {
        "schema": "askance/index/1",
        "place": made.place,
        "engine": made.engine,
        "documents": counts.documents,
        "deleted": made.deleted,
        "replaced": made.superseded,
        "without_words": counts.wordless,
        "splits": None if made.splits is None else _kind(made),
        "with_items": counts.with_items,
        "outside": dict(counts.outside),
        "relations": dict(counts.relations),
        "fields": dict(made.fields),
        "metadata": {key: dict(kinds) for key, kinds in counts.metadata.items()},
        "settings": made.settings.model_dump(mode="json"),
        "scale": made.settings.scale,
        "notes": list(notes),
    }


def _kind(made: IndexHeld) -> str:
    return str((made.splits or {}).get("kind"))


def _listed(numbers: Mapping[str, int]) -> str:
    """Names with their numbers, the largest first, at most a line of them."""
    order = sorted(numbers, key=lambda name: (-numbers[name], name))
    shown = [f"{_name(name)} ({count(numbers[name])})" for name in order[:_MOST]]
    return ", ".join(shown) + _more(len(order))


def _keys(metadata: Mapping[str, Mapping[str, int]]) -> str:
    shown = [f"{_name(key)} ({', '.join(kinds)})" for key, kinds in list(metadata.items())[:_MOST]]
    return ", ".join(shown) + _more(len(metadata))


def _name(name: str) -> str:
    return isolated(shorten(one_line(name), _LONGEST))


def _more(many: int) -> str:
    return f" … and {count(many - _MOST)} more" if many > _MOST else ""
