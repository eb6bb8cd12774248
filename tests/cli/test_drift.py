"""askance drift as a stranger types it, and on two precisions of one real model."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from askance.data.locate import collection

ROOT = Path(__file__).resolve().parent.parent.parent
FIRST = "q1 Q0 a 1 .9 x\nq1 Q0 b 2 .8 x\nq2 Q0 a 1 .7 x\nq2 Q0 b 2 .69 x\nq3 Q0 c 1 1 x\n"
SECOND = "q1 Q0 a 1 .9 y\nq1 Q0 b 2 .7 y\nq2 Q0 b 1 .71 y\nq2 Q0 a 2 .70 y\n"


def askance(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "askance", "drift", *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {"a.txt": FIRST, "b.txt": SECOND, "qrels.txt": "q1 0 a 1\nq2 0 a 1\nq9 0 a 1\n"}.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def test_two_run_files(folder: Path) -> None:
    done = askance("a.txt", "b.txt", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 100
    for said in (
        "Ranked lists of a.txt and b.txt",
        "1 query with another document at rank 1",
        "0.0100",
        "only one run",
    ):
        assert said in done.stdout
    judged = askance("a.txt", "b.txt", "--qrels", "qrels.txt", "--measures", "Hit@1,RR", cwd=folder)
    assert judged.returncode == 0, judged.stderr
    (row,) = [line.split() for line in judged.stdout.splitlines() if line.startswith(" Hit@1 ") and "q2" not in line]
    assert row[:3] == ["Hit@1", "1.000", ".500"]
    assert row[-4:] == ["0", "1", "1", "1"]
    (row,) = [line.split() for line in judged.stdout.splitlines() if line.startswith(" Hit@1 ") and "q2" in line]
    assert row == ["Hit@1", "q2", "1", "0.0100", "2", "−0.0100"]


def test_the_machine_forms(folder: Path) -> None:
    done = askance("a.txt", "b.txt", "--qrels", "qrels.txt", "--json", cwd=folder)
    found = json.loads(done.stdout)
    assert found["schema"] == "askance/drift/1"
    assert (found["first"]["name"], found["first"]["kind"]) == ("a.txt", "run")
    assert found["cosines"] is None
    assert found["ranks"]["same_first"]["value"] == 0.5
    (change,) = found["first_places"]["changes"]
    assert change == {
        "query": "q2", "first": "a", "second": "b",
        "first_margin": pytest.approx(0.01), "second_margin": pytest.approx(0.01),
    }  # fmt: skip
    hit = found["measures"][0]
    assert (hit["measure"], hit["gained"], hit["lost"], hit["p"], hit["p_holm"]) == ("Hit@1", 0, 1, 1.0, 1.0)
    assert hit["difference"]["left_out"] == {"queries that not both runs answer": 1, "queries without gold": 1}
    rows = list(csv.DictReader(io.StringIO(askance("a.txt", "b.txt", "--format", "csv", cwd=folder).stdout)))
    assert {row["figure"] for row in rows} >= {"same document at rank 1, share of queries", "overlap of the first 5"}


def test_matrices_with_a_floor_for_the_cosine(folder: Path) -> None:
    rows = np.eye(3)
    np.save(folder / "a.npy", rows)
    np.save(folder / "b.npy", rows + 0.1)
    done = askance("a.npy", "b.npy", "--min-cosine", "0.9", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "Farthest apart" in done.stdout
    held = askance("a.npy", "b.npy", "--min-cosine", "0.999", cwd=folder)
    assert held.returncode == 1
    assert "below 0.999: row " in held.stderr
    assert "Farthest apart" in held.stdout


@pytest.mark.parametrize("spoilt", [float("nan"), 0.0])
def test_a_row_without_a_direction_holds_no_floor(folder: Path, spoilt: float) -> None:
    np.save(folder / "a.npy", np.eye(3))
    rows = np.eye(3)
    rows[1] = spoilt
    np.save(folder / "b.npy", rows)
    held = askance("a.npy", "b.npy", "--min-cosine", "0.9", cwd=folder)
    assert held.returncode == 1
    assert "1 rows without a direction" in held.stderr
    assert askance("a.npy", "b.npy", cwd=folder).returncode == 0
    assert askance("a.npy", "a.npy", "--min-cosine", "nan", cwd=folder).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.txt", "none.txt"), "none.txt: there is no such file"),
        (("a.txt", "b.txt", "--measures", "Hit"), "has no cut-off"),
        (("a.txt", "b.txt", "--p", "0"), "between 0 and 1"),
        (("a.txt", "none.npy"), "none.npy: there is no such file"),
        (("a.txt", "none.toml#m"), "there is no such study file"),
        (("a.txt", "b.txt", "--collection", "no-such-thing"), "no-such-thing"),
        (("a.txt", "b.txt", "--min-cosine", "0.9"), "no vectors"),
    ],
)
def test_bad_input_exits_with_2_and_a_remedy(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done = askance(*arguments, cwd=folder)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def small_trajectories(folder: Path) -> None:
    """A fifth of the collection: its first 40 queries and, of their gold and the rest, 80 documents."""
    found = collection("trajectories")
    tier = found.tiers[found.main] if found.main else list(found.tiers.values())[-1]
    queries = list(range(40))
    gold = [int(at) for query in queries for at in tier.judgments.of_query(query)[0]]
    kept = sorted(dict.fromkeys([*gold, *range(len(found.documents))]), key=lambda at: at not in gold)[:80]
    names = [found.documents.ids[at] for at in kept]
    texts = found.documents.field("text")
    lines = [json.dumps({"_id": name, "text": texts[at]}) for name, at in zip(names, kept, strict=True)]
    folder.mkdir()
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    asked = found.queries.field("text")
    lines = [json.dumps({"_id": found.queries.ids[at], "text": asked[at]}) for at in queries]
    (folder / "queries.jsonl").write_text("\n".join(lines) + "\n")
    rows = ["query-id\tcorpus-id\tscore"]
    for query in queries:
        for document, grade in zip(*(each.tolist() for each in tier.judgments.of_query(query)), strict=True):
            if document in kept:
                rows.append(f"{found.queries.ids[query]}\t{found.documents.ids[document]}\t{grade:g}")
    (folder / "qrels").mkdir()
    (folder / "qrels" / "strict.tsv").write_text("\n".join(rows) + "\n")


def test_one_model_in_32_bits_and_in_8(shared_data: Path, tmp_path: Path) -> None:
    """The example, on a fifth of its collection: vectors near 1 but never equal, and a first place that changes."""
    example = ROOT / "examples" / "minilm_int8.py"
    spec = importlib.util.spec_from_file_location("minilm_int8", example)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write_int8(tmp_path / "models" / "minilm-int8")
    small_trajectories(tmp_path / "small")
    study = (
        (ROOT / "examples" / "drift.toml").read_text().replace('collection = "trajectories"', 'collection = "small"')
    )
    (tmp_path / "drift.toml").write_text(study)
    done = askance("drift.toml#fp32", "drift.toml#int8", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["first"]["about"]["precision"], found["second"]["about"]["precision"]) == ("fp32", "int8 dynamic")
    cosines = found["cosines"]
    assert 0.985 < cosines["mean"]["value"] < 0.999
    assert cosines["close"]["value"] < 0.05
    assert cosines["lowest"]["value"] > 0.95
    assert found["ranks"]["overlap"]["10"]["value"] > 0.7
    assert 0 < found["first_places"]["changed"]["value"] < 0.5
    assert found["first_places"]["margin_changed"]["value"] < found["first_places"]["margin_kept"]["value"]
    assert {one["measure"] for one in found["measures"]} == {"Hit@1", "Hit@5", "Hit@10", "AP"}
    for one in found["measures"]:
        assert len(one["discordant"]) == (one["gained"] or 0) + (one["lost"] or 0)
        for query in one["discordant"]:
            hit, miss = sorted((query["first"], query["second"]), key=lambda side: -side["value"])
            assert hit["margin"] is None or hit["margin"] >= 0
            assert miss["margin"] is None or miss["margin"] <= 0
