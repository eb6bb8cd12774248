"""Collections in the manner of LIMIT: every judgment is exact, whatever is asked for."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from askance.build.limit.frames import FRAMES
from askance.build.limit.limit import Limit
from askance.build.limit.lists import plain_items
from askance.build.limit.patterns import gold_of, smallest_dense
from askance.build.limit.plan import Plan
from askance.build.limit.seeds import Shuffled
from askance.build.limit.settings import LimitSettings, limit_settings
from askance.build.limit.writing import write_limit
from askance.core.errors import BadInput
from askance.text.analyzer import Analyzer

TEMPLATES = ("or", "or_or", "and", "and_both", "and_not", "not")
KINDS = ("negation", "attribution", "split", "containment", "name")
TERMS = Analyzer()


def small(**more: Any) -> LimitSettings:
    """46 gold documents of 300."""
    return limit_settings(**{"seed": 5, "documents": 300, "queries": 1000, "form": "fields", **more})


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def answers(template: str, asked: list[str], items: set[str]) -> bool:
    """The questions' meaning, said in sets."""
    positive = set(asked[:-1]) if template in ("and_not", "not") else set(asked)
    if template in ("or", "or_or"):
        return bool(positive & items)
    return positive <= items and (template not in ("and_not", "not") or asked[-1] not in items)


def check_gold(settings: LimitSettings, folder: Path) -> None:
    """The judgments are what brute force finds in the fields, for every question."""
    relation = FRAMES[settings.frame].relation
    likings = {one["_id"]: set(one["items"]) for one in lines(folder / "corpus.jsonl") if one["relation"] == relation}
    judged: dict[str, set[str]] = {}
    for query, document, score in rows(folder / "qrels" / "test.tsv"):
        assert score == "1"
        assert document not in judged.setdefault(query, set()), "judged twice"
        judged[query].add(document)
    questions = lines(folder / "queries.jsonl")
    assert list(judged) == [question["_id"] for question in questions]
    for question in questions:
        asked, template = question.get("held", question["items"]), question["metadata"]["template"]
        found = {name for name, items in likings.items() if answers(template, asked, items)}
        assert judged[question["_id"]] == found, question
        if template == "one":
            assert len(found) == settings.gold


def holds(item: str, text: str) -> bool:
    """Whether the item's terms stand in the text next to one another."""
    phrase, whole = TERMS.terms(item), TERMS.terms(text)
    return any(whole[at : at + len(phrase)] == phrase for at in range(len(whole)))


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"pattern": "random", "documents": 900},
        {"pattern": "random", "relevant": 120, "gold": 3},
        {"pattern": "cycle", "gold": 4, "documents": 900},
        {"pattern": "cycle", "relevant": 60, "queries": 60, "gold": 7},
        {"pattern": "disjoint", "queries": 60, "gold": 5},
        {"gold": 1, "queries": 90},
        {"gold": 3, "queries": 100},
        {"items": (3, 60), "queries": 90},
        {"containment": 0.08, "separators": 0.03, "name_collisions": 0.09},
        {"synonyms": "queries"},
        {"synonyms": "documents", "queries": 300, "containment": 0.1},
        {"frame": "japanese", "separators": 0.05},
        {"frame": "spanish", "name_collisions": 0.05},
        {"frame": "invented", "synonyms": "documents"},
    ],
    ids=lambda more: "-".join(f"{key}={value}" for key, value in more.items()) or "dense",
)
def test_gold_is_exact(more: dict[str, Any], tmp_path: Path) -> None:
    settings = small(questions=dict.fromkeys(TEMPLATES, 6), negatives=dict.fromkeys(KINDS, 25) | {"split": 9}, **more)
    made = write_limit(settings, tmp_path / "made")
    check_gold(settings, tmp_path / "made")
    assert made.counts["documents"] == settings.documents + 25 * 4 + 9 == len(lines(tmp_path / "made" / "corpus.jsonl"))
    assert made.counts["judgments"] == len(rows(tmp_path / "made" / "qrels" / "test.tsv"))


@effort(max_examples=25, deadline=None)
@given(data=st.data())
def test_gold_is_exact_or_the_settings_are_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    draw = data.draw
    least, more = draw(st.integers(1, 12)), draw(st.integers(0, 9))
    try:
        settings = limit_settings(
            seed=draw(st.integers(0, 99)),
            documents=draw(st.integers(1, 40)),
            queries=draw(st.integers(1, 30)),
            gold=draw(st.integers(1, 3)),
            pattern=draw(st.sampled_from(["random", "cycle", "disjoint", "dense"])),
            items=(least, least + more),
            padding=draw(st.integers(5, 60)),
            composed=draw(st.sampled_from([0, 0.5])),
            containment=draw(st.sampled_from([0, 0.2])),
            separators=draw(st.sampled_from([0, 0.1])),
            name_collisions=draw(st.sampled_from([0, 0.2])),
            namesakes=draw(st.integers(1, 2)),
            questions={draw(st.sampled_from(TEMPLATES)): draw(st.integers(0, 3))},
            negatives={draw(st.sampled_from(KINDS)): draw(st.sampled_from([0, 4, "document", "judgment"]))},
            form="fields",
        )
        folder = tmp_path_factory.mktemp("limit") / "made"
        write_limit(settings, folder)
    except BadInput:
        return
    check_gold(settings, folder)


def test_dense_is_the_first_pairs_of_the_fewest_documents() -> None:
    assert [smallest_dense(queries, gold) for queries, gold in [(1000, 2), (1035, 2), (1036, 2), (1, 2), (20, 3)]] == [
        46, 46, 47, 2, 6,
    ]  # fmt: skip
    for queries, gold in ((1000, 2), (17, 3), (9, 1)):
        relevant, found = gold_of(limit_settings(queries=queries, gold=gold))
        assert found == list(combinations(range(relevant), gold))[:queries]
        assert comb(relevant - 1, gold) < queries <= comb(relevant, gold)


def test_dense_loads_its_documents_as_limit_does() -> None:
    """46 documents are gold, and each holds 45 items, of which 37 to 45 are asked for; the others hold none."""
    plan = Plan(small())
    assert len(plan.asked) == 46
    assert set(map(len, plan.asked.values())) <= set(range(37, 46))
    asked = set(plan.items.held)
    for at in range(300):
        items = plan.document(at).items
        assert len(items) == len(set(items)) == 45
        assert len(asked & set(items)) == len(plan.asked.get(at, ()))


def test_other_patterns() -> None:
    _, cycle = gold_of(limit_settings(pattern="cycle", documents=5, queries=6, gold=2))
    assert cycle == [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (0, 1)]
    _, disjoint = gold_of(limit_settings(pattern="disjoint", documents=6, queries=3, gold=2))
    assert disjoint == [(0, 1), (2, 3), (4, 5)]
    relevant, drawn = gold_of(limit_settings(pattern="random", documents=50_000, relevant=10, queries=400, gold=2))
    assert relevant == 10
    times = Counter(at for one in drawn for at in one)
    assert sorted(times) == list(range(10))
    assert max(times.values()) < 120  # 80 on average


def test_a_document_can_be_made_alone() -> None:
    limit = Limit(small(negatives={"split": 5, "name": 5}, name_collisions=0.05))
    every = {number: limit.document(number) for number in limit.numbers()}
    assert sorted(every) == list(range(310))
    for number in (0, 17, 299, 300, 309):
        assert Limit(limit.settings).document(number) == every[number]
        assert limit.id_of(number) == every[number].id


def test_names_and_identifiers_are_different() -> None:
    limit = Limit(small(documents=4000, name_collisions=0.1, namesakes=5, negatives=dict.fromkeys(KINDS, "document")))
    ids = [limit.document(number).id for number in limit.numbers()]
    assert len(set(ids)) == len(ids) == 4000 + 5 * 46
    names = [limit.plan.name(at) for at in range(4000)]
    assert len(set(names)) == 4000


def test_a_million_names_are_different() -> None:
    plan = Plan(small(documents=1_500_000))
    some = [plan.name(at) for at in range(0, 1_500_000, 30)]
    assert len(set(some)) == len(some)
    assert any(". " in name for name in some)


@pytest.mark.parametrize("size", [1, 2, 3, 46, 1000])
def test_shuffled_numbers_are_all_there(size: int) -> None:
    order = Shuffled(size, "key")
    assert sorted(map(order.of, range(size))) == list(range(size))
    assert size < 40 or [order.of(at) for at in range(size)] != [Shuffled(size, "other").of(at) for at in range(size)]


@pytest.mark.parametrize("frame", list(FRAMES))
def test_texts_say_what_fields_say(frame: str) -> None:
    limit = Limit(small(frame=frame, separators=0.1, name_collisions=0.05))
    before, between, after = limit.plan.frame.document.replace("{name}", "{items}").split("{items}")
    for number in range(300):
        document = limit.document(number)
        said = document.text.removeprefix(before).removesuffix(after)
        assert said.startswith(f"{document.name}{between}")
        assert limit.plan.frame.marks.split(said.removeprefix(f"{document.name}{between}")) == document.items


def items_and_names(plan: Plan) -> tuple[list[str], list[str]]:
    return [*plan.items.held, *plan.items.padding], [plan.name(at) for at in range(plan.settings.documents)]


def collisions(plan: Plan) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(item, longer item) and (item, name), wherever the terms of what a question says stand in another text."""
    items, names = items_and_names(plan)
    phrases = {tuple(TERMS.terms(item)): item for item in dict.fromkeys((*plan.items.worded, *items))}
    most = max(map(len, phrases))

    def inside(text: str) -> list[str]:
        whole = tuple(TERMS.terms(text))
        runs = {whole[at : at + n] for n in range(1, most + 1) for at in range(len(whole) - n + 1)} - {whole}
        return [phrases[run] for run in runs if run in phrases]

    return (
        [(shorter, item) for item in items for shorter in inside(item)],
        [(item, name) for name in names for item in inside(name)],
    )


@pytest.mark.parametrize(
    "more", [{}, {"composed": 1}, {"queries": 3000, "documents": 600, "items": 80}, {"synonyms": "queries"}]
)
def test_a_collection_is_clean_unless_told_otherwise(more: dict[str, Any]) -> None:
    plan = Plan(small(**more))
    assert collisions(plan) == ([], [])
    assert len({item.lower() for item in [*plan.items.worded, *plan.items.padding]}) == len(
        [*plan.items.worded, *plan.items.padding]
    )


def test_collisions_that_are_asked_for() -> None:
    plan = Plan(small(containment=0.05, name_collisions=0.06, namesakes=4, documents=1000))
    in_items, in_names = collisions(plan)
    assert len({longer for _, longer in in_items}) == len(in_items) == round(0.05 * 1850) == len(plan.items.longer)
    assert {longer for _, longer in in_items} == set(plan.items.longer) <= set(plan.items.padding)
    assert {shorter for shorter, _ in in_items} <= set(plan.items.held)
    assert len(in_names) == 60 * 4
    assert set(Counter(item for item, _ in in_names).values()) == {4}
    holders = {plan.name(at): set(plan.document(at).items) for at in range(1000)}
    for item, name in in_names:
        assert item not in holders[name]


def test_separators_are_as_many_as_asked_for() -> None:
    plan = Plan(small(separators=0.1))
    apart = [item for item in [*plan.items.held, *plan.items.padding] if "," in item or " and " in item]
    assert sorted(apart) == sorted(plan.items.separated)
    assert len(apart) == 185
    assert len(set(apart) & set(plan.items.held)) == 100


def test_composed_items_are_as_many_as_asked_for() -> None:
    plan = Plan(small(composed=0.3, containment=0.02))
    known = set(plain_items())
    assert sum(item not in known for item in plan.items.held) == 300
    assert sum(item not in known for item in plan.items.padding) == 37 + round(0.3 * (850 - 37))


@pytest.mark.parametrize("queries", [300, 1000])
def test_synonyms(queries: int) -> None:
    for who in ("queries", "documents"):
        plan = Plan(small(synonyms=who, queries=queries))
        for held, worded in zip(plan.items.held, plan.items.worded, strict=True):
            assert not set(TERMS.terms(held)) & set(TERMS.terms(worded))
        questions = Limit(small(synonyms=who, queries=queries)).questions
        assert all(one.worded[0] in one.text and one.held[0] not in one.text for one in questions)


def negatives(kind: str, **more: Any) -> list[tuple[Any, Any, str, list[str]]]:
    """(hard negative, its gold document, what its question asks for, all that the gold document is asked for)."""
    limit = Limit(small(negatives={kind: 40}, **more))
    found = []
    for number, negative in enumerate(limit.negatives):
        worded = [limit.plan.items.worded[query] for query in limit.plan.asked[negative.gold]]
        asked = limit.plan.items.worded[negative.query]
        made = limit.document(300 + number)
        assert made.kind == kind
        assert made.negative_of == limit.id_of(negative.gold)
        found.append((made, limit.document(negative.gold), asked, worded))
    assert len(found) == 40
    return found


@pytest.mark.parametrize("frame", ["english", "japanese"])
@pytest.mark.parametrize("kind", ["negation", "attribution"])
def test_negation_and_attribution_say_the_same_of_another_relation(kind: str, frame: str) -> None:
    made = negatives(kind, frame=frame)
    for negative, gold, asked, _ in made:
        assert negative.relation != gold.relation
        assert sorted(negative.items) == sorted(gold.items)
        assert asked in negative.text
        assert gold.name in negative.text
    assert len({negative.relation for negative, *_ in made}) >= 4


@pytest.mark.parametrize("synonyms", ["none", "queries"])
def test_split_has_the_words_and_not_the_phrase(synonyms: str) -> None:
    for negative, gold, asked, worded in negatives("split", synonyms=synonyms):
        assert " " in asked
        assert set(TERMS.terms(asked)) <= set(TERMS.terms(negative.text))
        for item in worded:
            assert not holds(item, negative.text), item
        assert negative.relation == gold.relation
        assert len(set(negative.items)) == len(negative.items)


def test_containment_has_every_item_in_a_longer_one() -> None:
    for negative, gold, asked, worded in negatives("containment"):
        assert holds(asked, negative.text)
        for item in worded:
            assert item not in negative.items
            assert any(holds(item, longer) for longer in negative.items)
        assert len(negative.items) == len(gold.items) == len(set(negative.items))


def test_a_name_negative_is_called_like_the_item_and_likes_nothing_asked_for() -> None:
    for negative, _, asked, _ in negatives("name"):
        assert holds(asked, negative.name)
        assert not any(holds(asked, item) for item in negative.items)


@pytest.mark.parametrize("kind", ["split", "containment", "name"])
def test_true_likings_come_in_sentences_of_their_own(kind: str) -> None:
    beginnings = Counter(negative.text[: negative.text.index(negative.name)] for negative, *_ in negatives(kind))
    assert len(beginnings) >= 4
    assert "" not in beginnings


def test_one_for_each_document_or_judgment() -> None:
    limit = Limit(small(negatives={"negation": "document", "name": "judgment", "split": "document"}))
    kinds = Counter(negative.kind for negative in limit.negatives)
    assert kinds == {"negation": 46, "name": 2000, "split": 46}
    assert len({negative.gold for negative in limit.negatives if negative.kind == "negation"}) == 46
    pairs = {(negative.query, negative.gold) for negative in limit.negatives if negative.kind == "name"}
    assert pairs == {(query, at) for query, gold in enumerate(limit.plan.gold) for at in gold}


def test_hard_negatives_stand_anywhere() -> None:
    """Ties break by position: a place after all gold would help every system."""
    limit = Limit(small(negatives={"negation": "document"}))
    order = list(limit.numbers())
    ahead = sum(
        order.index(300 + number) < order.index(negative.gold) for number, negative in enumerate(limit.negatives)
    )
    assert 10 <= ahead <= 36  # 23 of 46 on average


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"documents": 30}, "need 46 documents that may be gold, and there are 30"),
        ({"items": 40}, "a document would hold 45 asked items, and documents hold at most 40"),
        ({"items": (9, 5)}, "items is \\(9, 5\\)"),
        ({"padding": 20}, "a document can hold 45 items, and only 20 fill documents up"),
        ({"pattern": "disjoint"}, "need 2000 documents that may be gold, and there are 300"),
        ({"relevant": 5}, "the pattern dense says itself"),
        ({"name_collisions": 1, "queries": 1500, "items": 60}, "items that can be a name are needed"),
        ({"name_collisions": 0.2}, "too few documents are left"),
        ({"synonyms": "queries", "name_collisions": 0.1}, "have no synonyms"),
        ({"containment": 0.6}, "padding has 850 items, of which 1110"),
        ({"separators": 0.6, "name_collisions": 0.6}, "of 1000 asked items 600 stand in names and 600"),
        ({"queries": 10, "padding": 400, "containment": 0.8}, "328 longer forms of 10 asked items"),
        ({"questions": {"not": 5}, "queries": 1, "gold": 1}, "5 different questions of the template 'not'"),
        ({"questions": {"or": -1}}, "below 0"),
        ({"negatives": {"negation": -1}}, "below 0"),
        ({"negatives": {"split": 5}, "queries": 1, "name_collisions": 1}, "no asked item has two words"),
        ({"frame": "klingon"}, "there is no frame 'klingon'"),
        ({"negatives": {"irony": 5}}, "negatives.irony"),
        ({"sneed": 5}, "sneed: Extra inputs are not permitted"),
    ],
)
def test_what_cannot_be_made(more: dict[str, Any], found: str) -> None:
    with pytest.raises(BadInput, match=found) as refused:
        Limit(small(**more))
    assert refused.value.remedy
