"""Is lexical signal friend or enemy here? In seconds, without a model."""

from __future__ import annotations

from askance.core.progress import Progress
from askance.study.collections import named, open_collection
from askance.study.quick_sign import LexicalSign, quick_sign
from askance.study.sign import Draws


def sign(collection: str, *, tier: str | None = None, progress: Progress | None = None) -> LexicalSign:
    """Both readings of the lexical sign. `collection`: a BEIR folder, a public name, or STUDY.toml#domain."""
    told = named(collection)
    found = open_collection(told.collection, beside=told.folder, progress=progress)
    draws = Draws(told.study.seed, told.study.resamples) if told.study else None
    return quick_sign(found, entry=told.domain, tier=tier, draws=draws, progress=progress)
