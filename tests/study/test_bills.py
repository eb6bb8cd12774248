"""results.json holds the bill per class of words: figures of measure.bill, which verify recomputes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from askance.app.study import run
from askance.app.verify import verify
from askance.core.files import sha256_of
from askance.data.collection import Decoys
from askance.data.formats.beir import read_beir
from askance.measure.bill import BILL_CLASSES, bill
from askance.study.bills import bills, learned_classes
from askance.study.results import Results

TEMPLATED = [f"put the {thing} on the {place}" for thing in ("cup", "pan", "pen", "fork", "box", "jar", "bowl", "can",
             "plate", "spoon", "knife", "mug") for place in ("desk", "shelf", "bed", "sofa", "table", "chair", "stove",
             "sink", "floor", "rack")]  # fmt: skip
WORDED = [
    "Anna baked nine loaves and sold four before noon.",
    "How far did the train go in two hours at a steady speed?",
    "A farmer keeps hens; each of them lays an egg every day.",
    "Half of the class walks to school, the others take a bus.",
]


@pytest.fixture
def out(study: Path, tmp_path: Path) -> Path:
    run(study, tmp_path / "out")
    return tmp_path / "out"


def edited(out: Path, change: Any) -> None:
    """results.json changed, and its hash in the manifest mended."""
    path = out / "results.json"
    tree = json.loads(path.read_text(encoding="utf-8"))
    change(tree["domains"][0])
    path.write_text(json.dumps(tree, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    manifest["results_sha256"] = sha256_of(path)
    (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_bill_for_every_tier_against_every_set_of_decoys(out: Path, chores: Path) -> None:
    domain = Results.model_validate_json((out / "results.json").read_bytes()).domains[0]
    assert domain.bills is not None
    expected = {(tier.name, decoys.name) for tier in domain.tiers for decoys in domain.decoys}
    assert {(one.tier, one.decoys) for one in domain.bills} == expected
    assert len(domain.bills) == len(expected) > 1
    collection = read_beir(chores)
    against = next(iter(domain.decoys))
    first = bill(collection, collection.tier(domain.bills[0].tier), Decoys(against.name, "", tuple(against.roles)),
                 query_field=domain.compared["query"], document_field=domain.compared["document"])  # fmt: skip
    written = domain.bills[0].classes[: len(BILL_CLASSES)]
    assert [(one.tokens, one.estimate.value, one.estimate.low, one.verdict) for one in written] == [
        (one.tokens, one.estimate.value, one.estimate.low, one.verdict) for one in first.entries
    ]


def test_an_edited_bill_is_found_though_the_hash_was_mended(out: Path) -> None:
    def change(domain: dict[str, Any]) -> None:
        domain["bills"][0]["classes"][0]["estimate"]["value"] = 0.123

    edited(out, change)
    assert any(".bills[" in one.where and "0.123" in one.what for one in verify(out).findings)


def test_older_results_have_no_bills_and_are_verified_without(out: Path) -> None:
    edited(out, lambda domain: domain.pop("bills"))
    text = (out / "results.json").read_text(encoding="utf-8")
    results = Results.model_validate_json(text)
    assert results.domains[0].bills is None
    assert results.dump() == text  # the same bytes
    assert {one.where for one in verify(out).findings} == {"report.html"}  # the page was made with bills


def test_templated_texts_teach_classes_and_worded_ones_none() -> None:
    found = learned_classes([*TEMPLATED, *TEMPLATED])
    read = {frozenset(each.read("put the cup on the sofa")) for each in found}
    assert {frozenset({"cup"}), frozenset({"sofa"})} <= read
    assert found[-1].name == "outside"
    assert "put" in found[-1].read("put the cup on the sofa")
    assert learned_classes(WORDED) == [] == learned_classes([])


def test_the_same_study_gives_the_same_bytes(out: Path, study: Path, tmp_path: Path) -> None:
    run(study, tmp_path / "again")
    assert (tmp_path / "again" / "results.json").read_bytes() == (out / "results.json").read_bytes()


def test_without_decoys_there_is_no_bill_and_nothing_is_learned(chores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = read_beir(chores)
    monkeypatch.setattr("askance.study.bills.learned_classes", None)  # would fail if it were called
    everyone = ("all", collection.queries.mask({}))
    assert bills(collection, list(collection.tiers.values()), [], ("text", "text"), everyone, 0) == []
