"""The tree of a query. What each clause matches and what it scores is said here; every engine gives the same.

    query  := (knn "text" [:depth n])                    the `depth` nearest documents; scores (1 + cos) / 2
            | (lex "text" [:match phrase|any|all] [:slop n])
                                                         words in text; scores BM25 on Lucene's scale
            | (exact "text")                             documents that hold exactly this item; scores a tier
            | (filter key value…) | (filter key [:from x] [:to y])
                                                         documents whose metadata has one of the values; scores 0
            | (and query…)                               what all match; scores the sum
            | (or query…)                                what any matches; scores the sum
            | (not query)                                what does not match; scores 0
            | (field name query)                         lex clauses inside look at this field instead of `text`
            | (relation "name" query)                    items inside must stand in this relation
            | (boost weight query)                       the same, scores times `weight`
            | (or query… :fuse sum|rrf|minmax [:weights (w…)] [:k n] [:depth n] [:min-score x])
                                                         ranked lists of the queries, fused

Every clause also takes `:boost w`, lex and exact `:field name`, as short forms of the wrapping clause.
Trees are frozen; `span` says where a clause was written and takes no part in comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Match = Literal["phrase", "any", "all"]
FuseKind = Literal["sum", "rrf", "minmax"]

KNN_DEPTH = 1000
FUSE_DEPTH = 1000
RRF_K = 60


class Span(NamedTuple):
    """Where a clause stands in its source: code points, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True)
class Node:
    """A clause. `children` are the clauses directly inside, in order."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    @property
    def children(self) -> tuple[Node, ...]:
        return ()

    def walk(self) -> Iterator[Node]:
        """This clause and all below it, parents first. Not recursive."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def __and__(self, other: object) -> And:
        """`a & b & c` is one And of three."""
        return And(_parts(And, self) + _parts(And, other)) if isinstance(other, Node) else NotImplemented

    def __or__(self, other: object) -> Or:
        """`a | b | c` is one Or of three."""
        return Or(_parts(Or, self) + _parts(Or, other)) if isinstance(other, Node) else NotImplemented

    def __invert__(self) -> Not:
        return Not(self)

    def __mul__(self, weight: object) -> Boost:
        """`a * 2` and `2 * a`: its scores twice."""
        return Boost(float(weight), self) if isinstance(weight, int | float) else NotImplemented

    __rmul__ = __mul__


@dataclass(frozen=True)
class Knn(Node):
    """The `depth` documents whose vectors are nearest to that of `text`, which is embedded as it is written.

    Filters, relations and excluded clauses beside it in an `and` hold before the nearest are taken.
    """

    text: str
    depth: int = KNN_DEPTH


@dataclass(frozen=True)
class Lex(Node):
    """Words of `text`, cut by the index's analyzer, in one field.

    "phrase": next to one another and in order; a `slop` above 0 lets them stand up to that many moves apart, and an
    occurrence at distance d counts 1 / (1 + d). "any": BM25 over the words. "all": as any, and all must occur.
    One word is a word under each. A text without words matches nothing, and the answer says so.
    """

    text: str
    match: Match = "phrase"
    slop: int = 0


@dataclass(frozen=True)
class Exact(Node):
    """Documents that hold an item whose words are exactly those of `text`: case and punctuation do not matter.

    Scores `exact_tier` of the number of words, so that no phrase inside a longer item comes above it.
    """

    text: str


@dataclass(frozen=True)
class Filter(Node):
    """Documents whose metadata under `key` equals one of `values`, or lies from `low` to `high`, both included."""

    key: str
    values: tuple[str | float | bool, ...] = ()
    low: float | str | None = None
    high: float | str | None = None


@dataclass(frozen=True)
class Not(Node):
    """Documents that `child` does not match. There is no knn inside it."""

    child: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.child,)


@dataclass(frozen=True)
class And(Node):
    """Documents that all `parts` match, at least one part; scores their sum."""

    parts: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.parts


@dataclass(frozen=True)
class Or(Node):
    """Documents that any of the `parts` matches, at least one part; scores the sum of those that match."""

    parts: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.parts


@dataclass(frozen=True)
class Field(Node):
    """`child`, its lex clauses in the field `name`. The innermost field holds; it is never widened."""

    name: str
    child: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.child,)


@dataclass(frozen=True)
class Relation(Node):
    """`child`, its items only as they stand in the relation `name`, compared word by word like items.

    Inside it `exact` and `lex` in the field items look only at such items; knn is kept to documents with such an item;
    lex in other fields likewise.
    """

    name: str
    child: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.child,)


@dataclass(frozen=True)
class Boost(Node):
    """`child`, its scores times `weight`, a number above 0."""

    weight: float
    child: Node

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.child,)


@dataclass(frozen=True)
class Fuse(Node):
    """The first `depth` of each part's list, fused; stands at the top, or directly inside another Fuse or Boost.

    A missing document counts 0. "sum": Σ w·score. "rrf": Σ w / (k + rank), ranks from 1. "minmax": Σ w·scaled / Σ w,
    scaled = (score − least) / (greatest − least), .001 for the least, 1 where all are equal. `weights`: one a part,
    or none for all 1. What lies below `min_score` after fusion is left out.
    """

    kind: FuseKind
    parts: tuple[Node, ...]
    weights: tuple[float, ...] = ()
    k: float = RRF_K
    depth: int = FUSE_DEPTH
    min_score: float | None = None

    @property
    def children(self) -> tuple[Node, ...]:
        return self.parts


def _parts(kind: type[And] | type[Or], node: Node) -> tuple[Node, ...]:
    return node.children if isinstance(node, kind) else (node,)


def exact_tier(words: int) -> float:
    """What an exact item of so many words scores: 128, and 128 more for each further six words begun.

    A phrase of n words scores less than n · ln(1 + (N + ½) / 1½), 20.3 a word for a thousand million documents.
    """
    return 128.0 * max(1, -(-words // 6))
