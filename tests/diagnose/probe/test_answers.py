"""Whether the answer stays, against a count of all pairs; what a program under probe may not do."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.diagnose.probe.fakes import household

from askance.core.errors import AskanceError, DataProblem
from askance.core.progress import Silent
from askance.data.ids import Ids
from askance.diagnose.probe.answers import answer_stays
from askance.diagnose.probe.command import CommandProbed, parts_of
from askance.diagnose.probe.reading import STRUCTURE, TokenReader
from askance.retrieve.retriever import RetrievalTask
from askance.views.slots import Slots

COLLECTION = household()
DOCUMENTS, QUERIES = COLLECTION.documents.field("text"), COLLECTION.queries.field("text")
READER = TokenReader(Slots.learn(DOCUMENTS, QUERIES))


def counted(group: str) -> list[float]:
    """Per query, of all pairs that differ in the class alone, how many are both gold; the query is one of them."""

    def split(text: str) -> tuple[list[str], list[str]]:
        pieces = READER.pieces(text)
        return [p.term if p.group != group else "?" for p in pieces], [p.term for p in pieces if p.group == group]

    judgments = COLLECTION.tier("strict").judgments
    read = [split(text) for text in DOCUMENTS]
    values = []
    for at, query in enumerate(QUERIES):
        gold = set(judgments.of_query(at)[0].tolist())
        both = [
            other in gold
            for mask, held in [*(read[one] for one in sorted(gold)), split(query)]
            for other, (mask_of_other, held_of_other) in enumerate(read)
            if mask == mask_of_other and held != held_of_other
        ]
        if both:
            values.append(sum(both) / len(both))
    return values


@pytest.mark.parametrize("group", [STRUCTURE, *READER.open])
def test_answers_stay_as_often_as_pairs_say(group: str) -> None:
    found = answer_stays(READER, group, COLLECTION.tier("strict"), QUERIES, DOCUMENTS)
    expected = counted(group)
    assert found.n == len(expected) > 0
    assert found.value == pytest.approx(np.mean(expected))


def task() -> RetrievalTask:
    return RetrievalTask(Ids(["p0"]), ["a 'quoted' $(text); `more`"], Ids(["d0", "d1"]), ["x", "y"], 2)


def program(place: Path, body: str) -> CommandProbed:
    (place / "prog.py").write_text(f"import json, sys\nasked, run = sys.argv[1:]\n{body}\n", encoding="utf-8")
    return CommandProbed("c", "c", parts_of(f"{sys.executable} '{place / 'prog.py'}' {{queries}} {{run}}"), 20)


def test_a_program_gets_texts_in_a_file_and_its_lists_go_by_score(tmp_path: Path) -> None:
    body = (
        "query = json.loads(open(asked).read())\n"
        f"assert query == {{'_id': 'p0', 'text': {task().query_texts[0]!r}}}\n"
        "open(run, 'w').write('p0 Q0 d1 1 0.25 t\\np0 Q0 d0 2 0.75 t\\n')"
    )
    found = program(tmp_path, body).run(task(), Silent())
    documents, scores = found.of_query(0)
    assert (documents.tolist(), scores.tolist()) == ([0, 1], [0.75, 0.25])


def test_a_program_that_lists_other_documents_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataProblem, match="'dX'"):
        program(tmp_path, "open(run, 'w').write('p0 Q0 dX 1 0.5 t\\n')").run(task(), Silent())


def test_what_a_failing_program_said_is_told(tmp_path: Path) -> None:
    with pytest.raises(AskanceError, match="ended with 3: no index here"):
        program(tmp_path, "sys.stderr.write('no index here'); sys.exit(3)").run(task(), Silent())
