"""A sample of labels to check by hand, and what the check says of all of them.

The sheet does not show what the rules said, so that whoever fills it in is not led. A sheet is read back against the
labels by the identifiers of its texts.
"""

from __future__ import annotations

import csv
import io
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from askance.build.trajectories.labels import Label
from askance.core.errors import DataProblem, FileProblem, UnknownName
from askance.core.estimate import Estimate
from askance.measure.intervals import clopper_pearson

_METHOD = "Clopper-Pearson, texts drawn at random within types; a type's share of the sheet is near its share of all"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """`column`: "type" or a slot; `rule` and `hand`: what was said there."""

    id: str
    column: str
    rule: str
    hand: str


@dataclass(frozen=True, slots=True)
class Checked:
    """Share of the filled-in cells that agree, per column, with where they do not."""

    agreement: Mapping[str, Estimate]
    disagreements: Sequence[Disagreement]

    def record(self) -> dict[str, object]:
        return {
            "agreement": {column: estimate.record() for column, estimate in self.agreement.items()},
            "disagreements": [
                {"id": one.id, "column": one.column, "rule": one.rule, "hand": one.hand} for one in self.disagreements
            ],
        }


def sample(labels: Mapping[str, Label], n: int, seed: int) -> list[str]:
    """`n` identifiers, at least one of each type and for the rest in proportion, in an order of their own.

    All of them where there are no more; one of each of `n` types, drawn at random, where there are more types than n.
    """
    rng = random.Random(f"audit:{seed}")
    strata: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(labels):
        strata[labels[name].type].append(name)
    if len(strata) > n:
        return [rng.choice(strata[kind]) for kind in rng.sample(sorted(strata), n)]
    n = min(n, len(labels))
    take = dict.fromkeys(sorted(strata), 1)
    for _ in range(n - len(take)):  # to whoever is furthest below its share
        kind = max(
            take, key=lambda one: len(strata[one]) * n / len(labels) - take[one] if _left(strata, take, one) else -n
        )
        take[kind] += 1
    chosen = [name for kind, count in take.items() for name in rng.sample(strata[kind], count)]
    rng.shuffle(chosen)
    return chosen


def _left(strata: Mapping[str, Sequence[str]], take: Mapping[str, int], kind: str) -> bool:
    return take[kind] < len(strata[kind])


def sheet(chosen: Sequence[str], texts: Mapping[str, str], slots: Sequence[str]) -> str:
    """A CSV of id, text, and empty columns for the type and each slot. A slot that a text has not: write -."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "text", "type", *slots])
    for name in chosen:
        rows.writerow([name, _inert(texts[name]), "", *("" for _ in slots)])
    return out.getvalue()


def _inert(text: str) -> str:
    """The text, which no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") else text


def read_sheet(path: str | Path, labels: Mapping[str, Label]) -> Checked:
    """A filled-in sheet against the labels. Empty cells are counted as not checked.

    FileProblem where it is no such sheet; UnknownName for a text that has no label; DataProblem where nothing is
    filled in.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = list(csv.reader(file)) or [[]]
    except (OSError, UnicodeDecodeError, csv.Error) as wrong:
        raise FileProblem(path, f"cannot be read: {wrong}") from None
    if header[:3] != ["id", "text", "type"]:
        raise FileProblem(path, "the first line does not read id,text,type,…", line=1, remedy="Keep the header.")
    agreed: dict[str, list[bool]] = {column: [] for column in header[2:]}
    differing = []
    empty = dict.fromkeys(agreed, 0)
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise FileProblem(path, f"{len(row)} cells, expected {len(header)}", line=line)
        if row[0] not in labels:
            raise UnknownName("labelled text", row[0], (), where=f"{path}:{line}")
        for column, cell in zip(header[2:], row[2:], strict=True):
            hand = cell.strip().lower()
            if not hand:
                empty[column] += 1
                continue
            said = _said(labels[row[0]], column)
            agreed[column].append(hand in {one.lower() for one in said})
            if not agreed[column][-1]:
                differing.append(Disagreement(row[0], column, " or ".join(said), hand))
    if not any(agreed.values()):
        raise DataProblem(f"{path}: nothing is filled in", remedy="Write the type and slots of each text.")
    return Checked({column: _share(seen, empty[column]) for column, seen in agreed.items()}, tuple(differing))


def _said(label: Label, column: str) -> tuple[str, ...]:
    return (label.type,) if column == "type" else tuple(label.slots.get(column, ("-",)))


def _share(seen: Sequence[bool], empty: int) -> Estimate:
    left_out = {"cells that are empty": empty} if empty else {}
    if not seen:
        return Estimate.undefined("no cell is filled in", left_out=left_out)
    low, high = clopper_pearson(sum(seen), len(seen))
    return Estimate(sum(seen) / len(seen), low, high, len(seen), _METHOD, left_out)
