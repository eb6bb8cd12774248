"""The inconsistencies of the source that its data's README lists, each that has a figure as a row.

The figure is the one in the source's own files, recomputed; the sentence says what the source's words make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from askance.measure.bootstrap import bootstrap_mean
from askance.measure.bounds import paired_share_bounds, share_bounds
from askance.measure.chance import chance
from askance.measure.contamination import TwoGroups, difference
from askance.measure.intervals import proportion
from askance.measure.measures import Measure
from askance.study.reproduce import Row
from askance.study.structural import below_chance, source_gates
from askance.study.structural.chances import DOCUMENTS, counted_here
from askance.study.structural.finding import exact
from askance.study.structural.lines import line
from askance.study.structural.printed import Printed
from askance.study.structural.proportions import change
from askance.study.structural.recounts import mathematical_counts
from askance.study.structural.source import Source

Lines = Callable[[Source], Iterator[Row]]


def inconsistencies(source: Source) -> Iterator[Row]:
    """All of them, by number."""
    for lines in BY_NUMBER:
        yield from lines(source)


def _surface_form(source: Source) -> Iterator[Row]:
    printed = source.row("traj/minilm/surface_form/adjective")
    ours = change(printed, source).ours
    why = "FINAL_NUMBERS prints +18.2 points; its own counts, 3 to 10 of 22, are +31.8"
    figure = "Hit@1 won by verbs, adjective wording, MiniLM"
    yield line("1.minilm.adjective", figure, ours, why, published=printed.published)


def _verbs_and_nouns(source: Source) -> Iterator[Row]:
    claim = "the source says that verbs drive most and the noun little"
    why = f"{claim}; here both win the same"
    yield _tokens(source, "old_40", "minilm", ("lexical_verb_only", "lexical_noun_only"), why)
    for embedder, said in (("labembed", "as much as"), ("gemini", "less than"), ("minilm", "more than")):
        why = f"{claim}; here verbs alone win {said} the full mix"
        yield _tokens(source, "pooled", embedder, ("lexical_verb_only", "lexical_full_mix"), why)


def _tokens(source: Source, subset: str, embedder: str, pair: tuple[str, str], why: str) -> Row:
    first, second = (source.row(f"traj/{embedder}/{subset}/{judge}/share") for judge in pair)
    before, ceiling = first.told("before_hits"), first.told("hit10_hits")
    ours = paired_share_bounds(first.queries, before, first.found, second.found, ceiling).widest()
    published = (first.published or 0.0) - (second.published or 0.0)
    words = [judge.removeprefix("lexical_").replace("_", " ") for judge in pair]
    figure = f"share of gap, {words[0]} less {words[1]}, {embedder}, {subset}"
    return line(f"2.{embedder}.{subset}", figure, ours, why, published=published)


def _unlike_misses(source: Source) -> Iterator[Row]:
    for embedder in ("gemini", "deepinfra"):
        for tier in ("easy", "hard"):
            place = f"math/{embedder}/{tier}"
            others = source.row(f"{place}/miss_other_base_item")
            strays = source.row(f"{place}/miss_unsuffixed_distractor")
            anew = mathematical_counts(source)
            ours = exact(anew[others.id] + anew[strays.id], others.queries, "counted from outcomes per query")
            why = (
                f"{others.found} variants and {strays.found} originals of other problems: two classes, to be told apart"
            )
            figure = f"misses with neither near miss nor sibling at rank 1, {embedder}, {tier}"
            yield line(f"3.{embedder}.{tier}", figure, ours, why, published=float(others.found + strays.found))


def _seeds(source: Source) -> Iterator[Row]:
    seeds = [printed.value for printed in source.printed.values() if printed.figure == "bootstrap_seed"]
    why = f"three kinds of intervals began with {', '.join(map(str, seeds))}, the paired ones alone with 42"
    ours = exact(len(set(seeds)), len(seeds), "counted")
    yield line("4.seeds", "seeds of the drawn intervals", ours, why, published=float(len(set(seeds))))


def _deployments(source: Source) -> Iterator[Row]:
    rows = source.first_ranks
    unlike = sum(row["deepinfra_top1"] != row["labembed_top1"] for row in rows)
    why = (
        "“Qwen-emb is DeepInfra unless stated”, but over trajectories it is the lab's serving, which differs this often"
    )
    figure = "queries whose rank 1 differs between the two servings of Qwen3-Embedding-8B"
    yield line("5.rank-1", figure, proportion(unlike, len(rows)), why)


def _receptacles(source: Source) -> Iterator[Row]:
    named = {row["goal_receptacle"] for row in source.descriptions}
    placed = [row for row in source.labels if row["provenance"] == "original" and row["task_type"] != "2"]
    strange = [row for row in placed if row["goal_receptacle"] not in named]
    why = (
        "definition (ii) compares raw strings, and no trajectory is worded like these: nothing can be excluded for them"
    )
    figure = "released queries with a receptacle that no description words alike"
    yield line("7.unmatched", figure, proportion(len(strange), len(placed)), why)
    if source.trajectories is None:
        return
    gold = {tier: counted_here(source.trajectories, tier) for tier in ("strict", "strict-ii", "strict-ii-normalised")}
    for subset in ("old40", "new78"):
        mask = source.trajectories.queries.mask({"set": subset})
        fewer = int((gold["strict-ii"] < gold["strict"])[mask].sum())
        why = "(ii) narrows (i) for these alone; for the others both are the same"
        ours = proportion(fewer, int(mask.sum()))
        yield line(
            f"7.narrowed.{subset}", f"queries with less gold under (ii) than (i), {subset}", ours, why, status="pass"
        )
    moved = int((gold["strict-ii"] != gold["strict-ii-normalised"]).sum())
    why = "with names normalised 11 released queries have a receptacle that the corpus has; the gold of these changes"
    ours = proportion(moved, len(source.labels))
    yield line("7.changed", "queries whose gold changes with normalised names", ours, why, status="pass")
    found = chance(Measure("Hit", 1), np.full(len(source.labels), DOCUMENTS), gold["strict-ii-normalised"])
    assert not isinstance(found, str)
    ours = exact(float(found.mean()), len(found), "exact: hypergeometric chance of each query")
    why = "printed 14.05 %: only raw strings give that"
    yield line("7.chance", "chance of Hit@1 under (ii), names normalised", ours, why, status="pass")


def _repeats(source: Source) -> Iterator[Row]:
    texts = {row["query_text"] for row in source.labels}
    why = "two released queries, medium_12 and hard_14, have the same text"
    yield line("8.distinct", "distinct texts among the queries", proportion(len(texts), len(source.labels)), why)
    new = [row["query_text"] for row in source.labels if row["provenance"] != "original"]
    described = {row["task_description"] for row in source.descriptions}
    ours = proportion(sum(text in described for text in new), len(new))
    yield line(
        "8.verbatim", "further queries that are a trajectory's description word for word", ours, "their wording leaks"
    )


def _without_interval(source: Source) -> Iterator[Row]:
    hits = [printed for printed in source.printed.values() if printed.hits is not None and "_hit@" in printed.figure]
    carried = sum(printed.ends is not None for printed in hits)
    why = "the source says that every Hit@k carries an interval"
    yield line("9.intervals", "Hit@k figures that are printed with an interval", proportion(carried, len(hits)), why)


def _gates(source: Source) -> Iterator[Row]:
    for tier in ("overall", "EASY", "MEDIUM", "HARD"):
        printed = source.row(f"traj/gate/minilm_map_{tier}")
        values = np.array([float(row["ap"]) for row in source.gate if tier in ("overall", row["tier"])])
        why = f"the source says that published numbers were met as a gate; {source_gates.verdict(printed, source)}"
        figure = f"mean AP of the gate, {tier}, MiniLM"
        yield line(f"10.{tier}", figure, bootstrap_mean(values), why, published=printed.published)


def _pilot(source: Source) -> Iterator[Row]:
    answers = [one for one in source.printed.values() if one.domain == "solver_pilot" and one.figure == "correct_pct"]
    gaps = {one.about["condition"]: difference(_finished_and_cut(one)) for one in answers}
    points = [100 * (gap.value or 0.0) for gap in gaps.values()]
    claim = "the source says that cut answers are 15 to 35 points worse"
    why = f"{claim}; the counts say {min(points):.1f} to {max(points):.1f}"
    for condition, gap in gaps.items():
        yield line(f"11.{condition}", f"correct among finished less among cut answers, pilot, {condition}", gap, why)


def _finished_and_cut(printed: Printed) -> TwoGroups:
    cut, correct = printed.told("truncated"), printed.told("correct_among_truncated")
    return TwoGroups(printed.told("correct_among_complete"), printed.queries - cut, correct, cut)


def _same_set(source: Source) -> Iterator[Row]:
    printed = source.row("solver/fame/none_correct_equals_complete_queries")
    why = "the paper calls correct and finished the same set; four problems are in one alone"
    figure = "problems that are correct where they are finished, and not where they are cut"
    ours = proportion(printed.found, printed.queries)
    yield line("12.same", figure, ours, why, published=printed.published)


def _drop(source: Source) -> Iterator[Row]:
    for embedder in below_chance.EMBEDDERS:
        old, new = (source.row(f"traj/{embedder}/{name}/gemini-3.1-flash-lite/share") for name in ("old_40", "new_78"))
        gap = old.told("gap_hits")
        bounds = share_bounds(old.queries, old.told("before_hits"), old.found, old.told("hit10_hits"), "held")
        moved = f"{100 * (old.published or 0):.1f} to {100 * (new.published or 0):.1f} %"
        says = "is left out of the drop the source tells" if embedder == "minilm" else "is told as a drop"
        why = f"{moved} {says}; the first rests on a gap of {gap} queries"
        figure = f"share of gap, Gemini-j, the 40 released, {embedder}"
        yield line(f"13.{embedder}", figure, bounds.widest(), why, published=old.published)


def _rounding(source: Source) -> Iterator[Row]:
    unparsed = source.row("traj/haiku_capped_unparsed_nonendturn")
    ours = proportion(unparsed.found, unparsed.queries)
    yield line("14.unparsed", "replies of Haiku that were cut", ours, "printed as .9 %", published=unparsed.published)
    for name, told in (
        ("math/deepinfra/easy/lexical-none/share", "printed as −4.8"),
        ("traj/labembed/pooled/gemini-3.1-flash-lite/share", "printed as 43"),
    ):
        printed = source.row(name)
        bounds = share_bounds(
            printed.queries, printed.told("before_hits"), printed.found, printed.told("hit10_hits"), "held"
        )
        place = name.split("/")[1]
        figure = f"share of gap, {printed.about['judge']}, {place}"
        yield line(f"14.{place}", figure, bounds.widest(), told, published=printed.published)
    spent = source.row("spend/claude_usd")
    why = "“$0.74 to 1.46 per configuration” mixes in a running total: 1.46 and 3.84 are 5.30"
    yield line("14.spent", "dollars for Haiku", None, why, published=spent.published, status="no counts")


def _calls(source: Source) -> Iterator[Row]:
    why = "the log lacks two entries of a grader and has one call twice: 1,972 and 1,973, as the authors note"
    yield line("15.calls", "logged calls of solver and graders", None, why, status="no counts")


def _lenient(source: Source) -> Iterator[Row]:
    printed = source.row("math/labembed/hard/lenient_hit@10")
    why = "the source says 99 to 100 %; the lab's serving of Qwen3-Embedding-8B has 98.8 and is not told"
    ours = proportion(printed.found, printed.queries)
    yield line("16.labembed", "lenient Hit@10, labembed", ours, why, published=printed.published)


BY_NUMBER: Sequence[Lines] = (
    _surface_form,
    _verbs_and_nouns,
    _unlike_misses,
    _seeds,
    _deployments,
    below_chance.lines,
    _receptacles,
    _repeats,
    _without_interval,
    _gates,
    _pilot,
    _same_set,
    _drop,
    _rounding,
    _calls,
    _lenient,
)
