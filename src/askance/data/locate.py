"""Where a public collection is: a folder of data, the cache, or a download into the cache."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import cast

from askance.core.errors import DownloadFailed, FileProblem, UnknownName
from askance.core.files import sha256_of
from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.fetch import fetch
from askance.data.formats.beir import read_beir
from askance.data.public import FETCHABLE, PUBLIC, PublicFile, PublicFiles

DATA, OFFLINE = "ASKANCE_DATA", "ASKANCE_OFFLINE"


def locate(name: str, *, offline: bool = False, progress: Progress | None = None) -> Path | None:
    """The folder under which the files of the public collection or model `name` lie.

    In this order: the folder $ASKANCE_DATA, ../shared/data beside the current directory, the cache, a download into
    the cache. None where it is in none of them and a download is not allowed (`offline`, $ASKANCE_OFFLINE) or not
    possible since it has no origin; DownloadFailed where the download failed.
    """
    place = _place(_public(name), offline, progress)
    return place.folder if place else None


def open_public(name: str, *, offline: bool = False, progress: Progress | None = None) -> Collection:
    """The public collection `name` from where `locate` finds it; its origin says which place that was.

    DownloadFailed where it is nowhere and cannot be fetched.
    """
    if name not in PUBLIC:
        raise UnknownName("public collection", name, PUBLIC)
    public = PUBLIC[name]
    place = _place(public, offline, progress)
    if place is None:
        raise _nowhere(public)
    module, _, function = public.load.partition(":")
    load = getattr(import_module(module), function)
    return replace(cast(Collection, load(place.folder, *public.arguments)), origin=place.origin)


def in_data_folder(*paths: str) -> Path | None:
    """The folder that holds all of these files: $ASKANCE_DATA, else ../shared/data; None where neither does.

    For data that belongs to no public collection: it is never downloaded.
    """
    return next((folder for folder in _data_folders() if all((folder / path).is_file() for path in paths)), None)


def collection(name_or_folder: str | Path, *, offline: bool = False, progress: Progress | None = None) -> Collection:
    """A BEIR folder, or else the public collection of that name; UnknownName where it is neither."""
    if Path(name_or_folder).is_dir():
        return read_beir(name_or_folder)
    if str(name_or_folder) not in PUBLIC:
        raise UnknownName("BEIR folder or public collection", str(name_or_folder), PUBLIC)
    return open_public(str(name_or_folder), offline=offline, progress=progress)


def fetch_public(name: str, *, progress: Progress | None = None) -> Path:
    """Download the originals of a public collection or model into the cache, where they are not there yet.

    Returns the folder under which they lie. DownloadFailed where one cannot be had, or has no origin.
    """
    public = _public(name)
    if not public.downloadable:
        raise _nowhere(public)
    folder = cache_folder("data", public.name)
    for file in public.files:
        try:
            fetch(cast(str, file.url), folder / file.path, file.sha256, file.size, progress)
        except DownloadFailed as error:
            remedy = f"Or get {file.path} another way, and set {DATA} to the folder that holds it under this path."
            raise DownloadFailed(error.message, remedy=f"{error.remedy} {remedy}") from None
    return folder


@dataclass(frozen=True, slots=True)
class _Place:
    """`origin` in plain words, without any path: the same on every machine."""

    folder: Path
    origin: str


def _public(name: str) -> PublicFiles:
    if name not in FETCHABLE:
        raise UnknownName("public collection or model", name, FETCHABLE)
    return FETCHABLE[name]


def _place(public: PublicFiles, offline: bool, progress: Progress | None) -> _Place | None:
    for folder in _data_folders():
        if all(_held(folder, file) for file in public.files):
            return _Place(folder, _origin_in_folder(public, folder))
    cached = cache_folder("data", public.name)
    if not all(_right(cached / file.path, file) for file in public.files):
        if offline or not public.downloadable or os.environ.get(OFFLINE, "0") not in ("", "0"):
            return None
        cached = fetch_public(public.name, progress=progress)
    return _Place(cached, f"downloaded originals ({public.origin})")


def _data_folders() -> Iterator[Path]:
    told = os.environ.get(DATA)
    if told:
        folder = Path(told).expanduser()
        if not folder.is_dir():
            remedy = f"Set {DATA} to a folder, or unset it: then the files are downloaded."
            raise FileProblem(folder, f"there is no such folder, and {DATA} names it", remedy=remedy)
        yield folder
    yield Path.cwd() / ".." / "shared" / "data"


def _held(folder: Path, file: PublicFile) -> PublicFile | None:
    """The form of the file that the folder holds; None where it holds neither."""
    forms = (file.instead, file) if file.instead else (file,)
    return next((form for form in forms if (folder / form.path).is_file()), None)


def _origin_in_folder(public: PublicFiles, folder: Path) -> str:
    held = [form for file in public.files if (form := _held(folder, file))]
    changed = [form.path for form in held if not _right(folder / form.path, form)]
    if changed:
        return f"files from the data folder, which differ from the originals: {', '.join(changed)} ({public.origin})"
    if not public.downloadable:
        return f"{public.origin}; from the data folder"
    return f"the original files, from the data folder ({public.origin})"


def _right(path: Path, file: PublicFile) -> bool:
    return path.is_file() and file.size in (None, path.stat().st_size) and sha256_of(path) == file.sha256


def _nowhere(public: PublicFiles) -> DownloadFailed:
    first = public.files[0].path
    place = f"set {DATA} to the folder that holds {first} and the rest"
    if public.downloadable:
        return DownloadFailed(
            f"{public.name!r} is in no data folder and not in the cache, and the network may not be used",
            remedy=f"Unset {OFFLINE} and run `askance data fetch {public.name}`, or {place}.",
        )
    return DownloadFailed(
        f"{public.name!r} has no origin to download: {public.origin}",
        remedy=f"Where you have the files, {place}; `askance build limit` makes a collection like it.",
    )
