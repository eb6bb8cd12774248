"""To and from the tools beside us: what goes out comes back, and they measure what we measure."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pandas  # type: ignore[import-untyped, unused-ignore]
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem, MissingExtra
from askance.data.convert.anything import as_judgments, as_run
from askance.data.convert.dicts import judgments_from_dict, judgments_to_dict, run_from_dict, run_to_dict
from askance.data.convert.frames import (
    judgments_from_frame,
    judgments_to_pandas,
    judgments_to_polars,
    run_from_frame,
    run_to_pandas,
    run_to_polars,
)
from askance.data.convert.ir_measures import (
    judgments_from_ir_measures,
    judgments_to_ir_measures,
    run_from_ir_measures,
    run_to_ir_measures,
)
from askance.data.convert.pytrec_eval import judgments_to_pytrec_eval, run_to_pytrec_eval
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.evaluation import EvaluationSettings, evaluate_run
from askance.measure.measures import Measure

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
scores = st.dictionaries(names, st.dictionaries(names, st.floats(allow_nan=False, allow_infinity=False), max_size=4))
grades = st.dictionaries(names, st.dictionaries(names, st.integers(-2, 4).map(float), max_size=4))

RUN = run_from_dict({"q1": {"d1": 2.0, "d2": 0.5}, "q2": {}, "q3": {"d2": 1.0}}, "mine")
GOLD = judgments_from_dict({"q1": {"d2": 2.0, "d1": 0.0}, "q3": {"d2": 1.0}})


def lists(run: Run) -> dict[str, list[tuple[str, float]]]:
    """Queries with rows only: frames and tuples cannot hold others."""
    return {query: list(row.items()) for query, row in run_to_dict(run).items() if row}


def judged(judgments: Judgments) -> dict[str, dict[str, float]]:
    return {query: row for query, row in judgments_to_dict(judgments).items() if row}


@given(scores)
def test_a_run_comes_back_from_everywhere(given: dict[str, dict[str, float]]) -> None:
    run = run_from_dict(given)
    assert run_to_dict(run) == given
    assert [list(row) for row in run_to_dict(run).values()] == [list(row) for row in given.values()]
    for back in (
        run_from_frame(run_to_polars(run)),
        run_from_frame(run_to_pandas(run)),
        run_from_ir_measures(iter(run_to_ir_measures(run))),
    ):
        assert lists(back) == lists(run)
    assert run_to_pytrec_eval(run) == {query: row for query, row in given.items() if row}


@given(grades)
def test_judgments_come_back_from_everywhere(given: dict[str, dict[str, float]]) -> None:
    judgments = judgments_from_dict(given)
    assert judgments_to_dict(judgments) == given
    for back in (
        judgments_from_frame(judgments_to_polars(judgments)),
        judgments_from_frame(judgments_to_pandas(judgments)),
        judgments_from_ir_measures(judgments_to_ir_measures(judgments)),
    ):
        assert judged(back) == judged(judgments)
    exported = judgments_to_pytrec_eval(judgments)
    assert all(row and all(grade >= 0 for grade in row.values()) for row in exported.values())


class _OfRanx:
    """What ranx.Run and ranx.Qrels have that is used here: a dictionary in, the same out, and a name."""

    __module__ = "ranx.data_structures"

    def __init__(self, rows: dict[str, dict[str, float]], name: str | None = None) -> None:
        if not any(rows.values()):
            raise ValueError("max() arg is an empty sequence")
        self.name, self._rows = name, rows

    def to_dict(self) -> dict[str, dict[str, float]]:
        return self._rows


def test_ranx_there_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a stand-in: the real one compiles itself for a minute when it is first used."""
    from askance.data.convert.ranx import judgments_from_ranx, judgments_to_ranx, run_from_ranx, run_to_ranx

    monkeypatch.setitem(sys.modules, "ranx", SimpleNamespace(Run=_OfRanx, Qrels=_OfRanx))
    theirs = run_to_ranx(RUN)
    assert theirs.name == "mine"
    assert lists(run_from_ranx(theirs)) == lists(RUN)
    assert run_from_ranx(theirs).name == "mine"
    assert judged(judgments_from_ranx(judgments_to_ranx(GOLD))) == judged(GOLD)
    assert lists(as_run(theirs)) == lists(RUN)
    assert judged(as_judgments(judgments_to_ranx(GOLD))) == judged(GOLD)
    with pytest.raises(DataProblem, match="fraction"):
        judgments_to_ranx(judgments_from_dict({"q": {"d": 0.5}}))
    with pytest.raises(DataProblem, match="no rows"):
        run_to_ranx(run_from_dict({"q": {}}))
    with pytest.raises(DataProblem, match="no judgments"):
        judgments_to_ranx(judgments_from_dict({"q": {}}))
    with pytest.raises(DataProblem, match="neither"):
        run_from_ranx(3)


def test_frames_have_plain_columns() -> None:
    frame = run_to_polars(RUN)
    assert frame.to_dict(as_series=False) == {
        "query": ["q1", "q1", "q3"],
        "document": ["d1", "d2", "d2"],
        "score": [2.0, 0.5, 1.0],
        "rank": [1, 2, 1],
    }
    assert run_to_pandas(RUN).to_dict("list") == frame.to_dict(as_series=False)
    assert judgments_to_pandas(GOLD).to_dict("list") == judgments_to_polars(GOLD).to_dict(as_series=False)


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, lambda data: polars.DataFrame(data).lazy()])
@pytest.mark.parametrize(
    ("query", "document", "value"),
    [
        ("query", "document", "score"),
        ("qid", "docno", "score"),
        ("query_id", "doc_id", "score"),
        ("q_id", "doc_id", "score"),
    ],
)
def test_columns_by_any_of_their_names(make: object, query: str, document: str, value: str) -> None:
    frame = make({document: ["d1", "d2"], value: [2, 1], query: ["q", "q"], "text": ["some", "more"]})  # type: ignore[operator]
    assert lists(as_run(frame)) == {"q": [("d1", 2.0), ("d2", 1.0)]}
    assert judged(as_judgments(frame)) == {"q": {"d1": 2.0, "d2": 1.0}}


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"q_id": ["q"], "doc": ["d"], "value": [1.0]}, "no column for the score of a run; its columns are 'q_id' "),
        ({"q_id": ["q"], "score": [1.0]}, "no column for the document of a run"),
        ({"q_id": ["q"], "doc_id": [7.5], "score": [1.0]}, "the column 'doc_id' has the type Float64 (7.5 …)"),
        ({"q_id": [True], "doc_id": ["d"], "score": [1.0]}, "the column 'q_id' has the type Boolean"),
        ({"q_id": ["q"], "doc_id": ["d"], "score": ["1"]}, "the column 'score' has the type String"),
        ({"q_id": ["q"], "doc_id": ["d"], "score": [True]}, "the column 'score' has the type Boolean"),
        (
            {"q_id": ["q", None], "doc_id": ["d", "e"], "score": [1.0, 2.0]},
            "column 'q_id', row 1: an identifier is missing",
        ),
        ({"q_id": ["q"], "doc_id": [""], "score": [1.0]}, "column 'doc_id', row 0: an identifier is empty"),
        ({"q_id": ["q", "q"], "doc_id": ["d", "d"], "score": [1.0, 2.0]}, "'q' and document 'd' occur twice"),
    ],
)
@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame])
def test_faults_of_frames_name_the_column_and_its_type(
    make: object, columns: dict[str, list[object]], found: str
) -> None:
    with pytest.raises(DataProblem) as caught:
        as_run(make(columns))  # type: ignore[operator]
    assert found in str(caught.value)
    assert caught.value.remedy


def test_missing_numbers_of_pandas_and_polars() -> None:
    with pytest.raises(DataProblem, match="row 1: nan is no finite number"):
        as_run(pandas.DataFrame({"qid": ["a", "b"], "docno": ["x", "y"], "score": [1.0, np.nan]}))
    with pytest.raises(DataProblem, match="row 1: a number is missing"):
        as_run(polars.DataFrame({"qid": ["a", "b"], "docno": ["x", "y"], "score": [1.0, None]}))


def test_whole_numbers_of_a_column_become_their_digits_also_beside_text() -> None:
    assert lists(as_run(pandas.DataFrame({"qid": [1, 2], "docno": [7, 8], "score": [1, 2]}))) == {
        "1": [("7", 1.0)],
        "2": [("8", 2.0)],
    }
    mixed = pandas.DataFrame({"qid": ["1", 2], "docno": [7, "x"], "score": [1, 2]})
    assert lists(as_run(mixed)) == {"1": [("7", 1.0)], "2": [("x", 2.0)]}
    with pytest.raises(DataProblem, match="column 'docno'"):
        as_run(pandas.DataFrame({"qid": ["1", "2"], "docno": [7.5, "x"], "score": [1, 2]}))


def test_int_columns_that_lost_a_value_are_refused_not_written_as_floats() -> None:
    """pandas turns whole numbers into 7.0 where one is missing."""
    with pytest.raises(DataProblem, match="Float64"):
        as_run(pandas.DataFrame({"qid": ["1", "2"], "docno": [7, None], "score": [1, 2]}))


@pytest.mark.parametrize("given", [3, object(), None])
def test_what_holds_nothing_is_refused(given: object) -> None:
    for take in (as_run, as_judgments):
        with pytest.raises(BadInput, match="holds no"):
            take(given)


def test_odd_tuples_and_odd_dictionaries_are_refused() -> None:
    with pytest.raises(DataProblem, match="row 0 has tuple, expected query_id, doc_id, score"):
        as_run([("q", "d", 1.0)])
    with pytest.raises(DataProblem, match="holds list"):
        as_run({"q": ["d"]})
    with pytest.raises(DataProblem, match="half a character"):
        as_run({"q": {"\ud800": 1.0}})


def test_a_tool_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtra, match="pip install ir_measures"):
        run_to_ir_measures(RUN)


tied_free = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.lists(st.sampled_from([f"d{at}" for at in range(12)]), unique=True, max_size=12).map(
        lambda listed: {name: float(-at) for at, name in enumerate(listed)}
    ),
    min_size=1,
)
whole_grades = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from([f"d{at}" for at in range(12)]), st.integers(0, 3), min_size=1),
    min_size=1,
)
THEIRS = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "AP": "map",
    "RR": "recip_rank",
    "P@5": "P_5",
    "Recall@5": "recall_5",
    "Hit@1": "success_1",
    "Rprec": "Rprec",
    "Bpref": "bpref",
}


@given(tied_free, whole_grades)
def test_pytrec_eval_measures_what_we_measure(
    run: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]]
) -> None:
    import pytrec_eval

    ours, gold = as_run(run), as_judgments(qrels)
    if not any(query in qrels for query in run):
        return
    found = evaluate_run(ours, {"gold": gold}, EvaluationSettings([Measure.parse(name) for name in THEIRS])).per_query()
    wanted = {"ndcg_cut.10", "ndcg", "map", "recip_rank", "P.5", "recall.5", "success.1", "Rprec", "bpref"}
    exported = judgments_to_pytrec_eval(gold)
    theirs = pytrec_eval.RelevanceEvaluator(exported, wanted).evaluate(run_to_pytrec_eval(ours))
    compared = 0
    for query, values in theirs.items():
        for name, their_name in THEIRS.items():
            if query in found[name]:  # a query without gold has no value here, and 0 there
                assert found[name][query] == pytest.approx(values[their_name], abs=1e-6), (query, name)
                compared += 1
            else:
                assert values[their_name] == 0.0
    assert compared or not any(max(row.values()) > 0 for query, row in qrels.items() if run.get(query))
