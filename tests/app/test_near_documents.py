"""Identifiers like one that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.app.near_documents import near_documents, no_such_document
from askance.engines.embedded.engine import EmbeddedEngine, build
from askance.engines.embedded.updating import delete
from askance.engines.settings import Indexed

NAMES = ("Jerrod Dumpit", "Jerod Dumpling", "Geneva Durben", "doc-000123", "doc-000124", "שלום", "Ünal", "x")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    place = tmp_path_factory.mktemp("near") / "index"
    build([Indexed(name, "text") for name in (*NAMES, "gone-000123")], place)
    delete(place, ["gone-000123"])
    return EmbeddedEngine.open(place)


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("Jerod Dumpit", ["Jerrod Dumpit", "Jerod Dumpling"]),
        ("geneva durben", ["Geneva Durben"]),
        ("doc-00123", ["doc-000123", "doc-000124"]),
        ("gone-000123", ["doc-000123"]),
        ("UNAL", ["Ünal"]),
        ("ünall", ["Ünal"]),
        ("שלו", ["שלום"]),
        ("nothing like it", []),
        ("", []),
    ],
)
def test_near(engine: EmbeddedEngine, asked: str, near: list[str]) -> None:
    assert near_documents(engine, asked) == near


def test_the_message(engine: EmbeddedEngine) -> None:
    assert "Did you mean 'Jerrod Dumpit' or 'Jerod Dumpling'?" in str(no_such_document(engine, "Jerod Dumpit"))
    assert str(no_such_document(engine, "zzz")).endswith("'doc-000123', 'doc-000124', …")


def test_an_empty_index(tmp_path: Path) -> None:
    build([Indexed("a", "text")], tmp_path / "index")
    delete(tmp_path / "index", ["a"])
    assert str(no_such_document(EmbeddedEngine.open(tmp_path / "index"), "b")).endswith("There are: none")
