from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from askance.core.errors import FileProblem
from askance.core.outcome import Outcome
from askance.models.ledger import Call, Ledger

CALL = Call("embed", "m", "h" * 64, 1_700_000_000.25, 0.5, Outcome.OK, "", 12, None, b'{"data": []}')


def test_what_is_recorded_is_found(tmp_path: Path) -> None:
    with Ledger(tmp_path / "sub" / "ledger.sqlite") as ledger:
        assert ledger.find(CALL.request_hash) is None
        ledger.record(CALL)
        assert ledger.find(CALL.request_hash) == CALL
    with Ledger(tmp_path / "sub" / "ledger.sqlite") as again:
        assert list(again.calls()) == [CALL]


@pytest.mark.parametrize("outcome", list(Outcome))
def test_only_a_good_end_answers_again(outcome: Outcome) -> None:
    ledger = Ledger(":memory:")
    ledger.finish(ledger.begin("embed", "m", "r"), outcome, seconds=1.0, detail="why", response=b"x")
    found = ledger.find("r")
    assert (found is not None) == (outcome is Outcome.OK)
    by_name = ledger.find("r", (Outcome.REPAIRED, outcome))
    assert by_name is not None
    assert (by_name.outcome, by_name.detail, by_name.response) == (outcome, "why", b"x")


def test_the_first_good_answer_stays_the_answer() -> None:
    ledger = Ledger(":memory:")
    for outcome, response in ((Outcome.ERROR, b"0"), (Outcome.OK, b"1"), (Outcome.OK, b"2")):
        ledger.finish(ledger.begin("embed", "m", "r"), outcome, seconds=1.0, response=response)
    found = ledger.find("r")
    assert found is not None
    assert found.response == b"1"
    assert [call.response for call in ledger.calls()] == [b"0", b"1", b"2"]


def test_in_flight_until_finished() -> None:
    ledger = Ledger(":memory:")
    before = time.time()
    number = ledger.begin("embed", "m", "r")
    (call,) = ledger.in_flight()
    assert (call.number, call.kind, call.model, call.request_hash) == (number, "embed", "m", "r")
    assert before <= call.started <= time.time()
    assert list(ledger.calls()) == []
    ledger.finish(number, Outcome.OK, seconds=0.1)
    assert ledger.in_flight() == ()
    for wrong in (number, number + 1):
        with pytest.raises(ValueError, match="never begun, or is finished"):
            ledger.finish(wrong, Outcome.OK, seconds=0.1)


KILLED = """
import os, signal, sys
from askance.core.outcome import Outcome
from askance.models.ledger import Ledger
ledger = Ledger(sys.argv[1])
ledger.finish(ledger.begin("embed", "m", "first"), Outcome.OK, seconds=0.1, response=b"answer")
ledger.begin("embed", "m", "second")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_leaves_its_call_in_flight(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, env=dict(os.environ))
    assert ended.returncode == -signal.SIGKILL
    with Ledger(path) as ledger:
        assert [call.request_hash for call in ledger.in_flight()] == ["second"]
        found = ledger.find("first")
        assert found is not None
        assert found.response == b"answer"


def test_threads_and_two_handles_share_one_file(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with Ledger(path) as one, Ledger(path) as other:

        def work(ledger: Ledger, name: str) -> None:
            for number in range(10):
                ledger.finish(ledger.begin("embed", "m", f"{name}{number}"), Outcome.OK, seconds=0.0, response=b"r")

        threads = [threading.Thread(target=work, args=(ledger, name)) for ledger, name in
                   ((one, "a"), (one, "b"), (other, "c"))]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(call.request_hash for call in other.calls()) == sorted(
            f"{n}{i}" for n in "abc" for i in range(10)
        )
        assert one.in_flight() == ()


def test_what_is_no_ledger(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at as one\n" * 50)
    with pytest.raises(FileProblem, match="cannot be used as a ledger"):
        Ledger(text)
    other = tmp_path / "other.sqlite"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(FileProblem, match=r"no ledger of version 1 \(it says 7\)"):
        Ledger(other)
    with pytest.raises(FileProblem, match="cannot be used as a ledger"):
        Ledger(tmp_path)
