"""An index is loaded beside what answers and takes its place when it is whole; else nothing changes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.engines.opensearch.parity import ByRecord, made_fielded

from askance.app.index import change_index
from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.engines.opensearch import aliases
from askance.engines.opensearch.address import address_of
from askance.engines.opensearch.building import build, count_of
from askance.engines.opensearch.connection import Connection
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.mapping import index_body
from askance.engines.opensearch.meta import Meta
from askance.engines.opensearch.problems import NoSuchIndex
from askance.engines.settings import Indexed, IndexSettings
from askance.irl.parser import parse


def snow(count: int, word: str = "snow") -> list[Indexed]:
    return [Indexed(f"d{at}", f"{word} {at}") for at in range(count)]


@pytest.fixture
def connection(opensearch_place: str) -> Iterator[Connection]:
    with Connection.open(address_of(opensearch_place)) as opened:
        yield opened


def names(connection: Connection, place: str) -> list[str]:
    """All indexes of a place, whether something points to them or not."""
    found = connection.send("GET", f"/{address_of(place).index}*", parameters={"expand_wildcards": "all"})
    return sorted(found)


def found(place: str, query: str = '(lex "snow")') -> tuple[str, ...]:
    engine = OpenSearchEngine.open(place)
    try:
        return engine.search(parse(query), 100).documents
    finally:
        engine.close()


def test_what_was_loaded_answers(opensearch_place: str, connection: Connection) -> None:
    meta = build(snow(3), opensearch_place)
    assert meta.complete
    assert meta.counts.documents == 3
    assert found(opensearch_place) == ("d0", "d1", "d2")
    assert len(names(connection, opensearch_place)) == 1


def test_an_empty_index_answers_with_nothing(opensearch_place: str) -> None:
    build([], opensearch_place)
    assert found(opensearch_place) == ()


def test_a_second_one_is_refused_unless_it_replaces_the_first(opensearch_place: str, connection: Connection) -> None:
    build(snow(3), opensearch_place)
    with pytest.raises(BadInput, match="is an index already"):
        build(snow(5), opensearch_place)
    assert len(found(opensearch_place)) == 3
    build(snow(5), opensearch_place, replace=True)
    assert len(found(opensearch_place)) == 5
    assert len(names(connection, opensearch_place)) == 1


def broken(count: int, problem: BaseException) -> Iterator[Indexed]:
    yield from snow(count)
    raise problem


@pytest.mark.parametrize(
    ("documents", "error", "match"),
    [
        ([*snow(2500), Indexed("d7", "again")], DataProblem, "'d7' comes twice: document 8 and document 2501"),
        (broken(2500, FileProblem("x.jsonl", "is cut", line=2501)), FileProblem, "is cut"),
        (broken(3, KeyboardInterrupt()), KeyboardInterrupt, None),
        ([*snow(2), Indexed("d" * 600, "long")], DataProblem, "has 600 bytes"),
        ([*snow(2), Indexed("half", "a\ud800b")], DataProblem, "'half' holds half a character"),
        ([*snow(2), Indexed("", "no name")], DataProblem, "identifier"),
        ([*snow(2), Indexed("x", "y", {"n": float("nan")})], DataProblem, "not a number"),
    ],
    ids=["twice", "cut", "interrupted", "long identifier", "surrogate", "empty identifier", "not a number"],
)
def test_a_load_that_fails_changes_nothing(
    documents: object, error: type[BaseException], match: str | None, opensearch_place: str, connection: Connection
) -> None:
    build(snow(3), opensearch_place)
    before = names(connection, opensearch_place)
    with pytest.raises(error, match=match):
        build(documents, opensearch_place, replace=True)  # type: ignore[arg-type]
    assert names(connection, opensearch_place) == before
    assert found(opensearch_place) == ("d0", "d1", "d2")


def test_an_alias_that_was_switched_meanwhile_is_left_alone(opensearch_place: str, connection: Connection) -> None:
    build(snow(2), opensearch_place)

    def documents() -> Iterator[Indexed]:
        yield from snow(2)
        build(snow(7), opensearch_place, replace=True)  # somebody else

    with pytest.raises(BadInput, match="was switched meanwhile"):
        build(documents(), opensearch_place, replace=True)
    assert len(found(opensearch_place)) == 7
    assert len(names(connection, opensearch_place)) == 1


def test_an_engine_goes_on_with_what_took_the_place_of_its_index(opensearch_place: str) -> None:
    build(snow(2), opensearch_place)
    engine = OpenSearchEngine.open(opensearch_place)
    build(made_fielded(20).documents, opensearch_place, schema=ByRecord(), replace=True)
    assert engine.search(parse('(lex "snow" :match any)'), 5).total > 0
    assert engine.facts.has_items
    assert engine.documents == 20
    engine.close()


def test_a_half_loaded_index_says_so(opensearch_place: str, connection: Connection) -> None:
    address = address_of(opensearch_place)
    name = aliases.new_name(address.index)
    connection.send("PUT", f"/{name}", index_body(Meta(settings=IndexSettings())))
    with pytest.raises(NoSuchIndex, match="there is no such index"):
        OpenSearchEngine.open(opensearch_place)
    with pytest.raises(BadInput, match="half loaded"):
        OpenSearchEngine.open(opensearch_place.replace(address.index, name))
    assert aliases.left_over(connection, address.index) == [name]
    build(snow(1), opensearch_place)
    engine = OpenSearchEngine.open(opensearch_place)
    assert name in engine.left_over_notes()[0]
    engine.close()


def test_an_index_of_somebody_else_is_neither_read_nor_replaced(opensearch_place: str, connection: Connection) -> None:
    name = address_of(opensearch_place).index
    connection.send("PUT", f"/{name}", {"mappings": {"properties": {"text": {"type": "text"}}}})
    for asked in (
        lambda: OpenSearchEngine.open(opensearch_place),
        lambda: build(snow(1), opensearch_place, replace=True),
    ):
        with pytest.raises(BadInput, match="is an index itself, and not an alias"):
            asked()
    other = f"{name}-behind"
    connection.send("PUT", f"/{other}", {"aliases": {f"{name}-alias": {}}})
    with pytest.raises(BadInput, match="was not made by askance"):
        OpenSearchEngine.open(f"{opensearch_place}-alias")


def test_fields_of_text_that_come_late(opensearch_place: str) -> None:
    documents = [Indexed("a", "x", record={"texts": {}}), Indexed("b", "y", record={"texts": {"b.c": "snow"}})]
    meta = build(documents, opensearch_place, schema=ByRecord())
    assert meta.fields == ("text", "b.c")
    assert found(opensearch_place, '(lex "snow" :field "b.c")') == ("b",)


def test_counts_are_those_of_the_server(opensearch_place: str, connection: Connection) -> None:
    build(snow(2345), opensearch_place)
    (name,) = names(connection, opensearch_place)
    assert count_of(connection, name) == 2345


@pytest.mark.parametrize("ending", ["größe", "a%b&c=d+e", "x.y_z", "日本"])
def test_names_of_any_letters(ending: str, opensearch_place: str) -> None:
    place = f"{opensearch_place}-{ending}"
    build(snow(2), place)
    assert found(place) == ("d0", "d1")
    change_index(place, [Indexed("d2", "snow")])
    assert set(found(place)) == {"d0", "d1", "d2"}
