"""A collection in the manner of LIMIT as a BEIR folder, written document by document, and in memory."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from askance import __version__
from askance.build.as_published import ORIGIN
from askance.build.limit.document import Document, Question
from askance.build.limit.limit import Limit
from askance.build.limit.questions import GoldCount
from askance.build.limit.settings import LimitSettings
from askance.core.errors import FileProblem
from askance.core.files import write_whole
from askance.core.progress import Progress, Silent
from askance.data.collection import Collection
from askance.data.formats.beir import read_beir

TIER = "test"
_TASK = "documents"
_RULE = "the document holds what is asked for, in the relation asked for"
_KINDS = {
    "negation": "denies it",
    "attribution": "says it of somebody else",
    "split": "holds the words apart",
    "containment": "holds a longer item",
    "name": "is called like it",
}


@dataclass(frozen=True)
class LimitMade:
    """A folder that was written. `counts`: of what there is how much; `files`: path → {"sha256", "bytes"}."""

    folder: Path
    settings: LimitSettings
    counts: Mapping[str, int]
    files: Mapping[str, Mapping[str, str | int]]

    def record(self) -> dict[str, object]:
        """The manifest, which holds neither times nor places: one seed gives one manifest."""
        return {
            "schema": "askance/build limit/1",
            "askance": __version__,
            "settings": self.settings.model_dump(mode="json"),
            "counts": dict(self.counts),
            "files": {name: dict(entry) for name, entry in self.files.items()},
        }


def write_limit(settings: LimitSettings, folder: str | Path, *, progress: Progress | None = None) -> LimitMade:
    """Write the collection into `folder`, which appears whole or not at all, and its manifest.json.

    FileProblem where the folder is there and not empty, or the disk refuses; BadInput where the settings cannot be met.
    """
    limit, progress = Limit(settings), progress or Silent()
    target = Path(folder).resolve()
    with _whole_folder(target) as out:
        files = _Files(out)
        gold = limit.count_gold()
        progress.start(_TASK, len(limit))
        files.write("corpus.jsonl", _corpus(limit, gold, progress))
        progress.finish(_TASK)
        files.write("queries.jsonl", (_query(question, settings) for question in limit.questions))
        files.write(f"qrels/{TIER}.tsv", _qrels(limit, gold))
        files.write("tiers.json", [_json({TIER: {"label": "holds it", "rule": _RULE, "threshold": 1.0}})])
        if limit.negatives:
            kinds: dict[str, object] = {kind: _KINDS[kind] for kind in settings.negatives}
            files.write("roles.json", [_json(kinds)])
            files.write("roles.tsv", _rows(("query-id", "corpus-id", "role"), limit.roles()))
        made = LimitMade(target, settings, _counts(limit, gold), files.written)
        write_whole(out / "manifest.json", json.dumps(made.record(), indent=1, ensure_ascii=False) + "\n")
    return made


def limit_collection(settings: LimitSettings) -> Collection:
    """The collection in memory: what `write_limit` writes, as it is read back."""
    with TemporaryDirectory(prefix="askance-limit-") as name:
        folder = Path(name) / "limit"
        write_limit(settings, folder)
        return replace(read_beir(folder), origin=ORIGIN.partition(" (")[0])


class _Files:
    """Files of a folder, hashed while they are written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.written: dict[str, dict[str, str | int]] = {}

    def write(self, name: str, lines: Iterable[str]) -> None:
        path = self._folder / name
        path.parent.mkdir(exist_ok=True)
        digest, size = hashlib.sha256(), 0
        with path.open("wb") as out:
            for line in lines:
                raw = line.encode()
                digest.update(raw)
                size += out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        self.written[name] = {"sha256": digest.hexdigest(), "bytes": size}


def _corpus(limit: Limit, gold: GoldCount, progress: Progress) -> Iterator[str]:
    for number in limit.numbers():
        document = limit.document(number)
        gold.tell(document, number)
        progress.advance(_TASK)
        yield _json(_record(document, fields=limit.settings.form == "fields"))


def _record(document: Document, *, fields: bool) -> dict[str, object]:
    record: dict[str, object] = {"_id": document.id, "title": "", "text": document.text}
    if fields:
        record |= {"name": document.name, "relation": document.relation, "items": document.items}
    if document.negative_of is not None:
        record |= {"negative_of": document.negative_of, "kind": document.kind}
    return record


def _query(question: Question, settings: LimitSettings) -> str:
    record: dict[str, object] = {"_id": question.id, "text": question.text, "metadata": {"template": question.template}}
    record["items"] = question.worded
    if settings.synonyms != "none":
        record["held"] = question.held
    return _json(record)


def _qrels(limit: Limit, counted: GoldCount) -> Iterator[str]:
    gold = [*limit.plan.gold, *counted.gold]
    rows = (
        (question.id, limit.id_of(number), "1")
        for question, numbers in zip(limit.questions, gold, strict=True)
        for number in numbers
    )
    return _rows(("query-id", "corpus-id", "score"), rows)


def _rows(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "\t".join(header) + "\n"
    for row in rows:
        yield "\t".join(row) + "\n"


def _counts(limit: Limit, gold: GoldCount) -> dict[str, int]:
    plan, settings = limit.plan, limit.settings
    counts = {
        "documents": len(limit),
        "documents that are gold of a plain question": len(plan.asked),
        "queries": len(limit.questions),
        "judgments": sum(map(len, plan.gold)) + sum(map(len, gold.gold)),
        "different items": len(plan.items.held) + len(plan.items.padding),
        "longer forms of asked items": len(plan.items.longer),
        "items with a separator": len(plan.items.separated),
        "documents named after an asked item": len(plan.namesakes),
    }
    counts |= {f"questions {template}": count for template, count in settings.questions.items()}
    for negative in limit.negatives:
        key = f"hard negatives, {negative.kind}"
        counts[key] = counts.get(key, 0) + 1
    return counts


def _json(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name when the block ends without an error."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileProblem(folder, "it is there and not empty", remedy="Name a new folder; nothing is overwritten.")
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        yield partial
        partial.replace(folder)
    except OSError as error:
        raise FileProblem(
            folder, f"cannot be written: {error.strerror or error}", remedy="Name another place."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
