"""Signs of classes, what is chosen by them, and what is foretold of a view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.views.made_goals import THINGS, VERBS, judged, templated

from askance.core.errors import DataProblem, UnknownName
from askance.data.collection import Collection, Decoys, Documents, Queries, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.views.agreement import Agreement, agreements
from askance.views.choosing import changes, choose
from askance.views.foretelling import foretell
from askance.views.judged import Judged, judged_in
from askance.views.slots import Slots

JUDGED = judged()
SLOTS = Slots.learn([*JUDGED.documents, *templated()])
VERB_CLASS = next(each.name for each in SLOTS.classes if set(each.members) == set(VERBS))


def positions(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)


def test_verbs_are_friends_things_are_enemies() -> None:
    found = agreements(SLOTS, JUDGED)
    assert found[VERB_CLASS].value == 1
    assert found[VERB_CLASS].reading == "friend"
    assert found["unita"].reading == "enemy"
    assert found["unitb"].reading == "neither"
    assert found["unitnumber"] == Agreement("unitnumber", 0.5, 0.0, 1.0, 0)


def test_the_value_is_that_of_counting_pairs() -> None:
    found = agreements(SLOTS, JUDGED)["unitb"]
    shares = []
    places = [text.removesuffix(".").split()[-1] for text in JUDGED.documents]
    for query, gold, decoys in zip(JUDGED.queries, JUDGED.gold, JUDGED.decoys, strict=True):
        asked = query.removesuffix(".").split()[-1]
        pairs = [
            0.5 + 0.5 * ((places[one] == asked) - (places[other] == asked))
            for one in gold.tolist()
            for other in decoys.tolist()
        ]
        shares.append(np.mean(pairs))
    assert found.value == pytest.approx(np.mean(shares), abs=1e-12)
    assert found.n == len(JUDGED.queries)
    assert found.low < found.value < found.high


def test_choice_closes_friends_and_opens_enemies_and_leaves_the_rest() -> None:
    wrong = SLOTS.adjusted(keep=("unita",), hide=(VERB_CLASS,))
    chosen = choose(wrong, JUDGED)
    assert {each.name: each.open for each in chosen.classes} == {each.name: each.open for each in SLOTS.classes}
    assert "a friend" in chosen.named(VERB_CLASS).why
    assert "an enemy" in chosen.named("unita").why
    assert chosen.named("unitb").why == SLOTS.named("unitb").why
    assert changes(wrong, chosen) == ((VERB_CLASS,), ("unita",))
    assert wrong.adjusted(*changes(wrong, chosen)).views(JUDGED.queries) == chosen.views(JUDGED.queries)


def test_few_judged_queries_change_nothing() -> None:
    wrong = SLOTS.adjusted(hide=(VERB_CLASS,))
    assert choose(wrong, JUDGED.take(range(5))) == wrong


def test_single_friends_leave_an_open_class() -> None:
    """Gold shares the thing with its query where, and only where, that is a mug."""
    documents = [f"put two {thing} in {place}." for thing in THINGS for place in ("sink", "desk")]
    queries = [f"put two {thing} in shelf." for thing in THINGS] * 10
    at = [int(np.flatnonzero([text.split()[2] == query.split()[2] for text in documents])[0]) for query in queries]
    is_mug = [query.split()[2] == "mug" for query in queries]
    gold = [positions(one, one + 1) if mug else positions((one + 2) % 20) for one, mug in zip(at, is_mug, strict=True)]
    decoys = [np.setdiff1d(np.arange(20), each).astype(np.int32) for each in gold]
    some = Judged(queries, documents, gold, decoys).take([*np.flatnonzero(is_mug).tolist(), 1, 2])
    chosen = choose(SLOTS, some)
    assert chosen.named("unitakept").members == ("mug",)
    assert chosen.view("put two mug in sink").text == "put two mug in unitb"
    assert chosen.view("put two pan in sink").text == "put two unita in unitb"
    keep, hide = changes(SLOTS, chosen)
    assert (keep, hide) == (("mug",), ())


def test_a_view_that_hides_what_matters_is_foretold() -> None:
    wrong = SLOTS.adjusted(hide=(VERB_CLASS,))
    found = foretell(wrong, JUDGED.documents, JUDGED)
    assert found.verdict == "hurts"
    assert [each.name for each in found.hidden_friends] == [VERB_CLASS]
    assert found.distinct_views < found.distinct == len(set(JUDGED.documents))
    assert found.pairs_equal is not None
    assert found.pairs_equal > 0.5
    assert VERB_CLASS in found.sentence


def test_a_view_that_hides_only_what_misleads_helps() -> None:
    found = foretell(SLOTS, JUDGED.documents, JUDGED)
    assert (found.verdict, found.pairs_equal, found.queries_lost, found.hidden_friends) == ("helps", 0, 0, ())
    assert found.distinct_views == 3
    assert found.first_after == 1
    assert found.first_before is not None
    assert found.first_before < 0.9


def test_a_view_that_changes_nothing_does_no_harm() -> None:
    nothing = SLOTS.with_open(dict.fromkeys((each.name for each in SLOTS.classes), (False, "")))
    found = foretell(nothing, JUDGED.documents, JUDGED)
    assert (found.verdict, found.distinct_views, found.pairs_equal) == ("no harm seen", found.distinct, 0)


def test_without_judgments_only_counts_are_told() -> None:
    found = foretell(SLOTS, JUDGED.documents)
    assert (found.verdict, found.pairs_equal, found.first_after) == ("unknown", None, None)
    assert found.sentence == (
        f"The view leaves 3 of {found.distinct} distinct documents; whether that hurts, only judged queries can tell."
    )


def test_lists_of_other_lengths_are_refused() -> None:
    with pytest.raises(DataProblem, match="2 queries with gold for 1"):
        Judged(["a", "b"], ["c"], [positions(0)], [positions()])


@pytest.fixture
def collection() -> Collection:
    queries, documents = Ids(["q", "r"]), Ids("abcd")
    judgments = Judgments.of(queries, documents, {"q": {"a": 1.0, "b": 0.0}, "r": {"d": 2.0}})
    roles = Roles.of(queries, documents, [Role("near", "near"), Role("far", "far")], {"q": {"a": "near", "b": "near"}})
    return Collection(
        "small",
        Documents(documents, {"text": ("a", "b", "c", "d")}),
        Queries(queries, {"text": ("q", "r")}),
        {"main": Tier("main", "main", judgments)},
        roles,
        decoys=(Decoys("close", "close", ("near",)), Decoys("others", "others", ("other", "far"))),
    )


@pytest.mark.parametrize(
    ("decoys", "expected"), [(None, [[1], []]), ("close", [[1], []]), ("others", [[2, 3], [0, 1, 2]])]
)
def test_collections_bring_their_judgments(
    collection: Collection, decoys: str | None, expected: list[list[int]]
) -> None:
    found = judged_in(collection, decoys=decoys)
    assert [each.tolist() for each in found.gold] == [[0], [3]]
    assert [each.tolist() for each in found.decoys] == expected
    assert found.documents == ("a", "b", "c", "d")
    with pytest.raises(UnknownName):
        judged_in(collection, decoys="none")


def test_too_many_pairs_are_sampled_and_it_is_said(collection: Collection) -> None:
    whole = judged_in(collection)
    assert whole.note == ""
    some, again, other = (judged_in(collection, decoys="others", most_pairs=4, seed=seed) for seed in (0, 0, 3))
    every = judged_in(collection, decoys="others")
    assert [len(each) for each in some.decoys] == [2, 2]
    assert all(set(few.tolist()) <= set(most.tolist()) for few, most in zip(some.decoys, every.decoys, strict=True))
    assert [each.tolist() for each in some.decoys] == [each.tolist() for each in again.decoys]
    assert some.note == "Decoys are a sample: at most 2 a query, so cut for 1, seed 0."
    assert other.note.endswith("seed 3.")
    assert some.take([0]).note == some.note


def test_what_is_decided_by_a_sample_says_so() -> None:
    sampled = replace(JUDGED, note="Decoys are a sample.")
    chosen = choose(SLOTS.adjusted(hide=(VERB_CLASS,)), sampled)
    assert chosen.named(VERB_CLASS).why.endswith("judged queries. Decoys are a sample")
    assert chosen.named("unitb").why == SLOTS.named("unitb").why
    assert foretell(SLOTS, JUDGED.documents, sampled).sentence.startswith("Decoys are a sample. The view leaves")
