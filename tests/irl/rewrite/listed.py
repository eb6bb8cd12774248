"""Small collections of the tests' own: "NAME RELATION ITEM; ITEM; ITEM."."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from askance.data.fields.schema import Fact, Fields, Outside, Record
from askance.irl.rewrite.counted import CountedVocabulary

LIKES = ("does not like", "knows someone who likes", "likes")


@dataclass(frozen=True)
class Listed:
    """Splits at the first relation that a text has, then at semicolons."""

    relations: tuple[str, ...] = LIKES
    named: bool = True

    def split(self, record: Record) -> Fields | Outside:
        text = str(record["text"])
        for relation in self.relations:
            name, found, rest = text.partition(f" {relation} ")
            if found:
                items = tuple(rest.rstrip(".").split("; "))
                return Fields(name, (Fact(items, relation if self.named else None),))
        return Outside("no match", "no relation in it")

    def described(self) -> Mapping[str, Any]:
        return {"kind": "listed"}


def listed(texts: Iterable[str], **schema: Any) -> CountedVocabulary:
    return CountedVocabulary.of(texts, schema=Listed(**schema))


LIKERS = (
    "Ann likes Snow; Honey; Likes.",
    "Bob likes Fans; People; Snow Leopards.",
    "Cy likes Birch Trees; Peter, Paul and Mary; Levi's Jeans; Mary.",
    "Di likes AT&T; 3.14; the U.S.A.; Paul.",
    "Flo likes ❤️; C++; 東京; The Feeling of Rain.",
    "Gus likes Snow; Ivy; Apple Cider.",
    "Hal likes Ivy; Apple Cider Vinegar; (Brackets); rock'n'roll; Ρόδος.",
    "Ivy Moon likes Tea; New York; Hot Springs; Dark Chocolate.",
)
