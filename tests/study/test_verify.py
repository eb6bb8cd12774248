"""Verifying a result folder: what was edited is found, even where hashes were mended."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from askance.app.study import run
from askance.app.verify import verify
from askance.core.errors import FileProblem
from askance.core.files import sha256_of


@pytest.fixture
def out(study: Path, tmp_path: Path) -> Path:
    run(study, tmp_path / "out")
    return tmp_path / "out"


def edit_run(out: Path, name: str, *, mend: bool) -> None:
    """Give the third document of the first list the best score, and put it first."""
    path = out / "runs" / "chores" / f"{name}.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    record = json.loads(lines[0])
    document, _ = record["hits"].pop(2)
    record["hits"].insert(0, [document, record["hits"][0][1] + 1.0])
    lines[0] = json.dumps(record)
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
    if mend:
        manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
        manifest["runs"][f"chores/{name}"]["sha256"] = sha256_of(path)
        (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_folder_is_what_it_says(out: Path) -> None:
    found = verify(out)
    assert list(found.findings) == []
    assert found.figures == 16  # 2 systems, 2 tiers, 4 measures
    assert found.record()["schema"] == "askance/verify/1"


def test_an_edited_score_is_found_though_its_hash_was_mended(out: Path) -> None:
    edit_run(out, "bm25", mend=True)
    found = verify(out)
    assert any(one.where.endswith("run_sha256") for one in found.findings)
    assert any(".figures[" in one.where for one in found.findings)
    assert not any("manifest" in one.what for one in found.findings)


def test_without_mending_the_hash_is_found_too(out: Path) -> None:
    edit_run(out, "small", mend=False)
    assert any(one.where == "runs/chores/small" and "hash" in one.what for one in verify(out).findings)


def test_an_edited_figure_is_found(out: Path) -> None:
    tree = json.loads((out / "results.json").read_text(encoding="utf-8"))
    tree["domains"][0]["figures"][0]["estimate"]["value"] = 0.99
    (out / "results.json").write_text(json.dumps(tree), encoding="utf-8")
    found = verify(out)
    assert any("bm25 any all" in one.where and "0.99" in one.what for one in found.findings)


def test_changed_qrels_are_found(out: Path, chores: Path) -> None:
    qrels = chores / "qrels" / "any.tsv"
    lines = qrels.read_text(encoding="utf-8").splitlines()
    qrels.write_text("\n".join(lines[:-20]) + "\n", encoding="utf-8")
    assert verify(out).findings


def test_a_missing_run_is_found(out: Path) -> None:
    (out / "runs" / "chores" / "bm25+control.jsonl.gz").unlink()
    assert any("bm25+control" in one.where or "bm25+control" in one.what for one in verify(out).findings)


def test_a_reranker_that_brought_in_a_document_is_found(out: Path) -> None:
    path = out / "runs" / "chores" / "bm25+control.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    record = json.loads(lines[0])
    record["hits"][0], record["hits"][-1] = record["hits"][-1], record["hits"][0]
    lines[0] = json.dumps(record)
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
    assert any("no permutation" in one.what for one in verify(out).findings)


GATE = '\n[[gates]]\nfigure = "bm25.any.all.hit@1"\nvalue = 0.01\ntolerance = 0.0005\n'


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({}, ""),
        ({"status": "passed", "why": "", "past": ""}, "status"),
        ({"status": "skipped", "ours": None, "why": "no data", "past": ""}, "status"),
        ({"past": ""}, "no reason is given"),
        ({"published": 0.9}, "published"),
        ({"domain": "others"}, "no such gate in a domain 'others'"),
        ({"figure": "bm25.any.all.hit@5"}, "not those of study.json"),
        (None, "not those of study.json"),
    ],
)
def test_an_edited_gate_is_found(study: Path, tmp_path: Path, edit: dict[str, object] | None, said: str) -> None:
    study.write_text(study.read_text(encoding="utf-8") + GATE, encoding="utf-8")
    out = run(study, tmp_path / "gated", past_gate="the corpus was cut").folder
    tree = json.loads((out / "results.json").read_text(encoding="utf-8"))
    tree["gates"] = [] if edit is None else [tree["gates"][0] | edit]
    (out / "results.json").write_text(json.dumps(tree), encoding="utf-8")
    found = [f"{one.where}: {one.what}" for one in verify(out).findings if "hash" not in one.what]
    assert found == [] if not said else any(said in one for one in found)


def test_an_edited_page_is_found(out: Path) -> None:
    page = out / "report.html"
    page.write_text(page.read_text(encoding="utf-8").replace("Trigrams", "Quadgrams"), encoding="utf-8")
    assert [one.where for one in verify(out).findings] == ["report.html"]
    page.unlink()
    assert [one.where for one in verify(out).findings] == ["report.html"]


def test_what_is_no_result_folder_is_refused(tmp_path: Path, out: Path) -> None:
    with pytest.raises(FileProblem, match="no result folder"):
        verify(tmp_path)
    (out / "results.json").unlink()
    with pytest.raises(FileProblem, match="is missing"):
        verify(out)
