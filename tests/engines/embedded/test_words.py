"""Stop words, plurals, scripts, normal forms, case and emoji: the analyzer's side of an index."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines.embedded.made import index_of_records, index_of_texts

from askance.engines.settings import Analysis, IndexSettings
from askance.irl.nodes import Exact, Lex

STOPPING = IndexSettings(analysis=Analysis(stop_words=("of", "the", "a")))


@pytest.mark.parametrize(
    ("text", "hits"),
    [("King of Pop", 1), ("King a Pop", 1), ("the King of Pop", 1), ("King Pop", 0), ("King of the Pop", 0)],
)
def test_stop_words_leave_a_hole(text: str, hits: int, tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "texts", [text], STOPPING)
    assert len(index.lex(Lex("King of Pop"), "text", None).positions) == hits
    fielded = index_of_records(tmp_path / "items", [{"items": [text], "facts": {"likes": [text]}}], STOPPING)
    assert len(fielded.lex(Lex("King of Pop"), "items", None).positions) == hits
    assert len(fielded.lex(Lex("King of Pop"), "items", "likes").positions) == hits
    assert len(fielded.lex(Lex("King Pop"), "items", None).positions) == (text == "King Pop")


def test_a_hole_does_not_reach_over_a_gap(tmp_path: Path) -> None:
    index = index_of_records(
        tmp_path / "index", [{"items": ["King", "Pop"], "facts": {"x": ["King", "Pop"]}}], STOPPING
    )
    assert len(index.lex(Lex("King of Pop"), "items", None).positions) == 0
    assert len(index.lex(Lex("King of Pop"), "items", "x").positions) == 0


def test_only_stop_words_are_no_words(tmp_path: Path) -> None:
    index = index_of_records(tmp_path / "index", [{"items": ["The The"]}, {"items": ["The Who"]}], STOPPING)
    assert len(index.lex(Lex("The The"), "items", None).positions) == 0
    assert len(index.exact(Exact("The The"), None).positions) == 0
    assert index.exact(Exact("Who"), None).positions.tolist() == [1]
    assert index.manifest.counts.items_without_words == 1


def test_by_default_all_words_count(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["the Who", "The The", "King of Pop", "King Pop"])
    assert index.lex(Lex("The The"), "text", None).positions.tolist() == [1]
    assert index.lex(Lex("King of Pop"), "text", None).positions.tolist() == [2]


@pytest.mark.parametrize(
    ("text", "asked", "plain", "stemmed"),
    [
        ("Birch Trees", "Birch Tree", 0, 1),
        ("pipelines", "pipeline", 0, 1),
        ("movies and boxes", "movie", 0, 1),
        ("boxes", "box", 0, 1),
        ("Birch Trees", "birch trees", 1, 1),
    ],
)
def test_plurals(text: str, asked: str, plain: int, stemmed: int, tmp_path: Path) -> None:
    for stemmer, hits in ((None, plain), ("english", stemmed)):
        index = index_of_texts(tmp_path / str(stemmer), [text], IndexSettings(analysis=Analysis(stemmer=stemmer)))
        assert len(index.lex(Lex(asked), "text", None).positions) == hits


# Text, question, hits as they are, hits in NFKC.
FORMS = [
    ("中文合約轉換", "合約", 1, 1),
    ("中文合約轉換", "約合", 0, 0),
    ("東京タワー", "タワー", 1, 1),
    ("東京タワー", "タワ", 0, 0),
    ("cafe\u0301", "caf\u00e9", 0, 1),
    ("ＡＢＣ", "abc", 0, 1),
    ("\ufb01sh", "fish", 0, 1),
    ("ΟΔΟΣ", "οδοσ", 1, 1),
    ("ΟΔΟΣ", "οδος", 0, 0),
    ("İstanbul", "istanbul", 1, 1),
    ("Işık", "işık", 1, 1),
    ("Işık", "IŞIK", 0, 0),
    ("Straße", "strasse", 0, 0),
    ("🌱plants", "plants", 1, 1),
    ("🌱plants", "🌱", 1, 1),
]


@pytest.mark.parametrize(("text", "asked", "plain", "normalized"), FORMS)
def test_forms(text: str, asked: str, plain: int, normalized: int, tmp_path: Path) -> None:
    as_it_is = index_of_texts(tmp_path / "plain", [text])
    assert len(as_it_is.lex(Lex(asked), "text", None).positions) == plain
    nfkc = index_of_texts(tmp_path / "nfkc", [text], IndexSettings(analysis=Analysis(normalize="nfkc")))
    assert len(nfkc.lex(Lex(asked), "text", None).positions) == normalized


def test_the_same_in_a_turkish_locale(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from askance.irl.nodes import Lex\n"
        "from tests.engines.embedded.made import index_of_texts\n"
        "index = index_of_texts(pathlib.Path(sys.argv[1]), ['TITLE İstanbul I'])\n"
        "print([len(index.lex(Lex(word), 'text', None).positions) for word in ('title', 'istanbul', 'i', 'tıtle')])"
    )
    environment = {**os.environ, "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "index")], capture_output=True, text=True, env=environment
    )
    assert done.stdout.strip() == "[1, 1, 1, 0]", done.stderr


def test_no_document_is_returned_with_a_score_of_nothing(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", ["snow", "rain", "snow rain", ""])
    matches = index.lex(Lex("snow hail", "any"), "text", None)
    assert matches.positions.tolist() == [0, 2]
    assert (matches.scores > 0).all()


@pytest.mark.parametrize("texts", [["a b", "a"], ["a b", "b", "c", "c"], ["a"] * 5])
def test_idf_is_above_zero(texts: list[str], tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", texts)
    assert (index.lex(Lex("a"), "text", None).scores > 0).all()
