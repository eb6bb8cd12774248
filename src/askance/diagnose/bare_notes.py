"""What is odd about run files and the texts beside them: counted and told, or an error where nothing fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from askance.core.errors import DataProblem
from askance.data.formats.loaded import LoadedQrels, LoadedRun
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.problems import examples
from askance.data.run import Run

NOT_TEXT = "is left out (it is not text)"


def oddities(name: str, loaded: LoadedRun | LoadedQrels) -> Iterator[str]:
    """What was odd about a file of a run or of judgments itself."""
    for problem in loaded.problems:
        yield f"{name}: {problem.text}. {problem.remedy}".rstrip()


def answered(name: str, run: Run, judgments: Judgments, asked: Ids | None) -> Iterator[str]:
    """How many of the judged queries a run has a list for; DataProblem where it has none for any.

    `asked`: the queries of --queries, None without. A run of other queries, or of none, was made by no system that
    could be diagnosed here.
    """
    listing = [query for at, query in enumerate(run.queries) if run.offsets[at + 1] > run.offsets[at]]
    if not listing:
        raise DataProblem(
            f"run {name!r} lists no document for any query: {len(judgments.queries):,} queries are judged, as "
            f"{examples(judgments.queries, 1)}",
            remedy="Was it cut, or is it the wrong file? A run has at least one row query, document, score.",
        )
    there = set(listing)
    missing = [query for query in judgments.queries if query not in there]
    if len(missing) == len(judgments.queries):
        raise DataProblem(
            f"run {name!r}: no query of the run is judged: it has {examples(listing)}; the judgments have "
            f"{examples(judgments.queries)}",
            remedy="Are these files of one collection? Identifiers are compared letter by letter.",
        )
    if missing:
        yield (
            f"{name}: {len(missing):,} of {len(judgments.queries):,} judged queries have no list, as {missing[0]!r}; "
            "their gold counts as not retrieved, unless another cause is found."
        )
    strange = [query for query in listing if query not in judgments.queries and (asked is None or query not in asked)]
    if strange:
        whose = "judged nor in --queries" if asked is not None else "judged"
        yield f"{name}: {len(strange):,} of {len(listing):,} queries are not {whose}, as {strange[0]!r}."


def unknown_documents(name: str, run: Run, corpus: Ids) -> Iterator[str]:
    """What a run lists that the corpus has not, counted; DataProblem where it lists nothing that the corpus has."""
    strange = np.array([each not in corpus for each in run.documents], dtype=np.bool_)[run.document]
    count = int(strange.sum())
    if not count:
        return
    example = run.documents[int(run.document[strange][0])]
    if count == len(strange):
        raise DataProblem(
            f"{name} lists no document of --corpus; its first one is {example!r}",
            remedy="Give the corpus.jsonl that the run was made from.",
        )
    yield f"{name}: {count:,} of {len(strange):,} rows name documents that --corpus does not have, as {example!r}."


def left_out(name: str, counts: Counter[str], *, filters_read: bool) -> Iterator[str]:
    """What was left out or empty in a file of texts. `filters_read`: what is not text was read for filters."""
    for what, number in counts.items():
        if not (filters_read and what.startswith("documents") and what.endswith(NOT_TEXT)):
            yield f"{name}: {what}: {number:,}."
