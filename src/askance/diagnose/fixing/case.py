"""What is to be mended: one system of one domain, its collection, and what counts as a hit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from askance.data.collection import Collection, Tier
from askance.measure.judged import Mask
from askance.measure.measures import Measure
from askance.models.embedder import Embedder
from askance.study.file import DomainEntry, ModelEntry, StudyEntry, SystemEntry


@dataclass(frozen=True)
class FixCase:
    """One system, and all that its candidates may be made of.

    `before`: systems that it needs, run first; `embedders`: models by their name in the study; `mask` [queries]: the
    queries that count; `beside`: the folder of the study file, for relative paths.
    """

    study: StudyEntry
    name: str
    entry: DomainEntry
    system: SystemEntry
    before: tuple[SystemEntry, ...]
    collection: Collection
    tier: Tier
    mask: Mask
    measure: Measure
    models: Mapping[str, ModelEntry]
    embedders: Mapping[str, Embedder]
    beside: Path | None = None
