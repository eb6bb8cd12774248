"""Measures: a metric, its cut-off and parameters, as values that print, parse and compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.core.registry import Registry
from askance.data.formats.numbers import finite, shortest
from askance.data.rows import frozen
from askance.measure.judged import Judged, Values
from askance.measure.metrics.metric import Metric

METRICS: Registry[Metric] = Registry(
    "measure",
    {
        "Hit": "askance.measure.metrics.hit:METRIC",
        "P": "askance.measure.metrics.precision:METRIC",
        "Recall": "askance.measure.metrics.recall:METRIC",
        "CappedRecall": "askance.measure.metrics.capped_recall:METRIC",
        "RR": "askance.measure.metrics.rr:METRIC",
        "AP": "askance.measure.metrics.ap:METRIC",
        "nDCG": "askance.measure.metrics.ndcg:METRIC",
        "Rprec": "askance.measure.metrics.rprec:METRIC",
        "Bpref": "askance.measure.metrics.bpref:METRIC",
        "Judged": "askance.measure.metrics.judged_share:METRIC",
        "Unjudged": "askance.measure.metrics.unjudged_share:METRIC",
        "FirstRel": "askance.measure.metrics.first_rel:METRIC",
        "APRetrieved": "askance.measure.compatibility:AP_RETRIEVED",
        "nDCGRetrieved": "askance.measure.compatibility:NDCG_RETRIEVED",
    },
)

ALIASES = {"Success": "Hit", "R": "Recall", "Rcap": "CappedRecall", "MRR": "RR", "MAP": "AP"}

_NAMES = {name.lower(): name for name in METRICS} | {alias.lower(): name for alias, name in ALIASES.items()}
_FORM = re.compile(
    r"(?P<metric>[A-Za-z]+)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cutoff>[^\[\]]*))?(?:\[(?P<tier>[^\[\]]+)\])?"
)
_TIER = re.compile(r"[^\[\]]+")
_CUTOFF = re.compile(r"[1-9][0-9]{0,8}")
_GAINS: dict[str, Literal["linear", "exp"]] = {"linear": "linear", "exp": "exp", "log2": "linear", "exp-log2": "exp"}
_HIGHEST_GRADE = 1_000.0  # 2^1024 is no float


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of the registry, its cut-off `k` (None: the whole list) and its parameters.

    `rel`: the lowest grade that is gold (None: what the tier says). `gains`: what a grade g gains, g or 2^g − 1.
    `judged_only`: unjudged documents are taken out of the lists first. `tier`: the name of the definition of gold that
    is meant (None: the one at hand); whoever computes the measure brings the judgments of that tier.

    >>> str(Measure.parse("Success@5"))
    'Hit@5'
    >>> Measure.parse("MAP") == Measure("AP")
    True
    >>> Measure.parse("P(rel=2)@5[strict]")
    Measure(name='P', k=5, rel=2.0, gains='linear', judged_only=False, tier='strict')
    """

    name: str
    k: int | None = None
    rel: float | None = None
    gains: Literal["linear", "exp"] = "linear"
    judged_only: bool = False
    tier: str | None = None

    def __post_init__(self) -> None:
        self._check_cutoff()
        given = {"rel": self.rel is not None, "gains": self.gains != "linear", "judged_only": self.judged_only}
        for parameter, there in given.items():
            if there and parameter not in self.metric.takes:
                raise BadInput(f"the measure {self} has no parameter {parameter!r}", remedy=_taken_by(self.metric))
        if self.rel is not None and not (np.isfinite(self.rel) and self.rel > 0):
            raise BadInput(f"the measure {self} has no grade above 0 for rel", remedy=f"E.g. {self.name}(rel=2).")
        if self.gains not in _GAINS.values():
            raise BadInput(f"the measure {self} has unknown gains", remedy="They are linear or exp.")
        if self.tier is not None and not _TIER.fullmatch(self.tier):
            raise BadInput(f"the measure {self} names no tier", remedy=f"E.g. {self.name}[strict], without brackets.")

    def _check_cutoff(self) -> None:
        cutoff = self.metric.cutoff
        if self.k is None and cutoff == "required":
            raise BadInput(
                f"the measure {self.name!r} has no cut-off", remedy=f"Say how many ranks count, e.g. {self.name}@10."
            )
        if self.k is not None and cutoff == "never":
            raise BadInput(
                f"the measure {self} has a cut-off", remedy=f"{self.name} reads the whole list: leave it out."
            )
        if self.k is not None and self.k < 1:
            raise BadInput(f"the measure {self} has a cut-off below 1", remedy=f"E.g. {self.name}@10.")

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read `Name(parameters)@k[tier]`, all but the name where needed, after ir_measures, names in any case.

        Aliases become the name they stand for. UnknownName, with the nearest, for a metric that is not there; BadInput
        for a parameter that it does not take or cannot have this value, and for a cut-off that is no whole number from
        1 on, is missing where the metric needs one, or is there where it knows none.
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
        rel, gains, judged_only = _parameters(text, form["parameters"] or "", METRICS.get(name))
        return cls(name, None if cutoff is None else int(cutoff), rel, gains, judged_only, form["tier"])

    def __str__(self) -> str:
        told = [] if self.rel is None else [f"rel={shortest(self.rel)}"]
        told += [] if self.gains == "linear" else [f"gains={self.gains}"]
        told += ["judged_only=True"] if self.judged_only else []
        parameters = f"({','.join(told)})" if told else ""
        cutoff = "" if self.k is None else f"@{self.k}"
        return f"{self.name}{parameters}{cutoff}" + ("" if self.tier is None else f"[{self.tier}]")

    @property
    def metric(self) -> Metric:
        """What is behind the name."""
        return METRICS.get(self.name)

    @property
    def binary(self) -> bool:
        """Whether a query's value can only be 0 or 1 where nothing is tied; see `says_yes_or_no`."""
        return self.metric.binary == "always" or (self.metric.binary == "at 1" and self.k == 1)

    def says_yes_or_no(self, values: Values) -> bool:
        """Whether these values [queries] are those of a yes/no measure, none of them a share (of tied orders)."""
        return self.binary and bool(np.isin(values, (0.0, 1.0)).all())

    def held(self, judged: Judged) -> Judged:
        """The judged run as this measure sees it: its own threshold of gold, its gains, judged documents only."""
        if self.rel is not None:
            judged = judged.at_least(self.rel)
        if self.gains == "exp":
            judged = judged.gaining(_exponential)
        return judged.without_unjudged() if self.judged_only else judged

    def compute(self, judged: Judged) -> Values:
        """The value of every query [queries]; with ties the exact mean over all orders of tied documents.

        0 where a query has no gold document; NaN where the metric says that a query may have no value, with
        `metric.undefined` as the reason.
        """
        if self not in judged.values:
            judged.values[self] = frozen(self.metric.compute(self.held(judged), self.k))
        return judged.values[self]


def _exponential(grade: Values) -> Values:
    if grade.max(initial=0.0) > _HIGHEST_GRADE:
        raise DataProblem(
            f"a grade is {grade.max():g}, and 2^grade is beyond any number", remedy="Use linear gains for such grades."
        )
    gain: Values = np.exp2(grade) - 1.0
    return gain


def _parameters(text: str, told: str, metric: Metric) -> tuple[float | None, Literal["linear", "exp"], bool]:
    """`rel`, `gains` and `judged_only` as written between the brackets of a measure."""
    rel: float | None = None
    gains: Literal["linear", "exp"] = "linear"
    judged_only = False
    seen: set[str] = set()
    for part in filter(None, (part.strip() for part in told.split(","))):
        name, _, value = (side.strip() for side in part.partition("="))
        value = value.strip("'\"")
        name = "gains" if name == "dcg" else name  # as ir_measures calls it
        wrong = name not in metric.takes or name in seen
        seen.add(name)
        if not wrong and name == "rel" and finite(value) is not None:
            rel = finite(value)
        elif not wrong and name == "gains" and value in _GAINS:
            gains = _GAINS[value]
        elif not wrong and name == "judged_only" and value in ("True", "False"):
            judged_only = value == "True"
        else:
            raise BadInput(f"the measure {text!r} has the parameter {part!r}", remedy=_taken_by(metric))
    return rel, gains, judged_only


def _taken_by(metric: Metric) -> str:
    examples = {"rel": "rel=2", "gains": "gains=exp", "judged_only": "judged_only=True"}
    known = " or ".join(f"{metric.name}({examples[parameter]})" for parameter in metric.takes)
    return f"Each at most once: {known}." if known else f"{metric.name} takes no parameters."
