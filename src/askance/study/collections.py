"""What a study or command calls its collection: a BEIR folder, a public name, or STUDY.toml#domain."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from askance.build.made import MADE, made
from askance.core.errors import DownloadFailed, UnknownName
from askance.core.places import found_beside
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.formats.beir import read_beir
from askance.data.locate import collection
from askance.study.file import DomainEntry, StudyEntry, read_study

MADE_SEED = 7


def open_collection(
    name: str, *, beside: Path | None = None, progress: Progress | None = None, or_made: bool = True
) -> Collection:
    """The collection called `name`.

    A folder is read as BEIR; a relative one is looked for in the current directory, then in `beside` (the study
    file's folder). A public name is opened from the data folder, the cache or a download; where none can be had and
    `or_made` allows it, a collection of the same shape is made by the package, and its origin says so.
    """
    folder = found_beside(Path(name), beside, Path.is_dir)
    if folder.is_dir():
        return read_beir(folder)
    try:
        return collection(name, progress=progress)
    except DownloadFailed:
        if or_made and name in MADE:
            return made(name, MADE_SEED)
        raise


@dataclass(frozen=True)
class Named:
    """What a command was given: a collection's name, and of STUDY.toml#domain the domain, the folder and [study]."""

    collection: str
    domain: DomainEntry | None = None
    folder: Path | None = None
    study: StudyEntry | None = None


def named(spec: str) -> Named:
    """STUDY.toml#domain → that domain of that file; anything else is itself a collection's name."""
    file, mark, name = spec.partition("#")
    if not mark or not file.endswith(".toml"):
        return Named(spec)
    study = read_study(Path(file))
    if name not in study.domains:
        raise UnknownName("domain", name, study.domains, where=file)
    return Named(study.domains[name].collection, study.domains[name], Path(file).parent, study.study)
