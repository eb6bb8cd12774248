"""What a fix says besides its gain."""

from __future__ import annotations

from askance.core.estimate import Estimate
from askance.report.fix_tables import in_study_line, not_tried_lines


def test_what_the_written_study_will_print() -> None:
    before, after = Estimate(0.0932, 0.0424, 0.1526, 118, "made"), Estimate(0.8729, 0.8136, 0.9322, 118, "made")
    said = in_study_line("Hit@1", before, after).replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith("The written study will print, over all its queries, Hit@1 9.3 % (4.2–15.3) → 87.3 %")


def test_short_reasons_are_whole_and_long_ones_end_after_a_word() -> None:
    [short, long] = not_tried_lines({"view": "it hurts\nhere", "view on text": "numbers 0.916 tell gold " * 40})
    assert short == "Not tried: view: it hurts here"
    assert len(long) <= 160
    assert long.startswith("Not tried: view on text: numbers 0.916 tell gold numbers")
    said, rest = long.split(" … ")
    assert rest == "(all of it: --json)"
    assert said.split()[-1] in {"numbers", "0.916", "tell", "gold"}
