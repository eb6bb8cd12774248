"""askance build trajectories and askance recall, as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command import askance
from tests.inside import Typed

THINGS = ["cup", "bowl", "fork", "plate", "ladle", "knife", "mug", "spoon", "pan", "tin"]
PLACES = ["desk", "bed", "sofa", "crate", "drawer", "tray", "basin", "sack", "trunk", "bench"]


def test_from_logs_to_a_memory(tmp_path: Path) -> None:
    rows = [
        {"goal": f"{verb} the {thing} {where} the {place}", "steps": [{"state": f"you see a {thing}", "action": "go"}]}
        for verb, where in (("fetch", "to"), ("burn", "behind"))
        for thing in THINGS
        for place in PLACES
    ]
    (tmp_path / "logs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = askance("build", "trajectories", "logs.jsonl", "--into", "made", "--asked", "9", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    manifest = json.loads(done.stdout)
    assert manifest["counts"]["documents"] == 200
    assert {row["tier"] for row in manifest["chance"]} >= {"same-type"}
    assert askance("validate", "made", cwd=tmp_path).returncode == 0

    done = askance("recall", "made", "burn the cup behind the sack", "--state", "you see a cup", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["recalled"][0]["trajectory"]["goal"].startswith("burn the cup")
    assert answer["recalled"][0]["step"] == 0

    done = askance("recall", "made", "book a flight", cwd=tmp_path)
    assert done.returncode == 0
    assert "nothing is recalled" in done.stdout

    done = askance("build", "trajectories", "--into", "made", cwd=tmp_path)
    assert done.returncode == 2
    assert "--check" in done.stderr
    done = askance("build", "trajectories", "--check", "made/audit.csv", "--into", "made", cwd=tmp_path)
    assert done.returncode == 2
    assert "nothing is filled in" in done.stderr


@pytest.mark.parametrize("columns", [80, 100])
def test_what_a_stranger_reads(typed: Typed, tmp_path: Path, columns: int) -> None:
    rows = [
        {"goal": f"{verb} the {thing} {where} the {place}", "steps": ["go"]}
        for verb, where in (("fetch", "to"), ("burn", "behind"))
        for thing in THINGS
        for place in PLACES
    ]
    logs = tmp_path / "logs.jsonl"
    logs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = tmp_path / "made"
    done = typed("build", "trajectories", str(logs), "--into", str(made), columns=columns)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "200 documents, 200 queries, 2 types" in said
    assert "(10 words)" in said
    assert "what a random ranking would reach, in percent" in said
    found = [line.split() for line in done.lines if line.startswith(" same-type")]
    assert [row[1] for row in found] == ["Hit@1", "Hit@5", "Hit@10"]
    assert all(len(row) == 5 for row in found)  # nothing is folded
    assert "To check the labels" in said
    task = "burn the cup behind the sack"
    done = typed("recall", str(made), task, "--state", "you see a cup", "-k", "2", columns=columns)
    said = " ".join(done.out.split())
    assert "likeness 1.000, p = 0.0025" in said
    assert "above chance (level: p at most 0.025, two-sided 5%" in said
    assert done.widest <= columns


def test_logs_are_added(tmp_path: Path) -> None:
    goals = [f"{verb} the {thing} to the {place}" for verb in ("fetch", "burn") for thing in THINGS for place in PLACES]
    rows = [json.dumps({"id": str(at), "goal": goal, "steps": ["go"]}) + "\n" for at, goal in enumerate(goals)]
    (tmp_path / "a.jsonl").write_text("".join(rows[:150]))
    (tmp_path / "b.jsonl").write_text("".join(rows[150:]))
    done = askance("recall", "memory", "--add", "a.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = askance("recall", "memory", "--add", "b.jsonl", "--json", cwd=tmp_path)
    added = json.loads(done.stdout)
    assert (added["schema"], added["added"], added["total"]) == ("askance/recall-add/1", 50, 200)
    done = askance("recall", "memory", "burn the tin to the bench", "-k", "1", "--json", cwd=tmp_path)
    answer = json.loads(done.stdout)
    assert answer["recalled"][0]["id"] == "199"
    assert answer["p"] <= answer["level"] == 0.025
    done = askance("recall", "memory", cwd=tmp_path)
    assert done.returncode == 2
    assert "--add" in done.stderr
