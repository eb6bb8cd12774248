"""The figures behind a score: what explanations show, against the scores that searches give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.engines.embedded.made import index_of_records, index_of_texts

from askance.engines.settings import IndexSettings
from askance.irl.nodes import Lex, Match

TEXTS = ["snow rain", "rain snow " * 40, "snow", "", "hail " * 60 + "snow rain"]


@pytest.mark.parametrize("scale", ["lucene", "legacy"])
@pytest.mark.parametrize(
    ("asked", "match", "slop"),
    [("snow", "phrase", 0), ("snow rain", "phrase", 0), ("snow rain", "phrase", 3), ("hail", "any", 0)],
)
def test_figures_give_the_score(asked: str, match: Match, slop: int, scale: str, tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", TEXTS, IndexSettings.model_validate({"scale": scale}))
    clause = Lex(asked, match, slop)
    matches = index.lex(clause, "text", None)
    scores = dict(zip(matches.positions.tolist(), matches.scores.tolist(), strict=True))
    assert scores
    for position in range(len(TEXTS)):
        figures = index.figures(clause, "text", None, position)
        assert figures is not None
        assert figures.score == pytest.approx(scores.get(position, 0.0), rel=2e-6)
        assert figures.length == len(TEXTS[position].split())


def test_by_hand(tmp_path: Path) -> None:
    index = index_of_texts(tmp_path / "index", TEXTS)
    lengths = [2, 80, 1, 62]
    assert index.statistics("text").documents == 4
    assert index.statistics("text").mean_length == pytest.approx(sum(lengths) / 4)
    snow, rain = math.log1p(0.5 / 4.5), math.log1p(1.5 / 3.5)
    assert index.idf(["snow", "rain"], "text") == pytest.approx(snow + rain)
    assert index.idf(["never"], "text") == pytest.approx(math.log1p(4.5 / 0.5))
    figures = index.figures(Lex("snow rain"), "text", None, 1)
    assert figures is not None
    assert (figures.frequency, figures.length, figures.kept_length) == (39, 80, 80)
    assert figures.score == pytest.approx((snow + rain) * 39 / (39 + 1.2 * (0.25 + 0.75 * 80 / 36.25)), rel=1e-6)


def test_fields_have_their_own(tmp_path: Path) -> None:
    records: list[Mapping[str, Any]] = [
        {"name": "Bo", "items": ["Snow", "Hot Chocolate"], "facts": {"likes": ["Snow"]}},
        {"name": "", "items": ["Rain"]},
        {"text": "far outside of all of it", "outside": "no"},
    ]
    index = index_of_records(tmp_path / "index", records)
    assert (index.statistics("text").documents, index.statistics("name").documents) == (3, 1)
    assert index.statistics("items").documents == 2
    assert index.statistics("items").mean_length == (4 + 1) / 2
    assert index.statistics("items", "likes").documents == 1
    inside = index.figures(Lex("Snow"), "items", "likes", 0)
    assert inside is not None
    assert (inside.frequency, inside.length) == (1, 1)
    assert inside.score == pytest.approx(index.lex(Lex("Snow"), "items", "likes").scores[0], rel=2e-6)
    assert index.figures(Lex("?"), "items", None, 0) is None
