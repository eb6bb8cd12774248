"""Blind spots: documents that no query finds which keeps their structure and has other words for what they are about.

A query is made of the document itself: its open-class words, names and identifiers become others of the collection. A
kind is the documents of one structure. Since a query cannot tell the documents of a kind apart, a document counts as
found where it is among the first k, or among as many as its kind has. A retriever that reads structure finds all.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askance.core.estimate import Estimate
from askance.data.run import Run
from askance.diagnose.probe.edits import Edits, edits_of, swapping
from askance.diagnose.probe.pool import Pool
from askance.diagnose.probe.reading import TokenReader
from askance.measure.intervals import proportion

OTHERS = "all other kinds"
_FEWEST = 5  # documents asked about of a kind that is shown by itself
_MOST_KINDS = 12
_DRAWS = 3


@dataclass(frozen=True)
class BlindKind:
    """A kind of documents. `blind`: share never found; `chance`: what a random order would miss.

    `kind`: the structure, open words as …; `example`: a document of it; `documents`: how many the corpus has.
    """

    kind: str
    example: str
    documents: int
    blind: Estimate
    chance: float

    def record(self, system: str) -> dict[str, object]:
        """One line of the machine form."""
        return {
            "system": system,
            "kind": self.kind,
            "example": self.example,
            "documents": self.documents,
            "estimate": self.blind.record(),
            "chance": self.chance,
        }


@dataclass(frozen=True)
class Sought:
    """The documents asked about (positions), the queries made of them, and the kind of every document."""

    documents: tuple[int, ...]
    edits: Edits
    kinds: tuple[str, ...]


def sought(reader: TokenReader, pool: Pool, texts: Sequence[str], most: int, seed: int) -> Sought:
    """Queries for at most `most` documents, drawn by seed; equal seeds give equal queries."""
    positions = list(range(len(texts)))
    if len(positions) > most:
        positions = sorted(random.Random(f"probe:{seed}:blind").sample(positions, most))
    groups = [group for group in reader.groups() if reader.is_surface(group)]
    edits = edits_of("blind", [texts[at] for at in positions], swapping(reader, pool, groups), seed, _DRAWS)
    return Sought(tuple(positions), edits, tuple(_kind(reader, text) for text in texts))


def blind_spots(wanted: Sought, texts: Sequence[str], run: Run, start: int, k: int) -> tuple[BlindKind, ...]:
    """All documents first, then the kinds, the most frequent first. `run`: from row `start` on, lists of the edits."""
    sizes = Counter(wanted.kinds)
    places: defaultdict[int, list[bool]] = defaultdict(list)
    chances: defaultdict[int, float] = defaultdict(lambda: 1.0)
    for row, edit in enumerate(wanted.edits.made):
        document = wanted.documents[edit.source]
        first = max(k, sizes[wanted.kinds[document]])
        found, _ = run.of_query(start + row)
        places[document].append(bool((found[:first] == document).any()))
        chances[document] *= max(0.0, 1 - first / len(texts))
    missed = {document: not any(found) for document, found in places.items()}
    asked = Counter(wanted.kinds[document] for document in missed)
    shown = [kind for kind in sorted(asked, key=lambda kind: (-sizes[kind], kind)) if asked[kind] >= _FEWEST]
    shown = shown[:_MOST_KINDS]

    def of(name: str, documents: Sequence[int], size: int, left: int = 0) -> BlindKind:
        out = {"documents of which no query could be made": left} if left else {}
        chance = float(np.mean([chances[one] for one in documents])) if documents else 0.0
        rate = proportion(sum(missed[one] for one in documents), len(documents), out)
        return BlindKind(name, texts[documents[0]] if documents else "", size, rate, chance)

    lines = [of("all documents", list(missed), len(texts), wanted.edits.dropped.total())]
    lines += [of(kind, [one for one in missed if wanted.kinds[one] == kind], sizes[kind]) for kind in shown]
    rest = [one for one in missed if wanted.kinds[one] not in shown]
    if rest and shown:
        lines.append(of(OTHERS, rest, sum(sizes[kind] for kind in sizes if kind not in shown)))
    return tuple(lines)


def _kind(reader: TokenReader, text: str) -> str:
    """The text with … for the words that the queries change, words in lower case."""
    return " ".join("…" if reader.is_surface(piece.group) else piece.term for piece in reader.pieces(text))
