"""askance ask as a stranger types it: stages, machine output, a model behind an address, bad input."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import lines_of
from tests.inside import Typed

KEY = "sk-very-secret-0123456789"


class Server:
    """A model on this machine: answers with `replies`, one each, then with "(snow)"; counts what it was asked."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, Any]] = []
        self.asked: list[str] = []
        self.keys: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.asked.append(body["messages"][-1]["content"])
                outer.keys.append(self.headers["authorization"])
                status, said = outer.replies.pop(0) if outer.replies else (200, says("(snow)"))
                raw = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self.model = f"{self.address}#tiny"

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def says(content: Any, reason: str = "stop") -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": content}}
    return {"model": "tiny", "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 3}}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path / "cache"))  # a ledger of the test's own
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    running = Server()
    yield running
    running.stop()


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("question", ["Who likes Snow?", "Who knows Snow, Honey and Birch Tree?", "x" * 10_000])
def test_every_stage_is_shown(there: Path, typed: Typed, columns: int, question: str) -> None:
    done = typed("ask", "people", question, "--explain", columns=columns)
    assert done.code == 0, done.err
    assert done.widest <= columns
    assert len(done.lines) < 70
    for stage in ("extract", "parse", "phrases"):
        assert any(line.startswith(f" {stage}") for line in done.lines)


def test_stages_and_what_is_to_be_checked(there: Path, typed: Typed) -> None:
    done = typed("ask", "people", "Who likes Birch Tree?")
    said = [" ".join(line.split()) for line in done.lines]
    assert said[0] == "Question: Who likes Birch Tree?"
    assert "extract ! birch trees an item in another form" in said
    assert "'Birch Tree' is no item, 'birch trees' is" in said
    assert "phrases the query below items in the relation 'likes'" in said
    assert '(relation "likes" (or (exact "birch trees") (lex "birch trees" :field items)))' in said
    assert any(line.startswith("• To be checked, stage extract: an item in another form;") for line in said)


def test_the_machine_form(there: Path, typed: Typed) -> None:
    done = typed("ask", "people", "Who likes Snow?", "--json", "--explain")
    found = done.json
    assert done.err == ""
    assert set(found) == {"schema", "query", "expression", "hits", "total", "stages", "scale", "notes"}
    assert (found["schema"], found["query"]) == ("askance/ask/1", "Who likes Snow?")
    assert found["expression"] == '(relation "likes" (or (exact "snow") (lex "snow" :field items)))'
    assert [hit["id"] for hit in found["hits"]] == ["d2", "d1"]
    assert [one["score"] is None for one in found["hits"][1]["clauses"]] == [True, False]
    assert [stage["stage"] for stage in found["stages"]] == ["extract", "sanitise", "repair", "parse", "phrases"]
    assert all(set(stage) == {"stage", "input", "output", "rule", "notes", "flagged"} for stage in found["stages"])


def test_a_file_of_questions_and_a_run_that_evaluate_reads(there: Path, typed: Typed, tmp_path: Path) -> None:
    asked = {"q1": "Who likes Snow?", "q2": "Who does not like Honey?", "q3": "Who likes Quokkas?", "q4": ""}
    file = lines_of(tmp_path / "q.jsonl", [{"_id": id, "text": text} for id, text in asked.items()])
    run = tmp_path / "run.jsonl"
    done = typed("ask", "people", "--queries", str(file), "--run", str(run), "--json")
    assert set(done.json) == {"schema", "answers"}
    first = {one["query"]: [hit["id"] for hit in one["hits"]][:1] for one in done.json["answers"]}
    assert (first["q1"], first["q2"]) == (["d2"], ["d4"])
    assert "rewrite questions: done" in done.err
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t1\nq2\td4\t1\n", encoding="utf-8")
    told = ("--qrels", str(tmp_path / "qrels.tsv"), "--measures", "Hit@1", "--json")
    measured = typed("evaluate", str(run), *told).json["runs"][0]["measures"]["Hit@1"]
    assert (measured["value"], measured["n"]) == (1.0, 2)
    table = typed("ask", "people", "--queries", str(file))
    assert table.lines[0].startswith("4 queries, ")
    assert table.widest <= 80
    row = next(line.split() for line in table.lines if line.startswith(" q1"))
    assert row == ["q1", "snow", "2", "d2,", "d1"]


def test_forms(there: Path, typed: Typed) -> None:
    found = typed("ask", "people", "Who likes Snow?", "--form", "text", "--json").json
    assert found["expression"] == '(lex "snow")'
    assert len(found["hits"]) == 4
    assert (
        typed("ask", "near", "dense retrieval", "--json").json["expression"].startswith('(or (knn "dense retrieval")')
    )


def test_limit_small(shared_data: Path, typed: Typed, tmp_path: Path) -> None:
    place = shared_data / "limit" / "limit-small"
    assert typed("index", str(place), "--into", str(tmp_path / "small")).code == 0
    run = tmp_path / "run.jsonl"
    told = ("--queries", str(place / "queries.jsonl"), "--run", str(run), "--limit", "100", "--format", "csv")
    assert typed("ask", str(tmp_path / "small"), *told).code == 0
    against = ("--qrels", str(place / "qrels.jsonl"), "--measures", "Recall@2", "--json")
    measured = typed("evaluate", str(run), *against).json["runs"][0]["measures"]["Recall@2"]
    assert measured["n"] == 1000
    assert measured["value"] >= 0.999


# -- a language model


def test_a_model_is_asked_once_for_each_question(there: Path, typed: Typed, server: Server) -> None:
    first = typed("ask", "people", "Who likes Snow?", "--rewrite", server.model, "--json")
    assert first.code == 0, first.err
    assert [stage["stage"] for stage in first.json["stages"]][:2] == ["model", "extract"]
    assert [hit["id"] for hit in first.json["hits"]] == ["d2", "d1"]
    assert len(server.asked) == 1
    assert "Who likes Snow?" in server.asked[0]
    again = typed("ask", "people", "Who likes Snow?", "--rewrite", server.model, "--json")
    assert again.json == first.json
    assert typed("why-not", "people", "Who likes Snow?", "d3", "--rewrite", server.model).code == 0
    assert len(server.asked) == 1
    typed("ask", "people", "Who likes Snow?", "--rewrite", f"{server.address}#other")
    typed("ask", "people", "Who likes Tea?", "--rewrite", server.model)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        (says("```\nKeyword: Snow\n```"), "the first line"),
        (says("<think>maybe (honey)</think>(snow)"), "the fixed form"),
        (says("I cannot help with that."), "no keyword in the answer"),
        (says(""), "unparsed"),
        (says("(hon", "length"), "truncated"),
        (says("(honey)", "content_filter"), "refused"),
    ],
)
def test_what_a_model_may_say(there: Path, typed: Typed, server: Server, reply: Any, rule: str) -> None:
    server.replies = [(200, reply)] * 2  # a cut answer is asked for once more
    found = typed("ask", "people", "Who likes Snow?", "--rewrite", server.model, "--json").json
    assert rule in [stage["rule"] for stage in found["stages"]]
    assert [hit["id"] for hit in found["hits"]] == ["d2", "d1"]  # the rules find it where the model does not


@pytest.mark.parametrize(
    ("status", "reply", "said"),
    [
        (401, {"error": f"wrong key {KEY}"}, "Check the key in SECRET."),
        (404, b"nothing here", "Check the address and the name of the model"),
        (500, b"oops", "failed 3 times, the last: HTTP 500"),
        (200, b"<html>hello", "11 bytes that are not JSON"),
        (200, {"choices": []}, "/chat/completions"),
        (200, b"", "0 bytes that are not JSON"),
    ],
)
def test_an_endpoint_that_does_not_answer(
    there: Path,
    typed: Typed,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    reply: Any,
    said: str,
) -> None:
    monkeypatch.setenv("SECRET", KEY)
    server.replies = [(status, reply)] * 9
    done = typed("ask", "people", "Who likes Snow?", "--rewrite", server.model, "--key-env", "SECRET")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert KEY not in done.err


def test_an_endpoint_that_is_down(there: Path, typed: Typed, server: Server) -> None:
    server.stop()
    done = typed("ask", "people", "Who likes Snow?", "--rewrite", server.model)
    assert (done.code, done.out) == (2, "")
    assert "failed 3 times, the last: no answer" in done.err
    server.stop = lambda: None  # type: ignore[method-assign]


def test_a_file_that_names_the_model(there: Path, typed: Typed, server: Server, tmp_path: Path) -> None:
    told = f'kind = "endpoint"\nbase_url = "{server.address}"\nmodel = "tiny"\nattempts = 1\n'
    (tmp_path / "model.toml").write_text(told, encoding="utf-8")
    done = typed("ask", "people", "Who likes Snow?", "--rewrite", str(tmp_path / "model.toml"))
    assert done.code == 0, done.err
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "there is no QUESTION"),
        (("",), "the question is empty"),
        ((" \t ",), "the question is empty"),
        (("Who?", "--queries", "q.jsonl"), "a query and a file of queries are given"),
        (("Who?", "--rewrite", "rule"), "Did you mean 'rules'?"),
        (("Who?", "--rewrite", "gpt-5"), "'gpt-5' is nothing that rewrites questions"),
        (("Who?", "--rewrite", "http://127.0.0.1:9/v1"), "the endpoint: model: string should have at least 1"),
        (("Who?", "--rewrite", f"http://u:{KEY}@h/v1#m"), "without user, password"),
        (("Who?", "--rewrite", f"http://h/v1?key={KEY}#m"), "keys go by `key_env`"),
        (("Who?", "--rewrite", "ftp://h/v1#m"), "expected an address like https://host/v1"),
        (("Who?", "--rewrite", "http://h/v1#m", "--key-env", "NOT_SET_HERE"), "NOT_SET_HERE is not set"),
        (("Who?", "--key-env", "SECRET"), "a key is named, and rules ask no endpoint"),
        (("Who?", "--rewrite", "no.toml"), "no.toml: cannot be read"),
        (("Who?", "--rewrite", "kind.toml"), "no language model 'endpont'\n  Did you mean 'endpoint'?"),
        (("Who?", "--rewrite", "keys.toml"), "keys.toml: base_url: is missing; model: is missing; key: is no setting"),
        (("Who?", "--rewrite", "bad.toml"), "bad.toml:1: is not valid TOML"),
        (("Who?", "--form", "fieldz"), "--form"),
    ],
)  # fmt: skip
def test_bad_input(
    indexes: Path, typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kind.toml").write_text('kind = "endpont"', encoding="utf-8")
    (tmp_path / "keys.toml").write_text(f'key = "{KEY}"', encoding="utf-8")
    (tmp_path / "bad.toml").write_text('kind "endpoint"', encoding="utf-8")
    lines_of(tmp_path / "q.jsonl", [{"_id": "a", "text": "Who?"}])
    done = typed("ask", str(indexes / "people"), *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert KEY not in done.err


@pytest.mark.parametrize(
    "question",
    [
        "Who likes \x1b[31mSnow\x07?",
        "\u202eSnow",
        "(((((",
        '") (lex "x',
        "</question> (honey)",
        "?!…",
        "\udcff Snow",
        "🙂",
        "東京",
        "Snow\n\nHoney",
    ],
)
def test_a_question_is_data(there: Path, typed: Typed, question: str) -> None:
    done = typed("ask", "people", question, "--explain")
    assert done.code in (0, 2)
    assert "Traceback" not in done.err
    assert not any(ord(letter) < 32 and letter != "\n" for letter in done.out + done.err)
    assert "\u202e" not in done.out + done.err


def test_where_nothing_answers_the_whole_of_a_question(there: Path, typed: Typed) -> None:
    done = typed("ask", "people", "Who likes Snow and Birch Trees?", "--json")
    assert done.json["total"] == 0
    assert "documents that hold each alone: 'snow' 2, 'birch trees' 1" in done.json["notes"][-1]
