"""Classes of words that stand for each other: joined where they fill the same frames.

A frame is a text with one place left open. A word goes where most of its frames go, not where a single one leads, so
that one odd text does not run two classes together; classes are joined where they share a good part of their frames.
Time grows linearly with the number of (frame, word) pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

_SHARED = 0.2  # of the frames of the smaller of two classes


def linked(frames: Sequence[Sequence[str]]) -> list[frozenset[str]]:
    """Classes of two or more words. `frames`: the distinct words that fill each, two or more."""
    of_word: defaultdict[str, list[int]] = defaultdict(list)
    for at, fillers in enumerate(frames):
        for word in fillers:
            of_word[word].append(at)
    joined = _assigned(frames, of_word)
    joined = _merged(frames, joined)
    classes: defaultdict[int, set[str]] = defaultdict(set)
    for word, number in joined.items():
        classes[number].add(word)
    return sorted(
        (frozenset(each) for each in classes.values() if len(each) > 1), key=lambda one: (-len(one), min(one))
    )


def _assigned(frames: Sequence[Sequence[str]], of_word: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Word → class: that of the words before it in most of its frames, or a new one. Words with many frames first."""
    joined: dict[str, int] = {}
    seen: list[Counter[int]] = [Counter() for _ in frames]
    for word in sorted(of_word, key=lambda one: (-len(of_word[one]), one)):
        votes: Counter[int] = Counter()
        for frame in of_word[word]:
            votes.update(seen[frame].keys())
        best = min(votes, key=lambda number: (-votes[number], number)) if votes else len(joined)
        if votes and 2 * votes[best] < _SHARED * len(of_word[word]):
            best = len(joined)
        joined[word] = best
        for frame in of_word[word]:
            seen[frame][best] += 1
    return joined


def _merged(frames: Sequence[Sequence[str]], joined: dict[str, int]) -> dict[str, int]:
    """The same with classes merged while two of them share a fifth of the frames of the smaller one."""
    while True:
        alone: Counter[int] = Counter()
        both: Counter[tuple[int, int]] = Counter()
        for fillers in frames:
            present = sorted({joined[word] for word in fillers})
            alone.update(present)
            both.update((one, other) for at, one in enumerate(present) for other in present[at + 1 :])
        shared = {pair: count / min(alone[pair[0]], alone[pair[1]]) for pair, count in both.items()}
        close = [pair for pair, share in shared.items() if share >= _SHARED]
        if not close:
            return joined
        into: dict[int, int] = {}
        for one, other in sorted(close, key=lambda pair: (-shared[pair], -both[pair], pair)):
            if not {one, other} & (into.keys() | set(into.values())):
                into[other] = one
        joined = {word: into.get(number, number) for word, number in joined.items()}
