"""Benchmarks from logs: rules, ambiguity, tiers against the adapter's gold, chance, the audit, the folder."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from askance.app.build_trajectories import build_trajectories, check_trajectories, said, said_of_check
from askance.build.trajectories.audit import sample, sheet
from askance.build.trajectories.labels import Label
from askance.build.trajectories.rules import Rules, read_rules
from askance.build.trajectories.settings import TrajectorySettings
from askance.build.trajectories.writing import read_labels
from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.adapters import trajectories as published
from askance.data.formats.beir import read_beir
from askance.measure.intervals import clopper_pearson

HOME = """
slots = ["object", "place"]
[[rule]]
name = "asked: look"
pattern = '(?:examine|look at) (?:an?|the) (?P<object>.+?) (?:with|under) the desk lamp(?: .*)?'
on = "queries"
[[rule]]
name = "asked: treat"
type_of = "verb"
pattern = '''(?P<verb>clean|wash|heat|warm|microwave|cool|chill) (?:an? |some |the )?(?P<object>.+?) \
and (?:put|place|throw) it (?:away|(?:in|on) the (?P<place>.+))'''
on = "queries"
[[rule]]
name = "asked: two"
pattern = '(?:find|put) two (?P<object>.+?)s? (?:and put them )?in the (?P<place>.+)'
on = "queries"
[[rule]]
name = "asked: put"
pattern = '(?:put|place|move) (?:an?|some|the) (?P<object>.+?)(?: with an? .+ in it)? (?:in|on|to) the (?P<place>.+)'
on = "queries"
[[rule]]
name = "find two"
type = "multi_object"
pattern = 'find two (?P<object>.+) and put them in (?P<place>.+)'
on = "goals"
[[rule]]
name = "put two"
type = "multi_object"
pattern = 'put two (?P<object>.+) in (?P<place>.+)'
on = "goals"
[[rule]]
name = "examine"
type = "examination"
pattern = 'examine the (?P<object>.+) with the desklamp'
[[rule]]
name = "look at"
type = "examination"
pattern = 'look at (?P<object>.+) under the desklamp'
[[rule]]
name = "treat some"
type_of = "verb"
pattern = '(?P<verb>clean|heat|cool) some (?P<object>.+) and put it in (?P<place>.+)'
on = "goals"
[[rule]]
name = "put a treated"
type_of = "state"
pattern = 'put a (?P<state>clean|hot|cool) (?P<object>.+) in (?P<place>.+)'
on = "goals"
[[rule]]
name = "put"
type = "placement"
pattern = 'put (?:a|some) (?P<object>.+) (?:in|on) (?P<place>.+)'
on = "goals"
fallback = true
[types]
clean = "cleaning"
wash = "cleaning"
hot = "heating"
heat = "heating"
warm = "heating"
microwave = "heating"
cool = "cooling"
chill = "cooling"
[alias.object]
bottle = ["glassbottle", "soapbottle", "spraybottle"]
phone = ["cellphone"]
[alias.place]
"coffee maker" = ["coffeemachine"]
counter = ["countertop"]
garbage = ["garbagecan"]
"garbage can" = ["garbagecan"]
sink = ["sinkbasin"]
"""

KITCHEN = [
    ("wash the cup then store it in the rack", "wash"), ("wash the bowl then store it in the rack", "wash"),
    ("wash the cup then store it in the shelf", "wash"), ("wash the fork then store it in the shelf", "wash"),
    ("burn the cup behind the rack", "burn"), ("burn the bowl behind the shelf", "burn"),
]  # fmt: skip

RULES = """
slots = ["thing", "place"]
[[rule]]
name = "wash"
type = "wash"
pattern = 'wash the (?P<thing>\\w+) then store it in the (?P<place>\\w+)'
[[rule]]
name = "burn"
type = "burn"
pattern = 'burn the (?P<thing>\\w+) behind the (?P<place>\\w+)'
"""


def logs_in(folder: Path, goals: list[str]) -> Path:
    path = folder / "logs.jsonl"
    lines = [{"id": f"t{at}", "goal": goal, "steps": [{"state": "s", "action": "a"}]} for at, goal in enumerate(goals)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def rules_in(folder: Path, text: str = RULES) -> Path:
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return path


def gold_in(folder: Path, tier: str) -> set[tuple[str, str]]:
    found = read_beir(folder)
    judgments = found.tier(tier).judgments
    return {
        (query, found.documents.ids[int(document)])
        for at, query in enumerate(found.queries.ids)
        for document in judgments.of_query(at)[0]
    }


def test_gold_is_the_adapters(shared_data: Path, tmp_path: Path) -> None:
    """The rules of the published labels as a file of patterns; 40 + 78 queries, three tiers."""
    known = published.load(shared_data)
    lines = []
    for at, name in enumerate(known.queries.ids):
        text, kind = known.queries.field("text")[at], known.queries.slices["task_type"][at]
        old = known.queries.slices["set"][at] == "old40"
        lines.append({"id": name, "text": text, **({"type": kind} if old else {})})
    asked = tmp_path / "asked.jsonl"
    asked.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    # The 78 are worded as the goals are, so that the rules of goals are read for queries as well.
    rules = rules_in(tmp_path, HOME.replace('on = "goals"\n', ""))
    made = build_trajectories(shared_data / published.TRAJECTORIES, tmp_path / "made", rules=rules, queries=asked)
    assert not made.made.notes
    for mine, theirs in (
        ("same-type", "reference"),
        ("other-object", "strict"),
        ("other-object-place", "strict-ii-normalised"),
    ):
        judgments = known.tier(theirs).judgments
        expected = {
            (query, known.documents.ids[int(document)])
            for at, query in enumerate(known.queries.ids)
            for document in judgments.of_query(at)[0]
        }
        assert gold_in(tmp_path / "made", mine) == expected, theirs
    assert made.made.collection.main == "other-object"
    fields = dict(made.made.collection.documents.fields)
    assert set(fields.pop("metadata.source")) == {"agentinstruct"}
    assert fields == known.documents.fields
    chance = {(tier, measure): estimate for tier, measure, estimate in made.made.chance}
    assert chance["other-object", "Hit@1"].value == pytest.approx(0.153, abs=5e-4)  # published, rounded
    assert chance["other-object", "Hit@10"].value == pytest.approx(0.791, abs=5e-4)


def test_tiers_roles_and_exclusions(tmp_path: Path) -> None:
    logs = logs_in(tmp_path, [goal for goal, _ in KITCHEN])
    made = build_trajectories(logs, tmp_path / "made", rules=rules_in(tmp_path))
    assert {pair for pair in gold_in(tmp_path / "made", "same-type") if pair[0] == "q1"} == {
        ("q1", "t1"), ("q1", "t2"), ("q1", "t3"),
    }  # fmt: skip
    assert {pair for pair in gold_in(tmp_path / "made", "other-thing") if pair[0] == "q1"} == {
        ("q1", "t1"), ("q1", "t3"),
    }  # fmt: skip
    assert {pair for pair in gold_in(tmp_path / "made", "other-thing-place") if pair[0] == "q1"} == {("q1", "t3")}
    found = read_beir(tmp_path / "made")
    assert found.roles is not None
    assert found.excluded is not None
    named = {
        role.name: [found.documents.ids[int(at)] for at in found.roles.of_query(0, role.name)]
        for role in found.roles.roles
    }
    expected = {"sibling": ["t0", "t2"], "other-thing": ["t1", "t3"], "near-miss": ["t4"]}
    assert {name: ids for name, ids in named.items() if ids} == expected
    assert [found.documents.ids[int(at)] for at in found.excluded.of_query(0)] == ["t0"]
    assert found.roles.default.name == "other"
    assert made.made.ambiguity[0].none == ()


def test_chance_is_the_hypergeometric_mean(tmp_path: Path) -> None:
    made = build_trajectories(
        logs_in(tmp_path, [goal for goal, _ in KITCHEN]), tmp_path / "made", rules=rules_in(tmp_path)
    )
    gold = made.made.collection.tier("other-thing").judgments.gold_counts()
    exact = [1 - Fraction(comb(5 - int(count), 5), comb(5, 5)) for count in gold if count]
    at_1 = [Fraction(int(count), 5) for count in gold if count]
    found = {measure: one for tier, measure, one in made.made.chance if tier == "other-thing"}
    assert found["Hit@1"].value == pytest.approx(float(sum(at_1) / len(at_1)))
    assert found["Hit@5"].value == pytest.approx(float(sum(exact) / len(exact)))
    assert found["Hit@1"].low is not None
    assert found["Hit@1"].high is not None
    rng = np.random.default_rng(0)
    drawn = np.mean([rng.random(20_000) < float(p) for p in at_1], axis=0)
    inside = np.mean((drawn >= found["Hit@1"].low) & (drawn <= found["Hit@1"].high))
    assert inside >= 0.95


@pytest.mark.parametrize("induced", [True, False])
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, induced: bool) -> None:
    rng = random.Random(3)
    things = ["cup", "bowl", "fork", "plate", "ladle", "knife", "mug", "spoon", "pan", "tin", "jar", "jug"]
    places = ["rack", "shelf", "crate", "drawer", "tray", "basin", "sack", "trunk", "closet", "bench"]
    goals = [
        goal.format(rng.choice(things), rng.choice(places))
        for goal in ["wash the {} then store it in the {}", "burn the {} behind the {}"] * 30
    ]
    rules = None if induced else rules_in(tmp_path)
    settings = TrajectorySettings(seed=4, queries=10, audit=8)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        build_trajectories(logs_in(tmp_path, goals), tmp_path / name / "made", rules=rules, settings=settings)
    one, two = (sorted((tmp_path / name / "made").rglob("*")) for name in ("one", "two"))
    assert [path.name for path in one] == [path.name for path in two]
    assert [path.read_bytes() for path in one if path.is_file()] == [
        path.read_bytes() for path in two if path.is_file()
    ]
    assert len(read_beir(tmp_path / "one" / "made").queries) == 10


def test_induced_types_are_the_wordings(shared_data: Path, tmp_path: Path) -> None:
    made = build_trajectories(shared_data / published.TRAJECTORIES, tmp_path / "made")
    documents = [label for name, label in made.made.labels.items() if name.startswith("document")]
    by_rule = read_rules(rules_in(tmp_path, HOME))
    told: dict[str, set[str]] = {}
    for name, label in made.made.labels.items():
        known = by_rule.label(made.made.texts[name], "goals")
        assert known is not None
        told.setdefault(label.type, set()).add(known.type)
        assert label.slots[made.made.slots[0]] == known.slots["object"]
    assert len({label.type for label in documents}) == 12  # eleven wordings, one of them with "a" and with "some"
    assert all(len(kinds) == 1 for kinds in told.values())
    assert len(made.made.collection.tiers) == 3


def test_what_fits_none_or_several_is_told(tmp_path: Path) -> None:
    text = RULES + "[[rule]]\nname = 'any'\ntype = 'any'\npattern = 'burn .+'\n"
    goals = [*(goal for goal, _ in KITCHEN), "book a flight"]
    made = build_trajectories(logs_in(tmp_path, goals), tmp_path / "made", rules=rules_in(tmp_path, text))
    (side,) = made.made.ambiguity
    assert side.none == ("book a flight",)
    assert side.several == {goal: ("burn", "any") for goal, kind in KITCHEN if kind == "burn"}
    assert made.made.notes["trajectories left out, their goal fits no rule"] == 1
    lines = "\n".join(said(made))
    for told in ("no rule: book a flight", "1 fit no rule", "2 fit several"):
        assert told in lines


def test_a_fallback_is_read_only_where_nothing_else_fits() -> None:
    rules = Rules.model_validate(
        {
            "slots": ["x"],
            "rule": [
                {"name": "plain", "type": "put", "pattern": "put a (?P<x>.+)", "fallback": True},
                {"name": "clean", "type": "clean", "pattern": "put a clean (?P<x>.+)"},
            ],
        }
    )
    assert rules.label("Put a clean cup.", "goals") == Label("clean", {"x": ("cup",)}, "clean")
    assert rules.label("put a soap bar", "goals") == Label("put", {"x": ("soapbar",)}, "plain")
    assert rules.label("and put a cup", "goals") is None  # the whole text has to fit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("slots = ['x']\n[[rule]]\nname = 'a'\npattern = '('", "cannot be read"),
        ("slots = ['x']\n[[rule]]\nname = 'a'\npattern = 'b'\ntype_of = 'v'", "no group"),
        ("slots = ['x']\n[[rule]]\nname = 'a'\npattern = 'b'\n[alias.y]\nb = ['c']", "for no slot"),
        ("slots = [", "no TOML"),
        ("slots = ['x']\nrules = 3", "rules"),
    ],
)
def test_rules_that_cannot_be(tmp_path: Path, text: str, found: str) -> None:
    with pytest.raises(FileProblem, match=found):
        read_rules(rules_in(tmp_path, text))


def test_nothing_is_written_where_nothing_fits_or_something_is(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match="fits a rule"):
        build_trajectories(logs_in(tmp_path, ["book a flight"]), tmp_path / "made", rules=rules_in(tmp_path))
    assert not (tmp_path / "made").exists()
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine").write_text("kept")
    with pytest.raises(BadInput, match="not empty"):
        build_trajectories(
            logs_in(tmp_path, [goal for goal, _ in KITCHEN]), tmp_path / "made", rules=rules_in(tmp_path)
        )
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_audit_by_hand(tmp_path: Path) -> None:
    logs = logs_in(tmp_path, [goal for goal, _ in KITCHEN])
    build_trajectories(logs, tmp_path / "made", rules=rules_in(tmp_path))
    labels = read_labels(tmp_path / "made")
    with (tmp_path / "made" / "audit.csv").open(newline="") as file:
        header, *rows = list(csv.reader(file))
    assert header == ["id", "text", "type", "thing", "place"]
    assert len(rows) == 12
    assert all(row[2:] == ["", "", ""] for row in rows)
    for at, row in enumerate(rows):
        label = labels[row[0]]
        row[2] = "wrong" if at == 0 else label.type.upper()
        row[3] = "" if at < 3 else label.slots["thing"][0]
    with (tmp_path / "filled.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    found = check_trajectories(tmp_path / "made", tmp_path / "filled.csv")
    kind, thing = found.agreement["type"], found.agreement["thing"]
    assert (kind.value, kind.n, (kind.low, kind.high)) == (11 / 12, 12, clopper_pearson(11, 12))
    assert (thing.value, thing.n, thing.left_out) == (1.0, 9, {"cells that are empty": 3})
    assert found.agreement["place"].value is None
    assert [(one.id, one.hand) for one in found.disagreements] == [(rows[0][0], "wrong")]
    assert len(said_of_check(found)) == 4


def test_a_sheet_holds_no_formula() -> None:
    texts = {"document a": "=HYPERLINK(1)", "document b": 'say "x", then rest'}
    rows = list(csv.reader(sheet(list(texts), texts, ["thing"]).splitlines()))
    assert rows[1:] == [["document a", "'=HYPERLINK(1)", "", ""], ["document b", 'say "x", then rest', "", ""]]


def test_queries_of_a_type_that_no_log_has(tmp_path: Path) -> None:
    asked = tmp_path / "asked.jsonl"
    asked.write_text(
        '{"id": "a", "text": "wash the jar then store it in the rack"}\n{"id": "b", "text": "fry the jar"}\n'
    )
    text = RULES + "[[rule]]\nname = 'fry'\ntype = 'fry'\npattern = 'fry the (?P<thing>.+)'\n"
    logs = logs_in(tmp_path, [goal for goal, _ in KITCHEN])
    made = build_trajectories(logs, tmp_path / "made", rules=rules_in(tmp_path, text), queries=asked)
    assert made.made.notes == {"queries whose type no trajectory has": 1}
    assert made.made.chance[0][2].n == 1
    assert made.made.chance[0][2].left_out == {"queries without gold": 1}


def test_the_sample_has_every_type_and_its_share() -> None:
    kinds = ["a"] * 60 + ["b"] * 30 + ["c"] * 9 + ["d"]
    labels: Mapping[str, Label] = {f"{at}": Label(kind, {}, "r") for at, kind in enumerate(kinds)}
    chosen = sample(labels, 20, 1)
    counts = {kind: sum(labels[name].type == kind for name in chosen) for kind in "abcd"}
    assert len(set(chosen)) == 20
    assert counts["d"] == 1
    for kind, share in {"a": 12, "b": 6, "c": 2}.items():
        assert abs(counts[kind] - share) <= 1
    assert sample(labels, 20, 1) == chosen != sample(labels, 20, 2)
    assert sorted(sample(labels, 500, 1)) == sorted(labels)
    assert len({labels[name].type for name in sample(labels, 2, 1)}) == 2
