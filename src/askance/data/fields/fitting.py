"""A learned schema is used only where the documents bear it out: else it was learned from accidents.

It has to split at least half of them, and some part of their lists has to occur twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from askance.data.fields.learned import FramedSchema
from askance.data.fields.schema import Fields, NeedsDocuments, Record, Schema

SAMPLE = 1000  # documents that it is tried on
LEAST = 0.5


@dataclass(frozen=True)
class Learned:
    """`schema`: None where it does not fit; `share` of the documents tried that it splits; `doubts`: in sentences."""

    schema: Schema | None
    share: float
    doubts: tuple[str, ...] = ()


def learned_where_it_fits(learner: NeedsDocuments, records: Iterable[Record]) -> Learned:
    """What is learned from the records, which are passed once, and tried on a random sample of them."""
    tried = _Sample(records)
    schema = learner.learn(tried)
    split = sum(isinstance(schema.split(record), Fields) for record in tried.kept)
    share = split / len(tried.kept) if tried.kept else 0.0
    nothing_recurs = isinstance(schema, FramedSchema) and schema.dictionary.rate >= 1.0
    if not split or share < LEAST or nothing_recurs:
        return Learned(None, share)
    return Learned(schema, share, tuple(getattr(schema, "doubts", ())))


class _Sample:
    """Hands records on and keeps some of them, each as likely as any other; the same ones every time."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.kept: list[Record] = []
        self._records, self._random = records, Random(0)

    def __iter__(self) -> Iterator[Record]:
        for number, record in enumerate(self._records):
            if number < SAMPLE:
                self.kept.append(record)
            elif (place := self._random.randrange(number + 1)) < SAMPLE:
                self.kept[place] = record
            yield record
