"""What is asked for, where rules alone take a part of gold's item for it: literal cases, and no false longer item."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.diagnose.planting import World, bare, by_words

from askance.app.diagnose import diagnose
from askance.data.run import Run
from askance.diagnose.asked_of_gold import Terms, held_whole, settled

FIRST, SECOND = [f"ka{n}len" for n in range(15)], [f"mo{n}ra" for n in range(15)]
QUERIES = 15


@pytest.mark.parametrize(
    ("question", "items", "whole"),
    [
        ([1, 2, 3], [[2], [2, 3]], [(2, 3)]),
        ([1, 2, 3, 4], [[4], [1, 2], [2, 3]], [(1, 2), (4,)]),
        ([1, 2, 1, 2], [[1, 2]], [(1, 2)]),
        ([1, 2], [[1, 2, 3], []], []),
        ([-1, 2], [[-1, 2], [2]], [(2,)]),
    ],
)
def test_items_that_stand_whole_in_the_question(
    question: list[int], items: list[list[int]], whole: list[Terms]
) -> None:
    assert held_whole(question, items) == whole


@pytest.mark.parametrize(
    ("asked", "whole", "template", "found"),
    [
        ([(3,)], [(2, 3)], (), [(2, 3)]),  # a part of gold's item
        ([(3,)], [(2, 3)], (3,), [(2, 3)]),
        ([(7,)], [(2, 3)], (7,), [(2, 3)]),  # template, and nothing that gold holds
        ([(7,)], [(2, 3)], (), [(7,), (2, 3)]),  # gold holds one of two
        ([(7,)], [], (7,), [(7,)]),  # nothing to settle it by
        ([], [(2, 3)], (), [(2, 3)]),
    ],
)
def test_settled(asked: list[Terms], whole: list[Terms], template: tuple[int, ...], found: list[Terms]) -> None:
    assert settled(asked, whole, lambda term: term in template) == found


def planted(folder: Path, first_word: str, form: str, tail: str) -> dict[str, int]:
    """All that is asked for begins with one word; a short document with `tail` stands first. Causes of the queries.

    {whole}: what is asked for; {part}: its last word, an item as well.
    """
    draw = Random(1)
    items = [f"{a} {b}" for a in FIRST for b in SECOND]
    draw.shuffle(items)
    items = items[:150] + SECOND
    asked = [f"{first_word} {b}" for b in SECOND]
    held = [[*draw.sample(items, 6), one] for one in asked] + [draw.sample(items, 7) for _ in range(85)]
    held += [[*draw.sample(items[:150], 3), tail.format(whole=one, part=one.split()[1])] for one in asked]
    for one in held:
        draw.shuffle(one)
    names = [f"{a} Be{chr(97 + at)}t" for a in ("Anna", "Boris", "Clara", "Dora", "Elsa") for at in range(26)]
    texts = [f"{name} keeps {', '.join(one)}." for name, one in zip(names, held, strict=False)]
    world = World(
        {f"d{at}": text for at, text in enumerate(texts)},
        {f"q{at}": form.format(whole=one) for at, one in enumerate(asked)},
        {f"q{at}": f"d{at}" for at in range(QUERIES)},
        {},
    )
    found = by_words(world)
    lists = {}
    for at in range(QUERIES):
        order = [found.documents[int(one)] for one in found.of_query(at)[0]]
        first = f"d{100 + at}"
        row = [first, *(one for one in order if one != first)]
        lists[f"q{at}"] = [(one, float(len(row) - rank)) for rank, one in enumerate(row)]
    told = diagnose(**bare(world, Run.of("words", found.queries, found.documents, lists), folder))
    return {step.cause: step.queries for step in told.domains[0].waterfalls[0].steps}


@pytest.mark.parametrize("form", ["{whole}?", "Who keeps {whole}?"])
@pytest.mark.parametrize("first_word", ["green", "keeps", "who"])
def test_a_longer_item_around_a_part_of_gold_s_item_is_none(first_word: str, form: str, tmp_path: Path) -> None:
    assert "longer item" not in planted(tmp_path, first_word, form, "ka0len {part}")


@pytest.mark.parametrize("form", ["{whole}?", "Who keeps {whole}?"])
def test_a_longer_item_around_gold_s_item_is_one(form: str, tmp_path: Path) -> None:
    assert planted(tmp_path, "green", form, "{whole} stand")["longer item"] == QUERIES
