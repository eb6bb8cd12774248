"""A study may search an index that stands: on either engine it gives what an index made for it gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.retrieve.test_irl import LIKES, TEXTS, retrieve, task

from askance.core.errors import AskanceError, BadInput
from askance.data.fields.pattern import PatternSchema
from askance.engines.registry import engine_kind
from askance.engines.settings import Indexed
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore
from askance.retrieve.irl import IrlSettings
from askance.retrieve.retriever import Resources

DOCUMENTS = [Indexed(id, text, record={"text": text}) for id, text in zip("abcdef", TEXTS, strict=True)]


def stands(place: str, documents: list[Indexed] = DOCUMENTS, vectors: bool = False) -> str:
    embedder = FakeEmbedder() if vectors else None
    engine_kind(place).build(documents, place, schema=PatternSchema(LIKES), embedder=embedder)
    return place


@pytest.fixture(params=["folder", "cluster"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "folder":
        return str(tmp_path / "index")
    return str(request.getfixturevalue("opensearch_place"))


def test_it_gives_what_an_index_of_its_own_gives(place: str) -> None:
    made = retrieve({"pattern": LIKES}, task())
    found = retrieve({"index": stands(place)}, task())
    assert found.document.tolist() == made.document.tolist()
    assert np.allclose(found.score, made.score, atol=2e-5)


def test_documents_may_stand_in_another_order(place: str) -> None:
    """They are matched by their identifiers, and equal scores stand as the study's documents do."""
    excluded = {"q0": ["b"]}
    made = retrieve({"pattern": LIKES}, task(excluded=excluded))
    found = retrieve({"index": stands(place, DOCUMENTS[::-1])}, task(excluded=excluded))
    assert found.document.tolist() == made.document.tolist()


@pytest.mark.parametrize("settings", [{"clauses": "knn"}, {"fuse": "rrf"}, {"clauses": "lex"}, {}])
def test_vectors_are_asked_where_a_model_is_named(place: str, settings: dict[str, Any], tmp_path: Path) -> None:
    stands(place, vectors=True)
    resources = Resources(FakeEmbedder(), VectorStore(tmp_path / "store"))
    made = retrieve({"pattern": LIKES, **settings}, task(), resources)
    found = retrieve({"index": place, **settings}, task(), resources)
    assert found.document.tolist() == made.document.tolist()
    if not settings:  # and left alone where none is, as a study says
        assert retrieve({"index": place}, task()).document.tolist() == (
            retrieve({"pattern": LIKES}, task()).document.tolist()
        )


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        (DOCUMENTS[:4], r"lacks 2 documents \('e', 'f'\) of the study"),
        ([*DOCUMENTS, Indexed("g", "Gus likes Tea.")], r"holds 1 document \('g'\) that the study has not"),
        ([*DOCUMENTS[:5], Indexed("f", "another")], r"holds 1 document \('f'\) with another text"),
        ([], r"lacks 6 documents \('a', 'b', 'c', and 3 more\)"),
    ],
)
def test_other_documents_are_refused(place: str, documents: list[Indexed], said: str) -> None:
    stands(place, documents)
    with pytest.raises(BadInput, match=f"(?s){said}.*leave `index` out"):
        retrieve({"index": place}, task())


def test_what_does_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has its own schema"):
        IrlSettings(index="there", pattern=LIKES)
    place = stands(str(tmp_path / "index"))
    resources = Resources(FakeEmbedder(), VectorStore(tmp_path / "store"))
    with pytest.raises(BadInput, match="has no vectors"):
        retrieve({"index": place, "clauses": "knn"}, task(), resources)
    with pytest.raises(AskanceError, match="nowhere"):
        retrieve({"index": str(tmp_path / "nowhere")}, task())
