"""Composed questions over any collection: gold is what brute force finds, and all of it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from typer.testing import CliRunner

from askance.app.build_compositions import build_compositions
from askance.build.limit import compositions as making
from askance.build.limit.compositions import TEMPLATES, TIER, Compositions, CompositionSettings, compositions
from askance.build.limit.compositions_folder import write_compositions
from askance.cli.root import app
from askance.core.errors import BadInput, DataProblem, FileProblem, UnknownName
from askance.data.collection import Collection, Documents, Queries, Tier
from askance.data.formats.beir import read_beir
from askance.data.ids import Ids
from askance.data.judgments import Judgments

THINGS = ("Snow", "Snow Leopards", "Honey", "Tea", "Iced Tea", "Ivy", "Rock", "Rock and Roll", "Oak", "Tin", "Wool")
PATTERN = r"(?P<name>\w+) (?P<relation>likes|hates) (?P<items>.+)\."

# What a question of each template looks like, its items, and which sets of items answer it.
READ: dict[str, tuple[str, Callable[[set[str], Sequence[str]], bool]]] = {
    "one": (r"Who likes (.+)\?", lambda held, asked: asked[0] in held),
    "or": (r"Who likes (.+) or (.+)\?", lambda held, asked: bool(held & set(asked))),
    "or_or": (r"Who likes (.+) or (.+) or (.+)\?", lambda held, asked: bool(held & set(asked))),
    "and": (r"Who likes (.+) and also likes (.+)\?", lambda held, asked: held >= set(asked)),
    "and_both": (r"Who likes (.+) and also likes both (.+) and (.+)\?", lambda held, asked: held >= set(asked)),
    "and_not": (
        r"Who likes (.+) and also likes (.+) but not (.+)\?",
        lambda held, asked: held >= set(asked[:2]) and asked[2] not in held,
    ),
    "not": (r"Who likes (.+) but not (.+)\?", lambda held, asked: asked[0] in held and asked[1] not in held),
}


def collection(texts: Sequence[str], name: str = "some") -> Collection:
    documents, queries = Ids([f"d{at}" for at in range(len(texts))]), Ids(["q"])
    tier = Tier("t", "t", Judgments.of(queries, documents, {"q": {"d0": 1.0}}))
    return Collection(
        name, Documents(documents, {"text": tuple(texts)}), Queries(queries, {"text": ("q",)}), {"t": tier}
    )


def some(seed: int, documents: int = 60, verb: str = "likes") -> Collection:
    rng = random.Random(seed)
    held = [rng.sample(THINGS[: rng.choice((5, len(THINGS)))], rng.randint(1, 5)) for _ in range(documents)]
    return collection([f"Ann{at} {verb} {', '.join(items)}." for at, items in enumerate(held)])


def check(made: Compositions, last: str = ", ", every: int = 1) -> None:
    """Every so many questions are read back by their template alone, and answered by going through all texts."""
    likes = {}
    for name, text in zip(made.collection.documents.ids, made.collection.documents.field("text"), strict=True):
        found = re.fullmatch(r".+? likes (.+)\.", text)
        likes[name] = set(re.split(last, found.group(1))) if found else set()
    judgments = made.collection.tier(TIER).judgments
    texts = made.collection.queries.field("text")
    for at, (question, template) in enumerate(zip(texts, made.collection.queries.slices["template"], strict=True)):
        if at % every:
            continue
        form, answers = READ[template]
        attrs = json.loads(made.collection.queries.slices["attrs"][at])
        again = re.fullmatch(form, question)
        assert again is not None, question
        if not any(" and " in item for item in attrs):
            assert list(again.groups()) == attrs
        gold = {name for name, held in likes.items() if answers(held, attrs)}
        documents, grades = judgments.of_query(at)
        assert {judgments.documents[int(document)] for document in documents} == gold, question
        assert set(grades.tolist()) == {1.0}


def few(each: int = 4, **more: Any) -> CompositionSettings:
    return CompositionSettings.model_validate({"questions": dict.fromkeys(TEMPLATES, each), **more})


@effort(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 99), st.integers(45, 60))
def test_gold_is_what_brute_force_finds(texts: int, seed: int, most: int) -> None:
    made = compositions(some(texts), few(3, seed=seed, most=most, pattern=PATTERN))
    check(made)
    assert [question.template for question in made.questions] == [one for one in TEMPLATES for _ in range(3)]
    assert all(1 <= len(gold) <= most for gold in made.gold)
    assert len(set(made.collection.queries.field("text"))) == 21


def test_each_is_asked_once_and_what_is_excluded_leaves_somebody_out() -> None:
    made = compositions(some(3, 200), few(9, pattern=PATTERN))
    asked = set()
    for question, gold in zip(made.questions, made.gold, strict=True):
        wanted = question.held[:-1] if question.template in ("not", "and_not") else question.held
        asked.add((question.template, frozenset(wanted), question.held[len(wanted) :]))
        if question.template in ("not", "and_not"):
            texts = made.collection.documents.field("text")
            likers = [
                at for at, text in enumerate(texts) if all(item in held_in(text) for item in question.worded[:-1])
            ]
            assert set(gold.tolist()) < set(likers)
    assert len(asked) == len(made.questions)


def held_in(text: str) -> list[str]:
    return text.removesuffix(".").partition(" likes ")[2].split(", ")


def test_the_same_seed_makes_the_same_questions() -> None:
    texts = [list(compositions(some(1), few(seed=seed)).collection.queries.field("text")) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_the_relation_is_the_most_frequent_or_the_one_named() -> None:
    texts = [f"Ann{at} likes {', '.join(THINGS[at % 5 : at % 5 + 6])}." for at in range(40)]
    hates = [f"Bob{at} hates {', '.join(THINGS[at % 4 : at % 4 + 6])}." for at in range(30)]
    both = collection([*texts, *hates])
    made = compositions(both, few(2, pattern=PATTERN))
    assert made.relation == "likes"
    check(made)
    named = compositions(both, few(2, pattern=PATTERN, relation="hates"))
    assert all(text.startswith("Who hates ") for text in named.collection.queries.field("text"))
    assert min(int(gold.min()) for gold in named.gold) >= 40
    with pytest.raises(UnknownName, match="hate"):
        compositions(both, few(2, pattern=PATTERN, relation="hate"))


def test_a_frame_of_the_package_asks_in_its_own_words() -> None:
    made = compositions(
        some(4, verb="is fond of"), few(1, pattern=r"(?P<name>\w+) (?P<relation>is fond of) (?P<items>.+)\.")
    )
    assert made.collection.queries.field("text")[0].startswith("Which people are fond of ")


def test_a_relation_with_braces_is_only_text() -> None:
    given = some(4, verb="{0} has")
    made = compositions(given, few(1, pattern=r"(?P<name>\w+) (?P<relation>.0. has) (?P<items>.+)\."))
    assert made.collection.queries.field("text")[0].startswith("Who {0} has ")


@pytest.mark.parametrize(
    ("texts", "more", "expected"),
    [
        (["rain fell", "snow fell", "sun"], {}, "do not split into items"),
        (["rain fell"], {"pattern": PATTERN}, "do not split into items"),
        (["Ann likes Snow; Tea.", "Bo likes Tea."], {"pattern": PATTERN}, "questions of the template 'one'"),
        (["Ann likes Snow."], {"pattern": "("}, "is no regular expression"),
    ],
)
def test_what_cannot_be(texts: list[str], more: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        compositions(collection(texts), few(5, **more))


def test_no_question_at_all() -> None:
    with pytest.raises(BadInput, match="no question is asked for"):
        compositions(some(1), few(0))


def test_gold_that_is_not_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who computes gold wrongly is found out by going through the documents."""
    whole = making.gold_of
    monkeypatch.setattr(making, "gold_of", lambda *told: whole(*told)[:2])
    with pytest.raises(DataProblem, match="of all answer it"):
        compositions(some(1), few(2))


def test_a_folder(tmp_path: Path) -> None:
    given = some(5, 120)
    made = write_compositions(given, few(3, seed=4), tmp_path / "made")
    read = read_beir(tmp_path / "made")
    direct = compositions(given, few(3, seed=4)).collection
    assert read.notes == {}
    assert read.documents.sha256 == given.documents.sha256 == made.documents_sha256
    assert list(read.queries.field("text")) == list(direct.queries.field("text"))
    assert read.queries.slices == direct.queries.slices
    assert np.array_equal(read.tier(TIER).judgments.document, direct.tier(TIER).judgments.document)
    assert made.judgments == len(read.tier(TIER).judgments)
    manifest = json.loads((tmp_path / "made" / "manifest.json").read_text())
    assert manifest == json.loads(json.dumps(made.record()))
    assert set(manifest["files"]) == {
        "collection.json",
        "corpus.jsonl",
        "qrels/test.tsv",
        "queries.jsonl",
        "tiers.json",
    }
    again = write_compositions(given, few(3, seed=4), tmp_path / "again")
    assert again.record() == made.record()
    with pytest.raises(FileProblem, match="not empty"):
        write_compositions(given, few(3), tmp_path / "made")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "made"]


def test_the_command(tmp_path: Path) -> None:
    build_compositions(some(5, 120), tmp_path / "first", each=2)
    arguments = ["build", "compositions", str(tmp_path / "first"), "--into", str(tmp_path / "more"), "--each", "1"]
    done = CliRunner().invoke(app, [*arguments, "--questions", "and_not=4", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert {one["template"]: one["questions"] for one in told["templates"]} == dict.fromkeys(TEMPLATES, 1) | {
        "and_not": 4
    }
    shown = CliRunner().invoke(app, [*arguments[:4], str(tmp_path / "third"), *arguments[5:]])
    assert "120 documents, 7 questions for items in the relation 'likes'" in shown.stdout


@pytest.mark.parametrize("questions", [{"nor": 3}, {"or": "many"}, {"or": -1}])
def test_templates_that_are_none(questions: dict[str, int | str], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Templates are one, or, or_or"):
        build_compositions(some(1), tmp_path / "made", questions=questions)
    assert not (tmp_path / "made").exists()
