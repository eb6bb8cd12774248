"""The lexical sign of a collection before anyone pays for a run: no model, BM25's lists stand in for a system's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askance.core.progress import Progress, Silent
from askance.data.collection import Collection
from askance.rerank.lexical import LexicalControl
from askance.rerank.reranker import RerankTask
from askance.retrieve.lexical import LexicalRetriever
from askance.retrieve.retriever import RetrievalTask
from askance.study.bills import bills
from askance.study.choices import compared_in, decoys_of, main_tier_of
from askance.study.file import DomainEntry, TextsEntry
from askance.study.results import BillRecord, Control, DecoysCard, Preference
from askance.study.sign import ControlRun, Draws, control, preferences

TOKENS = ("all", "numbers", "content", "function", "verbs")


@dataclass(frozen=True)
class LexicalSign:
    """Both readings of the lexical sign: preferences, and the control over BM25's first ten.

    `bills`: per class of words, against each set of decoys, under this gold. `title`: what readers call the collection.
    """

    collection: str
    origin: str
    tier: str
    tier_label: str
    decoys: Sequence[DecoysCard]
    preferences: Sequence[Preference]
    control: Control
    bills: Sequence[BillRecord] = ()
    title: str = ""

    def record(self) -> dict[str, object]:
        """The machine form: askance/sign/1."""
        return {
            "schema": "askance/sign/1",
            "collection": self.collection,
            "origin": self.origin,
            "tier": self.tier,
            "decoys": [one.model_dump(mode="json") for one in self.decoys],
            "preferences": [one.model_dump(mode="json") for one in self.preferences],
            "control": self.control.model_dump(mode="json"),
            "bills": [one.model_dump(mode="json") for one in self.bills],
        }


def signs_record(found: Sequence[LexicalSign]) -> dict[str, object]:
    """The machine form of several: those of each under "signs"; one alone is its own document."""
    if len(found) == 1:
        return found[0].record()
    return {"schema": "askance/sign/1", "signs": [one.record() for one in found]}


def quick_sign(
    collection: Collection,
    *,
    entry: DomainEntry | None = None,
    tier: str | None = None,
    draws: Draws | None = None,
    progress: Progress | None = None,
) -> LexicalSign:
    """The sign of `collection`. `entry`: a study's domain, which says what is compared, which tier and decoys.

    Without it the collection's own choices stand. `tier`: another gold than the main one.
    """
    told = progress or Silent()
    seeds = draws or Draws(seed=0)
    gold = collection.tier(tier or main_tier_of(entry, collection))
    compare = compared_in(entry, collection)
    read = entry.embed if entry else TextsEntry()
    texts = (collection.queries.field(compare.query), collection.documents.field(compare.document))
    against = decoys_of(entry, collection)
    everyone = ("all", collection.queries.mask({}))
    told.start("lexical preference", None)
    found = preferences(collection, gold, texts, against, tuple(entry.tokens) if entry else TOKENS, everyone, seeds)
    told.finish("lexical preference")
    told.start("bill per class of words", None)
    owed = bills(collection, [gold], against, (compare.query, compare.document), everyone, seeds.seed)
    told.finish("bill per class of words")
    task = RetrievalTask(
        queries=collection.queries.ids,
        query_texts=collection.queries.field(read.query),
        documents=collection.documents.ids,
        document_texts=collection.documents.field(read.document),
        depth=10,
        excluded=collection.excluded,
    )
    before = LexicalRetriever(LexicalRetriever.Settings()).retrieve(task, told)
    after = LexicalControl(LexicalControl.Settings()).rerank(before, RerankTask(*texts, first=10))
    pair = ControlRun(
        system="bm25", reranker="control", label="lexical control", tokens="all", first=10, before=before, after=after
    )
    return LexicalSign(
        collection=collection.name,
        origin=collection.origin,
        tier=gold.name,
        tier_label=gold.label or gold.name,
        decoys=[DecoysCard(name=one.name, label=one.label, roles=list(one.roles)) for one in against],
        preferences=found,
        control=control(pair, collection, gold, everyone, seeds),
        bills=owed,
        title=(entry.title if entry else "") or collection.name,
    )
