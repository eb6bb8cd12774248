"""Where a sentence meets its list: which pieces before the first item (or, read backwards, after the last) are
template, and where a name stands among them. Only counts decide, no word is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from askance.data.fields.background import LIFT, Background, distance, lengths
from askance.data.fields.tokens import is_word

Pieces = list[str]

CLOSED = 0.995  # a piece that so many share is template without further question
IN_MOST = 0.9  # texts that hold a piece: an item goes no further than to it
COMMON = 0.5  # a first piece that so many share may open the sentence
MOST_EDGES = 32
MOST_VARIANTS = 8  # more different pieces in one place are content


@dataclass(frozen=True)
class Edge:
    """`before` a name `between` an item, as pieces in reading order. Without a name `between` is empty."""

    before: tuple[str, ...]
    between: tuple[str, ...]
    named: bool


def learn_edges(texts: Sequence[Pieces], background: Background, least: int, *, named: bool) -> list[Edge]:
    """The edges that at least `least` of the texts share, most frequent first. `named`: whether to look for a name."""
    edges: list[Edge] = []
    remaining = [text for text in texts if text]
    if not named:
        return _nameless(remaining, background, least)
    aside: list[Pieces] = []
    while len(remaining) >= least and len(edges) < MOST_EDGES:
        opening = _opening(remaining, background)
        group = [text for text in remaining if text[: len(opening)] == opening]
        found = _named_edges(group, opening, background, least)
        if found:
            edges.extend(edge for edge in found if edge not in edges)
            left = [text for text in remaining if not any(fits(edge, text) for edge in found)]
        else:  # these share nothing that a name could stand before
            aside.extend(group)
            left = [text for text in remaining if text[: len(opening)] != opening]
        if len(left) == len(remaining):
            break
        remaining = left
    return edges or _nameless(aside, background, least)


def _nameless(texts: Sequence[Pieces], background: Background, least: int) -> list[Edge]:
    holders = Counter(piece for text in texts for piece in set(text) if not piece.isspace())
    stops = frozenset(piece for piece, times in holders.items() if times >= IN_MOST * len(texts))
    return [Edge(tuple(extra), (), False) for extra, _ in _grown(texts, background, least, stops)]


def fits(edge: Edge, text: Pieces) -> bool:
    """Whether the pieces of the edge stand in the text, with something where the name is."""
    begin = len(edge.before)
    if tuple(text[:begin]) != edge.before:
        return False
    if not edge.named:
        return True
    size = len(edge.between)
    return any(tuple(text[at : at + size]) == edge.between for at in range(begin + 1, len(text) - size + 1))


def _opening(texts: Sequence[Pieces], background: Background) -> Pieces:
    """The pieces that most texts begin with."""
    opening: Pieces = []
    group = list(texts)
    while group:
        at = len(opening)
        counted = Counter(text[at] for text in group if len(text) > at)
        if not counted:
            break
        piece, times = max(counted.items(), key=lambda entry: (entry[1], entry[0]))
        if times < COMMON * len(texts) or background.starts([*opening, piece]) * LIFT > times / len(texts):
            break
        opening.append(piece)
        group = [text for text in group if len(text) > at and text[at] == piece]
    return opening


def _named_edges(group: Sequence[Pieces], opening: Pieces, background: Background, least: int) -> list[Edge]:
    anchor = _anchor(group, len(opening), background, least)
    if anchor is None:
        return []
    begin = len(opening)
    sides = []
    for text in group:
        at = _find(text, anchor, begin + 1)
        if at is not None:
            sides.append((text[begin:at], text[at + 1 :]))
    edges: list[tuple[int, Edge]] = []
    for extra, members in _grown([right for _, right in sides], background, least):
        lefts = [sides[number][0][::-1] for number in members]
        for leading, owners in _grown_left(lefts, least):
            between = (*reversed(leading), anchor, *extra)
            names = [lefts[number][len(leading) :][::-1] for number in owners]
            for first, those in _grown_left(names, least):
                edges.append((len(those), Edge((*opening, *first), between, True)))
    return [edge for _, edge in sorted(edges, key=lambda entry: (-entry[0], entry[1].between, entry[1].before))]


def _anchor(group: Sequence[Pieces], begin: int, background: Background, least: int) -> str | None:
    """The piece that most texts hold after a first piece that may be a name; of equals, the first in the text."""
    holders: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for text in group:
        for piece, at in {piece: at for at, piece in reversed(list(enumerate(text))) if at > begin}.items():
            if not piece.isspace():
                holders[piece] += 1
                places[piece] += at
    known = [
        piece
        for piece, times in holders.items()
        if times >= least and times / len(group) > LIFT * background.holds(piece)
    ]
    if not known:
        return None
    most = max(holders[piece] for piece in known)
    equal = [piece for piece in known if holders[piece] >= 0.98 * most]
    return min(equal, key=lambda piece: (places[piece] / holders[piece], piece))


def _find(text: Pieces, piece: str, begin: int) -> int | None:
    return next((at for at in range(begin, len(text)) if text[at] == piece), None)


def _grown(
    rights: Sequence[Pieces], background: Background, least: int, stops: frozenset[str] = frozenset()
) -> list[tuple[Pieces, list[int]]]:
    """Template pieces at the start of what follows, as (pieces, which texts), longest first."""
    done: list[tuple[Pieces, list[int]]] = []
    # all pieces, those since an item may have begun, which texts
    waiting: list[tuple[Pieces, Pieces, list[int]]] = [([], [], list(range(len(rights))))]
    while waiting:
        pieces, slot, members = waiting.pop()
        children: dict[str, list[int]] = {}
        for number in members:
            if len(rights[number]) > len(pieces):
                children.setdefault(rights[number][len(pieces)], []).append(number)
        taken: set[int] = set()
        for child, inside in sorted(children.items()):
            if len(inside) < least:
                continue
            share = len(inside) / len(members)
            texts = [rights[number] for number in inside]
            if not _is_template(child, slot, share, texts, len(pieces), background, stops):
                continue
            taken.update(inside)
            begun = [*slot, child] if slot or not child.isspace() else []
            waiting.append(([*pieces, child], begun, inside))
        rest = [number for number in members if number not in taken]
        if len(rest) >= least or (rest and not taken):
            done.append((pieces, rest))
    return sorted(done, key=lambda entry: -len(entry[0]))


def _is_template(
    child: str,
    slot: Pieces,
    share: float,
    texts: Sequence[Pieces],
    depth: int,
    background: Background,
    stops: frozenset[str],
) -> bool:
    """Whether the piece `child` of these texts, a `share` of those that came so far, belongs to the sentence."""
    if child.isspace():
        return share >= CLOSED or bool(slot)
    if share <= LIFT * max(background.starts([*slot, child]), background.starts([child])):
        return False
    if share < CLOSED and sum(_ends(text[depth + 1 :], stops) for text in texts) > 0.5 * len(texts):
        return False  # it is all that stands there: an item that many lists begin with
    if background.thin:
        return True
    begin = depth - len(slot)
    known = sum(
        1
        for text in texts
        if _begins_with_item(text[begin:], len(slot) + 1, background) or _begins_with_item(text[depth:], 1, background)
    )
    return known < 0.5 * len(texts)


def _ends(rest: Pieces, stops: frozenset[str]) -> bool:
    """Whether the slot of an item is empty."""
    following = next((piece for piece in rest if not piece.isspace()), None)
    return following is None or following in stops


def _begins_with_item(pieces: Pieces, least: int, background: Background) -> bool:
    return any(background.knows(pieces[:size]) for size in range(least, min(len(pieces), least + 12) + 1))


def _grown_left(lefts: Sequence[Pieces], least: int) -> list[tuple[Pieces, list[int]]]:
    """Template pieces at one end of what holds a name, read from that end, and which texts have them."""
    done: list[tuple[Pieces, list[int]]] = []
    waiting: list[tuple[Pieces, list[int]]] = [([], list(range(len(lefts))))]
    while waiting:
        pieces, members = waiting.pop()
        pieces = [*pieces, *_shared(lefts, members, len(pieces))]
        depth = len(pieces)
        children: dict[str, list[int]] = {}
        for number in members:
            if len(lefts[number]) > depth:
                children.setdefault(lefts[number][depth], []).append(number)
        frequent = {child: inside for child, inside in children.items() if len(inside) >= least}
        plain = [number for child, inside in children.items() if child not in frequent for number in inside]
        taken: set[int] = set()
        for child, inside in sorted(frequent.items()):
            reach = [*pieces, child, *_shared(lefts, inside, depth + 1)]
            if _belongs_to_template(lefts, inside, plain, depth, reach, len(frequent), len(members)):
                taken.update(inside)
                waiting.append((reach, inside))
        rest = [number for number in members if number not in taken]
        if len(rest) >= least:
            done.append((pieces, rest))
    return done


def _shared(lefts: Sequence[Pieces], members: Sequence[int], depth: int) -> Pieces:
    """The pieces from `depth` on that all members share, short of the whole text."""
    shared: Pieces = []
    while members:
        at = depth + len(shared)
        counted = Counter(lefts[number][at] for number in members if len(lefts[number]) > at + 1)
        if not counted:
            break
        piece, times = max(counted.items(), key=lambda entry: (entry[1], entry[0]))
        if times < CLOSED * len(members):
            break
        shared.append(piece)
    return shared


def _belongs_to_template(
    lefts: Sequence[Pieces],
    inside: Sequence[int],
    plain: Sequence[int],
    depth: int,
    reach: Pieces,
    variants: int,
    members: int,
) -> bool:
    """Whether the names look more like the other names without these pieces than with them."""
    if not any(map(is_word, reach[depth:])) and not reach[depth:]:
        return False
    short = [lefts[number] for number in inside if len(lefts[number]) <= len(reach)]
    if len(short) > 0.05 * len(inside):
        return False  # a name would be left empty
    if len(plain) < 0.05 * members:
        return variants <= MOST_VARIANTS
    usual = lengths([lefts[number][depth:] for number in plain])
    here = lengths([lefts[number][depth:] for number in inside])
    words = sum(map(is_word, reach[depth:]))
    if words == 0:
        return True
    return distance(here, usual, words) < distance(here, usual)
