"""What a hand check of a sample says of all labels: an error rate, also where no error was found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from askance.core.errors import BadInput
from askance.core.estimate import Estimate
from askance.measure.intervals import clopper_pearson

_FORM = re.compile(r"(?:(?P<name>[^=]+)=)?\s*(?P<errors>\d{1,9})\s*/\s*(?P<n>\d{1,9})")


@dataclass(frozen=True)
class Audit:
    """`errors` found in `n` labels that were drawn at random and checked; `name`: whose labels."""

    name: str
    errors: int
    n: int

    @classmethod
    def parse(cls, text: str) -> Audit:
        """Read `errors/n` or `name=errors/n`; BadInput on anything else, and where there are more errors than labels.

        >>> Audit.parse("first judge=0/60")
        Audit(name='first judge', errors=0, n=60)
        """
        form = _FORM.fullmatch(text.strip())
        if form is None or int(form["n"]) < 1 or int(form["errors"]) > int(form["n"]):
            raise BadInput(
                f"the audit {text!r} cannot be read", remedy="Write errors found / labels checked, e.g. --audit 0/60."
            )
        return cls((form["name"] or "").strip(), int(form["errors"]), int(form["n"]))

    @property
    def error_rate(self) -> Estimate:
        """The share of wrong labels, with the exact interval: none found among 60 leaves at most 5.96 %."""
        low, high = clopper_pearson(self.errors, self.n)
        return Estimate(self.errors / self.n, low, high, self.n, "Clopper-Pearson, labels drawn at random", {})
