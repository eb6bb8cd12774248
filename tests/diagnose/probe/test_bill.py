"""The bill of systems that are known to read one class of words, and nothing else."""

from __future__ import annotations

import json

import pytest
from tests.diagnose.probe.fakes import OBJECTS, PLACES, VERBS, Reads, household

from askance.core.estimate import Estimate
from askance.diagnose.probe.bill import BillEntry, reading_of
from askance.diagnose.probe.probe import Probe, ProbeSettings, SystemBill, probe
from askance.diagnose.probe.probed import RetrieverProbed

COLLECTION = household()
SYSTEMS = (
    Reads("verbs", VERBS),
    Reads("objects", OBJECTS),
    Reads("places", PLACES),
    Reads("all", [*VERBS, *OBJECTS, *PLACES]),
    RetrieverProbed("random", "random", "random"),
    RetrieverProbed("constant", "constant", "constant"),
)


def probed(side: str = "queries", **told: int) -> Probe:
    settings = ProbeSettings(side="documents" if side == "documents" else "queries", **told)  # type: ignore[arg-type]
    return probe(COLLECTION, SYSTEMS, settings, tier=COLLECTION.tier("strict"))


@pytest.fixture(scope="module")
def found() -> Probe:
    return probed()


@pytest.fixture(scope="module")
def documents() -> Probe:
    return probed("documents", documents=0)


def system(found: Probe, name: str) -> SystemBill:
    return next(one for one in found.systems if one.name == name)


def line(found: Probe, name: str, holding: str) -> BillEntry:
    """The line whose class is called so, or whose label names such a word."""
    return next(one for one in system(found, name).bill if holding in (one.name, *one.label.replace(",", "").split()))


LINES = {"verbs": "structure", "objects": "mug", "places": "desk"}


def labelled(found: Probe, word: str) -> str:
    """The class of a word by the label of its class: four members are shown."""
    words = OBJECTS if word == "mug" else PLACES
    return next(one for one in words for each in found.systems[0].bill if one in each.label.replace(",", "").split())


@pytest.mark.parametrize("side", ["found", "documents"])
@pytest.mark.parametrize("reads", ["verbs", "objects", "places"])
def test_a_system_follows_what_it_reads_and_nothing_else(reads: str, side: str, request: pytest.FixtureRequest) -> None:
    told: Probe = request.getfixturevalue(side)
    for word_class, holding in LINES.items():
        entry = line(told, reads, holding if holding == "structure" else labelled(told, holding))
        if word_class == reads:
            assert entry.reading == "follows", (word_class, entry.vanished)
            assert (entry.vanished.low or 0) > 0.4
        else:
            assert entry.reading == "holds still", (word_class, entry.vanished)
            assert (entry.vanished.value, entry.first_kept.value, entry.rank.value) == (0, 1, 1)
            assert entry.score.value == 0


def test_word_order_is_not_read_by_sets_of_words(found: Probe) -> None:
    assert line(found, "all", "word order").vanished.value == 0
    assert line(found, "all", "word order").reading == "holds still"


@pytest.mark.parametrize("name", ["random", "constant"])
def test_nothing_can_be_told_of_systems_that_do_not_look_at_the_query(found: Probe, name: str) -> None:
    assert {one.reading for one in system(found, name).bill} == {"cannot be told"}
    floor = system(found, name).nothing.vanished.value
    assert floor is not None
    assert floor > 0.7 if name == "random" else floor == 0


def test_judgments_say_which_swaps_keep_the_answer(found: Probe) -> None:
    assert line(found, "all", "structure").claim == "changes"
    assert line(found, "all", labelled(found, "mug")).claim == "keeps"
    assert line(found, "all", labelled(found, "desk")).claim == "keeps"
    assert line(found, "all", "word order").claim == "not known"


def test_blind_spots(found: Probe) -> None:
    """Who reads verbs alone finds every document by its kind; who reads objects alone is about as good as chance."""
    assert system(found, "verbs").blind[0].blind.value == 0
    assert {kind.kind for kind in system(found, "verbs").blind[1:]} == {
        f"{verb} some … and put it in …" for verb in VERBS
    }
    every = system(found, "objects").blind[0]
    assert (every.blind.value or 0) > 0.15
    assert 0 < every.chance < 1


def test_the_same_seed_gives_the_same_bill_and_another_seed_other_edits(found: Probe) -> None:
    assert json.dumps(probed().record()) == json.dumps(found.record())
    assert json.dumps(probed(seed=1).record()["bill"]) != json.dumps(found.record()["bill"])


def test_the_machine_form(found: Probe) -> None:
    record = found.record()
    assert record["schema"] == "askance/probe/1"
    assert isinstance(record["bill"], list)
    assert {"system", "class", "edit", "estimate", "claim", "reading", "dropped"} <= set(record["bill"][0])
    json.dumps(record, allow_nan=False)


@pytest.mark.parametrize(
    ("low", "high", "n", "reading"),
    [
        (0.6, 0.9, 50, "follows"),
        (0.0, 0.1, 50, "holds still"),
        (0.1, 0.4, 50, "in part"),
        (0.1, 0.9, 50, "in part"),
        (0.0, 0.3, 15, "cannot be told"),  # nothing vanished, and a quarter may
        (0.0, 1.0, 50, "cannot be told"),
        (0.6, 0.9, 7, "cannot be told"),
    ],
)
def test_what_an_interval_says(low: float, high: float, n: int, reading: str) -> None:
    share, nothing = Estimate((low + high) / 2, low, high, n, "by hand"), Estimate.undefined("none")
    line = BillEntry("order", "word order", "shuffled", share, nothing, nothing, nothing, nothing, n, 1.0)
    floor, ceiling = Estimate(0.0, 0.0, 0.0, n, "by hand"), Estimate(1.0, 1.0, 1.0, n, "by hand")
    assert reading_of(line, floor, ceiling) == reading
