"""Is lexical signal friend or enemy here? In seconds, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from askance.core.files import write_whole
from askance.core.progress import Progress
from askance.report.sign_bills import render_bills
from askance.study.collections import named, open_collection
from askance.study.quick_sign import LexicalSign, quick_sign
from askance.study.sign import Draws


def sign(collection: str, *, tier: str | None = None, progress: Progress | None = None) -> LexicalSign:
    """Both readings of the sign, and the bill. `collection`: a BEIR folder, a public name, or STUDY.toml#domain."""
    told = named(collection)
    found = open_collection(told.collection, beside=told.folder, progress=progress)
    draws = Draws(told.study.seed, told.study.resamples) if told.study else None
    return quick_sign(found, entry=told.domain, tier=tier, draws=draws, progress=progress)


def signs(
    collections: Sequence[str],
    *,
    tier: str | None = None,
    page: str | Path | None = None,
    progress: Progress | None = None,
) -> list[LexicalSign]:
    """The same of several collections. `page`: where to write a page with the bills of all of them in one chart."""
    found = [sign(collection, tier=tier, progress=progress) for collection in collections]
    if page is not None:
        write_whole(Path(page), render_bills(found))
    return found
