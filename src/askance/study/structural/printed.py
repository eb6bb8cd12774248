"""One printed figure as the data folder has it: its value with the digits that were printed, and its counts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from askance.core.errors import DataProblem, FileProblem

# Figures that are printed as they are; all others are printed in percent (or points of it).
_PLAIN = re.compile(
    r"(strict|lenient|harsher_ii|reference_published|chance_\w+?)_hit@\d+"
    r"|strict_(ndcg|map)@\d+|lenient_beir_\w+@\d+|(strict|lenient)_map|gate_map"
    r"|mcnemar_exact_p|rank1_miss_category|deployment_cosine_(mean|median|std|min|max)"
    r"|\w+_usd|total_usd_printed|\w+_calls|bootstrap_seed"
)

_MONEY = ("gemini_usd", "deepseek_usd", "claude_usd", "total_usd_printed")
_COARSEST = 0.0005

PERCENT, PLAIN = 0.01, 1.0

# The keys of `config` that say what a figure is of; the others are counts and remarks.
ABOUT = ("embedder", "tier", "subset", "judge", "prompt", "bucket", "category", "form_group", "condition", "grader")


class Printed(BaseModel):
    """One row of published.json. Decimals keep the digits that were printed; null where nothing was."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    domain: str
    config: Mapping[str, Any]
    figure: str
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None
    hits: int | None
    n: int | None
    gained: int | None
    lost: int | None
    source_file: str

    @property
    def unit(self) -> float:
        """What the printed number is multiplied with: rates are fractions here."""
        return PLAIN if _PLAIN.fullmatch(self.figure) else PERCENT

    @property
    def published(self) -> float | None:
        return None if self.value is None else float(self.value) * self.unit

    @property
    def ends(self) -> tuple[float, float] | None:
        """The printed interval; None where none was printed."""
        if self.low is None or self.high is None:
            return None
        return float(self.low) * self.unit, float(self.high) * self.unit

    @property
    def tolerance(self) -> float:
        """Half a unit of the last digit that was printed; whole numbers are exact.

        Of a rate never more than half a tenth of a percent: what ends sooner has lost its zeros (.1 is .100).
        """
        exponent = 0 if self.value is None else int(self.value.as_tuple().exponent)
        half = 0.5 * 10.0**exponent * self.unit if exponent < 0 else 0.0
        return half if self.figure in _MONEY else min(half, _COARSEST)

    @property
    def counted(self) -> bool:
        """Whether counts were printed with it."""
        return self.hits is not None or self.gained is not None

    @property
    def about(self) -> dict[str, str]:
        """Embedder, tier, judge …: what the figure is of."""
        return {key: str(self.config[key]) for key in ABOUT if key in self.config}

    @property
    def found(self) -> int:
        """Its hits; DataProblem where it has none."""
        return self._there("hits", self.hits)

    @property
    def queries(self) -> int:
        """Its n; DataProblem where it has none."""
        return self._there("n", self.n)

    @property
    def discordant(self) -> tuple[int, int]:
        """Its gained and lost; DataProblem where it has none."""
        return self._there("gained", self.gained), self._there("lost", self.lost)

    def told(self, key: str) -> int:
        """A count that the row tells beside its own; DataProblem where it does not."""
        return int(self._there(key, self.config.get(key)))

    def _there(self, name: str, count: int | None) -> int:
        if count is None:
            raise DataProblem(f"the printed figure {self.id} has no {name!r}", remedy="Get published.json anew.")
        return count


def read_printed(path: Path) -> dict[str, Printed]:
    """All rows of published.json by id; FileProblem where it is not what it should be."""
    remedy = "Get the file anew, or leave it as it was given."
    try:
        tree = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        rows = TypeAdapter(list[Printed]).validate_python(tree)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FileProblem(path, f"cannot be read as JSON: {error}", remedy=remedy) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise FileProblem(path, f"{place}: {first['msg']}", remedy=remedy) from None
    found = {row.id: row for row in rows}
    if len(found) < len(rows):
        raise FileProblem(path, f"{len(rows) - len(found)} identifiers occur twice", remedy=remedy)
    return found
