"""Logs of agents in the three layouts, and what is wrong with those that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askance.core.errors import FileProblem
from askance.data.adapters import trajectories as published
from askance.data.adapters.agent_logs import Log, Step, plain_record, read_logs


def lines_in(folder: Path, *records: object) -> Path:
    path = folder / "logs.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_plain(tmp_path: Path) -> None:
    path = lines_in(
        tmp_path,
        {
            "goal": "wash a cup",
            "steps": ["go", {"state": "wet", "action": "dry"}],
            "metadata": {"won": True, "by": "x"},
        },
        {"id": 7, "goal": "rest"},
    )
    found = read_logs(path)
    assert found.logs == (
        Log("logs-1", "wash a cup", (Step("", "go"), Step("wet", "dry")), {"won": "true", "by": "x"}),
        Log("7", "rest", ()),
    )
    assert found.notes == {"logs without steps": 1}
    assert read_logs(lines_in(tmp_path, *map(plain_record, found.logs))).logs == found.logs


def test_chat(tmp_path: Path) -> None:
    call = {"type": "function", "function": {"name": "take", "arguments": '{"what": "cup", "times": 2}'}}
    path = lines_in(
        tmp_path,
        {
            "id": "a",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [{"type": "text", "text": "Take a cup"}, {"type": "image_url"}]},
                {"role": "assistant", "content": "I take it.", "tool_calls": [call]},
                {"role": "tool", "content": "You hold a cup."},
                {"role": "user", "content": "And now?"},
                {"role": "assistant", "content": "Done."},
            ],
        },
    )
    found = read_logs(path)
    steps = (Step("", "take what: cup times: 2"), Step("You hold a cup.\nAnd now?", "Done."))
    assert found.logs == (Log("a", "Take a cup", steps),)
    assert found.notes == {
        "messages of the system, left out": 1,
        "parts of messages that are no text, left out": 1,
    }


@pytest.mark.parametrize(
    ("arguments", "action"),
    [("", "look"), ("not json", "look not json"), ({"at": ["x"]}, 'look at: ["x"]'), ("[1]", "look [1]")],
)
def test_arguments_as_they_come(tmp_path: Path, arguments: object, action: str) -> None:
    call = {"function": {"name": "look", "arguments": arguments}}
    messages = [{"role": "user", "content": "g"}, {"role": "assistant", "content": None, "tool_calls": [call]}]
    assert read_logs(lines_in(tmp_path, {"messages": messages})).logs[0].steps == (Step("", action),)


def test_the_published_trajectories(shared_data: Path) -> None:
    """Identifiers, texts and turns are those that the collection's own adapter reads."""
    found = read_logs(shared_data / published.TRAJECTORIES)
    known = published.load(shared_data)
    assert tuple(log.id for log in found.logs) == tuple(known.documents.ids)
    assert tuple(log.text for log in found.logs) == known.documents.field("text")
    assert known.documents.turns is not None
    assert tuple(log.turns for log in found.logs) == tuple(known.documents.turns)
    assert found.notes == {}


def test_a_folder_in_the_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"goal": "second"}\n')
    (tmp_path / "a.jsonl").write_text('{"goal": "first"}\n')
    (tmp_path / "c.txt").write_text("not read")
    assert [log.goal for log in read_logs(tmp_path).logs] == ["first", "second"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "empty"),
        ('{"goal": "x"}\n{"task": "x"}\n', r":2: neither 'goal' nor 'messages'"),
        ('{"goal": "  "}\n', ":1: 'goal' is missing"),
        ('{"goal": "x", "steps": [3]}\n', ":1: a step is 3"),
        ('{"goal": "x", "steps": "go"}\n', "'steps' is no list"),
        ('{"id": "a", "goal": "x"}\n{"id": "a", "goal": "y"}\n', ":2: the identifier 'a' occurs a second time"),
        ('{"messages": [{"role": "system", "content": "x"}]}\n', "no message of the user"),
        ('{"messages": [{"role": "oracle", "content": "x"}]}\n', "the role 'oracle'"),
        ('{"messages": ["x"]}\n', "no list of objects"),
        ('{"goal": "x"\n', "not valid JSON"),
        ('{"trajectories": []}', "no logs"),
        ('{"trajectories": [{"task_instance_id": "a"}]}', "task_description"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, text: str, found: str) -> None:
    path = tmp_path / "logs.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileProblem, match=found):
        read_logs(path)
