"""A run and judgments brought over one set of identifiers: nothing moves but the places."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from askance.data.convert.dicts import judgments_from_dict, judgments_to_dict, run_from_dict, run_to_dict
from askance.data.fit import fit
from askance.data.ids import Ids
from askance.data.interning import Interner
from askance.data.judgments import Judgments
from askance.data.run import Run

names = st.sampled_from(["a", "b", "c", "d", "é", "7"])
tables = st.dictionaries(names, st.dictionaries(names, st.floats(-9, 9), max_size=4), max_size=4)


@given(tables, tables)
def test_rows_keep_what_they_say(scores: dict[str, dict[str, float]], grades: dict[str, dict[str, float]]) -> None:
    run, judgments = run_from_dict(scores), judgments_from_dict(grades)
    found = fit(run, judgments)
    assert found.run.queries is judgments.queries
    assert found.run.documents is found.judgments.documents
    assert found.run.documents.names[: len(judgments.documents)] == judgments.documents.names
    assert set(found.run.documents.names) == set(judgments.documents.names) | set(run.documents.names)
    lists = run_to_dict(found.run)
    assert list(lists) == list(grades)
    for query in grades:
        assert list(lists[query].items()) == list(scores.get(query, {}).items())
    assert judgments_to_dict(found.judgments) == {
        query: dict(sorted(row.items(), key=lambda pair: judgments.documents.names.index(pair[0])))
        for query, row in grades.items()
    }
    assert found.unjudged == tuple(query for query in scores if query not in grades)
    assert found.missing == tuple(query for query in grades if query not in scores)


def test_what_is_over_one_set_already_stays_as_it_is() -> None:
    queries, documents = Ids(["q2", "q1"]), Ids(["b", "a"])
    run = Run.of("r", queries, documents, {"q1": [("a", 2.0), ("b", 1.0)]})
    judgments = Judgments.of(queries, documents, {"q2": {"a": 1.0}})
    found = fit(run, judgments)
    assert found.run.documents is documents
    assert np.array_equal(found.run.document, run.document)
    assert np.array_equal(found.run.offsets, run.offsets)
    assert found.problems == ()


def test_files_that_share_an_interner_are_over_its_documents() -> None:
    import polars

    interner, queries = Interner(), Ids(["q"])
    judged = interner.positions(polars.Series(["b", "a"]))
    known = interner.ids()
    listed = interner.positions(polars.Series(["a", "c"]))
    judgments = Judgments(queries, known, np.array([0, 2]), np.sort(judged), np.ones(2))
    run = Run("r", queries, interner.ids(), np.array([0, 2]), listed, np.array([2.0, 1.0]))
    found = fit(run, judgments)
    assert found.run.documents.names == ("b", "a", "c")
    assert run_to_dict(found.run) == {"q": {"a": 2.0, "c": 1.0}}
    assert known.names == ("b", "a")


def test_identifiers_in_a_column_are_those_of_a_list() -> None:
    import polars

    interner = Interner()
    interner.positions(polars.Series(["x", "y", "x", "é"]))
    later, plain = interner.ids(), Ids(["x", "y", "é"])
    assert (len(later), later[1], later[1:], list(later)) == (3, "y", ("y", "é"), ["x", "y", "é"])
    assert later == plain
    assert plain == later
    assert hash(later) == hash(plain)
    assert (later.position("é"), later.position("z"), "y" in later) == (2, None, True)
    assert later.column.to_list() == plain.column.to_list()
    assert Ids([]) == Interner().ids()
    assert Ids(["x"]) != later


@given(st.lists(names, max_size=30), st.integers(1, 5))
def test_positions_are_those_of_first_appearance(listed: list[str], at_once: int) -> None:
    import polars

    interner, grouped = Interner(), Interner()
    parts = [listed[at : at + at_once] for at in range(0, len(listed), at_once)]
    positions = [interner.positions(polars.Series(part, dtype=polars.String)).tolist() for part in parts]
    assert [at for part in positions for at in part] == [list(dict.fromkeys(listed)).index(name) for name in listed]
    assert interner.ids().names == tuple(dict.fromkeys(listed))
    again = [grouped.grouped_positions(polars.Series(part, dtype=polars.String)).tolist() for part in parts]
    assert again == positions
