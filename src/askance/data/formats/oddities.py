"""What the rows of a file say together: pairs that come twice, ranks that contradict scores, lists all tied."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from askance.data.formats.layouts import VALUE, Kind
from askance.data.pair_columns import NO_RANK, PairColumns
from askance.data.problems import Problem, examples
from askance.data.rows import offsets_of

Lines = Callable[[NDArray[np.int64]], list[int | None]]

_SHOWN = 5


def repeated_pairs(columns: PairColumns, kind: Kind, lines: Lines) -> Iterator[Problem]:
    """An error for each of the first pairs that come again, and one for all others. `lines`: rows → their lines."""
    rows, firsts = columns.repeats()
    remedy = "Keep one row per query and document."
    shown = lines(np.concatenate((rows[:_SHOWN], firsts[:_SHOWN])))
    for row, first, line, before in zip(
        rows[:_SHOWN], firsts[:_SHOWN], shown[: len(rows)], shown[len(rows[:_SHOWN]) :], strict=False
    ):
        query, document = columns.queries[int(columns.query[row])], columns.documents[int(columns.document[row])]
        value, earlier = float(columns.value[row]), float(columns.value[first])
        at = f"line {before}" if before is not None else f"row {first + 1}"
        here = "" if line is not None else f"row {row + 1}: "
        text = (
            f"{here}query {query!r} and document {document!r} occur again, with the {VALUE[kind]} {value!r}; "
            f"{at} has them with {earlier!r}"
        )
        yield Problem("error", text, remedy, line)
    if len(rows) > _SHOWN:
        more = len(rows) - _SHOWN
        yield Problem("error", f"{more:,} more rows repeat a pair", remedy, count=more)


def run_oddities(columns: PairColumns) -> Iterator[Problem]:
    """Warnings about a run that can be gone on with."""
    if not len(columns):
        yield Problem("warning", "there are no rows in it", "Every query counts as one that found nothing.", count=0)
        return
    rising, unranked = rank_contradictions(columns)
    if rising:
        text = f"the rank column contradicts the scores: {rising:,} neighbours by rank have rising scores"
        yield Problem("warning", text, "The scores decide. Are low scores better here? Then negate them.", count=rising)
    if unranked:
        text = f"{unranked:,} rows have a rank that is no whole number"
        yield Problem("warning", text, "Ranks are not used; the scores decide.", count=unranked)
    if len(columns.tags) > 1:
        text = f"the tag column names {len(columns.tags)} systems: {examples(columns.tags)}"
        remedy = "Is this one run? Files of several systems are evaluated one by one."
        yield Problem("warning", text, remedy, count=len(columns.tags))
    tied, lists = all_tied_lists(columns)
    if tied:
        text = f"{tied:,} of {lists:,} lists of several documents have one score throughout"
        yield Problem("warning", text, "The order of equal scores is no ranking: give scores that fall.", count=tied)


def qrels_oddities(columns: PairColumns) -> Iterator[Problem]:
    """Warnings about judgments that can be gone on with, and an error where there are none."""
    if not len(columns):
        yield Problem("error", "there are no judgments in it", "Was it cut, or is it the wrong file?", count=0)
        return
    negative = int((columns.value < 0).sum())
    if negative:
        text = f"{negative:,} grades are below 0"
        yield Problem("warning", text, "They count as judged, and gain nothing.", count=negative)
    fractions = int((columns.value != np.rint(columns.value)).sum())
    if fractions:
        text = f"{fractions:,} grades are fractions"
        yield Problem("warning", text, "They are used as they are, and gold from the threshold on.", count=fractions)
    positive = np.bincount(columns.query[columns.value > 0], minlength=len(columns.queries))
    without = np.flatnonzero(positive == 0)
    if len(without):
        text = f"{len(without):,} queries have no grade above 0: {examples(columns.queries[int(at)] for at in without)}"
        yield Problem("warning", text, "Nothing can be found for them; they are left out of means.", count=len(without))


def rank_contradictions(columns: PairColumns) -> tuple[int, int]:
    """How many neighbours by rank, of one query and with different ranks, have rising scores; rows without a rank."""
    if columns.rank is None:
        return 0, 0
    query, rank, score = columns.query, columns.rank, columns.value
    unranked = int((rank == NO_RANK).sum())
    if unranked:
        ranked = rank != NO_RANK
        query, rank, score = query[ranked], rank[ranked], score[ranked]
    same = query[1:] == query[:-1]
    in_order = (query[1:] > query[:-1]) | (same & (rank[1:] > rank[:-1]))
    if not in_order.all():
        order = np.lexsort((rank, query))
        query, rank, score = query[order], rank[order], score[order]
        same = (query[1:] == query[:-1]) & (rank[1:] > rank[:-1])
    return int((same & (score[1:] > score[:-1])).sum()), unranked


def all_tied_lists(columns: PairColumns) -> tuple[int, int]:
    """How many lists of two documents or more have equal scores only, and how many such lists there are."""
    order = columns.by_query()
    query, score = (columns.query, columns.value) if order is None else (columns.query[order], columns.value[order])
    offsets = offsets_of(np.bincount(query, minlength=len(columns.queries)))
    several = np.flatnonzero(np.diff(offsets) > 1)
    # where the first score is the last one, the list is looked through
    alike = several[score[offsets[several]] == score[offsets[several + 1] - 1]]
    lists = (score[offsets[at] : offsets[at + 1]] for at in alike)
    return sum(bool((one == one[0]).all()) for one in lists), len(several)
