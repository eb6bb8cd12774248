"""Faulty and odd input, shape by shape: what other evaluators crash on, drop or answer differently within one call.

Each row is a shape that users of retrieval evaluators have met. Either it is an error that names file, line and remedy,
or it is gone on with and counted; never is there a traceback, a silent drop or a silent guess.
"""

from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from askance.app.evaluate import evaluate
from askance.core.errors import DataProblem, FileProblem
from askance.data.convert.anything import as_judgments, as_run
from askance.data.convert.pytrec_eval import judgments_to_pytrec_eval
from askance.data.fit import fit
from askance.data.formats.loaded import read_qrels_file, read_run_file
from askance.measure.evaluation import EvaluatedRun, EvaluationSettings, evaluate_run
from askance.measure.measures import Measure

QRELS = "q1 0 d1 1\nq2 0 d2 1\n"
RUN = "q1 Q0 d1 1 2.0 t\nq1 Q0 d3 2 1.0 t\nq2 Q0 d2 1 2.0 t\nq2 Q0 d3 2 1.0 t\n"
NFC, NFD = unicodedata.normalize("NFC", "dé"), unicodedata.normalize("NFD", "dé")
Dicts = Mapping[str, Mapping[str, float]]


def put(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def evaluated(
    folder: Path,
    run: str | bytes,
    qrels: str | bytes = QRELS,
    measures: str = "nDCG@10 Hit@1 RR@10",
    ties: str = "expected",
) -> EvaluatedRun:
    files = put(folder / "run", run), put(folder / "qrels", qrels)
    return evaluate([files[0]], files[1], measures=measures, ties=ties).runs[0]  # type: ignore[arg-type]


def in_memory(run: Dicts, grades: Dicts, measure: str = "nDCG@10", ties: str = "expected") -> EvaluatedRun:
    settings = EvaluationSettings([Measure.parse(measure)], ties)  # type: ignore[arg-type]
    return evaluate_run(as_run(run), {"gold": as_judgments(grades)}, settings)


def value(found: EvaluatedRun, measure: str = "nDCG@10") -> float:
    estimate = found.measures[measure]
    assert estimate.value is not None
    return estimate.value


def said(found: EvaluatedRun) -> str:
    return " | ".join(problem.text for problem in found.problems)


# --- queries that are missing, extra or empty -------------------------------------------------------------------------


def test_a_query_that_the_run_misses_counts_zero_and_is_counted(tmp_path: Path) -> None:
    found = evaluated(tmp_path, "q1 Q0 d1 1 2.0 t\n")
    assert value(found) == 0.5
    assert (found.counts.evaluated, found.counts.missing) == (2, 1)
    assert "1 judged queries are not in the run: 'q2'" in said(found)


def test_a_query_that_is_not_judged_is_left_out_and_counted(tmp_path: Path) -> None:
    found = evaluated(tmp_path, RUN + "q9 Q0 d1 1 1.0 t\n")
    assert value(found) == 1.0
    assert (found.counts.evaluated, found.counts.unjudged) == (2, 1)
    assert "1 queries of the run have no judgments: 'q9'" in said(found)


@pytest.mark.parametrize("nothing", [{}, {"d2": 0}, {"d2": -1}, {"d2": -2, "d3": -3}])
def test_a_query_without_gold_is_left_out_wherever_it_stands(nothing: dict[str, float]) -> None:
    """No judgments, zero grades only, and grades of −2 and below, which crash trec_eval's code after another query."""
    run: Dicts = {"q1": {"d1": 2.0}, "q2": {"d2": 1.0}, "q3": {"d3": 1.0}}
    first, last = {"d1": 1.0}, {"d9": 1.0}
    for grades in (
        {"q1": first, "q2": nothing, "q3": last},
        {"q2": nothing, "q1": first, "q3": last},
    ):
        found = in_memory(run, grades)
        assert value(found) == 0.5
        assert (found.counts.evaluated, found.counts.excluded) == (2, 1)
    assert judgments_to_pytrec_eval(as_judgments({"q": nothing})).get("q", {"d2": 0}) == {"d2": 0}


def test_one_query_alone_with_a_grade_of_minus_one_ends() -> None:
    found = in_memory({"q1": {"d1": 1.0}}, {"q1": {"d1": -1}}, "nDCG")
    assert found.measures["nDCG"].value is None
    assert found.measures["nDCG"].method.startswith("undefined:")


def test_where_no_query_overlaps_three_of_each_side_are_shown(tmp_path: Path) -> None:
    run = "".join(f"{at} Q0 d1 1 1.0 t\n" for at in range(12, 17))
    qrels = "".join(f"{at}.1 0 d1 1\n" for at in range(12, 17))
    with pytest.raises(DataProblem) as caught:
        evaluated(tmp_path, run, qrels)
    assert "'12', '13', '14' …" in str(caught.value)
    assert "'12.1', '13.1', '14.1' …" in str(caught.value)
    assert "letter by letter" in str(caught.value)


@pytest.mark.parametrize("content", ["", "\n", "\ufeff", "# a comment\n"])
def test_an_empty_run_found_nothing(tmp_path: Path, content: str) -> None:
    loaded = read_run_file(put(tmp_path / "run", content))
    assert len(loaded.run) == 0
    assert [problem.text for problem in loaded.problems] == ["there are no rows in it"]
    found = evaluated(tmp_path, content)
    assert (value(found), found.counts.missing) == (0.0, 2)


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_empty_judgments_are_an_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileProblem, match="there are no judgments in it"):
        read_qrels_file(put(tmp_path / "qrels", content))


def test_a_list_as_a_run_is_a_run_without_rows() -> None:
    assert len(as_run([])) == 0


def test_an_iterator_is_read_once_and_can_be_evaluated_twice() -> None:
    from ir_measures import Qrel, ScoredDoc

    run = as_run(iter([ScoredDoc("q1", "d1", 1.0), ScoredDoc("q1", "d2", 0.5)]))
    judgments = as_judgments(iter([Qrel("q1", "d1", 1)]))
    settings = EvaluationSettings([Measure.parse("nDCG@10")])
    first, second = (evaluate_run(run, {"gold": judgments}, settings) for _ in range(2))
    assert value(first) == value(second) == 1.0


def test_dictionaries_in_different_orders_are_the_same() -> None:
    run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 1.0, "d2": 2.0}}
    grades: Dicts = {"q1": {"d1": 1}, "q2": {"d1": 1, "d2": 0}}
    expected = value(in_memory(run, grades))
    assert value(in_memory(dict(reversed(list(run.items()))), grades)) == expected
    assert value(in_memory(run, dict(reversed(list(grades.items()))))) == expected
    assert 0 < expected < 1


# --- ties -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["nDCG@10", "Hit@1", "RR@10", "AP", "P@2", "Recall@2"])
def test_renaming_a_tied_document_changes_no_expectation(measure: str) -> None:
    values = {
        value(in_memory({"q1": {**dict.fromkeys(others, 1.0), gold: 1.0}}, {"q1": {gold: 1}}, measure), measure)
        for gold, others in (("a", "bc"), ("b", "ac"), ("c", "ab"))
    }
    assert len(values) == 1
    assert 0 < values.pop() < 1


@pytest.mark.parametrize(("gold", "hit"), [("a", 0.0), ("c", 1.0)])
def test_trec_s_own_rule_puts_the_higher_identifier_first(gold: str, hit: float) -> None:
    run = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}
    assert value(in_memory(run, {"q1": {gold: 1}}, "Hit@1", "trec"), "Hit@1") == hit


def test_scores_that_differ_beyond_32_bits_tie_under_trec_only() -> None:
    run, grades = {"q1": {"a": 0.70000001, "b": 0.7}}, {"q1": {"a": 1.0}}
    assert value(in_memory(run, grades, "Hit@1"), "Hit@1") == 1.0
    assert value(in_memory(run, grades, "Hit@1", "trec"), "Hit@1") == 0.0


@pytest.mark.parametrize("measure", ["nDCG@10", "Hit@1", "RR@10"])
def test_one_ordering_serves_every_measure(measure: str) -> None:
    """A constant scorer gets chance from each, not 1 from one and 0 from the next."""
    documents = [f"d{at}" for at in range(10)]
    constant: Dicts = {"q1": dict.fromkeys(documents, 0.0)}
    settings = EvaluationSettings([Measure.parse(measure)], corpus_size=10)
    found = evaluate_run(as_run(constant), {"gold": as_judgments({"q1": {"d3": 1}})}, settings)
    assert value(found, measure) == pytest.approx(found.chance[measure].expected)
    assert found.tied == 1.0


def test_a_ranking_given_as_equal_scores_is_warned_of(tmp_path: Path) -> None:
    loaded = read_run_file(
        put(tmp_path / "run", "q1 Q0 d1 1 1 t\nq1 Q0 d2 2 1 t\nq2 Q0 d1 1 1 t\nq3 Q0 d1 1 2 t\nq3 Q0 d2 2 1 t\n")
    )
    assert [problem.text for problem in loaded.problems] == [
        "1 of 2 lists of several documents have one score throughout"
    ]


def test_scores_are_compared_in_full_precision(tmp_path: Path) -> None:
    """The same hit again under a score that differs by 1e-6 is a repeat, not a tie."""
    with pytest.raises(FileProblem, match="occur again") as caught:
        read_run_file(put(tmp_path / "run", "q Q0 d 1 1.000001 t\nq Q0 e 2 1.000001 t\nq Q0 d 3 1.0 t\n"))
    assert caught.value.line == 3


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["nan", "NaN", "inf", "-inf", "Infinity", "1e999", "high", "", "1_0", "٣", "0x10", "1,5"]
)
@pytest.mark.parametrize("line", [1, 2])
def test_a_score_that_is_no_finite_number_is_an_error(tmp_path: Path, text: str, line: int) -> None:
    rows = ["q Q0 a 1 1 t", "q Q0 b 2 2 t"]
    rows[line - 1] = f"q\tQ0\tc\t3\t{text}\tt" if text == "" else f"q Q0 c 3 {text} t"
    path = put(tmp_path / "run", "\n".join(rows) + "\n")
    with pytest.raises(FileProblem) as caught:
        read_run_file(path)
    assert caught.value.line == line
    assert f"{path}:{line}:" in str(caught.value)
    assert caught.value.text == rows[line - 1]
    assert caught.value.remedy


@pytest.mark.parametrize("number", [np.float32(0.5), np.float64(0.5), np.int64(2), np.uint8(2), 2, 0.5])
def test_numbers_of_numpy_are_numbers(number: float) -> None:
    assert as_run({"q": {"d": number}}).score.tolist() == [float(number)]
    assert as_judgments({"q": {"d": number}}).grade.tolist() == [float(number)]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), np.float32("nan"), "1", None, True, np.True_, [1], 1j])
def test_what_is_no_finite_number_is_refused_by_query_and_document(number: object) -> None:
    for take in (as_run, as_judgments):
        with pytest.raises(DataProblem, match="query 'q', document 'd'") as caught:
            take({"q": {"c": 1.0, "d": number}})
        assert caught.value.remedy


@pytest.mark.parametrize("text", ["0.5", "1.0", "1", "3", "5", "1e0", "-1", "-2"])
def test_grades_are_kept_as_declared(tmp_path: Path, text: str) -> None:
    loaded = read_qrels_file(put(tmp_path / "qrels", f"q 0 d {text}\nq 0 e 1\n"))
    assert loaded.judgments.grade.tolist() == [float(text), 1.0]


@pytest.mark.parametrize(
    ("grade", "warning"),
    [("0.5", "1 grades are fractions"), ("-1", "1 grades are below 0"), ("2", ""), ("0", "")],
)
def test_grades_that_others_would_cut_are_counted(tmp_path: Path, grade: str, warning: str) -> None:
    loaded = read_qrels_file(put(tmp_path / "qrels", f"q 0 d {grade}\nq 0 e 1\n"))
    assert " ".join(problem.text for problem in loaded.problems) == warning


def test_a_fractional_grade_gains_what_it_says_and_is_gold_from_the_threshold_on() -> None:
    run, grades = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 0.5, "b": 1.0}}
    found = in_memory(run, grades)
    assert value(found) == pytest.approx((0.5 + 1 / np.log2(3)) / (1 + 0.5 / np.log2(3)))
    assert value(in_memory(run, grades, "Hit@1"), "Hit@1") == 0.0


def test_a_grade_of_5_is_a_grade() -> None:
    found = in_memory({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 5.0, "b": 4.0}})
    assert value(found) == 1.0


def test_a_fractional_grade_is_not_cut_on_the_way_to_others() -> None:
    with pytest.raises(DataProblem, match="0.5 is a fraction"):
        judgments_to_pytrec_eval(as_judgments({"q": {"d": 0.5}}))


# --- rows that repeat -------------------------------------------------------------------------------------------------


def test_a_document_listed_twice_is_an_error_with_both_lines(tmp_path: Path) -> None:
    path = put(tmp_path / "run", "# my run\nq Q0 a 1 3 t\n\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n")
    with pytest.raises(FileProblem) as caught:
        read_run_file(path)
    assert caught.value.line == 5
    assert "query 'q' and document 'a' occur again, with the score 1.0; line 2 has them with 3.0" in str(caught.value)
    assert caught.value.text == "q Q0 a 3 1 t"


@pytest.mark.parametrize("grades", [("1", "0"), ("1", "1")])
def test_a_pair_judged_twice_is_an_error_even_where_both_agree(tmp_path: Path, grades: tuple[str, str]) -> None:
    path = put(tmp_path / "qrels", f"q 0 a {grades[0]}\nq 0 b 1\nq 0 a {grades[1]}\n")
    with pytest.raises(FileProblem, match=f"line 1 has them with {float(grades[0])}") as caught:
        read_qrels_file(path)
    assert caught.value.line == 3


def test_identifiers_that_differ_by_a_suffix_are_two(tmp_path: Path) -> None:
    run = read_run_file(put(tmp_path / "run", "q Q0 a 1 3 t\nq Q0 a_2 2 2 t\nq Q0 a.2 3 1 t\n")).run
    assert run.documents.names == ("a", "a_2", "a.2")


# --- identifiers ------------------------------------------------------------------------------------------------------


def test_identifiers_in_files_stay_letter_by_letter(tmp_path: Path) -> None:
    names = ("7", "007", "7.0", "07", "a#1", "#b", "é", NFC, NFD, "日本", "null", "NaN", "true", '"q"', "'", "1e3", "-")
    rows = "".join(f"{name} Q0 {name} 1 1.0 t\n" for name in names if name != "é")
    run = read_run_file(put(tmp_path / "run", rows)).run
    kept = tuple(name for name in names if name != "é")
    assert run.queries.names == kept
    assert run.documents.names == kept


@pytest.mark.parametrize("name", [7, np.int64(7), np.uint8(7)])
def test_whole_numbers_as_identifiers_become_their_digits(name: int) -> None:
    run = as_run({name: {name: 1.0}})
    assert (run.queries.names, run.documents.names) == (("7",), ("7",))


@pytest.mark.parametrize("name", [7.0, 7.5, np.float64(7), True, None, b"7", ("7",), float("nan")])
def test_other_things_as_identifiers_are_refused(name: object) -> None:
    with pytest.raises(DataProblem, match="expected text or a whole number"):
        as_run({"q": {name: 1.0}})
    with pytest.raises(DataProblem, match="expected text or a whole number"):
        as_judgments({name: {"d": 1.0}})


def test_a_number_and_its_text_are_one_identifier_and_a_repeat() -> None:
    with pytest.raises(DataProblem, match="'7' occur twice"):
        as_run({"q": {7: 1.0, "7": 2.0}})


@pytest.mark.parametrize(
    ("ours", "theirs", "why"),
    [
        (NFC, NFD, "NFC and NFD"),
        ("q07", "q7", "how a number is written"),
        ("07", "7", "how a number is written"),
        ("7.0", "7", "how a number is written"),
        ("Q7", "q7", "white space or case"),
        ("a", "b", ""),
    ],
)
def test_identifiers_that_would_match_are_named(ours: str, theirs: str, why: str) -> None:
    run, judgments = as_run({ours: {"d": 1.0}, "q": {"d": 1.0}}), as_judgments({theirs: {"d": 1.0}, "q": {"d": 1.0}})
    found = [problem for problem in fit(run, judgments).problems if "would match" in problem.text]
    assert len(found) == (1 if why else 0)
    for problem in found:
        assert why in problem.text
        assert ascii(ours) in problem.text
        assert ascii(theirs) in problem.text
        assert (problem.severity, problem.count) == ("warning", 1)


def test_documents_that_would_match_but_for_their_unicode_form_are_named(tmp_path: Path) -> None:
    found = evaluated(tmp_path, f"q1 Q0 {NFC} 1 1.0 t\nq1 Q0 d1 2 0.5 t\n", f"q1 0 {NFD} 1\nq1 0 d1 1\n")
    assert "1 document of the run would match the judgments but for the form of its letters" in said(found)


def test_documents_that_never_match_are_shown_beside_each_other(tmp_path: Path) -> None:
    found = evaluated(tmp_path, "q1 Q0 doc-1 1 1.0 t\n", "q1 0 1 1\n")
    assert "no document of the run is judged: it has 'doc-1'; the judgments have '1'" in said(found)


# --- files and encodings ----------------------------------------------------------------------------------------------

DRESSES: dict[str, str | bytes] = {
    "plain": RUN,
    "CRLF": RUN.replace("\n", "\r\n"),
    "tabs": RUN.replace(" ", "\t"),
    "runs of spaces": "  " + RUN.replace(" ", "   ").replace("\n", "  \n   "),
    "tabs and spaces": RUN.replace(" Q0 ", "\tQ0 \t"),
    "byte order mark": "\ufeff" + RUN,
    "no last line end": RUN.removesuffix("\n"),
    "queries apart": "".join(RUN.splitlines(keepends=True)[at] for at in (2, 0, 3, 1)),
    "blank lines": RUN.replace("\n", "\n\n"),
    "comments": "# run 7\n" + RUN.replace("\nq2", "\n#another one, with words\nq2", 1),
    "gzip": gzip.compress(RUN.encode()),
    "gzip of CRLF with a mark": gzip.compress(("\ufeff" + RUN.replace("\n", "\r\n")).encode()),
}


@pytest.mark.parametrize("dress", DRESSES)
def test_one_run_in_many_dresses(tmp_path: Path, dress: str) -> None:
    loaded = read_run_file(put(tmp_path / "run.txt", DRESSES[dress]))
    lists = {
        query: [loaded.run.documents[int(at)] for at in loaded.run.of_query(place)[0]]
        for place, query in enumerate(loaded.run.queries)
    }
    assert lists == {"q1": ["d1", "d3"], "q2": ["d2", "d3"]}
    assert loaded.problems == ()
    assert value(evaluated(tmp_path, DRESSES[dress])) == 1.0


@pytest.mark.parametrize("dress", ["CRLF", "byte order mark", "tabs", "comments", "gzip"])
def test_judgments_in_the_same_dresses(tmp_path: Path, dress: str) -> None:
    """A byte order mark in the judgments alone must not lose their first query."""
    dresses: dict[str, str | bytes] = {
        "CRLF": QRELS.replace("\n", "\r\n"),
        "byte order mark": "\ufeff" + QRELS,
        "tabs": QRELS.replace(" ", "\t"),
        "comments": "# judged by hand\n" + QRELS,
        "gzip": gzip.compress(QRELS.encode()),
    }
    found = evaluated(tmp_path, RUN, dresses[dress])
    assert (value(found), found.counts.evaluated, found.problems) == (1.0, 2, ())


def test_paths_are_taken_as_text_and_as_path(tmp_path: Path) -> None:
    path = put(tmp_path / "run", RUN)
    assert len(read_run_file(path).run) == len(read_run_file(str(path)).run) == 4


@pytest.mark.parametrize(
    ("rows", "line", "found"),
    [
        ("q Q0 d 1 1.0\n", 2, "5 columns, expected 6"),
        ("q Q0 d 1 1.0 my tag\n", 2, "7 columns, expected 6"),
        ("q Q0 a document 1 1.0 t\n", 2, "7 columns, expected 6"),
        ("q Q0 d 1 1.0 t x\nq Q0 e 1 1.0\n", 2, "7 columns, expected 6"),
        ("q Q0 d 2 1", 2, "5 columns, expected 6"),
        ("garbage\n", 2, "1 columns, expected 6"),
        ("{}\n", 2, "1 columns, expected 6"),
    ],
)
def test_rows_of_another_width_are_errors(tmp_path: Path, rows: str, line: int, found: str) -> None:
    path = put(tmp_path / "run", "p Q0 d 1 1.0 t\n" + rows)
    with pytest.raises(FileProblem) as caught:
        read_run_file(path)
    assert (caught.value.line, caught.value.text) == (line, rows.splitlines()[0])
    assert found in str(caught.value)
    assert caught.value.remedy


def test_a_byte_that_is_no_utf_8_is_an_error(tmp_path: Path) -> None:
    path = put(tmp_path / "run", RUN.encode() * 1 + b"q3 Q0 caf\xe9 1 1.0 t\n")
    with pytest.raises(FileProblem, match="0xe9") as caught:
        read_run_file(path)
    assert caught.value.line == 5


def test_ranks_that_contradict_scores_are_counted_and_scores_decide(tmp_path: Path) -> None:
    found = evaluated(tmp_path, "q1 Q0 d3 1 1.0 t\nq1 Q0 d1 2 2.0 t\nq2 Q0 d2 1 1.0 t\n")
    assert value(found, "Hit@1") == 1.0
    assert "the rank column contradicts the scores: 1 neighbours" in said(found)


def test_several_tags_and_odd_ranks_are_counted(tmp_path: Path) -> None:
    loaded = read_run_file(put(tmp_path / "run", "q Q0 a - 2 one\nq Q0 b 1.5 1 two\n"))
    assert loaded.tags == ("one", "two")
    assert [problem.count for problem in loaded.problems] == [2, 2]


def test_exchanged_files_are_told_apart(tmp_path: Path) -> None:
    run, qrels = put(tmp_path / "run", RUN), put(tmp_path / "qrels", QRELS)
    with pytest.raises(FileProblem, match="this looks like judgments, expected a run"):
        read_run_file(qrels)
    with pytest.raises(FileProblem, match="this looks like a run, expected judgments"):
        read_qrels_file(run)


def test_three_columns_without_a_header_are_not_guessed_at(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="a score or a rank"):
        read_run_file(put(tmp_path / "run", "q1\td1\t1\nq1\td2\t2\n"))


def test_two_runs_of_one_name_are_both_evaluated(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    good, bad = (
        put(tmp_path / "a" / "run", RUN),
        put(tmp_path / "b" / "run", RUN.replace("d1", "d9").replace("d2", "d8")),
    )
    found = evaluate([good, bad], put(tmp_path / "qrels", QRELS), measures="nDCG@10").runs
    assert [value(one) for one in found] == [1.0, 0.0]
