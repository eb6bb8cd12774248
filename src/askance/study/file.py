"""The study file: TOML that says what to run, validated before anything is done.

Every complaint names the file, the line, the key and, where a key or name is misspelt, the nearest that exists.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from askance.core.errors import FileProblem, StudyProblem
from askance.core.registry import Registry
from askance.models.registry import EMBEDDERS
from askance.rerank.registry import RERANKERS
from askance.retrieve.registry import RETRIEVERS
from askance.study.lines import lines_of

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]


class Entry(BaseModel):
    """Base of all tables of a study file: frozen, and no key that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class OpenEntry(BaseModel):
    """A table whose further keys are the settings of what it names (a retriever, a reranker, a model)."""

    model_config = ConfigDict(frozen=True, extra="allow")

    @property
    def settings(self) -> dict[str, Any]:
        """The keys that are not this table's own."""
        return dict(self.model_extra or {})


class StudyEntry(Entry):
    """[study]. `depth`: length of every ranked list; `failures`: how many to show per system."""

    name: Name
    title: str = ""
    seed: int = Field(default=0, ge=0)
    resamples: int = Field(default=10_000, ge=100, le=1_000_000)
    depth: int = Field(default=1000, ge=1)
    failures: int = Field(default=12, ge=0)


class ModelEntry(OpenEntry):
    """[models.NAME]: an embedder of the registry, and its settings."""

    embedder: str
    label: str = ""


class TextsEntry(Entry):
    """Which field of the queries and of the documents."""

    query: str = "text"
    document: str = "text"


class SubsetEntry(Entry):
    """Queries with these slice values; without `where`, all of them."""

    label: str = ""
    where: dict[str, str] = {}


class DecoysEntry(Entry):
    """A named set of roles that gold is held against."""

    label: str = ""
    roles: list[str] = Field(min_length=1)


class SystemEntry(OpenEntry):
    """[[domains.NAME.systems]]: a retriever of the registry, and its settings."""

    name: Name
    retriever: str
    label: str = ""
    model: str | None = None


class RerankerEntry(OpenEntry):
    """[[domains.NAME.rerankers]]: a reranker over each list's first `first`, after the systems named in `over`."""

    name: Name
    reranker: str
    label: str = ""
    first: int = Field(default=10, ge=2)
    over: list[str] | None = None


class DomainEntry(Entry):
    """[domains.NAME]: one collection, what is read in it, what counts as gold, which systems are measured."""

    title: str = ""
    note: str = ""
    collection: str
    embed: TextsEntry = TextsEntry()
    compare: TextsEntry | None = None
    tiers: list[str] | None = Field(default=None, min_length=1)
    main_tier: str | None = None
    measures: list[str] = ["Hit@1", "Hit@5", "Hit@10", "AP"]
    subsets: dict[Name, SubsetEntry] = {}
    decoys: dict[Name, DecoysEntry] | None = None
    tokens: list[str] = ["all", "numbers", "content", "function", "verbs"]
    systems: list[SystemEntry] = Field(min_length=1)
    rerankers: list[RerankerEntry] = []

    @model_validator(mode="after")
    def _names_are_distinct(self) -> DomainEntry:
        names = [system.name for system in self.systems] + [reranker.name for reranker in self.rerankers]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"the name {twice[0]!r} is given to two systems or rerankers; give each its own")
        for reranker in self.rerankers:
            for over in reranker.over or ():
                if over not in {system.name for system in self.systems}:
                    raise ValueError(f"reranker {reranker.name!r} is to run over {over!r}, which is no system here")
        return self


class StudyFile(Entry):
    """A whole study file. `folder`: where it lies, against which relative paths of collections are read."""

    study: StudyEntry
    models: dict[Name, ModelEntry] = {}
    domains: dict[Name, DomainEntry] = Field(min_length=1)

    @property
    def sha256(self) -> str:
        """Hash of what the file says, comments and order of keys aside."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


def read_study(path: Path) -> StudyFile:
    """Read and validate; FileProblem where it is no TOML, StudyProblem with every complaint where it says nonsense."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileProblem(
            path, "there is no such study file", remedy="Write one for your data: askance study init COLLECTION"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileProblem(path, f"cannot be read as UTF-8 text ({error})") from error
    return parse_study(text, str(path))


def parse_study(text: str, path: str) -> StudyFile:
    """The same from text; `path` is what messages call it."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) if at else None
        offending = text.splitlines()[line - 1] if line and line <= len(text.splitlines()) else None
        raise FileProblem(path, f"is not valid TOML: {error}", line=line, text=offending) from None
    try:
        study = StudyFile.model_validate(tree)
    except ValidationError as error:
        raise _refusal(path, text, list(_complaints(error, StudyFile))) from None
    complaints = list(_unknown_names(study)) + list(_bad_settings(study))
    if complaints:
        raise _refusal(path, text, complaints)
    return study


Place = tuple[str | int, ...]


def _refusal(path: str, text: str, complaints: list[tuple[Place, str]]) -> StudyProblem:
    lines = lines_of(text)
    said = []
    for place, what in complaints:
        line = next((lines[place[:n]] for n in range(len(place), 0, -1) if place[:n] in lines), None)
        said.append(f"{path}{f':{line}' if line else ''}: {what}")
    return StudyProblem("\n".join(said), remedy="Every key is explained by: askance study init --help")


def _complaints(error: ValidationError, model: type[BaseModel], at: Place = ()) -> Iterator[tuple[Place, str]]:
    for problem in error.errors():
        inside = tuple(part for part in problem["loc"] if part != "[key]")
        place = (*at, *inside)
        dotted = ".".join(str(part) for part in place) or "the file"
        if problem["type"] == "extra_forbidden":
            known = list(_fields_at(model, inside[:-1]))
            near = get_close_matches(str(place[-1]), known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else f" Known here: {', '.join(known)}."
            yield place, f"there is no key {dotted!r}.{hint}"
        elif problem["type"] == "missing":
            yield place, f"the key {dotted!r} is missing"
        elif problem["type"] == "string_pattern_mismatch":
            yield place, f"{dotted}: {problem['input']!r} is no name: use letters, digits, '-' and '_' only"
        else:
            message = problem["msg"].removeprefix("Value error, ")
            shown = f" (found {problem['input']!r})" if isinstance(problem["input"], str | int | float | bool) else ""
            yield place, f"{dotted}: {message[:1].lower()}{message[1:]}{shown}"


def _fields_at(model: type[BaseModel], place: Place) -> tuple[str, ...]:
    """The keys that `model` knows at `place`, walking through tables and lists."""
    here: type[BaseModel] | None = model
    for part in place:
        field = here.model_fields.get(str(part)) if here is not None else None
        if field is None:
            continue  # the name of an entry in a table, or its number in a list
        here = next((found for found in _models_in(field.annotation)), None)
    return tuple(here.model_fields) if here is not None else ()


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _unknown_names(study: StudyFile) -> Iterator[tuple[Place, str]]:
    for name, model in study.models.items():
        yield from _unless_known(("models", name, "embedder"), EMBEDDERS, model.embedder)
    for name, domain in study.domains.items():
        at: Place = ("domains", name)
        for number, system in enumerate(domain.systems):
            here = (*at, "systems", number)
            yield from _unless_known((*here, "retriever"), RETRIEVERS, system.retriever)
            if system.model is not None and system.model not in study.models:
                near = get_close_matches(system.model, list(study.models), n=1, cutoff=0.5)
                hint = f" Did you mean {near[0]!r}?" if near else f" Add a table [models.{system.model}]."
                yield (*here, "model"), f"there is no model {system.model!r} in this file.{hint}"
            if system.model is None and system.retriever == "dense":
                yield here, f'the dense system {system.name!r} names no model: add model = "…", one of [models]'
        for number, reranker in enumerate(domain.rerankers):
            yield from _unless_known((*at, "rerankers", number, "reranker"), RERANKERS, reranker.reranker)


def _unless_known(place: Place, registry: Registry[Any], name: str) -> Iterator[tuple[Place, str]]:
    if name not in registry:
        near = get_close_matches(name, list(registry), n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        yield place, f"there is no {registry.kind} {name!r}.{hint} Known: {', '.join(registry)}."


def _bad_settings(study: StudyFile) -> Iterator[tuple[Place, str]]:
    for name, model in study.models.items():
        yield from _settings_complaints(("models", name), EMBEDDERS, model.embedder, model.settings)
    for name, domain in study.domains.items():
        for number, system in enumerate(domain.systems):
            place: Place = ("domains", name, "systems", number)
            yield from _settings_complaints(place, RETRIEVERS, system.retriever, system.settings)
        for number, reranker in enumerate(domain.rerankers):
            place = ("domains", name, "rerankers", number)
            yield from _settings_complaints(place, RERANKERS, reranker.reranker, reranker.settings)


def _settings_complaints(
    place: Place, registry: Registry[Any], name: str, settings: Mapping[str, Any]
) -> Iterator[tuple[Place, str]]:
    if name not in registry:
        return
    try:
        registry.get(name).Settings.model_validate(settings)
    except ValidationError as error:
        yield from _complaints(error, registry.get(name).Settings, place)
