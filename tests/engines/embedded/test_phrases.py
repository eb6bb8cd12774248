"""Phrases across values and punctuation, and words with apostrophes and hyphens: what users of peers stumble over."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.engines.embedded.made import index_of_records, index_of_texts

from askance.engines.settings import Analysis, IndexSettings
from askance.irl.nodes import Exact, Lex, Or

# Items of one document, a phrase, and whether it stands in one of them.
ACROSS = [
    (["Ciara Taylor", "Solita Green"], "Ciara Green", False),
    (["Ciara Taylor", "Solita Green"], "Taylor Solita", False),
    (["John Abraham", "Lincoln Smith"], "Abraham Lincoln", False),
    (["chemistry", "mars"], "chemistry mars", False),
    (["merge, policy"], "merge policy", True),
    (["merge, policy"], "merge polic", False),
    (["Hot Springs", "Dark Chocolate"], "Hot Chocolate", False),
    (["Hot", "Chocolate"], "Hot Chocolate", False),
    (["Hot", "", "?", "Chocolate"], "Hot Chocolate", False),
    (["Peter, Paul and Mary"], "Paul and Mary", True),
    (["中文合約轉換"], "合約", True),
    (["中文", "合約"], "文合", False),
]


@pytest.mark.parametrize(("items", "phrase", "hits"), ACROSS)
def test_a_phrase_stays_in_its_item(items: list[str], phrase: str, hits: bool, tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": items}])
    assert len(index.lex(Lex(phrase), "items", None).positions) == hits


def test_a_comma_does_not_stop_a_phrase_in_text_and_does_between_items(tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"name": "Cy", "items": ["Hot", "Chocolate"]}])
    assert len(index.lex(Lex("Hot Chocolate"), "text", None).positions) == 1
    assert len(index.lex(Lex("Hot Chocolate"), "items", None).positions) == 0


@pytest.mark.parametrize(("gap", "hits"), [(0, 1), (1, 0), (2, 0), (100, 0)])
def test_the_gap_is_a_setting(gap: int, hits: int, tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": ["a b", "c d"]}], IndexSettings(position_gap=gap))
    assert index.manifest.settings.position_gap == gap
    assert len(index.lex(Lex("b c"), "items", None).positions) == hits
    assert len(index.lex(Lex("b c", slop=gap), "items", None).positions) == 1
    if gap > 1:
        assert len(index.lex(Lex("b c", slop=gap - 1), "items", None).positions) == 0


def test_words_match_where_the_phrase_does_not(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["Bo likes Hot Springs, Dark Chocolate."])
    assert [len(index.lex(Lex("Hot Chocolate", match), "text", None).positions) for match in ("any", "all")] == [1, 1]
    assert len(index.lex(Lex("Hot Chocolate"), "text", None).positions) == 0


# A text, what is asked, and whether it is found as a phrase: with plain apostrophes, and with folded ones.
MARKS = [
    ("Banquo’s ghost", "Banquo", False, False),
    ("Banquo’s ghost", "Banquo's", False, True),
    ("an F-16 jet", "f-16", True, True),
    ("an F-16 jet", "f 16", True, True),
    ("an F-16 jet", "16", True, True),
    ("Levi's", "Levi’s", False, True),
    ("Levi＇s", "Leviʼs", False, True),
    ("Levi's", "Levi`s", False, False),
    ("O'Doyle", "o'doyle", True, True),
    ("O'Doyle", "odoyle", False, False),
    ("Tiffany's in Oslo S", "Oslo S", True, True),
    ("Tiffany's", "s", False, False),
    ("It's Only the Himalayas", "'It's Only the'", True, True),
    ("C-8 RULE-A002", "a002", True, True),
    ("Law-Breakers", "law breakers", True, True),
    ("Law-Breakers", "lawbreakers", False, False),
    ("see https://x.org", "https://x.org", True, True),
    ("usb-c adapter", 'usb-c adapter""', True, True),
    ("y+(y+25)", "y+(y+25", True, True),
    ("órgãos {x} ?", "órgãos", True, True),
    ("órgãos {x} ?", "{x}", True, True),
    ("anything", "-foo", False, False),
    ("anything", "s/s", False, False),
    ("anything at all", "*", False, False),
    ("a AND b", "a AND b", True, True),
    ("text: title^2", "title^2 text:", False, False),
]


@pytest.mark.parametrize(("text", "asked", "plain", "folded"), MARKS)
def test_marks(text: str, asked: str, plain: bool, folded: bool, tmp_path: Path) -> None:
    for fold, hits in ((False, plain), (True, folded)):
        settings = IndexSettings(analysis=Analysis(fold_apostrophes=fold))
        index = index_of_texts(tmp_path / str(fold), [text], settings)
        assert len(index.lex(Lex(asked), "text", None).positions) == hits
        top = index.search_top(Lex(asked), 10)
        assert top is not None
        assert len(top[0]) == hits


@pytest.mark.parametrize("asked", ["", "?", "...", " \n"])
def test_without_words_nothing_matches(asked: str, tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": ["?", "Snow"]}, {"items": ["..."]}])
    assert len(index.lex(Lex(asked), "text", None).positions) == 0
    assert len(index.exact(Exact(asked), None).positions) == 0
    top = index.search_top(Or((Lex(asked, "any"), Lex(asked, "all"))), 10)
    assert top is not None
    assert top[2] == 0
    assert index.manifest.counts.items_without_words == 2


def test_parts_hit_and_only_the_whole_is_exact(tmp_path: Path) -> None:
    records: list[Mapping[str, Any]] = [{"items": ["RULE-A002"]}, {"items": ["word-with-hyphens"]}]
    index = index_of_records(tmp_path / "index", records)
    assert index.lex(Lex("a002"), "items", None).positions.tolist() == [0]
    assert index.exact(Exact("a002"), None).positions.tolist() == []
    assert index.exact(Exact("rule a002"), None).positions.tolist() == [0]
    assert index.exact(Exact("word with hyphens"), None).positions.tolist() == [1]
