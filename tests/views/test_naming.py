"""Names of slots."""

from __future__ import annotations

from askance.text.analyzer import Analyzer
from askance.views.naming import Names


def test_in_order_and_one_word_each() -> None:
    names = Names(frozenset())
    given = [names.next() for _ in range(54)]
    assert given[:2] == ["unita", "unitb"]
    assert given[25:28] == ["unitz", "unitaa", "unitab"]
    assert len(set(given)) == 54
    assert all(Analyzer().terms(name) == [name] for name in (*given, names.of_rule("number")))


def test_another_stem_where_the_collection_has_such_a_word() -> None:
    assert Names({"unitb"}).next() == "slota"
    assert Names({"unitb", "slotnumber"}).next() == "entitya"
    assert Names({"unit", "units"}).next() == "slota"  # "units" is the nineteenth name
