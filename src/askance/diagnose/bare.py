"""From bare run files and judgments, with or without texts, to what is diagnosed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from askance.core.errors import BadInput
from askance.data.collection import Collection, Documents, Queries, Tier
from askance.data.formats.beir.texts import read_documents, read_queries
from askance.data.formats.loaded import read_qrels_file, read_run_file
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import frozen, offsets_of
from askance.data.run import Run
from askance.diagnose.bare_notes import answered, left_out, oddities, unknown_documents
from askance.diagnose.case import Case, System, Window
from askance.diagnose.filter_values import FilterValues, filter_values
from askance.measure.judged import Counts
from askance.measure.order import ordered
from askance.text.analyzer import Analyzer

_WITHOUT_TEXTS = "Without --corpus and --queries nothing is said that needs texts."


def bare_case(
    runs: Sequence[str | Path],
    qrels: str | Path,
    *,
    corpus: str | Path | None = None,
    queries: str | Path | None = None,
    window: int | None = None,
    seed: int = 0,
) -> Case:
    """A case of these run files; the first is what others are compared with.

    `corpus`, `queries`: JSON lines as in a BEIR folder; without them nothing that needs texts is said. `window`: how
    many words a model reads of a document, counted as words of the analyzer. Lists are put in order of their scores,
    equal ones as they stand in the file. All queries that are judged, in a run or in `queries` are diagnosed. What else
    stands in the records of `corpus` is read as an index reads it, so that filters on it are found. DataProblem where a
    run has no list for any judged query; one that has some is told.
    """
    if not runs:
        raise BadInput("there is no run to diagnose", remedy="Name a result folder, or a run file with --run.")
    loaded, judged = [read_run_file(path) for path in runs], read_qrels_file(qrels)
    called = _called(runs)
    of_documents: Counter[str] = Counter()
    of_queries: Counter[str] = Counter()
    texts = read_documents(Path(corpus), of_documents) if corpus is not None else None
    asked = read_queries(Path(queries), of_queries) if queries is not None else None
    filters = FilterValues({}, ()) if corpus is None else filter_values(Path(corpus))
    notes = [] if texts is not None and asked is not None else [_WITHOUT_TEXTS]
    notes += left_out("--corpus", of_documents, filters_read=filters.read)
    notes += [*filters.notes, *left_out("--queries", of_queries, filters_read=False)]
    notes += oddities(Path(qrels).name, judged)
    for name, one in zip(called, loaded, strict=True):
        notes += answered(name, one.run, judged.judgments, None if asked is None else asked.ids)
        notes += oddities(name, one)
        notes += () if texts is None else unknown_documents(name, one.run, texts.ids)
    known = () if texts is None else texts.ids
    names = Ids(
        dict.fromkeys((*known, *judged.judgments.documents, *(name for one in loaded for name in one.run.documents)))
    )
    query_names = Ids(
        dict.fromkeys(
            (
                *(asked.ids if asked is not None else ()),
                *judged.judgments.queries,
                *(name for one in loaded for name in one.run.queries),
            )
        )
    )
    tier = Tier("gold", Path(qrels).name, _judgments(judged.judgments, query_names, names))
    collection = Collection(
        "run files",
        Documents(names, _padded({} if texts is None else dict(texts.fields), len(names))),
        _queries(asked, query_names),
        {tier.name: tier},
        origin="run files",
    )
    both = None
    if texts is not None and asked is not None:
        both = (collection.queries.field("text"), collection.documents.field("text"))
    absent = None
    if texts is not None:
        absent = np.arange(len(names)) >= len(texts)
    read = None if window is None else Window(window, _words, "the words of the analyzer")
    return Case(
        name="run files",
        title="Run files",
        collection=collection,
        tier=tier,
        mask=np.ones(len(query_names), dtype=np.bool_),
        systems=[_system(one.run, name, query_names, names, read) for one, name in zip(loaded, called, strict=True)],
        texts=both,
        compared=both,
        absent=absent,
        seed=seed,
        notes=tuple(notes),
        filters=_padded(filters.columns, len(names)),
    )


def _called(runs: Sequence[str | Path]) -> list[str]:
    names = [Path(path).name.removesuffix(".gz").removesuffix(".zst") for path in runs]
    return [name if names.count(name) == 1 else str(path) for name, path in zip(names, runs, strict=True)]


def _system(run: Run, name: str, queries: Ids, documents: Ids, window: Window | None) -> System:
    found = ordered(run, "input")
    place = {query: at for at, query in enumerate(found.queries)}
    mine = [place.get(query) for query in queries]
    lengths = np.diff(found.offsets)
    rows = [np.arange(found.offsets[at], found.offsets[at + 1]) for at in mine if at is not None]
    taken = np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)
    there = np.array([documents.position(each) for each in found.documents], dtype=np.int32)
    offsets = offsets_of([0 if at is None else int(lengths[at]) for at in mine])
    over = Run(name, queries, documents, frozen(offsets), frozen(there[found.document[taken]]), found.score[taken])
    return System(name, name, over, int(np.diff(over.offsets).max(initial=0)), window=window)


def _judgments(found: Judgments, queries: Ids, documents: Ids) -> Judgments:
    grades: dict[str, dict[str, float]] = {}
    for at, query in enumerate(found.queries):
        rows, grade = found.of_query(at)
        grades[query] = {found.documents[int(d)]: float(g) for d, g in zip(rows, grade, strict=True)}
    return Judgments.of(queries, documents, grades)


def _padded(fields: Mapping[str, Sequence[str]], size: int) -> dict[str, Sequence[str]]:
    """Empty texts for those that no corpus holds."""
    return {name: (*column, *[""] * (size - len(column))) for name, column in fields.items()}


def _queries(asked: Queries | None, names: Ids) -> Queries:
    if asked is None:
        return Queries(names, {})
    extra = len(names) - len(asked)
    slices = {name: (*column, *[""] * extra) for name, column in asked.slices.items()}
    groups = None if asked.groups is None else (*asked.groups, *names.names[len(asked) :])
    return Queries(names, _padded(dict(asked.fields), len(names)), groups, slices)


def _words(texts: Iterable[str]) -> Counts:
    analyzer = Analyzer()
    return np.array([len(analyzer.terms(text)) for text in texts], dtype=np.int64)
