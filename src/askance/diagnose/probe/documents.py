"""Edits of documents: the document that a query found first is edited, and stands in its own place in the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from askance.core.progress import Progress
from askance.data.ids import Ids
from askance.data.rows import Positions
from askance.data.run import Run
from askance.diagnose.probe.bill import NO_HITS, Outcome
from askance.diagnose.probe.edits import Edits
from askance.diagnose.probe.probed import Probed
from askance.diagnose.probe.reranked import RerankedProbed
from askance.measure.judged import Values
from askance.retrieve.ranked import run_of
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
    A reranker is given the list of each edit, made so of what the system below it found.
    """
    flat = [(name, at) for name, edits in made.items() for at in range(len(edits.made))]
    base = len(task.documents)
    names = _unused(task.documents, len(flat))
    joint = RetrievalTask(
        queries=task.queries,
        query_texts=task.query_texts,
        documents=Ids([*task.documents, *names]),
        document_texts=[*task.document_texts, *(made[name].made[at].text for name, at in flat)],
        depth=task.depth + len(flat),
        excluded=task.excluded,
    )
    run = (probed.over if isinstance(probed, RerankedProbed) else probed).run(joint, progress)
    standing = []
    for place, (name, at) in enumerate(flat):
        source = made[name].made[at].source
        listed, scores = run.of_query(firsts.queries[source])
        standing.append(_stands(firsts, source, base + place, listed, scores, base))
    if isinstance(probed, RerankedProbed):
        standing = _reranked(probed, standing, joint)
    left = {NO_HITS: firsts.without} if firsts.without else {}
    found: dict[str, tuple[list[Outcome], Counter[str]]] = {name: ([], Counter(left)) for name in made}
    for (name, _), one in zip(flat, standing, strict=True):
        if one is None:
            found[name][1][NO_SCORE] += 1
        else:
            found[name][0].append(_outcome(one, k))
    return found


@dataclass(frozen=True)
class _Standing:
    """Where an edit stands. `others`: the originals of its list, in order; `score`: gained, None where not listed.

    `source`: into the first documents; `query`, `edited`: positions.
    """

    source: int
    query: int
    edited: int
    others: Positions
    rank: int
    score: float | None


def _stands(firsts: Firsts, source: int, edited: int, listed: Positions, scores: Values, base: int) -> _Standing | None:
    query, original = firsts.queries[source], firsts.documents[source]
    was = np.flatnonzero(listed == original)
    if not len(was):
        return None
    others = (listed < base) & (listed != original)
    there = np.flatnonzero(listed == edited)
    if not len(there):
        return _Standing(source, query, edited, listed[others], int(others.sum()) + 1, None)
    # An original of equal score stands before the edit by its position; the edit takes the original's place instead.
    ahead = scores > scores[there[0]]
    level = (scores == scores[there[0]]) & (listed < original)
    rank = int((others & (ahead | level)).sum()) + 1
    return _Standing(source, query, edited, listed[others], rank, float(scores[there[0]] - scores[was[0]]))


def _reranked(
    probed: RerankedProbed, standing: Sequence[_Standing | None], joint: RetrievalTask
) -> list[_Standing | None]:
    """The same after reranking; a score is a place, and the first document had the first one."""
    moved = [one for one in standing if one is not None and one.score is not None and one.rank <= probed.first]
    lists = []
    for one in moved:
        first = np.insert(one.others[: probed.first - 1], one.rank - 1, one.edited).astype(np.int32)
        lists.append((first, -np.arange(len(first), dtype=np.float64)))
    texts = [joint.query_texts[one.query] for one in moved]
    task = replace(joint, queries=Ids(f"e{at}" for at in range(len(moved))), query_texts=texts, excluded=None)
    run = probed.rerank(run_of("edits", task, lists), texts, joint.document_texts)
    ranks = {one.edited: int(np.flatnonzero(run.of_query(at)[0] == one.edited)[0]) + 1 for at, one in enumerate(moved)}
    return [one if one is None or one.score is None else _at(one, ranks.get(one.edited, one.rank)) for one in standing]


def _at(one: _Standing, rank: int) -> _Standing:
    return replace(one, rank=rank, score=float(1 - rank))


def _outcome(one: _Standing, k: int) -> Outcome:
    there = one.score is not None
    out = float(not there or one.rank > k)
    return Outcome(one.source, out, 1.0 - out / k, float(there and one.rank == 1), one.rank, one.score)


def _unused(taken: Ids, count: int) -> Sequence[str]:
    prefix = "edited"
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return [f"{prefix}{number}" for number in range(count)]
