"""Verify a result folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from askance.report.page import render
from askance.study.collections import open_collection
from askance.study.folder import read_manifest
from askance.study.results import Results
from askance.study.verify import Finding, Verification
from askance.study.verify import verify as verify_folder


def verify(folder: str | Path) -> Verification:
    """Recompute the figures of a result folder from the runs in it; collections are opened as the study opened them."""
    path = Path(folder)
    found = verify_folder(path, open_collection=partial(open_collection, beside=read_manifest(path).beside))
    return replace(found, findings=[*found.findings, *_report(path)])


def _report(folder: Path) -> Iterator[Finding]:
    """The page is made from results.json alone: made again, it must be the same."""
    page = folder / "report.html"
    results = Results.model_validate_json((folder / "results.json").read_bytes())
    if not page.exists():
        yield Finding("report.html", "the file is missing")
    elif page.read_bytes() != render(results).encode():
        yield Finding("report.html", "it is not the page that results.json makes")
