"""Measures: a metric and its cut-off, as values that print, parse and compare."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askance.core.errors import BadInput, UnknownName
from askance.core.registry import Registry
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Metric

METRICS: Registry[Metric] = Registry(
    "measure",
    {
        "Hit": "askance.measure.metrics.hit:METRIC",
        "P": "askance.measure.metrics.precision:METRIC",
        "Recall": "askance.measure.metrics.recall:METRIC",
        "RR": "askance.measure.metrics.rr:METRIC",
        "AP": "askance.measure.metrics.ap:METRIC",
        "nDCG": "askance.measure.metrics.ndcg:METRIC",
    },
)

ALIASES = {"Success": "Hit", "R": "Recall", "MRR": "RR", "MAP": "AP"}

_NAMES = {name.lower(): name for name in METRICS} | {alias.lower(): name for alias, name in ALIASES.items()}
_FORM = re.compile(r"(?P<metric>[A-Za-z]+)(?:@(?P<cutoff>.*))?")
_CUTOFF = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of the registry and its cut-off `k` (None: the whole list).

    >>> str(Measure.parse("Success@5"))
    'Hit@5'
    >>> Measure.parse("MAP") == Measure("AP")
    True
    """

    name: str
    k: int | None = None

    def __post_init__(self) -> None:
        needs_cutoff = self.metric.cutoff == "required"
        if self.k is None and needs_cutoff:
            raise BadInput(
                f"the measure {self.name!r} has no cut-off", remedy=f"Say how many ranks count, e.g. {self.name}@10."
            )
        if self.k is not None and self.k < 1:
            raise BadInput(f"the measure {self} has a cut-off below 1", remedy=f"E.g. {self.name}@10.")

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read `Name` or `Name@k`, names after ir_measures, in any case; aliases become the name they stand for.

        UnknownName, with the nearest, for a metric that is not there; BadInput for a cut-off that is no whole number
        from 1 on, or is missing where the metric needs one.
        """
        form = _FORM.fullmatch(text.strip())
        if form is None:
            raise BadInput(f"the measure {text!r} cannot be read", remedy="Write a name and a cut-off, e.g. Hit@10.")
        name = _NAMES.get(form["metric"].lower())
        if name is None:
            raise UnknownName("measure", form["metric"], (*METRICS, *ALIASES))
        cutoff = form["cutoff"]
        if cutoff is not None and not _CUTOFF.fullmatch(cutoff):
            raise BadInput(
                f"the measure {text!r} has the cut-off {cutoff!r}",
                remedy=f"A cut-off is a whole number from 1 on, e.g. {name}@10.",
            )
        return cls(name, None if cutoff is None else int(cutoff))

    def __str__(self) -> str:
        return self.name if self.k is None else f"{self.name}@{self.k}"

    @property
    def metric(self) -> Metric:
        """What is behind the name."""
        return METRICS.get(self.name)

    @property
    def binary(self) -> bool:
        """Whether a query's value can only be 0 or 1."""
        return self.metric.binary == "always" or (self.metric.binary == "at 1" and self.k == 1)

    def compute(self, judged: Judged) -> Values:
        """The value of every query [queries]; 0 where a query has no gold document."""
        return self.metric.compute(judged, self.k)
