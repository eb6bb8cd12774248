"""The search of one half, by its queries alone: single changes first, then larger ones, joined and refined.

In this order: one setting or entry; views whose gold is foretold to stay near; friends of the bill; two settings, and
fusions; pairs of changes one of which gains; settings of what gains (how lists are fused, how much of a list is
re-sorted, how words are read). A larger change is chosen only where it gains more than twice as much: where none can,
none is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

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
from askance.diagnose.fixing.settling import LEVEL, TWICE, Offer, Tried, tried_on
from askance.measure.judged import Mask, Values

_PROMISING = 2  # of each kind are joined and refined
_MOST_EMBEDDED = 3_000  # texts of views, where they have to be embedded; one view, that foretold best, in any case
_WEIGHTS = ((1.0, 3.0), (3.0, 1.0))
_DEPTH = 10
_NOTHING = 1e-9
_TASK = "try changes"


class Search:
    """One search. `left_out`: what was not run, with the reason, by name; `notes`: what was judged by a sample."""

    def __init__(self, case: FixCase, runner: Runner, halves: Halves, progress: Progress) -> None:
        self._case, self._runner, self._halves, self._progress = case, runner, halves, progress
        self.left_out: dict[str, str] = {}
        self.notes: dict[str, str] = {}

    def offers(self, before: Values) -> tuple[list[Offer], list[Offer]]:
        """What each half may choose from. `before` [queries]: the measure as it is."""
        self._progress.start(_TASK, None)
        first, second = (self._of_half(before, seen) for seen in self._halves.each)
        self._progress.finish(_TASK)
        return first, second

    def _of_half(self, before: Values, seen: Mask) -> list[Offer]:
        """Step by step, small changes first: a step leaves out what is too large to be chosen after those before it."""
        half = _Half(self._case, before, seen, self._halves)
        steps: Sequence[Callable[[_Half], Iterator[Candidate]]] = (
            self._singles,
            self._views,
            self._friends,
            self._doubles,
            self._joined,
            self._refined,
        )
        for step in steps:
            half.add(self._ran(one for one in step(half) if half.worth(one)))
        return half.offers

    def _ran(self, wanted: Iterable[Candidate]) -> list[Offer]:
        found = []
        for candidate in wanted:
            try:
                found.append(Offer(candidate, self._runner.values(candidate)))
            except AskanceError as problem:
                self.left_out[candidate.name] = problem.message
            self._progress.advance(_TASK)
        return found

    def _singles(self, half: _Half) -> Iterator[Candidate]:
        """One setting or entry: another reader of the same field, a reranker, another field."""
        case = self._case
        for first in self._reaches()[:1]:
            for reranker, says in (*signatures(first), *controls(first)):
                yield reranked(as_it_is(case), reranker, says)
        now = case.entry.embed.document
        yield from (one for one in word_changes(case, now, case.system) if one.size == 1)
        yield from other_systems(case, now)
        yield from field_changes(case)

    def _doubles(self, half: _Half) -> Iterator[Candidate]:
        """Two of them: words read otherwise twice, another reader of another field; fusions with what was tried."""
        case = self._case
        for field in readable_fields(case):
            yield from word_changes(case, field, case.system)
            if field != case.entry.embed.document and half.most > 1:
                yield from other_systems(case, field)
        for one in half.systems:
            last = one.candidate.systems[-1]
            if last != case.system and (last.retriever, last.model) != (case.system.retriever, case.system.model):
                yield fused(case, one.candidate)

    def _views(self, half: _Half) -> Iterator[Candidate]:
        case = self._case
        if not can_view(case):
            return
        offered = [
            one
            for size, field in enumerate(readable_fields(case), 1)
            if min(size, 2) <= half.most  # size: the field that is read comes first, others are a change more
            for one in views_of(case, field, self._runner.slots, half.seen, by_sign=min(size, 2) < half.most)
        ]
        for one in offered:
            if one.note:
                self.notes.setdefault(one.note, one.candidates[0].document)
            if one.why_not is not None:
                self.left_out.update((each.name, f"foretold to hurt. {one.why_not}") for each in one.candidates)
        run = sorted((one for one in offered if one.why_not is None), key=lambda one: -one.first)
        if case.system.model is not None:
            most = max(1, _MOST_EMBEDDED // len(case.collection.documents))
            for one in run[most:]:
                self.left_out.update((each.name, "other views are foretold to do better") for each in one.candidates)
            run = run[:most]
        for candidate in (each for one in run for each in one.candidates):
            self.left_out.pop(candidate.name, None)  # the other half may have seen it otherwise
            yield candidate

    def _friends(self, half: _Half) -> Iterator[Candidate]:
        friends = friends_of(self._case, half.seen) if half.most > 1 else []
        for first in self._reaches()[:1]:
            if len(friends) > 1:
                says = f"{said(first)} by the friends of the bill: {', '.join(friends)}"
                yield reranked(as_it_is(self._case), signature("+".join(friends), first), says)

    def _joined(self, half: _Half) -> Iterator[Candidate]:
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

    def _refined(self, half: _Half) -> Iterator[Candidate]:
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


class _Half:
    """What a half has tried so far, how it does there, and what is still worth trying."""

    def __init__(self, case: FixCase, before: Values, seen: Mask, halves: Halves) -> None:
        self._case, self._before, self._halves = case, before, halves
        self._tried: dict[str, Tried] = {}
        self.seen = seen
        self.offers: list[Offer] = []
        self._missing = float((1.0 - before)[seen].mean())

    def add(self, offers: Sequence[Offer]) -> None:
        """More that was tried; all are corrected for all."""
        known = {one.candidate.key for one in self.offers}
        for one in offers:
            if one.candidate.key not in known:
                self.offers.append(one)
                known.add(one.candidate.key)
        tried = tried_on(self._before, self.offers, self.seen, self._halves, self._case.study.seed)
        self._tried = {one.candidate.key: one for one in tried}

    @property
    def most(self) -> float:
        """The largest size that can still be chosen: a larger change would have to gain more than twice as much.

        Where a change leaves nothing to gain, none of its own size is better.
        """
        gaining = [one for one in self._tried.values() if _gains(one)]
        enough = [one.candidate.size for one in gaining if one.gain * TWICE >= self._missing]
        perfect = [one.candidate.size - 1 for one in gaining if one.gain >= self._missing - _NOTHING]
        return min([*enough, *perfect], default=inf)

    def worth(self, candidate: Candidate) -> bool:
        """Whether it is small enough to be chosen, and new."""
        return candidate.size <= self.most and candidate.key not in self._tried

    @property
    def rerankers(self) -> list[Offer]:
        """A reranker behind the system as it is."""
        now = as_it_is(self._case).systems
        return [one for one in self.offers if one.candidate.reranker and one.candidate.systems == now]

    @property
    def systems(self) -> list[Offer]:
        """Another system, or another field, without a reranker; no fusions."""
        return [one for one in self.offers if one.candidate.reranker is None and not self._is_fused(one)]

    @property
    def fusions(self) -> list[Offer]:
        """The system as it is fused with another one."""
        return [one for one in self.offers if one.candidate.reranker is None and self._is_fused(one)]

    def best(self, offers: Sequence[Offer]) -> list[Offer]:
        """The few that gain most; equals as they came."""
        return sorted(offers, key=lambda one: -self._tried[one.candidate.key].gain)[:_PROMISING]

    def gaining(self, offers: Sequence[Offer]) -> list[Offer]:
        """Those whose gain stands after correction for all that was tried."""
        return [one for one in offers if _gains(self._tried[one.candidate.key])]

    def _is_fused(self, offer: Offer) -> bool:
        return offer.candidate.systems[-1].name == f"{self._case.system.name}-fused"


def _gains(one: Tried) -> bool:
    return one.holm < LEVEL and one.gain > 0
