"""An index that a study names by a relative path lies beside the study file, wherever the command is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from askance.app.fix import fix
from askance.app.index import index
from askance.app.probe import probe
from askance.app.study import run
from askance.data.fields.pattern import PatternSchema

SYSTEMS = """\
[[domains.chores.systems]]
name = "standing"
retriever = "irl"
index = "built"

[[domains.chores.systems]]
name = "made"
retriever = "irl"
pattern = '(?P<name>\\w+) the (?P<items>.*)'

"""


@pytest.fixture
def elsewhere(study: Path, chores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The study, with a system over an index beside it, asked for from another folder."""
    index(chores, chores.parent / "built", schema=PatternSchema(r"(?P<name>\w+) the (?P<items>.*)"))
    told = study.read_text(encoding="utf-8")
    study.write_text(told.replace("[[domains.chores.systems]]", SYSTEMS + "[[domains.chores.systems]]", 1))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return study


def test_a_study_runs_and_is_mended_and_probed(elsewhere: Path, tmp_path: Path) -> None:
    results = run(elsewhere, out=tmp_path / "out").results
    of = {
        name: [one.estimate for one in results.domains[0].figures if one.system == name]
        for name in ("standing", "made")
    }
    assert of["standing"] == of["made"]
    assert any(one.value for one in of["standing"])
    assert fix(tmp_path / "out", system="standing").found is not None
    found = probe(f"{elsewhere}#chores", system="standing", side="queries", draws=50)
    assert [one.label for one in found.systems] == ["standing"]
