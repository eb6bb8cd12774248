"""Both readings of the lexical sign: does gold read closer to its query, and does reranking by wording help?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askance.diagnose.case import Case, System
from askance.rerank.lexical import LexicalControl
from askance.rerank.reranker import RerankTask
from askance.study.choices import decoys_of
from askance.study.file import DomainEntry
from askance.study.results import Control, Preference
from askance.study.sign import ControlRun, Draws, control, preferences

FIRST = 10


@dataclass(frozen=True)
class Regime:
    """`preferences`: one a set of decoys, over all words, with `decoys`: name → label. `controls`: one a system."""

    preferences: Sequence[Preference]
    controls: Sequence[Control]
    decoys: dict[str, str]


def regime(case: Case, systems: Sequence[System], entry: DomainEntry | None = None) -> Regime | None:
    """Computed from the lists; None where there are no texts to compare."""
    if case.compared is None:
        return None
    queries, documents = case.compared
    everyone = ("diagnosed", case.mask)
    draws = Draws(case.seed, case.resamples)
    decoys = decoys_of(entry, case.collection)
    found = preferences(case.collection, case.tier, (queries, documents), decoys, ("all",), everyone, draws)
    reranker = LexicalControl(LexicalControl.Settings())
    task = RerankTask(query_texts=queries, document_texts=documents, first=FIRST)
    controls = []
    for system in systems:
        after = reranker.rerank(system.run, task)
        pair = ControlRun(system.name, "lexical control", "lexical control", "all", FIRST, system.run, after)
        controls.append(control(pair, case.collection, case.tier, everyone, draws))
    return Regime(found, controls, {one.name: one.label for one in decoys})
