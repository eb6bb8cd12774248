"""askance diagnose in a process of its own: a result folder, bare run files, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command import askance
from tests.diagnose.planting import PLANTERS


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    PLANTERS["excluded id"](folder, 1)
    return folder


def test_a_result_folder_as_json_and_as_a_page(planted: Path) -> None:
    done = askance("diagnose", "out", "--json", cwd=planted)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "askance/diagnose/1"
    assert sum(row["queries"] for row in found["waterfall"]) == 24
    assert {row["cause"]: row["queries"] for row in found["waterfall"]} == {"won": 18, "excluded id": 6}
    for each in found["conclusions"]:
        assert {"kind", "sentence", "figure"} <= each.keys()
        assert each["sentence"]
        if each["figure"] is not None:
            assert set(each["figure"]) == {"value", "low", "high", "n", "method", "left_out"}
    kinds = [each["kind"] for each in found["conclusions"]]
    assert {"waterfall", "excluded id", "regime", "headroom", "power", "slices", "margins", "duplicates"} <= set(kinds)
    page = (planted / "out" / "diagnosis.html").read_text()
    assert "excluded id" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_terminal_fits_and_the_other_forms_hold_the_waterfall(planted: Path) -> None:
    shown = askance("diagnose", "out", cwd=planted, COLUMNS="80")
    assert shown.returncode == 0, shown.stderr
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "puts gold first for 18 of 24 queries" in shown.stdout
    rows = askance("diagnose", "out", "--format", "csv", cwd=planted).stdout.splitlines()
    assert rows[0] == "domain,system,cause,what it means,queries,share,low,high,n"
    assert len(rows) == 3


def test_it_says_the_same_again(planted: Path) -> None:
    first, second = (askance("diagnose", "out", "--json", cwd=planted).stdout for _ in range(2))
    assert first == second


def test_bare_run_files_without_texts(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 x\nq1 Q0 b 2 1.0 x\nq2 Q0 b 1 1.0 x\nq3 Q0 a 1 1.0 x\n")
    (tmp_path / "qrels").write_text("q1 0 b 1\nq2 0 b 1\nq4 0 a 1\n")
    done = askance("diagnose", "--run", "run", "--qrels", "qrels", "--json", "--html", "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = {row["cause"]: row["queries"] for row in json.loads(done.stdout)["waterfall"]}
    assert rows == {"won": 1, "judgment missing": 1, "not retrieved": 1, "outranked by other": 1}
    assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name either a result folder or run files"),
        (("nowhere",), "is missing: this is no result folder"),
        (("--run", "run"), "there are no judgments"),
        (("nowhere", "--run", "run"), "name either a result folder or run files"),
        (("--run", "run", "--qrels", "qrels", "--difference", "2"), "shares"),
        (("--run", "empty", "--qrels", "qrels"), "lists no document for any query"),
        (("--run", "other", "--qrels", "qrels"), "no query of the run is judged: it has 'x9'"),
        (("--run", "run", "--qrels", "qrels", "--index", "."), "is no index of askance"),
        (("--run", "run", "--qrels", "qrels", "--vectors", "run"), "there is no --corpus"),
        (("--run", "run", "--qrels", "qrels", "--corpus", "corpus", "--vectors", "run"), "is no array of vectors"),
    ],
)
def test_refusals_name_the_remedy(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 x\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "other").write_text("x9 Q0 a 1 2.0 x\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "corpus").write_text('{"_id": "a", "text": "snow"}\n')
    done = askance("diagnose", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
