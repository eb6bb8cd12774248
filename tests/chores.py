"""A collection of the tests' own, as a BEIR folder: chores, three tiers of gold, three roles with names of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

VERBS = ("scrub", "carry", "paint")
OBJECTS = ("bucket", "ladder", "lantern", "barrel", "anvil")
PLACES = ("barn", "porch", "cellar")
WORDED = {
    "scrub": "get the {} sparkling in the {}",
    "carry": "bring a {} over to the {}",
    "paint": "give the {} in the {} some colour",
}

STUDY = """\
[study]
name = "chores"
seed = 3
resamples = 500

[models.small]
label = "Trigrams"
embedder = "fake"

[domains.chores]
title = "Chores"
collection = "chores"
tiers = ["any", "other-thing"]
main_tier = "other-thing"

[[domains.chores.systems]]
name = "bm25"
label = "BM25"
retriever = "lexical"

[[domains.chores.systems]]
name = "small"
label = "Trigrams"
retriever = "dense"
model = "small"

[[domains.chores.rerankers]]
name = "control"
label = "lexical control"
reranker = "lexical"
"""


@pytest.fixture
def chores(tmp_path: Path) -> Path:
    """The folder `chores`; beside it there is room for study files and results."""
    folder = tmp_path / "chores"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        (f"{verb}-{thing}-{place}", verb, thing, place) for verb in VERBS for thing in OBJECTS for place in PLACES
    ]
    asked = [(f"q-{verb}-{thing}", verb, thing) for verb in VERBS for thing in OBJECTS]
    _lines(
        folder / "corpus.jsonl",
        [
            {"_id": name, "title": "", "text": f"{verb} the {thing} in the {place}, then rest"}
            for name, verb, thing, place in documents
        ],
    )
    _lines(
        folder / "queries.jsonl",
        [
            {"_id": name, "text": WORDED[verb].format(thing, PLACES[len(thing) % 3]), "metadata": {"chore": verb}}
            for name, verb, thing in asked
        ],
    )
    golds: dict[str, Callable[[tuple[str, str, str], tuple[str, str, str, str]], bool]] = {
        "any": lambda query, document: query[1] == document[1],
        "other-thing": lambda query, document: query[1] == document[1] and query[2] != document[2],
    }
    for tier, is_gold in golds.items():
        rows = [
            f"{query[0]}\t{document[0]}\t1" for query in asked for document in documents if is_gold(query, document)
        ]
        _text(folder / "qrels" / f"{tier}.tsv", ["query-id\tcorpus-id\tscore", *rows])
    roles = []
    for query in asked:
        for document in documents:
            same_chore, same_thing = query[1] == document[1], query[2] == document[2]
            role = {(True, True): "twin", (False, True): "lookalike", (False, False): "stranger"}.get(
                (same_chore, same_thing)
            )
            if role:
                roles.append(f"{query[0]}\t{document[0]}\t{role}")
    _text(folder / "roles.tsv", ["query-id\tcorpus-id\trole", *roles])
    labels = {"twin": "the very same chore", "lookalike": "another chore, same thing", "stranger": "nothing in common"}
    (folder / "roles.json").write_text(json.dumps(labels), encoding="utf-8")
    return folder


@pytest.fixture
def study(chores: Path) -> Path:
    """A study file over it."""
    path = chores.parent / "chores.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def _lines(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def _text(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
