"""How rows of a run or of judgments are laid out in lines of text, and what columns may be called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["run", "qrels"]
Separator = Literal[" ", "\t", ",", ";"]

SAID = {"run": "a run", "qrels": "judgments"}
VALUE = {"run": "score", "qrels": "grade"}

QUERY_NAMES = ("query-id", "qid", "q-id", "topic-id", "topicid", "query", "topic")
DOCUMENT_NAMES = (
    "document-id", "doc-id", "docno", "corpus-id", "docid", "pid", "passage-id", "document", "doc", "passage",
)  # fmt: skip
SCORE_NAMES = ("score", "similarity", "sim")
GRADE_NAMES = ("grade", "relevance", "rel", "label", "judgment", "judgement", "score")
RANK_NAMES = ("rank",)
TAG_NAMES = ("tag", "run", "run-id", "run-name", "system")


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column holds what, counted from 0. `header`: whether the first row names the columns.

    `separator` " ": columns are parted by runs of ASCII white space, and no cell can be empty.
    """

    separator: Separator
    header: bool
    width: int
    query: int
    document: int
    value: int
    rank: int | None = None
    tag: int | None = None
    names: str = ""

    @property
    def by_space(self) -> bool:
        return self.separator == " "


TREC_RUN = Layout(" ", False, 6, 0, 2, 4, rank=3, tag=5, names="query, Q0, document, rank, score and tag")
TREC_QRELS = Layout(" ", False, 4, 0, 2, 3, names="query, 0, document and grade")


def plain_name(name: str) -> str:
    """A column's name as the lists of names above have it: `Query_ID` → query-id."""
    return re.sub(r"[ _]+", "-", name.strip()).lower()


def column_of(names: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Which of the columns called `names` has the first of the `wanted` names; None where none has."""
    plain = [plain_name(name) for name in names]
    return next((plain.index(name) for name in wanted if name in plain), None)


def kind_of_columns(names: Sequence[str]) -> Kind | None:
    """Whether columns of these names hold a run or judgments; None where they are neither.

    `score` beside `corpus-id`, and no rank, is how BEIR writes grades.
    """
    if column_of(names, QUERY_NAMES) is None or column_of(names, DOCUMENT_NAMES) is None:
        return None
    if column_of(names, GRADE_NAMES[:-1]) is not None:
        return "qrels"
    if column_of(names, SCORE_NAMES) is None:
        return None
    ranked = column_of(names, RANK_NAMES) is not None
    return "qrels" if column_of(names, ("corpus-id",)) is not None and not ranked else "run"


def layout_of_header(cells: Sequence[str], separator: Separator, kind: Kind) -> Layout | None:
    """The layout of a table whose header has these cells; None where a column that is needed is not among them."""
    query, document = column_of(cells, QUERY_NAMES), column_of(cells, DOCUMENT_NAMES)
    value = column_of(cells, SCORE_NAMES if kind == "run" else GRADE_NAMES)
    if query is None or document is None or value is None:
        return None
    rank, tag = (column_of(cells, names) if kind == "run" else None for names in (RANK_NAMES, TAG_NAMES))
    listed = ", ".join(cell.strip() for cell in cells)
    return Layout(separator, True, len(cells), query, document, value, rank, tag, names=listed)
