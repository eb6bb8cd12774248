"""Counts that outcomes per query give anew, beside those that were printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from askance.data.collection import Role, Roles, Tier
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.run import Run
from askance.measure.misses import misses
from askance.study.structural.printed import Printed
from askance.study.structural.source import FIRST_RANKS, SOLVER, Source

EMBEDDERS = ("gemini", "deepinfra", "labembed")
TIERS = ("easy", "hard")

NEAR_MISS = Role("own_nm_near_miss", "the query's own near miss")
SIBLING = Role("sibling_eq_variant", "an equivalent of another tier")
DISTRACTOR = Role("unsuffixed_distractor", "an original of another problem")
OTHER = Role("other_base_item", "a variant of another problem")
ROLES = (NEAR_MISS, SIBLING, DISTRACTOR, OTHER)

CUT_FROM = 32_760  # tokens of an answer that was cut: the cap is 32,768, the longest finished answer has 32,680


class Anew(NamedTuple):
    """What a recount says: where it was counted, and what does not agree."""

    why: str = ""
    wrong: str = ""


def recount(printed: Printed, source: Source) -> Anew:
    """Hold the printed count against one from outcomes per query, where there are any for it."""
    for name, counts in ((FIRST_RANKS, mathematical_counts), (SOLVER, solver_counts)):
        found = counts(source).get(printed.id)
        if found is not None:
            file = name.partition("/")[2]
            wrong = "" if found == printed.found else f"{file} has {found}, printed {printed.found}"
            return Anew(f"counted anew in {file}", wrong)
    return Anew()


@cache
def mathematical_counts(source: Source) -> Mapping[str, int]:
    """Hits at rank 1 and what stands there instead, per embedder and tier: id of the printed figure → count.

    All tiers share one corpus and its queries, so a query has the same document at rank 1 in each.
    """
    return dict(_mathematical(source))


@cache
def solver_counts(source: Source) -> Mapping[str, int]:
    """Answers that were cut, alone and together; the same among well-known problems."""
    return dict(_solver(source))


def _mathematical(source: Source) -> Iterator[tuple[str, int]]:
    for embedder in EMBEDDERS:
        winners = {row["query_id"]: row[f"{embedder}_top1"] for row in source.first_ranks}
        for tier in TIERS:
            there = f"math/{embedder}/{tier}"
            failed = _roles_of_misses(winners, {query: f"{query}::eq::{tier}" for query in winners})
            yield f"{there}/strict_hit@1", len(winners) - failed.total()
            for role in ROLES:
                yield f"{there}/miss_{role.name}", failed[role.name]


def _roles_of_misses(winners: Mapping[str, str], gold: Mapping[str, str]) -> Counter[str]:
    """Which roles stand at rank 1 where gold does not: the product's own count over lists of one document."""
    queries, documents = Ids(winners), Ids(sorted({*winners.values(), *gold.values()}))
    run = Run.of("rank 1", queries, documents, {query: [(winner, 1.0)] for query, winner in winners.items()})
    judgments = Judgments.of(queries, documents, {query: {document: 1.0} for query, document in gold.items()})
    listed = {query: {winner: _role(query, winner).name} for query, winner in winners.items() if winner != gold[query]}
    roles = Roles.of(queries, documents, ROLES, listed)
    return Counter(role.name for role in misses(run, Tier("gold", "gold", judgments), roles).roles)


def _role(query: str, document: str) -> Role:
    """Documents are named base::eq::tier or base::nm::number; originals of other problems have neither ending."""
    base, *ending = document.split("::")
    if len(ending) != 2:
        return DISTRACTOR
    if base != query:
        return OTHER
    return NEAR_MISS if ending[0] == "nm" else SIBLING


def _solver(source: Source) -> Iterator[tuple[str, int]]:
    conditions = ("none", "dumb", "gold")
    cut = [{name for name in conditions if int(row[f"{name}_output_tokens"]) >= CUT_FROM} for row in source.solver]
    known = [row["well_known"] == "1" for row in source.solver]
    for name in conditions:
        yield f"solver/{name}/truncated", sum(name in one for one in cut)
        yield f"solver/overlap/truncated_only_{name}", sum(one == {name} for one in cut)
    for first, second in (("none", "dumb"), ("none", "gold"), ("dumb", "gold")):
        yield f"solver/overlap/truncated_{first}_and_{second}", sum({first, second} <= one for one in cut)
    yield "solver/overlap/truncated_all_three", sum(len(one) == 3 for one in cut)
    yield "solver/overlap/truncated_any", sum(len(one) > 0 for one in cut)
    yield "solver/overlap/complete_in_all", sum(not one for one in cut)
    yield "solver/fame/well_known_queries", sum(known)
    yield "solver/fame/well_known_complete_all", sum(fame and not one for fame, one in zip(known, cut, strict=True))
    for name, fame in (("well_known", True), ("rest", False)):
        cut_there = sum("none" in one and there == fame for one, there in zip(cut, known, strict=True))
        yield f"solver/fame/none_truncated_{name}", cut_there
