"""A change as OpenSearch would have it: the template of an index, and the body of a question.

Only what an index and one search can be told: how words are read, which field, a schema with exact items, and fusions
that the server's plugin makes. Rerankers, views, and vectors inside an expression are left to askance.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput
from askance.core.progress import Silent
from askance.diagnose.fixing.mended import Mended
from askance.engines.embedders import embedded_questions
from askance.engines.opensearch.building import Embedding
from askance.engines.opensearch.compiling import Compiler
from askance.engines.opensearch.meta import Meta
from askance.engines.opensearch.running import Hits, Running, Wanted, run
from askance.engines.opensearch.template import index_template
from askance.engines.opensearch.text_fields import cut_by_client
from askance.engines.settings import Analysis, IndexSettings
from askance.engines.words import analyzer_of
from askance.irl.nodes import Fuse, Knn, Lex, Node
from askance.irl.normal import normal_form
from askance.models.embedder import Embedder
from askance.retrieve.fused import FusedSettings
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.lexical import LexicalSettings
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.study.file import SystemEntry

VERSION = (3, 5)  # of the server, whose fusions the body is written for

_NOTHING = Hits((), np.empty(0, dtype=np.int64), np.empty(0), 0)


@dataclass(frozen=True)
class _Asked:
    """What one system asks of an index: its settings (None: any will do), its schema, its model, the question."""

    query: Node
    settings: IndexSettings | None = None
    schema: Mapping[str, Any] | None = None
    embedder: Embedder | None = None


def opensearch_text(mended: Mended) -> str | None:
    """{"document", "template", "question", "query"} as JSON: the field that is indexed as text, the body of PUT
    /_index_template/NAME, a question of the study, and the search body it is asked by; None where the change is none
    that an index and one search can be told."""
    if mended.change.reranker is not None:
        return None
    case = mended.case
    question = case.collection.queries.field(case.entry.embed.query)[int(np.flatnonzero(case.mask)[0])]
    try:
        asked = _asked(mended, mended.change.systems[-1], question)
        if asked is None:
            return None
        made = {
            "document": mended.change.document,
            "template": _template(asked, re.sub("[^a-z0-9]+", "-", case.name.lower()).strip("-") or "index"),
            "question": question,
            "query": _body(asked, case.study.depth),
        }
    except BadInput:  # the server cannot fuse so
        return None
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _asked(mended: Mended, entry: SystemEntry, question: str) -> _Asked | None:
    match entry.retriever:
        case "lexical":
            return _by_words(LexicalSettings.model_validate(entry.settings), question)
        case "dense" if not entry.settings and entry.model is not None:
            return _Asked(Knn(question), embedder=mended.case.embedders[entry.model])
        case "irl" if entry.model is None:
            return _by_expression(mended, IrlSettings.model_validate(entry.settings), question)
        case "fused":
            return _fused(mended, FusedSettings.model_validate(entry.settings), question)
    return None


def _by_words(told: LexicalSettings, question: str) -> _Asked | None:
    if told.lengths != "lucene":
        return None
    analysis = Analysis(
        stemmer=told.stemmer,
        stop_words=told.stop_words,
        fold_apostrophes=told.fold_apostrophes,
        normalize=told.normalize,
    )
    return _Asked(Lex(question, match="any"), IndexSettings(analysis=analysis, k1=told.k1, b=told.b))


def _by_expression(mended: Mended, told: IrlSettings, question: str) -> _Asked | None:
    if told.rewrite != "rules" or told.index is not None:
        return None
    case = mended.case
    documents = case.collection.documents
    task = RetrievalTask(
        queries=case.collection.queries.ids,
        query_texts=case.collection.queries.field(case.entry.embed.query),
        documents=documents.ids,
        document_texts=documents.field(mended.change.document),
        depth=case.study.depth,
    )
    retriever = IrlRetriever(told, Resources())
    with retriever.engine(task, Silent()) as engine:
        (rewritten,) = retriever.rewritten(engine, [question], Silent())
        return _Asked(rewritten.query, IndexSettings(), engine.manifest.splits)


def _fused(mended: Mended, told: FusedSettings, question: str) -> _Asked | None:
    """One index for all of the systems: where they would index otherwise, or by two models, there is none."""
    systems = {entry.name: entry for entry in mended.change.systems}
    parts = [_asked(mended, systems[name], question) for name in told.of]
    found = [part for part in parts if part is not None]
    settings = {part.settings.model_dump_json(): part.settings for part in found if part.settings is not None}
    schemas = {json.dumps(part.schema, sort_keys=True): part.schema for part in found if part.schema is not None}
    models = {id(part.embedder): part.embedder for part in found if part.embedder is not None}
    if len(found) < len(parts) or max(len(settings), len(schemas), len(models)) > 1:
        return None
    return _Asked(
        Fuse(told.kind, tuple(part.query for part in found), told.weights, told.k, told.depth),
        next(iter(settings.values()), None),
        next(iter(schemas.values()), None),
        next(iter(models.values()), None),
    )


def _template(asked: _Asked, name: str) -> Mapping[str, Any]:
    settings = asked.settings or IndexSettings()
    embedding = Embedding.of(settings, asked.embedder, None)
    meta = Meta(settings=settings, schema=asked.schema, vectors=embedding.about)
    return index_template(meta, f"{name}-*", dimension=embedding.dimension)


def _body(asked: _Asked, limit: int) -> Mapping[str, Any]:
    settings = asked.settings or IndexSettings()
    compiler = Compiler(analyzer_of(settings.analysis), cut_by_client(settings.analysis), 1.0, {})
    sent: list[Wanted] = []

    def ask(wanted: Sequence[Wanted]) -> list[Hits]:
        sent.extend(wanted)
        return [_NOTHING for _ in wanted]

    def vector(text: str) -> NDArray[np.float32]:
        assert asked.embedder is not None
        made: NDArray[np.float32] = embedded_questions(asked.embedder, [text])[0]
        return made

    running = Running(compiler, vector)
    query = normal_form(asked.query)
    run(running.top_there(query, limit, VERSION) if isinstance(query, Fuse) else running.top(query, limit), ask)
    return sent[-1].body()
