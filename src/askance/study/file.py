"""The study file: TOML that says what to run, validated before anything is done.

Every complaint names the file, the line, the key and, where a key or name is misspelt, the nearest that exists.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints, ValidationError, model_validator

from askance.core.errors import BadInput, FileProblem, StudyProblem, UnknownName
from askance.core.registry import Registry
from askance.measure.measures import Measure
from askance.models.registry import EMBEDDERS
from askance.rerank.registry import RERANKERS
from askance.retrieve.registry import RETRIEVERS
from askance.study.lines import lines_of
from askance.text.likeness import LIKENESSES

# Names become names of files, of which two may be joined: 80 characters leave room for both.
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$", max_length=80)]
Ranks = Annotated[int, Field(le=999_999_999)]


Place = tuple[str | int, ...]


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
    depth: Ranks = Field(default=1000, ge=1)
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
    first: Ranks = Field(default=10, ge=2)
    over: list[str] | None = None


class DomainEntry(Entry):
    """[domains.NAME]: one collection, what is read in it, what counts as gold, which systems are measured."""

    title: str = ""
    note: str = ""
    collection: str = Field(min_length=1)
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


class GateEntry(Entry):
    """[[gates]]: a published figure that must be met before anything else is measured.

    `figure`: its name in the study, e.g. minilm.strict.all118.hit@1 (see study.measured); `domain`: where it is, needed
    only where several have it; `value` ± `tolerance`; `origin`: who published it.
    """

    figure: str = Field(min_length=1)
    domain: str | None = None
    value: float = Field(allow_inf_nan=False)
    tolerance: float = Field(ge=0, allow_inf_nan=False)
    origin: str = ""


class StudyFile(Entry):
    """A whole study file. It remembers its text, so that what is found wrong with it later still has a line."""

    _path: str = PrivateAttr("")
    _text: str = PrivateAttr("")

    study: StudyEntry
    models: dict[Name, ModelEntry] = {}
    gates: list[GateEntry] = []
    domains: dict[Name, DomainEntry] = Field(min_length=1)

    @property
    def sha256(self) -> str:
        """Hash of what the file says, comments and order of keys aside."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()

    def refusal(self, complaints: Sequence[tuple[Place, str]]) -> StudyProblem:
        """The error that says all of these, each with its line; `Place`: the keys that lead to what is wrong."""
        if not self._path:  # not read from a file
            complaints = [(place, f"{'.'.join(map(str, place))}: {what}") for place, what in complaints]
        return _refusal(self._path or f"study {self.study.name!r}", self._text, complaints)


def read_study(path: Path) -> StudyFile:
    """Read and validate; FileProblem where it is no TOML, StudyProblem with every complaint where it says nonsense."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise FileProblem(
            path, "there is no such study file", remedy="Write one for your data: askance study init COLLECTION"
        ) from None
    except OSError as error:
        raise FileProblem(
            path, f"cannot be read ({error.strerror or error})", remedy="Name a study file: a text in TOML."
        ) from error
    try:
        return parse_study(raw.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        raise FileProblem(path, problem, line=line, remedy="Save the file as UTF-8.") from None


def parse_study(text: str, path: str) -> StudyFile:
    """The same from text; `path` is what messages call it."""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at[1]) if at else None
        offending = text.splitlines()[line - 1] if line and line <= len(text.splitlines()) else None
        raise FileProblem(
            path, f"is not valid TOML: {error}", line=line, text=offending, remedy="Repair that line; see toml.io."
        ) from None
    except (ValueError, RecursionError) as error:  # tomllib lets through what int() and the stack refuse
        found = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FileProblem(path, f"cannot be read: {found}", remedy="No study needs that; shorten it.") from None
    try:
        study = StudyFile.model_validate(tree)
    except ValidationError as error:
        raise _refusal(path, text, list(_complaints(error, StudyFile))) from None
    study._path, study._text = path, text
    complaints = [*_unknown_names(study), *_bad_settings(study), *_bad_lists(study)]
    if complaints:
        raise study.refusal(complaints)
    return study


def _refusal(path: str, text: str, complaints: Sequence[tuple[Place, str]]) -> StudyProblem:
    lines = lines_of(text)
    said = []
    for place, what in complaints:
        line = next((lines[place[:n]] for n in range(len(place), 0, -1) if place[:n] in lines), None)
        said.append(f"{path}{f':{line}' if line else ''}: {what}")
    return StudyProblem("\n".join(said), remedy="`askance study init COLLECTION` writes a file with every key.")


def _complaints(error: ValidationError, model: type[BaseModel], at: Place = ()) -> Iterator[tuple[Place, str]]:
    hidden = bool(model.model_config.get("hide_input_in_errors"))  # somebody may have put a key there
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
        elif problem["type"] == "string_pattern_mismatch" and hidden:
            yield place, f"{dotted}: what stands here is no name: use letters, digits and '_' only"
        elif problem["type"] == "string_pattern_mismatch":
            yield place, f"{dotted}: {problem['input']!r} is no name: use letters, digits, '-' and '_' only"
        else:
            message = problem["msg"].removeprefix("Value error, ")
            plain = isinstance(problem["input"], str | int | float | bool) and not hidden
            shown = f" (found {problem['input']!r})" if plain else ""
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
    for title, domain in study.domains.items():
        at: Place = ("domains", title)
        for number, system in enumerate(domain.systems):
            here = (*at, "systems", number)
            yield from _unless_known((*here, "retriever"), RETRIEVERS, system.retriever)
            if system.model is not None and system.model not in study.models:
                near = get_close_matches(system.model, list(study.models), n=1, cutoff=0.5)
                hint = f" Did you mean {near[0]!r}?" if near else f" Add a table [models.{system.model}]."
                yield (*here, "model"), f"there is no model {system.model!r} in this file.{hint}"
            if system.model is None and system.retriever == "dense":
                yield here, f'the dense system {system.name!r} names no model: add model = "…", one of [models]'
            above = [other.name for other in domain.systems[:number]]
            over = system.settings.get("of")
            for name in over if isinstance(over, list) else ():
                if name not in above:
                    unknown = UnknownName("system", str(name), above)
                    yield (*here, "of"), f"{unknown.message} above {system.name!r}. {unknown.remedy}"
        for number, reranker in enumerate(domain.rerankers):
            yield from _unless_known((*at, "rerankers", number, "reranker"), RERANKERS, reranker.reranker)


def _bad_lists(study: StudyFile) -> Iterator[tuple[Place, str]]:
    """Measures and token classes that there are not, and whatever a list names twice."""
    for name, domain in study.domains.items():
        at: Place = ("domains", name)
        measures = []
        for text in domain.measures:
            try:
                measures.append(str(Measure.parse(text)))
            except BadInput as error:
                yield (*at, "measures"), f"{error.message}. {error.remedy}"
        for tokens in domain.tokens:
            if tokens not in LIKENESSES:
                unknown = UnknownName("token class", tokens, LIKENESSES)
                yield (*at, "tokens"), f"{unknown.message}. {unknown.remedy}"
        lists = {"tiers": domain.tiers or [], "measures": measures, "tokens": domain.tokens}
        for key, entries in lists.items():
            yield from _twice((*at, key), entries)
        for number, reranker in enumerate(domain.rerankers):
            yield from _twice((*at, "rerankers", number, "over"), reranker.over or [])


def _twice(place: Place, entries: Sequence[str]) -> Iterator[tuple[Place, str]]:
    for entry in dict.fromkeys(entries):
        if entries.count(entry) > 1:
            yield place, f"{entry!r} is named more than once; name it once"


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
            yield from _lacking_model(place, system)
        for number, reranker in enumerate(domain.rerankers):
            place = ("domains", name, "rerankers", number)
            yield from _settings_complaints(place, RERANKERS, reranker.reranker, reranker.settings)


def _lacking_model(place: Place, system: SystemEntry) -> Iterator[tuple[Place, str]]:
    """Settings that need the system's model, where it names none."""
    if system.model is not None or system.retriever not in RETRIEVERS:
        return
    try:
        settings = RETRIEVERS.get(system.retriever).Settings.model_validate(system.settings)
    except ValidationError:
        return  # that is said elsewhere
    needed = getattr(settings, "needs_model", None)
    if needed is not None:
        yield place, f'the system {system.name!r} has {needed} and names no model: add model = "…", one of [models]'


def _settings_complaints(
    place: Place, registry: Registry[Any], name: str, settings: Mapping[str, Any]
) -> Iterator[tuple[Place, str]]:
    if name not in registry:
        return
    try:
        registry.get(name).Settings.model_validate(settings)
    except ValidationError as error:
        yield from _complaints(error, registry.get(name).Settings, place)
