"""Run files that do not belong to the corpus: said, or an error where nothing belongs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from askance.core.errors import DataProblem
from askance.diagnose.bare import bare_case


def files(folder: Path, listed: str) -> dict[str, Any]:
    texts = {
        "corpus": '{"_id": "d1", "text": "one"}\n{"_id": "d2", "text": "two"}\n',
        "queries": '{"_id": "q", "text": "one"}\n',
        "qrels": "q 0 d1 1\n",
        "run": listed,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name: folder / name for name in texts}


@pytest.mark.parametrize(
    ("listed", "notes"),
    [
        ("q Q0 d1 1 2 x\n", ()),
        (
            "q Q0 d1 1 2 x\nq Q0 away 2 1 x\n",
            ("run: 1 of 2 rows name documents that --corpus does not have, as 'away'.",),
        ),
    ],
)
def test_documents_that_the_corpus_has_not_are_counted(listed: str, notes: tuple[str, ...], tmp_path: Path) -> None:
    told = files(tmp_path, listed)
    run = told.pop("run")
    assert tuple(bare_case([run], **told).notes) == notes


def test_a_run_of_another_corpus_is_an_error(tmp_path: Path) -> None:
    told = files(tmp_path, "q Q0 away 1 1 x\n")
    run = told.pop("run")
    with pytest.raises(DataProblem, match="lists no document of --corpus; its first one is 'away'"):
        bare_case([run], **told)
