"""What a file says of (query, document) pairs: each pair once, every identifier known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from askance.core.errors import FileProblem
from askance.data.ids import Ids

T = TypeVar("T")


class Row(NamedTuple, Generic[T]):
    """One row: where it stands, the pair, and what is said of it."""

    line: int
    query: str
    document: str
    value: T


class Pairs(Generic[T]):
    """The rows of one file by query and document, in the order of the file."""

    def __init__(self, path: Path, rows: Iterable[Row[T]]) -> None:
        """Reads all rows; FileProblem where a pair comes a second time."""
        self.path = path
        self._found: dict[str, dict[str, tuple[int, T]]] = {}
        for line, query, document, value in rows:
            of_query = self._found.setdefault(query, {})
            if document in of_query:
                first, before = of_query[document]
                problem = (
                    f"query {query!r} and document {document!r} occur again, with {value!r}; "
                    f"line {first} has them with {before!r}"
                )
                raise FileProblem(path, problem, line=line, remedy="Keep one row per query and document.")
            of_query[document] = (line, value)

    def __len__(self) -> int:
        return sum(map(len, self._found.values()))

    def values(self) -> dict[str, dict[str, T]]:
        """{query: {document: value}}."""
        return {query: {name: value for name, (_, value) in row.items()} for query, row in self._found.items()}

    def check(self, queries: Ids, documents: Ids) -> None:
        """FileProblem, with its line, where a query or document is not among these."""
        check_known(self.path, "query", "queries", list(self._found), queries, self._line_of_query)
        named = [document for row in self._found.values() for document in row]
        check_known(self.path, "document", "documents", named, documents, self._line_of_document)

    def _line_of_query(self, query: str) -> int:
        return min(line for line, _ in self._found[query].values())

    def _line_of_document(self, document: str) -> int:
        return min(row[document][0] for row in self._found.values() if document in row)


def check_known(
    path: Path, kind: str, several: str, named: Sequence[str], known: Ids, line_of: Callable[[str], int | None]
) -> None:
    """FileProblem where one of the identifiers that a file names is unknown.

    Where not one of them is known, the two sides are shown beside each other. `kind`, `several`: what the identifiers
    name, as one and as many; `line_of`: where an identifier stands first.
    """
    unknown = [name for name in dict.fromkeys(named) if name not in known]
    if not unknown:
        return
    line = line_of(unknown[0])
    if not any(name in known for name in named):
        problem = (
            f"not one of the {several} it names is in the collection: it names {_examples(unknown)}; "
            f"the collection has {_examples(known.names)}"
        )
        remedy = "Are these files of one collection? Identifiers are compared letter by letter."
        raise FileProblem(path, problem, line=line, remedy=remedy)
    problem = f"the {kind} {unknown[0]!r} is not in the collection"
    if len(unknown) > 1:
        problem += f" (nor are {len(unknown) - 1} more of the {several} it names)"
    raise FileProblem(path, problem, line=line, remedy=f"Remove the row or add the {kind}.")


def _examples(names: Sequence[str]) -> str:
    """The first three, quoted."""
    return ", ".join(map(repr, names[:3])) + (" …" if len(names) > 3 else "")
