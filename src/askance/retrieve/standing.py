"""An index that stands already, searched in place of one that a retriever makes of its documents."""

from __future__ import annotations

import numpy as np

from askance.core.errors import BadInput
from askance.data.rows import Positions
from askance.engines.engine import Engine
from askance.engines.registry import open_engine
from askance.models.embedder import Embedder
from askance.retrieve.retriever import RetrievalTask

_SHOWN = 3


def standing(place: str, task: RetrievalTask, embedder: Embedder | None = None) -> tuple[Engine, Positions]:
    """The engine at a place, and where its documents stand among those of the task [positions of the index].

    Documents are matched by their identifiers. BadInput unless the index holds those of the task, with the same texts,
    and no others: scores depend on all that it holds.
    """
    engine = open_engine(place, embedder)
    left = {id: at for at, id in enumerate(task.documents)}
    places: dict[int, int] = {}
    others, changed = [], []
    for position, source in engine.sources():
        at = left.pop(source.id, None)
        if at is None:
            others.append(source.id)
            continue
        places[position] = at
        if source.text != task.document_texts[at]:
            changed.append(source.id)
    for ids, said in (
        (list(left), "lacks {} of the study"),
        (others, "holds {} that the study has not"),
        (changed, "holds {} with another text than the study reads"),
    ):
        if ids:
            raise BadInput(f"{engine.card.place} {said.format(_counted(ids))}", remedy=_REMEDY)
    found = np.full(max(places, default=-1) + 1, -1, dtype=np.int32)
    found[list(places)] = list(places.values())
    return engine, found


_REMEDY = "Build the index of the study's documents and the field that it embeds, or leave `index` out."


def _counted(ids: list[str]) -> str:
    shown = ", ".join(repr(id) for id in ids[:_SHOWN])
    more = f", and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
    return f"{len(ids):,} document{'s' if len(ids) > 1 else ''} ({shown}{more})"
