"""A run and judgments from different places, brought over one set of identifiers; what does not fit is counted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from askance.data.ids import Ids
from askance.data.interning import Interner
from askance.data.judgments import Judgments
from askance.data.problems import Problem, examples
from askance.data.rows import Positions, offsets_of
from askance.data.run import Run

_NUMBER = re.compile(r"0*(\d+)(?:\.0+)?")


@dataclass(frozen=True, eq=False)
class Fitted:
    """A run and judgments over the same queries (the judged ones) and documents (the judged ones first).

    `missing`: judged queries for which the run has no row. `unjudged`: queries of the run without judgments, left out.
    `problems`: an error where not one query is judged, and warnings about identifiers on one side only.
    """

    run: Run
    judgments: Judgments
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    problems: tuple[Problem, ...]


def fit(run: Run, judgments: Judgments) -> Fitted:
    """Bring `run` over the queries of `judgments`; the rows of a query keep their order.

    Identifiers are compared letter by letter. Nothing is raised: where the two do not belong together, `problems` says
    so.
    """
    query, _ = _joined(judgments.queries, run.queries)
    document, documents = _joined(judgments.documents, run.documents)
    judged = query < len(judgments.queries)
    fitted = _over(run, judgments.queries, documents, np.where(judged, query, -1), document)
    # a query that is listed without rows found nothing, and is no missing one
    there = np.zeros(len(judgments.queries), dtype=np.bool_)
    there[query[judged]] = True
    missing = tuple(judgments.queries[int(at)] for at in np.flatnonzero(~there))
    unjudged = tuple(run.queries[int(at)] for at in np.flatnonzero(~judged))
    problems = (
        *_query_problems(run, judgments, missing, unjudged),
        *_document_problems(fitted, judgments),
    )
    return Fitted(fitted, replace(judgments, documents=documents), missing, unjudged, problems)


def _joined(first: Ids, then: Ids) -> tuple[Positions, Ids]:
    """Where each name of `then` stands in both together, those of `first` coming first; and both together."""
    if first.begins(then) or then.begins(first):
        return np.arange(len(then), dtype=np.int32), max(first, then, key=len)
    interner = Interner()
    interner.positions(first.column)
    places = interner.positions(then.column)
    new = int((places >= len(first)).sum())
    return places, interner.ids() if new else first


def _over(run: Run, queries: Ids, documents: Ids, query: Positions, document: Positions) -> Run:
    """The same lists over other identifiers; those whose `query` is −1 are left out."""
    lengths, old = np.diff(run.offsets), np.flatnonzero(query >= 0)
    by_new = old[np.argsort(query[old], kind="stable")]
    all_lengths = np.zeros(len(queries), dtype=np.int64)
    all_lengths[query[by_new]] = lengths[by_new]
    rows: slice | NDArray[np.int64] = slice(None)
    if not np.array_equal(by_new, np.arange(len(query))):
        packed = offsets_of(lengths[by_new])
        rows = np.repeat(run.offsets[by_new] - packed[:-1], lengths[by_new]) + np.arange(packed[-1])
    offsets = offsets_of(all_lengths)
    moved = run.document[rows]
    if not _is_range(document):
        moved = document[moved]
    return Run.of_distinct(run.name, queries, documents, offsets, moved, run.score[rows])


def _is_range(places: Positions) -> bool:
    return bool((places == np.arange(len(places), dtype=np.int32)).all())


def _query_problems(
    run: Run, judgments: Judgments, missing: tuple[str, ...], unjudged: tuple[str, ...]
) -> Iterator[Problem]:
    if unjudged and len(unjudged) == len(run.queries):
        text = (
            f"no query of the run is judged: it has {examples(run.queries)}; "
            f"the judgments have {examples(judgments.queries)}"
        )
        remedy = "Are these files of one collection? Identifiers are compared letter by letter."
        yield Problem("error", text, remedy, count=len(unjudged))
    elif unjudged:
        text = f"{len(unjudged):,} queries of the run have no judgments: {examples(unjudged)}"
        yield Problem("warning", text, "They are left out.", count=len(unjudged))
    if missing and not (unjudged and len(unjudged) == len(run.queries)):
        text = f"{len(missing):,} judged queries are not in the run: {examples(missing)}"
        yield Problem("warning", text, "They count as queries that found nothing.", count=len(missing))
    yield from _near_matches("query", "queries", unjudged, missing, list(_ALIKE))


def _document_problems(run: Run, judgments: Judgments) -> Iterator[Problem]:
    """`run`: over the documents of the judgments and its own."""
    documents, known = run.documents, len(judgments.documents)
    listed = np.zeros(len(documents), dtype=np.bool_)
    listed[run.document] = True
    unretrieved, new = np.flatnonzero(~listed[:known]), known + np.flatnonzero(listed[known:])
    if not len(new) or not len(unretrieved):
        return
    apart = not listed[:known].any()
    if apart:
        text = (
            f"no document of the run is judged: it has {examples(documents[int(at)] for at in new[:4])}; "
            f"the judgments have {examples(judgments.documents)}"
        )
        remedy = "Are these files of one collection? Identifiers are compared letter by letter."
        yield Problem("warning", text, remedy, count=len(new))
    if documents.known_ascii and not apart:
        return
    # in a large corpus numbers and cases are alike by chance; other forms of one letter are not
    why = list(_ALIKE) if apart else [UNICODE]
    ours, theirs = _other_letters(documents, new, apart), _other_letters(judgments.documents, unretrieved, apart)
    yield from _near_matches("document", "documents", ours, theirs, why)


def _other_letters(ids: Ids, places: NDArray[np.integer], every: bool) -> tuple[str, ...]:
    """The names at these places; unless `every`, only those with letters beyond ASCII."""
    names = ids.column.gather(places)
    if not every:
        names = names.filter(names.str.len_bytes() != names.str.len_chars())
    return tuple(names)


UNICODE = "the form of its letters (Unicode NFC and NFD)"

_ALIKE: dict[str, Callable[[str], str]] = {
    UNICODE: lambda name: unicodedata.normalize("NFC", name),
    "how a number is written (zeros in front, or .0 behind)": lambda name: _NUMBER.sub(r"\1", name),
    "white space or case": lambda name: unicodedata.normalize("NFC", name).strip().casefold(),
}


def _near_matches(
    kind: str, several: str, ours: tuple[str, ...], theirs: tuple[str, ...], reasons: list[str]
) -> Iterator[Problem]:
    """Identifiers that would match if both sides wrote them alike, by what they differ in."""
    left = list(ours)
    for reason in reasons:
        form = _ALIKE[reason]
        by_form = {form(name): name for name in theirs}
        pairs = {name: by_form[form(name)] for name in left if form(name) in by_form}
        if pairs:
            name, other = next(iter(pairs.items()))
            text = (
                f"{len(pairs):,} {several if len(pairs) > 1 else kind} of the run would match the judgments but for "
                f"{reason}: {ascii(name)} and {ascii(other)}"
            )
            yield Problem("warning", text, "Write identifiers in one form on both sides.", count=len(pairs))
            left = [name for name in left if name not in pairs]
