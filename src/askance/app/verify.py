"""Verify a result folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from askance.study.collections import open_collection
from askance.study.folder import read_manifest
from askance.study.verify import Verification
from askance.study.verify import verify as verify_folder


def verify(folder: str | Path) -> Verification:
    """Recompute the figures of a result folder from the runs in it; collections are opened as the study opened them."""
    path = Path(folder)
    beside = read_manifest(path).study_folder
    return verify_folder(path, open_collection=partial(open_collection, beside=Path(beside) if beside else None))
