"""Building and opening: whole or not there, what stands in the way, what is damaged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.engines.embedded.made import Given, index_of_texts

from askance.core.errors import BadInput, DataProblem, FileProblem, UnknownName
from askance.core.progress import Recorder
from askance.engines.embedded.building import build_index
from askance.engines.embedded.layout import IndexBusy, changed_index
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.settings import Indexed, IndexSettings
from askance.irl.nodes import Lex

SNOW = [Indexed("a", "snow"), Indexed("b", "rain"), Indexed("c", "snow rain")]


def names(folder: Path) -> set[str]:
    return {found.name for found in folder.iterdir()}


def test_what_is_built_is_there(tmp_path: Path) -> None:
    recorder = Recorder()
    manifest = build_index(iter(SNOW), tmp_path / "deep" / "index", progress=recorder)
    index = EmbeddedIndex.open(tmp_path / "deep" / "index")
    assert index.manifest == manifest
    assert (index.documents, index.card.fields, index.card.scale) == (3, ("text",), "lucene")
    assert [index.text(name) for name in "abc"] == ["snow", "rain", "snow rain"]
    assert index.position("c") == 2
    assert index.identifiers(np.array([2, 0])) == ("c", "a")
    assert names(tmp_path / "deep") == {"index"}
    written = json.loads((tmp_path / "deep" / "index" / "manifest.json").read_bytes())
    assert written["format"] == 1
    assert written["settings"]["position_gap"] == 100
    assert "no factor k1 + 1" in written["scale"]
    assert "idf(t) = ln" in written["formula"]
    assert recorder.events[0] == ("start", "index documents", None)
    assert recorder.events[-1] == ("finish", "index documents", None)


def test_documents_come_back_as_they_were(tmp_path: Path) -> None:
    record = {"name": "Cy \x00", "facts": {"likes": ["A\nB", "é"]}, "items": ["x"], "texts": {"Straße /..": "y"}}
    documents = [
        Indexed("é/../x", "Text with \x00 and 😀\n", {"year": 3.0, "ok": True}, record),
        Indexed("", "", {}, {"outside": "odd"}),
        Indexed("x" * 100_000, "long name", {}, {}),
    ]
    build_index(documents, tmp_path / "index", schema=Given())
    index = EmbeddedIndex.open(tmp_path / "index")
    first = index.source("é/../x")
    assert (first.id, first.text, first.metadata) == ("é/../x", "Text with \x00 and 😀\n", {"year": 3.0, "ok": True})
    assert first.split == Given().split(record)
    assert index.source("").split == Given().split({"outside": "odd"})
    assert index.position("x" * 100_000) == 2
    assert [position for position, _ in index.sources()] == [0, 1, 2]
    assert index.lex(Lex("y"), "Straße /..", None).positions.tolist() == [0]


def test_empty_texts_are_counted_and_not_in_the_statistics(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["snow", "", "?!", "snow rain"])
    assert index.documents == 4
    assert index.manifest.counts.wordless == 2
    assert index.statistics("text").documents == 2
    assert index.statistics("text").mean_length == 1.5
    assert index.lex(Lex("snow"), "text", None).positions.tolist() == [0, 3]
    assert index.text("d2") == "?!"


def test_no_documents_at_all(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", [])
    assert index.documents == 0
    assert index.lex(Lex("snow"), "text", None).positions.tolist() == []
    assert index.search_top(Lex("snow"), 3) is not None
    assert index.all().tolist() == []


@pytest.mark.parametrize("limit", [0, -1, 1, 2, 10**9])
def test_limits(limit: int, tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["snow", "snow", "rain"])
    top = index.search_top(Lex("snow"), limit)
    assert top is not None
    assert top[0].tolist() == [0, 1][: max(limit, 0)]
    assert top[2] == 2


def test_an_identifier_that_comes_twice(tmp_path: Path) -> None:
    documents = [Indexed(f"d{number % 70}", "x") for number in range(75)]
    with pytest.raises(DataProblem, match="identifier 'd0' comes twice: document 1 and document 71"):
        build_index(documents[:71], tmp_path / "index")
    with pytest.raises(DataProblem, match="comes twice"):
        build_index(documents, tmp_path / "index")
    assert names(tmp_path) == set()


def test_half_a_character(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match="document 'b' holds half a character"):
        build_index([Indexed("a", "x"), Indexed("b", "cut \ud83d")], tmp_path / "index")
    assert names(tmp_path) == set()


def test_other_constants_of_bm25_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"k1 0\.9 and b 0\.4.*k1 1\.2 and b 0\.75 only"):
        build_index(SNOW, tmp_path / "index", settings=IndexSettings(k1=0.9, b=0.4))


def test_what_stands_in_the_way(tmp_path: Path) -> None:
    build_index(SNOW, tmp_path / "index")
    with pytest.raises(FileProblem, match="is an index already"):
        build_index(SNOW, tmp_path / "index")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("work")
    for name in ("other", "file"):
        for replace in (False, True):
            with pytest.raises(FileProblem, match="is there already, and is no index"):
                build_index(SNOW, tmp_path / name, replace=replace)
    assert (tmp_path / "other" / "thesis.tex").read_text() == "years of work"
    (tmp_path / "empty").mkdir()
    build_index(SNOW, tmp_path / "empty")
    assert EmbeddedIndex.open(tmp_path / "empty").documents == 3


def test_replaced_when_the_new_one_stands(tmp_path: Path) -> None:
    place = tmp_path / "index"
    build_index(SNOW, place)
    before = EmbeddedIndex.open(place)

    def documents() -> Iterator[Indexed]:
        for number in range(10):
            assert EmbeddedIndex.open(place).documents == 3
            yield Indexed(f"n{number}", "hail")

    build_index(documents(), place, replace=True)
    assert EmbeddedIndex.open(place).documents == 10
    assert before.lex(Lex("snow"), "text", None).positions.tolist() == [0, 2]
    assert before.text("c") == "snow rain"
    assert names(place) == {"manifest.json", "writer.lock", "gen-000002"}


def test_an_error_on_the_way_leaves_what_was(tmp_path: Path) -> None:
    place = tmp_path / "index"
    build_index(SNOW, place)

    def broken() -> Iterator[Indexed]:
        yield Indexed("x", "hail")
        raise RuntimeError("the source went away")

    for target, replace in ((place, True), (tmp_path / "new", False)):
        with pytest.raises(RuntimeError, match="went away"):
            build_index(broken(), target, replace=replace)
    assert EmbeddedIndex.open(place).documents == 3
    assert names(tmp_path) == {"index"}
    assert names(place) == {"manifest.json", "writer.lock", "gen-000001"}


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    place = tmp_path / "index"
    build_index(SNOW, place)
    with changed_index(place), pytest.raises(IndexBusy, match="another process is writing this index"):
        build_index(SNOW, place, replace=True)
    build_index(SNOW, place, replace=True)

    def while_building() -> Iterator[Indexed]:
        yield SNOW[0]
        with pytest.raises(IndexBusy):
            build_index(SNOW, tmp_path / "new")

    build_index(while_building(), tmp_path / "new")
    assert EmbeddedIndex.open(tmp_path / "new").documents == 1


KILLED = """
import sys, time
from pathlib import Path
from askance.engines.embedded.building import build_index
from askance.engines.settings import Indexed
def documents():
    for number in range(2000):
        yield Indexed(str(number), "snow")
    print("half", flush=True)
    time.sleep(60)
build_index(documents(), Path(sys.argv[1]))
"""


def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    place = tmp_path / "index"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(place)], stdout=subprocess.PIPE) as builder:
        assert builder.stdout is not None
        assert builder.stdout.readline() == b"half\n"
        with pytest.raises(IndexBusy):
            build_index(SNOW, place)
        os.kill(builder.pid, signal.SIGKILL)
    assert not place.exists()
    assert len(names(tmp_path)) == 1
    build_index(SNOW, place)
    assert names(tmp_path) == {"index"}


def test_what_is_no_index(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("nowhere", "file", "."):
        with pytest.raises(FileProblem, match="is no index of askance"):
            EmbeddedIndex.open(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"format": 1, "engine": "askance embedded"}', "is damaged: generation"),
        ('{"format": 2, "engine": "x", "new": 1}', "has format 2; this askance reads up to 1"),
    ],
)
def test_damaged_manifests(content: str, complaint: str, tmp_path: Path) -> None:
    build_index(SNOW, tmp_path / "index")
    (tmp_path / "index" / "manifest.json").write_text(content)
    with pytest.raises(FileProblem, match=complaint):
        EmbeddedIndex.open(tmp_path / "index")


@pytest.mark.parametrize("cut", [False, True])
def test_every_missing_or_emptied_file_is_told(cut: bool, tmp_path: Path) -> None:
    build_index(SNOW, tmp_path / "index")
    generation = tmp_path / "index" / "gen-000001"
    files = [file.relative_to(generation) for file in sorted(generation.rglob("*")) if file.is_file()]
    told = 0
    for file in files:
        if file.name.endswith(".lock") or file.name == ".managed.json":
            continue
        damaged = tmp_path / "damaged"
        shutil.copytree(tmp_path / "index", damaged)
        (damaged / "gen-000001" / file).unlink()
        if cut:
            (damaged / "gen-000001" / file).touch()
        with pytest.raises(FileProblem, match="missing or damaged"):
            EmbeddedIndex.open(damaged)
        shutil.rmtree(damaged)
        told += 1
    assert told >= 14


def test_no_such_document(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["snow"])
    with pytest.raises(UnknownName, match="there is no document 'nobody'"):
        index.text("nobody")


def test_opening_takes_no_longer_for_more_documents(tmp_path: Path) -> None:
    index_of_texts(tmp_path / "index", [f"snow number {number}" for number in range(20_000)])
    times = []
    for _ in range(5):
        start = time.perf_counter()
        EmbeddedIndex.open(tmp_path / "index")
        times.append(time.perf_counter() - start)
    assert min(times) < 0.05


def test_many_segments_still_come_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from askance.engines.embedded import writing

    monkeypatch.setattr(writing, "_HEAP", {"text": 15})
    texts = [f"snow {'rain ' * (number % 3)} w{number} v{number * 7} u{number * 13}" for number in range(60_000)]
    index = index_of_texts(tmp_path / "index", texts)
    expected = [at for at in range(60_000) if at % 3 == 0][:40]
    top = index.search_top(Lex("snow"), 40)
    assert top is not None
    assert top[0].tolist() == expected
    assert top[2] == 60_000
    assert index.text("d59999") == texts[-1]
