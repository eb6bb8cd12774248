"""What a collection in the manner of LIMIT shall be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from askance.build.limit.frames import FRAMES
from askance.core.errors import BadInput, UnknownName

Pattern = Literal["random", "cycle", "disjoint", "dense"]
Synonyms = Literal["none", "queries", "documents"]
Template = Literal["or", "or_or", "and", "and_both", "and_not", "not"]
Kind = Literal["negation", "attribution", "split", "containment", "name"]
Each = Literal["document", "judgment"]
Form = Literal["text", "fields"]


class LimitSettings(BaseModel):
    """A collection of documents "NAME likes A, B and C." and questions "Who likes A?", made from a seed.

    `documents`: how many, hard negatives not counted. `queries`: how many plain questions; each asks for an item of its
    own. `gold`: documents that hold it, k.

    `pattern`: which documents hold an asked item. random: k drawn anew for each query; cycle: k next to one another,
    one further for each query; disjoint: k of its own; dense: the smallest n with C(n, k) >= queries, and the first
    combinations of k of them in lexicographic order, so that only n documents are ever gold. `relevant`: of how many
    documents gold is drawn (random, cycle); None: of all. Which documents these are is drawn from the seed.

    `items`: how many a document holds, a number or (least, most). `padding`: how many different items fill documents
    up; no plain question asks for one. `composed`: the share of items made of an adjective and a noun, which have words
    in common ("Striped Lanyards", "Striped Kegs"); where lists do not suffice it is more.

    `containment`: the share of all different items that are longer forms of an asked one ("Stories about Kites"); they
    are among the padding. `separators`: the share of items with a comma or "and" inside; in texts they stand in quotes.
    `name_collisions`: the share of queries whose item is part of the name of `namesakes` documents that do not hold it.
    With all three 0 no item is inside another, none in a name, and none is a word of the template.

    `synonyms`: the queries, or the documents, use another word for the asked items, which shares no word with them.
    `questions`: composed questions, template → how many; their gold is complete.
    `negatives`: kind → how many, or one for each gold "document" or for each "judgment".
    `form`: text alone, or fields name, relation and items beside it. `frame`: the language, a name of frames.json.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(default=0, ge=0)
    documents: int = Field(default=50_000, ge=1)
    queries: int = Field(default=1000, ge=1)
    gold: int = Field(default=2, ge=1)
    pattern: Pattern = "dense"
    relevant: int | None = Field(default=None, ge=1)
    items: int | tuple[int, int] = 45
    padding: int = Field(default=850, ge=0)
    composed: float = Field(default=0, ge=0, le=1)
    containment: float = Field(default=0, ge=0, le=1)
    separators: float = Field(default=0, ge=0, le=1)
    name_collisions: float = Field(default=0, ge=0, le=1)
    namesakes: int = Field(default=3, ge=1)
    synonyms: Synonyms = "none"
    questions: Mapping[Template, int] = {}
    negatives: Mapping[Kind, int | Each] = {}
    form: Form = "text"
    frame: str = "english"

    @property
    def least(self) -> int:
        """Fewest items of a document."""
        return self.items if isinstance(self.items, int) else self.items[0]

    @property
    def most(self) -> int:
        """Most items of a document."""
        return self.items if isinstance(self.items, int) else self.items[1]

    @field_validator("items")
    @classmethod
    def _one_number(cls, items: int | tuple[int, int]) -> int | tuple[int, int]:
        """(n, n) is n: what makes the same collection is the same setting."""
        return items if isinstance(items, int) or items[0] != items[1] else items[0]

    @field_validator("frame")
    @classmethod
    def _known_frame(cls, name: str) -> str:
        if name not in FRAMES:
            raise UnknownName("frame", name, FRAMES)
        return name

    @model_validator(mode="after")
    def _possible(self) -> LimitSettings:
        if not 1 <= self.least <= self.most:
            raise BadInput(
                f"items is {self.items}, expected at least 1, and the least before the most",
                remedy="Give a number, or two: 30 45.",
            )
        if self.most > self.padding:
            raise BadInput(
                f"a document can hold {self.most} items, and only {self.padding} fill documents up",
                remedy=f"Let padding be at least {self.most}; twenty times as many is usual.",
            )
        if any(not isinstance(wanted, str) and wanted < 0 for wanted in self.negatives.values()) or any(
            wanted < 0 for wanted in self.questions.values()
        ):
            raise BadInput("a number of negatives or questions is below 0", remedy="Leave out what you do not want.")
        if self.relevant is not None and self.pattern in ("dense", "disjoint"):
            raise BadInput(
                f"the pattern {self.pattern} says itself how many documents are gold; relevant is {self.relevant}",
                remedy="Leave relevant out, or take the pattern random or cycle.",
            )
        if self.synonyms != "none" and self.name_collisions:
            raise BadInput(
                "items that are names have no synonyms",
                remedy="Make two collections: one of them with name_collisions.",
            )
        return self


def limit_settings(**given: Any) -> LimitSettings:
    """Settings by name; BadInput that lists every one that cannot be, with what was found and expected."""
    try:
        return LimitSettings(**given)
    except ValidationError as error:
        found = [
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']} (found {problem['input']!r})"
            for problem in error.errors()
        ]
        known = ", ".join(LimitSettings.model_fields)
        raise BadInput("\n  ".join(["settings that cannot be:", *found]), remedy=f"Known settings: {known}.") from None
