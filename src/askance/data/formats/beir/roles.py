"""The roles of a BEIR folder, and the sets of roles that gold is held against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from askance.core.errors import FileProblem, UnknownName
from askance.data.collection import OTHER, Decoys, Documents, Queries, Role, Roles
from askance.data.formats.beir.places import line_of, optional_file, place_of, read_cards, read_object, text_of
from askance.data.formats.lines import read_lines
from askance.data.formats.pairs import Pairs, Row

_ROWS = "The first line reads query-id, corpus-id, role, parted by tabs; every other line gives one of each."


def read_roles(folder: Path, queries: Queries, documents: Documents) -> Roles | None:
    """The roles of roles.tsv with the labels of roles.json; None where the folder has neither."""
    labels, default = _labels(optional_file(folder, "roles.json"))
    path = optional_file(folder, "roles.tsv")
    if path is None:
        if labels:
            problem = "there is no roles.tsv beside it, which says what has which role"
            raise FileProblem(folder / "roles.json", problem, remedy="Add roles.tsv, or remove roles.json.")
        return None
    pairs = Pairs(path, _rows(path))
    pairs.check(queries.ids, documents.ids)
    given = pairs.values()
    names = dict.fromkeys((*labels, *(role for row in given.values() for role in row.values())))
    if len(names) > 256:
        raise FileProblem(path, f"there are {len(names)} roles, expected at most 256", remedy="Is it the third column?")
    return Roles.of(queries.ids, documents.ids, [Role(name, labels.get(name, name)) for name in names], given, default)


def read_decoys(folder: Path, roles: Roles | None) -> tuple[Decoys, ...]:
    """The sets of decoys.json; without that file every listed role is a set of its own."""
    path = optional_file(folder, "decoys.json")
    if path is None:
        return tuple(Decoys(role.name, role.label, (role.name,)) for role in (roles.roles if roles else ()))
    known = [role.name for role in roles.every] if roles else [OTHER.name]
    return tuple(
        Decoys(name, text_of(card, "label", name, path, name), _members(card.get("roles"), known, path, name))
        for name, card in read_cards(path, ("label", "roles")).items()
    )


def _members(given: object, known: list[str], path: Path, name: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(role, str) for role in given):
        problem = f"{name!r} lists no roles"
        raise FileProblem(path, problem, line=line_of(path, name), remedy='Give it "roles": [role, …].')
    for role in given:
        if role not in known:
            raise UnknownName("role", role, known, where=place_of(path, role, name))
    return tuple(given)


def _labels(path: Path | None) -> tuple[dict[str, str], Role]:
    """{role: label}, and the role that every pair has which is not listed."""
    labels: dict[str, str] = {}
    default = OTHER
    for name, given in read_object(path).items():
        if isinstance(given, str):
            labels[name] = given
        elif isinstance(given, dict) and given.get("default") is True:
            default = Role(name, text_of(given, "label", name, path, name))
        else:
            remedy = 'Write {role: label}; for the role of all other pairs {role: {"label": …, "default": true}}.'
            raise FileProblem(path or "", f"{name!r} has no label", line=line_of(path, name), remedy=remedy)
    return labels, default


def _rows(path: Path) -> Iterator[Row[str]]:
    header = True
    for line, text in read_lines(path):
        if not text or text.isspace():
            continue
        cells = text.split("\t")
        if len(cells) != 3 or not all(cells):
            problem = f"{len(cells)} columns, expected 3, none empty"
            raise FileProblem(path, problem, line=line, text=text, remedy=_ROWS)
        if not header:
            yield Row(line, *cells)
        elif [cell.strip().replace("_", "-").lower() for cell in cells] != ["query-id", "corpus-id", "role"]:
            raise FileProblem(path, "this is no header", line=line, text=text, remedy=_ROWS)
        header = False
    if header:
        raise FileProblem(path, "the file is empty", remedy="Was it cut? For a collection without roles, remove it.")
