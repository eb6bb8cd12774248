"""The sentences of a collection: a frame holds the document, the questions and the hard negatives of one language."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from askance.core.errors import UnknownName
from askance.data.fields.list_text import ListText


@dataclass(frozen=True)
class Frame:
    """Sentences with {name} and {items}, questions with {a}, {b}, {c}.

    `same`: other sentences that say what `document` says. `negation`, `attribution`: a sentence, and its relation.
    """

    document: str
    relation: str
    separator: str
    conjunction: str | None
    questions: Mapping[str, str]
    same: Sequence[str]
    negation: Sequence[tuple[str, str]]
    attribution: Sequence[tuple[str, str]]
    _written: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def marks(self) -> ListText:
        """How a list of items is written, and read."""
        return ListText((self.separator,), self.conjunction)

    def written(self, item: str) -> str:
        """The item as it stands in a list: in quotes where it would be misread."""
        known = self._written.get(item)
        if known is None:
            known = self._written[item] = self.marks.render([item])
        return known

    def listed(self, items: Sequence[str]) -> str:
        """What `marks.render` gives, remembering how each item is written."""
        written = [self.written(item) for item in items]
        if self.conjunction is not None and len(written) > 1:
            written[-2:] = [f"{written[-2]} {self.conjunction} {written[-1]}"]
        return (f"{self.separator} " if self.separator.isascii() else self.separator).join(written)

    def sentence(self, sentence: str, name: str, items: Sequence[str]) -> str:
        """The sentence with its name and items."""
        return sentence.replace("{items}", self.listed(items)).replace("{name}", name)

    def question(self, template: str, items: Sequence[str]) -> str:
        """A plain question holds the item as it is; several in one are quoted where they would be misread."""
        written = items if len(items) == 1 else [self.written(item) for item in items]
        return self.questions[template].format(**dict(zip("abc", written, strict=False)))


class _Frames(Mapping[str, Frame]):
    """Name → frame, read when first asked for."""

    def __init__(self) -> None:
        self._frames: dict[str, Frame] | None = None

    def _read(self) -> dict[str, Frame]:
        if self._frames is None:
            text = files("askance.build").joinpath("words", "limit", "frames.json").read_text(encoding="utf-8")
            self._frames = {name: Frame(**frame) for name, frame in json.loads(text).items()}
        return self._frames

    def __getitem__(self, name: str) -> Frame:
        if name not in self._read():
            raise UnknownName("frame", name, self._read())
        return self._read()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


FRAMES: Mapping[str, Frame] = _Frames()
