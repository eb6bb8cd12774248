"""LIMIT: who likes what. Each document lists the things a person likes; two documents hold each thing asked for.

Files read, below the data folder, one variant each (data of google-deepmind/limit, CC-BY-4.0):

- limit-small: 46 documents, `limit/limit-small/{corpus,queries,qrels}.jsonl`
- limit: the published 50,000 documents, `limit/limit/{corpus,queries,qrels}.jsonl`
- limit-recon: the same queries and judgments over `limit/recon/corpus_A.jsonl.gz`, 50,000 documents rebuilt to the
  published recipe; who the others are and what they like is invented
- limit-recon-h: limit-recon, and after it the documents of all `limit_h/*.jsonl`, in the order of their names: they
  hold names and things and do not say that anybody likes them. Queries and judgments are the same
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.core.errors import DownloadFailed, FileProblem, UnknownName
from askance.data.collection import Collection, Decoys, Documents, Queries, Tier
from askance.data.formats.lines import FirstLines, optional, read_json_lines, required, required_number
from askance.data.ids import Ids
from askance.data.judgments import Judgments


@dataclass(frozen=True, slots=True)
class Variant:
    """Where a variant's files lie, and what its data is. `appended`: folder of further documents, judged nowhere."""

    corpus: str
    queries: str
    qrels: str
    source: str
    appended: str | None = None

    @property
    def files(self) -> tuple[str, str, str]:
        return self.corpus, self.queries, self.qrels


VARIANTS: Mapping[str, Variant] = {
    "limit-small": Variant(
        "limit/limit-small/corpus.jsonl",
        "limit/limit-small/queries.jsonl",
        "limit/limit-small/qrels.jsonl",
        "google-deepmind/limit, the small set",
    ),
    "limit": Variant(
        "limit/limit/corpus.jsonl",
        "limit/limit/queries.jsonl",
        "limit/limit/qrels.jsonl",
        "google-deepmind/limit, the full set",
    ),
    "limit-recon": Variant(
        "limit/recon/corpus_A.jsonl.gz",
        "limit/limit/queries.jsonl",
        "limit/limit/qrels.jsonl",
        "queries and judgments of google-deepmind/limit over a corpus rebuilt to its recipe, not the published one",
    ),
    "limit-recon-h": Variant(
        "limit/recon/corpus_A.jsonl.gz",
        "limit/limit/queries.jsonl",
        "limit/limit/qrels.jsonl",
        "queries and judgments of google-deepmind/limit over a corpus rebuilt to its recipe, with hard negatives made "
        "for it, not the published ones",
        appended="limit_h",
    ),
}

DECOYS = (Decoys("any-other", "any other document", ("other",)),)


def load(folder: Path, variant: str = "limit-small") -> Collection:
    """A variant of LIMIT under the data folder `folder`.

    FileProblem where a file is missing or not as published, UnknownName where there is no such variant.
    """
    if variant not in VARIANTS:
        raise UnknownName("variant of LIMIT", variant, VARIANTS)
    files = VARIANTS[variant]
    documents, titled = _documents([folder / files.corpus, *_appended(folder, files)])
    queries = _queries(folder / files.queries)
    tier = Tier(
        "likes",
        "likes it",
        _judgments(folder / files.qrels, queries.ids, documents.ids),
        rule="the person likes the thing asked for",
    )
    return Collection(
        variant,
        documents,
        queries,
        {tier.name: tier},
        decoys=DECOYS,
        origin=f"{files.source}, read from {folder}",
        notes={"titles left out": titled} if titled else {},
    )


def _appended(folder: Path, files: Variant) -> list[Path]:
    """The files of further documents, in the order of their names."""
    if files.appended is None:
        return []
    found = sorted((folder / files.appended).glob("*.jsonl"))
    if not found:
        raise DownloadFailed(
            f"{folder / files.appended}: there is no .jsonl file of documents in it, and it has no origin to download",
            remedy="Put the hard negatives there, or make a collection that has some: askance build limit --help.",
        )
    return found


def _documents(paths: Sequence[Path]) -> tuple[Documents, int]:
    """The documents of all files, and how many had a title: the published ones have none."""
    names: list[str] = []
    texts: list[str] = []
    titled = 0
    for path in paths:
        more, written, with_title = _rows(path, "document")
        again = set(names).intersection(more) if names else set()
        if again:
            raise FileProblem(
                path, f"document {min(again)!r} is in {paths[0].name} or another file already", remedy="Rename one."
            )
        names += more
        texts += written
        titled += with_title
    return Documents(Ids(names), {"text": tuple(texts)}), titled


def _queries(path: Path) -> Queries:
    names, texts, _ = _rows(path, "query")
    return Queries(Ids(names), {"text": texts})


def _rows(path: Path, kind: str) -> tuple[list[str], tuple[str, ...], int]:
    """Identifiers, texts, and how many rows had a title."""
    seen = FirstLines(path, kind)
    names: list[str] = []
    texts: list[str] = []
    titled = 0
    for line, record in read_json_lines(path):
        name = required(record, "_id", path, line)
        seen.note(name, line)
        names.append(name)
        texts.append(required(record, "text", path, line))
        titled += bool(optional(record, "title", path, line))
    if not names:
        raise FileProblem(path, f"there is no {kind} in it", remedy="Fetch the file again.")
    return names, tuple(texts), titled


def _judgments(path: Path, queries: Ids, documents: Ids) -> Judgments:
    grades: dict[str, dict[str, float]] = {}
    for line, record in read_json_lines(path):
        query, document = required(record, "query-id", path, line), required(record, "corpus-id", path, line)
        for kind, name, known in (("query", query, queries), ("document", document, documents)):
            if name not in known:
                found = f"there is no {kind} {name!r}"
                raise FileProblem(path, found, line=line, remedy="Do corpus, queries and qrels belong together?")
        judged = grades.setdefault(query, {})
        if document in judged:
            found = f"query {query!r} and document {document!r} are judged a second time"
            raise FileProblem(path, found, line=line, remedy="Keep one of the two lines.")
        judged[document] = required_number(record, "score", path, line)
    unjudged = [name for name in queries if name not in grades]
    if unjudged:
        found = f"{len(unjudged)} of {len(queries)} queries have no judgment, the first is {unjudged[0]!r}"
        raise FileProblem(path, found, remedy="The file may be cut short: fetch it again.")
    return Judgments.of(queries, documents, grades)
