"""What is learned from collections of other languages, lists and templates; nothing is set and no word is known."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.data.fields.kinds import schema_of
from askance.data.fields.learned import FramedSchema, LearnedSchema
from askance.data.fields.schema import Fact, Fields, Outside

Template = Callable[[str, Sequence[str]], str]
SYLLABLES = ["".join(pair) for pair in zip("bbbddfgkllmmnprrsttv", "aeiouaaiouaioaaoaaou", strict=True)]


def words(items: Sequence[str], joint: str = " and ", separator: str = ", ") -> str:
    return separator.join(items[:-1]) + (joint if len(items) > 1 else "") + items[-1]


def invented(draw: random.Random, length: int = 3) -> str:
    return "".join(draw.choice(SYLLABLES) for _ in range(length))


def people(count: int, seed: int = 0, vocabulary: int = 300, least: int = 4) -> list[tuple[str, list[str]]]:
    """Names of two words, and some things of one to three words, each of which occurs twice at least."""
    draw = random.Random(seed)
    things = sorted(
        {" ".join(invented(draw, 2).title() for _ in range(draw.choice((1, 1, 2, 3)))) for _ in range(vocabulary)}
    )
    names: dict[str, list[str]] = {}
    while len(names) < count:
        names[f"{invented(draw).title()} {invented(draw).title()}"] = draw.sample(things, draw.randint(least, 12))
    times = Counter(item for items in names.values() for item in items)
    return [(name, [item for item in items if times[item] > 1]) for name, items in names.items()]


KANJI = "田中村山川本木林森石井上下大小高新古東西南北"


def people_in_kanji(count: int) -> list[tuple[str, list[str]]]:
    draw = random.Random(5)
    things = sorted(
        {"".join(draw.choice("茶塩米酒魚肉花鳥風月雪雨") for _ in range(draw.randint(2, 4))) for _ in range(200)}
    )
    names: dict[str, list[str]] = {}
    while len(names) < count:
        names["".join(draw.choice(KANJI) for _ in range(draw.randint(3, 4)))] = draw.sample(things, draw.randint(3, 9))
    return list(names.items())


def check(schema: FramedSchema, texts: Sequence[str], held: Sequence[tuple[str, list[str]]]) -> list[str | None]:
    """All documents are split into what they were made of; their relations."""
    relations = []
    for text, (name, items) in zip(texts, held, strict=True):
        found = schema.split({"text": text})
        assert isinstance(found, Fields), (text, found)
        assert (found.name, list(found.items)) == (name, items)
        relations.append(found.facts[0].relation)
    return relations


TEMPLATES: Mapping[str, tuple[Template, str | None]] = {
    "English": (lambda name, items: f"{name} likes {words(items)}.", "likes"),
    "Oxford comma": (lambda name, items: f"{name} likes {words(items, ', and ')}.", "likes"),
    "German": (lambda name, items: f"{name} mag {words(items, ' und ')}.", "mag"),
    "Spanish": (lambda name, items: f"A {name} le gustan {words(items, ' y ')}.", "le gustan"),
    "Turkish": (lambda name, items: f"{name}, {words(items, ' ve ')} sever.", "sever"),
    "Russian": (lambda name, items: f"{name} любит {words(items, ' и ')}.", "любит"),
    "invented words": (lambda name, items: f"Zor {name} vexel {words(items, ' qua ')} brill!", "vexel … brill"),
    "semicolons": (lambda name, items: f"{name} likes {'; '.join(items)}", "likes"),
    "slashes": (lambda name, items: f"{name} likes {' / '.join(items)}", "likes"),
    "bars": (lambda name, items: f"{name} likes {'|'.join(items)}", "likes"),
    "lines": (lambda name, items: "\n".join([f"{name} likes", *items]), "likes"),
    "bullets": (lambda name, items: "\n- ".join([f"{name} likes:", *items]), "likes"),
    "colon": (lambda name, items: f"{name}: {', '.join(items)}", None),
    "name last": (lambda name, items: f"{words(items)} are liked by {name}.", "are liked by"),
    "no joint": (lambda name, items: f"{name} collects {', '.join(items)}.", "collects"),
}  # fmt: skip


@pytest.mark.parametrize("count", [46, 1000])
@pytest.mark.parametrize("title", TEMPLATES)
def test_templates(title: str, count: int) -> None:
    template, relation = TEMPLATES[title]
    held = people(count)
    texts = [template(name, items) for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    assert set(check(schema, texts, held)) == {relation}


@pytest.mark.parametrize("count", [46, 1000])
def test_japanese(count: int) -> None:
    held = people_in_kanji(count)
    texts = [f"{name}は、{'、'.join(items)}が好きです。" for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    assert set(check(schema, texts, held)) == {"は … が好きです"}
    name, items = held[0]
    for other in (
        f"{name}は、{'、'.join(items)}が好きではありません。",
        f"{name}の姉は、{'、'.join(items)}が好きです。",
        f"{name}は、{'、'.join(items)}が嫌いです。",
    ):
        assert isinstance(schema.split({"text": other}), Outside)


@pytest.mark.parametrize(
    ("base", "others"),
    [
        ("mag {} und {}.", ["mag {} und {} nicht.", "mag weder {} noch {}.", "kennt jemanden, der {} und {} mag.",
                            "mag alles außer {} und {}.", "mag keine {} und {}.", "sammelt {} und {}."]),
        ("ama {} y {}.", ["no ama {} y {}.", "dice que ama {} y {}.", "ama todo menos {} y {}.", "odia {} y {}.",
                          "ama {} y {} en sueños."]),
    ],
)  # fmt: skip
def test_negatives_in_other_languages(base: str, others: Sequence[str]) -> None:
    def said(name: str, items: Sequence[str], form: str) -> str:
        return f"{name} {form.format(', '.join(items[:-1]), items[-1])}"

    held = people(2000)
    texts = [said(name, items, base) for name, items in held]
    for other in others:
        negatives = [said(name, items, other) for name, items in held[:15]]
        schema = LearnedSchema().learn({"text": text} for text in [*texts, *negatives])
        check(schema, texts, held)
        assert [text for text in negatives if isinstance(schema.split({"text": text}), Fields)] == []


def test_relations_are_told_apart() -> None:
    draw = random.Random(1)
    verbs = ["likes", "does not like", "knows someone who likes", "never likes"]
    held = people(1500)
    chosen = [draw.choices(verbs, [60, 25, 12, 3])[0] for _ in held]
    texts = [f"{name} {verb} {words(items)}." for (name, items), verb in zip(held, chosen, strict=True)]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    assert check(schema, texts, held) == chosen
    assert {frame.relation for frame in schema.frames} == set(verbs)


def test_relations_that_share_no_word_or_differ_at_the_end() -> None:
    forms = ["mag {}.", "mag {} nicht.", "fürchtet {}."]
    held = people(900)
    chosen = [forms[at % 3] for at in range(len(held))]
    texts = [f"{name} {form.format(words(items, ' und '))}" for (name, items), form in zip(held, chosen, strict=True)]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    names = {"mag {}.": "mag", "mag {} nicht.": "mag … nicht", "fürchtet {}.": "fürchtet"}
    assert check(schema, texts, held) == [names[form] for form in chosen]


def test_odd_items_and_names() -> None:
    """An item called as the relation, items with the conjunction, items that are names, sorted lists, lists of one."""
    held = people(400)
    extra = [["Likes"], ["Salt and Pepper"], ["Rosemary Love"], ["Patience"], ["Salt"], ["Pepper"]]
    draw = random.Random(2)
    held = [(name, draw.sample([*items, *draw.choice(extra)], len(items) + 1)) for name, items in held]
    held += [("Rosemary Love", ["Salt", "Likes"]), ("Patience Schmiel", ["Salt", "Salt and Pepper"])]
    held += [("Ba Likes", ["Likes", "Salt and Pepper", "Pepper"]), ("Be Do", ["Likes"])]
    texts = [f"{name} likes {words(items)}." for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    wrong = [
        (text, found)
        for text, (name, items) in zip(texts, held, strict=True)
        if not isinstance(found := schema.split({"text": text}), Fields)
        or (found.name, list(found.items)) != (name, items)
    ]
    assert wrong == []


def test_sorted_lists_make_no_item_a_template() -> None:
    held = [(name, sorted(items)) for name, items in people(1000, vocabulary=60, least=9)]
    texts = [f"{name} likes {words(items)}." for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    assert set(check(schema, texts, held)) == {"likes"}


def test_parts_that_never_stand_alone_are_one_item() -> None:
    draw = random.Random(3)
    held = [
        (name, draw.sample([*items, "Peter, Paul and Mary"], len(items) + 1) if at % 5 == 0 else items)
        for at, (name, items) in enumerate(people(300))
    ]
    texts = [f"{name} likes {words(items)}." for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    assert schema.whole == ("Peter, Paul and Mary",)
    inner = [
        (text, pair)
        for text, pair in zip(texts, held, strict=True)
        if "Peter, Paul and Mary" not in (pair[1][0], pair[1][-1])
    ]
    check(schema, [text for text, _ in inner], [pair for _, pair in inner])


def test_copied_lists_are_no_item() -> None:
    held = people(200)
    held += [(f"Copy {invented(random.Random(at)).title()}", held[0][1]) for at in range(6)]
    texts = [f"{name} likes {words(items)}." for name, items in held]
    assert LearnedSchema().learn({"text": text} for text in texts).whole == ()


def test_quoted_items() -> None:
    draw = random.Random(6)
    held = [
        (name, draw.sample([*items, "Rag, Tag and Bo"], len(items) + 1) if at % 3 else items)
        for at, (name, items) in enumerate(people(300))
    ]
    texts = [f"{name} likes {words(items)}.".replace("Rag, Tag and Bo", '"Rag, Tag and Bo"') for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    check(schema, texts, held)


@pytest.mark.parametrize("texts", [[], [""], ["One text."], ["Bo likes Tea.", "It rained."], ["word"] * 50])
def test_nothing_to_learn_is_told(texts: list[str]) -> None:
    schema = LearnedSchema().learn({"text": text} for text in texts)
    for text in [*texts, "Bo likes Tea, Rye and Oats."]:
        found = schema.split({"text": text})
        assert isinstance(found, Outside) or found.facts == ()
    assert schema.doubts


def test_prose_is_no_list() -> None:
    draw = random.Random(7)

    def clause() -> str:
        return " ".join(invented(draw, draw.choice((1, 2, 3))) for _ in range(draw.randint(2, 9)))

    texts = [f"{clause().capitalize()}, {clause()}. The {clause()}, {clause()}." for _ in range(400)]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    assert [text for text in texts if isinstance(schema.split({"text": text}), Fields)] == []
    assert "all are outside" in schema.doubts[0]


def test_records_without_text_are_outside() -> None:
    held = people(50)
    records: list[Mapping[str, object]] = [{"text": f"{name} likes {words(items)}."} for name, items in held]
    schema = LearnedSchema().learn([*records, {}, {"text": 3}])
    assert schema.split({}) == Outside("no text", "there is no field 'text'")
    assert schema.split({"text": 3}) == Outside("no text", "field 'text' is a number, expected a string")


def test_it_is_made_again_from_what_is_written_down() -> None:
    held = people(200)
    texts = [f"{name} likes {words(items)}." for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    again = schema_of(json.loads(json.dumps(schema.described())))
    assert again == schema
    for text in [*texts, "Bo Ray likes Mud and Rye.", "Bo"]:
        assert again.split({"text": text}) == schema.split({"text": text})


def test_a_saturated_dictionary_lets_no_unknown_part_pass_and_a_thin_one_says_so() -> None:
    held = people(1000)
    schema = LearnedSchema().learn({"text": f"{name} likes {words(items)}."} for name, items in held)
    assert schema.dictionary.saturated
    assert schema.doubts == ()
    found = schema.split({"text": "Baba Dodo likes Zzz and Yyy."})
    assert isinstance(found, Outside)
    assert found.kind == "unknown item"
    draw = random.Random(4)
    thin = [(name, [f"{item} {invented(draw, 6)}" for item in items]) for name, items in held[:100]]
    schema = LearnedSchema().learn({"text": f"{name} likes {words(items)}."} for name, items in thin)
    assert "can hardly be told" in schema.doubts[0]
    assert isinstance(schema.split({"text": "Baba Dodo likes Zzz and Yyy."}), Fields)


@settings(max_examples=25, deadline=None)
@given(
    joint=st.sampled_from([" and ", " und ", " & ", " zork "]),
    relation=st.lists(
        st.sampled_from(["likes", "le", "gustan", "vexel", "любит", "zu"]), min_size=1, max_size=3, unique=True
    ),
    end=st.sampled_from(["", ".", "!", " indeed."]),
    seed=st.integers(0, 1000),
)
def test_rendered_collections_are_split_back(joint: str, relation: list[str], end: str, seed: int) -> None:
    held = people(60, seed, vocabulary=80)
    texts = [f"{name} {' '.join(relation)} {words(items, joint)}{end}" for name, items in held]
    schema = LearnedSchema().learn({"text": text} for text in texts)
    check(schema, texts, held)


def test_limit_small(shared_data: Path) -> None:
    lines = (shared_data / "limit" / "limit-small" / "corpus.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    schema = LearnedSchema().learn(records)
    for record in records:
        found = schema.split(record)
        assert isinstance(found, Fields)
        assert found.name == record["_id"]
        assert found.facts == (Fact(found.items, "likes"),)
        assert len(found.items) == 45
