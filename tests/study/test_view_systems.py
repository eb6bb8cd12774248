"""A study of views: what is counted as cut is the views, and each class is said with how it was decided."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.views.made_goals import templated

from askance.core.progress import Silent
from askance.data.collection import Collection, Documents, Queries, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.models.embedder import FakeEmbedder
from askance.study.execute import run_study
from askance.study.file import parse_study
from askance.study.folder import ResultFolder
from askance.study.ranking import Desk, rank
from askance.study.results import Results
from askance.views.slots import Slots

STUDY = """
[study]
name = "goals"
resamples = 200
[models.small]
embedder = "fake"
max_tokens = 11
[domains.goals]
collection = "goals"
tokens = ["all"]
[[domains.goals.systems]]
name = "view"
retriever = "view"
model = "small"
keep = ["mug"]
[[domains.goals.systems]]
name = "plain"
retriever = "dense"
model = "small"
"""
# The same twice in a row, once more in other words: a view leaves the repeat out.
TEXTS = [text if at % 3 else f"{text} {text}" for at, text in enumerate(templated())]


@pytest.fixture
def collection() -> Collection:
    queries, documents = Ids(["q"]), Ids(f"d{at}" for at in range(len(TEXTS)))
    gold = Judgments.of(queries, documents, {"q": {"d1": 1.0}})
    return Collection(
        "goals",
        Documents(documents, {"text": TEXTS}),
        Queries(queries, {"text": [TEXTS[0]]}),
        {"main": Tier("main", "gold", gold)},
    )


def test_views_are_what_is_cut(collection: Collection, tmp_path: Path) -> None:
    found = run_study(parse_study(STUDY, "goals.toml"), tmp_path / "out", open_collection=lambda _: collection)
    cut = {card.name: card.cut for card in found.domains[0].systems}
    views = Slots.learn(TEXTS).adjusted(keep=("mug",)).views(TEXTS)
    expected = {
        name: int(np.count_nonzero(FakeEmbedder().token_counts(texts) > 11))
        for name, texts in (("view", views), ("plain", TEXTS))
    }
    assert cut == expected
    assert expected["view"] < expected["plain"]


def test_classes_are_said_with_members_and_how_they_were_decided(collection: Collection, tmp_path: Path) -> None:
    found = run_study(parse_study(STUDY, "goals.toml"), tmp_path / "out", open_collection=lambda _: collection)
    said = {card.name: card.settings.get("slots") for card in found.domains[0].systems}
    assert said["plain"] is None
    assert said["view"] is not None
    for each in Slots.learn(TEXTS).adjusted(keep=("mug",)).classes:
        shown = ", ".join(each.members[:5]) + (", …" if len(each.members) > 5 else "")
        line = f"{each.name} {'open' if each.open else 'kept'}: {shown or each.rule} ({each.why})"
        assert line in said["view"]
    assert "unitakept kept: mug (kept: asked for)" in said["view"]
    written = (tmp_path / "out" / "results.json").read_text(encoding="utf-8")
    assert Results.model_validate_json(written) == found


def test_a_kept_run_says_the_same(collection: Collection, tmp_path: Path) -> None:
    file = parse_study(STUDY, "goals.toml")
    folder = ResultFolder.open(tmp_path / "out", file, study_folder=None, resume=False)
    entry = file.domains["goals"]
    model = FakeEmbedder(max_tokens=11)
    desk = Desk("goals", entry, collection, {"small": model}, folder, file.study, Silent())
    first, again = (rank(desk, entry.systems[0]) for _ in range(2))
    assert (again.cut, again.settings) == (first.cut, first.settings)
    assert again.run.sha256 == first.run.sha256
