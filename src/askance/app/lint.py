"""What a phrase search will get wrong, foretold before any run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from askance.app.search import questions_in
from askance.core.errors import BadInput, DataProblem
from askance.core.progress import Progress, Silent
from askance.data.collection import Collection
from askance.data.fields.kinds import schema_from_file, schema_learner, schema_named
from askance.data.fields.schema import Fields, Outside, Record, Schema
from askance.engines.engine import Engine
from askance.engines.registry import is_index, open_engine
from askance.irl.lint.asked import asked_by
from askance.irl.lint.counts import CorpusVocabulary
from askance.irl.lint.findings import Asked, LintFound
from askance.irl.lint.foretell import CUT, Corpus, read_corpus
from askance.irl.lint.lint import lint as lint_corpus
from askance.irl.nodes import Relation
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules
from askance.study.collections import named, open_collection

LEARNED = "learned"


def lint(
    collection: str | Collection,
    *,
    schema: str | Path | Schema = LEARNED,
    items: bool = False,
    queries: str | Path | None = None,
    cut: int = CUT,
    progress: Progress | None = None,
) -> LintFound:
    """What a phrase search over the documents' one text field gets wrong; judgments are not read.

    `collection`: one in memory, a BEIR folder, a public name, STUDY.toml#domain; or an index, in a folder or on a
    cluster, whose documents are split as it has them, with `queries`, a file of JSON lines. `schema`: "learned" from
    the documents, a schema file, a function as "package.module:function", or a schema. `items`: ask for every item of
    the documents instead of what the queries ask for. `cut`: how many places are looked at.
    DataProblem where the schema finds no items, or a learned one fits the smaller part of the documents.
    """
    if isinstance(collection, str) and is_index(collection):
        return _of_index(collection, schema, items, queries, cut, progress)
    if queries is not None:
        raise BadInput("--queries go with an index; a collection has its own", remedy="Leave them out.")
    if isinstance(collection, Collection):
        found = collection
    else:
        told = named(collection)
        found = open_collection(told.collection, beside=told.folder, progress=progress)
    splitter = _schema(schema, found)
    corpus = read_corpus(found.documents.ids.names, _split(found, splitter, progress or Silent()))
    _check(corpus, found.name, learned=schema == LEARNED)
    questions = dict(zip(found.queries.ids, found.queries.field("text"), strict=True))
    asked = None if items else list(_asked(questions, corpus))
    return lint_corpus(found.name, corpus, asked, cut=cut, progress=progress)


def _check(corpus: Corpus, name: str, *, learned: bool) -> None:
    """DataProblem where there are no items, or a learned schema fits the smaller part of the documents."""
    total, reasons = len(corpus.ids), corpus.holdings.reasons_outside()
    split = total - sum(reasons.values())
    if len(corpus.holdings.form) and (2 * split >= total or not learned):
        return
    why = ", ".join(f"{kind} {count:,}" for kind, count in reasons.items())
    raise DataProblem(
        f"the schema splits {split:,} of the {total:,} documents of {name!r} into items ({why})",
        remedy="Say with --schema FILE how a document splits into name and items; without items nothing collides.",
    )


def _schema(schema: str | Path | Schema, collection: Collection) -> Schema:
    if not isinstance(schema, str | Path):
        return schema
    if schema == LEARNED:
        return schema_learner(LEARNED).learn(_records(collection))
    text = str(schema)
    is_file = isinstance(schema, Path) or text.endswith((".toml", ".json")) or Path(text).is_file()
    made = schema_from_file(Path(schema)) if is_file else schema_named(text)
    return made.learn(_records(collection)) if hasattr(made, "learn") else made


def _records(collection: Collection) -> Iterator[Record]:
    fields = collection.documents.fields
    for row in zip(*fields.values(), strict=True):
        yield dict(zip(fields, row, strict=True))


def _split(collection: Collection, schema: Schema, watch: Progress) -> Iterator[tuple[str, Fields | Outside]]:
    watch.start("reading documents", len(collection.documents))
    for record in _records(collection):
        yield cast("str", record["text"]), schema.split(record)
        watch.advance("reading documents")
    watch.finish("reading documents")


def _of_index(
    place: str, schema: str | Path | Schema, items: bool, queries: str | Path | None, cut: int, watch: Progress | None
) -> LintFound:
    """The same of an index, as it has split its documents."""
    if schema != LEARNED:
        raise BadInput("an index keeps the schema it was built with", remedy="Leave --schema out.")
    if items == (queries is not None):
        remedy = "Give --queries FILE, or --items to ask for every item of the documents."
        raise BadInput("an index has no queries of its own" if queries is None else "both are given", remedy=remedy)
    engine = open_engine(place)
    told = watch or Silent()
    ids: list[str] = []
    corpus = read_corpus(ids, _held(engine, ids, told), engine.analyzer)
    _check(corpus, place, learned=False)
    asked = None if queries is None else list(_asked(questions_in(queries), corpus))
    return lint_corpus(engine.card.place, corpus, asked, cut=cut, progress=watch)


def _held(engine: Engine, ids: list[str], watch: Progress) -> Iterator[tuple[str, Fields | Outside]]:
    """Text and parts of every document of an index; its identifier goes into `ids`."""
    watch.start("reading documents", engine.documents)
    for _, source in engine.sources():
        ids.append(source.id)
        yield source.text, source.split or _UNSPLIT
        watch.advance("reading documents")
    watch.finish("reading documents")


_UNSPLIT = Outside("no schema", "the index was built without a schema")


def _asked(questions: Mapping[str, str], corpus: Corpus) -> Iterator[Asked]:
    """What each query asks for, by the rules that need no model."""
    rules, vocabulary = Rules(questions.values()), CorpusVocabulary(corpus)
    for query, question in questions.items():
        written = rewrite(question, vocabulary=vocabulary, extractor=rules, without_knn=True)
        relation = next((node.name for node in written.query.walk() if isinstance(node, Relation)), None)
        yield from asked_by(query, question, written.keywords, relation, corpus.words, corpus.holdings)
