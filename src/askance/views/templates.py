"""Slots of templated texts: texts that differ in one place link the words that stand there.

Every text is hashed with one place left open; words that fill the same frame are linked (`linking`). Classes with many
members are open: objects, places. Those with few (clean, cool, heat) are what makes the texts differ in kind; they are
structure, and stay. Open classes are put into the texts under their sign and the search begins again, until nothing is
new: so are words found that share no whole text with another. Runs of words come last: two or three words that stand
where an open class stands, and are in no class themselves, are a member too ("soap bar").
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from askance.views.linking import linked

Text = tuple[str, ...]

_PRIME = (1 << 61) - 1
_ROUNDS = 12
_LONGEST_RUN = 3
_LONGEST_TEXT = 64  # words of a text in which runs are looked for: that takes the square of its length
_FEWEST, _MOST = 4, 32  # members: where the border between structure and open classes is looked for
_BORDER = 8  # members, where no gap shows it
_FEWEST_OPEN = 5
_STRAY = 0.05  # of how often the most frequent open class stands in a frame


@dataclass(frozen=True)
class Templates:
    """`open`: classes with many members; `closed`: those with few; `skeletons`: the texts with signs, and how often.

    In a skeleton the sign of open class n is chr(0xE000 + n). `border`: from how many members on a class is open.
    """

    open: tuple[frozenset[str], ...]
    closed: tuple[frozenset[str], ...]
    skeletons: Mapping[Text, int]
    border: float

    @property
    def covered(self) -> float:
        """Share of the words of all texts that are in open classes. Near 1, everything ran together: no templates."""
        held = sum(count * sum(map(_is_sign, text)) for text, count in self.skeletons.items())
        words = sum(count * len(text) for text, count in self.skeletons.items())
        return held / words if words else 0.0


def sign(number: int) -> str:
    """How an open class is written in skeletons: a private-use letter, which no analyzer gives."""
    return chr(0xE000 + number)


def induce(texts: Iterable[Text]) -> Templates:
    """The classes of these texts. Time grows linearly with their length, but for the few rounds."""
    counted = Counter(text for text in texts if text)
    classes: list[set[str]] = []
    border = float(_BORDER)
    closed: list[frozenset[str]] = []
    for _ in range(_ROUNDS):
        skeletons = _skeletons(counted, classes)
        found = linked(frames(skeletons))
        if not classes:
            border = _border([len(each) for each in found])
        closed = [each for each in found if not _is_open(each, classes, border)]
        if not _grown(classes, [each for each in found if _is_open(each, classes, border)]):
            break
    while _runs_joined(classes, closed, _skeletons(counted, classes)):
        pass
    ordered, renamed = _ordered(classes, counted)
    skeletons = _renamed(_skeletons(counted, classes), renamed)
    return Templates(ordered, tuple(closed), skeletons, border)


def linked_share(texts: Iterable[Text]) -> float:
    """Share of the distinct texts that differ from another one in exactly one place; 0 of none."""
    distinct = sorted(set(texts))
    if not distinct:
        return 0.0
    places = defaultdict(list)
    codes = _Codes()
    for number, text in enumerate(distinct):
        for key, _ in _masked(text, codes):
            places[key].append(number)
    return len({number for group in places.values() if len(group) > 1 for number in group}) / len(distinct)


def frames(texts: Mapping[Text, int]) -> list[list[str]]:
    """What fills each frame that two or more words fill: distinct words, one list a frame, in the order of the texts.

    `texts`: and how often each occurs. An open class that stands in a frame by a stray text only, where another one
    stands as a rule, is left out: it would run the two together.
    """
    codes = _Codes()
    found: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    for text, count in texts.items():
        for key, at in _masked(text, codes):
            found[key][text[at]] += count
    return [kept for fillers in found.values() if len(fillers) > 1 and len(kept := _without_strays(fillers)) > 1]


def _without_strays(fillers: Mapping[str, int]) -> list[str]:
    most = max((count for word, count in fillers.items() if _is_sign(word)), default=0)
    return [word for word, count in fillers.items() if not _is_sign(word) or count >= _STRAY * most]


class _Codes(dict[str, int]):
    """Word → a number drawn for it, the same in every run."""

    def __missing__(self, word: str) -> int:
        code = random.Random(word).getrandbits(61)
        self[word] = code
        return code


def _masked(text: Text, codes: Mapping[str, int]) -> Iterator[tuple[tuple[int, int], int]]:
    """(key of the frame, place) for each place. Texts of one word have no frame: it would say nothing."""
    if len(text) < 2:
        return
    total, factor, parts = 0, 1, []
    for word in text:
        part = codes[word] * factor % _PRIME
        parts.append(part)
        total += part
        factor = factor * 1_000_003 % _PRIME
    for at, part in enumerate(parts):
        yield ((total - part) % _PRIME, len(text) << 20 | at), at


def _border(sizes: Sequence[int]) -> float:
    """Between structure and open classes: the widest gap between neighbouring sizes, around ten members.

    8 where there is none between 4 and 32 members.
    """
    falling = sorted({*sizes, 1}, reverse=True)
    gaps = [
        (large / small, (large * small) ** 0.5)
        for large, small in zip(falling, falling[1:], strict=False)
        if _FEWEST <= (large * small) ** 0.5 <= _MOST and large > _FEWEST_OPEN
    ]
    return max(gaps)[1] if gaps else float(_BORDER)


def _is_open(found: frozenset[str], classes: Sequence[set[str]], border: float) -> bool:
    signs = {sign(number) for number in range(len(classes))}
    return bool(found & signs) or len(found) > border


def _grown(classes: list[set[str]], found: Sequence[frozenset[str]]) -> bool:
    """Puts what was found into the classes; whether anything was new."""
    grew = False
    for words in found:
        known = [number for number in range(len(classes)) if sign(number) in words]
        new = {word for word in words if not _is_sign(word)}
        if not known:
            classes.append(new)
            grew = True
            continue
        into = classes[known[0]]
        for number in known[1:]:  # two open classes that share their frames are one
            into |= classes[number]
            classes[number].clear()
        grew = grew or bool(new) or len(known) > 1
        into |= new
    return grew


def _is_sign(word: str) -> bool:
    return len(word) == 1 and 0xE000 <= ord(word) < 0xF8FF


def _is_private(word: str) -> bool:
    """A sign, or what stands for words that are open by rule."""
    return 0xE000 <= ord(word[0]) < 0xF900


def _skeletons(counted: Mapping[Text, int], classes: Sequence[set[str]]) -> dict[Text, int]:
    """The texts with the signs of the classes for their members, and how often each."""
    signs = {word: sign(number) for number, words in enumerate(classes) for word in words}
    longest = max((word.count(" ") + 1 for word in signs), default=1)
    found: Counter[Text] = Counter()
    for text, count in counted.items():
        found[_signed(text, signs, longest)] += count
    return dict(found)


def _signed(text: Text, signs: Mapping[str, str], longest: int) -> Text:
    if longest == 1:
        return tuple(signs.get(word, word) for word in text)
    out, at = [], 0
    while at < len(text):
        for length in range(min(longest, len(text) - at), 0, -1):
            run = " ".join(text[at : at + length])
            if run in signs or length == 1:
                out.append(signs.get(run, run))
                at += length
                break
    return tuple(out)


def _runs_joined(classes: list[set[str]], closed: Sequence[frozenset[str]], skeletons: Mapping[Text, int]) -> bool:
    """Adds runs of words that stand where an open class stands; whether there were any."""
    structure = {word for each in closed for word in each}
    halves: dict[tuple[Text, Text], set[int]] = defaultdict(set)
    for text in skeletons:
        for at, word in enumerate(text):
            if _is_sign(word) and 1 < len(text) <= _LONGEST_TEXT:
                halves[text[:at], text[at + 1 :]].add(ord(word) - 0xE000)
    found = []
    for text in skeletons:
        if len(text) > _LONGEST_TEXT:
            continue
        for length in range(2, _LONGEST_RUN + 1):
            for at in range(len(text) - length + 1):
                run = text[at : at + length]
                numbers = halves.get((text[:at], text[at + length :]), set())
                if len(numbers) == 1 and not any(word in structure or _is_private(word) for word in run):
                    found.append((next(iter(numbers)), " ".join(run)))
    for number, words in found:
        classes[number].add(words)
    return bool(found)


def _ordered(classes: Sequence[set[str]], counted: Mapping[Text, int]) -> tuple[tuple[frozenset[str], ...], list[int]]:
    """The classes, the most members first, and the new number of each old one."""
    order = sorted(range(len(classes)), key=lambda number: (-len(classes[number]), min(classes[number], default="")))
    renamed = [0] * len(classes)
    for new, old in enumerate(order):
        renamed[old] = new
    return tuple(frozenset(classes[number]) for number in order if classes[number]), renamed


def _renamed(skeletons: Mapping[Text, int], renamed: Sequence[int]) -> dict[Text, int]:
    out: Counter[Text] = Counter()
    for text, count in skeletons.items():
        out[tuple(sign(renamed[ord(word) - 0xE000]) if _is_sign(word) else word for word in text)] += count
    return dict(out)
