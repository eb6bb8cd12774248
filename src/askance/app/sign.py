"""Is lexical signal friend or enemy here? In seconds, without a model."""

from __future__ import annotations

from askance.core.progress import Progress
from askance.study.collections import domain_of, open_collection
from askance.study.quick_sign import LexicalSign, quick_sign


def sign(collection: str, *, tier: str | None = None, progress: Progress | None = None) -> LexicalSign:
    """Both readings of the lexical sign. `collection`: a BEIR folder, a public name, or STUDY.toml#domain."""
    entry, name, beside = domain_of(collection)
    found = open_collection(name, beside=beside, progress=progress)
    return quick_sign(found, entry=entry, tier=tier, progress=progress)
