"""The bill: every class's figure is its preference, verdicts follow the interval, and real collections differ."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from askance.core.errors import DataProblem, UnknownName
from askance.data.adapters import gsm_plus, trajectories
from askance.data.collection import Collection, Decoys, Documents, Queries, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.measure.bill import BILL_CLASSES, Bill, bill
from askance.measure.bill_slots import OUTSIDE, decided, slot_classes
from askance.measure.closeness import Compared
from askance.measure.sign import preference
from askance.text.classes import TokenClass
from askance.text.likeness import Overlap
from askance.views.slots import Slots

NEAR = Decoys("near", "its near miss", ("near",))


def problems(count: int = 12) -> Collection:
    """Gold has the query's number in other words; its near miss has the query's words and another number."""
    asked = Queries(Ids(f"q{at}" for at in range(count)), {"text": [f"Buy {at} red apples" for at in range(count)]})
    texts = [text for at in range(count) for text in (f"purchase {at} scarlet fruit", f"Buy {at + 50} red apples")]
    held = Documents(Ids(f"d{at}" for at in range(2 * count)), {"text": texts})
    gold = Judgments.of(asked.ids, held.ids, {f"q{at}": {f"d{2 * at}": 1.0} for at in range(count)})
    near = {f"q{at}": {f"d{2 * at + 1}": "near"} for at in range(count)}
    return Collection(
        "problems",
        held,
        asked,
        {"same": Tier("same", "the same problem", gold)},
        roles=Roles.of(asked.ids, held.ids, (Role("near", "near miss"),), near),
    )


def verdicts(found: Bill) -> dict[str, str]:
    return {entry.tokens: entry.verdict for entry in found.entries}


def test_friends_are_anchored_on_and_enemies_abstracted() -> None:
    made = problems()
    found = bill(made, made.tier("same"), NEAR)
    assert verdicts(found)["numbers"] == "friend"
    assert verdicts(found)["content"] == "enemy"
    assert verdicts(found)["units"] == "undecided"
    assert {entry.tokens: entry.prescription for entry in found.entries}["units"] == "leave"
    assert found.anchors == ("numbers",)
    assert found.abstracted == ("content",)
    read = {entry.tokens: entry.read for entry in found.entries}
    assert (read["numbers"], read["units"], found.queries) == (12, 0, 12)
    record = found.record()
    assert (record["tier"], record["decoys"]) == ("same", "near")


def test_a_class_has_the_figure_of_its_preference() -> None:
    made = problems()
    mask = np.arange(12) % 3 == 0
    found = bill(made, made.tier("same"), NEAR, mask=mask, seed=3)
    for entry, each in zip(found.entries, BILL_CLASSES, strict=True):
        texts: tuple[Sequence[str], Sequence[str]] = (made.queries.field("text"), made.documents.field("text"))
        compared = Compared(Overlap(each.read), *texts)
        alone = preference(made.tier("same"), made.roles, compared, NEAR, 3, mask=mask)
        assert entry.estimate == alone.estimate
    assert found.queries == 4


def test_two_classes_of_one_name_and_unknown_names_are_refused() -> None:
    made = problems()
    with pytest.raises(DataProblem, match="'numbers'"):
        bill(made, made.tier("same"), NEAR, learned=[TokenClass("numbers", "mine", lambda text: frozenset())])
    with pytest.raises(UnknownName, match="'nowhere'"):
        bill(made, made.tier("same"), NEAR, document_field="nowhere")
    with pytest.raises(UnknownName, match="'far'"):
        bill(made, made.tier("same"), Decoys("far", "far", ("far",)))


def test_queries_without_gold_are_counted() -> None:
    made = problems()
    empty = Tier("none", "none", Judgments.of(made.queries.ids, made.documents.ids, {}))
    found = bill(made, empty, NEAR)
    assert {entry.verdict for entry in found.entries} == {"undecided"}
    assert {entry.estimate.value for entry in found.entries} == {None}
    assert found.entries[0].estimate.left_out == {"queries without gold": 12}
    assert (found.anchors, found.abstracted) == ((), ())


class FakeSlots:
    """Two classes: colours, and what is bought."""

    classes = (
        SimpleNamespace(name="colour", rule=None, members=("red", "scarlet")),
        SimpleNamespace(name="thing", rule=None, members=("apples", "fruit")),
        SimpleNamespace(name="unseen", rule="identifier", members=()),
    )

    def words_of(self, text: str) -> dict[str, tuple[str, ...]]:
        words = text.split()
        return {each.name: tuple(w for w in words if w in each.members) for each in self.classes}

    def view(self, text: str) -> SimpleNamespace:
        return SimpleNamespace(text=text.replace("red", "slot").replace("scarlet", "slot"), slots={"slot": ("red",)})


def test_learned_classes_stand_behind_the_others_and_say_what_slots_take() -> None:
    slots, made = cast(Any, FakeSlots()), problems()
    found = bill(made, made.tier("same"), NEAR, learned=slot_classes(slots))
    learned = [entry for entry in found.entries if entry.learned]
    assert [entry.tokens for entry in learned] == ["colour", "thing", "unseen", OUTSIDE]
    assert [entry.description for entry in learned[:3]] == ["red, scarlet", "apples, fruit", "by rule: identifier"]
    assert slot_classes(slots)[-1].read("Buy 3 red apples") == {"buy", "3", "apples"}
    opened = decided(found, slots)
    assert {name: open_ for name, (open_, _) in opened.items()} == {"colour": True, "thing": True}
    assert "its near miss with the probability 0.000" in opened["colour"][1]


def test_word_problems_numbers_are_friends_and_words_are_enemies(shared_data: Path) -> None:
    made = gsm_plus.load(shared_data)
    found = {entry.tokens: entry for entry in bill(made, made.tier("paraphrase"), made.decoys[0]).entries}
    # measured with these classes; digits alone, as a set, would be .843
    assert found["numbers"].estimate.value == pytest.approx(0.916, abs=5e-4)
    assert found["content"].estimate.value == pytest.approx(0.007, abs=5e-4)
    assert {name for name, entry in found.items() if entry.verdict == "friend"} == {"numbers"}


def test_household_tasks_objects_are_enemies_and_what_is_done_is_a_friend(shared_data: Path) -> None:
    made = trajectories.load(shared_data)
    slots = Slots.learn(made.documents.field(made.compared))
    against = next(decoys for decoys in made.decoys if decoys.name == "other-task")
    found = bill(made, made.tier("strict"), against, classes=(), learned=slot_classes(slots))
    by_name = {entry.tokens: entry for entry in found.entries}
    objects = next(each.name for each in slots.classes if "mug" in each.members)
    assert by_name[objects].verdict == "enemy"
    assert decided(found, slots)[objects][0] is True
    assert by_name[OUTSIDE].verdict == "friend"
    assert (by_name[OUTSIDE].estimate.value or 0) > 0.8
