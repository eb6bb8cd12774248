"""A change as a study file that runs the system before and after."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from askance.core.places import found_beside
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.mended import Mended
from askance.diagnose.fixing.toml_text import key, pairs
from askance.study.choices import compared_in
from askance.study.file import SystemEntry


def study_text(mended: Mended) -> str:
    """A study file in TOML, ready to run: the system as it is where both can stand in one domain, and the change.

    Where the change reads another field, the system as it is has a domain of its own, NAME-before.
    """
    case, chosen = mended.case, mended.change
    same = chosen.document == case.entry.embed.document
    now = (*case.before, case.system)
    changed = {entry.name: _free(entry, now) for entry in chosen.systems if entry not in now}
    after = [_renamed(changed.get(entry.name, entry), changed) for entry in chosen.systems if entry not in now]
    last = after[-1].name if after else case.system.name
    needed = [entry for entry in now if entry in chosen.systems]
    lines = [f"# {line}" for line in _head(mended)]
    lines += ["", "[study]", *pairs(case.study.model_dump(mode="json", exclude_defaults=True))]
    used = {entry.model for entry in (*now, *chosen.systems) if entry.model}
    for name in sorted(used):
        entry = case.models[name]
        settings = {name: _placed(value, case.beside) for name, value in entry.settings.items()}
        told = {"embedder": entry.embedder, **({"label": entry.label} if entry.label else {}), **settings}
        lines += ["", f"[models.{key(name)}]", *pairs(told)]
    if same:
        lines += _domain(case, case.name, case.entry.embed.document, [*now, *after])
    else:
        lines += _domain(case, f"{case.name}-before", case.entry.embed.document, list(now))
        lines += _domain(case, case.name, chosen.document, [*needed, *after])
    if chosen.reranker is not None:
        told = chosen.reranker.model_dump(mode="json", exclude_none=True, exclude={"label"})
        lines += ["", f"[[domains.{key(case.name)}.rerankers]]", *pairs({**told, "over": [last]})]
    return "\n".join(lines) + "\n"


def _head(mended: Mended) -> list[str]:
    case = mended.case
    first, last = (f"{one.value:.4f}" for one in (mended.before, mended.after) if one.value is not None)
    documents, queries = case.collection.documents.sha256, case.collection.queries.sha256
    return [
        f"{case.system.name}: {' '.join(mended.change.says.split())}.",
        f"{case.measure} over all {mended.after.n} queries, equal scores by place: {first} before, {last} after.",
        f"Of documents with sha256 {documents[:16]}, queries {queries[:16]}.",
        "Run it: askance study run THIS_FILE.toml",
    ]


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
    at = f"domains.{key(name)}"
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
    lines = ["", f"[{at}]", *pairs(told)]
    for subset, one in entry.subsets.items():
        lines += ["", f"[{at}.subsets.{key(subset)}]", *pairs(one.model_dump(exclude_defaults=True))]
    for decoys, held in (entry.decoys or {}).items():
        lines += ["", f"[{at}.decoys.{key(decoys)}]", *pairs(held.model_dump(exclude_defaults=True))]
    for system in systems:
        shown = system.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        lines += ["", f"[[{at}.systems]]", *pairs(shown)]
    return lines


def _placed(value: Any, beside: Path | None) -> Any:
    """A path that was found beside the study file, whole: the new file may lie elsewhere."""
    if isinstance(value, str) and value:
        path = found_beside(Path(value), beside)
        if path.exists():
            return str(path.resolve())
    return value
