"""Slots of a collection: learned from its texts, described as JSON, put into any text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from askance.core.errors import FileProblem, UnknownName
from askance.core.files import write_whole
from askance.views.classes import Context, Method, SlotClass, SlotSettings, parted
from askance.views.viewing import Viewed, Viewer


class Slots(BaseModel):
    """The classes of a collection's words, and which of them are open. Never changed: `with_open` gives another one.

    They come from texts alone: no labels, no list of a language. `method`: how they were found; `linked`: share of the
    distinct segments that differ from another in one place; `border`: from which size (templates: members; contexts:
    effective members of a part of speech) on a class is open; `structure`: known words of no class; `contexts`: what
    stands between which neighbours; `caution`: where the texts are too few for such classes, in a sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Method
    settings: SlotSettings
    classes: tuple[SlotClass, ...]
    structure: tuple[str, ...]
    contexts: tuple[Context, ...]
    texts: int
    linked: float
    border: float | None
    caution: str = ""

    @classmethod
    def learn(
        cls, texts: Iterable[str], queries: Iterable[str] | None = None, settings: SlotSettings | None = None
    ) -> Slots:
        """The slots of these documents, and of `queries` where given: their texts are read like the documents'.

        Time is near linear in the length of the texts. The same texts give the same slots, whatever their order.
        """
        from askance.views.learning import learned

        return cls(**learned(texts, queries, settings or SlotSettings()))

    def view(self, text: str) -> Viewed:
        """The text with slots for open words; see `Viewed`."""
        return self._viewer.view(text)

    def views(self, texts: Iterable[str]) -> list[str]:
        """The views of many texts, without what the slots hold."""
        return [self._viewer.view(text).text for text in texts]

    @property
    def open(self) -> tuple[SlotClass, ...]:
        """The classes that views put slots for."""
        return tuple(each for each in self.classes if each.open)

    def named(self, name: str) -> SlotClass:
        """The class of that name; UnknownName, with the nearest, where there is none."""
        for each in self.classes:
            if each.name == name:
                return each
        raise UnknownName("slot class", name, [each.name for each in self.classes])

    def words_of(self, text: str) -> Mapping[str, tuple[str, ...]]:
        """Class name → the words of the text that are in it, open or not, as known to the collection, in order."""
        return self._viewer.words_of(text)

    def with_classes(self, classes: Iterable[SlotClass]) -> Slots:
        """The same collection with these classes. The rest is kept as it was counted."""
        same = {name: getattr(self, name) for name in Slots.model_fields if name != "classes"}
        return Slots(classes=tuple(classes), **same)  # not a copy: that would carry the old viewer along

    def with_open(self, decided: Mapping[str, tuple[bool, str]]) -> Slots:
        """The same with some classes opened or closed: class name → (open, why). UnknownName for other names."""
        for name in decided:
            self.named(name)
        return self.with_classes(
            each.model_copy(update=dict(zip(("open", "why"), decided[each.name], strict=True)))
            if each.name in decided
            else each
            for each in self.classes
        )

    def adjusted(self, keep: Iterable[str] = (), hide: Iterable[str] = ()) -> Slots:
        """The same with some classes or words kept as they are, and some classes hidden.

        `keep`: names of classes, or words of open classes, which become a class of their own; `hide`: names of classes.
        UnknownName for others.
        """
        names = {each.name for each in self.classes}
        of_word = {word: each.name for each in self.classes for word in each.members}
        closed = {name: (False, "kept: asked for") for name in keep if name in names}
        opened = dict.fromkeys(hide, (True, "hidden: asked for"))
        words: dict[str, set[str]] = {}
        for word in keep:
            if word not in names:
                if word not in of_word:
                    raise UnknownName("slot class or word of one", word, [*names, *of_word])
                words.setdefault(of_word[word], set()).add(word)
        changed = self.with_open({**closed, **opened})
        return changed.with_classes(
            part for each in changed.classes for part in parted(each, words.get(each.name, ()), "kept: asked for")
        )

    def describe(self) -> dict[str, Any]:
        """All of it as JSON values; `Slots.model_validate` reads it back."""
        return self.model_dump(mode="json")

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the description whole, or not at all."""
        write_whole(Path(path), self.model_dump_json(indent=1) + "\n")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Slots:
        """Reads what `save` wrote; FileProblem where the file is missing or holds something else."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls.model_validate_json(file.read())
        except OSError as refused:
            raise FileProblem(path, f"cannot be read: {refused.strerror}") from None
        except ValueError as wrong:
            problem = f"is no description of slots: {str(wrong).splitlines()[0]}"
            raise FileProblem(path, problem, remedy="Write one with Slots.save.") from None

    @cached_property
    def _viewer(self) -> Viewer:
        return Viewer(self.classes, self.structure, self.contexts, self.settings)


def report(slots: Slots, most: int = 12) -> list[str]:
    """One line a class, the open ones first: name, some members, why it is open or not. A caution stands before all."""
    ordered: Sequence[SlotClass] = sorted(slots.classes, key=lambda each: (not each.open, -each.count, each.name))
    lines = [slots.caution] if slots.caution else []
    for each in ordered:
        shown = ", ".join(each.members[:most]) + (", …" if len(each.members) > most else "")
        lines.append(f"{each.name} {'open' if each.open else 'kept'}: {shown or each.rule} ({each.why})")
    return lines
