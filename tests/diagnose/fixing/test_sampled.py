"""Large collections: decoys are a sample of those with the right role, classes are decided by sign; it is said."""

from __future__ import annotations

import numpy as np
from tests.diagnose.fixing.test_by_sign import PLACES, THINGS

from askance.data.collection import Collection, Decoys, Documents, Queries, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.diagnose.fixing.by_sign import views_of
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.memory import SharedSlots
from askance.diagnose.fixing.opening import of_collection
from askance.diagnose.fixing.sampled import judged_sample
from askance.views.judged import judged_in

DOCUMENTS, QUERIES = 4_200, 5_000  # 21 million pairs
ASKED = np.arange(0, QUERIES, 125)


def large() -> FixCase:
    """Gold has the query's thing; those of another thing in the same place are near, and are the decoys."""
    rng = np.random.default_rng(1)
    thing, place = rng.integers(0, 12, DOCUMENTS), rng.integers(0, 12, DOCUMENTS)
    asked_thing, asked_place = rng.integers(0, 12, QUERIES), rng.integers(0, 12, QUERIES)

    def said(things: np.ndarray, places: np.ndarray) -> list[str]:
        return [f"put a {THINGS[a]} in the {PLACES[b]}" for a, b in zip(things, places, strict=True)]

    documents, queries = Ids(f"d{at}" for at in range(DOCUMENTS)), Ids(f"q{at}" for at in range(QUERIES))
    gold, near = {}, {}
    for at in ASKED.tolist():
        same = thing == asked_thing[at]
        gold[f"q{at}"] = {f"d{one}": 1.0 for one in np.flatnonzero(same)[:2]}
        near[f"q{at}"] = {f"d{one}": "near" for one in np.flatnonzero(~same & (place == asked_place[at]))}
    roles = Roles.of(queries, documents, [Role("near", "in the same place")], near)
    collection = Collection(
        "large",
        Documents(documents, {"text": said(thing, place)}),
        Queries(queries, {"text": said(asked_thing, asked_place)}),
        {"gold": Tier("gold", "gold", Judgments.of(queries, documents, gold))},
        roles=roles,
        decoys=[Decoys("near", "in the same place", ("near",))],
    )
    return of_collection("large", collection, retriever="lexical", model=None)


def test_decoys_of_a_large_collection_have_their_role_and_are_drawn_by_seed() -> None:
    case = large()
    told = judged_sample(case, "text", ASKED, 10)
    assert told.note == "Decoys are a sample: at most 10 a query, so cut for 40, seed 0."
    whole = judged_in(case.collection, most_pairs=10**9).take(ASKED)
    for at in range(len(ASKED)):
        decoys = [told.documents[int(one)] for one in told.decoys[at]]
        assert len(decoys) == 10
        assert set(decoys) <= {whole.documents[int(one)] for one in whole.decoys[at]}
        assert [told.documents[int(one)] for one in told.gold[at]] == [
            whole.documents[int(one)] for one in whole.gold[at]
        ]
    again = judged_sample(case, "text", ASKED, 10)
    assert all((a == b).all() for a, b in zip(told.decoys, again.decoys, strict=True))


def test_classes_of_a_large_collection_are_decided_by_sign_and_the_sample_is_told() -> None:
    case = large()
    seen = np.zeros(QUERIES, dtype=np.bool_)
    seen[ASKED] = True
    slots = SharedSlots(case.collection.documents.field, case.collection.queries.field("text"))
    offered = views_of(case, "text", slots, seen, by_sign=True)
    by_sign = [one for each in offered for one in each.candidates if one.name == "view by sign"]
    assert len(by_sign) == 1
    kept = by_sign[0].systems[-1].settings["keep"]
    assert isinstance(kept, list)
    assert kept
    assert "at most 30 a query, so cut for 40, seed 0" in offered[0].note
    assert "of 4,200 documents" in offered[0].note
