"""What an index holds, for a terminal and for machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from askance.engines.embedded.manifest import Manifest
from askance.report.grid import Column, Grid
from askance.report.numbers import count, counted
from askance.report.texts import isolated, one_line

_MOST = 8  # relations, kinds or keys in one cell

COLUMNS = (Column("index"), Column("holds"))


def index_grid(made: Manifest, place: Path) -> Grid:
    """A row a part: documents, what does not follow the schema and why, relations, fields, what filters may ask."""
    counts = made.counts
    rows = [["documents", count(counts.documents)]]
    if made.deleted or made.superseded:
        gone = made.deleted + made.superseded
        rows.append(["deleted or replaced", f"{count(gone)}; their words count until the index is compacted"])
    if made.splits is not None:
        split = f"{count(counts.with_items)} have items; the schema is {_schema_kind(made)}"
        rows.append(["split by the schema", split])
        rows.append(["outside the schema", _listed(counts.outside) or "none"])
        rows.append(["relations", _listed(counts.relations) or "none told"])
    fields = ", ".join(f"{name} ({count(made.fields[name].documents)})" for name in made.text_fields)
    rows.append(["text fields", fields])
    if counts.metadata:
        shown = [isolated(one_line(key)) for key in counts.metadata]
        more = f" … and {len(shown) - _MOST} more" if len(shown) > _MOST else ""
        rows.append(["filters", ", ".join(shown[:_MOST]) + more])
    vectors = made.settings.vectors
    rows.append(["vectors", f"{vectors.embedder}, {vectors.precision}, {vectors.lookup}" if vectors else "none"])
    rows.append(["scores", made.scale])
    return Grid(f"{place}: {counted(counts.documents, 'document', 'documents')}", COLUMNS, rows)


def index_record(made: Manifest, place: Path) -> dict[str, Any]:
    """The machine form: askance/index/1."""
    counts = made.counts
    return {
        "schema": "askance/index/1",
        "place": str(place),
        "documents": counts.documents,
        "deleted": made.deleted,
        "replaced": made.superseded,
        "splits": None if made.splits is None else _schema_kind(made),
        "with_items": counts.with_items,
        "outside": dict(counts.outside),
        "relations": dict(counts.relations),
        "fields": {name: made.fields[name].documents for name in made.text_fields},
        "metadata": {key: dict(kinds) for key, kinds in counts.metadata.items()},
        "settings": made.settings.model_dump(mode="json"),
        "scale": made.settings.scale,
    }


def _schema_kind(made: Manifest) -> str:
    return str((made.splits or {}).get("kind"))


def _listed(numbers: dict[str, int]) -> str:
    """Names with their numbers, the largest first, at most a line of them."""
    order = sorted(numbers, key=lambda name: (-numbers[name], name))
    shown = [f"{isolated(one_line(name))} ({count(numbers[name])})" for name in order[:_MOST]]
    return ", ".join(shown) + (f" … and {len(order) - _MOST} more" if len(order) > _MOST else "")
