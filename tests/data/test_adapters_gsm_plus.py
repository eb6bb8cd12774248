"""GSM-Plus: gold, near misses and kept answers; a broken copy says what is wrong and where."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import FileProblem
from askance.data.adapters.gsm_plus import GOLD_TYPE, LEFT_OUT_TYPE, NEAR_MISS_TYPES, PROBLEMS, load, same_answer

TYPES = (*NEAR_MISS_TYPES, GOLD_TYPE, LEFT_OUT_TYPE)
Row = dict[str, Any]


def row(seed: int, kind: str, answer: str) -> Row:
    return {
        "question": f"{kind} of seed {seed}?",
        "solution": f"So {answer}.",
        "answer": answer,
        "perturbation_type": kind,
        "seed_question": f"Seed {seed}?",
        "seed_solution": f"Thus {seed}.",
        "seed_answer": str(seed),
    }


def rows() -> list[Row]:
    """Two seeds with the answers 10 and 20; conversions keep them, written differently."""
    answers = {"integer-decimal-fraction conversion": "{}.0", "critical thinking": "None"}
    answers |= dict.fromkeys((GOLD_TYPE, LEFT_OUT_TYPE), "{}")
    return [row(seed, kind, answers.get(kind, "1{}").format(seed)) for seed in (10, 20) for kind in TYPES]


def lay(folder: Path, given: list[Row]) -> Path:
    path = folder / PROBLEMS
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in given), encoding="utf-8")
    return path


def test_a_small_copy(tmp_path: Path) -> None:
    lay(tmp_path, rows())
    collection = load(tmp_path)
    assert collection.queries.ids.names == ("g1", "g2")
    assert collection.queries.field("text") == ("Seed 10?", "Seed 20?")
    assert collection.queries.field("answer") == ("10", "20")
    assert len(collection.documents) == 14
    assert collection.documents.ids[:2] == ("g1-numerical-substitution", "g1-digit-expansion")
    assert collection.documents.field("text")[8] == "digit expansion of seed 20?"
    assert collection.documents.field("perturbation")[8] == "digit expansion"
    assert LEFT_OUT_TYPE not in collection.documents.field("perturbation")
    assert collection.notes == {"documents of the type 'distraction insertion', left out": 2}
    judgments = collection.tier("paraphrase").judgments
    assert [collection.documents.ids[int(judgments.of_query(at)[0][0])] for at in (0, 1)] == [
        "g1-problem-understanding",
        "g2-problem-understanding",
    ]
    roles = collection.roles
    assert roles is not None
    assert [role.label for role in roles.every] == [
        "its paraphrase",
        "its own near miss",
        "near miss that keeps the answer",
        "another problem",
    ]
    assert [len(roles.of_query(1, role.name)) for role in roles.every] == [1, 5, 1, 0]
    assert (
        collection.documents.ids[int(roles.of_query(1, "answer-kept")[0])] == "g2-integer-decimal-fraction-conversion"
    )


def test_lines_of_a_seed_need_not_stand_together(tmp_path: Path) -> None:
    lay(tmp_path, sorted(rows(), key=lambda entry: TYPES.index(entry["perturbation_type"])))
    collection = load(tmp_path)
    assert collection.queries.ids.names == ("g1", "g2")
    assert len(collection.documents) == 14


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("3", "3", True),
        ("3", "3.0", True),
        (" 3 ", "3", True),
        ("1,000", "1000.00", True),
        ("1/2", ".5", True),
        ("1/3", "0.3333", False),
        ("3", "-3", False),
        ("None", "None", True),
        ("None", "0", False),
        ("1/0", "1/0", True),
        ("1/0", "2/0", False),
        ("1e3", "1000", False),
        ("", "0", False),
        ("9" * 17, "9" * 16 + "8", False),
    ],
)
def test_same_answer(one: str, other: str, same: bool) -> None:
    assert same_answer(one, other) is same
    assert same_answer(other, one) is same


@given(st.text(max_size=9), st.text(max_size=9))
def test_equal_answers_are_the_same_whatever_they_say(one: str, other: str) -> None:
    assert same_answer(one, one)
    assert same_answer(one, other) == same_answer(other, one)


def test_the_published_file(shared_data: Path) -> None:
    collection = load(shared_data)
    assert (len(collection.queries), len(collection.documents)) == (300, 2100)
    assert Counter(collection.documents.field("perturbation")) == dict.fromkeys((*NEAR_MISS_TYPES, GOLD_TYPE), 300)
    assert list(collection.notes.values()) == [300]
    roles = collection.roles
    assert roles is not None
    counts = {role.name: [len(roles.of_query(at, role.name)) for at in range(300)] for role in roles.every}
    assert {name: sum(found) for name, found in counts.items()} == {
        "paraphrase": 300,
        "near-miss": 1600,
        "answer-kept": 200,
        "other": 0,
    }
    kept = Counter(
        collection.documents.field("perturbation")[int(document)]
        for at in range(300)
        for document in roles.of_query(at, "answer-kept")
    )
    assert kept["integer-decimal-fraction conversion"] == 132
    assert {near + same for near, same in zip(counts["near-miss"], counts["answer-kept"], strict=True)} == {6}
    judgments = collection.tier("paraphrase").judgments
    for at, name in enumerate(collection.queries.ids):
        (document,) = judgments.of_query(at)[0]
        assert collection.documents.ids[int(document)] == f"{name}-problem-understanding"
        assert [int(document)] == roles.of_query(at, "paraphrase").tolist()


def changed(at: int, **change: Any) -> Callable[[list[Row]], list[Row]]:
    """One row with other values; None takes the key away."""

    def change_row(given: list[Row]) -> list[Row]:
        new = {key: value for key, value in {**given[at], **change}.items() if value is not None}
        return [*given[:at], new, *given[at + 1 :]]

    return change_row


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (changed(3, question=None), 4, "field 'question' is missing"),
        (changed(3, answer=7), 4, "field 'answer' is a number, expected a string"),
        (changed(3, perturbation_type="paraphrasing"), 4, "no perturbation type 'paraphrasing'"),
        (changed(3, perturbation_type="digit expansion"), 4, "'digit expansion' occurs again; it was first on line 2"),
        (changed(3, seed_answer="11"), 4, "another solution or answer than on line 1"),
        (lambda given: [*given, given[2]], 17, "'integer-decimal-fraction conversion' occurs again"),
        (lambda given: given[:-1], 9, "the seed of this line has no 'distraction insertion'"),
        (lambda given: [], None, "there is no problem in it"),
    ],
)
def test_a_broken_copy_names_file_line_and_remedy(
    tmp_path: Path, change: Callable[[list[Row]], list[Row]], line: int | None, words: str
) -> None:
    path = lay(tmp_path, change(rows()))
    with pytest.raises(FileProblem, match=words) as caught:
        load(tmp_path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert caught.value.remedy


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="gsmplus_testmini.jsonl: there is no such file"):
        load(tmp_path)


@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255) | st.none())
def test_any_damage_loads_or_is_told(tmp_path_factory: pytest.TempPathFactory, at: float, byte: int | None) -> None:
    """One byte changed, or the rest cut off: never an error of another kind, and it names the file."""
    folder = tmp_path_factory.mktemp("damage")
    path = lay(folder, rows())
    raw = path.read_bytes()
    cut = int(at * len(raw))
    path.write_bytes(raw[:cut] + (b"" if byte is None else bytes([byte]) + raw[cut + 1 :]))
    try:
        load(folder)
    except FileProblem as problem:
        told = problem
    else:
        return
    assert told.path == str(path)
    assert told.remedy
