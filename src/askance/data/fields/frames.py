"""The sentences around the lists of a collection: how they are learned, and how they cut a document's parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from askance.data.fields.background import LIFT, Background
from askance.data.fields.edges import Edge, learn_edges
from askance.data.fields.names import LONGEST
from askance.data.fields.tokens import is_word, tokens

LEAST_DOCUMENTS = 10
LEAST_SHARE = 0.01
LOOKED_AT = 400  # characters of a first or last part that a sentence is learned from
COMMON = 0.5
ALWAYS = 0.95  # a conjunction that so many lists have is asked of all


@dataclass(frozen=True)
class Frame:
    """A sentence: `before` NAME `between` item, item … item `behind` [NAME] `end`, all as they are written.

    `named`: where the name stands, before the list, after it, or nowhere. `conjunction` stands between the last two
    items; `must_join`: every list of two or more has it. `documents`: how many followed it where it was learned.
    """

    before: str
    between: str
    behind: str
    end: str
    named: Literal["before", "after", "nowhere"]
    conjunction: str | None = None
    must_join: bool = False
    documents: int = 0
    relation: str | None = None

    @property
    def written(self) -> int:
        """How many characters it prescribes: of two that fit, the longer one says more."""
        return len(self.before) + len(self.between) + len(self.behind) + len(self.end)


@dataclass(frozen=True)
class Cut:
    """A document's parts, cut by a frame."""

    frame: Frame
    name: str | None
    items: tuple[str, ...]


@dataclass(frozen=True)
class NoFit:
    """No frame fits; how near it came: 0 no beginning, 1 no name, 2 no end, 3 no list."""

    stage: int
    why: str


class Frames:
    """All sentences of a collection. `is_name` judges what stands where a name should."""

    def __init__(self, frames: Sequence[Frame], is_name: Callable[[str], bool]) -> None:
        self.frames = tuple(frames)
        self._is_name = is_name

    @cached_property
    def _by_length(self) -> tuple[Frame, ...]:
        return tuple(sorted(self.frames, key=lambda frame: -frame.written))

    def cut(self, parts: Sequence[str], known: Container[str]) -> Cut | NoFit:
        """By the longest frame that fits. `known` items decide where the last two are cut, where it is open."""
        nearest = NoFit(0, "no sentence of the collection begins like this")
        for frame in self._by_length:
            found = self._fit(frame, parts, known)
            if isinstance(found, Cut):
                return found
            if found.stage > nearest.stage:
                nearest = found
        return nearest

    def _fit(self, frame: Frame, parts: Sequence[str], known: Container[str]) -> Cut | NoFit:
        first = parts[0]
        if not first.startswith(frame.before):
            return NoFit(0, "no sentence of the collection begins like this")
        name: str | None = None
        if frame.named == "before":
            found = self._named_before(first, frame)
            if isinstance(found, NoFit):
                return found
            name, first = found
        else:
            first = first[len(frame.before) :]
        items = [first, *parts[1:]] if len(parts) == 1 or first.strip() else list(parts[1:])
        last = items[-1]
        if not last.endswith(frame.end):
            return NoFit(2, f"the sentence ends otherwise than with {frame.end!r}")
        last = last[: len(last) - len(frame.end)]
        if frame.named == "after":
            behind = self._named_after(last, frame)
            if isinstance(behind, NoFit):
                return behind
            last, name = behind
        joined = joined_items(last, frame, known, alone=len(items) == 1)
        if joined is None:
            return NoFit(3, f"the last two items are not joined by {(frame.conjunction or '').strip()!r}")
        items[0] = items[0].strip()
        items[-1:] = joined
        return Cut(frame, name, tuple(items))

    def _named_before(self, first: str, frame: Frame) -> tuple[str, str] | NoFit:
        begin = len(frame.before)
        if not frame.between:  # the first part is the name
            whole = first[begin:]
            return (whole, "") if self._is_name(whole) else NoFit(1, f"{whole[:60]!r} stands where the name should be")
        at = first.find(frame.between, begin + 1)
        if at < 0:
            return NoFit(0, f"there is no {frame.between.strip()!r} before the list")
        earliest = first[begin:at]
        while 0 <= at <= begin + LONGEST:
            if self._is_name(first[begin:at]):
                return first[begin:at], first[at + len(frame.between) :]
            at = first.find(frame.between, at + 1)
        return NoFit(1, f"{earliest[:60]!r} stands where the name should be")

    def _named_after(self, last: str, frame: Frame) -> tuple[str, str] | NoFit:
        at = last.rfind(frame.behind)
        while at >= max(0, len(last) - len(frame.behind) - LONGEST):
            name = last[at + len(frame.behind) :]
            if self._is_name(name):
                return last[:at], name
            at = last.rfind(frame.behind, 0, at)
        return NoFit(1, f"there is no name after {frame.behind.strip()!r}")


def joined_items(last: str, frame: Frame, known: Container[str], *, alone: bool) -> tuple[str, ...] | None:
    """The last part as one or two items; None where it should be two and is not."""
    mark = frame.conjunction
    if mark is None:
        return (last.strip(),)
    cuts = list(_cuts(last, mark))
    best: tuple[str, ...] | None = None
    for pair in cuts:  # the last one stands where the dictionary tells nothing
        if best is None or sum(item in known for item in pair) / len(pair) >= sum(item in known for item in best) / len(
            best
        ):
            best = pair
    whole = last.strip() in known
    if best is None or (whole and (alone or not frame.must_join)):
        return (last.strip(),) if alone or whole or not frame.must_join else None
    return best


def _cuts(last: str, mark: str) -> Iterator[tuple[str, ...]]:
    bare = mark.lstrip()
    if last.startswith(bare) and len(last) > len(bare) and bare != mark:
        yield (last[len(bare) :].strip(),)
    at = last.find(mark, 1)
    while at >= 0:
        left, right = last[:at].strip(), last[at + len(mark) :].strip()
        if left and right:
            yield left, right
        at = last.find(mark, at + 1)


def learn_frames(parts: Sequence[tuple[str, str | None]], counts: Mapping[str, int], least: int) -> list[Frame]:
    """The frames of a sample: of each document the first and the last part, None where there is but one.

    `counts`: the inner parts; `least`: documents that must share a frame.
    """
    forwards = Background(counts)
    backwards = forwards.reversed()
    heads = learn_edges([tokens(first[:LOOKED_AT]) for first, _ in parts], forwards, least, named=True)
    if not any(head.named for head in heads) and _names_alone([first for first, last in parts if last], counts):
        heads = [Edge((), (), True)]
    named = any(head.named for head in heads)
    held = [(head, _after_head(first, last, head)) for first, last in parts if (head := _head_of(first, heads))]
    tails = learn_edges([tokens(last[-LOOKED_AT:])[::-1] for _, last in held], backwards, least, named=not named)
    pairs: dict[tuple[Edge, Edge], list[str]] = {}
    for head, last in held:
        tail = _head_of(last, tails, backwards=True)
        if tail is not None:
            pairs.setdefault((head, tail), []).append(_before_tail(last, tail))
    frequent = sorted((pair for pair in pairs if len(pairs[pair]) >= least), key=lambda pair: -len(pairs[pair]))
    frames = [_frame(*pair, pairs[pair], forwards) for pair in frequent]
    # without a list, a name or a word around it nothing tells what a text is
    return _told_apart([frame for frame in frames if counts or frame.named != "nowhere" or _relation(frame.end)])


def _names_alone(firsts: Sequence[str], counts: Mapping[str, int]) -> bool:
    """Whether the first parts are no items, where most parts are: then each is a name."""
    repeated = sum(times for times in counts.values() if times > 1)
    known = sum(counts.get(first.strip(), 0) > 0 for first in firsts)
    return repeated > 0.5 * sum(counts.values()) and known < 0.1 * len(firsts)


def _head_of(text: str, edges: Sequence[Edge], *, backwards: bool = False) -> Edge | None:
    """The longest edge that fits."""
    ordered = sorted(edges, key=lambda edge: -sum(map(len, (*edge.before, *edge.between))))
    for edge in ordered:
        before, between = _text(edge.before, backwards), _text(edge.between, backwards)
        if backwards and text.endswith(before) and (not edge.named or between in text[: len(text) - len(before)]):
            return edge
        if backwards or not text.startswith(before):
            continue
        if not edge.named or not between or text.find(between, len(before) + 1) > 0:
            return edge
    return None


def _text(pieces: Sequence[str], backwards: bool) -> str:
    return "".join(reversed(pieces) if backwards else pieces)


def _after_head(first: str, last: str | None, head: Edge) -> str:
    if last is not None:
        return last
    before, between = "".join(head.before), "".join(head.between)
    return first[first.find(between, len(before) + 1) + len(between) :] if head.named else first[len(before) :]


def _before_tail(last: str, tail: Edge) -> str:
    before, between = _text(tail.before, True), _text(tail.between, True)
    body = last[: len(last) - len(before)]
    return body[: body.rfind(between)] if tail.named else body


def _conjunction(lasts: Sequence[str], background: Background) -> tuple[str | None, bool]:
    """What joins the last two items, with its blanks, and whether all lists have it."""
    holders: Counter[str] = Counter()
    joins: Counter[str] = Counter()  # with an item on each side
    for last in lasts:
        marks = dict(_marks(tokens(last[-LOOKED_AT:])))
        holders.update(marks.keys())
        joins.update(
            mark for mark, sides in marks.items() if all(background.counts.get(side, 0) > 1 for side in sides if side)
        )
    likely = [
        mark
        for mark, times in holders.items()
        if times >= COMMON * len(lasts) and times / len(lasts) > LIFT * background.holds(mark.strip())
    ]
    if not likely:
        return None, False
    mark = max(likely, key=lambda mark: (joins[mark], holders[mark], mark))
    return mark, holders[mark] >= ALWAYS * len(lasts)


def _marks(pieces: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every piece of the last part that may be the conjunction, and what stands on its sides."""
    for at, piece in enumerate(pieces[:-1]):
        if piece.isspace():
            continue
        left = pieces[at - 1] if at and pieces[at - 1].isspace() else ""
        right = pieces[at + 1] if pieces[at + 1].isspace() else ""
        if at > 0 or right:
            sides = "".join(pieces[:at]).strip(), "".join(pieces[at + 1 :]).strip()
            yield f"{left or (right if at == 0 else '')}{piece}{right}", sides


def _frame(head: Edge, tail: Edge, lasts: Sequence[str], background: Background) -> Frame:
    named: Literal["before", "after", "nowhere"] = "before" if head.named else "after" if tail.named else "nowhere"
    conjunction, always = _conjunction(lasts, background)
    return Frame(
        _text(head.before, False),
        _text(head.between, False),
        _text(tail.between, True),
        _text(tail.before, True),
        named,
        conjunction,
        always,
        len(lasts),
    )


def _told_apart(frames: Sequence[Frame]) -> list[Frame]:
    """The frames with their relations: the words around the list; the opening words too where else two are the same."""
    short = [_relation(frame.between, frame.behind, frame.end) for frame in frames]
    full = [_relation(frame.before, frame.between, frame.behind, frame.end) for frame in frames]
    times = Counter(short)
    chosen = [brief if times[brief] == 1 else whole for brief, whole in zip(short, full, strict=True)]
    return [replace(frame, relation=relation) for frame, relation in zip(frames, chosen, strict=True)]


def _relation(*around: str) -> str | None:
    """Pieces of a sentence as a name: signs at their edges left off, " … " where the items stand."""
    worded = []
    for piece in around:
        pieces = tokens(piece)
        words = [at for at, token in enumerate(pieces) if is_word(token)]
        if words:
            worded.append("".join(pieces[words[0] : words[-1] + 1]))
    return " … ".join(worded) or None
