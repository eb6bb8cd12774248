"""Whatever goes wrong in a study, its page and its tables are made, and say so."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from rich.cells import cell_len
from rich.console import Console

from askance.report.page import render
from askance.report.terminal import print_results
from askance.study.results import Results


def test_every_bad_case_has_a_page(bad_cases: dict[str, Results], parsed: Callable[[str], Any]) -> None:
    assert len(bad_cases) == 20
    for name, results in bad_cases.items():
        page = render(results)
        tags, text = parsed(page)
        assert "script" not in {tag for tag, _ in tags}, name
        assert not re.search(r"\bNone\b|\bnan\b|\binf\b", text), name
        for chart in re.findall(r"<svg .*?</svg>", page, re.DOTALL):
            ElementTree.fromstring(chart)


def test_every_bad_case_fits_the_terminal(bad_cases: dict[str, Results]) -> None:
    for name, results in bad_cases.items():
        for width in (80, 100):
            out = io.StringIO()
            print_results(results, Console(file=out, width=width, color_system=None))
            assert "\x1b" not in out.getvalue(), name
            assert max((cell_len(line) for line in out.getvalue().splitlines()), default=0) <= width, name


def test_bad_cases_say_what_is_wrong(bad_cases: dict[str, Results], parsed: Callable[[str], Any]) -> None:
    said = {
        "all undefined": "undefined: nothing to count",
        "no domains": "Nothing can be concluded: no figure was measured.",
        "nothing measured": "No figure was measured here.",
        "forty systems": "The first 6 systems are named; 34 others in grey",
        "long words and lines": "more characters",
        "all zero": "cannot be told from chance",
    }
    for name, part in said.items():
        assert part in parsed(render(bad_cases[name]))[1], name


def test_nothing_is_concluded_from_nothing(bad_cases: dict[str, Results]) -> None:
    from askance.report.sentences import conclusions

    assert {sentence.rule for sentence in conclusions(bad_cases["all undefined"])} <= {
        "cut",
        "ties",
        "winners",
        "wording",
    }
    assert not [s for s in conclusions(bad_cases["all undefined"]) if s.decided and s.rule in ("winners", "wording")]
    assert conclusions(bad_cases["no domains"]) == []
    assert {sentence.rule for sentence in conclusions(bad_cases["nothing measured"])} == set()
