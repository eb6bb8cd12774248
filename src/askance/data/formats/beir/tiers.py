"""The tiers of a BEIR folder: one qrels file each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from askance.core.errors import FileProblem, UnknownName
from askance.data.collection import Documents, Queries, Tier
from askance.data.formats.beir.places import line_of, optional_file, place_of, qrels_files, read_cards, text_of
from askance.data.formats.lines import read_json
from askance.data.formats.numbers import finite_json
from askance.data.formats.pairs import Pairs
from askance.data.formats.qrels import judged_rows
from askance.data.judgments import Judgments

_KEYS = ("label", "rule", "threshold")


def read_tiers(folder: Path, queries: Queries, documents: Documents, notes: Counter[str]) -> dict[str, Tier]:
    """The tiers, those of tiers.json first and in its order, the rest by name."""
    files = qrels_files(folder, notes)
    path = optional_file(folder, "tiers.json")
    cards = _cards(path)
    for name in cards:
        if name not in files:
            raise UnknownName("qrels file", name, files, where=place_of(path, name))
    tiers = {}
    for name in dict.fromkeys((*cards, *files)):
        card = cards.get(name, {})
        tiers[name] = Tier(
            name,
            text_of(card, "label", name, path, name),
            _judgments(name, files[name], queries, documents, notes),
            text_of(card, "rule", "", path, name),
            _threshold(card, path, name),
        )
    return tiers


def _cards(path: Path | None) -> Mapping[str, Mapping[str, object]]:
    """The entries of tiers.json; it may also be the bare list of names in their order."""
    found = read_json(path) if path else {}
    if not isinstance(found, list):
        return read_cards(path, _KEYS)
    names = [name for name in found if isinstance(name, str)]
    if len(set(names)) < len(found):
        remedy = 'Write ["easy", "hard"], each tier once, or {"easy": {"label": …, "rule": …}, "hard": {…}}.'
        raise FileProblem(path or "", "this is no list of different tiers", remedy=remedy)
    return {name: {} for name in names}


def _judgments(
    name: str, paths: Sequence[Path], queries: Queries, documents: Documents, notes: Counter[str]
) -> Judgments:
    first, *others = (Pairs(path, judged_rows(path)) for path in paths)
    for other in others:
        if other.values() != first.values():
            problem = f"it judges otherwise than {first.path.name}, and both are the tier {name!r}"
            raise FileProblem(other.path, problem, remedy="Keep one of them, or give them different names.")
        notes["qrels files that repeat another"] += 1
    if not len(first):
        raise FileProblem(first.path, "there are no judgments in it", remedy="Was it cut, or is it the wrong file?")
    first.check(queries.ids, documents.ids)
    return Judgments.of(queries.ids, documents.ids, first.values())


def _threshold(card: Mapping[str, object], path: Path | None, name: str) -> float:
    threshold = finite_json(card.get("threshold", 1.0))
    if threshold is None:
        problem = f"'threshold' of {name!r} is no finite number"
        raise FileProblem(path or "", problem, line=line_of(path, name), remedy="Write the least grade that is gold.")
    if threshold <= 0:
        problem = f"'threshold' of {name!r} is {threshold:g}; an unjudged document counts as grade 0"
        raise FileProblem(path or "", problem, line=line_of(path, name), remedy="Write a grade above 0, for example 1.")
    return threshold
