"""All that is decided about a collection before any document is written: it grows with the queries, not with documents.

Every document is made from its number alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from askance.build.limit.document import Document
from askance.build.limit.frames import FRAMES, Frame
from askance.build.limit.items import Items, items_of
from askance.build.limit.names import Names
from askance.build.limit.patterns import gold_of
from askance.build.limit.seeds import Shuffled, chance
from askance.build.limit.settings import LimitSettings
from askance.core.errors import BadInput


class Plan:
    """The plan of a collection; BadInput where the settings cannot be met.

    `gold` [queries]: the documents that hold the asked item, by number, rising. `asked`: document → the queries whose
    item it holds; documents that are not in it hold padding only. `namesakes`: document → its name, where it is named
    after an asked item.
    """

    def __init__(self, settings: LimitSettings) -> None:
        self.settings = settings
        self.frame: Frame = FRAMES[settings.frame]
        relevant, gold = gold_of(settings)
        self.items: Items = items_of(settings)
        place = Shuffled(settings.documents, f"places:{settings.seed}").of
        self.gold = [tuple(sorted(place(at) for at in one)) for one in gold]
        self.relevant = relevant
        self.asked: dict[int, list[int]] = {}
        for query, documents in enumerate(self.gold):
            for document in documents:
                self.asked.setdefault(document, []).append(query)
        self._check_load()
        self.names = Names(settings.seed, settings.documents)  # before any is named after an item
        self.namesakes = self._namesakes()

    def document(self, at: int) -> Document:
        """Document `at`, made by itself."""
        settings = self.settings
        rng = chance(settings.seed, "document", at)
        size = settings.most if settings.least == settings.most else rng.randint(settings.least, settings.most)
        asked = [self.items.held[query] for query in self.asked.get(at, ())]
        items = [*asked, *rng.sample(self.items.padding, max(size - len(asked), 0))]
        rng.shuffle(items)
        name = self.name(at)
        return Document(
            id=name,
            name=name,
            relation=self.frame.relation,
            items=tuple(items),
            text=self.frame.sentence(self.frame.document, name, items),
        )

    @cached_property
    def query_of(self) -> Mapping[str, int]:
        """Asked item, as documents hold it → its query."""
        return {item: query for query, item in enumerate(self.items.held)}

    @cached_property
    def query_worded(self) -> Mapping[str, int]:
        """Asked item, as questions word it → its query."""
        return {item: query for query, item in enumerate(self.items.worded)}

    def name(self, at: int) -> str:
        """The name of document `at`; no other document has it."""
        return self.namesakes.get(at) or self.names.of(at)

    def _namesakes(self) -> dict[int, str]:
        """Document → its name, for those that are named after an asked item that they do not hold."""
        settings = self.settings
        order = Shuffled(settings.documents, f"namesakes:{settings.seed}")
        found: dict[int, str] = {}
        taken: dict[str, int] = {}
        free = iter(range(settings.documents))
        for query, named in enumerate(self.items.named):
            wanted = settings.namesakes if named else 0
            while wanted:
                number = next(free, None)
                if number is None:
                    raise BadInput(
                        f"too few documents are left to name {settings.namesakes} after {self.items.worded[query]!r}",
                        remedy="Lower name_collisions or namesakes, or ask for more documents.",
                    )
                at = order.of(number)
                name = self.names.after(self.items.worded[query], at)
                if at not in self.gold[query] and name not in taken:
                    found[at] = name
                    taken[name] = at
                    wanted -= 1
        return found

    def _check_load(self) -> None:
        load = max(len(queries) for queries in self.asked.values())
        if load > self.settings.most:
            raise BadInput(
                f"a document would hold {load} asked items, and documents hold at most {self.settings.most}",
                remedy=f"Let items be at least {load}, or take more documents, fewer queries or another pattern.",
            )
