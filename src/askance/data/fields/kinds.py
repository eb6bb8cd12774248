"""Schemas by name, from a file, and from what was written down: every kind there is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.core.registry import Registry
from askance.data.fields.callable import CallableSchema
from askance.data.fields.json_path import FactPaths, JsonPath, JsonPathSchema
from askance.data.fields.list_text import ListText
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import NeedsDocuments, Schema

LEARNERS: Registry[Callable[[str], NeedsDocuments]] = Registry(
    "schema", {"learned": "askance.data.fields.learned:LearnedSchema"}
)


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Marks(_Entry):
    separators: list[str] = Field(default=[","], min_length=1)
    conjunction: str | None = None

    def marks(self) -> ListText:
        return ListText(tuple(self.separators), self.conjunction)


class PatternEntry(_Marks):
    """kind = "pattern": a regular expression over one text field."""

    kind: Literal["pattern"]
    pattern: str
    field: str = "text"

    def made(self) -> Schema:
        return PatternSchema(self.pattern, self.marks(), self.field)


class FactsEntry(_Entry):
    """[facts]: an array of objects, and paths inside one."""

    each: str
    items: str
    relation: str | None = None

    def paths(self) -> FactPaths:
        return FactPaths(JsonPath(self.each), JsonPath(self.items), _path(self.relation))


class JsonEntry(_Marks):
    """kind = "json": paths into the record."""

    kind: Literal["json"]
    name: str | None = None
    items: str | None = None
    relation: str | None = None
    facts: FactsEntry | None = None
    texts: dict[str, str] = {}

    def made(self) -> Schema:
        texts = {name: JsonPath(path) for name, path in self.texts.items()}
        facts = self.facts.paths() if self.facts else None
        return JsonPathSchema(
            _path(self.name), _path(self.items), _path(self.relation), facts, texts or None, self.marks()
        )


class LearnedEntry(_Entry):
    """kind = "learned": what is template and what is content is learned from the documents."""

    kind: Literal["learned"]
    field: str = "text"

    def made(self) -> NeedsDocuments:
        return schema_learner("learned", self.field)


_ENTRIES: Mapping[str, type[PatternEntry | JsonEntry | LearnedEntry]] = {
    "pattern": PatternEntry,
    "json": JsonEntry,
    "learned": LearnedEntry,
}


def schema_learner(name: str, field: str = "text") -> NeedsDocuments:
    """The schema of that name that is learned from the documents' `field`."""
    return LEARNERS.get(name)(field)


def schema_named(name: str) -> Schema | NeedsDocuments:
    """ "learned", or a function of the user's own as "package.module:function"."""
    if ":" in name:
        return CallableSchema(name)
    return schema_learner(name)


def schema_of(described: Mapping[str, Any], *, function: str | None = None) -> Schema:
    """The schema that `described()` wrote down.

    `function`: the name of the function, which the user must give again where the schema is one; BadInput otherwise.
    """
    kind = described.get("kind")
    if kind == "callable":
        return _named_again(str(described.get("place")), function)
    if kind == "learned":
        from askance.data.fields.learned import FramedSchema

        return FramedSchema.of(described)
    if kind not in ("pattern", "json"):
        raise UnknownName("kind of schema", str(kind), ("pattern", "json", "learned", "callable"))
    try:
        return cast("Schema", _ENTRIES[kind].model_validate(described).made())
    except ValidationError as error:
        said = "; ".join(what for _, what in _complaints(error))
        raise BadInput(
            f"the schema that was written down is damaged: {said}", remedy="Build the index again."
        ) from None


def schema_from_file(path: Path) -> Schema | NeedsDocuments:
    """A schema from a TOML or JSON file: `kind` and what that kind asks for. FileProblem, with the line, otherwise."""
    text = _text_of(path)
    tree = _tree(path, text)
    kind = tree.get("kind")
    if kind == "callable":
        raise FileProblem(
            path,
            "a file cannot name a function to run",
            line=_line(text, "kind"),
            remedy="Name it on the command line.",
        )
    if not isinstance(kind, str) or kind not in _ENTRIES:
        near = get_close_matches(str(kind), _ENTRIES, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        found = "the key 'kind' is missing" if kind is None else f"there is no kind of schema {kind!r}"
        raise FileProblem(path, found, line=_line(text, "kind"), remedy=f"{hint}Known: {', '.join(_ENTRIES)}.")
    entry = _ENTRIES[kind]
    try:
        return entry.model_validate(tree).made()
    except ValidationError as error:
        raise _refusal(path, text, list(_complaints(error, entry))) from None
    except BadInput as error:
        raise FileProblem(path, error.message, line=_line(text, _key_of(error, tree)), remedy=error.remedy) from None


def _named_again(place: str, function: str | None) -> Schema:
    if function is None:
        raise BadInput(
            f"these documents were split by the function {place!r}, which runs only when you name it",
            remedy=f"Name it again: {place}",
        )
    if function != place:
        raise BadInput(f"these documents were split by {place!r}, not by {function!r}", remedy=f"Name {place!r}.")
    return CallableSchema(place)


def _path(written: str | None) -> JsonPath | None:
    return None if written is None else JsonPath(written)


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise FileProblem(path, "there is no such file", remedy="Name a schema file in TOML or JSON.") from None
    except OSError as error:
        raise FileProblem(path, f"cannot be read ({error.strerror or error})", remedy="Name a schema file.") from error
    except UnicodeDecodeError as error:
        raise FileProblem(path, f"byte {error.start + 1} is not UTF-8", remedy="Save the file as UTF-8.") from None


def _tree(path: Path, text: str) -> Mapping[str, Any]:
    try:
        tree = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        language = "JSON" if path.suffix.lower() == ".json" else "TOML"
        raise FileProblem(path, f"is not valid {language}: {error}", line=line, remedy="Repair that line.") from None
    if not isinstance(tree, dict):
        raise FileProblem(path, "holds no object", remedy='Write {"kind": …}.')
    return tree


def _complaints(error: ValidationError, entry: type[BaseModel] | None = None) -> Iterator[tuple[str, str]]:
    """The last key of each complaint, and what it is."""
    for problem in error.errors():
        place = [str(part) for part in problem["loc"]]
        dotted = ".".join(place)
        if problem["type"] == "extra_forbidden":
            known = _known_at(entry, place)
            near = get_close_matches(place[-1], known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else f" Known: {', '.join(known)}." if known else ""
            yield place[-1], f"there is no key {dotted!r}.{hint}"
        elif problem["type"] == "missing":
            yield place[-1], f"the key {dotted!r} is missing"
        else:
            yield next((part for part in reversed(place) if not part.isdigit()), ""), f"{dotted}: {problem['msg']}"


def _known_at(entry: type[BaseModel] | None, place: Iterable[str]) -> list[str]:
    inside = FactsEntry if list(place)[:1] == ["facts"] and len(list(place)) > 1 else entry
    return list(inside.model_fields) if inside else []


def _refusal(path: Path, text: str, complaints: list[tuple[str, str]]) -> FileProblem:
    (key, what), *more = sorted(complaints, key=lambda complaint: _line(text, complaint[0]) or len(text))
    said = "".join(f"\n{path}{f':{line}' if (line := _line(text, key)) else ''}: {also}" for key, also in more)
    return FileProblem(path, what + said, line=_line(text, key), remedy="Repair the file.")


def _line(text: str, key: str) -> int | None:
    """The first line where the key is set."""
    setting = re.compile(rf"""^\s*[{{,]?\s*(?:\[\s*)?["']?{re.escape(key)}["']?\s*[\]=:.]""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if key and setting.match(line)), None)


def _key_of(error: BadInput, tree: Mapping[str, Any]) -> str:
    """The key whose value an error quotes."""
    quoted = (key for key, value in tree.items() if isinstance(value, str) and repr(value) in error.message)
    return next(quoted, "")
