"""What tantivy is given of a text is what the analyzer makes of it."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from askance.data.fields.schema import Fact
from askance.engines import item_forms
from askance.engines.embedded.analysis import joined
from askance.engines.item_forms import ItemForms
from askance.engines.settings import Analysis
from askance.engines.words import analyzer_of, fact_places, key_of, keyword, phrase_of, places
from askance.text.analyzer import Analyzer

PLAIN = Analyzer()
VARIANTS = [
    Analysis(),
    Analysis(fold_apostrophes=True),
    Analysis(normalize="nfkc"),
    Analysis(stemmer="english"),
    Analysis(stop_words=("the", "a")),
]
ODD = st.text(alphabet="aZ9é中ひカ _.',:;-’\n\t\u0301\u200d\u00ad😀🏽❤\ufe0f\u202f\u05d0\"İΣ", max_size=40)
WORDY = st.lists(st.sampled_from(["Snow", "the", "Levi's", "3.14", "x_y", "a" * 256, "b" * 255, "AT&T", "É", "中文"]))


def cut(string: str) -> list[str]:
    """As tantivy cuts: at ASCII white space."""
    return [word for word in string.replace("\n", " ").replace("\t", " ").split(" ") if word]


@pytest.mark.parametrize("analysis", VARIANTS, ids=lambda each: each.model_dump_json(exclude_defaults=True))
@given(text=st.one_of(ODD, WORDY.map(" ".join), WORDY.map(", ".join), st.text(max_size=60)))
@example(text="x" * 300 + " " + "y" * 255)
@example(text="_" * 300)
@example(text=" \u0301a \u200d😀 b'c")
def test_joined_is_the_analyzers_terms(analysis: Analysis, text: str) -> None:
    analyzer = analyzer_of(analysis)
    assert cut(joined(analyzer, text)) == analyzer.terms(text)


@pytest.mark.parametrize("text", ["a.b" * 100_000, "a' " * 100_000, "é " * 100_000, "x" * 300_000, ", " * 200_000])
def test_time_is_linear(text: str) -> None:
    start = time.perf_counter()
    joined(PLAIN, text)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("Levi's Jeans", "levi's jeans"),
        ("  levi's   JEANS!", "levi's jeans"),
        ("AT&T", "at t"),
        ("AT T", "at t"),
        ("Peter, Paul and Mary", "peter paul and mary"),
        ("東京タワー", "東 京 タワー"),
        ("?!", ""),
        ("", ""),
    ],
)
def test_keys(item: str, key: str) -> None:
    assert key_of(PLAIN, item) == key
    assert [form.key for form in ItemForms(PLAIN).of([item, item], None)] == [key, key]


def test_long_keys_are_hashed_and_differ() -> None:
    one, other = "snow " * 20_000 + "a", "snow " * 20_000 + "b"
    assert len(keyword(one)) < 100
    assert keyword(one) != keyword(other)
    assert keyword("snow") == "snow"


def test_relations_with_blanks_make_terms_without() -> None:
    forms = ItemForms(PLAIN)
    (snow,) = forms.of(["Snow"], "does not like")
    token = snow.tokens
    assert len(cut(token)) == 1
    chocolate, nothing = forms.of(["Hot Chocolate", "?"], "does not like")
    assert len(cut(chocolate.tokens)) == 2
    assert [len(cut(term)) for term in (chocolate.term, chocolate.fact)] == [1, 1]
    assert nothing == ("", "", "", "")
    assert forms.of(["Hot Chocolate"], "!") == [("hot chocolate", chocolate.term, "", "")]
    found = fact_places(PLAIN, [Fact(("Snow",), "does not like"), Fact(("Snow",), None)], 100)
    assert list(found) == [(token, 0)]


def test_forms_are_forgotten_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_forms, "_MOST_CACHED", 3)
    items = [f"item {number % 7}" for number in range(20)]
    forms = ItemForms(PLAIN)
    for relation in (None, "likes", "!", "does not like"):
        assert forms.of(items, relation) == [ItemForms(PLAIN).of([item], relation)[0] for item in items]


def test_places_of_values_and_holes() -> None:
    stopping = analyzer_of(Analysis(stop_words=("of", "the")))
    assert list(places(stopping, ["King of Pop", "Rings of the", "Who"], 100)) == [
        ("king", 0),
        ("pop", 2),
        ("rings", 103),
        ("who", 206),
    ]
    assert phrase_of(stopping, "the King of Pop") == [(0, "king"), (2, "pop")]
    assert phrase_of(stopping, "of the") == []
