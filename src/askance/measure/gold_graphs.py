"""How densely judgments connect what they judge: two graphs and one strength, exact, from the judgments alone.

Query graph: two queries are joined where a document is gold for both. Document graph: two documents are joined where
both are gold for one query. Density: 2 |E| / (|V| (|V| − 1)). Strength of a query: the sum, over all other queries, of
the Jaccard of the two sets of gold. A paper that prints one density may mean either graph: Weller et al. (2025) define
the one of documents, and the figure that they print for LIMIT, .085481, is that of queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from askance.core.estimate import Estimate
from askance.measure.judged import Counts, Values

if TYPE_CHECKING:
    from askance.data.collection import Excluded, Tier

EXACT = "exact: a property of the judgments"

_CELLS_AT_ONCE = 20_000_000  # of a product of two sparse matrices, at most


@dataclass(frozen=True, slots=True)
class Graph:
    """`nodes`: those that have gold (or are gold); `edges`: pairs that share some; `density`: exact.

    Undefined below two nodes.
    """

    nodes: int
    edges: int
    density: Estimate

    def record(self) -> dict[str, object]:
        """The machine form."""
        return {"nodes": self.nodes, "edges": self.edges, "density": self.density.record()}


@dataclass(frozen=True, slots=True)
class GoldGraphs:
    """Both graphs, and the average strength of the queries that have gold."""

    queries: Graph
    documents: Graph
    strength: Estimate


def gold_graphs(tier: Tier, excluded: Excluded | None = None) -> GoldGraphs:
    """The graphs of a tier's gold; excluded documents are no gold of their query.

    Queries (documents) with the same gold (that are gold for the same) are counted as one kind, so that time grows with
    the square of the kinds, not of the queries.
    """
    rows = gold_rows(tier, excluded)
    by_query, by_document = _kinds(rows), _kinds(rows.T.tocsr())
    edges, strength = _edges_and_strength(by_query)
    return GoldGraphs(
        _graph(by_query, edges, "queries with gold"),
        _graph(by_document, _edges_and_strength(by_document)[0], "gold documents"),
        _average(strength, int(by_query.times.sum())),
    )


def gold_rows(tier: Tier, excluded: Excluded | None = None) -> Any:
    """Which document is gold for which query: a sparse matrix of ones, int32 [queries, documents]."""
    from scipy.sparse import csr_matrix

    from askance.data.rows import owner_of, pair_keys

    judgments = tier.judgments
    gold = judgments.grade >= tier.threshold
    if excluded is not None:
        width = len(judgments.documents)
        barred = pair_keys(excluded.offsets, excluded.document, width)
        gold &= ~np.isin(pair_keys(judgments.offsets, judgments.document, width), barred)
    owner, document = owner_of(judgments.offsets)[gold], judgments.document[gold]
    shape = (len(judgments.queries), len(judgments.documents))
    return csr_matrix((np.ones(len(owner), dtype=np.int32), (owner, document)), shape=shape)


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Distinct rows that are not empty, and how often each occurs: `rows` sparse [kinds, columns], `times` [kinds]."""

    rows: Any
    times: Counts


def _kinds(rows: Any) -> _Kinds:
    rows.sort_indices()
    first: dict[bytes, int] = {}
    times: dict[bytes, int] = {}
    for row in range(rows.shape[0]):
        held = rows.indices[rows.indptr[row] : rows.indptr[row + 1]].tobytes()
        if held:
            first.setdefault(held, row)
            times[held] = times.get(held, 0) + 1
    return _Kinds(rows[list(first.values())], np.array([times[held] for held in first], dtype=np.int64))


def _edges_and_strength(kinds: _Kinds) -> tuple[int, float]:
    """Pairs that share something, and the sum of the Jaccards of all ordered pairs; nothing is its own pair."""
    count = len(kinds.times)
    sizes = np.diff(kinds.rows.indptr)
    columns = kinds.rows.T.tocsr()
    ordered_pairs, strength = 0, 0.0
    step = max(1, _CELLS_AT_ONCE // max(count, 1))
    for start in range(0, count, step):
        block = slice(start, start + step)
        common = (kinds.rows[block] @ columns).tocoo()
        left, right = common.row + start, common.col
        pairs = kinds.times[left] * (kinds.times[right] - (left == right))
        shared: Values = common.data / (sizes[left] + sizes[right] - common.data)
        ordered_pairs += int(pairs.sum())
        strength += float((pairs * shared).sum())
    return ordered_pairs // 2, strength


def _graph(kinds: _Kinds, edges: int, what: str) -> Graph:
    nodes = int(kinds.times.sum())
    if nodes < 2:
        return Graph(nodes, edges, Estimate.undefined(f"a graph needs two {what}, there are {nodes}", n=nodes))
    density = 2 * edges / (nodes * (nodes - 1))
    return Graph(nodes, edges, Estimate(density, density, density, nodes, EXACT))


def _average(total: float, queries: int) -> Estimate:
    if queries == 0:
        return Estimate.undefined("no query has gold")
    return Estimate(total / queries, total / queries, total / queries, queries, EXACT)


def held_by_row(rows: Any) -> NDArray[np.int64]:
    """How many entries each row of a sparse matrix has [rows]."""
    found: NDArray[np.int64] = np.diff(rows.indptr).astype(np.int64)
    return found
