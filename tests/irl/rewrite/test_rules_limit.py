"""The 1,000 questions of LIMIT in other words, languages and letters: the keyword is the item."""

from __future__ import annotations

import gzip
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from askance.data.fields.schema import Fact, Fields, Record
from askance.irl.rewrite.counted import CountedVocabulary
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules

WORDINGS = (
    "Who likes {}?",
    "Which people are fond of {}?",
    "find fans of {}",
    "Show me everybody who enjoys {}",
    "Wer mag {}?",
    "¿A quién le gusta {}?",
    "{}が好きな人は誰ですか？",
    "Blorp zint {} frumious?",
)
SAMPLE = 4_000
LETTERS: tuple[Callable[[str], str], ...] = (str, str.lower, str.upper)


@dataclass(frozen=True)
class Profiles:
    """LIMIT's sentence, cut by the published list of items: an oracle, not a schema that anybody has."""

    items: frozenset[str]

    def split(self, record: Record) -> Fields:
        name, _, rest = str(record["text"]).partition(" likes ")
        *parts, last = rest.rstrip(".").split(", ")
        (cut,) = [pair for pair in _pairs(last) if self.items.issuperset(pair)]
        return Fields(name, (Fact((*parts, *cut), "likes"),))

    def described(self) -> dict[str, str]:
        return {"kind": "profiles"}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    words = text.split(" and ")
    return ((" and ".join(words[:at]), " and ".join(words[at:])) for at in range(1, len(words)))


@dataclass(frozen=True)
class Limit:
    items: tuple[str, ...]
    fields: CountedVocabulary
    text: CountedVocabulary


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def limit(shared_data: Path) -> Limit:
    """All gold documents, and some of the others."""
    folder = shared_data / "limit"
    questions = [row["text"] for row in rows(folder / "limit" / "queries.jsonl")]
    items = tuple(question.removeprefix("Who likes ").removesuffix("?") for question in questions)
    known = frozenset((folder / "attributes.txt").read_text(encoding="utf-8").splitlines()) | set(items)
    gold = {row["corpus-id"] for row in rows(folder / "limit" / "qrels.jsonl")}
    with gzip.open(folder / "recon" / "corpus_A.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    others = [record["text"] for record in records if record["_id"] not in gold]
    texts = [record["text"] for record in records if record["_id"] in gold]
    texts += random.Random(5).sample(others, SAMPLE)
    return Limit(items, CountedVocabulary.of(texts, schema=Profiles(known)), CountedVocabulary.of(texts))


def wrong(questions: dict[str, str], vocabulary: CountedVocabulary) -> dict[str, str]:
    """Question → keyword, where it is not the item."""
    rules = Rules()
    terms = vocabulary.analyzer.terms
    made = {question: rewrite(question, vocabulary=vocabulary, extractor=rules).keyword for question in questions}
    return {question: made[question] for question, item in questions.items() if made[question] != " ".join(terms(item))}


@pytest.mark.parametrize("letters", LETTERS, ids=["as written", "small", "capital"])
@pytest.mark.parametrize("wording", WORDINGS)
def test_each_wording(limit: Limit, wording: str, letters: Callable[[str], str]) -> None:
    failed = wrong({wording.format(letters(item)): item for item in limit.items}, limit.fields)
    assert len(failed) <= 5, failed


def test_the_mixture(limit: Limit) -> None:
    draw = random.Random(1)
    questions = {draw.choice(WORDINGS).format(draw.choice(LETTERS)(item)): item for item in limit.items}
    failed = wrong(questions, limit.fields)
    assert len(failed) <= 5, failed


@pytest.mark.parametrize("wording", WORDINGS)
def test_one_text_field(limit: Limit, wording: str) -> None:
    some = limit.items[::4]
    failed = wrong({wording.format(item): item for item in some}, limit.text)
    assert len(failed) <= 1, failed


def test_a_millisecond_a_question(limit: Limit) -> None:
    """All stages, one question after the other; the best of three, for the machine may be busy."""
    rules, took = Rules(), []
    for _ in range(3):
        begun = time.perf_counter()
        for item in limit.items:
            rewrite(f"Who likes {item}?", vocabulary=limit.fields, extractor=rules)
        took.append((time.perf_counter() - begun) / len(limit.items))
    assert min(took) < 1e-3, took
