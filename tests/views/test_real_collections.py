"""Slots of real collections: household goals in templates and in people's words, and word problems."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from askance.core.places import cache_folder
from askance.data.adapters import gsm_plus, trajectories
from askance.data.collection import Collection
from askance.models.minilm import MiniLM
from askance.models.vectors import VectorStore
from askance.views.agreement import agreements
from askance.views.choosing import choose
from askance.views.foretelling import foretell
from askance.views.judged import Judged, judged_in
from askance.views.slots import Slots, report

Mask = NDArray[np.bool_]


@pytest.fixture(scope="module")
def logs(shared_data: Path) -> Collection:
    return trajectories.load(shared_data)


@pytest.fixture(scope="module")
def of_logs(logs: Collection) -> Slots:
    return Slots.learn(logs.documents.field("description"))


def test_goals_have_objects_and_places_and_keep_the_rest(logs: Collection, of_logs: Slots) -> None:
    assert of_logs.method == "templates"
    assert [len(each.members) for each in of_logs.open if each.rule is None] == [40, 19]
    assert {"mug", "toiletpaper", "cellphone"} < set(of_logs.named("unita").members)
    assert {"coffeemachine", "stoveburner", "bed"} < set(of_logs.named("unitb").members)
    assert sorted(sorted(each.members) for each in of_logs.classes if not each.open) == [
        ["a", "two"],
        ["clean", "cool", "heat", "hot"],
    ]
    assert len(set(of_logs.views(logs.documents.field("description")))) == 12


@pytest.mark.parametrize(
    ("query", "view"),
    [
        ("Put a mug on the coffee maker", "put a unita on the unitb"),
        ("Move a phone to the desk", "move a unita to the unitb"),
        ("Put two soap bars in the toilet", "put two unita in the unitb"),
        ("Examine an alarm clock with the desk lamp", "examine an unita with the desklamp"),
        ("Microwave a potato and place it in the garbage can", "microwave a unita and place it in the unitb"),
        ("put a vase in safe.", "put a unita in unitb"),
        ("put some saltshaker on drawer.", "put some unita on unitb"),
        ("clean some spatula and put it in drawer.", "clean some unita and put it in unitb"),
    ],
)
def test_words_of_queries_join(of_logs: Slots, query: str, view: str) -> None:
    assert of_logs.view(query).text == view


def test_every_query_of_the_simulator_reads_like_a_document(logs: Collection, of_logs: Slots) -> None:
    known = set(of_logs.views(logs.documents.field("description")))
    further = [
        text
        for text, made in zip(logs.queries.field("text"), logs.queries.slices["set"], strict=True)
        if made == "new78"
    ]
    assert set(of_logs.views(further)) <= known


@pytest.mark.parametrize("seed", [0, 1])
def test_invented_words_for_objects_change_no_view(logs: Collection, of_logs: Slots, seed: int) -> None:
    """Also for objects that no document has: those of the queries alone."""
    drawn = random.Random(seed)
    objects = [*of_logs.named("unita").members, "cloth", "spatula", "saltshaker", "vase", "soap bar", "alarm clock"]
    made: dict[str, str] = {}
    for word in sorted(objects, key=len, reverse=True):
        while (new := "".join(drawn.choice("bdfgklmnprtv") + drawn.choice("aeiou") for _ in range(3))) in made.values():
            pass
        made[word] = new
    pattern = re.compile(rf"\b({'|'.join(made)})\b")

    def renamed(texts: list[str]) -> list[str]:
        return [pattern.sub(lambda found: made[found[0]], text) for text in texts]

    documents = list(logs.documents.field("description"))
    again = Slots.learn(renamed(documents))
    assert again.views(renamed(documents)) == of_logs.views(documents)
    further = [text for text in logs.queries.field("text") if text.endswith(".")]
    assert again.views(renamed(further)) == of_logs.views(further)


@pytest.mark.parametrize(("field", "views"), [("actions", 79), ("text", 193)])
def test_logs_are_read_segment_by_segment(logs: Collection, field: str, views: int) -> None:
    found = Slots.learn(logs.documents.field(field))
    assert found.method == "templates"
    assert len(set(found.views(logs.documents.field(field)))) == views < len(set(logs.documents.field(field)))


def test_signs_of_the_logs(logs: Collection, of_logs: Slots) -> None:
    """What to do is a friend; the object is no friend where gold has another one."""
    judged = judged_in(logs)
    found = agreements(of_logs, judged)
    verbs = next(each.name for each in of_logs.classes if "clean" in each.members)
    assert found[verbs].value == pytest.approx(0.925, abs=0.001)
    assert found["unita"].value == pytest.approx(0.486, abs=0.001)
    assert (found[verbs].reading, found["unita"].reading, found["unitb"].reading) == ("friend", "enemy", "neither")
    assert foretell(of_logs, logs.documents.field("description"), judged).verdict == "helps"


class Worded:
    """Goals in people's words, every second of them, and who seeks the same task with another object."""

    def __init__(self, folder: Path) -> None:
        documents, queries = (
            [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
            for name in ("documents", "queries")
        )
        documents = documents[::2]
        self.documents = [each["text"] for each in documents]
        self.queries = [each["text"] for each in queries]
        of_tasks = [np.array([each["task_type"] for each in kind]) for kind in (queries, documents)]
        of_things = [
            np.array([each["object"].lower().removesuffix("sliced") for each in kind]) for kind in (queries, documents)
        ]
        same = of_tasks[0][:, None] == of_tasks[1]
        self.gold: Mask = same & (of_things[0][:, None] != of_things[1])
        self.judged = Judged(self.queries, self.documents, _rows(self.gold), _rows(~same))
        self.groups = [f"{task} {thing}" for task, thing in zip(of_tasks[0], of_things[0], strict=True)]

    def hits(self, queries: list[str], documents: list[str]) -> NDArray[np.float64]:
        """Hit@1 of MiniLM, equal scores by expectation [queries]."""
        embedder = MiniLM.build(MiniLM.Settings(), None)
        found = VectorStore(cache_folder("vectors")).open(embedder, queries, documents)
        scores = np.round(found.unique[found.query_rows] @ found.unique[found.document_rows].T, 6)
        first = scores == scores.max(axis=1, keepdims=True)
        return np.asarray((first & self.gold).sum(axis=1) / first.sum(axis=1), dtype=np.float64)


def _rows(mask: Mask) -> list[NDArray[np.int32]]:
    return [np.flatnonzero(row).astype(np.int32) for row in mask]


@pytest.fixture(scope="module")
def worded(shared_data: Path) -> Worded:
    return Worded(shared_data / "alfred_words")


@pytest.fixture(scope="module")
def of_worded(worded: Worded) -> Slots:
    return Slots.learn(worded.documents)


def test_in_peoples_words_neighbours_find_parts_of_speech(of_worded: Slots) -> None:
    assert of_worded.method == "contexts"
    is_open = {word: each.open for each in of_worded.classes for word in each.members}
    for word in ("mug", "potato", "knife", "pillow", "candles", "drawer", "desk", "couch", "black", "fridge"):
        assert is_open[word], word
    for word in ("put", "chilled", "heated", "cold", "examine", "two", "with", "the", "wash", "cook", "rinse"):
        assert not is_open[word], word


@pytest.mark.parametrize(
    ("texts", "is_open", "said"),
    [(40, False, "too few to rely on"), (50, False, "too few to rely on"), (200, True, "less"), (400, True, "less")],
)
def test_few_texts_in_peoples_words_are_said_and_not_relied_on(
    worded: Worded, texts: int, is_open: bool, said: str
) -> None:
    documents = random.Random(1).sample(worded.documents, texts)
    few = Slots.learn(documents)
    assert few.method == "contexts"
    assert any(each.open and each.rule is None for each in few.classes) is is_open
    assert said in few.caution
    assert report(few)[0] == few.caution
    assert few.caution in foretell(few, documents).sentence


def test_enough_texts_need_no_caution(of_worded: Slots) -> None:
    assert of_worded.caution == ""


def test_in_peoples_words_the_view_finds_what_raw_texts_do_not(worded: Worded, of_worded: Slots) -> None:
    viewed = worded.hits(of_worded.views(worded.queries), of_worded.views(worded.documents))
    assert viewed.mean() > 0.65  # chance 0.13, the texts as they are 0.13


def test_classes_chosen_on_one_half_hold_on_the_other(worded: Worded, of_worded: Slots) -> None:
    groups = sorted(set(worded.groups))
    half = set(random.Random(0).sample(groups, len(groups) // 2))
    mine = np.array([group in half for group in worded.groups])
    held = np.zeros(len(mine))
    for part in (mine, ~mine):
        chosen = choose(of_worded, worded.judged.take(np.flatnonzero(part)))
        held[~part] = worded.hits(chosen.views(worded.queries), chosen.views(worded.documents))[~part]
    assert held.mean() > 0.65


def test_where_numbers_tell_gold_the_harm_is_said_before_the_run(shared_data: Path) -> None:
    judged = _some(judged_in(gsm_plus.load(shared_data), document_field="text"), 100)
    learned = Slots.learn(judged.documents)
    found = foretell(learned, judged.documents, judged)
    assert found.verdict == "hurts"
    assert "unitnumber" in [each.name for each in found.hidden_friends]
    assert found.queries_lost is not None
    assert found.queries_lost > 0.8
    assert found.distinct_views < 0.9 * found.distinct
    assert agreements(learned, judged)["unitnumber"].value == pytest.approx(0.87, abs=0.03)
    chosen = choose(learned, judged)
    assert not chosen.named("unitnumber").open
    assert foretell(chosen, judged.documents, judged).verdict == "helps"


def _some(judged: Judged, queries: int) -> Judged:
    """The first queries, and only the documents that they have as gold or decoys."""
    some = judged.take(range(queries))
    kept = np.unique(np.concatenate([*some.gold, *some.decoys]))
    gold, decoys = (
        [np.searchsorted(kept, each).astype(np.int32) for each in kind] for kind in (some.gold, some.decoys)
    )
    return Judged(some.queries, [some.documents[at] for at in kept.tolist()], gold, decoys)
