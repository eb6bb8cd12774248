"""What candidates share: no text is embedded twice, and slots of a field are learned once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from askance.diagnose.fixing.memory import SharedSlots, TextVectors
from askance.models.embedder import FakeEmbedder, Kind, Vectors
from askance.models.vectors import VectorStore
from askance.views.classes import SlotSettings
from askance.views.slots import Slots


class Counting(FakeEmbedder):
    """Notes every text that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: Counter[str] = Counter()

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        self.given.update(texts)
        return super().embed(texts, kind)


LISTS: tuple[tuple[list[str], list[str]], ...] = (
    (["put a mug away", "heat an egg"], ["put a cup away", "heat an egg", "put a cup away"]),
    (["put a mug away", "heat a pan"], ["put a cup away", "chill an egg"]),
    ([], ["heat a pan", "put a mug away"]),
    (["heat a pan"], []),
)


def test_no_text_is_embedded_twice_and_all_have_their_own_vector(tmp_path: Path) -> None:
    counting = Counting()
    shared = TextVectors(VectorStore(tmp_path / "shared", batch=2))
    for number, (queries, documents) in enumerate(LISTS):
        found = shared.open(counting, queries, documents)
        plain = VectorStore(tmp_path / str(number), batch=2).open(FakeEmbedder(), queries, documents)
        for rows, expected in ((found.query_rows, plain.query_rows), (found.document_rows, plain.document_rows)):
            np.testing.assert_allclose(found.unique[rows], plain.unique[expected], atol=1e-6)
        assert len(found.unique) == len({*queries, *documents})
    assert set(counting.given.values()) == {1}
    assert set(counting.given) == {text for lists in LISTS for texts in lists for text in texts}


def test_the_first_set_is_the_one_that_a_study_keeps(tmp_path: Path) -> None:
    store, counting = VectorStore(tmp_path, batch=2), Counting()
    TextVectors(store).open(counting, *LISTS[0])
    assert store.open(counting, *LISTS[0]).embedded == 0


def test_slots_are_learned_once_a_field_and_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[object] = []
    learn = Slots.learn

    def counted(*given: object) -> Slots:
        learned.append(given)
        return learn(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(Slots, "learn", counted)
    fields = {"text": ["put a mug in a bin", "put a pan in a bin"], "other": ["heat an egg", "heat a pan"]}
    slots = SharedSlots(fields.__getitem__, ["put a fork in a bin"])
    first = slots.of("text", SlotSettings())
    assert slots.of("text", SlotSettings()) is first
    assert len(learned) == 1
    assert slots.of("other", SlotSettings()) is not first
    assert slots.of("text", SlotSettings(once=False)) is not first
    assert slots.of("text", SlotSettings(), queries=True).texts == 3
    assert len(learned) == 4
