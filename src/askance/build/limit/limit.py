"""A collection in the manner of LIMIT (arXiv 2508.21038): who likes what, of any size, document by document.

Hard negatives go after LIMIT-H (arXiv 2604.05764) and composed questions after LIMIT+ (arXiv 2605.03824); sentences,
items and names are the package's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from askance.build.limit.document import Document, Question
from askance.build.limit.negatives import Negative, identifier, negatives_of, queries_fooled, written
from askance.build.limit.plan import Plan
from askance.build.limit.questions import GoldCount, composed_questions, plain_questions
from askance.build.limit.seeds import chance
from askance.build.limit.settings import LimitSettings


class Limit:
    """The collection that the settings describe. BadInput where they cannot be met.

    `questions`: plain ones first, then composed ones. Nothing here grows with the number of documents.
    """

    def __init__(self, settings: LimitSettings) -> None:
        self.settings = settings
        self.plan = Plan(settings)
        self.questions: Sequence[Question] = [*plain_questions(self.plan), *composed_questions(self.plan)]
        self.negatives: Sequence[Negative] = negatives_of(self.plan)
        rng = chance(settings.seed, "negatives' places")
        place = [(rng.randrange(settings.documents + 1), number) for number in range(len(self.negatives))]
        self._order = [number for _, number in sorted(place)]
        self._before = sorted(at for at, _ in place)

    def __len__(self) -> int:
        return self.settings.documents + len(self.negatives)

    def document(self, number: int) -> Document:
        """The document of that number, made by itself; hard negatives have the numbers after those of all others."""
        if number < self.settings.documents:
            return self.plan.document(number)
        return written(self.plan, self.negatives[number - self.settings.documents])

    def numbers(self) -> Iterator[int]:
        """The numbers of all documents in the order of the collection: hard negatives stand anywhere among them."""
        ends = [0, *self._before, self.settings.documents]
        for place, (begin, end) in enumerate(pairwise(ends)):
            yield from range(begin, end)
            if place < len(self._order):
                yield self.settings.documents + self._order[place]

    def count_gold(self) -> GoldCount:
        """What counts the gold of the composed questions, while it is told each document."""
        return GoldCount(self.questions[self.settings.queries :], self.plan.frame.relation)

    def id_of(self, number: int) -> str:
        """The identifier of the document of that number."""
        if number < self.settings.documents:
            return self.plan.name(number)
        return identifier(self.plan, self.negatives[number - self.settings.documents])

    def roles(self) -> Iterator[tuple[str, str, str]]:
        """(query, document, kind): which hard negative is near to which plain question."""
        for negative in self.negatives:
            for query in queries_fooled(self.plan, negative):
                yield self.questions[query].id, identifier(self.plan, negative), negative.kind
