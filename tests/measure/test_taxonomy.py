"""What stands at rank 1 instead of gold, and which failures are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.data.collection import Excluded, Role, Roles, Tier
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.closeness import Compared
from askance.measure.failures import Failure, Standing, failures
from askance.measure.intervals import proportion
from askance.measure.judged import Values
from askance.measure.misses import misses
from askance.measure.taxonomy import taxonomy

DOCUMENTS = 6
# per query: the list, the gold, what else is listed with a role
LISTS = [[0, 1], [1, 0], [2, 3], [], [3, 0], [4], [5, 0]]
GOLD: list[dict[int, float]] = [{0: 1}, {0: 1}, {0: 1, 3: 2}, {0: 1}, {}, {0: 1}, {0: 1, 1: 1}]
PAIRS = {"q1": {"d1": "near"}, "q2": {"d2": "far"}, "q5": {"d4": "near"}}


class Written:
    """A likeness that is written in the document."""

    def scores(self, query: str, documents: Sequence[str]) -> Values:
        return np.array([float(text) for text in documents], dtype=np.float64)


LIKENESS = [0.5, 0.6, 0.4, 0.3, 0.5, 0.55]
COMPARED = Compared(Written(), [f"q{at}" for at in range(len(LISTS))], [str(value) for value in LIKENESS])


@pytest.fixture(scope="module")
def world(make_run: Callable[..., Run], make_judgments: Callable[..., Judgments]) -> tuple[Run, Tier, Roles]:
    judgments = make_judgments(GOLD, DOCUMENTS)
    roles = Roles.of(
        judgments.queries, judgments.documents, (Role("near", "near"), Role("far", "far"), Role("kept", "kept")), PAIRS
    )
    return make_run(LISTS, DOCUMENTS), Tier("gold", "gold", judgments), roles


def test_misses_have_gold_and_something_else_first(world: tuple[Run, Tier, Roles]) -> None:
    found = misses(*world)
    assert found.query.tolist() == [1, 2, 5, 6]
    assert found.winner.tolist() == [1, 2, 4, 5]
    assert [role.name for role in found.roles] == ["near", "far", "near", "other"]
    assert found.empty == 1
    assert len(found) == 4


def test_winners_are_counted_by_role_with_their_share(world: tuple[Run, Tier, Roles]) -> None:
    found = taxonomy(*world, COMPARED)
    assert [(each.role, each.count) for each in found.winners] == [("near", 2), ("far", 1), ("kept", 0), ("other", 1)]
    assert (found.misses, found.empty) == (4, 1)
    for each in found.winners:
        assert each.share == proportion(each.count, 4)


def test_the_winner_is_compared_with_the_closest_gold_and_ties_are_said(world: tuple[Run, Tier, Roles]) -> None:
    closer = taxonomy(*world, COMPARED).lexically_closer
    # q1 .6 > .5; q2 .4 < .5; q5 .5 = .5, a tie; q6 .55 between its two
    assert (closer.value, closer.n) == (0.25, 4)
    assert "1 ties with the closest gold document count as not closer" in closer.method


def test_a_mask_a_threshold_and_exclusions_hold(world: tuple[Run, Tier, Roles]) -> None:
    run, tier, roles = world
    mask = np.array([True, True, False, False, False, False, False])
    assert misses(run, tier, roles, mask=mask).query.tolist() == [1]
    strict = Tier("strict", "strict", tier.judgments, threshold=2.0)
    assert misses(run, strict, roles).query.tolist() == [2]
    excluded = Excluded.of(tier.judgments.queries, tier.judgments.documents, {"q5": ["d0"]})
    assert misses(run, tier, roles, excluded=excluded).query.tolist() == [1, 2, 6]


def test_without_roles_everything_is_other(world: tuple[Run, Tier, Roles]) -> None:
    run, tier, _ = world
    found = taxonomy(run, tier, None, COMPARED)
    assert [(each.role, each.count) for each in found.winners] == [("other", 4)]


def test_no_misses_leave_undefined_shares(make_run: Callable[..., Run], world: tuple[Run, Tier, Roles]) -> None:
    _, tier, roles = world
    perfect = make_run([[0]] * 7, DOCUMENTS)
    found = taxonomy(perfect, tier, roles, COMPARED)
    assert (found.misses, found.empty) == (0, 0)
    assert not found.lexically_closer.defined
    assert not any(each.share.defined for each in found.winners)


@given(st.lists(st.permutations(range(4)), min_size=1, max_size=6), st.data())
def test_counts_add_up(
    make_run: Callable[..., Run], make_judgments: Callable[..., Judgments], lists: list[list[int]], data: st.DataObject
) -> None:
    gold = [data.draw(st.dictionaries(st.integers(0, 3), st.just(1.0), max_size=4)) for _ in lists]
    judgments = make_judgments(gold, 4)
    pairs = {
        f"q{at}": {f"d{document}": data.draw(st.sampled_from(["near", "far"])) for document in row[:2]}
        for at, row in enumerate(lists)
    }
    roles = Roles.of(judgments.queries, judgments.documents, (Role("near", "near"), Role("far", "far")), pairs)
    compared = Compared(Written(), ["q"] * len(lists), ["0.1", "0.2", "0.3", "0.4"])
    found = taxonomy(make_run(lists, 4), Tier("gold", "gold", judgments), roles, compared)
    hits = sum(row[0] in there for row, there in zip(lists, gold, strict=True))
    assert found.misses == sum(bool(there) for there in gold) - hits
    assert sum(each.count for each in found.winners) == found.misses


# --- failures that are shown


def test_failures_say_who_won_and_where_gold_stands(world: tuple[Run, Tier, Roles]) -> None:
    shown = failures(*world, COMPARED, most=10, spread=False)
    assert shown == (
        Failure(1, Standing(1, 1, 0.0, 0.6, "near"), Standing(0, 2, -1.0, 0.5, None)),
        Failure(2, Standing(2, 1, 0.0, 0.4, "far"), Standing(3, 2, -1.0, 0.3, None)),
        # no gold in the list: the closest one stands for it
        Failure(5, Standing(4, 1, 0.0, 0.5, "near"), Standing(0, None, None, 0.5, None)),
        Failure(6, Standing(5, 1, 0.0, 0.55, "other"), Standing(0, 2, -1.0, 0.5, None)),
    )


def test_unlisted_gold_is_the_closest(make_run: Callable[..., Run], world: tuple[Run, Tier, Roles]) -> None:
    _, tier, roles = world
    (*_, last) = failures(make_run([[]] * 6 + [[5]], DOCUMENTS), tier, roles, COMPARED)
    assert last == Failure(6, Standing(5, 1, 0.0, 0.55, "other"), Standing(1, None, None, 0.6, None))


def test_roles_take_turns(world: tuple[Run, Tier, Roles]) -> None:
    assert [shown.query for shown in failures(*world, COMPARED, most=10)] == [1, 2, 6, 5]
    assert [shown.query for shown in failures(*world, COMPARED, most=3)] == [1, 2, 6]
    assert [shown.query for shown in failures(*world, COMPARED, most=3, spread=False)] == [1, 2, 5]
    run, tier, _ = world
    assert [shown.query for shown in failures(run, tier, None, COMPARED)] == [1, 2, 5, 6]
    assert failures(*world, COMPARED, most=0) == ()
