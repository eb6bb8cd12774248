"""Edits of documents: the document that a query found first is edited, and stands in its own place in the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.progress import Progress
from askance.data.ids import Ids
from askance.data.rows import Positions
from askance.data.run import Run
from askance.diagnose.probe.bill import NO_HITS, Outcome
from askance.diagnose.probe.edits import Edits
from askance.diagnose.probe.probed import Probed
from askance.measure.judged import Values
from askance.retrieve.retriever import RetrievalTask

NO_SCORE = "edits of documents that the second run does not list"


@dataclass(frozen=True)
class Firsts:
    """The document each query found first: `queries` and `documents` (positions), for queries that found any."""

    queries: tuple[int, ...]
    documents: tuple[int, ...]
    without: int

    @classmethod
    def of(cls, run: Run, count: int) -> Firsts:
        """Of the first `count` queries of a run."""
        first = run.matrix(1)[:count, 0]
        there = np.flatnonzero(first >= 0)
        return cls(tuple(there.tolist()), tuple(first[there].tolist()), len(first) - len(there))


def document_outcomes(
    made: Mapping[str, Edits], firsts: Firsts, task: RetrievalTask, probed: Probed, k: int, progress: Progress
) -> dict[str, tuple[list[Outcome], Counter[str]]]:
    """What the edits of first documents did, by class; their sources count into `firsts`.

    All edited documents join the corpus for one run. For each edit only the originals and this edit count, without
    the document it was made from: so the edit stands in its place. Statistics of the corpus are those of the joint one.
    """
    flat = [(name, at) for name, edits in made.items() for at in range(len(edits.made))]
    base = len(task.documents)
    column = {key: base + place for place, key in enumerate(flat)}
    names = _unused(task.documents, len(flat))
    joint = RetrievalTask(
        queries=task.queries,
        query_texts=task.query_texts,
        documents=Ids([*task.documents, *names]),
        document_texts=[*task.document_texts, *(made[name].made[at].text for name, at in flat)],
        depth=task.depth + len(flat),
        excluded=task.excluded,
    )
    run = probed.run(joint, progress)
    found: dict[str, tuple[list[Outcome], Counter[str]]] = {}
    for name, edits in made.items():
        outcomes, left = [], Counter({NO_HITS: firsts.without} if firsts.without else {})
        for at, edit in enumerate(edits.made):
            listed, scores = run.of_query(firsts.queries[edit.source])
            one = _outcome(edit.source, column[name, at], firsts.documents[edit.source], listed, scores, base, k)
            if one is None:
                left[NO_SCORE] += 1
            else:
                outcomes.append(one)
        found[name] = outcomes, left
    return found


def _outcome(
    source: int, edited: int, original: int, listed: Positions, scores: Values, base: int, k: int
) -> Outcome | None:
    was = np.flatnonzero(listed == original)
    if not len(was):
        return None
    there = np.flatnonzero(listed == edited)
    others = (listed < base) & (listed != original)
    if not len(there):
        return Outcome(source, 1.0, (k - 1) / k, 0.0, int(others.sum()) + 1, None)
    # An original of equal score stands before the edit by its position; the edit takes the original's place instead.
    ahead = scores > scores[there[0]]
    level = (scores == scores[there[0]]) & (listed < original)
    rank = int((others & (ahead | level)).sum()) + 1
    out = float(rank > k)
    return Outcome(source, out, 1.0 - out / k, float(rank == 1), rank, float(scores[there[0]] - scores[was[0]]))


def _unused(taken: Ids, count: int) -> Sequence[str]:
    prefix = "edited"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return [f"{prefix}{number}" for number in range(count)]
