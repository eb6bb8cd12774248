"""Two servings of one model compared: vectors, ranks, and what is decided otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.core.progress import Progress
from askance.data.collection import Excluded
from askance.data.fit import fit
from askance.data.formats.lines import read_json_lines, read_lines, required
from askance.data.formats.loaded import read_qrels_file
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import Offsets
from askance.data.run import Run
from askance.measure.agreement.rank_orders import PERSISTENCE
from askance.measure.drift.cosines import CLOSE, cosine_drift, cosines
from askance.measure.drift.decisions import first_places, measure_drift
from askance.measure.drift.found import DriftFound, ServingCard, TierDrift
from askance.measure.drift.ranks import DEPTHS, rank_drift
from askance.measure.measures import Measure
from askance.measure.order import POLICIES, TiePolicy, ordered
from askance.study.choices import main_tier_of, tiers_of
from askance.study.collections import named, open_collection
from askance.study.file import TextsEntry
from askance.study.servings import Serving, Texts, check_apart, only_domain, open_serving

MEASURES = ("Hit@1", "Hit@5", "Hit@10", "AP")
ALL = "all"


@dataclass(frozen=True, eq=False)
class _World:
    """What both sides are held against: texts to embed, and gold by tier with its threshold."""

    texts: Texts | None
    tiers: Mapping[str, tuple[Judgments, float]]
    excluded: Excluded | None = None


def drift(
    first: str,
    second: str,
    *,
    collection: str | None = None,
    texts: str | Path | None = None,
    qrels: str | Path | None = None,
    tiers: Sequence[str] = (),
    measures: Sequence[str] = MEASURES,
    ties: TiePolicy | None = None,
    depths: Sequence[int] = DEPTHS,
    p: float = PERSISTENCE,
    close: float = CLOSE,
    fresh: bool = False,
    progress: Progress | None = None,
) -> DriftFound:
    """Compare two servings on what both have: cosines of their vectors, their ranked lists, the measures of those.

    Each is a run file, stored vectors (.npy, .npz, a folder) or STUDY.toml#MODEL. `collection`: what models embed, what
    vectors stand for, and gold; of a model whose study has one domain, that one unless told. `tiers`: which gold; the
    main one unless told, "all" is every one. `texts`: a file of texts to embed instead. `qrels`: gold for run files.
    `ties`: of run files "expected" unless told, of vectors "input", since their lists are ordered by position already.
    `fresh`: models embed anew. BadInput where the two have nothing in common.
    """
    said = [Measure.parse(measure) for measure in measures]
    if not said:
        raise BadInput("no measure is named", remedy="Name one, e.g. Hit@1, or leave --measures out.")
    if ties is not None and ties not in POLICIES:
        raise BadInput(f"there is no way {ties!r} to order ties", remedy=f"Choose from {', '.join(POLICIES)}.")
    if not depths or min(depths) < 1:
        raise BadInput("ranks are compared to a depth from 1 on", remedy="E.g. 1, 5 and 10.")
    if collection is None and texts is None:
        collection = only_domain(first) or only_domain(second)
    world = _world(collection, texts, qrels, tiers, progress)
    for measure in said:
        if measure.tier is not None and measure.tier not in world.tiers:
            raise UnknownName("tier", measure.tier, list(world.tiers), where=str(measure))
    a, b = (open_serving(name, world.texts, fresh=fresh, progress=progress) for name in (first, second))
    check_apart(a, b, fresh=fresh)
    vectors = a.rows is not None and b.rows is not None
    lists = a.run is not None and b.run is not None
    if not vectors and not lists:
        raise BadInput(
            f"{first} has {_has(a)}, {second} has {_has(b)}: there is nothing to compare",
            remedy="With --collection, vectors and models are ranked as well.",
        )
    found = DriftFound(a.card, b.card, None, (), None, None, ())
    if a.rows is not None and b.rows is not None:
        names = world.texts.names() if world.texts else []
        rows = names if len(names) == len(a.rows) else [f"row {number + 1}" for number in range(len(a.rows))]
        found = replace(found, cosines=cosine_drift(cosines(a.rows, b.rows), close), texts=rows)
    if a.run is not None and b.run is not None:
        policy = ties or ("expected" if "run" in (a.card.kind, b.card.kind) else "input")
        return _with_ranks(found, a.run, b.run, world, said, policy, depths, p)
    return found


def _has(side: Serving) -> str:
    return "ranked lists only" if side.rows is None else "vectors only"


def _with_ranks(
    found: DriftFound,
    first: Run,
    second: Run,
    world: _World,
    measures: Sequence[Measure],
    ties: TiePolicy,
    depths: Sequence[int],
    p: float,
) -> DriftFound:
    known = [judgments for judgments, _ in world.tiers.values()]
    queries = _joined([*(one.queries for one in known), first.queries, second.queries])
    documents = _joined([*(one.documents for one in known), first.documents, second.documents])
    nothing = Judgments.of(queries, documents, {})
    policy: TiePolicy = ties if ties in ("trec", "input") else "input"  # the other ways need to know what is gold
    a, b = (ordered(fit(run, nothing).run, policy) for run in (first, second))
    excluded = _excluded_over(world.excluded, queries)
    return replace(
        found,
        first=_with_problems(found.first, first, known),
        second=_with_problems(found.second, second, known),
        ranks=rank_drift(a, b, depths=depths, p=p),
        first_places=first_places(a, b),
        measures=tuple(
            TierDrift(
                name,
                measure_drift(measure, a, b, _over(gold, queries, documents), threshold, excluded, ties=ties),
            )
            for name, (gold, threshold) in world.tiers.items()
            for measure in _meant(measures, name)
        ),
    )


def _meant(measures: Sequence[Measure], tier: str) -> list[Measure]:
    """The measures that are meant for a tier: those that name it, and those that name none."""
    return [replace(measure, tier=None) for measure in measures if measure.tier in (None, tier)]


def _with_problems(card: ServingCard, run: Run, gold: Sequence[Judgments]) -> ServingCard:
    """What does not fit between a run and gold, added; DataProblem where not one of its queries is judged."""
    if not gold:
        return card
    found = [*card.problems, *fit(run, gold[0]).problems]
    for problem in found:
        if problem.severity == "error":
            raise DataProblem(f"{card.name}: {problem.text}", remedy=problem.remedy)
    return replace(card, problems=tuple(found))


def _joined(ids: Sequence[Ids]) -> Ids:
    """All names, those of the first coming first; the first itself where it has them all."""
    names = dict.fromkeys(name for each in ids for name in each)
    return ids[0] if len(names) == len(ids[0]) else Ids(names)


def _over(judgments: Judgments, queries: Ids, documents: Ids) -> Judgments:
    """The same grades over more queries and documents, whose first ones are theirs."""
    more = len(queries) - len(judgments.queries)
    offsets: Offsets = np.concatenate([judgments.offsets, np.full(more, judgments.offsets[-1])])
    return replace(judgments, queries=queries, documents=documents, offsets=offsets)


def _excluded_over(excluded: Excluded | None, queries: Ids) -> Excluded | None:
    """The same over more queries, the further ones excluding nothing."""
    if excluded is None:
        return None
    more = len(queries) + 1 - len(excluded.offsets)
    return replace(excluded, offsets=np.concatenate([excluded.offsets, np.full(more, excluded.offsets[-1])]))


def _world(
    collection: str | None,
    texts: str | Path | None,
    qrels: str | Path | None,
    tiers: Sequence[str],
    progress: Progress | None,
) -> _World:
    if collection is not None and (texts is not None or qrels is not None):
        raise BadInput(
            "a collection brings its own texts and judgments", remedy="Leave out --texts and --qrels, or --collection."
        )
    if collection is not None:
        return _of_collection(collection, tiers, progress)
    if tiers:
        raise BadInput("tiers are named, but no collection", remedy="Name it with --collection.")
    gold: dict[str, tuple[Judgments, float]] = {}
    if qrels is not None:
        gold[""] = (read_qrels_file(qrels).judgments, 1.0)
    return _World(_plain_texts(Path(texts)) if texts is not None else None, gold)


def _of_collection(name: str, tiers: Sequence[str], progress: Progress | None) -> _World:
    told = named(name)
    found = open_collection(told.collection, beside=told.folder, progress=progress)
    embed = told.domain.embed if told.domain is not None else TextsEntry()
    texts = Texts(
        found.queries.field(embed.query),
        found.documents.field(embed.document),
        found.queries.ids,
        found.documents.ids,
        found.excluded,
    )
    wanted = list(tiers)
    if not tiers and found.tiers:
        wanted = [main_tier_of(told.domain, found)]
    elif ALL in tiers:
        wanted = tiers_of(told.domain, found)
    chosen = [found.tier(tier) for tier in wanted]
    return _World(texts, {tier.name: (tier.judgments, tier.threshold) for tier in chosen}, found.excluded)


def _plain_texts(path: Path) -> Texts:
    """One text a line, or JSON lines with `text`; blank lines hold nothing."""
    first = next((text for _, text in read_lines(path) if text.strip()), "")
    if first.startswith("{"):
        found = [required(record, "text", path, line) for line, record in read_json_lines(path)]
    else:
        found = [text for _, text in read_lines(path) if text.strip()]
    if not found:
        raise BadInput(f"{path} holds no text", remedy="Write one text a line.")
    return Texts((), found)
