"""A study drawn by hand. NOT DATA: figures in the manner of the example study, made up where none was at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from math import comb, sqrt
from typing import Literal

import pytest

from askance.study.results import (
    ChanceIn,
    Control,
    Curve,
    DecoysCard,
    Domain,
    EstimateIn,
    Failure,
    Figure,
    ModelRecord,
    Preference,
    Results,
    RoleCard,
    Shown,
    Sign,
    StudyCard,
    SubsetCard,
    SystemCard,
    Taxonomy,
    TierCard,
    Winner,
)

Verdict = Literal["below", "at", "above"]
Reading = Literal["incidental", "adversarial", "undecided"]
DRAWN = "drawn by hand"


def rate(hits: float, n: int) -> EstimateIn:
    """Hits of n with Wilson's interval."""
    if n == 0:
        return undefined("no query has gold")
    share, z = hits / n, 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return EstimateIn(value=share, low=max(0.0, middle - half), high=min(1.0, middle + half), n=n, method=DRAWN)


def between(value: float, low: float, high: float, n: int) -> EstimateIn:
    return EstimateIn(value=value, low=low, high=high, n=n, method=DRAWN)


def undefined(why: str) -> EstimateIn:
    return EstimateIn(value=None, low=None, high=None, n=0, method=f"undefined: {why}")


def chance(expected: float | None, p: float | None = 0.5, verdict: Verdict | None = "at") -> ChanceIn:
    return ChanceIn(expected=expected, p=p, verdict=verdict, method="exact hypergeometric")


def random_hit(gold: int, documents: int, k: int) -> float:
    """Chance that one of k random documents is among the gold."""
    return 1 - comb(documents - gold, k) / comb(documents, k)


def system(name: str, label: str, cut: int | None = None, model: str | None = None, tied: float = 0.0) -> SystemCard:
    return SystemCard(
        name=name,
        label=label,
        retriever="dense" if model else "lexical",
        settings={} if model else {"k1": "1.2", "b": "0.75"},
        model=model,
        cut=cut,
        depth=1000,
        run_sha256="0" * 64,
        tied_first_ten=tied,
    )


def curve(name: str, tier: str, hits: Sequence[float], n: int, gold: int, documents: int, subset: str = "all") -> Curve:
    return Curve(
        system=name,
        tier=tier,
        subset=subset,
        hits=[rate(hit, n) for hit in hits],
        chance=[random_hit(gold, documents, k) for k in range(1, len(hits) + 1)],
    )


def figures(
    name: str, tier: str, hits: dict[str, float], n: int, gold: int, documents: int, verdict: Verdict, p: float = 0.08
) -> list[Figure]:
    """One figure a measure; Hit@k with its chance, what is graded without p."""
    found = []
    for measure, hit in hits.items():
        k = int(measure.partition("@")[2] or 1)
        expected = random_hit(gold, documents, k)
        beside = chance(expected, p, verdict) if measure.startswith("Hit") else chance(expected / 2, None, None)
        found.append(
            Figure(system=name, tier=tier, subset="all", measure=measure, estimate=rate(hit, n), chance=beside)
        )
    return found


def control(
    name: str,
    tokens: str,
    tier: str,
    n: int,
    before: float,
    after: float,
    ceiling: float,
    share: EstimateIn,
    sign: Sign,
) -> Control:
    return Control(
        system=name,
        reranker="control" if tokens == "all" else f"control-{tokens}",
        tokens=tokens,
        tier=tier,
        subset="all",
        first=10,
        run_sha256="0" * 64,
        before=rate(before, n),
        after=rate(after, n),
        ceiling=rate(ceiling, n),
        share_held=share,
        share_resampled=share,
        gained=max(0, round(after - before)) + 1,
        lost=1,
        p=0.00004 if sign == "positive" else 1.0,
        sign=sign,
    )


def taxonomy(name: str, tier: str, winners: dict[str, int], closer: int) -> Taxonomy:
    misses = sum(winners.values())
    return Taxonomy(
        system=name,
        tier=tier,
        subset="all",
        misses=misses,
        empty=0,
        winners=[Winner(role=role, count=count, share=rate(count, misses)) for role, count in winners.items()],
        lexically_closer=rate(closer, misses),
    )


def preference(tier: str, decoys: str, tokens: str, estimate: EstimateIn, reading: Reading) -> Preference:
    return Preference(tier=tier, subset="all", decoys=decoys, tokens=tokens, estimate=estimate, reading=reading)


def shown(text: str, role: str | None, rank: int | None, score: float, likeness: float, name: str = "d1") -> Shown:
    return Shown(id=name, text=text, role=role, rank=rank, score=score, likeness=likeness)


def trajectories() -> Domain:
    tiers = {"reference": 57, "strict": 51, "strict-ii": 47}
    hits = {
        "bm25": {"reference": 57, "strict": 13, "strict-ii": 9},
        "minilm": {"reference": 59, "strict": 11, "strict-ii": 8},
    }
    verdicts: dict[str, Verdict] = {"reference": "above", "strict": "at", "strict-ii": "below"}
    strict = {
        "bm25": [13, 24, 33, 40, 45, 50, 54, 58, 61, 64],
        "minilm": [11, 20, 30, 33, 38, 50, 51, 60, 65, 67],
    }
    found: list[Figure] = []
    for name, by_tier in hits.items():
        for tier, hit in by_tier.items():
            more = (
                {"Hit@5": strict[name][4], "Hit@10": strict[name][9]}
                if tier == "strict"
                else {"Hit@5": 87.0, "Hit@10": 103.0}
            )
            all_hits = {"Hit@1": hit, **more, "AP": 34.0}
            found += figures(name, tier, all_hits, 118, tiers[tier], 336, verdicts[tier])
    return Domain(
        name="trajectories",
        title="Trajectories",
        note="Wording varies by accident here: a log about another object still shares its verbs with the query.",
        collection="trajectories",
        origin="the original files, read from the folder of data",
        notes={"judgments by a language model, left out": 893},
        documents=336,
        queries=118,
        corpus_sha256="0f" * 32,
        queries_sha256="a1" * 32,
        embedded={"query": "text", "document": "text"},
        compared={"query": "text", "document": "description"},
        main_tier="strict",
        main_subset="all",
        subsets=[SubsetCard(name="all", label="all 118", queries=118)],
        tiers=[
            TierCard(name="reference", label="any object", rule="same task type", queries=118, without_gold=0, gold=57),
            TierCard(
                name="strict",
                label="other object (i)",
                rule="same task type, another target object",
                queries=118,
                without_gold=0,
                gold=51.4,
            ),
            TierCard(
                name="strict-ii",
                label="other object and place (ii)",
                rule="same task type, another object, another receptacle",
                queries=118,
                without_gold=0,
                gold=47.1,
            ),
        ],
        roles=[
            RoleCard(name="sibling", label="same task, same object"),
            RoleCard(name="other-object", label="same task, other object"),
            RoleCard(name="near-miss", label="other task, same object"),
            RoleCard(name="other", label="other task, other object"),
        ],
        decoys=[
            DecoysCard(name="other-task", label="other task", roles=["near-miss", "other"]),
            DecoysCard(name="other-task-same-object", label="other task, same object", roles=["near-miss"]),
        ],
        systems=[system("bm25", "BM25", tied=0.02), system("minilm", "MiniLM", cut=296, model="minilm")],
        figures=found,
        curves=[curve(name, "strict", hit, 118, 51, 336) for name, hit in strict.items()],
        controls=[
            control("bm25", "all", "strict", 118, 13, 29, 64, between(0.314, 0.17, 0.45, 118), "positive"),
            control("minilm", "all", "strict", 118, 11, 29, 67, between(0.321, 0.182, 0.466, 118), "positive"),
            control("minilm", "verbs", "strict", 118, 11, 20, 67, between(0.125, -0.02, 0.27, 118), "undecided"),
            control("minilm", "others", "strict", 118, 11, 21, 67, between(0.125, 0.01, 0.24, 118), "positive"),
        ],
        taxonomies=[
            taxonomy("bm25", "strict", {"sibling": 54, "near-miss": 38, "other": 13}, 71),
            taxonomy("minilm", "strict", {"sibling": 48, "near-miss": 43, "other": 16}, 64),
        ],
        preferences=[
            preference("strict", "other-task", "all", between(0.792, 0.768, 0.815, 118), "incidental"),
            preference("strict", "other-task", "content", between(0.61, 0.58, 0.64, 118), "incidental"),
            preference("strict", "other-task", "function", between(0.83, 0.80, 0.86, 118), "incidental"),
            preference("strict", "other-task", "verbs", between(0.91, 0.89, 0.93, 118), "incidental"),
            preference("strict", "other-task-same-object", "all", between(0.538, 0.480, 0.597, 96), "undecided"),
            preference("strict", "other-task-same-object", "content", between(0.21, 0.17, 0.25, 96), "adversarial"),
            preference("strict", "other-task-same-object", "function", between(0.71, 0.66, 0.76, 96), "incidental"),
            preference("strict", "other-task-same-object", "verbs", between(0.88, 0.85, 0.91, 96), "incidental"),
        ],
        failures=[
            Failure(
                system="minilm",
                tier="strict",
                query="q17",
                query_text="clean some pan and put it in countertop",
                winner=shown("cool some bowl and put it in countertop", "other", 1, 0.478, 0.82, "log-204"),
                gold=shown("clean some kettle and put it in stoveburner", "other-object", 7, 0.431, 0.76, "log-88"),
            ),
            Failure(
                system="bm25",
                tier="strict",
                query="q2",
                query_text="put a hot mug in the coffee machine",
                winner=shown("put a clean mug in the coffee machine", "near-miss", 1, 14.221, 0.91, "log-3"),
                gold=shown("heat some tomato and put it in fridge", "other-object", 31, 2.07, 0.31, "log-120"),
            ),
        ],
    )


def word_problems() -> Domain:
    hits = {
        "bm25": [1, 3, 9, 21, 50, 110, 296, 299, 300, 300],
        "minilm": [0, 4, 17, 37, 66, 134, 299, 300, 300, 300],
    }
    found: list[Figure] = []
    for name, row in hits.items():
        measures = {"Hit@1": row[0], "Hit@5": row[4], "Hit@10": row[9], "AP": 55.0}
        verdict: Verdict = "at"
        found += figures(name, "paraphrase", measures, 300, 1, 2100, verdict, 1.0)
    asked = (
        "Oranges are the most expensive and cost three times as much as a banana per piece. "
        "What would be the price for such a crate of fruit?"
    )
    return Domain(
        name="gsm-plus",
        title="Word problems",
        note="Wording varies on purpose: gold is rewritten, the near miss keeps the wording and changes the problem.",
        collection="gsm-plus",
        origin="the original files, read from the folder of data",
        notes={},
        documents=2100,
        queries=300,
        corpus_sha256="1c" * 32,
        queries_sha256="b2" * 32,
        embedded={"query": "text", "document": "text"},
        compared={"query": "text", "document": "text"},
        main_tier="paraphrase",
        main_subset="all",
        subsets=[SubsetCard(name="all", label="all queries", queries=300)],
        tiers=[
            TierCard(
                name="paraphrase",
                label="paraphrase",
                rule="the seed problem in other words",
                queries=300,
                without_gold=0,
                gold=1,
            )
        ],
        roles=[
            RoleCard(name="near-miss", label="near miss: another problem"),
            RoleCard(name="kept", label="answer kept"),
            RoleCard(name="other", label="another seed"),
        ],
        decoys=[DecoysCard(name="near-misses", label="near misses", roles=["near-miss", "kept"])],
        systems=[system("bm25", "BM25"), system("minilm", "MiniLM", cut=0, model="minilm")],
        figures=found,
        curves=[curve(name, "paraphrase", hit, 300, 1, 2100) for name, hit in hits.items()],
        controls=[
            control("bm25", "all", "paraphrase", 300, 1, 0, 300, between(-0.003, -0.01, 0.0, 300), "no room"),
            control("minilm", "all", "paraphrase", 300, 0, 0, 300, between(0.0, 0.0, 0.0, 300), "no room"),
        ],
        taxonomies=[
            taxonomy("bm25", "paraphrase", {"near-miss": 262, "kept": 37}, 299),
            taxonomy("minilm", "paraphrase", {"near-miss": 258, "kept": 42}, 300),
        ],
        preferences=[
            preference("paraphrase", "near-misses", "all", between(0.028, 0.020, 0.036, 300), "adversarial"),
            preference("paraphrase", "near-misses", "numbers", between(0.88, 0.86, 0.90, 300), "incidental"),
            preference("paraphrase", "near-misses", "content", between(0.007, 0.004, 0.011, 300), "adversarial"),
            preference("paraphrase", "near-misses", "function", between(0.07, 0.05, 0.09, 300), "adversarial"),
            preference("paraphrase", "near-misses", "verbs", between(0.14, 0.12, 0.17, 300), "adversarial"),
        ],
        failures=[
            Failure(
                system="minilm",
                tier="paraphrase",
                query=f"seed-{number}",
                query_text=asked,
                winner=shown(asked.replace("three", "3.5"), "near-miss", 1, 0.997, 0.98, f"seed-{number}-digits"),
                gold=shown(
                    "The costliest fruit is the orange, priced at three times the cost of a banana. "
                    "Can you calculate the total cost of such a box of produce?",
                    None,
                    7,
                    0.832,
                    0.44,
                    f"seed-{number}-reworded",
                ),
            )
            for number in range(1, 13)
        ],
    )


def likes() -> Domain:
    hits = {
        "bm25": [994, 996, 998, 999, 1000, 1000, 1000, 1000, 1000, 1000],
        "porter": [980, 985, 990, 995, 998, 1000, 1000, 1000, 1000, 1000],
        "minilm": [170, 280, 370, 430, 490, 540, 590, 630, 670, 700],
    }
    found: list[Figure] = []
    for name, row in hits.items():
        measures = {"Hit@1": row[0], "Hit@10": row[9], "Recall@2": row[1] * 0.995, "AP": row[0] * 0.99}
        found += figures(name, "likes", measures, 1000, 2, 46, "above", 0.0)
    return Domain(
        name="limit-small",
        title="Who likes what",
        note="",
        collection="limit-small",
        origin="the original files, read from the folder of data",
        notes={},
        documents=46,
        queries=1000,
        corpus_sha256="2d" * 32,
        queries_sha256="c3" * 32,
        embedded={"query": "text", "document": "text"},
        compared={"query": "text", "document": "text"},
        main_tier="likes",
        main_subset="all",
        subsets=[SubsetCard(name="all", label="all queries", queries=1000)],
        tiers=[
            TierCard(name="likes", label="likes it", rule="the thing is listed", queries=1000, without_gold=0, gold=2)
        ],
        roles=[RoleCard(name="other", label="does not like it")],
        decoys=[DecoysCard(name="others", label="people who do not like it", roles=["other"])],
        systems=[
            system("bm25", "BM25", tied=0.12),
            system("porter", "BM25, Porter stems", tied=0.12),
            system("minilm", "MiniLM", cut=3, model="minilm"),
        ],
        figures=found,
        curves=[curve(name, "likes", hit, 1000, 2, 46) for name, hit in hits.items()],
        controls=[
            control("bm25", "all", "likes", 1000, 994, 400, 1000, undefined("fewer than ten misses"), "no room"),
            control("minilm", "all", "likes", 1000, 170, 150, 700, between(-0.04, -0.09, 0.01, 1000), "undecided"),
        ],
        taxonomies=[
            taxonomy("bm25", "likes", {"other": 6}, 3),
            taxonomy("porter", "likes", {"other": 20}, 9),
            taxonomy("minilm", "likes", {"other": 830}, 400),
        ],
        preferences=[
            preference("likes", "others", "all", between(0.522, 0.508, 0.536, 1000), "incidental"),
            preference("likes", "others", "content", between(0.97, 0.965, 0.975, 1000), "incidental"),
            preference("likes", "others", "numbers", undefined("no query has a number"), "undecided"),
        ],
        failures=[],
    )


def drawing() -> Results:
    """Two domains and a third, as in the drawing that the page is held against."""
    return Results(
        askance="0.1.0",
        study=StudyCard(name="two-domains", title="Two domains, one protocol", seed=12345, resamples=10_000),
        models=[
            ModelRecord(
                name="minilm",
                label="MiniLM",
                weights="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                precision="fp32",
                dimension=384,
                max_tokens=256,
                source="all-MiniLM-L6-v2, from the installed package",
            )
        ],
        domains=[trajectories(), word_problems(), likes()],
    )


@pytest.fixture(scope="session")
def drawn() -> Results:
    """The study drawn by hand."""
    return drawing()


class _Tags(HTMLParser):
    """All elements of a page, each with its attributes; complains where they are not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        opened = self._open.pop()
        assert opened == tag, f"<{opened}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] != "style":
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


Parsed = tuple[list[tuple[str, dict[str, str | None]]], str]


@pytest.fixture(scope="session")
def parsed() -> Callable[[str], Parsed]:
    """A page → its elements with their attributes, and its text."""

    def parse(page: str) -> Parsed:
        tags = _Tags()
        tags.feed(page)
        tags.close()
        assert not tags._open, f"never closed: {tags._open}"
        return tags.found, "".join(tags.text)

    return parse
