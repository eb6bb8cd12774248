"""Learned schemas are used only where the documents bear them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from askance.data.fields import fitting
from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.schema import Fact, Fields, Outside, Record, Schema

NAMES = [f"{first} {last}" for first in ("Ann", "Bo", "Cy", "Di", "Ed") for last in ("Ros", "Lind", "Marsh", "Vale")]
ITEMS = ("Tea", "Jam", "Oak", "Tin", "Snow", "Clay", "Moss")
LIKES = [
    f"{name} likes {ITEMS[at % 7]}, {ITEMS[(at + 1 + at % 3) % 7]}, {ITEMS[(at + 5) % 7]}."
    for at, name in enumerate(NAMES)
]
PROSE = [f"it was the {number}th of them and nobody knew why this one had come" for number in range(60)]


class First:
    """Learns nothing; splits the first so many of the records it was shown."""

    def __init__(self, share: float) -> None:
        self.seen, self._share = 0, share

    def learn(self, records: Iterable[Record]) -> Schema:
        self._records = [record["text"] for record in records]
        return self

    def split(self, record: Record) -> Fields | Outside:
        at = self._records.index(record["text"])
        inside = at < self._share * len(self._records)
        return Fields("n", (Fact(("i",)),)) if inside else Outside("no match", "so")

    def described(self) -> Mapping[str, Any]:
        return {"kind": "first"}


def records(texts: Iterable[str]) -> Iterable[Record]:
    return ({"text": text} for text in texts)


@pytest.mark.parametrize(("share", "used"), [(0.0, False), (0.45, False), (0.5, True), (1.0, True)])
def test_half_of_the_documents_are_asked_for(share: float, used: bool) -> None:
    found = learned_where_it_fits(First(share), records(LIKES))
    assert found.share == pytest.approx(share, abs=0.001)
    assert (found.schema is not None) is used


def test_more_documents_than_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "SAMPLE", 50)
    texts = [f"t{number}" for number in range(2000)]
    for share in (0.2, 0.8):
        found = learned_where_it_fits(First(share), records(texts))
        assert found.share == pytest.approx(share, abs=0.2)
        again = learned_where_it_fits(First(share), records(texts))
        assert again.share == found.share


def test_lists_and_prose() -> None:
    assert learned_where_it_fits(LearnedSchema(), records(LIKES)).schema is not None
    assert learned_where_it_fits(LearnedSchema(), records(PROSE + LIKES)).schema is None
    assert learned_where_it_fits(LearnedSchema(), records([])).schema is None


def test_sentences_that_share_a_word_by_accident_are_no_lists() -> None:
    texts = ["sparse retrieval and dense vectors", "green lamps and other things", "a desk", "one more thing to say"]
    assert learned_where_it_fits(LearnedSchema(), records(texts)).schema is None
