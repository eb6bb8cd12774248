"""The trajectories: labels, tiers and roles as published; a broken copy says what is wrong and where."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import FileProblem
from askance.data.adapters.trajectories import (
    FURTHER_QUERIES,
    FURTHER_QUERIES_ORIGINAL,
    QUERY_BANK,
    TRAJECTORIES,
    load,
)
from askance.data.collection import Collection, Turn

DESCRIPTIONS = {
    "t0": "put a mug in desk.",
    "t1": "put some soapbar on garbagecan.",
    "t2": "clean some mug and put it in shelf.",
    "t3": "put a soapbottle in garbagecan.",
    "t4": "examine the mug with the desklamp.",
}
RELEASED = [
    ("easy_1", "EASY", "placement", "Put a soap bar in the garbage can"),
    ("medium_1", "MEDIUM", "placement", "Place a mug with a pen in it on the desk"),
]
FURTHER = [("new_0", "look at pen under the desklamp."), ("new_1", "put some mug on desk.")]


def trajectory(name: str, description: str) -> dict[str, Any]:
    steps = [
        {"step_id": 1, "state": "You are in a room.", "action": "go to desk 1"},
        {"step_id": 2, "state": "On the desk 1, you see a mug 1.", "action": "take mug 1 from desk 1"},
    ]
    return {"task_instance_id": name, "task_description": description, "state_action_pairs": steps}


def query(name: str, tier: str, kind: str, text: str) -> dict[str, Any]:
    judged = [{"trajectory_id": "t0", "relevance_score": 8.0}]
    return {"query_id": name, "tier": tier, "query_type": kind, "query_text": text, "relevant_trajectories": judged}


def lay(folder: Path, *, original: bool = False) -> Path:
    """A small copy of the published files."""
    logs = {"trajectories": [trajectory(name, text) for name, text in DESCRIPTIONS.items()]}
    write(folder / TRAJECTORIES, json.dumps(logs, indent=1))
    write(folder / QUERY_BANK, json.dumps({"queries": [query(*row) for row in RELEASED]}, indent=1))
    rows = [("query_id", "query_text", "task_type"), *((name, text, "?") for name, text in FURTHER)]
    if original:
        entries = [{"query_id": name, "query_text": text, "task_type": 0} for name, text in FURTHER]
        write(folder / FURTHER_QUERIES_ORIGINAL, json.dumps({"new_labeled_queries": entries}, indent=1))
    else:
        write(folder / FURTHER_QUERIES, "".join("\t".join(row) + "\n" for row in rows))
    return folder


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def gold(collection: Collection, tier: str) -> dict[str, list[str]]:
    judgments = collection.tier(tier).judgments
    return {
        name: [collection.documents.ids[int(at)] for at in judgments.of_query(position)[0]]
        for position, name in enumerate(collection.queries.ids)
    }


@pytest.mark.parametrize("original", [False, True])
def test_a_small_copy(tmp_path: Path, original: bool) -> None:
    collection = load(lay(tmp_path, original=original))
    assert collection.documents.ids.names == tuple(DESCRIPTIONS)
    assert collection.documents.field("text")[0] == (
        "Task: put a mug in desk.\nSteps:\n"
        "1. State: You are in a room. -> Action: go to desk 1\n"
        "2. State: On the desk 1, you see a mug 1. -> Action: take mug 1 from desk 1"
    )
    assert collection.documents.field("description") == tuple(DESCRIPTIONS.values())
    assert collection.documents.field("actions")[0] == "go to desk 1\ntake mug 1 from desk 1"
    assert collection.documents.turns is not None
    assert collection.documents.turns[0][:2] == (Turn("state", "You are in a room."), Turn("action", "go to desk 1"))
    assert collection.queries.ids.names == ("easy_1", "medium_1", "new_0", "new_1")
    assert collection.queries.field("text")[2] == "look at pen under the desklamp."
    assert collection.queries.slices == {
        "set": ("old40", "old40", "new78", "new78"),
        "tier": ("EASY", "MEDIUM", "", ""),
        "task_type": ("placement", "placement", "examination", "placement"),
    }
    assert list(collection.tiers) == ["reference", "strict-raw", "strict", "strict-ii", "strict-ii-normalised"]
    assert gold(collection, "reference") == {
        "easy_1": ["t0", "t1", "t3"],
        "medium_1": ["t0", "t1", "t3"],
        "new_0": ["t4"],
        "new_1": ["t0", "t1", "t3"],
    }
    assert gold(collection, "strict-raw")["easy_1"] == ["t0", "t1", "t3"]
    assert gold(collection, "strict")["easy_1"] == ["t0", "t3"]
    assert gold(collection, "strict-ii")["easy_1"] == ["t0", "t3"]
    assert gold(collection, "strict-ii-normalised")["easy_1"] == ["t0"]
    assert gold(collection, "strict")["medium_1"] == ["t1", "t3"]
    assert gold(collection, "strict-ii")["new_0"] == ["t4"]
    assert collection.notes == {"judgments by a language model in the query bank, left out": 2}
    assert str(tmp_path) in collection.origin


def test_every_pair_has_the_role_its_labels_say(tmp_path: Path) -> None:
    roles = load(lay(tmp_path)).roles
    assert roles is not None
    names = {
        "easy_1": ["other-object", "sibling", "other", "other-object", "other"],
        "medium_1": ["sibling", "other-object", "near-miss", "other-object", "near-miss"],
        "new_0": ["other", "other", "other", "other", "other-object"],
        "new_1": ["sibling", "other-object", "near-miss", "other-object", "near-miss"],
    }
    for position, wanted in enumerate(names.values()):
        found = roles.at(np.full(5, position), np.arange(5), 5)
        assert [role.name for role in found] == wanted


# The published data.


@pytest.fixture(scope="module")
def published(shared_data: Path) -> Collection:
    return load(shared_data)


@pytest.fixture(scope="module")
def labels(shared_data: Path) -> list[dict[str, str]]:
    path = shared_data / "structural_retrieval" / "queries118_labels.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_queries_as_published(published: Collection, labels: list[dict[str, str]]) -> None:
    assert len(published.documents) == 336
    assert published.queries.ids.names == tuple(row["query_id"] for row in labels)
    assert published.queries.field("text") == tuple(row["query_text"] for row in labels)
    assert published.queries.slices["tier"] == tuple(row["tier"].replace("null", "") for row in labels)
    assert published.queries.slices["set"] == ("old40",) * 40 + ("new78",) * 78
    kinds = ("placement", "examination", "cleaning", "heating", "cooling", "multi_object")
    assert published.queries.slices["task_type"] == tuple(kinds[int(row["task_type"]) - 1] for row in labels)


@pytest.mark.parametrize(
    ("tier", "column"), [("reference", "K_lenient"), ("strict", "K_strict"), ("strict-ii", "K_harsher_ii")]
)
def test_gold_counts_as_published(published: Collection, labels: list[dict[str, str]], tier: str, column: str) -> None:
    assert published.tier(tier).judgments.gold_counts().tolist() == [int(row[column]) for row in labels]


@pytest.mark.parametrize(
    ("role", "column"),
    [("sibling", "K_sibling"), ("near-miss", "K_near_miss"), ("other", "K_other"), ("other-object", "K_strict")],
)
def test_role_counts_as_published(published: Collection, labels: list[dict[str, str]], role: str, column: str) -> None:
    assert published.roles is not None
    found = [len(published.roles.of_query(position, role)) for position in range(118)]
    assert found == [int(row[column]) for row in labels]


def hit_by_chance(gold: int, depth: int) -> Fraction:
    return 1 - Fraction(comb(336 - gold, depth), comb(336, depth))


@pytest.mark.parametrize(
    ("tier", "depth", "column"),
    [
        ("strict", 1, "chance_strict_1"),
        ("strict", 5, "chance_strict_5"),
        ("strict", 10, "chance_strict_10"),
        ("reference", 1, "chance_lenient_1"),
        ("strict-ii", 1, "chance_harsher_1"),
    ],
)
def test_chance_as_published(
    published: Collection, labels: list[dict[str, str]], tier: str, depth: int, column: str
) -> None:
    counts = published.tier(tier).judgments.gold_counts().tolist()
    for count, row in zip(counts, labels, strict=True):
        assert f"{float(hit_by_chance(count, depth)):.6f}" == row[column]


def test_mean_chance_as_published(published: Collection, shared_data: Path) -> None:
    figures = json.loads((shared_data / "structural_retrieval" / "published.json").read_text(encoding="utf-8"))
    tiers = {"strict": "strict", "lenient": "reference", "harsher_ii": "strict-ii"}
    subsets = {"pooled": {}, "old_40": {"set": "old40"}, "new_78": {"set": "new78"}}
    checked = 0
    for figure in figures:
        if not figure["id"].startswith("traj/chance/"):
            continue
        _, _, subset, what = figure["id"].split("/")
        named, depth = what.split("@")
        mask = published.queries.mask(subsets[subset])
        counts = published.tier(tiers[named]).judgments.gold_counts()[mask].tolist()
        mean = sum((hit_by_chance(count, int(depth)) for count in counts), Fraction(0)) / len(counts)
        assert float(mean) == pytest.approx(figure["value"], abs=1e-12)
        checked += 1
    assert checked == 21


def test_harder_tiers_are_parts_of_easier_ones(published: Collection) -> None:
    tiers = list(published.tiers)
    for easier, harder in zip(tiers, tiers[1:], strict=False):
        large, small = gold(published, easier), gold(published, harder)
        assert all(set(small[name]) <= set(large[name]) for name in large)
        assert small != large


def test_naming_matters_only_for_the_released_queries(published: Collection) -> None:
    """On names as worded the strict tier changes for 15 queries; on normalised receptacles (ii) for four."""
    counts = {name: tier.judgments.gold_counts() for name, tier in published.tiers.items()}
    worded = np.flatnonzero(counts["strict-raw"] != counts["strict"])
    assert (len(worded), int(worded.max()) < 40) == (15, True)
    placed = np.flatnonzero(counts["strict-ii-normalised"] != counts["strict-ii"])
    assert [published.queries.ids[int(at)] for at in placed] == ["medium_6", "medium_8", "medium_11", "hard_13"]


def test_notes_count_the_judgments_left_out(published: Collection) -> None:
    assert list(published.notes.values()) == [893]


# Broken copies.


def edit(path: Path, change: Mapping[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        (TRAJECTORIES, {'"task_description": "put a mug': '"task_description": "fling a mug'}, "none of the known"),
        (TRAJECTORIES, {'"t1"': '"t0"'}, "'t0' occurs a second time"),
        (TRAJECTORIES, {'"step_id": 2': '"step_id": "2"'}, "expected a whole number"),
        (TRAJECTORIES, {'"state"': '"stat"'}, "the key 'state' is missing"),
        (TRAJECTORIES, {'"trajectories"': '"trajectory"'}, "the key 'trajectories' is missing"),
        (TRAJECTORIES, {"[": "[,"}, "not valid JSON"),
        (QUERY_BANK, {'"query_type": "placement"': '"query_type": "plaement"'}, "no task type 'plaement'"),
        (QUERY_BANK, {"Put a soap bar": "Bring me a soap bar"}, "none of the known wordings"),
        (QUERY_BANK, {'"medium_1"': '"easy_1"'}, "'easy_1' occurs a second time"),
        (QUERY_BANK, {'"tier": "EASY"': '"tier": null'}, "expected a string, found null"),
        (FURTHER_QUERIES, {"query_text": "text"}, "no column 'query_text'"),
        (FURTHER_QUERIES, {"new_1\t": "new_1 "}, "2 cells, expected 3"),
        (FURTHER_QUERIES, {"new_1": "new_0"}, "'new_0' occurs a second time"),
        (FURTHER_QUERIES, {"new_1": "easy_1"}, "'easy_1' occurs a second time"),
        (FURTHER_QUERIES, {"put some mug": "put mug"}, "none of the known wordings"),
    ],
)
def test_a_broken_copy_names_file_line_and_remedy(
    tmp_path: Path, file: str, change: Mapping[str, str], words: str
) -> None:
    edit(lay(tmp_path) / file, change)
    with pytest.raises(FileProblem, match=words) as caught:
        load(tmp_path)
    assert caught.value.path == str(tmp_path / file)
    assert caught.value.remedy
    lines = (tmp_path / file).read_text(encoding="utf-8").split("\n")
    assert caught.value.line is not None
    new = next(iter(change.values()))
    expected = [number for number, line in enumerate(lines, start=1) if new in line]
    # a missing key is told on the line where its record begins
    assert caught.value.line in expected or "is missing" in words


def test_a_missing_key_is_told_where_its_record_begins(tmp_path: Path) -> None:
    edit(lay(tmp_path) / TRAJECTORIES, {'"state"': '"stat"'})
    with pytest.raises(FileProblem) as caught:
        load(tmp_path)
    assert caught.value.line is not None
    lines = (tmp_path / TRAJECTORIES).read_text(encoding="utf-8").split("\n")
    assert (lines[caught.value.line - 1].strip(), "stat" in lines[caught.value.line + 1]) == ("{", True)


@pytest.mark.parametrize("file", [TRAJECTORIES, QUERY_BANK, FURTHER_QUERIES])
def test_a_missing_file_is_named(tmp_path: Path, file: str) -> None:
    (lay(tmp_path) / file).unlink()
    with pytest.raises(FileProblem, match="no such file") as caught:
        load(tmp_path)
    assert caught.value.path == str(tmp_path / file)


@pytest.mark.parametrize("file", [TRAJECTORIES, QUERY_BANK])
def test_an_empty_list_is_an_error(tmp_path: Path, file: str) -> None:
    write(lay(tmp_path) / file, json.dumps({"trajectories": [], "queries": []}))
    with pytest.raises(FileProblem, match="the list is empty"):
        load(tmp_path)


@given(
    file=st.sampled_from([TRAJECTORIES, QUERY_BANK, FURTHER_QUERIES]),
    at=st.floats(0, 1, exclude_max=True),
    byte=st.integers(0, 255) | st.none(),
)
def test_any_damage_loads_or_is_told(
    tmp_path_factory: pytest.TempPathFactory, file: str, at: float, byte: int | None
) -> None:
    """One byte changed, or the rest cut off: never an error of another kind, and it names the file."""
    folder = lay(tmp_path_factory.mktemp("damage"))
    raw = (folder / file).read_bytes()
    cut = int(at * len(raw))
    (folder / file).write_bytes(raw[:cut] + (b"" if byte is None else bytes([byte]) + raw[cut + 1 :]))
    try:
        load(folder)
    except FileProblem as problem:
        told = problem
    else:
        return
    assert told.path == str(folder / file)
    assert told.remedy
