"""A new corpus, of which nobody has judged anything: enough to probe a system, and no collection to measure one on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from askance.data.collection import Collection, Queries
from askance.data.formats.beir.places import corpus_file, optional_file, queries_file, read_object, text_of
from askance.data.formats.beir.texts import read_documents, read_queries
from askance.data.ids import Ids

_COMPARED = "text"


def is_unjudged(folder: Path) -> bool:
    """Whether a folder has a corpus in the layout of BEIR, and no judgments of any form beside it."""
    if optional_file(folder, "corpus.jsonl") is None or optional_file(folder, "per_query_excluded_ids.json"):
        return False
    return not any((folder / "qrels").glob("*")) and not any(path.is_file() for path in folder.glob("*qrels*"))


def read_unjudged(folder: Path) -> Collection:
    """Its documents and queries, without a tier; where there are no queries, the documents themselves are asked.

    FileProblem, with file and line, on whatever is malformed.
    """
    notes: Counter[str] = Counter()
    documents = read_documents(corpus_file(folder), notes)
    card = optional_file(folder, "collection.json")
    compared = text_of(read_object(card), "compared", _COMPARED, card, "collection.json")
    asked = optional_file(folder, "queries.jsonl")
    own = "without judgments" if asked else "without judgments or queries: its own documents are asked"
    if asked is not None:
        queries = read_queries(queries_file(folder), notes)
    else:
        queries = Queries(Ids(documents.ids), {"text": tuple(documents.field(compared))})
    name = folder.resolve().name
    origin = f"the folder {name}, {own}"
    return Collection(name, documents, queries, {}, compared=compared, origin=origin, notes=dict(notes))
