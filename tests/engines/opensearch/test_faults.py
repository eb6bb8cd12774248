"""Faults on the way to a cluster: nothing is lost, nothing is doubled, and what fails is said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.engines.opensearch.scripted import (
    Request,
    Scripted,
    Step,
    Steps,
    Taking,
    cut_step,
    error_step,
    json_step,
    unread_step,
)

from askance.core.errors import AskanceError
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.bulk import Action, Limits, load
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.deep import hits
from askance.engines.opensearch.many import search_many
from askance.engines.opensearch.problems import (
    BadAnswer,
    Busy,
    LoadFailed,
    NoSuchIndex,
    Partial,
    Refused,
    Rejected,
    Unreachable,
)
from askance.engines.opensearch.waits import Waits


def opened(server: Scripted, tries: int = 4, slept: list[float] | None = None, options: str = "") -> Connection:
    waits = Waits(tries=tries, sleep=(slept if slept is not None else []).append, share=lambda: 1.0)
    return Connection.open(address_of(server.place(options=options), {}), waits, {})


def documents(count: int) -> Iterator[Action]:
    return (Action("index", f"d{at}", {"text": f"snow {at}"}) for at in range(count))


BUSY = error_step(429, "rejected_execution_exception")


@pytest.mark.parametrize(
    "fault",
    [
        BUSY,
        error_step(503, "unavailable"),
        Step(502, b"<html>bad gateway</html>", "text/html"),
        Step(504, b"", "text/plain"),
        unread_step(),
        cut_step(),
        Step(body=b'{"took": 1, "items": [', kind="application/json"),
        Step(body=b"<html>hello</html>", kind="text/html"),
        Step(body=b"hello", kind="text/plain"),
        Step(body=b"\xff\xfe"),
        Step(body=b""),
        Step(body=b"7"),
    ],
    ids=["429", "503", "502", "504", "unread", "cut", "half JSON", "html", "text", "no UTF-8", "empty", "a number"],
)
def test_a_request_that_fails_is_sent_again_whole(fault: Step) -> None:
    taking, slept = Taking(), list[float]()
    with Scripted(fault, fault, taking) as server, opened(server, slept=slept) as connection:
        connection._reached = True
        loaded = load(connection, "papers", documents(25), limits=Limits(documents=10))
    assert (loaded.sent, loaded.done, loaded.failed) == (25, 25, ())
    assert len(taking.documents) == 25
    assert slept == [0.2, 0.4]


def test_what_was_taken_before_its_answer_was_cut_is_not_doubled() -> None:
    taking = Taking()
    with Scripted(taking.then_cut, taking) as server, opened(server) as connection:
        loaded = load(connection, "papers", documents(25), limits=Limits(documents=10))
    assert (loaded.sent, loaded.done, loaded.failed) == (25, 25, ())
    assert len(taking.documents) == 25
    assert {key for key, times in taking.writes.items() if times == 2} == {f"d{at}" for at in range(10)}


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_single_documents_that_are_refused_are_sent_again_alone(status: int) -> None:
    taking, slept = Taking({"d3": [status, status], "d7": [status]}), list[float]()
    with Scripted(taking) as server, opened(server, slept=slept) as connection:
        loaded = load(connection, "papers", documents(10))
    assert (loaded.sent, loaded.done, loaded.failed, loaded.retried) == (10, 10, (), 3)
    assert [len(request.lines) // 2 for request in server.requests] == [10, 2, 1]
    assert set(taking.writes.values()) == {1}
    assert slept == [0.2, 0.4]


def test_documents_that_are_never_taken_are_named() -> None:
    taking = Taking({"d1": [400], "d3": [429] * 9})
    with Scripted(taking) as server, opened(server, tries=3) as connection:
        loaded = load(connection, "papers", documents(5))
    assert [(one.id, one.status, one.reason) for one in loaded.failed] == [
        ("d1", 400, "so it is"),
        ("d3", 429, "so it is"),
    ]
    assert (loaded.sent, loaded.done) == (5, 3)
    assert set(taking.documents) == {"d0", "d2", "d4"}
    said = str(LoadFailed.of("papers", loaded.sent, loaded.failed))
    assert "2 of 5 documents" in said
    assert "'d1' (400: so it is)" in said
    assert "'d3' (429" in said


def test_a_load_where_all_fails_stops_early() -> None:
    taking = Taking({f"d{at}": [400] for at in range(5000)})
    with Scripted(taking) as server, opened(server) as connection:
        loaded = load(connection, "papers", documents(5000), limits=Limits(documents=500))
    assert loaded.stopped
    assert (loaded.sent, loaded.done, len(loaded.failed)) == (1000, 0, 1000)


def test_a_delete_that_is_sent_twice_is_done_once() -> None:
    taking = Taking()
    with Scripted(taking, taking.then_cut, taking) as server, opened(server) as connection:
        load(connection, "papers", documents(3))
        loaded = load(connection, "papers", [Action("delete", "d1")])
    assert (loaded.done, loaded.failed) == (1, ())
    assert set(taking.documents) == {"d0", "d2"}


def test_requests_are_bounded_by_bytes_and_hold_one_document_at_least() -> None:
    taking = Taking()
    with Scripted(taking) as server, opened(server) as connection:
        actions = [Action("index", f"d{at}", {"text": "x" * size}) for at, size in enumerate([400, 400, 5000, 10, 10])]
        assert load(connection, "papers", actions, limits=Limits(bytes=1000)).done == 5
    assert [len(request.lines) // 2 for request in server.requests] == [2, 1, 2]


@pytest.mark.parametrize(
    "answer",
    [
        {"errors": False, "items": [{"index": {"status": 201}}]},
        {"errors": False},
        {"errors": True, "items": [{}, {}, {}]},
        {"errors": False, "items": [{"index": {}}, 7, None]},
        [],
    ],
    ids=["too few", "none", "empty", "unreadable", "a list"],
)
def test_an_answer_that_does_not_name_every_document_proves_nothing(answer: object) -> None:
    with (
        Scripted(json_step(answer)) as server,
        opened(server) as connection,
        pytest.raises(BadAnswer, match="answers to 3 documents"),
    ):
        load(connection, "papers", documents(3))


def test_a_wrong_dimension_is_said_with_the_document() -> None:
    def answer(request: Request) -> Step:
        cause = {"type": "illegal_argument_exception", "reason": "Vector dimension mismatch. Expected: 4, Given: 3"}
        error = {"type": "mapper_parsing_exception", "reason": "failed to parse", "caused_by": cause}
        return json_step({"errors": True, "items": [{"index": {"status": 400, "error": error}}]})

    with Scripted(answer) as server, opened(server) as connection:
        loaded = load(connection, "papers", documents(1))
    (failed,) = loaded.failed
    assert (failed.id, failed.status) == ("d0", 400)
    assert "Expected: 4, Given: 3" in failed.reason


HIT = {"hits": {"hits": []}, "_shards": {"failed": 0}}
LATER = {"error": {"type": "rejected_execution_exception", "reason": "full"}, "status": 429}


def test_searches_that_fail_among_others_are_asked_again_alone() -> None:
    numbered = [{**HIT, "at": at} for at in range(3)]
    steps = [json_step({"responses": [numbered[0], LATER, numbered[2]]}), json_step({"responses": [numbered[1]]})]
    with Scripted(*steps) as server, opened(server) as connection:
        found = search_many(connection, "papers", [{"at": at} for at in range(3)])
    assert [answer["at"] for answer in found] == [0, 1, 2]
    assert [request.lines[1::2] for request in server.requests] == [[{"at": 0}, {"at": 1}, {"at": 2}], [{"at": 1}]]
    assert all(line["allow_partial_search_results"] is False for line in server.requests[0].lines[::2])


@pytest.mark.parametrize(
    ("item", "error", "match"),
    [
        (LATER, Busy, "search 2: 429"),
        (
            {"error": {"type": "parsing_exception", "reason": "no [x]"}, "status": 400},
            Rejected,
            r"search 2: 400 .*\[x\]",
        ),
        ({"error": {"type": "index_not_found_exception", "reason": "?"}, "status": 404}, NoSuchIndex, "papers"),
        ({**HIT, "_shards": {"failed": 1, "failures": []}}, Partial, "search 2: 1 shards"),
        ({**HIT, "timed_out": True}, Partial, "search 2: not all"),
        (7, BadAnswer, "answers to 2 searches"),
    ],
    ids=["busy", "rejected", "no index", "shard", "time", "nonsense"],
)
def test_a_search_that_fails_is_named(item: object, error: type[AskanceError], match: str) -> None:
    def answer(request: Request) -> Step:
        return json_step({"responses": [HIT, item] if len(request.lines) == 4 else [item]})

    with Scripted(answer) as server, opened(server) as connection, pytest.raises(error, match=match):
        search_many(connection, "papers", [{}, {}])


def test_many_searches_go_in_bounded_requests() -> None:
    def answer(request: Request) -> Step:
        return json_step({"responses": [{**HIT, "at": line["at"]} for line in request.lines[1::2]]})

    with Scripted(answer) as server, opened(server) as connection:
        found = search_many(connection, "papers", [{"at": at} for at in range(250)])
    assert [one["at"] for one in found] == list(range(250))
    assert [len(request.lines) // 2 for request in server.requests] == [100, 100, 50]


@pytest.mark.parametrize(
    ("step", "error", "match", "asked"),
    [
        (BUSY, Busy, "429", 3),
        (error_step(401, ""), Refused, "OPENSEARCH_USER", 1),
        (error_step(403, "security_exception"), Refused, "right to do so", 1),
        (error_step(403, "cluster_block_exception"), Rejected, "disk full", 1),
        (error_step(404, "index_not_found_exception"), NoSuchIndex, "'papers'", 1),
        (error_step(400, "parsing_exception", "x" * 9000), Rejected, "parsing_exception", 1),
        (error_step(500, "null_pointer_exception"), Rejected, "500", 1),
        (Step(302, b"", headers={"location": "http://127.0.0.1:1/"}), Rejected, "302", 1),
        (json_step([{"error": "of a proxy"}], 500), BadAnswer, "an error that no cluster gives", 3),
        (json_step("busy", 503), BadAnswer, "an error that no cluster gives", 3),
        (json_step({"error": ["a", {"b": 1}]}, 400), Rejected, "400", 1),
        (json_step({"error": None}, 400), Rejected, "400", 1),
    ],
    ids=[
        *("busy", "unknown", "forbidden", "blocked", "no index", "rejected", "broken", "elsewhere"),
        *("a list", "a text", "a list of errors", "no error"),
    ],
)
def test_errors_of_the_server(step: Steps, error: type[AskanceError], match: str, asked: int) -> None:
    with Scripted(step) as server, opened(server, tries=3) as connection, pytest.raises(error, match=match) as caught:
        connection.send("POST", "/papers/_search", {"query": {}})
    assert len(server.requests) == asked
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("step", "asked"),
    [(BUSY, 2), (error_step(503, "unavailable"), 2), (Step(504), 1), (Step(502), 1), (cut_step(), 1)],
    ids=["429", "503", "504", "502", "cut"],
)
def test_what_may_have_been_done_is_not_repeated_where_it_must_not_be(step: Step, asked: int) -> None:
    with Scripted(step, json_step({"ok": True})) as server, opened(server) as connection:
        if asked == 1:
            with pytest.raises((Busy, Unreachable)):
                connection.send("POST", "/_aliases", {}, repeatable=False)
        else:
            assert connection.send("POST", "/_aliases", {}, repeatable=False) == {"ok": True}
    assert len(server.requests) == asked


def test_a_slow_server() -> None:
    with Scripted(replace(json_step({}), delay=0.5)) as server, opened(server, tries=1) as connection:
        began = time.monotonic()
        with pytest.raises(Unreachable, match=r"no answer to GET / within 0\.1 s"):
            connection.send("GET", "/", timeout=0.1)
        assert time.monotonic() - began < 0.45


def test_nobody_is_there() -> None:
    with Scripted(json_step({})) as server:
        place = server.place()
    slept: list[float] = []
    waits = Waits(sleep=slept.append)
    with (
        Connection.open(address_of(place, {}), waits, {}) as connection,
        pytest.raises(Unreachable, match="cannot be reached"),
    ):
        connection.send("GET", "/")
    assert len(slept) == 2


def test_any_host_that_answers_will_do() -> None:
    gone = []
    for _ in range(4):
        with Scripted(json_step({})) as closed:
            gone.append(f"127.0.0.1:{closed.port}")
    with Scripted(json_step({"ok": True})) as server:
        hosts = ",".join([*gone, f"127.0.0.1:{server.port}"])
        waits = Waits(sleep=lambda _: None)
        with Connection.open(address_of(f"opensearch://{hosts}/papers", {}), waits, {}) as connection:
            assert connection.send("GET", "/") == {"ok": True}


def test_the_waiting_is_real_and_grows() -> None:
    with Scripted(BUSY, BUSY, json_step({"ok": True})) as server:
        waits = Waits(tries=3, first=0.05)
        with Connection.open(address_of(server.place(), {}), waits, {}) as connection:
            assert connection.send("GET", "/") == {"ok": True}
    first, second, third = (request.at for request in server.requests)
    assert second - first >= 0.025
    assert third - second >= 0.05


def test_the_waiting_is_bounded_and_spread() -> None:
    slept: list[float] = []
    waits = Waits(first=1, most=5, sleep=slept.append, share=iter([0.0, 1.0, 0.5, 0.0, 1.0]).__next__)
    for failed in range(1, 6):
        waits.wait(failed)
    assert slept == [0.5, 2.0, 3.0, 2.5, 5.0]


def _page(start: int, count: int) -> Step:
    found = [{"_id": f"d{at}", "sort": [1.0, at]} for at in range(start, start + count)]
    return json_step({"hits": {"hits": found}, "_shards": {"failed": 0}})


POINT, GIVEN_BACK = json_step({"pit_id": "p"}), json_step({"pits": []})


def test_a_page_that_was_cut_is_asked_again() -> None:
    steps = [POINT, _page(0, 3), cut_step(), BUSY, _page(3, 3), _page(6, 1), GIVEN_BACK]
    with Scripted(*steps) as server, opened(server) as connection:
        found = [hit["_id"] for hit in hits(connection, "papers", {}, page=3)]
    assert found == [f"d{at}" for at in range(7)]
    assert [request.lines[0].get("search_after") for request in server.requests[1:6]] == [
        None,
        [1.0, 2],
        [1.0, 2],
        [1.0, 2],
        [1.0, 5],
    ]
    assert server.requests[-1].method == "DELETE"


def test_a_point_in_time_that_is_lost_is_followed_by_another() -> None:
    """It goes on behind the last hit; where every one is lost, that is said, and all are given back."""
    lost = error_step(404, "search_context_missing_exception")
    steps = [POINT, _page(0, 3), lost, GIVEN_BACK, json_step({"pit_id": "q"}), _page(3, 1), GIVEN_BACK]
    with Scripted(*steps) as server, opened(server) as connection:
        assert [hit["_id"] for hit in hits(connection, "papers", {}, page=3)] == ["d0", "d1", "d2", "d3"]
    assert server.requests[5].lines[0]["search_after"] == [1.0, 2]
    assert server.requests[5].lines[0]["pit"]["id"] == "q"
    given_back = [request.lines[0]["pit_id"] for request in server.requests if request.method == "DELETE"]
    assert given_back == [["p"], ["q"]]
    steps = [POINT, _page(0, 3), lost, GIVEN_BACK, json_step({"pit_id": "q"}), lost, GIVEN_BACK]
    with (
        Scripted(*steps) as server,
        opened(server, tries=2) as connection,
        pytest.raises(Rejected, match="ran out"),
    ):
        list(hits(connection, "papers", {}, page=3))
    given_back = [request.lines[0]["pit_id"] for request in server.requests if request.method == "DELETE"]
    assert given_back == [["p"], ["q"]]


def test_a_point_in_time_over_a_part_is_never_asked_for() -> None:
    with Scripted(POINT, _page(0, 1), GIVEN_BACK) as server, opened(server) as connection:
        list(hits(connection, "papers", {}, page=3))
    assert "allow_partial_pit_creation=false" in server.requests[0].path


@pytest.mark.parametrize(
    ("path", "told", "whole"),
    [
        ("/papers/_count", {"total": 3, "successful": 3, "failed": 0}, True),
        ("/papers/_count", {"total": 3, "successful": 2, "failed": 0}, False),
        ("/papers/_search", {"total": 3, "successful": 2, "failed": 1}, False),
        ("/papers/_search", {"total": 3, "successful": 2, "skipped": 0, "failed": 0}, False),
        ("/papers/_search/point_in_time", {"total": 3, "successful": 2, "failed": 0}, False),
        ("/papers/_refresh", {"total": 6, "successful": 3, "failed": 0}, True),  # copies that are not there yet
        ("/papers/_refresh", {"total": 6, "successful": 5, "failed": 1}, False),
        ("/papers/_forcemerge", {"total": 6, "successful": 5, "failed": 1}, False),
    ],
)
def test_an_answer_that_lacks_a_part_is_none(path: str, told: dict[str, int], whole: bool) -> None:
    """It is asked for again; where shards stay away that is the error, with their number."""
    part, answer = json_step({"count": 2, "_shards": told}), json_step({"count": 3, "_shards": {"failed": 0}})
    with Scripted(part, answer) as server, opened(server) as connection:
        assert connection.send("POST", path)["count"] == (2 if whole else 3)
    if not whole:
        with (
            Scripted(part, part) as server,
            opened(server, tries=2) as connection,
            pytest.raises(Partial, match=f"1 of {told['total']} shards did not answer"),
        ):
            connection.send("POST", path)


def test_an_answer_out_of_time_is_none() -> None:
    part = json_step({"timed_out": True, "hits": {"hits": []}, "_shards": {"total": 3, "successful": 3, "failed": 0}})
    with (
        Scripted(part, part) as server,
        opened(server, tries=2) as connection,
        pytest.raises(Partial, match="not all shards answered in time"),
    ):
        connection.send("POST", "/papers/_search", {})


def test_a_point_in_time_is_given_back_when_the_reader_stops() -> None:
    with Scripted(POINT, _page(0, 3), GIVEN_BACK) as server, opened(server) as connection:
        reader = hits(connection, "papers", {}, page=3)
        assert next(iter(reader))["_id"] == "d0"
        reader.close()  # type: ignore[attr-defined]
    assert [request.method for request in server.requests] == ["POST", "POST", "DELETE"]
