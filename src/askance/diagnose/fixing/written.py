"""A change as files: a study that runs the system before and after, and, for fields, the schema of an index."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.study.choices import compared_in
from askance.study.file import SystemEntry

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def study_text(case: FixCase, chosen: Candidate) -> str:
    """A study file in TOML, ready to run: the system as it is where both can stand in one domain, and the change.

    Where the change reads another field, the system as it is has a domain of its own, NAME-before.
    """
    same = chosen.document == case.entry.embed.document
    now = (*case.before, case.system)
    changed = {entry.name: _free(entry, now) for entry in chosen.systems if entry not in now}
    after = [_renamed(changed.get(entry.name, entry), changed) for entry in chosen.systems if entry not in now]
    last = after[-1].name if after else case.system.name
    needed = [entry for entry in now if entry in chosen.systems]
    lines = [f"# {line}" for line in _head(case, chosen)]
    lines += ["", "[study]", *_pairs(case.study.model_dump(mode="json", exclude_defaults=True))]
    used = {entry.model for entry in (*now, *chosen.systems) if entry.model}
    for name in sorted(used):
        entry = case.models[name]
        settings = {name: _placed(value, case.beside) for name, value in entry.settings.items()}
        told = {"embedder": entry.embedder, **({"label": entry.label} if entry.label else {}), **settings}
        lines += ["", f"[models.{_key(name)}]", *_pairs(told)]
    if same:
        lines += _domain(case, case.name, case.entry.embed.document, [*now, *after])
    else:
        lines += _domain(case, f"{case.name}-before", case.entry.embed.document, list(now))
        lines += _domain(case, case.name, chosen.document, [*needed, *after])
    if chosen.reranker is not None:
        told = chosen.reranker.model_dump(mode="json", exclude_none=True, exclude={"label"})
        lines += ["", f"[[domains.{_key(case.name)}.rerankers]]", *_pairs({**told, "over": [last]})]
    return "\n".join(lines) + "\n"


def schema_text(chosen: Candidate) -> str | None:
    """The schema of `askance index --schema`, in TOML; None where the change asks for no fields."""
    for entry in chosen.systems:
        if entry.retriever == "irl" and entry.settings.get("pattern"):
            return "\n".join(_pairs({"kind": "pattern", "pattern": entry.settings["pattern"]})) + "\n"
        if entry.retriever == "irl" and entry.settings.get("form") == "fields":
            return "\n".join(_pairs({"kind": "learned", "field": chosen.document})) + "\n"
    return None


def _head(case: FixCase, chosen: Candidate) -> list[str]:
    return [f"{case.system.name}: {' '.join(chosen.says.split())}.", "Run it: askance study run THIS_FILE.toml"]


def _free(entry: SystemEntry, now: tuple[SystemEntry, ...]) -> SystemEntry:
    """Under a name that no system as it is has."""
    name, taken = entry.name, {one.name for one in now}
    while name in taken:
        name = f"{name}-changed"
    return entry.model_copy(update={"name": name})


def _renamed(entry: SystemEntry, changed: Mapping[str, SystemEntry]) -> SystemEntry:
    """Its `of` by the names that systems have now."""
    over = entry.settings.get("of")
    if not isinstance(over, list):
        return entry
    told = {**entry.model_dump(exclude_none=True), "of": [changed[one].name if one in changed else one for one in over]}
    return SystemEntry.model_validate(told)


def _domain(case: FixCase, name: str, document: str, systems: list[SystemEntry]) -> list[str]:
    entry = case.entry
    at = f"domains.{_key(name)}"
    measures = list(dict.fromkeys([str(case.measure), *entry.measures]))
    told: dict[str, Any] = {
        **({"title": entry.title} if entry.title else {}),
        "collection": _placed(entry.collection, case.beside),
        "embed": {"query": entry.embed.query, "document": document},
        "compare": compared_in(entry, case.collection).model_dump(),
        "tiers": [case.tier.name],
        "main_tier": case.tier.name,
        "measures": measures,
    }
    lines = ["", f"[{at}]", *_pairs(told)]
    for subset, one in entry.subsets.items():
        lines += ["", f"[{at}.subsets.{_key(subset)}]", *_pairs(one.model_dump(exclude_defaults=True))]
    for decoys, held in (entry.decoys or {}).items():
        lines += ["", f"[{at}.decoys.{_key(decoys)}]", *_pairs(held.model_dump(exclude_defaults=True))]
    for system in systems:
        shown = system.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        lines += ["", f"[[{at}.systems]]", *_pairs(shown)]
    return lines


def _placed(value: Any, beside: Path | None) -> Any:
    """A path that was found beside the study file, whole: the new file may lie elsewhere."""
    if isinstance(value, str) and value:
        for path in (Path(value), beside / value if beside is not None else None):
            if path is not None and path.exists():
                return str(path.resolve())
    return value


def _pairs(told: Mapping[str, Any]) -> list[str]:
    return [f"{_key(name)} = {_value(value)}" for name, value in told.items() if value is not None]


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(name))} = {_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return _string(str(value))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's, but for the one control character that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
