"""What a phrase search will get wrong, foretold before any run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from askance.core.errors import DataProblem
from askance.core.progress import Progress, Silent
from askance.data.collection import Collection
from askance.data.fields.kinds import schema_from_file, schema_learner, schema_named
from askance.data.fields.schema import Fields, Outside, Record, Schema
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
    cut: int = CUT,
    progress: Progress | None = None,
) -> LintFound:
    """What a phrase search over the documents' one text field gets wrong; judgments are not read.

    `collection`: one in memory, a BEIR folder, a public name, or STUDY.toml#domain. `schema`: "learned" from the
    documents, a schema file, a function as "package.module:function", or a schema. `items`: ask for every item of the
    documents instead of what the queries ask for. `cut`: how many places are looked at.
    DataProblem where the schema finds no items, or a learned one fits the smaller part of the documents.
    """
    if isinstance(collection, Collection):
        found = collection
    else:
        told = named(collection)
        found = open_collection(told.collection, beside=told.folder, progress=progress)
    splitter = _schema(schema, found)
    corpus = read_corpus(found.documents.ids.names, _split(found, splitter, progress or Silent()))
    _check(corpus, found.name, learned=schema == LEARNED)
    asked = None if items else list(_asked(found, corpus))
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


def _asked(collection: Collection, corpus: Corpus) -> Iterator[Asked]:
    """What each query asks for, by the rules that need no model."""
    questions = collection.queries.field("text")
    rules, vocabulary = Rules(questions), CorpusVocabulary(corpus)
    for query, question in zip(collection.queries.ids, questions, strict=True):
        written = rewrite(question, vocabulary=vocabulary, extractor=rules, without_knn=True)
        relation = next((node.name for node in written.query.walk() if isinstance(node, Relation)), None)
        yield from asked_by(query, question, written.keywords, relation, corpus.words, corpus.holdings)
