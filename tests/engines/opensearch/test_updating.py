"""A change is made on a copy and holds whole or not at all; afterwards the engines agree as before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.engines.opensearch.parity import EMBEDDER, ByRecord, agree, in_both, made_fielded, opened

from askance.core.errors import BadInput, DataProblem
from askance.engines.embedded.engine import change as change_here
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import build
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.problems import NoSuchIndex
from askance.engines.opensearch.updating import change as change_there
from askance.engines.settings import Indexed
from askance.irl.parser import parse
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore


def test_the_engines_agree_after_updates_and_deletes(tmp_path: Path, opensearch_place: str) -> None:
    drawn, later = made_fielded(120), made_fielded(60, seed=9).documents
    both = in_both(drawn, tmp_path, opensearch_place)
    gone = [f"d{at:03d}" for at in range(80, 100)]
    new = [Indexed(f"new{at}", one.text, one.metadata, one.record) for at, one in enumerate(later[:15])]
    put = [*later, *new]
    store = VectorStore(tmp_path / "store")
    schema = ByRecord()
    change_here(tmp_path / "here", put=put, delete=gone, schema=schema, embedder=EMBEDDER, store=store, compact=True)
    meta = change_there(
        opensearch_place, put=put, delete=gone, schema=schema, embedder=EMBEDDER, store=store, compact=True
    )
    both = opened(drawn, tmp_path, opensearch_place)
    assert meta.counts.documents == both.here.documents == 120 - 20 + 15
    assert meta.counts.model_dump(exclude={"positions"}) == both.here.manifest.counts.model_dump(exclude={"positions"})
    agree(both, 120)  # positions are counted anew where the embedded index is compacted; their order stays


def test_an_updated_document_keeps_its_place_among_ties(opensearch_place: str) -> None:
    build([Indexed(f"d{at}", "snow") for at in range(5)], opensearch_place)
    change_there(opensearch_place, put=[Indexed("d1", "snow"), Indexed("e", "snow")], compact=True)
    engine = OpenSearchEngine.open(opensearch_place)
    answer = engine.search(parse('(lex "snow")'), 10)
    assert answer.documents == ("d0", "d1", "d2", "d3", "d4", "e")
    assert np.array_equal(answer.positions, np.arange(6))
    engine.close()


def test_what_was_deleted_counts_until_the_index_is_compacted(opensearch_place: str) -> None:
    build([Indexed(f"d{at}", "snow" if at else "rain") for at in range(5)], opensearch_place)
    change_there(opensearch_place, delete=["d4"])
    engine = OpenSearchEngine.open(opensearch_place)
    assert "1 deleted and 0 updated documents count in the statistics" in " ".join(engine.card.notes)
    assert engine.search(parse('(lex "snow")'), 10).documents == ("d1", "d2", "d3")
    engine.close()
    change_there(opensearch_place, compact=True)
    engine = OpenSearchEngine.open(opensearch_place)
    assert not engine.card.notes
    (count, idf) = 4, np.log(1 + (4 - 3 + 0.5) / 3.5)
    explained = engine.explain(parse('(lex "snow")'), "d1")
    assert engine.documents == count
    assert explained.figures["idf"] == pytest.approx(idf, rel=1e-6)
    engine.close()


@pytest.mark.parametrize(
    ("put", "delete", "match"),
    [
        ([], ["d0", "zzz"], "'zzz' is not in the index, which has 3 documents"),
        ([Indexed("a", "x"), Indexed("a", "y")], [], "'a' comes twice in one batch"),
        ([Indexed("d0", "x")], ["d0"], "'d0' comes twice in one batch"),
        ([Indexed("a", "x"), Indexed("b", "\ud800")], ["d0"], "half a character"),
    ],
)
def test_a_change_that_fails_changes_nothing(
    put: list[Indexed], delete: list[str], match: str, opensearch_place: str
) -> None:
    build([Indexed(f"d{at}", "snow") for at in range(3)], opensearch_place)
    with pytest.raises(DataProblem, match=match):
        change_there(opensearch_place, put=put, delete=delete)
    engine = OpenSearchEngine.open(opensearch_place)
    assert engine.search(parse('(lex "snow")'), 10).documents == ("d0", "d1", "d2")
    index = engine.index
    engine.close()
    with Connection.open(address_of(opensearch_place)) as connection:
        name = address_of(opensearch_place).index
        assert list(connection.send("GET", f"/{name}*")) == [index]
        blocks = connection.send("GET", f"/{index}/_settings")[index]["settings"]["index"].get("blocks", {})
        assert blocks.get("write") in (None, "false")
    change_there(opensearch_place, put=[Indexed("d0", "rain")])


def test_another_model_and_another_schema_are_refused(tmp_path: Path, opensearch_place: str) -> None:
    in_both(made_fielded(20), tmp_path, opensearch_place)
    with pytest.raises(BadInput, match="Vectors of two models cannot be compared|would be embedded by"):
        change_there(opensearch_place, put=[], schema=ByRecord(), embedder=FakeEmbedder(dimension=8))
    with pytest.raises(BadInput, match="would be embedded by"):
        OpenSearchEngine.open(opensearch_place, FakeEmbedder(dimension=8))
    build([Indexed("a", "x")], f"{opensearch_place}-plain")
    with pytest.raises(BadInput, match="built without one"):
        change_there(f"{opensearch_place}-plain", put=[], schema=ByRecord())


def test_there_is_nothing_to_change(opensearch_place: str) -> None:
    with pytest.raises(NoSuchIndex, match="there is no such index"):
        change_there(opensearch_place, put=[Indexed("a", "x")])
