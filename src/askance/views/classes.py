"""What a class of words is, and what is known of a collection's words besides."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from askance.views.rules import Rule

Method = Literal["templates", "contexts"]


class SlotClass(BaseModel):
    """Words that stand for each other.

    `name`: of the class; `slot`: what stands in a view where one of its words stood, shared by classes of one kind;
    `rule`: by which rule words are its members, None where they were learned; `members`: the most frequent first (of a
    rule: those seen, names only); `count`: how often any of them occurs; `size`: exp(entropy) of the members, how many
    there would be if all were as frequent; `open`: whether views put the slot for them; `why`, in a sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    slot: str
    rule: Rule | None = None
    members: tuple[str, ...] = ()
    count: int = 0
    size: float = 0.0
    open: bool
    why: str


def parted(found: SlotClass, kept: Collection[str], why: str) -> Iterator[SlotClass]:
    """A class as two: these of its words, which are kept, and the rest; the class itself where none of them is its own.

    Counts and sizes stay those of the whole: the words were not counted one by one.
    """
    mine = tuple(word for word in found.members if word in kept)
    if mine:
        name = f"{found.name}kept"
        yield found.model_copy(update={"name": name, "members": mine, "open": False, "why": why})
    rest = tuple(word for word in found.members if word not in kept)
    if rest or not mine:
        yield found.model_copy(update={"members": rest}) if mine else found


class Context(BaseModel):
    """Two neighbours, and how often what stands between them is of which class: name → count, "" for no class.

    A neighbour is a slot, or a word of no class; "" at the ends of a segment.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: str
    right: str
    counts: dict[str, int]


class SlotSettings(BaseModel):
    """How slots are learned and views made. The defaults need no judgments and no model."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    method: Method | Literal["auto"] = Field(
        "auto",
        description="templates: texts that differ in one place link words; contexts: words with like neighbours; "
        "auto: templates where at least half of the distinct segments differ from another one in one place, and do not "
        "all run together by that",
    )
    rules: tuple[Rule, ...] = Field(
        ("number", "identifier", "name"), description="what is open by how it is written: numbers, identifiers, names"
    )
    once: bool = Field(True, description="a segment of a text that repeats an earlier one is left out of its view")
    joined: bool = Field(True, description="slots side by side become one: a number behind its thing, a two-word name")
