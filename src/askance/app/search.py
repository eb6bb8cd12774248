"""Ask an index: by an expression of the query language, or by a question that is rewritten into one first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from askance.app.extractors import RULES, extractor_of
from askance.app.near_documents import no_such_document
from askance.core.errors import BadInput, FileProblem, UnknownName
from askance.core.progress import Progress, Silent
from askance.data.formats.identifiers import identifier
from askance.data.formats.lines import FirstLines, read_json_lines, required
from askance.data.formats.runs import write_run as write_lines
from askance.data.formats.trec import write_trec_run
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.engine import Answer, AsksByBodies, Engine
from askance.engines.found import Excerpt, Found
from askance.engines.registry import open_engine
from askance.engines.snippets import first_place
from askance.engines.why_not import WhyNot
from askance.engines.why_not import why_not as explain_absence
from askance.irl.nodes import Node
from askance.irl.parser import parse
from askance.irl.printer import print_query
from askance.irl.problems import BadQuery
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.phrases import Form
from askance.irl.rewrite.rewriter import Rewritten
from askance.irl.rewrite.rewriter import rewrite as rewrite_question

_REWRITE, _SEARCH = "rewrite questions", "search"
_AT_ONCE = 250


def search(
    index: str | Path | Engine, query: str | Node, *, limit: int = 10, explain: bool = False, excerpts: bool = False
) -> Found:
    """The best `limit` documents of an index for an expression.

    `index`: its folder, or an open engine. `explain`: what each clause gave to each hit; `excerpts`: their texts.
    BadInput, with the place in the expression, where it cannot be read or cannot run on this index.
    """
    engine = _opened(index)
    tree = parse(query) if isinstance(query, str) else query
    return _found(engine, tree, engine.search(tree, limit), explain, excerpts)


def search_all(
    index: str | Path | Engine,
    queries: Mapping[str, str | Node],
    *,
    limit: int = 10,
    explain: bool = False,
    progress: Progress | None = None,
) -> list[Found]:
    """The answers to many expressions, by name; an error says the name."""
    engine = _opened(index)
    trees = {}
    for name, query in queries.items():
        with _about(name):
            trees[name] = parse(query) if isinstance(query, str) else query
    answers = _answers(engine, trees, limit, progress)
    return [
        _found(engine, tree, answer, explain, name=name)
        for (name, tree), answer in zip(trees.items(), answers, strict=True)
    ]


def bodies(index: str | Path | Engine, query: str | Node, *, limit: int = 10) -> list[Mapping[str, Any]]:
    """The search bodies that a cluster is asked for an expression, in order: those of lists that others are made of,
    then the rest. BadInput where the index is of an engine that has none."""
    engine = _opened(index)
    if not isinstance(engine, AsksByBodies):
        raise BadInput(
            f"{engine.card.place}: the {engine.card.name} engine is not asked by bodies: they are OpenSearch's",
            remedy="Name an index there: opensearch://HOST/INDEX",
        )
    return engine.bodies(parse(query) if isinstance(query, str) else query, limit)


def ask(
    index: str | Path | Engine,
    question: str,
    *,
    rewrite: str | Extractor = RULES,
    form: Form | None = None,
    limit: int = 10,
    explain: bool = False,
    excerpts: bool = False,
    key_env: str | None = None,
) -> Found:
    """The best documents for a question in plain words: rewritten, searched, each stage kept.

    `rewrite`: "rules", for which the index alone decides what is content; a language model (app.extractors says how
    it is named, and what `key_env` is); or an extractor. `form`: "text" searches one text field, "fields" items and
    relations; what the index has unless told.
    """
    engine = _opened(index)
    rewritten = _rewritten(engine, _worded(question), _extractor(rewrite, key_env), form)
    answer = engine.search(rewritten.query, limit)
    if not answer.total and len(rewritten.keywords) > 1:
        answer = replace(answer, notes=(*answer.notes, _held_alone(engine, rewritten.keywords)))
    return _found(engine, rewritten.query, answer, explain, excerpts, rewritten)


def ask_all(
    index: str | Path | Engine,
    questions: Mapping[str, str],
    *,
    rewrite: str | Extractor = RULES,
    form: Form | None = None,
    limit: int = 10,
    explain: bool = False,
    key_env: str | None = None,
    progress: Progress | None = None,
) -> list[Found]:
    """The answers to many questions, by name; each is rewritten as if it stood alone."""
    engine = _opened(index)
    extractor = _extractor(rewrite, key_env)
    told = progress or Silent()
    told.start(_REWRITE, len(questions))
    rewritten = {}
    for name, question in questions.items():
        rewritten[name] = _rewritten(engine, question, extractor, form)
        told.advance(_REWRITE)
    told.finish(_REWRITE)
    answers = _answers(engine, {name: one.query for name, one in rewritten.items()}, limit, told)
    return [
        _found(engine, one.query, answer, explain, rewritten=one, name=name)
        for (name, one), answer in zip(rewritten.items(), answers, strict=True)
    ]


def why_not(
    index: str | Path | Engine,
    query: str,
    document: str,
    *,
    rewrite: str | Extractor = RULES,
    form: Form | None = None,
    limit: int = 10,
    key_env: str | None = None,
) -> WhyNot:
    """Why a document is not among the first `limit` answers: the first clause that failed, or what outranks it.

    `query`: an expression, which begins with "(", or a question, which is rewritten first. BadInput, with the
    identifiers most like it, where there is no such document.
    """
    engine = _opened(index)
    source = query
    if not query.lstrip().startswith("("):
        rewritten = _rewritten(engine, _worded(query), _extractor(rewrite, key_env), form)
        source = print_query(rewritten.query)
    try:
        found = explain_absence(engine, parse(source), document, limit)
    except UnknownName as error:
        if error.kind != "document":
            raise
        raise no_such_document(engine, document) from None
    return replace(found, query=source)


def only_one(given: str | None, what: str) -> str:
    """The one query of a command line; BadInput where there is none."""
    if given is None:
        raise BadInput(f"there is no {what}", remedy=f"Give a {what} after the index, or a file of them by --queries.")
    return given


def questions_in(path: str | Path, *, instead_of: str | None = None) -> dict[str, str]:
    """The queries of a file of JSON lines, `_id` and `text`, in its order.

    FileProblem, with its line, where it is bad; BadInput where one query is given `instead_of` a file as well.
    """
    if instead_of is not None:
        raise BadInput("a query and a file of queries are given", remedy="Give one of them.")
    file = Path(path)
    seen = FirstLines(file, "query")
    found: dict[str, str] = {}
    for line, record in read_json_lines(file):
        name = identifier(record, ("_id", "id"), file, line)
        seen.note(name, line)
        found[name] = required(record, "text", file, line)
    if not found:
        raise FileProblem(file, "there is no query in it", remedy='Write one {"_id": …, "text": …} a line.')
    return found


def write_run(found: Sequence[Found], path: str | Path) -> None:
    """Write the lists of many answers as a run file, whole or not at all.

    JSON lines where its name ends with .jsonl or .jsonl.gz, else the six columns of TREC. A single query is called
    "query".
    """
    queries = Ids([one.name or "query" for one in found])
    documents = Ids(list(dict.fromkeys(id for one in found for id in one.answer.documents)))
    lists = {
        name: list(zip(one.answer.documents, map(float, one.answer.scores), strict=True))
        for name, one in zip(queries, found, strict=True)
    }
    run = Run.of("askance", queries, documents, lists)
    file = Path(path)
    if file.name.endswith((".jsonl", ".jsonl.gz")):
        write_lines(run, file)
    else:
        write_trec_run(run, file)


def _worded(question: str) -> str:
    if not question.strip():
        raise BadInput("the question is empty", remedy="Say in plain words what you look for.")
    return question


def _extractor(rewrite: str | Extractor, key_env: str | None) -> Extractor:
    return extractor_of(rewrite, key_env) if isinstance(rewrite, str) else rewrite


def _rewritten(engine: Engine, question: str, extractor: Extractor, form: Form | None) -> Rewritten:
    without_knn = engine.card.vectors is None
    return rewrite_question(question, vocabulary=engine, extractor=extractor, form=form, without_knn=without_knn)


def _held_alone(engine: Engine, keywords: Sequence[str]) -> str:
    """What there is of each keyword, where no document has what the question asks of them together."""
    told = []
    for keyword in keywords:
        terms = engine.analyzer.terms(keyword)
        holders = engine.holders_of_item(" ".join(terms)) if engine.has_items else engine.holders_of_phrase(terms)
        told.append(f"{keyword!r} {holders:,}")
    return f"no document answers the whole of it; documents that hold each alone: {', '.join(told)}"


def _answers(engine: Engine, trees: Mapping[str, Node], limit: int, progress: Progress | None) -> list[Answer]:
    """In blocks, so that somebody may watch; an error says which query it is about."""
    told = progress or Silent()
    names = list(trees)
    answers: list[Answer] = []
    told.start(_SEARCH, len(names))
    for start in range(0, len(names), _AT_ONCE):
        block = names[start : start + _AT_ONCE]
        try:
            answers += engine.search_all([trees[name] for name in block], limit)
        except BadQuery:
            for name in block:
                with _about(name):
                    engine.search(trees[name], 0)
            raise
        told.advance(_SEARCH, len(block))
    told.finish(_SEARCH)
    return answers


@contextmanager
def _about(name: str) -> Iterator[None]:
    try:
        yield
    except BadQuery as error:
        raise BadInput(f"query {name!r} cannot be used\n{error}") from None


def _opened(index: str | Path | Engine) -> Engine:
    return open_engine(index) if isinstance(index, str | Path) else index


def _found(
    engine: Engine,
    tree: Node,
    answer: Answer,
    explain: bool,
    excerpts: bool = False,
    rewritten: Rewritten | None = None,
    name: str = "",
) -> Found:
    told = tuple(engine.explain(tree, document) for document in answer.documents) if explain else ()
    shown = tuple(_excerpt(engine, tree, document) for document in answer.documents) if excerpts else ()
    return Found(tree, answer, engine.card.scale, name, rewritten, told, shown)


def _excerpt(engine: Engine, tree: Node, document: str) -> Excerpt:
    text = engine.text(document)
    return Excerpt(text, first_place(text, tree, engine.analyzer))
