from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from askance.core.errors import FileProblem, ModelFailed
from askance.core.progress import Recorder
from askance.models.embedder import FakeEmbedder, Kind, Vectors
from askance.models.vectors import VectorSet, VectorStore

TEXTS = [f"{'long ' * (number % 7)}text {number}" for number in range(20)]


class Touchy(FakeEmbedder):
    """Its vectors depend on the batch mates, as those of real models do; counts what it embedded."""

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        out = super().embed(texts, kind)
        out[:, 0] += 1e-3 * max(map(len, texts)) + (0.01 if kind == "query" and not self.card.symmetric else 0.0)
        unit: Vectors = out / np.linalg.norm(out, axis=1, keepdims=True)
        return unit

    @property
    def embedded(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


def asymmetric() -> Touchy:
    embedder = Touchy()
    embedder.card = replace(embedder.card, symmetric=False)
    return embedder


def of(vectors: VectorSet) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return vectors.unique[vectors.query_rows], vectors.unique[vectors.document_rows]


def test_each_text_has_its_vector_and_equal_texts_share_one(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    found = VectorStore(tmp_path, batch=3).open(embedder, ["a", "b", "a"], ["b", "", "c", ""])
    queries, documents = of(found)
    np.testing.assert_array_equal(queries, FakeEmbedder().embed(["a", "b", "a"], "query"))
    np.testing.assert_array_equal(documents, FakeEmbedder().embed(["b", "", "c", ""], "document"))
    assert found.unique.shape == (4, 64)
    assert found.embedded == 4
    assert found.query_rows[0] == found.query_rows[2]
    assert found.query_rows[1] == found.document_rows[0]
    assert found.query_rows.dtype == found.document_rows.dtype == np.int64
    assert not found.unique.flags.writeable
    assert [batch for batch in embedder.batches if batch] == [("a", "b", "c"), ("",)]


def test_the_batch_law(tmp_path: Path) -> None:
    """Longest first, then by text; cut every n; only kinds never mix."""
    embedder = Touchy()
    VectorStore(tmp_path, batch=8).open(embedder, TEXTS[:5], TEXTS)
    ordered = sorted(TEXTS, key=lambda text: (-len(text), text))
    assert embedder.batches == [tuple(ordered[:8]), tuple(ordered[8:16]), tuple(ordered[16:])]
    other = asymmetric()
    found = VectorStore(tmp_path, batch=2).open(other, ["b", "a", "cc"], ["b", "a"])
    assert other.batches == [("a", "b"), ("cc", "a"), ("b",)]
    assert len(found.unique) == 5


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=6), max_size=12), st.lists(st.text(max_size=6), max_size=12), st.randoms())
def test_a_permuted_list_only_moves_rows(
    tmp_path_factory: pytest.TempPathFactory, queries: list[str], documents: list[str], draw: object
) -> None:
    shuffle = draw.shuffle  # type: ignore[attr-defined]
    store = VectorStore(tmp_path_factory.mktemp("store"), batch=3)
    first = store.open(Touchy(), queries, documents)
    order = list(range(len(documents)))
    shuffle(order)
    embedder = Touchy()
    again = store.open(embedder, queries, [documents[at] for at in order])
    assert embedder.batches == []
    np.testing.assert_array_equal(of(again)[0], of(first)[0])
    np.testing.assert_array_equal(of(again)[1], of(first)[1][order])
    assert len(first.unique) == len({*queries, *documents})


def test_a_finished_set_is_found_without_embedding(tmp_path: Path) -> None:
    first = VectorStore(tmp_path).open(Touchy(), TEXTS[:3], TEXTS)
    again = Touchy()
    found = VectorStore(tmp_path).open(again, TEXTS[:3], TEXTS)
    assert again.batches == []
    assert (found.embedded, found.damaged) == (0, 0)
    np.testing.assert_array_equal(of(found)[1], of(first)[1])


@pytest.mark.parametrize("what", ["batch", "model", "texts", "kind"])
def test_another_set_is_never_taken_for_this_one(tmp_path: Path, what: str) -> None:
    VectorStore(tmp_path, batch=4).open(Touchy(), ["q"], TEXTS)
    embedder = Touchy(32) if what == "model" else Touchy()
    if what == "kind":
        embedder.card = replace(embedder.card, symmetric=False)
    store = VectorStore(tmp_path, batch=5 if what == "batch" else 4)
    store.open(embedder, ["q"], TEXTS[1:] if what == "texts" else TEXTS)
    assert len(embedder.embedded) >= len(TEXTS)


def test_nothing_to_embed(tmp_path: Path) -> None:
    embedder = Touchy()
    found = VectorStore(tmp_path).open(embedder, [], [])
    assert found.unique.shape == (0, 64)
    assert found.query_rows.shape == found.document_rows.shape == (0,)
    found = VectorStore(tmp_path).open(embedder, [], ["a"])
    assert (found.query_rows.shape, found.document_rows.tolist()) == ((0,), [0])


def test_half_a_surrogate_pair_is_a_text_too(tmp_path: Path) -> None:
    found = VectorStore(tmp_path).open(FakeEmbedder(), ["\ud83d"], ["\ud83e", "\ud83d"])
    assert found.query_rows.tolist() == [0]
    assert found.document_rows.tolist() == [1, 0]


def test_progress_counts_texts(tmp_path: Path) -> None:
    recorder = Recorder()
    VectorStore(tmp_path, batch=8).open(Touchy(), [], TEXTS, recorder)
    task = "embed texts with fake"
    advances = [("advance", task, 8), ("advance", task, 8), ("advance", task, 4)]
    assert recorder.events == [("start", task, 20), *advances, ("finish", task, None)]


class Wrong(FakeEmbedder):
    def __init__(self, spoil: str) -> None:
        super().__init__(8)
        self.spoil = spoil

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        out = super().embed(texts, kind)
        if self.spoil == "rows":
            return out[1:]
        if self.spoil == "width":
            return out[:, 1:]
        if self.spoil == "type":
            return out.astype(np.float64)
        bad = texts.index("bad") if "bad" in texts else None
        if bad is not None:
            out[bad] = {"nan": np.nan, "inf": np.inf, "zero": 0.0, "long": out[bad] * 1.01}[self.spoil]
        return out


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (
            "rows",
            r"float32 \(1, 8\) for 2 texts, expected float32 \(2, 8\); the first of them is document 2 of 3, 'fair'",
        ),
        ("width", r"float32 \(2, 7\) for 2 texts"),
        ("type", r"float64 \(2, 8\) for 2 texts"),
        ("nan", "of length nan, is that of document 3 of 3, 'bad'"),
        ("inf", "of length inf, is that of document 3 of 3, 'bad'"),
        ("zero", "of length 0, is that of document 3 of 3, 'bad'"),
        ("long", r"of length 1\.01, is that of document 3 of 3, 'bad'"),
    ],
)
def test_nonsense_is_named_by_its_text_and_not_kept(tmp_path: Path, spoil: str, problem: str) -> None:
    store = VectorStore(tmp_path, batch=2)
    with pytest.raises(ModelFailed, match=problem):
        store.open(Wrong(spoil), [], ["good", "fair", "bad"])
    embedder = FakeEmbedder(8)
    found = store.open(embedder, [], ["good", "fair", "bad"])
    np.testing.assert_array_equal(of(found)[1], FakeEmbedder(8).embed(["good", "fair", "bad"], "document"))
    assert ("bad",) in embedder.batches


def test_a_query_is_named_as_a_query(tmp_path: Path) -> None:
    with pytest.raises(ModelFailed, match="that of query 2 of 2, 'bad'"):
        VectorStore(tmp_path).open(Wrong("nan"), ["good", "bad"], ["bad"])


class Stopped(Exception):
    pass


class Stopping(Touchy):
    """Stops before its batch number `after`."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        if len(self.batches) == self.after:
            raise Stopped
        return super().embed(texts, kind)


def bytes_of(root: Path) -> bytes:
    (path,) = root.glob("*/*/vectors.npy")
    return path.read_bytes()


def interrupted(root: Path, after: int = 3) -> VectorStore:
    store = VectorStore(root, batch=4)
    with pytest.raises(Stopped):
        store.open(Stopping(after), TEXTS[:3], TEXTS)
    return store


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    VectorStore(tmp_path / "whole", batch=4).open(Touchy(), TEXTS[:3], TEXTS)
    return bytes_of(tmp_path / "whole")


@pytest.mark.parametrize("after", range(5))
def test_goes_on_where_it_stopped(tmp_path: Path, whole: bytes, after: int) -> None:
    store, recorder, embedder = interrupted(tmp_path / "s", after), Recorder(), Touchy()
    found = store.open(embedder, TEXTS[:3], TEXTS, recorder)
    assert len(embedder.batches) == 5 - after
    assert found.embedded == 20 - 4 * after
    assert bytes_of(tmp_path / "s") == whole
    assert sum(units or 0 for what, _, units in recorder.events if what == "advance") == found.embedded


@pytest.mark.parametrize(
    ("tail", "repeated"),
    [
        (b"2 77c1", 0),  # torn in the middle of a line
        (b"not a line\n", 0),
        (b"99 " + b"a" * 64 + b"\n", 0),  # no such batch
        (b"\xff\xfe\n", 0),
        (b"1 " + b"a" * 64 + b"\n", 1),  # another hash than the rows have
    ],
)
def test_a_journal_with_a_bad_end(tmp_path: Path, whole: bytes, tail: bytes, repeated: int) -> None:
    store = interrupted(tmp_path / "s")
    (journal,) = (tmp_path / "s").glob("*/*/journal")
    journal.write_bytes(journal.read_bytes() + tail)
    embedder = Touchy()
    found = store.open(embedder, TEXTS[:3], TEXTS)
    assert len(embedder.batches) == 2 + repeated
    assert found.damaged == 4 * repeated
    assert bytes_of(tmp_path / "s") == whole
    assert store.open(Touchy(), TEXTS[:3], TEXTS).embedded == 0


def test_a_last_line_that_is_torn_is_made_again(tmp_path: Path, whole: bytes) -> None:
    store = interrupted(tmp_path / "s")
    (journal,) = (tmp_path / "s").glob("*/*/journal")
    journal.write_bytes(journal.read_bytes()[:-5])
    embedder = Touchy()
    store.open(embedder, TEXTS[:3], TEXTS)
    assert len(embedder.batches) == 3
    assert bytes_of(tmp_path / "s") == whole


@pytest.mark.parametrize("complete", [False, True])
def test_damaged_rows_are_noticed_and_made_again(tmp_path: Path, whole: bytes, complete: bool) -> None:
    store = interrupted(tmp_path / "s")
    if complete:
        store.open(Touchy(), TEXTS[:3], TEXTS)
    (path,) = (tmp_path / "s").glob("*/*/vectors.npy")
    raw = bytearray(path.read_bytes())
    raw[-20 * 64 * 4 + 5 * 64 * 4] ^= 1  # in row 5, of batch 1
    path.write_bytes(bytes(raw))
    embedder = Touchy()
    found = store.open(embedder, TEXTS[:3], TEXTS)
    assert len(embedder.batches) == (1 if complete else 3)
    assert found.damaged == 4
    assert bytes_of(tmp_path / "s") == whole


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("spoil", ["cut", "header", "gone"])
def test_a_file_of_another_shape_is_made_again(tmp_path: Path, whole: bytes, complete: bool, spoil: str) -> None:
    store = interrupted(tmp_path / "s")
    if complete:
        store.open(Touchy(), TEXTS[:3], TEXTS)
    (path,) = (tmp_path / "s").glob("*/*/vectors.npy")
    raw = path.read_bytes()
    path.unlink()
    if spoil != "gone":
        path.write_bytes(raw[:-4] if spoil == "cut" else raw.replace(b"(20, 64)", b"(40, 32)"))
    found = store.open(Touchy(), TEXTS[:3], TEXTS)
    assert found.embedded == 20
    assert bytes_of(tmp_path / "s") == whole


def test_nothing_but_the_set_is_left(tmp_path: Path) -> None:
    interrupted(tmp_path).open(Touchy(), TEXTS[:3], TEXTS)
    (model,) = tmp_path.iterdir()
    (folder,) = (path for path in model.iterdir() if path.is_dir())
    assert sorted(path.name for path in folder.iterdir()) == ["journal", "vectors.npy"]
    assert sorted(path.name for path in model.iterdir()) == sorted([folder.name, "model.json"])
    assert json.loads((model / "model.json").read_text())["name"] == "fake"
    assert np.load(folder / "vectors.npy").shape == (20, 64)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = VectorStore(tmp_path / "file")
    with pytest.raises(FileProblem, match="vectors cannot be kept here"):
        store.open(Touchy(), [], ["a"])
    with pytest.raises(ValueError, match="at least one text"):
        VectorStore(tmp_path, batch=0)


PROGRAM = """
import os, signal, sys, time
from pathlib import Path
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore

class Slow(FakeEmbedder):
    def embed(self, texts, kind):
        with open(sys.argv[2], "a") as log:
            log.write(f"{texts[0]}\\n")
        if len(self.batches) == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(float(sys.argv[4]))
        return super().embed(texts, kind)

texts = [f"text {number:03}" for number in range(40)]
found = VectorStore(Path(sys.argv[1]), batch=4).open(Slow(), texts[:5], texts)
print(found.embedded)
"""


def start(root: Path, log: Path, kill_at: int, sleep: float = 0.0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(root), str(log), str(kill_at), str(sleep)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def test_killed_between_two_batches_and_run_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for kill_at in (3, 2):
        with start(tmp_path / "s", log, kill_at) as process:
            process.communicate()
        assert process.returncode == -signal.SIGKILL
    with start(tmp_path / "s", log, -1) as process:
        said, _ = process.communicate()
    assert (process.returncode, said) == (0, "20\n")
    begun = log.read_text().split("\n")[:-1]
    firsts = [f"text {number:03}" for number in range(0, 40, 4)]
    assert begun == [*firsts[:4], *firsts[3:6], *firsts[5:]]  # only the two that were in flight are begun twice
    texts = [f"text {number:03}" for number in range(40)]
    VectorStore(tmp_path / "w", batch=4).open(FakeEmbedder(), texts[:5], texts)
    assert bytes_of(tmp_path / "s") == bytes_of(tmp_path / "w")


def test_killed_at_any_moment_by_somebody_else(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with start(tmp_path / "s", log, -1, 0.05) as process:
        deadline = time.monotonic() + 30
        while not (log.exists() and len(log.read_text().splitlines()) >= 3):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.kill()
        process.communicate()
    with start(tmp_path / "s", log, -1) as process:
        assert process.wait() == 0
    begun = log.read_text().splitlines()
    assert len(begun) - len(set(begun)) <= 1
    assert len(set(begun)) == 10


def test_two_processes_make_one_set(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with start(tmp_path / "s", log, -1, 0.02) as one, start(tmp_path / "s", log, -1, 0.02) as other:
        said = sorted(process.communicate()[0] for process in (one, other))
    assert said == ["0\n", "40\n"]
    assert len(log.read_text().splitlines()) == 10


def test_who_waits_says_so(tmp_path: Path) -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Waiting(Touchy):
        def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
            inside.set()
            assert go_on.wait(30)
            return super().embed(texts, kind)

    class Watcher(Recorder):
        def start(self, task: str, total: int | None, done: int = 0) -> None:
            super().start(task, total, done)
            go_on.set()

    first = threading.Thread(target=VectorStore(tmp_path).open, args=(Waiting(), [], TEXTS))
    first.start()
    assert inside.wait(30)
    watcher, second = Watcher(), Touchy()
    found = VectorStore(tmp_path).open(second, [], TEXTS, watcher)
    first.join()
    assert second.batches == []
    assert found.embedded == 0
    task = "wait for another process that embeds the same texts"
    assert watcher.events == [("start", task, None), ("finish", task, None)]
