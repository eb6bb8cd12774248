"""A BEIR folder as a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from askance.core.errors import FileProblem, UnknownName
from askance.data.collection import Collection, Documents, Excluded, Queries, Tier
from askance.data.formats.beir.places import (
    LAYOUT,
    corpus_file,
    line_of,
    optional_file,
    place_of,
    queries_file,
    read_object,
    text_of,
)
from askance.data.formats.beir.roles import read_decoys, read_roles
from askance.data.formats.beir.texts import read_documents, read_queries
from askance.data.formats.beir.tiers import read_tiers
from askance.data.formats.pairs import check_known
from askance.data.rows import pair_keys


def read_beir(folder: str | Path, name: str | None = None) -> Collection:
    """The collection in `folder`, called `name` or else like the folder.

    Its notes count what was left out, empty or odd. FileProblem, with file and line, on whatever is missing,
    malformed or duplicate, or names a query or document that the collection does not have.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileProblem(folder, "there is no such folder", remedy=LAYOUT)
    called = folder.resolve().name
    notes: Counter[str] = Counter()
    documents = read_documents(corpus_file(folder), notes)
    queries = read_queries(queries_file(folder), notes)
    tiers = read_tiers(folder, queries, documents, notes)
    unjudged = _unjudged(tiers.values(), len(queries))
    if unjudged:
        notes["queries without a judgment in any tier"] = unjudged
    roles = read_roles(folder, queries, documents)
    excluded = _excluded(folder, queries, documents, notes)
    _count_excluded_gold(tiers.values(), excluded, notes)
    main, compared = _choices(folder, tiers, documents)
    return Collection(
        name or called,
        documents,
        queries,
        tiers,
        roles,
        excluded,
        read_decoys(folder, roles),
        main,
        compared,
        f"the BEIR folder {called}",
        dict(notes),
    )


def _choices(folder: Path, tiers: Mapping[str, Tier], documents: Documents) -> tuple[str, str]:
    """The main tier and the compared field that collection.json names."""
    path = optional_file(folder, "collection.json")
    card = read_object(path)
    for key in card:
        if key not in ("main", "compared"):
            raise UnknownName("key", key, ("main", "compared"), where=place_of(path, key))
    main = text_of(card, "main", "", path, "collection.json")
    compared = text_of(card, "compared", "text", path, "collection.json")
    if main and main not in tiers:
        raise UnknownName("tier", main, tiers, where=place_of(path, main))
    if compared not in documents.fields:
        raise UnknownName("field of the documents", compared, documents.fields, where=place_of(path, compared))
    return main, compared


def _unjudged(tiers: Iterable[Tier], queries: int) -> int:
    judged = np.zeros(queries, dtype=np.bool_)
    for tier in tiers:
        judged |= np.diff(tier.judgments.offsets) > 0
    return int((~judged).sum())


def _count_excluded_gold(tiers: Iterable[Tier], excluded: Excluded | None, notes: Counter[str]) -> None:
    """Gold that is never a candidate is gold that no system can find: it does not count, and the reader is told."""
    if excluded is None:
        return
    for tier in tiers:
        judged, width = tier.judgments, len(tier.judgments.documents)
        gold = pair_keys(judged.offsets, judged.document, width)[judged.grade >= tier.threshold]
        barred = int(np.isin(gold, pair_keys(excluded.offsets, excluded.document, width)).sum())
        if barred:
            notes[f"gold of the tier {tier.name!r} that is excluded, and so does not count"] = barred


def _excluded(folder: Path, queries: Queries, documents: Documents, notes: Counter[str]) -> Excluded | None:
    name = "per_query_excluded_ids.json"
    path = optional_file(folder, name) or optional_file(folder / "queries+qrels", name)
    if path is None:
        return None
    kept: dict[str, list[str]] = {}
    for query, given in read_object(path).items():
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or not all(isinstance(entry, str) for entry in names):
            problem = f"the entry of query {query!r} is no list of documents"
            raise FileProblem(path, problem, line=line_of(path, query), remedy="Write {query: [document, …]}.")
        kept[query] = [entry for entry in names if entry != "N/A" or entry in documents.ids]
        if len(kept[query]) < len(names):
            notes["exclusions marked N/A"] += len(names) - len(kept[query])
    named = [document for entries in kept.values() for document in entries]
    check_known(path, "query", "queries", list(kept), queries.ids, lambda entry: line_of(path, entry))
    check_known(path, "document", "documents", named, documents.ids, lambda entry: line_of(path, entry))
    return Excluded.of(queries.ids, documents.ids, kept)
