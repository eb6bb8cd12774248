"""The waterfall: literal cases of every cause, and that it always adds up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.data.collection import Collection, Documents, Excluded, Queries, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.diagnose.case import Case, System, Window
from askance.diagnose.diagnosis import diagnose
from askance.diagnose.headroom import headroom
from askance.diagnose.margins import margins
from askance.diagnose.reasons import Reasons
from askance.diagnose.window import BehindTheCut

DOCUMENTS = Ids(["g", "near", "sib", "x", "y"])
QUERIES = Ids(["q"])
NEAR, SIBLING = Role("near", "near miss"), Role("sib", "sibling")


def case_of(
    listed: Sequence[tuple[str, float]],
    *,
    gold: Mapping[str, float] | None = None,
    excluded: Sequence[str] = (),
    absent: Sequence[str] = (),
    before: Sequence[tuple[str, float]] | None = None,
) -> Case:
    judgments = Judgments.of(QUERIES, DOCUMENTS, {"q": {"g": 1.0} if gold is None else gold})
    collection = Collection(
        "small",
        Documents(DOCUMENTS, {}),
        Queries(QUERIES, {}),
        {"gold": Tier("gold", "gold", judgments)},
        roles=Roles.of(QUERIES, DOCUMENTS, (NEAR, SIBLING), {"q": {"near": "near", "sib": "sib"}}),
        excluded=Excluded.of(QUERIES, DOCUMENTS, {"q": excluded}) if excluded else None,
    )
    run = Run.of("run", QUERIES, DOCUMENTS, {"q": listed})
    earlier = Run.of("before", QUERIES, DOCUMENTS, {"q": before}) if before is not None else None
    missing = np.array([name in absent for name in DOCUMENTS]) if absent else None
    system = System("run", "run", run, 10, "vectors", before=earlier, first=5)
    return Case(
        "small", "Small", collection, collection.tier("gold"), np.ones(1, dtype=np.bool_), [system], absent=missing
    )


@pytest.mark.parametrize(
    ("case", "cause"),
    [
        (case_of([("g", 2.0), ("x", 1.0)]), "won"),
        (case_of([("g", 2.0), ("x", 2.0)]), "won"),
        (case_of([("x", 2.0)], gold={}), "judgment missing"),
        (case_of([("x", 2.0)], gold={"g": 0.0}), "judgment missing"),
        (case_of([("x", 2.0)], excluded=["g"]), "excluded id"),
        (case_of([("x", 2.0), ("y", 1.0)], absent=["g"]), "not in the corpus"),
        (case_of([("x", 2.0)], excluded=["g"], absent=["g"]), "excluded id"),
        (
            case_of([("x", 2.0), ("y", 2.0)]),
            "not retrieved",
        ),  # one list alone holds all that any list holds: no evidence
        (case_of([("x", 2.0), ("g", 2.0)]), "tie"),
        (case_of([("x", 2.0), ("near", 1.5), ("g", 1.0)]), "outranked by other"),
        (case_of([("near", 2.0), ("g", 1.0)]), "outranked by near"),
        (case_of([("sib", 2.0), ("g", 1.0)]), "outranked by sib"),
        (case_of([("near", 2.0), ("g", 1.0)], before=[("g", 3.0), ("near", 2.0)]), "lost by reranking"),
        (case_of([("near", 2.0), ("g", 1.0)], before=[("x", 3.0), ("near", 2.0)]), "outranked by near"),
        # of several gold documents the one that came furthest
        (case_of([("near", 2.0), ("sib", 1.0)], gold={"g": 1.0, "sib": 1.0}), "outranked by near"),
        (case_of([("x", 2.0), ("y", 1.0)], gold={"g": 1.0, "y": 1.0}, excluded=["g"]), "outranked by other"),
    ],
)
def test_each_cause(case: Case, cause: str) -> None:
    fall = Reasons(case).waterfall(case.systems[0])
    assert [(step.cause, step.queries) for step in fall.steps] == [(cause, 1)]


def test_an_empty_list_and_a_list_too_short_are_not_retrieved() -> None:
    empty = case_of([])
    assert [step.cause for step in Reasons(empty).waterfall(empty.systems[0]).steps] == ["not retrieved"]


scores = st.lists(st.tuples(st.sampled_from(list(DOCUMENTS)), st.integers(0, 3)), unique_by=lambda pair: pair[0])


@given(
    st.lists(scores, min_size=1, max_size=6),
    st.lists(st.sets(st.sampled_from(list(DOCUMENTS))), min_size=6, max_size=6),
    st.lists(st.booleans(), min_size=5, max_size=5),
)
def test_it_always_adds_up_to_all_queries(
    lists: list[list[tuple[str, int]]], gold: list[set[str]], absent: list[bool]
) -> None:
    queries = Ids(f"q{at}" for at in range(len(lists)))
    listed = {
        f"q{at}": sorted(((name, float(score)) for name, score in row), key=lambda pair: -pair[1])
        for at, row in enumerate(lists)
    }
    tier = Tier(
        "gold",
        "",
        Judgments.of(
            queries,
            DOCUMENTS,
            {q: dict.fromkeys(names, 1.0) for q, names in zip(queries, gold[: len(queries)], strict=True)},
        ),
    )
    collection = Collection("c", Documents(DOCUMENTS, {}), Queries(queries, {}), {"gold": tier})
    system = System("s", "s", Run.of("s", queries, DOCUMENTS, listed), 5)
    case = Case("c", "c", collection, tier, np.ones(len(queries), dtype=np.bool_), [system], absent=np.array(absent))
    fall = Reasons(case).waterfall(system)
    assert sum(step.queries for step in fall.steps) == len(queries) == fall.n
    won = sum(
        bool(listed[q]) and listed[q][0][0] in names for q, names in zip(queries, gold[: len(queries)], strict=True)
    )
    assert fall.won == won
    # what a perfect reranker of the whole list could win is what is listed and not won
    rooms = headroom(case, system)
    if rooms and rooms[-1].share.value is not None:
        lower = sum(
            any(name in names for name, _ in listed[q][1:]) and listed[q][0][0] not in names
            for q, names in zip(queries, gold[: len(queries)], strict=True)
        )
        assert rooms[-1].share.value * rooms[-1].share.n == pytest.approx(lower)


def test_a_whole_diagnosis_of_one_query_without_texts() -> None:
    found = diagnose(case_of([("near", 2.0), ("g", 1.0)]))
    assert found.regime is None
    assert found.copies is None
    assert found.slices.apart == []
    assert found.unjudged[0].above.value == 0.0  # a near miss is known to be wrong


@pytest.mark.parametrize(
    ("listed", "thin", "won", "lost"),
    [
        ([("g", 10.0), ("x", 9.99), ("y", 0.0)], 1.0, 0, 1),
        ([("x", 10.0), ("g", 9.99), ("y", 0.0)], 1.0, 1, 0),
        ([("x", 10.0), ("near", 9.99), ("g", 0.0)], 1.0, 0, 0),
        ([("g", 10.0), ("x", 5.0), ("y", 0.0)], 0.0, 0, 0),
    ],
)
def test_margins(listed: list[tuple[str, float]], thin: float, won: int, lost: int) -> None:
    case = case_of(listed)
    found = margins(case, case.systems[0])
    assert found is not None
    assert (found.thin.value, found.won, found.lost) == (thin, won, lost)


def test_there_are_no_margins_where_all_scores_are_one() -> None:
    case = case_of([("g", 1.0), ("x", 1.0)])
    assert margins(case, case.systems[0]) is None


def test_the_cut_is_the_longest_beginning_that_fits_and_decides_by_what_stands_behind_it() -> None:
    from askance.diagnose.waterfall import Lost

    texts = (["heat the cup", "clean the cup"], ["clean a cup  then heat it", "a bowl", "a bowl too"])
    window = Window(3, lambda read: np.array([len(text.split()) for text in read]), "words")
    cut = BehindTheCut(window, texts)
    assert cut.read(0) == "clean a cup"
    assert cut.read(1) == "a bowl"
    said = cut.why(Lost(0, 0, None, None))
    assert said is not None
    assert "heat" in said
    assert cut.why(Lost(1, 0, None, None)) is None  # both its words stand before the cut
    assert cut.why(Lost(0, 1, None, None)) is None


@pytest.mark.parametrize(
    ("queries", "corpus", "cause"), [(1, 100, "not retrieved"), (2, 100, "never indexed"), (2, 12, "not retrieved")]
)
def test_lists_that_hold_everything_listed_tell_only_where_chance_would_not(
    queries: int, corpus: int, cause: str
) -> None:
    """Lists of ten, all the same: of 100 documents no chance (1 of 1.7e13 a list), of 12 one of 66."""
    documents, asked = Ids([f"d{at}" for at in range(corpus)]), Ids([f"q{at}" for at in range(queries)])
    last = f"d{corpus - 1}"
    tier = Tier("gold", "gold", Judgments.of(asked, documents, {query: {last: 1.0} for query in asked}))
    collection = Collection("small", Documents(documents, {}), Queries(asked, {}), {"gold": tier})
    run = Run.of("run", asked, documents, {query: [(f"d{at}", 10.0 - at) for at in range(10)] for query in asked})
    case = Case("small", "Small", collection, tier, np.ones(queries, dtype=np.bool_), [System("run", "run", run, 10)])
    steps = Reasons(case).waterfall(case.systems[0]).steps
    assert [(step.cause, step.queries) for step in steps] == [(cause, queries)]
