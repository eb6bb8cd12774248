"""The word lists behind the collections. What they promise, tests hold: see `plain_items`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from askance.build.as_published import words


@cache
def listed(name: str) -> tuple[str, ...]:
    """The lines of words/limit/NAME.txt."""
    text = files("askance.build").joinpath("words", "limit", f"{name}.txt").read_text(encoding="utf-8")
    return tuple(text.splitlines())


@cache
def plain_items() -> tuple[str, ...]:
    """Items none of which, in any form of its words, is inside another one, a synonym, or a composed item."""
    left_out = listed("things_left_out")
    return (*(thing for thing in words("things") if thing not in left_out), *(item for item, _ in synonym_pairs()))


@cache
def synonym_pairs() -> tuple[tuple[str, str], ...]:
    """(item, synonym): the two share no word."""
    return _pairs("synonyms")


@cache
def adjective_pairs() -> tuple[tuple[str, str], ...]:
    """(adjective, synonym), for composed items with a synonym."""
    return _pairs("adjective_synonyms")


@cache
def given_names() -> tuple[str, ...]:
    """First names; none is a word of an item."""
    return (*words("first_names"), *listed("given_names"))


@cache
def surnames() -> tuple[str, ...]:
    """Surnames, most of them like names of villages; none is a word of an item."""
    places = (start + end for start in listed("surname_beginnings") for end in listed("surname_endings"))
    return (*words("surnames"), *places)


def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    text = files("askance.build").joinpath("words", "limit", f"{name}.tsv").read_text(encoding="utf-8")
    pairs = (line.split("\t") for line in text.splitlines())
    return tuple((item, synonym) for item, synonym in pairs)
