"""Filters by metadata: typed values, ranges, and what cannot be asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.engines.embedded.building import build_index
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.metadata import keyword_of, kind_of, prefix_of, value_in
from askance.engines.settings import Indexed
from askance.irl.nodes import And, Filter, Lex, Not, Or

METADATA: list[dict[str, str | float | bool]] = [
    {"year": 1999.0, "lang": "de", "open": True},
    {"year": 2005, "lang": "DE", "open": False},
    {"year": -3.5, "lang": "en"},
    {"year": 2005.0, "lang": "", "odd:key\x1f1": "a b"},
    {},
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedIndex:
    folder = tmp_path_factory.mktemp("metadata") / "index"
    texts = ["snow", "snow rain", "rain", "", "snow"]
    pairs = zip(texts, METADATA, strict=True)
    build_index([Indexed(f"d{n}", text, metadata=each) for n, (text, each) in enumerate(pairs)], folder)
    return EmbeddedIndex.open(folder)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        (Filter("year", (2005.0,)), [1, 3]),
        (Filter("year", (2005,)), [1, 3]),
        (Filter("year", (2005.0, -3.5, 7.0)), [1, 2, 3]),
        (Filter("year", low=0.0), [0, 1, 3]),
        (Filter("year", high=1999.0), [0, 2]),
        (Filter("year", low=-3.5, high=1999.0), [0, 2]),
        (Filter("year", low=3000.0), []),
        (Filter("lang", ("de",)), [0]),
        (Filter("lang", ("",)), [3]),
        (Filter("lang", ("fr",)), []),
        (Filter("lang", low="d", high="en"), [0, 2]),
        (Filter("open", (True,)), [0]),
        (Filter("open", (True, False)), [0, 1]),
        (Filter("odd:key\x1f1", ("a b",)), [3]),
    ],
)
def test_filters(index: EmbeddedIndex, clause: Filter, expected: list[int]) -> None:
    assert index.filter(clause).tolist() == expected
    top = index.search_top(And((Or((Lex("snow"), Lex("rain"))), clause)), 10)
    assert top is not None
    assert sorted(top[0].tolist()) == [at for at in expected if at != 3]


def test_a_filter_adds_nothing_and_stands_only_beside_words(index: EmbeddedIndex) -> None:
    plain, kept = index.search_top(Lex("snow"), 9), index.search_top(And((Lex("snow"), Filter("lang", ("de",)))), 9)
    assert plain is not None
    assert kept is not None
    assert kept[1].tolist() == [score for at, score in zip(*plain[:2], strict=True) if at == 0]
    assert index.search_top(Filter("lang", ("de",)), 9) is None
    assert index.search_top(Or((Lex("snow"), Filter("lang", ("de",)))), 9) is None
    assert index.search_top(And((Filter("lang", ("de",)), Not(Lex("snow")))), 9) is None


def test_what_cannot_be_asked(index: EmbeddedIndex) -> None:
    with pytest.raises(UnknownName, match="no metadata key 'yaer'") as unknown:
        index.filter(Filter("yaer", (1.0,)))
    assert "Did you mean 'year'" in str(unknown.value)
    with pytest.raises(BadInput, match="'2005' is a text, and its values are: number"):
        index.filter(Filter("year", ("2005",)))
    with pytest.raises(BadInput, match="is a number, and its values are: yes or no"):
        index.filter(Filter("open", low=0.0))
    assert index.manifest.counts.metadata["year"] == {"number": 4}


@pytest.mark.parametrize(
    ("metadata", "complaint"),
    [({"year": float("nan")}, "NaN"), ({"tags": ["a"]}, "'tags' is a list"), ({"long": "x" * 9000}, "9000 characters")],
)
def test_what_cannot_be_kept(metadata: dict[str, float], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match=f"document 'bad', metadata: .*{complaint}"):
        build_index([Indexed("bad", "x", metadata=metadata)], tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


VALUES = st.one_of(st.text(max_size=20), st.booleans(), st.floats(allow_nan=False), st.integers(-(2**53), 2**53))


@given(st.text(max_size=8), VALUES)
def test_keywords_give_the_value_back(key: str, value: str | float | bool) -> None:
    prefix = prefix_of(key, kind_of(value))
    written = keyword_of(key, value)
    assert written.startswith(prefix)
    assert value_in(written, prefix) == value


@given(st.tuples(st.text(max_size=6), VALUES), st.tuples(st.text(max_size=6), VALUES))
def test_other_keys_and_values_have_other_keywords(one: tuple[str, float], other: tuple[str, float]) -> None:
    same = one[0] == other[0] and kind_of(one[1]) == kind_of(other[1]) and one[1] == other[1]
    assert (keyword_of(*one) == keyword_of(*other)) == same
