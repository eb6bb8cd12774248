"""A change that holds, with what a study of it will print: what every file about it is written from."""

from __future__ import annotations

from dataclasses import dataclass

from askance.core.estimate import Estimate
from askance.diagnose.fixing.candidate import Candidate
from askance.diagnose.fixing.case import FixCase
from askance.diagnose.fixing.composing import as_it_is
from askance.diagnose.fixing.running import Runner
from askance.measure.estimates import estimate


@dataclass(frozen=True, eq=False)
class Mended:
    """`before`, `after`: the measure of both systems as a study has it: over all queries, equal scores by place."""

    case: FixCase
    change: Candidate
    before: Estimate
    after: Estimate

    @classmethod
    def of(cls, case: FixCase, change: Candidate, runner: Runner) -> Mended:
        """Of a change that the runner has run."""
        before, after = (
            estimate(case.measure, runner.judged(runner.run(one), tied=False).where(case.mask))
            for one in (as_it_is(case), change)
        )
        return cls(case, change, before, after)
