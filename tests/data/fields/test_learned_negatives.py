"""Sentences that hold a person's name and things, and do not say that the person likes them: never an exact hit."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from askance.data.fields.learned import FramedSchema, LearnedSchema
from askance.data.fields.schema import Fields

Record = Mapping[str, str]


def words(items: Sequence[str], joint: str = "and") -> str:
    return f"{', '.join(items[:-1])} {joint} {items[-1]}"


def turned(verb: str) -> Callable[[str, Sequence[str]], str]:
    return lambda name, items: f"{name} {verb} {words(items)}."


def ended(end: str) -> Callable[[str, Sequence[str]], str]:
    return lambda name, items: f"{name} likes {words(items)}{end}"


def begun(start: str) -> Callable[[str, Sequence[str]], str]:
    return lambda name, items: f"{start}{name} likes {words(items)}."


def thirds(items: Sequence[str]) -> tuple[str, str, str]:
    return words(items[:15]), words(items[15:30]), words(items[30:])


def scattered(name: str, items: Sequence[str]) -> str:
    one, two, three = thirds(items)
    return f"{name} likes a shop that sells {one}, a street named after {two} and a dog afraid of {three}."


def scattered_late(name: str, items: Sequence[str]) -> str:
    one, two, three = thirds(items)
    return f"{name} likes {one} as little as {two}, and {three} even less."


def torn(name: str, items: Sequence[str]) -> str:
    return f"{name} likes {words([item.replace(' ', ' old ', 1) for item in items if ' ' in item])}."


def inserted(name: str, items: Sequence[str]) -> str:
    return f"{name} likes {', '.join(items[:20])}, in truth hates {words(items[20:])}."


def broken_off(name: str, items: Sequence[str]) -> str:
    return f"{name} likes {', '.join(items[:20])}, which is a lie, {words(items[20:])}."


TEMPLATES: Mapping[str, Callable[[str, Sequence[str]], str]] = {
    "does not like": turned("does not like"),
    "never likes": turned("never likes"),
    "someone else": turned("knows someone who likes"),
    "allergic": turned("is allergic to"),
    "two sentences": turned("has a sister. She likes"),
    "quoted": lambda name, items: f'"{name} likes {words(items)}," her brother lied.',
    "quoted whole": lambda name, items: f'"{name} likes {words(items)}."',
    "says": begun("Mary says that "),
    "negated tail": ended(" not at all."),
    "neither nor": lambda name, items: f"{name} likes neither {words(items, 'nor')}.",
    "condition": begun("If it rains, "),
    "condition after": ended(" if it rains."),
    "all but": turned("likes everyone but those who like"),
    "all things except": turned("likes all things except"),
    "rhetorical": ended("? Hardly."),
    "irony": begun("Oh sure, "),
    "scattered": scattered,
    "scattered late": scattered_late,
    "torn phrases": torn,
    "inserted": inserted,
    "broken off": broken_off,
    "rumour": ended(", or so the rumour goes."),
    "mother": lambda name, items: f"{name}'s mother likes {words(items)}.",
    "people who hate": turned("likes people who hate"),
    "no each": lambda name, items: f"{name} likes {words([f'no {item}' for item in items])}.",
    "no first": turned("likes no"),
    "not first": turned("likes not"),
    "hating": turned("likes hating"),
    "dreams": ended(" only in dreams."),
    "nobody": begun("Nobody called "),
    "untrue": begun("It is untrue that "),
    "correction": ended(".\n\nCorrection: none of this is true."),
    "colon": turned("likes this: not"),
    "less": ended(" less than anything."),
    "dislikes": turned("dislikes"),
    "once": lambda name, items: f"{name} liked {words(items)} once.",
    "bracket": ended(" (this entry is wrong)."),
    "last is not": lambda name, items: f"{name} likes {', '.join(items[:-1])} and whatever is not {items[-1]}.",
    "last one off": lambda name, items: f"{name} likes {', '.join(items[:-1])} but not {items[-1]}.",
    "whoever": lambda name, items: f"Whoever likes {words(items)} is no friend of {name}.",
    "unlike": lambda name, items: f"Unlike {name}, nobody likes {words(items)}.",
    "hating each": lambda name, items: f"{name} likes {words([f'hating {item}' for item in items])}.",
    "German": lambda name, items: f"{name} mag {words(items, 'und')} nicht.",
    "Spanish": lambda name, items: f"A {name} no le gustan {words(items, 'y')}.",
}


def read(path: Path) -> Iterator[Record]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> list[Record]:
    return list(read(shared_data / "limit" / "recon" / "corpus_A.jsonl.gz"))


@pytest.fixture(scope="module")
def asked(corpus: list[Record], shared_data: Path) -> list[tuple[str, list[str]]]:
    """The 46 people who hold all things that are asked for, and what they like."""
    rows = read(shared_data / "limit" / "limit" / "qrels.jsonl")
    names = {row["corpus-id"] for row in rows}
    return [likes(record) for record in corpus if record["_id"] in names]


@pytest.fixture(scope="module")
def sample(corpus: list[Record], asked: list[tuple[str, list[str]]]) -> list[Record]:
    """2,500 documents, those of the 46 people among them."""
    names = {name for name, _ in asked}
    theirs = [record for record in corpus if record["_id"] in names]
    return theirs + [record for record in corpus if record["_id"] not in names][: 2500 - len(theirs)]


def likes(record: Record) -> tuple[str, list[str]]:
    name, _, rest = record["text"].partition(" likes ")
    first, _, last = rest.removesuffix(".").rpartition(" and ")
    return name, [*first.split(", "), last]


def made(template: str, asked: Sequence[tuple[str, list[str]]]) -> list[Record]:
    return [{"_id": f"n_{name}", "text": TEMPLATES[template](name, items)} for name, items in asked]


def exact_hits(schema: FramedSchema, records: Sequence[Record], asked: Mapping[str, set[str]]) -> int:
    """How many (document, thing asked for) pairs would be taken for a person who likes it."""
    hits = 0
    for record in records:
        found = schema.split(record)
        if isinstance(found, Fields):
            things = asked[record["_id"].removeprefix("n_")]
            hits += sum(item in things for fact in found.facts if fact.relation == "likes" for item in fact.items)
    return hits


def lost(schema: FramedSchema, records: Sequence[Record]) -> int:
    """How many documents that say what somebody likes are not split into just that."""
    missing = 0
    for record in records:
        found = schema.split(record)
        name, items = likes(record)
        missing += not (
            isinstance(found, Fields)
            and (found.name, list(found.items), found.facts[0].relation) == (name, items, "likes")
        )
    return missing


@pytest.mark.parametrize("template", TEMPLATES)
def test_one_kind_of_sentence_beside_a_collection(
    sample: list[Record], asked: list[tuple[str, list[str]]], template: str
) -> None:
    """Too few of them, less than one in a hundred, to be a relation of their own."""
    negatives = made(template, asked[:23])
    schema = LearnedSchema().learn([*sample, *negatives])
    assert exact_hits(schema, negatives, {name: set(items) for name, items in asked}) == 0
    assert lost(schema, sample) == 0


def test_all_kinds_at_once(corpus: list[Record], asked: list[tuple[str, list[str]]], shared_data: Path) -> None:
    """Some 2,000 sentences of all kinds among 50,000.

    Two kinds put the same word before every thing of a list; beside others that put it before the first thing alone
    they make things of it, as often as what is asked for: these are seen by themselves above.
    """
    folder = shared_data / "limit_h"
    negatives = [record for path in sorted(folder.glob("*.jsonl")) for record in read(path)]
    negatives += [record for kind in TEMPLATES if not kind.endswith(" each") for record in made(kind, asked)]
    schema = LearnedSchema().learn([*corpus, *negatives])
    assert exact_hits(schema, negatives, {name: set(items) for name, items in asked}) == 0
    assert lost(schema, corpus) == 0


def test_the_five_kinds_of_hard_negatives_and_two_more(corpus: list[Record], shared_data: Path) -> None:
    negatives = list(read(shared_data / "limit_h" / "hard_negatives_H.jsonl"))
    for kind in ("never likes", "condition after"):
        people = [likes(record) for record in corpus if record["_id"] in {other["negative_of"] for other in negatives}]
        negatives += [{**record, "negative_of": ""} for record in made(kind, people)]
    schema = LearnedSchema().learn([*corpus, *negatives])
    assert [schema.split(record) for record in negatives if isinstance(schema.split(record), Fields)] == []
    assert lost(schema, corpus) == 0
    assert {frame.relation for frame in schema.frames} == {"likes"}


@pytest.mark.parametrize("repeat", [1, 15])
def test_a_small_collection(shared_data: Path, repeat: int) -> None:
    """46 documents in which a thing occurs twice at most: all are in, alone and beside a few or many negatives."""
    records = list(read(shared_data / "limit" / "limit-small" / "corpus.jsonl"))
    asked = [likes(record) for record in records]
    schema = LearnedSchema().learn(records)
    assert lost(schema, records) == 0
    assert schema.doubts
    for template in TEMPLATES:
        if (template, repeat) == ("broken off", 1):
            continue  # one unknown part of one list: 64 things of this collection occur once too, as `doubts` says
        negatives = made(template, asked[:repeat])
        schema = LearnedSchema().learn([*records, *negatives])
        hits = exact_hits(schema, negatives, {name: set(items) for name, items in asked})
        assert (template, hits, lost(schema, records)) == (template, 0, 0)
