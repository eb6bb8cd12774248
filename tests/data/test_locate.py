"""Where a public collection is found: the places in their order, and what is said of them."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from askance.core.errors import DownloadFailed, FileProblem, UnknownName
from askance.core.progress import Recorder
from askance.data import locate as module
from askance.data.formats.beir import write_beir
from askance.data.locate import collection, fetch_public, locate, open_public
from askance.data.public import FETCHABLE, PUBLIC, PublicCollection, PublicFile

CONTENTS = {
    "limit/limit-small/corpus.jsonl": b'{"_id": "Ann", "title": "", "text": "Ann likes Tea."}\n',
    "limit/limit-small/queries.jsonl": b'{"_id": "q", "text": "Who likes Tea?"}\n',
    "limit/limit-small/qrels.jsonl": b'{"query-id": "q", "corpus-id": "Ann", "score": 1}\n',
}


@dataclass
class World:
    """A tiny public collection on a server, and the places it may lie."""

    public: PublicCollection
    data: Path
    shared: Path
    cache: Path
    served: dict[str, bytes]
    asked: list[str] = field(default_factory=list)


def put(folder: Path, **changes: bytes) -> None:
    for path, content in CONTENTS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(changes.get(Path(path).stem, content))


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    served = {f"/{Path(path).name}": content for path, content in CONTENTS.items()}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            content = served.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: object) -> None: ...

    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "ASKANCE_DATA", "ASKANCE_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        address = f"http://127.0.0.1:{httpd.server_address[1]}"
        public = PublicCollection(
            "tiny",
            "a tiny one",
            "CC0-1.0",
            "someone/tiny @1234567",
            tuple(
                PublicFile(path, f"{address}/{Path(path).name}", hashlib.sha256(content).hexdigest(), len(content))
                for path, content in CONTENTS.items()
            ),
            load="askance.data.adapters.limit:load",
            arguments=("limit-small",),
        )
        monkeypatch.setattr(module, "PUBLIC", {**PUBLIC, "tiny": public})
        monkeypatch.setattr(module, "FETCHABLE", {**FETCHABLE, "tiny": public})
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield World(
            public, tmp_path / "data", tmp_path / "shared" / "data", tmp_path / "cache" / "data" / "tiny", served, asked
        )
        httpd.shutdown()
        thread.join()


def test_the_places_in_their_order(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Recorder()
    assert locate("tiny", offline=True) is None
    assert locate("tiny", progress=seen) == world.cache
    assert [event[1] for event in seen.events if event[0] == "start"] == [Path(path).name for path in CONTENTS]
    assert len(world.asked) == 3
    assert locate("tiny") == world.cache
    assert len(world.asked) == 3
    put(world.shared)
    found = locate("tiny")
    assert found is not None
    assert found.resolve() == world.shared
    put(world.data)
    monkeypatch.setenv("ASKANCE_DATA", str(world.data))
    assert locate("tiny") == world.data
    (world.data / "limit/limit-small/qrels.jsonl").unlink()
    found = locate("tiny")
    assert found is not None
    assert found.resolve() == world.shared


def test_the_origin_says_which_place_without_any_path(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_public("tiny").origin == "downloaded originals (someone/tiny @1234567)"
    put(world.shared)
    original = "the original files, from the data folder (someone/tiny @1234567)"
    assert open_public("tiny").origin == original
    put(world.data, queries=b'{"_id": "q", "text": "Who likes Coffee?"}\n')
    monkeypatch.setenv("ASKANCE_DATA", str(world.data))
    changed = open_public("tiny")
    assert changed.origin == (
        "files from the data folder, which differ from the originals: limit/limit-small/queries.jsonl "
        "(someone/tiny @1234567)"
    )
    assert changed.queries.field("text") == ("Who likes Coffee?",)


@pytest.mark.parametrize("said", ["1", "true"])
def test_offline_means_no_request(world: World, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("ASKANCE_OFFLINE", said)
    assert locate("tiny") is None
    with pytest.raises(DownloadFailed) as caught:
        open_public("tiny")
    assert "may not be used" in str(caught.value)
    assert "ASKANCE_DATA" in str(caught.value.remedy)
    assert "askance data fetch tiny" in str(caught.value.remedy)
    assert world.asked == []
    monkeypatch.setenv("ASKANCE_OFFLINE", "0")
    assert locate("tiny") == world.cache


def test_what_is_in_the_cache_and_wrong_is_fetched_anew(world: World) -> None:
    put(world.cache, qrels=b"{}\n")
    assert locate("tiny", offline=True) is None
    assert fetch_public("tiny") == world.cache
    assert world.asked == ["/qrels.jsonl"]
    assert (world.cache / "limit/limit-small/qrels.jsonl").read_bytes() == CONTENTS["limit/limit-small/qrels.jsonl"]


def test_a_failed_download_says_what_else_to_do(world: World) -> None:
    del world.served["/queries.jsonl"]
    with pytest.raises(DownloadFailed) as caught:
        open_public("tiny")
    assert "404" in caught.value.message
    assert "set ASKANCE_DATA to the folder that holds it" in str(caught.value.remedy)
    world.served["/queries.jsonl"] = b"other bytes"
    with pytest.raises(DownloadFailed, match="not the ones expected"):
        open_public("tiny")
    assert sorted(path.name for path in world.cache.rglob("*") if path.is_file()) == ["corpus.jsonl"]


def test_another_form_of_a_file_counts_as_the_file(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shared_data: Path
) -> None:
    folder = tmp_path / "mine"
    for file in PUBLIC["trajectories"].files:
        held = file.instead or file
        (folder / held.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / held.path).write_bytes((shared_data / held.path).read_bytes())
    monkeypatch.setenv("ASKANCE_DATA", str(folder))
    assert locate("trajectories", offline=True) == folder
    assert open_public("trajectories").origin.startswith("the original files, from the data folder (qpiai/")


def test_a_data_folder_that_is_not_there_is_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKANCE_DATA", str(world.data))
    with pytest.raises(FileProblem, match="ASKANCE_DATA names it"):
        locate("tiny")


def test_what_has_no_origin_is_read_from_a_data_folder_or_not_at_all(world: World) -> None:
    assert locate("limit-recon") is None
    for attempt in (open_public, fetch_public):
        with pytest.raises(DownloadFailed, match="no origin to download") as caught:
            attempt("limit-recon")
        assert "ASKANCE_DATA" in str(caught.value.remedy)


def test_names_that_do_not_exist(world: World) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'minilm'"):
        fetch_public("minlm")
    for attempt in (open_public, collection):
        with pytest.raises(UnknownName, match="Did you mean 'trajectories'"):
            attempt("trajectory")
    with pytest.raises(UnknownName, match="BEIR folder or public collection"):
        collection("no/such/folder")
    with pytest.raises(UnknownName):
        open_public("minilm")


def test_a_collection_is_a_folder_or_a_name(world: World, tmp_path: Path) -> None:
    tiny = collection("tiny")
    write_beir(tiny, tmp_path / "project" / "mine")
    for called in ("mine", tmp_path / "project" / "mine"):
        read = collection(called)
        assert (read.name, read.origin) == ("mine", "the BEIR folder mine")
        assert read.documents.ids == tiny.documents.ids


@pytest.mark.parametrize(
    ("name", "documents", "queries"),
    [
        ("trajectories", 336, 118),
        ("gsm-plus", 2100, 300),
        ("limit-small", 46, 1000),
        ("limit-recon", 50000, 1000),
        ("limit-recon-h", 50046, 1000),
    ],
)
def test_the_real_ones(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch, name: str, documents: int, queries: int
) -> None:
    monkeypatch.setenv("ASKANCE_DATA", str(shared_data))
    found = open_public(name, offline=True)
    assert (found.name, len(found.documents), len(found.queries)) == (name, documents, queries)
    assert "from the data folder" in found.origin
    assert str(shared_data) not in found.origin
    assert "differ" not in found.origin
