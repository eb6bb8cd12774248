"""The page: names of roles and systems, however long, are read whole in the chart and in the table."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from askance.core.estimate import Estimate
from askance.data.collection import Collection, Documents, Queries, Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.diagnose.case import Case, System
from askance.diagnose.causes import OUTRANKED
from askance.diagnose.diagnosis import diagnose
from askance.diagnose.waterfall import Step, Waterfall
from askance.report.charts.drawing import NARROW, WIDE, Box
from askance.report.charts.waterfall import draw_waterfall
from askance.report.diagnosis_page import render_diagnosis

ROLES = (
    "same task, same object",
    "same_task_and_same_object_but_in_another_place_of_the_household",
    "near-miss-that-keeps-the-answer-and-every-word-but-one",
    "a near miss that keeps the answer, every word but one, the question and the order of all numbers in it",
    "x" * 90,
)


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_whole_in_the_chart(role: str, width: float) -> None:
    share = Estimate(0.5, 0.4, 0.6, 100, "made")
    steps = [Step(f"{OUTRANKED} by {at}", label, 50, share) for at, label in enumerate((role, "other"))]
    drawing = draw_waterfall(Waterfall("x", "X", 100, steps, []), "s0", width)
    texts = [element.text or "" for element in ElementTree.fromstring(drawing.svg()).iter("text")]
    assert f"“{role}”".replace(" ", "") in "".join(texts).replace(" ", "").replace("\u00a0", "")
    for at, box in enumerate(drawing.boxes):
        assert box.inside(Box(-1, -1, drawing.width + 1, drawing.height + 1))
        assert not any(box.meets(other) for other in drawing.boxes[:at])


def test_names_of_systems_and_roles_are_whole_on_the_page() -> None:
    queries, documents = Ids(["q"]), Ids(["right", "wrong"])
    collection = Collection(
        "c",
        Documents(documents, {"text": ["", ""]}),
        Queries(queries, {"text": [""]}),
        {"gold": Tier("gold", "gold", Judgments.of(queries, documents, {"q": {"right": 1.0}}))},
        roles=Roles.of(queries, documents, [Role("r", ROLES[3])], {"q": {"wrong": "r"}}),
    )
    name = "BM25 over goals and first steps, stems of words (porter), all words kept"
    run = Run.of(name, queries, documents, {"q": [("wrong", 2.0), ("right", 1.0)]})
    case = Case("c", "c", collection, collection.tier("gold"), np.ones(1, dtype=np.bool_), [System(name, name, run, 2)])
    page = render_diagnosis([diagnose(case)], "t")
    assert page.count(name) > 3
    assert f"“{ROLES[3]}”" in page
    assert "…" not in page[page.index("<main") :]
