"""Servings of a model opened and compared: models of a study file, stored vectors, run files, a server that drifts."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from askance.app.drift import drift
from askance.core.errors import BadInput, CheckFailed, DataProblem, UnknownName
from askance.data.formats.beir import read_beir
from askance.data.formats.runs import write_run
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore
from askance.study.servings import Texts, open_serving

FAKE = FakeEmbedder(32)


@pytest.fixture
def servings(study: Path) -> Path:
    """The study of chores with two more models: one that embeds alike, one of another length."""
    more = '[models.twin]\nembedder = "fake"\nmax_tokens = 99\n\n[models.wide]\nembedder = "fake"\ndimension = 65\n\n'
    study.write_text(study.read_text().replace("[domains.chores]", more + "[domains.chores]", 1))
    return study


def stored(collection: Path, folder: Path, noise: float) -> str:
    """Vectors of a collection as somebody else would store them: of any length, with noise."""
    found = read_beir(collection)
    rng = np.random.default_rng(1)
    folder.mkdir()
    for name, texts in (("queries", found.queries), ("documents", found.documents)):
        rows = FakeEmbedder().embed(texts.field("text"), "document") * 7
        np.save(folder / f"{name}.npy", rows + noise * rng.normal(size=rows.shape).astype(np.float32))
    return str(folder)


def test_one_model_under_two_names_does_not_drift(servings: Path) -> None:
    found = drift(f"{servings}#small", f"{servings}#twin")
    assert found.cosines is not None
    assert found.cosines.lowest.value == pytest.approx(1.0)
    assert found.ranks is not None
    assert found.ranks.same_order.value == 1.0
    assert [str(one.drift.measure) for one in found.measures] == ["Hit@1", "Hit@5", "Hit@10", "AP"]
    for one in found.measures:
        assert one.tier == "other-thing"  # the main one of the collection
        assert one.drift.difference.value == 0.0
        assert one.drift.discordant == ()
    assert found.first.kind == "model"
    assert found.first.about["precision"] == "fp32"


def test_stored_vectors_are_ranked_as_the_model_is(servings: Path, chores: Path, tmp_path: Path) -> None:
    collection = str(chores)
    exact = drift(f"{servings}#small", stored(chores, tmp_path / "exact", 0.0), collection=collection, tiers=["all"])
    assert exact.cosines is not None
    assert exact.cosines.lowest.value == pytest.approx(1.0, abs=1e-6)
    assert exact.ranks is not None
    assert exact.ranks.same_order.value == 1.0
    assert {one.tier for one in exact.measures} == {"any", "other-thing"}
    noisy = drift(f"{servings}#small", stored(chores, tmp_path / "noisy", 0.8), collection=collection)
    assert noisy.cosines is not None
    assert 0.3 < (noisy.cosines.mean.value or 0.0) < 0.95
    assert noisy.cosines.close.value == 0.0
    assert noisy.first_places is not None
    assert noisy.first_places.changes
    assert noisy.texts[int(noisy.cosines.rows[0])].split()[0] in ("query", "document")
    with pytest.raises(CheckFailed, match=r"the lowest cosine is .* below 0\.99: (query|document) "):
        noisy.check_cosines(0.99)
    exact.check_cosines(0.99)


def test_a_measure_may_name_its_tier(servings: Path) -> None:
    found = drift(
        f"{servings}#small", f"{servings}#twin", tiers=["all"], measures=["Hit@1[any]", "AP", "Hit@5[other-thing]"]
    )
    said = [(one.tier, str(one.drift.measure)) for one in found.measures]
    assert said == [("any", "Hit@1"), ("any", "AP"), ("other-thing", "AP"), ("other-thing", "Hit@5")]
    with pytest.raises(UnknownName, match="no tier 'anny'"):
        drift(f"{servings}#small", f"{servings}#twin", measures=["Hit@1[anny]"])


def test_a_run_file_beside_a_model_is_compared_by_ranks(servings: Path, chores: Path, tmp_path: Path) -> None:
    found = read_beir(chores)
    texts = Texts(
        found.queries.field("text"),
        found.documents.field("text"),
        found.queries.ids,
        found.documents.ids,
        found.excluded,
    )
    run = open_serving(f"{servings}#small", texts).run
    assert run is not None
    path = tmp_path / "served.jsonl"
    write_run(run.top(3), path)
    compared = drift(f"{servings}#small", str(path))
    assert compared.cosines is None
    assert compared.ranks is not None
    assert compared.ranks.same_first.value == 1.0
    assert compared.ranks.same_order.value == 0.0  # the file stops at rank 3
    with pytest.raises(BadInput, match="no vectors"):
        compared.check_cosines(0.9)


def test_matrices_alone_are_compared_row_by_row(tmp_path: Path) -> None:
    rows = np.random.default_rng(2).normal(size=(5, 3))
    np.save(tmp_path / "a.npy", rows)
    np.save(tmp_path / "b.npy", -rows)
    found = drift(str(tmp_path / "a.npy"), str(tmp_path / "b.npy"))
    assert found.cosines is not None
    assert found.cosines.mean.value == pytest.approx(-1.0)
    assert (found.ranks, found.measures) == (None, ())
    assert list(found.texts) == [f"row {number}" for number in range(1, 6)]


def test_sets_of_the_store_are_compared(tmp_path: Path) -> None:
    paths = []
    for dimension in (8, 9):
        embedder = FakeEmbedder(dimension)
        VectorStore(tmp_path).open(embedder, ["q"], ["a", "bc"])
        paths += [str(path) for path in (tmp_path / embedder.card.fingerprint).iterdir() if path.is_dir()]
    with pytest.raises(DataProblem, match=r"shape \[3, 8\] and \[3, 9\]"):
        drift(*paths)
    same = drift(paths[0], paths[0])
    assert same.cosines is not None
    assert same.cosines.lowest.value == pytest.approx(1.0)


def test_plain_texts_give_cosines_and_no_ranks(servings: Path, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("one text\n\nanother text\n")
    (tmp_path / "lines.jsonl").write_text('{"_id": "a", "text": "one text"}\n{"_id": "b", "text": "another text"}\n')
    for name in ("lines.txt", "lines.jsonl"):
        found = drift(f"{servings}#small", f"{servings}#twin", texts=tmp_path / name)
        assert found.cosines is not None
        assert found.cosines.mean.n == 2
        assert list(found.texts) == ["text 1", "text 2"]
        assert found.ranks is None


def test_what_cannot_be_compared(servings: Path, chores: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((4, 64)))
    (tmp_path / "r.txt").write_text("q1 Q0 d1 1 1 x\n")
    (tmp_path / "qrels.txt").write_text("zz 0 d1 1\n")
    small, run = f"{servings}#small", str(tmp_path / "r.txt")
    for arguments, said in (
        ((small, small), "one model served one way"),
        ((str(tmp_path / "v.npy"), run), "vectors only.*ranked lists only: there is nothing to compare"),
        ((small, f"{servings}#wide"), "64.*65"),
    ):
        with pytest.raises((BadInput, DataProblem), match=said):
            drift(*arguments)
    with pytest.raises(UnknownName, match="there is no model 'smal'"):
        drift(f"{servings}#smal", small)
    with pytest.raises(DataProblem, match="4 vectors; the collection has 15 queries"):
        drift(str(tmp_path / "v.npy"), small, collection=str(chores))
    with pytest.raises(DataProblem, match="the judgments have 'zz'"):
        drift(run, run, qrels=tmp_path / "qrels.txt")
    with pytest.raises(BadInput, match="a collection brings"):
        drift(small, f"{servings}#twin", collection=str(chores), qrels=tmp_path / "qrels.txt")
    with pytest.raises(BadInput, match="no collection"):
        drift(run, run, tiers=["any"])


class Drifting:
    """A server whose vectors change a little with every call."""

    def __init__(self) -> None:
        self.calls = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                texts = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
                outer.calls += 1
                rows = FAKE.embed(texts, "document") + np.float32(0.02 * outer.calls)
                data = [{"object": "embedding", "index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]
                raw = json.dumps(
                    {"model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
                ).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drifting]:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    made = Drifting()
    yield made
    made.stop()


def test_an_endpoint_against_itself_has_to_embed_anew(study: Path, served: Drifting) -> None:
    entry = f'[models.served]\nembedder = "endpoint"\nbase_url = "{served.base}"\nmodel = "m"\n\n'
    study.write_text(study.read_text().replace("[domains.chores]", entry + "[domains.chores]", 1))
    name = f"{study}#served"
    with pytest.raises(BadInput, match="--fresh"):
        drift(name, name)
    before = served.calls
    found = drift(name, name, fresh=True)
    assert served.calls > before + 1
    assert found.cosines is not None
    assert found.cosines.lowest.value is not None
    assert found.cosines.lowest.value < 0.9999
    assert found.ranks is not None
