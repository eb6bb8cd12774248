"""What joining cut lists gives: each item searched for alone, its list cut, and the cut lists intersected for and,
united for or, taken away for not. It is measured to show what it loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askance.build.limit.document import Question
from askance.core.progress import Progress
from askance.data.collection import Collection
from askance.data.ids import Ids
from askance.data.run import Run
from askance.retrieve.lexical import LexicalRetriever, LexicalSettings
from askance.retrieve.retriever import RetrievalTask


def joined_cut_lists(
    collection: Collection, questions: Sequence[Question], asked: Mapping[str, str], depth: int, progress: Progress
) -> Run:
    """BM25's lists of each item, `depth` long, joined; a document scores the sum of what the lists that are wanted
    give it. `asked`: item as worded → the question for it alone."""
    task = RetrievalTask(
        queries=Ids(list(asked)),
        query_texts=list(asked.values()),
        documents=collection.documents.ids,
        document_texts=collection.documents.field("text"),
        depth=depth,
    )
    alone = LexicalRetriever(LexicalSettings()).retrieve(task, progress)
    lists = {}
    for at, item in enumerate(asked):
        documents, scores = alone.of_query(at)
        lists[item] = dict(zip(documents.tolist(), scores.tolist(), strict=True))
    names = collection.documents.ids
    found = {}
    for question in questions:
        joined = _joined(question.template, [lists[item] for item in question.worded])
        order = sorted(joined, key=lambda document: (-joined[document], document))
        found[question.id] = [(names[document], joined[document]) for document in order]
    return Run.of("cut", collection.queries.ids, names, found)


def _joined(template: str, parts: Sequence[Mapping[int, float]]) -> dict[int, float]:
    without = template in ("and_not", "not")
    wanted = parts[:-1] if without else parts
    kept = set(wanted[0])
    for part in wanted[1:]:
        kept = kept | set(part) if template in ("or", "or_or") else kept & set(part)
    if without:
        kept -= set(parts[-1])
    return {document: sum(part.get(document, 0.0) for part in wanted) for document in kept}
