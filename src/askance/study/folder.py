"""The result folder: study.json, manifest.json, runs/, ledger.sqlite, results.json; what can be used again of them.

Times and the machine live in the manifest only. A ranked list is kept with a key over everything it depends on
(texts, settings, model), so that a study that was killed, or that gained a tier, ranks nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

import askance
from askance.core.errors import BadInput, FileProblem
from askance.core.files import sha256_of, write_whole
from askance.data.formats.runs import read_run, write_run
from askance.data.ids import Ids
from askance.data.run import Run
from askance.models.ledger import Ledger
from askance.study.file import StudyFile

PACKAGES = ("numpy", "scipy", "onnxruntime", "tokenizers", "rapidfuzz", "PyStemmer")


class KeptRun(BaseModel):
    """One run file: the key of what it was made from, the hash of its bytes, how long it took."""

    model_config = ConfigDict(extra="forbid")

    key: str
    sha256: str
    seconds: float


class Manifest(BaseModel):
    """manifest.json: everything about a run of a study that is not a result."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    schema_: Literal["askance/manifest/1"] = Field(default="askance/manifest/1", alias="schema")
    study: str
    study_sha256: str
    study_folder: str | None = None
    status: Literal["running", "finished"]
    started: str
    finished: str | None = None
    seconds: float | None = None
    askance: str
    packages: dict[str, str]
    python: str
    machine: str
    cores: int
    score_scale: str = "Lucene >= 9 (no k1 + 1 factor)"
    possibly_paid_calls: int = 0
    runs: dict[str, KeptRun] = {}
    results_sha256: str | None = None

    @property
    def beside(self) -> Path | None:
        """The folder of the study file, where what it names by a relative path is looked for; None without a file."""
        return Path(self.study_folder) if self.study_folder else None


class ResultFolder:
    """A study's own folder."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._clock = time.monotonic()

    @classmethod
    def open(cls, path: Path, study: StudyFile, *, study_folder: Path | None, resume: bool) -> ResultFolder:
        """Create the folder, or go on in one that holds this study. `study_folder`: where the study file lies.

        BadInput where it holds something else, or where `resume` is asked for and there is nothing to resume.
        """
        kept: dict[str, KeptRun] = {}
        if (path / "manifest.json").exists():
            old = read_manifest(path)
            if old.study != study.study.name:
                raise BadInput(
                    f"{path} holds the results of another study, {old.study!r}",
                    remedy="Choose another folder with --out, or remove that one.",
                )
            kept = old.runs
        elif path.exists() and not _is_empty(path):
            raise BadInput(
                f"{path} exists and is no result folder of askance", remedy="Choose another folder with --out."
            )
        elif resume:
            raise BadInput(
                f"there is nothing to resume in {path}",
                remedy="Run it without --resume, or name the folder with --out.",
            )
        manifest = Manifest(
            study=study.study.name,
            study_sha256=study.sha256,
            study_folder=str(study_folder.resolve()) if study_folder else None,
            status="running",
            started=_now(),
            askance=askance.__version__,
            packages=_versions(),
            python=platform.python_version(),
            machine=f"{platform.system()} {platform.machine()}",
            cores=os.cpu_count() or 1,
            runs=kept,
        )
        folder = cls(path, manifest)
        folder._write_manifest()
        write_whole(path / "study.json", study.model_dump_json(indent=1) + "\n")
        return folder

    @property
    def ledger_path(self) -> Path:
        return self.path / "ledger.sqlite"

    def open_ledger(self) -> Ledger:
        """The ledger of this folder; calls that a kill left in flight are counted in the manifest."""
        ledger = Ledger(self.ledger_path)
        self.manifest = self.manifest.model_copy(update={"possibly_paid_calls": len(ledger.in_flight())})
        self._write_manifest()
        return ledger

    def kept_run(self, name: str, key: str, queries: Ids, documents: Ids) -> Run | None:
        """The run kept under `name`, if it was made from the same things and its bytes are whole."""
        kept = self.manifest.runs.get(name)
        path = self.run_path(name)
        if kept is None or kept.key != key or not path.is_file() or sha256_of(path) != kept.sha256:
            return None
        return read_run(path, queries, documents, name)

    def keep_run(self, name: str, key: str, run: Run, seconds: float) -> None:
        """Write the run, then say so in the manifest."""
        path = self.run_path(name)
        write_run(run, path)
        kept = KeptRun(key=key, sha256=sha256_of(path), seconds=round(seconds, 3))
        self.manifest = self.manifest.model_copy(update={"runs": {**self.manifest.runs, name: kept}})
        self._write_manifest()

    def finish(self, results: str) -> None:
        """Write results.json; the manifest says finished only afterwards."""
        write_whole(self.path / "results.json", results)
        self.manifest = self.manifest.model_copy(
            update={
                "status": "finished",
                "finished": _now(),
                "seconds": round(time.monotonic() - self._clock, 3),
                "results_sha256": hashlib.sha256(results.encode()).hexdigest(),
            }
        )
        self._write_manifest()

    def run_path(self, name: str) -> Path:
        """Where the run called `name` (DOMAIN/SYSTEM) lies."""
        return self.path / "runs" / f"{name}.jsonl.gz"

    def _write_manifest(self) -> None:
        tree = self.manifest.model_dump(mode="json", by_alias=True)
        write_whole(self.path / "manifest.json", json.dumps(tree, indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """manifest.json of a result folder; FileProblem where it is none."""
    path = folder / "manifest.json"
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise FileProblem(
            path, "is missing: this is no result folder", remedy="Name a folder that `askance study run` wrote."
        ) from None
    except OSError as error:
        raise FileProblem(
            path, f"cannot be read ({error.strerror or error})", remedy="Choose another folder, or remove this one."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"])) or "the file"
        raise FileProblem(
            path,
            f"is not a manifest that this askance reads ({what}: {first['msg'][:120]})",
            remedy="Use the askance that wrote it, choose another folder, or remove this one.",
        ) from error


def _is_empty(path: Path) -> bool:
    """Whether a folder holds nothing, but for a manifest that a kill cut off before it had its name."""
    return path.is_dir() and all(fnmatch(inside.name, ".manifest.json.*.partial") for inside in path.iterdir())


def key_of(parts: Mapping[str, Any]) -> str:
    """One hash over everything that a ranked list depends on."""
    said = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
