"""Collections in the manner of LIMIT as folders: whole, the same everywhere, read back, written in little memory."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from pathlib import Path

import pytest
from tests.command import askance as command

import askance
from askance.app.build import counts_of
from askance.build.limit.settings import LimitSettings, limit_settings
from askance.build.limit.writing import limit_collection, write_limit
from askance.core.errors import BadInput, FileProblem
from askance.core.progress import Recorder
from askance.data.formats.beir import read_beir
from askance.study.collections import open_collection

FULL = {
    "seed": 3,
    "documents": 400,
    "queries": 200,
    "containment": 0.05,
    "separators": 0.05,
    "name_collisions": 0.1,
    "questions": {"or": 5, "and_not": 5},
    "negatives": {"negation": "document", "name": 7},
}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_one_seed_one_folder(tmp_path: Path) -> None:
    write_limit(limit_settings(**FULL), tmp_path / "one")
    write_limit(limit_settings(**FULL), tmp_path / "two")
    write_limit(limit_settings(**FULL | {"seed": 4}), tmp_path / "three")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert files(tmp_path / "one")["corpus.jsonl"] != files(tmp_path / "three")["corpus.jsonl"]


def test_the_same_on_any_machine(tmp_path: Path) -> None:
    """These digests change only where what is made is meant to change."""
    write_limit(limit_settings(**FULL), tmp_path / "made")
    digests = {name: hashlib.sha256(raw).hexdigest()[:12] for name, raw in files(tmp_path / "made").items()}
    digests.pop("manifest.json")  # holds the version of the package
    assert digests == DIGESTS


DIGESTS = {
    "corpus.jsonl": "9fc0a31a98ae",
    "qrels/test.tsv": "785ff01a2772",
    "queries.jsonl": "f83aa8c9b86a",
    "roles.json": "f821c54ca8bb",
    "roles.tsv": "e930e8861ab1",
    "tiers.json": "7e7614755121",
}


def test_the_command_writes_the_same_whatever_the_order_of_hashes(tmp_path: Path) -> None:
    asked = ["--documents", "150", "--queries", "60", "--questions", "and=4", "--negatives", "split=document", "--json"]
    shown = []
    for number in (1, 2):
        done = command("build", "limit", "--into", f"made{number}", *asked, cwd=tmp_path, PYTHONHASHSEED=str(number))
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout)
    assert shown[0] == shown[1]
    assert json.loads(shown[0])["schema"] == "askance/build limit/1"
    assert files(tmp_path / "made1") == files(tmp_path / "made2")
    refused = command("build", "limit", "--into", "made1", *asked, cwd=tmp_path)
    assert refused.returncode == 2
    assert "it is there and not empty" in refused.stderr


@pytest.mark.parametrize(
    ("entries", "found"),
    [(["or"], "does not read NAME=COUNT"), (["or="], "does not read"), (["or=1", "or=2"], "names 'or' twice")],
)
def test_counts_that_cannot_be_read(entries: list[str], found: str) -> None:
    with pytest.raises(BadInput, match=found):
        counts_of(entries, "--questions")


def test_counts() -> None:
    assert counts_of(["or=12", "negation=document"], "--questions") == {"or": 12, "negation": "document"}


def test_the_manifest_says_what_is_there(tmp_path: Path) -> None:
    watched = Recorder()
    made = write_limit(limit_settings(**FULL), tmp_path / "made", progress=watched)
    manifest = json.loads((tmp_path / "made" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest == made.record()
    assert manifest["askance"] == askance.__version__
    assert LimitSettings(**manifest["settings"]) == limit_settings(**FULL)
    written = files(tmp_path / "made")
    written.pop("manifest.json")
    assert (
        manifest["files"]
        == {name: {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)} for name, raw in written.items()} | {}
    )
    assert manifest["counts"]["documents"] == written["corpus.jsonl"].count(b"\n")
    assert manifest["counts"]["queries"] == written["queries.jsonl"].count(b"\n") == 210
    assert manifest["counts"]["judgments"] == written["qrels/test.tsv"].count(b"\n") - 1
    assert watched.events[0] == ("start", "documents", manifest["counts"]["documents"])
    assert sum(units or 0 for kind, _, units in watched.events if kind == "advance") == len(
        (tmp_path / "made" / "corpus.jsonl").read_bytes().splitlines()
    )


def test_reading_back(tmp_path: Path) -> None:
    made = write_limit(limit_settings(**FULL | {"form": "fields"}), tmp_path / "made")
    found = read_beir(tmp_path / "made")
    assert len(found.documents) == made.counts["documents"]
    assert len(found.tier("test").judgments) == made.counts["judgments"]
    assert found.queries.slices["template"].count("or") == 5
    assert found.queries.field("text")[0].startswith("Who likes ")
    assert set(found.documents.fields) >= {"text", "name", "relation", "negative_of", "kind"}
    assert found.roles is not None
    assert [role.name for role in found.roles.roles] == ["negation", "name"]
    gold = {(query, int(at)) for query in range(210) for at in found.tier("test").judgments.of_query(query)[0]}
    near = {
        (query, int(at))
        for query in range(210)
        for role in ("negation", "name")
        for at in found.roles.of_query(query, role)
    }
    assert near
    assert not gold & near
    opened = open_collection(str(tmp_path / "made"))
    assert opened.documents.sha256 == found.documents.sha256


def test_in_memory_it_is_what_would_be_read_back(tmp_path: Path) -> None:
    write_limit(limit_settings(**FULL), tmp_path / "made")
    found, read = limit_collection(limit_settings(**FULL)), read_beir(tmp_path / "made")
    assert found.documents.sha256 == read.documents.sha256
    assert found.queries.sha256 == read.queries.sha256
    assert found.name == "limit"
    assert found.origin == "made by askance"
    for query in range(len(read.queries)):
        assert (
            found.tier("test").judgments.of_query(query)[0].tolist()
            == read.tier("test").judgments.of_query(query)[0].tolist()
        )


def test_sign_takes_the_folder(tmp_path: Path) -> None:
    write_limit(limit_settings(documents=60, queries=30, items=10, negatives={"split": 5}), tmp_path / "made")
    found = askance.sign(str(tmp_path / "made"))
    assert [(decoys.name, decoys.label) for decoys in found.decoys] == [("split", "holds the words apart")]


def test_half_a_folder_is_never_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("askance.build.limit.writing.os.fsync", full)
    with pytest.raises(FileProblem, match="No space left on device"):
        write_limit(limit_settings(**FULL), tmp_path / "made")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileProblem, match="it is there and not empty"):
        write_limit(limit_settings(**FULL), tmp_path)
    assert files(tmp_path) == {"notes.txt": b"mine"}


def test_memory_does_not_grow_with_documents(tmp_path: Path) -> None:
    """Eight times the documents, the same peak: within a tenth, and far below the file's size."""
    peaks = {}
    for documents in (1000, 8000):
        tracemalloc.start()
        write_limit(limit_settings(documents=documents, containment=0.05), tmp_path / str(documents))
        peaks[documents] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    size = (tmp_path / "8000" / "corpus.jsonl").stat().st_size
    assert peaks[8000] < 1.1 * peaks[1000], peaks
    assert peaks[8000] < size / 2, (peaks, size)
