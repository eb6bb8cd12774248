"""The search: every single change, then what the half that chooses makes promising, joined and refined.

What needs no judgments is run once for both halves. The rest is chosen half by half, by that half's queries alone:
views whose gold is foretold to stay near, friends of its bill, pairs of changes one of which gains, and the settings of
what gains (how lists are fused, how much of a list is re-sorted, how words are read).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from askance.core.errors import AskanceError
from askance.core.progress import Progress
from askance.diagnose.fixing.by_sign import friends_of, views_of
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.changes import can_view, field_changes, other_systems, readable_fields, word_changes
from askance.diagnose.fixing.composing import FIRST, as_it_is, fused, reaching, reranked
from askance.diagnose.fixing.halves import Halves
from askance.diagnose.fixing.reranking import controls, said, signature, signatures
from askance.diagnose.fixing.running import Runner
from askance.diagnose.fixing.settling import LEVEL, Offer, tried_on
from askance.measure.judged import Mask, Values

_PROMISING = 2  # of each kind are joined and refined
_MOST_VIEWS = 2  # that are run where views have to be embedded: those foretold best
_WEIGHTS = ((1.0, 3.0), (3.0, 1.0))
_DEPTH = 10
_TASK = "try changes"


class Search:
    """One search. `left_out`: what was not run, with the reason, by name."""

    def __init__(self, case: FixCase, runner: Runner, halves: Halves, progress: Progress) -> None:
        self._case, self._runner, self._halves, self._progress = case, runner, halves, progress
        self.left_out: dict[str, str] = {}

    def offers(self, before: Values) -> tuple[list[Offer], list[Offer]]:
        """What each half may choose from. `before` [queries]: the measure as it is."""
        self._progress.start(_TASK, None)
        systems, others = self._ran(self._systems()), self._ran(self._plain())
        first, second = (self._of_half([*systems, *others], before, seen) for seen in self._halves.each)
        self._progress.finish(_TASK)
        return first, second

    def _systems(self) -> Iterator[Candidate]:
        yield from field_changes(self._case)
        for field in readable_fields(self._case):
            yield from word_changes(self._case, field, self._case.system)

    def _plain(self) -> Iterator[Candidate]:
        for field in readable_fields(self._case):
            for other in other_systems(self._case, field):
                yield other
                yield fused(self._case, other)
        for first in self._reaches()[:1]:
            for reranker, says in (*signatures(first), *controls(first)):
                yield reranked(as_it_is(self._case), reranker, says)

    def _of_half(self, shared: Sequence[Offer], before: Values, seen: Mask) -> list[Offer]:
        offers = [*shared, *self._ran(self._views(seen)), *self._ran(self._friends(seen))]
        self._progress.advance(_TASK)
        known = {one.candidate.key for one in offers}
        for wanted in (self._joined, self._refined):
            more = [
                one for one in wanted(_Seen(offers, before, seen, self._halves, self._case)) if one.key not in known
            ]
            offers += self._ran({one.key: one for one in more}.values())
            known |= {one.key for one in more}
        return offers

    def _ran(self, wanted: Iterable[Candidate]) -> list[Offer]:
        found = []
        for candidate in wanted:
            try:
                found.append(Offer(candidate, self._runner.values(candidate)))
            except AskanceError as problem:
                self.left_out[candidate.name] = problem.message
            self._progress.advance(_TASK)
        return found

    def _views(self, seen: Mask) -> Iterator[Candidate]:
        case = self._case
        if not can_view(case):
            return
        offered = [one for field in readable_fields(case) for one in views_of(case, field, self._runner.slots, seen)]
        for one in offered:
            if one.why_not is not None:
                self.left_out.update((each.name, f"foretold to hurt. {one.why_not}") for each in one.candidates)
        run = sorted((one for one in offered if one.why_not is None), key=lambda one: -one.first)
        if case.system.model is not None:
            for one in run[_MOST_VIEWS:]:
                self.left_out.update((each.name, "other views are foretold to do better") for each in one.candidates)
            run = run[:_MOST_VIEWS]
        for candidate in (each for one in run for each in one.candidates):
            self.left_out.pop(candidate.name, None)  # the other half may have seen it otherwise
            yield candidate
            yield fused(case, candidate)

    def _friends(self, seen: Mask) -> Iterator[Candidate]:
        friends = friends_of(self._case, seen)
        for first in self._reaches()[:1]:
            if len(friends) > 1:
                says = f"{said(first)} by the friends of the bill: {', '.join(friends)}"
                yield reranked(as_it_is(self._case), signature("+".join(friends), first), says)

    def _joined(self, half: _Seen) -> Iterator[Candidate]:
        """Another system and a reranker behind it, where one of both gains."""
        systems, rerankers = half.best(half.systems), half.best(half.rerankers)
        for system in half.gaining(systems):
            for first in self._reaches()[:1]:
                for reranker, says in signatures(first):
                    yield reranked(system.candidate, reranker, says)
        for each in half.gaining(rerankers):
            assert each.candidate.reranker is not None
            for system in systems:
                yield reranked(system.candidate, each.candidate.reranker, each.candidate.says)

    def _refined(self, half: _Seen) -> Iterator[Candidate]:
        """Settings of what gains."""
        case = self._case
        for each in half.gaining(half.best(half.fusions)):
            partner = next(
                one.candidate for one in half.systems if fused(case, one.candidate).key == each.candidate.key
            )
            yield fused(case, partner, "sum")
            yield fused(case, partner, "minmax")
            yield fused(case, partner, depth=_DEPTH)
            for weights in _WEIGHTS:
                yield fused(case, partner, weights=weights)
        for each in half.gaining(half.best(half.systems)):
            last = each.candidate.systems[-1]
            if last != case.system and case.system.retriever != "lexical":
                yield from word_changes(case, each.candidate.document, last)
        for first in self._reaches()[1:]:
            for each in half.best(half.rerankers):
                reranker = each.candidate.reranker
                assert reranker is not None
                yield reranked(as_it_is(case), reaching(reranker, first), f"{said(first)}: {reranker.name}")

    def _reaches(self) -> tuple[int, ...]:
        return tuple(first for first in FIRST if first <= len(self._case.collection.documents))


class _Seen:
    """What a half has tried so far, and how it does there."""

    def __init__(self, offers: Sequence[Offer], before: Values, seen: Mask, halves: Halves, case: FixCase) -> None:
        self._gain = {one.candidate.key: float((one.after - before)[seen].mean()) for one in offers}
        tried = tried_on(before, offers, seen, halves, case.study.seed)
        self._gaining = {one.candidate.key for one in tried if one.holm < LEVEL and one.gain > 0}
        now = as_it_is(case)
        self.rerankers = [one for one in offers if one.candidate.reranker and one.candidate.systems == now.systems]
        plain = [one for one in offers if one.candidate.reranker is None]
        self.fusions = [one for one in plain if one.candidate.systems[-1].name == f"{case.system.name}-fused"]
        self.systems = [one for one in plain if one.candidate.systems[-1].name != f"{case.system.name}-fused"]

    def best(self, offers: Sequence[Offer]) -> list[Offer]:
        """The few that gain most; equals as they came."""
        order = np.argsort([-self._gain[one.candidate.key] for one in offers], kind="stable")
        return [offers[int(at)] for at in order[:_PROMISING]]

    def gaining(self, offers: Sequence[Offer]) -> list[Offer]:
        """Those whose gain stands after correction for all that was tried."""
        return [one for one in offers if one.candidate.key in self._gaining]
