"""Collections of more documents than first and last parts are kept of."""

from __future__ import annotations

from collections import Counter

import pytest

from askance.build.limit.limit import Limit
from askance.build.limit.settings import LimitSettings
from askance.data.fields import learned
from askance.data.fields.learned import FramedSchema, LearnedSchema
from askance.data.fields.schema import Fields

SETTINGS = LimitSettings(seed=3, documents=3000, queries=300, padding=200, items=25, containment=0.1)


@pytest.fixture(scope="module")
def limit() -> Limit:
    return Limit(SETTINGS)


def _learned(limit: Limit) -> FramedSchema:
    return LearnedSchema().learn({"text": limit.document(number).text} for number in limit.numbers())


def test_items_at_edges_that_are_not_kept_are_items(limit: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "MOST_EDGES", 400)
    schema = _learned(limit)
    held: Counter[str] = Counter()
    for number in limit.numbers():
        document = limit.document(number)
        held.update(document.items)
        fields = schema.split({"text": document.text})
        assert isinstance(fields, Fields), document.text
        assert (fields.name, fields.items) == (document.name, document.items)
    assert schema.dictionary.known == {item for item, times in held.items() if times > 1}


def test_few_items_are_counted_at_once(limit: Limit, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _learned(limit)
    monkeypatch.setattr(learned, "MOST_EDGES", 400)
    monkeypatch.setattr(learned, "MOST_ITEMS", 100)
    schema = _learned(limit)
    assert schema.frames[0].relation == whole.frames[0].relation
    assert schema.dictionary.known <= whole.dictionary.known
    assert len(schema.dictionary.known) > 0.5 * len(whole.dictionary.known)
