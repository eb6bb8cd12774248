"""Retrieval by the query language: against searches that are written out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from askance.core.errors import BadInput, ModelFailed
from askance.core.progress import Recorder, Silent
from askance.data.collection import Excluded
from askance.data.fields.pattern import PatternSchema
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.embedded.engine import EmbeddedEngine, build
from askance.engines.settings import Indexed
from askance.irl.parser import parse
from askance.irl.rewrite.by_model import MAX_TOKENS, prompt
from askance.models.chat_fake import RecordedModel, ScriptedModel
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.retriever import Resources, RetrievalTask

LIKES = r"(?P<name>.+?) (?P<relation>likes|does not like) (?P<items>.+)\."
TEXTS = [
    "Ann likes Snow Leopards, Tea.",
    "Bo likes Reed, Oak, Tin, Wool, Clay, Moss, Cork, Salt, Rice, Snow.",
    "Snow Cole likes Honey, Tea.",
    "Di does not like Snow, Honey.",
    "Ed likes Snow Leopards, Honey.",
    "nothing about anybody",
]
QUESTIONS = {"q0": "Who likes Snow?", "q1": "Who does not like Snow?", "q2": "Who likes Honey?", "q3": "zzz"}

TEA = '(relation "likes" (or (exact "tea") (lex "tea" :field items)))'
NO_HONEY = '(not (relation "likes" (exact "honey")))'


def task(depth: int = 6, excluded: dict[str, list[str]] | None = None) -> RetrievalTask:
    queries, documents = Ids(QUESTIONS), Ids("abcdef")
    never = Excluded.of(queries, documents, excluded) if excluded else None
    return RetrievalTask(queries, list(QUESTIONS.values()), documents, TEXTS, depth, never)


def retrieve(settings: dict[str, Any], asked: RetrievalTask, resources: Resources = Resources()) -> Run:  # noqa: B008
    return IrlRetriever.build(IrlSettings.model_validate(settings), resources).retrieve(asked, Silent())


def listed(run: Run) -> dict[str, str]:
    """Query → its documents in order, as one word."""
    return {name: "".join(run.documents[at] for at in run.of_query(row)[0]) for row, name in enumerate(run.queries)}


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    """An index of the same documents, to be asked by hand."""
    folder, embedder = tmp_path_factory.mktemp("hand"), FakeEmbedder()
    documents = [Indexed(id, text, record={"text": text}) for id, text in zip("abcdef", TEXTS, strict=True)]
    store = VectorStore(folder / "store")
    build(documents, folder / "index", schema=PatternSchema(LIKES), embedder=embedder, store=store)
    return EmbeddedEngine.open(folder / "index", embedder)


def test_an_exact_item_stands_before_a_longer_one_and_a_name_is_none() -> None:
    found = listed(retrieve({"pattern": LIKES}, task()))
    assert found["q0"] == "bae"  # exact, then the phrase in longer items; not c, whose name is Snow
    assert found["q1"] == "d"  # the other relation
    assert found["q2"][:2] in ("ce", "ec")
    assert found["q3"] == ""


def test_one_text_field_takes_a_name_for_an_item() -> None:
    found = listed(retrieve({"pattern": LIKES, "form": "text"}, task()))
    assert set(found["q0"]) == set("abcde")
    assert found["q0"] != "bae"


def test_scores_are_those_of_the_expression(hand: EmbeddedEngine) -> None:
    run = retrieve({"pattern": LIKES}, task())
    found = hand.search(parse('(relation "likes" (or (exact "snow") (lex "snow" :field items)))'), 10)
    assert listed(run)["q0"] == "".join(found.documents)
    assert run.of_query(0)[1].tolist() == found.scores.tolist()


def test_the_schema_is_learned_where_no_pattern_is_given() -> None:
    found = listed(retrieve({}, task()))
    assert found["q0"][0] == "b"


def test_documents_that_do_not_split_are_searched_as_text() -> None:
    texts = ["a green lamp", "a lamp on a desk", "the desk is green and wide"]
    asked = RetrievalTask(Ids(["q"]), ["Where is the green lamp?"], Ids("abc"), texts, 3)
    assert listed(retrieve({}, asked))["q"][0] == "a"
    with pytest.raises(BadInput, match='form = "fields" asks for items'):
        retrieve({"form": "fields"}, asked)


@pytest.mark.parametrize(
    ("settings", "expression"),
    [
        ({}, "(or {knn} {lex})"),
        ({"clauses": "knn"}, "{knn}"),
        ({"clauses": "lex"}, "{lex}"),
        ({"fuse": "rrf"}, "(or {knn} {lex} :fuse rrf)"),
        ({"fuse": "minmax", "weights": (1, 3)}, "(or {knn} {lex} :fuse minmax :weights (1 3))"),
        ({"fuse": "sum", "weights": (0, 1)}, "(or {knn} {lex} :fuse sum :weights (0 1))"),
    ],
)
def test_clauses_and_fusion(hand: EmbeddedEngine, tmp_path: Path, settings: dict[str, Any], expression: str) -> None:
    resources = Resources(FakeEmbedder(), VectorStore(tmp_path / "vectors"))
    run = retrieve({"pattern": LIKES, **settings}, task(), resources)
    lex = '(relation "likes" (or (exact "snow") (lex "snow" :field items)))'
    found = hand.search(parse(expression.format(knn='(knn "Who likes Snow?")', lex=lex)), 10)
    assert listed(run)["q0"] == "".join(found.documents)
    np.testing.assert_allclose(run.of_query(0)[1], found.scores, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "expression"),
    [
        ({}, f'(and (or (knn "Who likes Tea but not Honey?") {TEA}) {NO_HONEY})'),
        ({"clauses": "lex"}, f"(and {TEA} {NO_HONEY})"),
        ({"clauses": "knn"}, f'(and (knn "Who likes Tea but not Honey?") {NO_HONEY})'),
        ({"fuse": "rrf"}, f'(and (or (knn "Who likes Tea but not Honey?") {TEA} :fuse rrf) {NO_HONEY})'),
    ],
    ids=str,
)
def test_what_is_excluded_stays_so(hand: EmbeddedEngine, settings: dict[str, Any], expression: str) -> None:
    retriever = IrlRetriever.build(IrlSettings.model_validate(settings), Resources(FakeEmbedder()))
    assert isinstance(retriever, IrlRetriever)
    (made,) = retriever.rewritten(hand, ["Who likes Tea but not Honey?"], Silent())
    assert made.query == parse(expression)
    found = set(hand.search(made.query, 6).documents)
    assert "a" in found
    assert found <= set("abdf")


def test_depth_and_excluded_documents() -> None:
    whole = listed(retrieve({"pattern": LIKES}, task()))
    assert listed(retrieve({"pattern": LIKES}, task(2)))["q0"] == whole["q0"][:2]
    without = listed(retrieve({"pattern": LIKES}, task(2, {"q0": ["b"], "q2": ["c", "e"]})))
    assert without["q0"] == "ae"
    assert set(without["q2"]) <= set("d")
    assert without["q1"] == "d"


def test_a_model_finds_the_keyword_and_rules_where_it_does_not(tmp_path: Path) -> None:
    replies = {"Who likes Snow?": "(honey)", "zzz": "I cannot say."}
    told = ScriptedModel(lambda messages: next((r for q, r in replies.items() if q in messages[-1].content), "(snow)"))
    recorder = RecordedModel(tmp_path / "said.jsonl", told)
    for question in QUESTIONS.values():
        recorder.complete(prompt(question), max_tokens=MAX_TOKENS)
    settings = {
        "pattern": LIKES,
        "rewrite": "model",
        "rewriter": {"kind": "recorded", "path": str(tmp_path / "said.jsonl")},
    }
    found = listed(retrieve(settings, task()))
    by_rules = listed(retrieve({"pattern": LIKES}, task()))
    assert found["q0"] == by_rules["q2"]  # what the model said
    assert (found["q1"], found["q3"]) == (by_rules["q1"], by_rules["q3"])
    (tmp_path / "said.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(ModelFailed, match="has no answer to the request"):
        retrieve(settings, task())


def test_what_needs_an_embedder_says_so() -> None:
    for settings in ({"clauses": "knn"}, {"fuse": "rrf"}):
        with pytest.raises(BadInput, match="needs an embedder"):
            IrlRetriever.build(IrlSettings.model_validate(settings), Resources())


def test_the_work_is_told() -> None:
    recorder = Recorder()
    IrlRetriever.build(IrlSettings(pattern=LIKES), Resources()).retrieve(task(), recorder)
    started = {what: total for kind, what, total in recorder.events if kind == "start"}
    assert started["rewrite questions"] == started["search by expressions"] == 4
    done = [units for kind, what, units in recorder.events if (kind, what) == ("advance", "search by expressions")]
    assert sum(filter(None, done)) == 4
