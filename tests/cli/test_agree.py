"""askance agree as a stranger types it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GOLD = "q1 0 a 0\nq1 0 b 1\nq1 0 c 3\nq2 0 a 2\nq2 0 b 0\n"
SETS = {
    "same": GOLD,
    "higher": "q1 0 a 1\nq1 0 b 2\nq1 0 c 3\nq2 0 a 3\nq2 0 b 1\n",
    "odd": "q1 0 a 0\nq1 0 b 7\nq1 0 b maybe\nq1 0 c 3\nq1 0 c 3\nq2 0 a 1\nq2 0 a 2\nq3 0 z 1\n",
}
RUNS = {
    "good": "q1 Q0 c 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 a 3 1 x\nq2 Q0 a 1 2 x\nq2 Q0 b 2 1 x\n",
    "bad": "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 c 3 1 x\nq2 Q0 b 1 2 x\nq2 Q0 a 2 1 x\n",
}


def askance(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "askance", "agree", *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.txt").write_text(GOLD)
    for place, files in (("sets", SETS), ("runs", RUNS)):
        (tmp_path / place).mkdir()
        for name, content in files.items():
            (tmp_path / place / f"{name}.txt").write_text(content)
    return tmp_path


def test_a_folder_beside_gold_names_every_odd_label(folder: Path) -> None:
    done = askance("sets", "--gold", "gold.txt", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert "3 label sets beside gold: 5 pairs of 2 queries" in done.stdout
    assert "2 labels off the scale 0 1 2 3: not compared" in done.stdout
    for said in ("sets/odd.txt:2", "sets/odd.txt:3", "maybe", "contradictory", "Scale: 0 1 2 3, as gold has it."):
        assert said in done.stdout
    row = next(line for line in done.stdout.splitlines() if line.startswith(" odd ") and "8" in line)
    # labels 8: compared 2 (a, c of q1), off scale 1 (b), missing 1, unknown 1, twice 1, contradictory 1
    assert row.split() == ["odd", "8", "2", "1", "1", "1", "1", "1"]


def test_the_machine_form(folder: Path) -> None:
    done = askance("sets", "--gold", "gold.txt", "--runs", "runs", "--audit", "higher=0/60", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "askance/agree/1"
    assert (found["scale"], found["scale_from"], found["resampled"]) == ([0, 1, 2, 3], "gold", "queries")
    sets = {one["name"]: one for one in found["sets"]}
    assert set(sets) == set(SETS)
    assert sets["same"]["against_gold"]["kappa"]["value"] == 1.0
    assert sets["higher"]["against_gold"]["higher_than_gold"]["value"] == pytest.approx(4 / 5)
    assert sets["odd"]["counts"] == {
        "repeated": 1, "contradictory": 1, "unknown": 1, "missing": 1, "off_scale": 2,
    }  # fmt: skip
    assert sets["odd"]["off_scale"][1] == {"line": 3, "query": "q1", "document": "b", "label": "maybe"}
    assert sets["same"]["orders"]["systems"] == 2
    assert sets["same"]["orders"]["tau"]["value"] == 1.0
    assert found["systems"]["runs"] == ["bad.txt", "good.txt"]
    (audit,) = found["audits"]
    assert (audit["name"], audit["errors"], audit["n"]) == ("higher", 0, 60)
    assert audit["error_rate"]["high"] == pytest.approx(0.0596, abs=5e-5)
    estimate = {"value", "low", "high", "n", "method", "left_out"}
    for one in found["sets"]:
        for figure in one["against_gold"].values():
            assert set(figure) == estimate


def test_csv_is_one_table_of_figures(folder: Path) -> None:
    done = askance("sets", "--gold", "gold.txt", "--format", "csv", "--audit", "0/60", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {"same", "higher", "odd", "all sets", "all sets and gold", "audit"} == {row["label set"] for row in rows}
    assert all(row["low"] and row["high"] for row in rows if row["value"])
    assert all(row["method"].startswith("undefined") for row in rows if not row["value"])


def test_without_gold_and_with_an_audit_alone(folder: Path) -> None:
    done = askance("sets", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "name it with --scale" in done.stdout
    assert "gold" not in done.stdout.splitlines()[0]
    alone = askance("--audit", "0/60", cwd=folder)
    assert alone.returncode == 0
    assert "at most 5.96" in alone.stdout


def test_gold_among_the_labels_is_not_compared_with_itself(folder: Path) -> None:
    done = askance("sets", "--gold", "sets/same.txt", "--json", cwd=folder)
    assert [one["name"] for one in json.loads(done.stdout)["sets"]] == ["higher", "odd"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no label sets are named"),
        (("none.txt",), "none.txt: there is no such file"),
        (("sets", "--gold", "runs/good.txt"), "runs/good.txt:1"),
        (("sets", "--runs", "runs"), "no gold"),
        (("sets", "--scale", "0,x"), "the scale '0,x' cannot be read"),
        (("sets", "--audit", "61/60"), "the audit '61/60' cannot be read"),
        (("sets", "--gold", "gold.txt", "--runs", "runs", "--measure", "nDGC@10"), "Did you mean 'nDCG'?"),
        (("sets", "--gold", "gold.txt", "--runs", "runs", "--measure", "Hit@1[x]"), "names a tier"),
        (("sets", "--gold", "gold.txt", "--runs", "runs", "--p", "1"), "between 0 and 1"),
        (("sets/same.txt", "sets/same.txt"), "two label sets are called"),
        (("sets", "--gold", "gold.txt", "--runs", "runs", "--runs", "runs/good.txt"), "two runs are called 'good.txt'"),
    ],
)
def test_bad_input_exits_with_2_and_a_remedy(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done = askance(*arguments, cwd=folder)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_labels_of_another_collection_are_refused(folder: Path) -> None:
    (folder / "other.txt").write_text("x1 0 a 1\nx1 0 b 0\n")
    done = askance("other.txt", "--gold", "gold.txt", cwd=folder)
    assert done.returncode == 2
    assert "gold labels q1 a, q1 b, q1 c …" in done.stderr


def test_all_judges_of_the_challenge_in_one_command(shared_data: Path) -> None:
    done = askance("submissions/scores", "--gold", "llmjudge_test_qrel_idx.txt", cwd=shared_data / "llmjudge")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100
    for said in ("33 label sets", "RMITIR-llama70B.txt:2449", "RMITIR-llama70B.txt:3825", "h2oloo-zeroshot2.txt:3187"):
        assert said in done.stdout
    assert " stand apart" in " ".join(done.stdout.split())
