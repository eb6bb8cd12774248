"""A benchmark from logs as a BEIR folder, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from askance import __version__
from askance.build.trajectories.audit import Checked, read_sheet, sample, sheet
from askance.build.trajectories.labels import Label
from askance.build.trajectories.making import Made
from askance.core.errors import FileProblem
from askance.core.files import sha256_of, write_whole
from askance.data.formats.beir import write_beir
from askance.data.formats.lines import read_json_lines

LABELS, AUDIT, MANIFEST = "labels.jsonl", "audit.csv", "manifest.json"


@dataclass(frozen=True)
class TrajectoriesMade:
    """A folder that was written, and its manifest."""

    folder: Path
    made: Made
    manifest: Mapping[str, object]


def write_trajectories(made: Made, folder: str | Path) -> TrajectoriesMade:
    """Write collection, labels, audit sheet and manifest; FileProblem where the folder is there and not empty."""
    target = Path(folder).resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileProblem(target, "it is there and not empty", remedy="Name a new folder; nothing is overwritten.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name}.", suffix=".partial", dir=target.parent) as partial:
            out = Path(partial) / "made"
            write_beir(made.collection, out)
            write_whole(out / LABELS, "".join(_line(name, made) for name in made.labels))
            chosen = sample(made.labels, made.settings.audit, made.settings.seed)
            write_whole(out / AUDIT, sheet(chosen, made.texts, made.slots))
            manifest = _manifest(made, out)
            write_whole(out / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
            out.replace(target)
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise FileProblem(target, problem, remedy="Name another place.") from None
    return TrajectoriesMade(target, made, manifest)


def read_labels(folder: str | Path) -> dict[str, Label]:
    """The labels of a written folder: "document ID" or "query ID" → label."""
    path = Path(folder) / LABELS
    found = {}
    for line, record in read_json_lines(path):
        name, kind, rule, slots = (record.get(key) for key in ("id", "type", "rule", "slots"))
        if not isinstance(name, str) or not isinstance(kind, str) or not isinstance(slots, dict):
            raise FileProblem(path, "this is no label", line=line, remedy="Make the folder again.")
        found[name] = Label(kind, {str(slot): tuple(map(str, names)) for slot, names in slots.items()}, str(rule))
    return found


def check_audit(folder: str | Path, filled: str | Path) -> Checked:
    """A filled-in sheet against the labels of the folder it is from."""
    return read_sheet(filled, read_labels(folder))


def _line(name: str, made: Made) -> str:
    label = made.labels[name]
    slots = {slot: list(names) for slot, names in label.slots.items()}
    record = {"id": name, "text": made.texts[name], "type": label.type, "slots": slots, "rule": label.rule}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _manifest(made: Made, out: Path) -> dict[str, object]:
    """Neither times nor places: equal inputs give equal manifests."""
    collection = made.collection
    files = sorted(path for path in out.rglob("*") if path.is_file())
    return {
        "schema": "askance/build trajectories/1",
        "askance": __version__,
        "settings": made.settings.model_dump(mode="json"),
        "counts": {
            "documents": len(collection.documents),
            "queries": len(collection.queries),
            "types": len({label.type for label in made.labels.values()}),
            **{f"judgments, {name}": len(tier.judgments) for name, tier in collection.tiers.items()},
        },
        "slots": list(made.slots),
        "notes": dict(made.notes),
        "ambiguity": [side.record() for side in made.ambiguity],
        "chance": [{"tier": tier, "measure": measure, **estimate.record()} for tier, measure, estimate in made.chance],
        "files": {
            str(path.relative_to(out)): {"sha256": sha256_of(path), "bytes": path.stat().st_size} for path in files
        },
    }
