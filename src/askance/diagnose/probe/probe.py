"""The probe: edits made, systems asked, the bill drawn up."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.core.progress import Progress, Silent
from askance.data.collection import Collection, Excluded, Tier
from askance.data.ids import Ids
from askance.data.rows import frozen, offsets_of
from askance.data.run import Run
from askance.diagnose.probe.answers import answer_stays
from askance.diagnose.probe.bill import BillEntry, Outcome, entry, query_outcomes, reading_of
from askance.diagnose.probe.blind import BlindKind, Sought, blind_spots, sought
from askance.diagnose.probe.classes import Editable, controls, editable
from askance.diagnose.probe.documents import Firsts, document_outcomes
from askance.diagnose.probe.edits import Edits, HowMany, edits_of
from askance.diagnose.probe.pool import Pool
from askance.diagnose.probe.probed import Probed
from askance.diagnose.probe.reading import TokenReader
from askance.retrieve.retriever import RetrievalTask
from askance.views.slots import Slots

Side = Literal["queries", "documents"]
DEPTH = 1000


@dataclass(frozen=True)
class ProbeSettings:
    """`side`: what is edited; `k`: how many first hits count; `words`: all words of a class change, or one of them.

    `queries`, `documents`: how many are drawn at most, of the latter for the blind spots (0: none are sought).
    `draws`: edits of each text in each class. `query_field`, `document_field`: what the systems are given.
    """

    side: Side = "queries"
    k: int = 10
    words: HowMany = "all"
    queries: int = 300
    documents: int = 100
    draws: int = 1
    seed: int = 0
    query_field: str = "text"
    document_field: str = "text"


@dataclass(frozen=True)
class SystemBill:
    """What one system reads: the bill, without the two controls; these; its blind spots."""

    name: str
    label: str
    bill: tuple[BillEntry, ...]
    nothing: BillEntry
    another: BillEntry
    blind: tuple[BlindKind, ...]


@dataclass(frozen=True)
class Probe:
    """What was found. `sources`: queries that were edited; `method`: how the slots were learned; `tier`: of `answer`.

    `blind_dropped`: documents of which no query could be made, reason → count.
    """

    collection: str
    origin: str
    settings: ProbeSettings
    queries: int
    documents: int
    sources: int
    method: str
    tier: str
    systems: tuple[SystemBill, ...]
    blind_dropped: Mapping[str, int] = field(default_factory=dict)

    def record(self) -> dict[str, object]:
        """The machine form: askance/probe/1."""
        return {
            "schema": "askance/probe/1",
            "collection": self.collection,
            "origin": self.origin,
            "edited": self.settings.side,
            "k": self.settings.k,
            "words": self.settings.words,
            "seed": self.settings.seed,
            "queries": self.queries,
            "documents": self.documents,
            "sources": self.sources,
            "slots": self.method,
            "tier": self.tier or None,
            "bill": [line.record(one.name) for one in self.systems for line in one.bill],
            "controls": [line.record(one.name) for one in self.systems for line in (one.nothing, one.another)],
            "blind_spots": [kind.record(one.name) for one in self.systems for kind in one.blind],
            "blind_dropped": dict(self.blind_dropped),
        }


def probe(
    collection: Collection,
    probed: Sequence[Probed],
    settings: ProbeSettings | None = None,
    *,
    tier: Tier | None = None,
    compared: str | None = None,
    progress: Progress | None = None,
) -> Probe:
    """What these systems read of `collection`. `tier`: judgments that say whether an edit keeps the answer.

    `compared`: the field of the documents that says what they are about, read word by word: classes are learned from
    it and from the queries, and blind spots sought by it; what the systems are given unless told, and where documents
    are edited.
    BadInput where a system cannot be asked over edited documents and these are what is edited.
    """
    told, watch = settings or ProbeSettings(), progress or Silent()
    refused = [one.label for one in probed if told.side == "documents" and not one.edits_documents]
    if refused:
        raise BadInput(
            f"{refused[0]} searches an index of its own or compares another field than it searches, so documents "
            "cannot be edited for it",
            remedy="Edit queries: leave --edit out.",
        )
    searched = collection.documents.field(told.document_field)
    texts = collection.documents.field(compared) if compared and told.side == "queries" else searched
    asked = collection.queries.field(told.query_field)
    chosen = _chosen(len(asked), told)
    watch.start("learn classes of words", None)
    slots = Slots.learn(texts, asked)
    reader = TokenReader(slots)
    pool = Pool(reader, texts)
    watch.finish("learn classes of words")
    classes = editable(reader, pool, texts, asked, told.words)
    answers = {}
    if tier is not None:
        answers = {one.name: answer_stays(reader, one.name, tier, asked, texts) for one in classes if one.swaps}
    wanted = sought(reader, pool, texts, told.documents, told.seed) if told.documents else None
    plan = _Plan(collection, told, chosen, classes, answers, wanted, texts)
    return Probe(
        collection.name,
        collection.origin,
        told,
        len(asked),
        len(texts),
        len(chosen),
        slots.method,
        tier.name if tier is not None else "",
        tuple(plan.bill(one, watch) for one in probed),
        dict(wanted.edits.dropped) if wanted is not None else {},
    )


def _chosen(count: int, told: ProbeSettings) -> list[int]:
    if count <= told.queries:
        return list(range(count))
    return sorted(random.Random(f"probe:{told.seed}:queries").sample(range(count), told.queries))


Found = dict[str, tuple[Edits, list[Outcome], Mapping[str, int]]]


class _Plan:
    """All that is the same for every system: which texts are edited, how, and what is known of the answers."""

    def __init__(
        self,
        collection: Collection,
        told: ProbeSettings,
        chosen: Sequence[int],
        classes: Sequence[Editable],
        answers: Mapping[str, Estimate],
        wanted: Sought | None,
        read: Sequence[str],
    ) -> None:
        self._collection, self._told, self._chosen = collection, told, chosen
        self._classes, self._answers, self._wanted = classes, answers, wanted
        self._texts, self._read = collection.documents.field(told.document_field), read
        self._asked = collection.queries.field(told.query_field)
        self._depth = min(DEPTH, len(self._texts))
        self._made: dict[str, Edits] = {}

    def bill(self, probed: Probed, progress: Progress) -> SystemBill:
        every = [*self._classes, *controls(self._asked if self._told.side == "queries" else self._texts)]
        found, blind = (self._by_queries if self._told.side == "queries" else self._by_documents)(
            probed, every, progress
        )
        lines = [
            entry(one.name, one.label, one.edit, *found[one.name], self._depth, self._answers.get(one.name))
            for one in every
        ]
        nothing, another = lines[-2:]
        read = [replace(line, reading=reading_of(line, nothing.vanished, another.vanished)) for line in lines[:-2]]
        return SystemBill(probed.name, probed.label, tuple(read), nothing, another, blind)

    def _by_queries(
        self, probed: Probed, every: Sequence[Editable], progress: Progress
    ) -> tuple[Found, tuple[BlindKind, ...]]:
        """One run: the sources first, then the edits of every class, then the queries of the blind spots."""
        texts = [self._asked[at] for at in self._chosen]
        owner = [*self._chosen]
        if not self._made:  # the same for every system
            self._made = {one.name: self._edits(one, texts) for one in every}
        starts = {}
        for name, edits in self._made.items():
            starts[name] = len(texts)
            texts += [edit.text for edit in edits.made]
            owner += [self._chosen[edit.source] for edit in edits.made]
        seeking = len(texts)
        if self._wanted is not None:
            texts += [edit.text for edit in self._wanted.edits.made]
        run = probed.run(self._task(texts, owner), progress)
        found: Found = {}
        for name, edits in self._made.items():
            outcomes, left = query_outcomes(edits, run, starts[name], self._told.k)
            found[name] = edits, outcomes, left
        return found, self._blind(run, seeking)

    def _by_documents(
        self, probed: Probed, every: Sequence[Editable], progress: Progress
    ) -> tuple[Found, tuple[BlindKind, ...]]:
        """One run to see what each query finds first, and one with these documents edited."""
        texts = [self._asked[at] for at in self._chosen]
        count = len(texts)
        seeking = [edit.text for edit in self._wanted.edits.made] if self._wanted is not None else []
        run = probed.run(self._task([*texts, *seeking], self._chosen), progress)
        firsts = Firsts.of(run, count)
        made = {one.name: self._edits(one, [self._texts[at] for at in firsts.documents]) for one in every}
        task = self._task(texts, self._chosen)
        outcomes = document_outcomes(made, firsts, task, probed, self._told.k, progress)
        return {name: (edits, *outcomes[name]) for name, edits in made.items()}, self._blind(run, count)

    def _edits(self, one: Editable, texts: Sequence[str]) -> Edits:
        return edits_of(one.drawn or one.name, texts, one.make, self._told.seed, self._told.draws)

    def _blind(self, run: Run, start: int) -> tuple[BlindKind, ...]:
        if self._wanted is None:
            return ()
        return blind_spots(self._wanted, self._read, run, start, self._told.k)

    def _task(self, texts: Sequence[str], owner: Sequence[int]) -> RetrievalTask:
        """These queries over the collection; `owner`: whose exclusions each of the first of them has."""
        excluded = None
        if self._collection.excluded is not None:
            rows = [self._collection.excluded.of_query(at) for at in owner]
            lengths = [*map(len, rows), *[0] * (len(texts) - len(rows))]
            column = np.concatenate([np.empty(0, dtype=np.int32), *rows])
            excluded = Excluded(frozen(offsets_of(lengths)), frozen(column))
        return RetrievalTask(
            queries=Ids(f"p{number}" for number in range(len(texts))),
            query_texts=texts,
            documents=self._collection.documents.ids,
            document_texts=self._texts,
            depth=self._depth,
            excluded=excluded,
        )
