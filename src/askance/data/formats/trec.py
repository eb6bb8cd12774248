"""TREC files: judgments, runs and topics, read and written."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, FileProblem
from askance.core.files import whole_file
from askance.data.formats.identifiers import for_trec
from askance.data.formats.lines import FirstLines, read_lines
from askance.data.formats.numbers import finite, shortest
from askance.data.formats.pairs import Pairs, Row, check_known
from askance.data.formats.qrels import is_comment, trec_columns
from askance.data.ids import Ids
from askance.data.rows import offsets_of
from askance.data.run import Run


def read_trec_qrels(path: Path) -> dict[str, dict[str, float]]:
    """{query: {document: grade}} of rows `query 0 document grade`.

    Columns are parted by runs of ASCII white space; a line that begins with # is a comment unless it has four columns
    and no space after the mark. Grades are kept as given. FileProblem, with its line, on anything else.
    """
    return Pairs(path, _qrels_rows(path)).values()


def write_trec_qrels(grades: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """Write {query: {document: grade}}; DataProblem on an identifier with white space or a grade that is not finite."""
    with whole_file(path) as out:
        for query, judged in grades.items():
            of_query = for_trec(query, "query")
            for document, grade in judged.items():
                if not np.isfinite(grade):
                    raise DataProblem(f"the grade of {document!r} for query {query!r} is {grade}")
                out.write(f"{of_query} 0 {for_trec(document, 'document')} {shortest(float(grade))}\n".encode())


@dataclass(frozen=True)
class TrecRun:
    """A run file as it was read: lists ordered by score, best first, equal scores in the order of the file.

    `disagreements`: neighbours by the rank column whose scores rise; `unranked`: rows whose rank is no whole number;
    `tags`: the system's names in the last column. Neither changes the order.
    """

    run: Run
    disagreements: int
    unranked: int
    tags: tuple[str, ...]


def read_trec_run(
    path: Path, queries: Ids | None = None, documents: Ids | None = None, name: str | None = None
) -> TrecRun:
    """Read rows `query Q0 document rank score tag`.

    `queries`, `documents`: what the identifiers must be among; where None, the file's own, in order of appearance.
    `name`: the run's, else the file's without .gz. FileProblem, with its line, on another number of columns, a score
    that is no finite number, a document listed twice for a query, an unknown identifier.
    """
    rows = _RunRows(path, queries, documents)
    rows.check()
    query, document, rank, score = rows.columns()
    order = np.lexsort((-score, query))
    return TrecRun(
        Run(
            name or path.name.removesuffix(".gz"),
            rows.queries.ids(),
            rows.documents.ids(),
            offsets_of(np.bincount(query, minlength=len(rows.queries.ids()))),
            document[order],
            score[order],
        ),
        disagreements=_disagreements(query, rank, score),
        unranked=int(np.isnan(rank).sum()),
        tags=tuple(rows.tags),
    )


def write_trec_run(run: Run, path: Path, tag: str | None = None, *, by_rank: bool = False) -> None:
    """Write `run` so that reading gives the same lists, scores exactly.

    A TREC file orders by score: DataProblem where a list's scores rise, unless `by_rank` writes n, n−1 … 1 instead of
    them. Also on identifiers (or a tag, by default the run's name) with white space.
    """
    label = for_trec(run.name if tag is None else tag, "the run's tag")
    with whole_file(path) as out:
        for at, query in enumerate(run.queries):
            of_query = for_trec(query, "query")
            documents, scores = run.of_query(at)
            if by_rank:
                scores = np.arange(len(documents), 0, -1, dtype=np.float64)
            elif (scores[1:] > scores[:-1]).any():
                raise DataProblem(
                    f"run {run.name!r}: the scores of query {query!r} do not fall, and a TREC file orders by score",
                    remedy="Write scores by rank, or write JSON lines, which keep the order.",
                )
            for rank, (document, score) in enumerate(zip(documents.tolist(), scores.tolist(), strict=True), start=1):
                name = for_trec(run.documents[document], "document")
                out.write(f"{of_query} Q0 {name} {rank} {shortest(score)} {label}\n".encode())


def read_topics(path: Path) -> dict[str, str]:
    """{query: text} of lines `query<TAB>text`, or of <top> … <num> … <title> … </top>, whose titles are taken.

    FileProblem, with its line, on another form, an empty identifier, or one that comes twice.
    """
    topics: dict[str, str] = {}
    seen = FirstLines(path, "query")
    for line, query, text in _topic_rows(path):
        seen.note(query, line)
        topics[query] = text
    return topics


def write_topics(topics: Mapping[str, str], path: Path) -> None:
    """Write lines `query<TAB>text`; DataProblem where either would not fit on such a line."""
    with whole_file(path) as out:
        for query, text in topics.items():
            if "\n" in text or "\r" in text or query.startswith("<"):
                found = f"query {query!r} cannot be written as a topic: it begins with <, or its text has several lines"
                raise DataProblem(found, remedy="Write a BEIR folder instead.")
            out.write(f"{for_trec(query, 'query')}\t{text}\n".encode())


def _qrels_rows(path: Path) -> Iterator[Row[float]]:
    for line, text, cells in _trec_rows(path, 4, "query, 0, document and grade"):
        grade = finite(cells[3])
        if grade is None:
            problem = f"the grade {cells[3]!r} is no finite number"
            raise FileProblem(path, problem, line=line, text=text, remedy="Use a number such as 0, 1 or 0.5.")
        yield Row(line, cells[0], cells[2], grade)


def _trec_rows(path: Path, count: int, names: str) -> Iterator[tuple[int, str, list[str]]]:
    """(line, text, columns) of every row; blank lines and comments hold nothing."""
    for line, text in read_lines(path):
        if not text or text.isspace() or is_comment(text, count):
            continue
        cells = trec_columns(text)
        if len(cells) != count:
            problem = f"{len(cells)} columns, expected {count}: {names}"
            remedy = "Identifiers and tags hold no white space in a TREC file."
            raise FileProblem(path, problem, line=line, text=text, remedy=remedy)
        yield line, text, cells


class _Interned:
    """Positions of identifiers: those of a given list (−1 where unknown), or in order of appearance."""

    def __init__(self, known: Ids | None) -> None:
        self._known = known
        self._seen: dict[str, int] = {}

    def position(self, name: str) -> int:
        if self._known is None:
            return self._seen.setdefault(name, len(self._seen))
        at = self._known.position(name)
        self._seen.setdefault(name, len(self._seen))
        return -1 if at is None else at

    def ids(self) -> Ids:
        if self._known is None:
            self._known = Ids(self._seen)
        return self._known

    def named(self) -> list[str]:
        return list(self._seen)


class _RunRows:
    """The rows of a run file in compact columns."""

    def __init__(self, path: Path, queries: Ids | None, documents: Ids | None) -> None:
        self.path = path
        self.queries, self.documents = _Interned(queries), _Interned(documents)
        self.query, self.document, self.line = array("i"), array("i"), array("q")
        self.rank, self.score = array("d"), array("d")
        self.tags: dict[str, None] = {}
        for line, text, cells in _trec_rows(path, 6, "query, Q0, document, rank, score and tag"):
            score = finite(cells[4])
            if score is None:
                problem = f"the score {cells[4]!r} is no finite number"
                raise FileProblem(path, problem, line=line, text=text, remedy="Scores must be finite numbers.")
            self.line.append(line)
            self.query.append(self.queries.position(cells[0]))
            self.document.append(self.documents.position(cells[2]))
            self.rank.append(_whole(cells[3]))
            self.score.append(score)
            self.tags[cells[5]] = None

    def columns(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
        """Query, document, rank (NaN where it is no whole number) and score, one entry per row."""
        return (
            np.array(self.query, dtype=np.int32),
            np.array(self.document, dtype=np.int32),
            np.array(self.rank, dtype=np.float64),
            np.array(self.score, dtype=np.float64),
        )

    def check(self) -> None:
        """FileProblem on an unknown identifier or a pair that comes twice."""
        self._check_kind("query", "queries", self.queries, self.query)
        self._check_kind("document", "documents", self.documents, self.document)
        self._check_once()

    def _check_kind(self, kind: str, several: str, interned: _Interned, column: array[int]) -> None:
        def line_of(_: str) -> int:
            return self.line[column.index(-1)]  # the first unknown name stands in the first row without a position

        check_known(self.path, kind, several, interned.named(), interned.ids(), line_of)

    def _check_once(self) -> None:
        query, document, _, _ = self.columns()
        keys = query.astype(np.int64) * len(self.documents.ids()) + document
        order = np.argsort(keys, kind="stable")
        again = np.flatnonzero(np.diff(keys[order]) == 0)
        if not len(again):
            return
        first, second = int(order[again[0]]), int(order[again[0] + 1])
        problem = (
            f"query {self.queries.ids()[int(query[second])]!r} lists the document "
            f"{self.documents.ids()[int(document[second])]!r} again; it was first on line {self.line[first]}"
        )
        remedy = "Keep one row per query and document."
        raise FileProblem(self.path, problem, line=self.line[second], remedy=remedy)


def _whole(text: str) -> float:
    """The whole number that `text` writes; NaN where it writes none."""
    value = finite(text)
    return value if value is not None and value.is_integer() else float("nan")


def _disagreements(query: NDArray[np.int32], rank: NDArray[np.float64], score: NDArray[np.float64]) -> int:
    """How many neighbours by rank, of one query and with different ranks, have rising scores."""
    ranked = ~np.isnan(rank)
    query, rank, score = query[ranked], rank[ranked], score[ranked]
    order = np.lexsort((rank, query))
    query, rank, score = query[order], rank[order], score[order]
    rising = (query[1:] == query[:-1]) & (rank[1:] > rank[:-1]) & (score[1:] > score[:-1])
    return int(rising.sum())


_TAG = re.compile(r"<(/?)(\w+)>\s*(?:(?:Number|Topic)\s*:)?", re.IGNORECASE)


def _topic_rows(path: Path) -> Iterator[tuple[int, str, str]]:
    """(line, query, text) in either form, told by the first line that is not blank."""
    first = next((text for _, text in read_lines(path) if text and not text.isspace()), "")
    return _tagged_topics(path) if first.lstrip().startswith("<") else _tab_topics(path)


def _tab_topics(path: Path) -> Iterator[tuple[int, str, str]]:
    for line, text in read_lines(path):
        if not text or text.isspace():
            continue
        query, tab, topic = text.partition("\t")
        if not tab or not query:
            remedy = "Topics are lines of an identifier, a tab and the text, or <top> … <num> … <title> … </top>."
            raise FileProblem(path, "this is no topic", line=line, text=text, remedy=remedy)
        yield line, query, topic


def _tagged_topics(path: Path) -> Iterator[tuple[int, str, str]]:
    """Topics in the classic form: fields run from their tag to the next one, over several lines."""
    fields: dict[str, list[str]] = {}
    begun, at = 0, ""
    for line, text in read_lines(path):
        end = 0
        for tag in _TAG.finditer(text):
            fields.setdefault(at, []).append(text[end : tag.start()])
            end, name = tag.end(), tag[2].lower()
            if name == "top" and not tag[1]:
                fields, begun = {}, line
            elif name == "top":
                yield (begun, *_topic_of(fields, path, begun))
                begun = 0
            at = "" if tag[1] or name == "top" else name
        fields.setdefault(at, []).append(text[end:])
    if begun:
        raise FileProblem(path, "this topic has no end", line=begun, remedy="Close it with </top>.")


def _topic_of(fields: Mapping[str, list[str]], path: Path, line: int) -> tuple[str, str]:
    number, title = (" ".join(" ".join(fields.get(name, ())).split()) for name in ("num", "title"))
    if not number or not title:
        missing = "<title>" if number else "<num>"
        raise FileProblem(path, f"this topic has no {missing}", line=line, remedy="Give it both a <num> and a <title>.")
    return number, title
