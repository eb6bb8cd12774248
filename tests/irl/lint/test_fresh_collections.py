"""Foretold against what phrase search really gets wrong: fresh collections, schema and keywords learned from them."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.irl.lint.phrase_search import PhraseSearch

from askance.app.lint import lint
from askance.build.limit.settings import limit_settings
from askance.build.limit.writing import limit_collection
from askance.data.adapters.limit import load
from askance.data.collection import Collection
from askance.irl.lint.findings import LintFound

SIZE: dict[str, Any] = {"documents": 5000, "queries": 300, "padding": 600, "items": 24}
COLLIDING: dict[str, Any] = {**SIZE, "containment": 0.15, "name_collisions": 0.15}


def failures(collection: Collection, phrases: dict[str, str]) -> set[str]:
    """Queries whose first places are not all gold, by hand."""
    judgments = next(iter(collection.tiers.values())).judgments
    gold: dict[str, set[str]] = {}
    for at, query in enumerate(collection.queries.ids):
        documents = judgments.document[judgments.offsets[at] : judgments.offsets[at + 1]]
        gold[query] = {collection.documents.ids.names[document] for document in documents.tolist()}
    return PhraseSearch(collection.documents.ids.names, collection.documents.field("text")).failures(phrases, gold)


def asked_for(collection: Collection, before: str, behind: str) -> dict[str, str]:
    """What each question asks for, by its template."""
    questions = zip(collection.queries.ids, collection.queries.field("text"), strict=True)
    return {query: text.removeprefix(before).removesuffix(behind) for query, text in questions}


def foretold(found: LintFound) -> set[str]:
    by_findings = {query for finding in found.harmful for query in finding.queries}
    assert by_findings == {one.query for one in found.questions}
    return {one.query for one in found.questions if one.query is not None}


@pytest.mark.parametrize(
    ("seed", "more", "before", "behind"),
    [
        (101, {}, "Who likes ", "?"),
        (
            102,
            {"frame": "fond", "negatives": {"split": 60, "containment": 60, "name": 60}},
            "Which people are fond of ",
            "?",
        ),
        (103, {"frame": "german", "negatives": {"negation": "document", "attribution": "document"}}, "Wer mag ", "?"),
    ],
)
def test_recall_and_precision(seed: int, more: dict[str, Any], before: str, behind: str) -> None:
    collection = limit_collection(limit_settings(seed=seed, **COLLIDING, **more))
    real = failures(collection, asked_for(collection, before, behind))
    told = foretold(lint(collection))
    assert len(real) > 20
    assert real <= told, sorted(real - told)
    assert len(real & told) >= 0.8 * len(told), sorted(told - real)


def test_silent_on_a_clean_collection() -> None:
    collection = limit_collection(limit_settings(seed=104, **SIZE))
    assert not failures(collection, asked_for(collection, "Who likes ", "?"))
    found = lint(collection)
    assert found.questions == ()
    assert found.harmful == ()


EIGHT = {"Forests", "Venus", "Clouds", "Honey", "Snow", "Apple Cider", "Ties", "Delight"}
NAMES = {"Patience", "Risk", "Sage", "Love", "Ivy", "Sanders", "Jade", "Barley", "Rosemary", "Gouda"}
NOT_NAMES_HERE = {"Muenster", "Windows", "Socks", "Sailing", "Calamari"}


@pytest.fixture(scope="module")
def recon(shared_data: Path) -> Collection:
    return load(shared_data, "limit-recon")


@pytest.fixture(scope="module")
def found(recon: Collection) -> LintFound:
    begun = time.process_time()
    told = lint(recon)
    assert time.process_time() - begun < 40  # 9 s on one free core
    return told


def test_limit(recon: Collection, found: LintFound) -> None:
    """The longer items and names that the published failures were put down to, and the 30 wrong questions.

    The reconstruction invents who the other documents are about: five of the fifteen names are nobody's.
    """
    by_kind = {
        kind: {finding.text for finding in found.harmful if finding.kind == kind}
        for kind in ("item in item", "item in name", "across a boundary")
    }
    assert by_kind["item in item"] == EIGHT | {"Iron", "Fishing"}
    assert by_kind["item in name"] >= NAMES
    assert by_kind["across a boundary"] == {"Milk Chocolate"}
    assert len(found.questions) == found.failing() == 30
    assert Counter(one.harm for one in found.questions) == {"hidden": 6, "outranked": 24}
    hidden = {one.text for one in found.questions if one.harm == "hidden"}
    assert hidden == {"Forests", "Venus", "Clouds", "Honey", "Snow", "Apple Cider"}
    people = " ".join(recon.documents.ids.names).split()
    assert not NOT_NAMES_HERE & set(people)
    assert found.outside == {}


def test_limit_fails_just_there(recon: Collection, found: LintFound) -> None:
    """Phrase search by hand over 50,000 documents, for the foretold questions and as many others."""
    told = foretold(found)
    phrases = asked_for(recon, "Who likes ", "?")
    others = sorted(phrases.keys() - told)[::25]
    looked_at = {query: phrases[query] for query in [*sorted(told), *others]}
    assert failures(recon, looked_at) == told
