"""A schema that is learned from the documents: the collection decides what is sentence and what is content.

No language is known and nothing is set. What recurs around the lists is the sentence: its words between name and list
are the relation. What recurs in the lists is an item. A document fits where every slot holds what the collection puts
there; what does not fit is outside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any

from askance.core.errors import BadInput
from askance.data.fields.dictionary import DOUBTFUL, Dictionary, learn_dictionary
from askance.data.fields.frames import LEAST_DOCUMENTS, LEAST_SHARE, Cut, Frame, Frames, NoFit, learn_frames
from askance.data.fields.names import Names, learn_names
from askance.data.fields.part_counts import PartCounts
from askance.data.fields.records import text_of
from askance.data.fields.schema import Fact, Fields, Outside, Record
from askance.data.fields.separators import learn_separator

FIRST_LOOK = 1000  # documents that decide the separator
CHUNK = 2048
MOST_EDGES = 200_000  # documents whose first and last parts are kept; of more, a sample, and the items of the others
MOST_ITEMS = 1_000_000  # of those others that are counted at once; then those seen once are dropped
LONGEST_EDGE = 1000  # characters of them that are kept
LONGEST_ITEM = 200  # characters of an inner part that are kept
FITTING = 0.5  # of the documents have a name and a list, at least, where many parts occur once: or they are no lists
SAMPLE = 10_000  # of those, how many the sentences are learned from
_KINDS = {0: "no match", 1: "name", 2: "ending", 3: "not a list"}
_WHOLE = "\uf8ff"  # stands for a separator inside an item while a text is cut
_BLANK = "\uf8fe"  # and this for a blank
_QUOTED = re.compile(r'(?<!\w)"([^"]+)"(?!\w)')


@dataclass(frozen=True)
class FramedSchema:
    """What was learned: the sentences, the separator, what names look like, the items.

    `whole`: items with a separator inside. `doubts`: what could not be told, in sentences, with counts.
    """

    field: str
    separator: str | None
    frames: tuple[Frame, ...]
    names: Names
    dictionary: Dictionary
    whole: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    def split(self, record: Record) -> Fields | Outside:
        text = text_of(record, self.field)
        if isinstance(text, Outside):
            return text
        cut = self._cutter.cut(self.parts(text), self.dictionary.known)
        if isinstance(cut, NoFit):
            return Outside(_KINDS[cut.stage], cut.why)
        items = cut.items
        if self.whole or '"' in text:
            items = tuple(restored(item, self.separator) for item in items)
        if not self.dictionary.known.issuperset(items):
            items = tuple(item.strip() for item in items)
        objection = self.dictionary.objection(items)
        if objection is not None:
            return objection
        return Fields(cut.name, (Fact(items, cut.frame.relation),))

    def parts(self, text: str) -> list[str]:
        """The text cut at the separator, but not inside an item that is one."""
        if self.separator is None:
            return [text]
        return cut_at(text, self.separator, self._whole)

    def described(self) -> Mapping[str, Any]:
        return {
            "kind": "learned",
            "field": self.field,
            "separator": self.separator,
            "frames": [asdict(frame) for frame in self.frames],
            "names": None if self.names.shapes is None else sorted(self.names.shapes),
            "items": sorted(self.dictionary.known),
            "rate": self.dictionary.rate,
            "documents": self.dictionary.documents,
            "usual": self.dictionary.usual,
            "glue": sorted(self.dictionary.glue),
            "longest": self.dictionary.longest,
            "strict": [self.dictionary.strict_edges, self.dictionary.strict_inside],
            "whole": list(self.whole),
            "doubts": list(self.doubts),
        }

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> FramedSchema:
        """From what `described` gave; BadInput where something is missing or of another kind."""
        try:
            names = described["names"]
            return cls(
                described["field"],
                described["separator"],
                tuple(Frame(**frame) for frame in described["frames"]),
                Names(None if names is None else frozenset(names)),
                Dictionary(
                    frozenset(described["items"]),
                    float(described["rate"]),
                    int(described["documents"]),
                    int(described["usual"]),
                    frozenset(described["glue"]),
                    int(described["longest"]),
                    *map(bool, described["strict"]),
                ),
                tuple(described["whole"]),
                tuple(described["doubts"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"the learned schema that was written down is damaged ({error!r})", remedy="Build the index again."
            ) from None

    @cached_property
    def _cutter(self) -> Frames:
        return Frames(self.frames, self.names.plausible)

    @cached_property
    def _whole(self) -> re.Pattern[str] | None:
        return whole_items(self.whole)


class LearnedSchema:
    """Learns a FramedSchema from the field `field` of all documents, in one pass and bounded memory."""

    def __init__(self, field: str = "text") -> None:
        self.field = field

    def learn(self, records: Iterable[Record]) -> FramedSchema:
        texts = (text for record in records if isinstance(text := record.get(self.field), str))
        look = list(islice(texts, FIRST_LOOK))
        separator = learn_separator(look)
        seen = _Seen(separator)
        for chunk in _chunks(_joined(look, texts)):
            seen.add(chunk)
        return _schema(self.field, separator, seen)


class _Seen:
    """What one pass over the documents leaves: counts of inner parts, and first and last parts.

    `firsts`, `lasts`: items of first and last parts that are not kept, as the sentences of those kept before cut them.
    An item that few documents hold may stand at an edge in any of them, and must not be taken for one that occurs once.
    """

    def __init__(self, separator: str | None) -> None:
        self.separator = separator
        self.documents = 0
        self.counts = PartCounts()
        self.edges: list[tuple[str, str | None]] = []
        self.firsts: Counter[str] = Counter()
        self.lasts: Counter[str] = Counter()
        self._random = Random(0)
        self._cut: Callable[[tuple[str, str | None]], Cut | NoFit] | None = None

    def add(self, texts: Sequence[str]) -> None:
        separator = self.separator
        lists = [[text] for text in texts] if separator is None else [cut_at(text, separator, None) for text in texts]
        inner = [
            [restored(part, separator) for part in parts[1:-1]] if '"' in text else parts[1:-1]
            for text, parts in zip(texts, lists, strict=True)
        ]
        self.counts.add([_cut_short(parts) for parts in inner])
        edges = [(parts[0][:LONGEST_EDGE], parts[-1][-LONGEST_EDGE:] if len(parts) > 1 else None) for parts in lists]
        room = MOST_EDGES - len(self.edges)
        self.edges.extend(edges[:room] if room > 0 else [])
        for number, edge in enumerate(edges[max(room, 0) :], self.documents + max(room, 0)):
            place = self._random.randrange(number + 1)
            if place < MOST_EDGES:
                self.edges[place], edge = edge, self.edges[place]
            self._count(edge)
        self.documents += len(texts)

    def _count(self, edge: tuple[str, str | None]) -> None:
        """The items of first and last parts that are kept no longer."""
        if self._cut is None:
            frames, names, known = _sentences(self.edges, self.counts.counts())
            cutter = Frames(frames, names.plausible)
            self._cut = lambda edge: cutter.cut(_parts(edge), known)
        cut = self._cut(edge)
        if isinstance(cut, Cut):
            self.firsts[cut.items[0]] += 1
            self.lasts.update(cut.items[1:])
            for counted in (self.firsts, self.lasts):
                if len(counted) > MOST_ITEMS:
                    for item in [item for item, times in counted.items() if times == 1]:
                        del counted[item]


def _schema(field: str, separator: str | None, seen: _Seen) -> FramedSchema:
    stuck = seen.counts.stuck() if separator is not None else []
    inner = seen.counts.counts()
    whole = tuple((separator or "").join(chain) for chain in stuck)
    for chain, item in zip(stuck, whole, strict=True):
        inner[item] = inner[chain[0]]
        for part in chain:
            inner.pop(part, None)
    frames, names, known = _sentences(seen.edges, inner)
    firsts, lasts = Counter(seen.firsts), Counter(seen.lasts)
    holders: dict[str, int] = {}
    named = 0
    for document, cut in _cuts(seen.edges, Frames(frames, names.plausible), known):
        named += cut.name is not None
        firsts[cut.items[0]] += 1
        lasts.update(cut.items[1:])
        holders.update(dict.fromkeys(cut.items, document))
    unknown = seen.counts.unknown(firsts + lasts, holders if seen.documents == len(seen.edges) else {})
    dictionary = learn_dictionary(inner, firsts, lasts, unknown, seen.counts.fixed())
    if dictionary.rate >= DOUBTFUL and named < FITTING * len(seen.edges):
        frames = []
    doubts = _doubts(seen.documents, frames, dictionary)
    return FramedSchema(field, separator, tuple(frames), names, dictionary, whole, doubts)


def _sentences(
    edges: Sequence[tuple[str, str | None]], inner: Mapping[str, int]
) -> tuple[list[Frame], Names, Container[str]]:
    """The sentences, what names look like, and the inner parts that recur."""
    sampled = len(edges) > SAMPLE
    some = Random(0).sample(edges, SAMPLE) if sampled else edges
    frames = learn_frames(some, inner, _least(len(some), sampled=sampled))
    known = {part for part, times in inner.items() if times > 1}
    loose = Frames(frames, Names().plausible)
    return frames, learn_names(cut.name for _, cut in _cuts(some, loose, known) if cut.name is not None), known


def _cut_short(parts: list[str]) -> list[str]:
    """The parts; none holds more memory than an item may."""
    if max(map(len, parts), default=0) <= LONGEST_ITEM:
        return parts
    return [part[:LONGEST_ITEM] for part in parts]


def _cuts(edges: Sequence[tuple[str, str | None]], frames: Frames, known: Container[str]) -> Iterator[tuple[int, Cut]]:
    """Which documents a frame fits, and how their first and last parts are cut."""
    for document, edge in enumerate(edges):
        cut = frames.cut(_parts(edge), known)
        if isinstance(cut, Cut):
            yield document, cut


def _parts(edge: tuple[str, str | None]) -> list[str]:
    first, last = edge
    return [first] if last is None else [first, last]


def _least(documents: int, *, sampled: bool) -> int:
    """How many documents must share a sentence; a sample of a collection may hold a few less than their share."""
    share = LEAST_SHARE * (0.7 if sampled else 1.0)
    return max(min(LEAST_DOCUMENTS, (documents + 1) // 2, documents), int(share * documents), 2)


def _doubts(documents: int, frames: Sequence[Frame], dictionary: Dictionary) -> tuple[str, ...]:
    doubts = []
    if not frames:
        doubts.append(f"no sentence around lists is shared by enough of the {documents} documents: all are outside")
    if frames and dictionary.rate >= DOUBTFUL:
        doubts.append(
            f"{dictionary.rate:.0%} of the parts occur once: what is an item and what is not can hardly be told"
        )
    elif frames and not dictionary.saturated:
        doubts.append(f"{dictionary.rate:.2%} of the parts occur once: a single unknown part does not put one outside")
    return tuple(doubts)


def cut_at(text: str, separator: str, whole: re.Pattern[str] | None) -> list[str]:
    """The parts between separators; an item in quotes, or one that matches `whole`, stays one, marked."""
    if '"' not in text and whole is None:
        return text.split(separator)
    marked = _QUOTED.sub(lambda found: _marked(found[1], separator), text)
    if whole is not None:
        marked = whole.sub(lambda found: _marked(found[0], separator), marked)
    return marked.split(separator)


def _marked(item: str, separator: str) -> str:
    return item.replace(separator, _WHOLE).replace(" ", _BLANK)


def restored(item: str, separator: str | None) -> str:
    """An item with its separators and blanks back."""
    return item.replace(_WHOLE, separator or _WHOLE).replace(_BLANK, " ")


def whole_items(items: Sequence[str]) -> re.Pattern[str] | None:
    """Finds these items where no word goes on before or after."""
    if not items:
        return None
    longest = sorted(items, key=lambda item: (-len(item), item))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")


def _joined(look: Sequence[str], rest: Iterator[str]) -> Iterator[str]:
    yield from look
    yield from rest


def _chunks(texts: Iterator[str]) -> Iterator[list[str]]:
    while chunk := list(islice(texts, CHUNK)):
        yield chunk
