"""The smallest change whose gain holds: candidates run, one chosen, its gain, its price and whom it harms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from askance.core.errors import DataProblem
from askance.core.estimate import Estimate
from askance.core.progress import Progress, Silent
from askance.data.run import Run
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.composing import as_it_is
from askance.diagnose.fixing.exports import SCHEMA, STUDY, exported
from askance.diagnose.fixing.halves import split
from askance.diagnose.fixing.latency import Latency, timed
from askance.diagnose.fixing.mended import Mended
from askance.diagnose.fixing.running import Runner
from askance.diagnose.fixing.searching import Search
from askance.diagnose.fixing.settling import Choice, Settled, settle
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.compare.clusters import Groups

FIX = "askance/fix/1"


@dataclass(frozen=True, eq=False)
class Fixed:
    """What was found. `chosen` None where no gain holds, and then `latency`, `mended` are None as well.

    `before`, `after`: the measure over the unseen queries (of all, where nothing holds). `harmed`: unseen queries that
    are worse with the change, by identifier. `left_out`: candidates that were not run, with the reason. `mended`: what
    a study of the change prints; `files`: the texts that it is written as, by name, none where nothing holds.
    `notes`: what was judged by a sample of the data, and how it was drawn.
    """

    case: FixCase
    settled: Settled
    before: Estimate
    after: Estimate | None
    harmed: tuple[str, ...]
    latency: Latency | None
    left_out: Mapping[str, str]
    mended: Mended | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def chosen(self) -> Candidate | None:
        """The change."""
        return self.settled.offer.candidate if self.settled.offer is not None else None

    @property
    def study(self) -> str | None:
        """A study file with the change, in TOML."""
        return self.files.get(STUDY)

    @property
    def schema(self) -> str | None:
        """The schema of an index, where the change asks for fields."""
        return self.files.get(SCHEMA)

    def record(self) -> dict[str, object]:
        """The machine form: askance/fix/1."""
        settled = self.settled
        return {
            "schema": FIX,
            "domain": self.case.name,
            "system": self.case.system.name,
            "tier": self.case.tier.name,
            "measure": str(self.case.measure),
            "change": self.chosen.record() if self.chosen is not None else None,
            "before": self.before.record(),
            "after": self.after.record() if self.after is not None else None,
            "gain": settled.gain.record() if settled.gain is not None else None,
            "unseen": {
                "queries": int(settled.unseen.sum()),
                "p": settled.p,
                "halves": [_half(choice) for choice in settled.choices],
            },
            "harmed": list(self.harmed),
            "latency": self.latency.record() if self.latency is not None else None,
            "candidates": _tried(settled.choices),
            "left_out": dict(self.left_out),
            "notes": list(self.notes),
            "in_study": None
            if self.mended is None
            else {"before": self.mended.before.record(), "after": self.mended.after.record()},
            "study": self.study,
            "index_schema": self.schema,
        }


def fix(case: FixCase, kept: Mapping[str, Run] | None = None, progress: Progress | None = None) -> Fixed:
    """Search the candidates of a case; `kept`: runs of its systems that there are already. Seeded by its study.

    DataProblem where too few queries have gold to choose on one half and try on the other.
    """
    told = progress or Silent()
    runner = Runner(case, told, kept or {})
    judged = runner.judged(runner.run(as_it_is(case)))
    before = case.measure.compute(judged)
    mask = case.mask & judged.with_gold
    groups = Groups.of(case.collection.queries.groups or [None] * len(mask), len(mask))
    halves = split(mask, groups, case.study.seed)
    search = Search(case, runner, halves, told)
    offered, left_out = search.offers(before), search.left_out
    notes = tuple(f"Field {field!r}: {note}" for note, field in search.notes.items())
    if not any(offered):
        raise DataProblem("no candidate could be run", remedy="; ".join(left_out.values()) or None)
    settled = settle(before, offered, halves, case.study.seed)
    if settled.offer is None or settled.gain is None:
        return Fixed(case, settled, bootstrap_mean(before[mask]), None, (), None, left_out, notes=notes)
    chosen, after = settled.offer.candidate, settled.offer.after
    mended = Mended.of(case, chosen, runner)
    harmed = np.flatnonzero(settled.unseen & (after < before - 1e-12))
    return Fixed(
        case,
        settled,
        bootstrap_mean(before[settled.unseen]),
        bootstrap_mean(after[settled.unseen]),
        tuple(case.collection.queries.ids[int(at)] for at in harmed),
        timed(runner, as_it_is(case), chosen, len(case.collection.queries)),
        left_out,
        mended,
        exported(mended),
        notes,
    )


def _half(choice: Choice) -> dict[str, object]:
    return {
        "chosen": choice.offer.candidate.name if choice.offer is not None else None,
        "queries": int(choice.unseen.sum()),
        "gain": choice.gain.record() if choice.gain is not None else None,
        "p": choice.p,
        "holds": choice.holds,
    }


def _tried(choices: Sequence[Choice]) -> list[dict[str, object]]:
    """Every candidate once, with what each half that could choose it saw of it; the largest gain first."""
    rows: dict[str, dict[str, object]] = {}
    halves: dict[str, list[dict[str, object] | None]] = {}
    best: dict[str, float] = {}
    for at, choice in enumerate(choices):
        for one in choice.tried:
            key = one.candidate.key
            rows.setdefault(key, one.candidate.record())
            halves.setdefault(key, [None, None])[at] = {"gain": one.gain, "p": one.p, "holm": one.holm}
            best[key] = max(best.get(key, -1.0), one.gain)
    return [{**rows[key], "halves": halves[key]} for key in sorted(rows, key=lambda key: -best[key])]
