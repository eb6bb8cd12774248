"""Composed questions over a collection as a BEIR folder with a manifest, which appears whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance import __version__
from askance.build.limit.compositions import TEMPLATES, Compositions, CompositionSettings, compositions
from askance.core.errors import FileProblem
from askance.core.files import write_whole
from askance.data.collection import Collection
from askance.data.formats.beir.writing import write_beir


@dataclass(frozen=True)
class TemplateCount:
    """What there is of a template: questions, and their gold documents: mean, fewest, most."""

    template: str
    questions: int
    gold_mean: float
    gold_least: int
    gold_most: int


@dataclass(frozen=True)
class CompositionsMade:
    """A folder that was written. `documents_sha256`: of the documents that were given; `files`: path → {"sha256",
    "bytes"}; `relation`: the one that is asked for, None where documents name none."""

    folder: Path
    settings: CompositionSettings
    relation: str | None
    documents: int
    documents_sha256: str
    judgments: int
    templates: Sequence[TemplateCount]
    files: Mapping[str, Mapping[str, str | int]]

    def record(self) -> dict[str, object]:
        """The manifest, which holds neither times nor places: the same documents and settings give the same one."""
        return {
            "schema": "askance/build compositions/1",
            "askance": __version__,
            "settings": self.settings.model_dump(mode="json"),
            "relation": self.relation,
            "documents": self.documents,
            "documents_sha256": self.documents_sha256,
            "judgments": self.judgments,
            "templates": [vars(one) for one in self.templates],
            "files": {name: dict(entry) for name, entry in self.files.items()},
        }

    def lines(self) -> list[str]:
        """What was made, told in lines."""
        asked = "items" if self.relation is None else f"items in the relation {self.relation!r}"
        questions = sum(one.questions for one in self.templates)
        return [
            str(self.folder),
            f"{self.documents:,} documents, {questions:,} questions for {asked}, {self.judgments:,} judgments",
            *(
                f"{one.template}: {one.questions:,} questions, {one.gold_mean:,.2f} gold documents each "
                f"({one.gold_least:,} to {one.gold_most:,})"
                for one in self.templates
            ),
        ]


def write_compositions(collection: Collection, settings: CompositionSettings, folder: str | Path) -> CompositionsMade:
    """Write the documents of `collection` with composed questions and all their gold into a new folder.

    FileProblem where the folder is there and not empty, or the disk refuses; BadInput where the documents do not split
    into items or so many different questions cannot be found.
    """
    target = Path(folder).resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileProblem(target, "it is there and not empty", remedy="Name a new folder; nothing is overwritten.")
    found = compositions(collection, settings)
    partial = target.with_name(f".{target.name}.{os.getpid()}.composed")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        write_beir(found.collection, partial)
        made = CompositionsMade(
            folder=target,
            settings=settings,
            relation=found.relation,
            documents=len(collection.documents),
            documents_sha256=collection.documents.sha256,
            judgments=sum(map(len, found.gold)),
            templates=list(counts_of(found)),
            files={str(path.relative_to(partial)): _entry(path) for path in sorted(partial.rglob("*.*"))},
        )
        write_whole(partial / "manifest.json", json.dumps(made.record(), indent=1, ensure_ascii=False) + "\n")
        partial.replace(target)
    except OSError as error:
        raise FileProblem(
            target, f"cannot be written: {error.strerror or error}", remedy="Name another place."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return made


def counts_of(found: Compositions) -> list[TemplateCount]:
    """What there is of each template that is asked."""
    sizes: dict[str, list[int]] = {template: [] for template in TEMPLATES}
    for question, gold in zip(found.questions, found.gold, strict=True):
        sizes[question.template].append(len(gold))
    return [
        TemplateCount(template, len(some), sum(some) / len(some), min(some), max(some))
        for template, some in sizes.items()
        if some
    ]


def _entry(path: Path) -> dict[str, str | int]:
    raw = path.read_bytes()
    return {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
