"""Indexes that the commands are tried on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tests.inside import typed  # noqa: F401  (a fixture)

from askance.app.index import index, index_settings

LONG_ID = "paper-2022-cs-ir-00000002-with-a-very-long-identifier-that-goes-on"
PEOPLE = {
    "d1": "Ann likes Snow Leopards, Tea.",
    "d2": "Bo likes Reed, Oak, Tin, Wool, Clay, Moss, Cork, Salt, Rice, Snow.",
    "d3": "Snow Cole likes Honey, Tea.",
    "d4": "Di does not like Snow, Honey.",
    "d5": "Ed likes Mangrove Forests, Birch Trees.",
    "d6": "nothing about anybody",
}
SCHEMA = """\
kind = "pattern"
pattern = '(?P<name>.+?) (?P<relation>likes|does not like) (?P<items>.+)\\.'
"""
PAPERS: Sequence[Mapping[str, object]] = (
    {"_id": "p1", "title": "On vectors", "text": "sparse retrieval and dense vectors", "year": 2021, "by": "Ada"},
    {"_id": LONG_ID, "text": "中文合約轉換 and other things", "metadata": {"year": 2022, "lang": "zh"}},
    {"_id": "שלום", "text": "שלום עולם sparse", "year": 2023, "tags": ["x"]},
    {"_id": "p4", "text": "Levi's Jeans, dense retrieval \u001b[31mred", "year": 2020},
)


def lines_of(path: Path, records: Sequence[Mapping[str, object]]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with people.jsonl, likes.toml, papers.jsonl, and the indexes people, papers, near (with vectors)."""
    folder = tmp_path_factory.mktemp("indexes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASKANCE_CACHE", str(folder / "cache"))
        people = lines_of(folder / "people.jsonl", [{"_id": id, "text": text} for id, text in PEOPLE.items()])
        papers = lines_of(folder / "papers.jsonl", PAPERS)
        (folder / "likes.toml").write_text(SCHEMA, encoding="utf-8")
        index(people, folder / "people", schema=folder / "likes.toml")
        index(papers, folder / "papers")
        index(papers, folder / "near", settings=index_settings(model="fake"))
    return folder


@pytest.fixture
def there(indexes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That folder, as the current one; tests change nothing in it."""
    monkeypatch.chdir(indexes)
    return indexes
