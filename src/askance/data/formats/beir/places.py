"""Where a BEIR folder keeps its files, and its small JSON tables."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from askance.core.errors import FileProblem, UnknownName
from askance.data.formats.lines import read_json, read_lines

LAYOUT = "A BEIR folder holds corpus.jsonl, queries.jsonl and qrels/NAME.tsv (or qrels.tsv, qrels.jsonl)."
QRELS_ENDINGS = (".tsv", ".jsonl", ".txt", ".qrels", ".trec")


def corpus_file(folder: Path) -> Path:
    """FileProblem where there is none."""
    return _needed(folder, "corpus.jsonl", ("", "corpus"))


def queries_file(folder: Path) -> Path:
    """FileProblem where there is none."""
    return _needed(folder, "queries.jsonl", ("", "queries", "queries+qrels"))


def qrels_files(folder: Path, notes: Counter[str]) -> dict[str, list[Path]]:
    """Tier → its file, then files of another form under the same name; FileProblem where there is none at all."""
    inside = sorted((folder / "qrels").glob("*"))
    beside = [path for place in ("", "queries+qrels") for path in sorted((folder / place).glob("qrels*"))]
    found: dict[str, list[Path]] = {}
    for path in (*inside, *beside):
        if path.is_dir() or path.name.startswith("."):
            continue
        plain = path.name.removesuffix(".gz")
        name, _, ending = plain.rpartition(".")
        if f".{ending}" in QRELS_ENDINGS:
            found.setdefault(name, []).append(_readable(path))
        else:
            notes["files among the qrels passed over (no judgments by their name)"] += 1
    if not found:
        raise FileProblem(folder, "there are no judgments", remedy=LAYOUT)
    return found


def optional_file(folder: Path, name: str) -> Path | None:
    """The file of that name, or the same with .gz; FileProblem where both are there, or where it is no file."""
    both = [path for path in (folder / name, folder / f"{name}.gz") if os.path.lexists(path)]
    if len(both) > 1:
        raise FileProblem(both[1], f"{name} is there too", remedy="Keep one of the two.")
    return _readable(both[0]) if both else None


def _readable(path: Path) -> Path:
    """The path, if a file is there: a link to nowhere or a folder of that name must not pass for a missing file."""
    if path.is_file():
        return path
    found = "a link that leads to no file" if path.is_symlink() else "a folder" if path.is_dir() else "no plain file"
    raise FileProblem(path, f"this is {found}, expected a file", remedy="Put the file there, or remove it.")


def read_object(path: Path | None) -> Mapping[str, object]:
    """The object of a JSON file, {} for no file; FileProblem where it holds something else."""
    found = read_json(path) if path else {}
    if not isinstance(found, dict):
        raise FileProblem(path or "", "this is no JSON object", remedy="Write {name: …, …}, names in double quotes.")
    return found


def read_cards(path: Path | None, keys: Sequence[str]) -> dict[str, dict[str, object]]:
    """The entries of a JSON file {name: {key: value}}, {} for no file; UnknownName on a key that is not in `keys`."""
    cards: dict[str, dict[str, object]] = {}
    for name, card in read_object(path).items():
        if not isinstance(card, dict):
            problem = f"the entry of {name!r} is no object"
            remedy = f"Write {{name: {{{', '.join(map(repr, keys))}}}}}."
            raise FileProblem(path or "", problem, line=line_of(path, name), remedy=remedy)
        for key in card:
            if key not in keys:
                raise UnknownName("key", key, keys, where=place_of(path, key, name))
        cards[name] = card
    return cards


def text_of(card: Mapping[str, object], key: str, default: str, path: Path | None, name: str) -> str:
    """The text under `key` of the entry called `name`, `default` where it has none."""
    value = card.get(key, default)
    if not isinstance(value, str):
        problem = f"{key!r} of {name!r} is no text"
        raise FileProblem(path or "", problem, line=line_of(path, name), remedy="Write it in double quotes.")
    return value


def line_of(path: Path | None, name: str) -> int | None:
    """The first line of a JSON file that holds `name` as a string."""
    if path is None:
        return None
    written = (json.dumps(name), json.dumps(name, ensure_ascii=False))
    return next((line for line, text in read_lines(path) if any(form in text for form in written)), None)


def place_of(path: Path | None, name: str, entry: str | None = None) -> str:
    """file:line where `name` stands, for messages; `entry`: in which entry of the file."""
    line = line_of(path, name)
    return f"{path}{f':{line}' if line else ''}{f', {entry!r}' if entry is not None else ''}"


def _needed(folder: Path, name: str, places: Sequence[str]) -> Path:
    for place in places:
        found = optional_file(folder / place, name)
        if found:
            return found
    raise FileProblem(folder / name, "there is no such file", remedy=LAYOUT)
