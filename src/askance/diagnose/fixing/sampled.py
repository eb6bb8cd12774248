"""Some queries of a case with their gold and a sample of their decoys, however many documents there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from askance.data.collection import Collection, Excluded, Queries, Roles
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import Offsets, Positions, offsets_of
from askance.diagnose.fixing.case import FixCase
from askance.measure.judged import Counts
from askance.views.judged import Judged, judged_in


def judged_sample(case: FixCase, field: str, queries: Counts, many: int) -> Judged:
    """`queries` (positions) with at most `many` decoys each, of the roles that decoys have, and no other documents.

    Drawn by the seed of the study; `note` says so where there were more.
    """
    return _used(
        judged_in(
            _with_queries(case.collection, queries),
            tier=case.tier.name,
            query_field=case.entry.embed.query,
            document_field=field,
            most_pairs=many * len(queries),
            seed=case.study.seed,
        )
    )


def _with_queries(collection: Collection, queries: Counts) -> Collection:
    """The same documents with these queries alone: what is drawn for them costs nothing for the others."""
    asked = collection.queries
    ids = Ids([asked.ids[int(at)] for at in queries])
    fields = {name: [column[int(at)] for at in queries] for name, column in asked.fields.items()}

    def tier_of(judged: Judgments) -> Judgments:
        offsets, rows = _rows(judged.offsets, queries)
        return Judgments(ids, judged.documents, offsets, judged.document[rows], judged.grade[rows])

    tiers = {name: replace(tier, judgments=tier_of(tier.judgments)) for name, tier in collection.tiers.items()}
    return replace(
        collection,
        queries=Queries(ids, fields),
        tiers=tiers,
        roles=None if collection.roles is None else _roles(collection.roles, queries),
        excluded=None if collection.excluded is None else _excluded(collection.excluded, queries),
    )


def _roles(known: Roles, queries: Counts) -> Roles:
    offsets, rows = _rows(known.offsets, queries)
    return Roles(known.roles, known.default, offsets, known.document[rows], known.code[rows])


def _excluded(known: Excluded, queries: Counts) -> Excluded:
    offsets, rows = _rows(known.offsets, queries)
    return Excluded(offsets, known.document[rows])


def _rows(offsets: Offsets, queries: Counts) -> tuple[Offsets, Counts]:
    """Offsets of these queries' rows, and where the rows stand."""
    each = [np.arange(offsets[at], offsets[at + 1], dtype=np.int64) for at in queries]
    return offsets_of([len(rows) for rows in each]), np.concatenate([*each, np.empty(0, dtype=np.int64)])


def _used(judged: Judged) -> Judged:
    """The same without documents that are neither gold nor decoys."""
    used = np.unique(np.concatenate([*judged.gold, *judged.decoys, np.empty(0, dtype=np.int32)])).astype(np.int32)

    def placed(columns: Sequence[Positions]) -> list[Positions]:
        return [np.searchsorted(used, column).astype(np.int32) for column in columns]

    texts = [judged.documents[int(at)] for at in used]
    return Judged(judged.queries, texts, placed(judged.gold), placed(judged.decoys), note=judged.note)
