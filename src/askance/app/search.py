"""Ask an index: by an expression of the query language, or by a question that is rewritten into one first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from askance.app.extractors import RULES, extractor_of
from askance.core.errors import BadInput, FileProblem
from askance.data.formats.identifiers import identifier
from askance.data.formats.lines import FirstLines, read_json_lines, required
from askance.data.formats.runs import write_run as write_run_file
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.engine import Answer, Engine
from askance.engines.found import Found
from askance.engines.registry import open_engine
from askance.engines.why_not import WhyNot
from askance.engines.why_not import why_not as explain_absence
from askance.irl.nodes import Node
from askance.irl.parser import parse
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.phrases import Form
from askance.irl.rewrite.rewriter import Rewritten
from askance.irl.rewrite.rewriter import rewrite as rewrite_question


def search(index: str | Path | Engine, query: str | Node, *, limit: int = 10, explain: bool = False) -> Found:
    """The best `limit` documents of an index for an expression.

    `index`: its folder, or an open engine. BadInput, with the place in the expression, where it cannot be read or
    cannot run on this index.
    """
    engine = _opened(index)
    tree = parse(query) if isinstance(query, str) else query
    return _found(engine, tree, engine.search(tree, limit), explain)


def search_all(
    index: str | Path | Engine, queries: Mapping[str, str | Node], *, limit: int = 10, explain: bool = False
) -> list[Found]:
    """The answers to many expressions, by name."""
    engine = _opened(index)
    trees = [parse(query) if isinstance(query, str) else query for query in queries.values()]
    answers = engine.search_all(trees, limit)
    return [
        _found(engine, tree, answer, explain, name) for name, tree, answer in zip(queries, trees, answers, strict=True)
    ]


def ask(
    index: str | Path | Engine,
    question: str,
    *,
    rewrite: str | Extractor = RULES,
    form: Form | None = None,
    limit: int = 10,
    explain: bool = False,
) -> Found:
    """The best documents for a question in plain words: rewritten, searched, each stage kept.

    `rewrite`: "rules", for which the index alone decides what is content; a language model (app.extractors says how
    it is named); or an extractor. `form`: "text" searches one text field, "fields" items and relations;
    what the index has unless told.
    """
    engine = _opened(index)
    rewritten = _rewritten(engine, [question], rewrite, form)[0]
    return _found(engine, rewritten.query, engine.search(rewritten.query, limit), explain, rewritten=rewritten)


def ask_all(
    index: str | Path | Engine,
    questions: Mapping[str, str],
    *,
    rewrite: str | Extractor = RULES,
    form: Form | None = None,
    limit: int = 10,
    explain: bool = False,
) -> list[Found]:
    """The answers to many questions, by name; each is rewritten as if it stood alone."""
    engine = _opened(index)
    rewritten = _rewritten(engine, list(questions.values()), rewrite, form)
    answers = engine.search_all([one.query for one in rewritten], limit)
    return [
        _found(engine, one.query, answer, explain, name, one)
        for name, one, answer in zip(questions, rewritten, answers, strict=True)
    ]


def why_not(
    index: str | Path | Engine,
    query: str,
    document: str,
    *,
    rewrite: str | Extractor = RULES,
    form: Form | None = None,
    limit: int = 10,
) -> WhyNot:
    """Why a document is not among the first `limit` answers: the first clause that failed, or what outranks it.

    `query`: an expression, which begins with "(", or a question, which is rewritten first.
    """
    engine = _opened(index)
    is_expression = query.lstrip().startswith("(")
    tree = parse(query) if is_expression else _rewritten(engine, [query], rewrite, form)[0].query
    return explain_absence(engine, tree, document, limit)


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
    """Write the lists of many answers as a run file, whole or not at all; the ending of its name says which format.

    A single query is called "query".
    """
    queries = Ids([one.name or "query" for one in found])
    documents = Ids(list(dict.fromkeys(id for one in found for id in one.answer.documents)))
    lists = {
        name: list(zip(one.answer.documents, map(float, one.answer.scores), strict=True))
        for name, one in zip(queries, found, strict=True)
    }
    write_run_file(Run.of("askance", queries, documents, lists), Path(path))


def _rewritten(
    engine: Engine, questions: Sequence[str], rewrite: str | Extractor, form: Form | None
) -> list[Rewritten]:
    """Each question alone, by the same extractor."""
    extractor = extractor_of(rewrite) if isinstance(rewrite, str) else rewrite
    return [
        rewrite_question(
            question,
            vocabulary=engine,
            extractor=extractor,
            form=form,
            without_knn=engine.card.vectors is None,
        )
        for question in questions
    ]


def _opened(index: str | Path | Engine) -> Engine:
    return open_engine(index) if isinstance(index, str | Path) else index


def _found(
    engine: Engine, tree: Node, answer: Answer, explain: bool, name: str = "", rewritten: Rewritten | None = None
) -> Found:
    told = tuple(engine.explain(tree, document) for document in answer.documents) if explain else ()
    return Found(tree, answer, engine.card.scale, name, rewritten, told)
