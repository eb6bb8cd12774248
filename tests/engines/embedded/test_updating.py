"""Changes of an index: whole or not at all, positions kept, statistics as Lucene keeps them, compacting."""

from __future__ import annotations

import math
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.embedded.made import Given, index_of_texts

from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.fields.schema import Record
from askance.engines.embedded.building import build_index
from askance.engines.embedded.layout import IndexBusy, changed_index
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.embedded.updating import add, change, compact, delete, update
from askance.engines.settings import Indexed
from askance.irl.nodes import Exact, Filter, Lex, Or

TEXTS = ["snow", "rain", "snow rain", "hail", "snow snow snow"]


def found(index: EmbeddedIndex, word: str) -> list[int]:
    return [int(at) for at in index.lex(Lex(word), "text", None).positions]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    index_of_texts(tmp_path / "index", TEXTS)
    return tmp_path / "index"


def test_one_batch(place: Path) -> None:
    before = EmbeddedIndex.open(place)
    manifest = change(
        place,
        delete=["d0"],
        update=[Indexed("d1", "snow at last")],
        put=[Indexed("d3", "hail and sleet"), Indexed("p", "sleet")],
        add=[Indexed("n", "snow")],
    )
    index = EmbeddedIndex.open(place)
    assert index.manifest == manifest
    assert (manifest.generation, manifest.deleted, manifest.superseded) == (2, 1, 2)
    assert index.documents == 6
    assert index.all().tolist() == [1, 2, 3, 4, 5, 6]
    assert found(index, "snow") == [1, 2, 4, 6]
    assert found(index, "sleet") == [3, 5]
    assert [index.text(name) for name in ("d1", "n")] == ["snow at last", "snow"]
    assert index.identifiers(index.all()) == ("d1", "d2", "d3", "d4", "p", "n")
    assert not index.has("d0")
    assert any("1 deleted and 2 updated" in note for note in index.card.notes)
    assert found(before, "snow") == [0, 2, 4]
    assert before.text("d0") == "snow"
    assert sorted(file.name for file in place.iterdir()) == ["gen-000002", "manifest.json", "writer.lock"]


def test_a_position_is_never_used_twice(place: Path) -> None:
    delete(place, ["d4"])
    add(place, [Indexed("d4", "back again")])
    index = EmbeddedIndex.open(place)
    assert index.position("d4") == 5
    assert index.all().tolist() == [0, 1, 2, 3, 5]


def test_ties_stand_by_position_after_updates(place: Path) -> None:
    update(place, [Indexed("d0", "hail hail"), Indexed("d2", "hail hail")])
    change(place, put=[Indexed("x", "hail hail"), Indexed("d1", "hail hail")])
    index = EmbeddedIndex.open(place)
    for limit in range(1, 7):
        top = index.search_top(Lex("hail"), limit)
        assert top is not None
        assert top[0].tolist() == [0, 1, 2, 5, 3][:limit]
        assert top[2] == 5


def test_the_deleted_count_until_the_index_is_compacted(place: Path) -> None:
    """N 5, n 3 of "snow": one deleted, one updated away and one added to; the old ones count as Lucene counts them."""
    change(place, delete=["d0"], update=[Indexed("d2", "rain")])
    index = EmbeddedIndex.open(place)
    assert index.statistics("text").documents == 6
    assert index.statistics("text").mean_length == pytest.approx((1 + 1 + 2 + 1 + 3 + 1) / 6)
    assert index.idf(["snow"], "text") == pytest.approx(math.log1p((6 - 3 + 0.5) / 3.5))
    scored = index.lex(Lex("snow"), "text", None)
    figures = index.figures(Lex("snow"), "text", None, 4)
    assert figures is not None
    assert scored.positions.tolist() == [4]
    assert scored.scores[0] == pytest.approx(figures.score, rel=1e-6)
    assert index.holders("snow") == 1
    manifest = compact(place)
    index = EmbeddedIndex.open(place)
    assert (manifest.deleted, manifest.superseded) == (0, 0)
    assert index.statistics("text").documents == 4
    assert index.idf(["snow"], "text") == pytest.approx(math.log1p((4 - 1 + 0.5) / 1.5))


def test_what_does_not_fit_changes_nothing(place: Path) -> None:
    for complaint, wrong in (
        ("'d0' is in the index already", {"add": [Indexed("d0", "x")]}),
        ("'x' is not in the index", {"update": [Indexed("x", "x")]}),
        ("'x' is not in the index", {"delete": ["x"]}),
        ("'d0' comes twice in one batch: as number 1 and as number 2", {"delete": ["d0", "d0"]}),
        ("comes twice", {"delete": ["d0"], "put": [Indexed("d0", "x")]}),
        ("half a character", {"put": [Indexed("y", "x"), Indexed("z", "\ud800")]}),
    ):
        with pytest.raises(DataProblem, match=complaint):
            change(place, **wrong)
    index = EmbeddedIndex.open(place)
    assert (index.manifest.generation, index.documents) == (1, 5)
    assert sorted(file.name for file in place.iterdir()) == ["gen-000001", "manifest.json", "writer.lock"]
    assert change(place) == index.manifest
    with pytest.raises(FileProblem, match="no index of askance"):
        add(place.parent, [Indexed("x", "y")])


def test_one_writer_at_a_time(place: Path) -> None:
    with changed_index(place), pytest.raises(IndexBusy):
        delete(place, ["d0"])
    delete(place, ["d0"])


def test_fields_and_counts_follow(tmp_path: Path) -> None:
    place = tmp_path / "index"
    records: list[Record] = [
        {"facts": {"likes": ["Snow"]}, "name": "Bo", "texts": {"town": "Oslo"}},
        {"outside": "no match"},
        {"items": ["?", "Rain"]},
    ]
    documents = [Indexed(f"d{n}", f"text {n}", {"n": float(n)}, record) for n, record in enumerate(records)]
    first = build_index(documents, place, schema=Given())
    changed = change(
        place,
        delete=["d0"],
        update=[Indexed("d1", "", {"s": "x"}, {"facts": {"hates": ["Snow"]}, "texts": {"river": "Po"}})],
        schema=Given(),
    )
    index = EmbeddedIndex.open(place)
    assert first.counts.outside == {"no match": 1}
    assert changed.counts.outside == {}
    assert changed.counts.relations == {"hates": 1}
    assert changed.counts.metadata == {"s": {"text": 1}, "n": {"number": 1}}
    assert (changed.counts.wordless, changed.counts.with_items, changed.counts.items_without_words) == (1, 2, 1)
    assert index.exact(Exact("snow"), "hates").positions.tolist() == [1]
    assert index.exact(Exact("snow"), "likes").positions.tolist() == []
    assert index.lex(Lex("Oslo"), "town", None).positions.tolist() == []
    assert index.lex(Lex("Po"), "river", None).positions.tolist() == [1]
    assert index.filter(Filter("s", ("x",))).tolist() == [1]
    compacted = compact(place)
    again = EmbeddedIndex.open(place)
    assert compacted.counts.model_dump(exclude={"positions"}) == changed.counts.model_dump(exclude={"positions"})
    assert again.identifiers(again.all()) == ("d1", "d2")
    assert again.source("d1") == index.source("d1")


def test_the_schema_must_be_the_one_it_was_built_with(tmp_path: Path, place: Path) -> None:
    class Other(Given):
        def described(self) -> dict[str, str]:
            return {"kind": "other"}

    build_index([Indexed("a", "x", record={"items": ["y"]})], tmp_path / "fielded", schema=Given())
    with pytest.raises(BadInput, match="not the one that the index was built with"):
        add(tmp_path / "fielded", [Indexed("b", "x")], schema=Other())
    with pytest.raises(BadInput, match="built without one"):
        add(place, [Indexed("b", "x")], schema=Given())


def test_what_stands_beside_is_made_before_it_holds(tmp_path: Path) -> None:
    place = tmp_path / "index"
    seen: list[tuple[str, list[str | None], str | None]] = []

    def beside(folder: Path, texts: Iterable[str | None], before: Path | None) -> None:
        seen.append((folder.name, list(texts), (before / "note").read_text() if before else None))
        (folder / "note").write_text(folder.name)

    build_index([Indexed("a", "x"), Indexed("b", "y")], place, beside=beside)
    change(place, delete=["a"], put=[Indexed("c", "z")], beside=beside)
    compact(place, beside=beside)
    assert seen == [
        ("gen-000001", ["x", "y"], None),
        ("gen-000002", [None, "y", "z"], "gen-000001"),
        ("gen-000003", ["y", "z"], "gen-000002"),
    ]
    assert (EmbeddedIndex.open(place).folder / "note").read_text() == "gen-000003"

    def broken(folder: Path, texts: Iterable[str | None], before: Path | None) -> None:
        raise RuntimeError("no model")

    with pytest.raises(RuntimeError, match="no model"):
        change(place, delete=["b"], beside=broken)
    assert EmbeddedIndex.open(place).text("b") == "y"


Step = list[tuple[str, str | None]]
STEP = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([None, "snow", "snow rain", "rain rain", ""])),
    max_size=5,
    unique_by=lambda pair: pair[0],
)


@settings(max_examples=12, deadline=None)
@given(start=STEP, steps=st.lists(STEP, max_size=3))
def test_any_changes_give_the_documents_that_were_put(
    start: list[tuple[str, str | None]],
    steps: list[list[tuple[str, str | None]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("changes")
    expected = {name: text for name, text in start if text is not None}
    build_index([Indexed(name, text) for name, text in expected.items()], folder / "index")
    for step in steps:
        gone = [name for name, text in step if text is None and name in expected]
        put = {name: text for name, text in step if text is not None}
        change(folder / "index", delete=gone, put=[Indexed(name, text) for name, text in put.items()])
        expected = {name: text for name, text in expected.items() if name not in gone} | put
    changed = EmbeddedIndex.open(folder / "index")
    assert {source.id: source.text for _, source in changed.sources()} == expected
    compact(folder / "index")
    compacted = EmbeddedIndex.open(folder / "index")
    order = [source.id for _, source in compacted.sources()]
    build_index([Indexed(name, expected[name]) for name in order], folder / "fresh")
    fresh = EmbeddedIndex.open(folder / "fresh")
    for node in (Lex("snow"), Lex("snow rain"), Lex("snow rain", "any"), Or((Lex("rain"), Lex("snow")))):
        one, other, old = compacted.search_top(node, 9), fresh.search_top(node, 9), changed.search_top(node, 9)
        assert one is not None
        assert other is not None
        assert old is not None
        assert (one[0].tolist(), one[1].tolist(), one[2]) == (other[0].tolist(), other[1].tolist(), other[2])
        assert set(changed.identifiers(old[0])) == set(fresh.identifiers(other[0]))


KILLED = """
import sys
from pathlib import Path
from askance.engines.embedded.updating import change, compact
from askance.engines.settings import Indexed
place = Path(sys.argv[1])
for number in range(10_000):
    change(place, put=[Indexed(f"d{at}", f"version {number}") for at in range(50)])
    if number % 3 == 2:
        compact(place)
    print(number, flush=True)
"""


def test_killed_at_any_moment_it_is_the_old_or_the_new(tmp_path: Path) -> None:
    place = tmp_path / "index"
    index_of_texts(place, ["version 0"] * 50)
    chance = random.Random(7)
    generations = set()
    for _ in range(8):
        with subprocess.Popen([sys.executable, "-c", KILLED, str(place)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for number in range(chance.randint(1, 3)):
                assert writer.stdout.readline() == b"%d\n" % number
            time.sleep(chance.uniform(0, 0.08))
            os.kill(writer.pid, signal.SIGKILL)
        index = EmbeddedIndex.open(place)
        generations.add(index.manifest.generation)
        versions = {source.text for _, source in index.sources()}
        assert len(versions) == 1
        assert index.documents == 50
        top = index.search_top(Lex(versions.pop()), 100)
        assert top is not None
        assert top[0].tolist() == list(range(50))
    assert len(generations) == 8
    change(place, put=[Indexed("last", "word")])
    left = sorted(file.name for file in place.iterdir())
    assert left == [f"gen-{EmbeddedIndex.open(place).manifest.generation:06d}", "manifest.json", "writer.lock"]
