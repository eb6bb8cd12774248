"""Slots learned from 25,000, 50,000 and 100,000 made descriptions: is the time near linear, and below a minute?

Run: python bench/slots.py [descriptions …]. *Templated*: goals of four hundred things, a hundred places and eight verbs
in six frames, as programs write them. *Worded*: two or three sentences each, as people write them: two thousand
things and places with parts before them, how often each follows Zipf, ways of saying by choice, asides by chance,
numbers and names; they are learned by contexts. All descriptions of one kind are different from one another. Each size
is learned in a process of its own. Times are the processor's, so that other work on the machine does not count, beside
them those of the clock. *Different*: views; *open*: members of the largest open classes. Limits: 100,000 in less than
60 s, and time a description grows by no more than a quarter from the smallest size to the largest.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from askance.views.classes import Method, SlotSettings
from askance.views.slots import Slots

SIZES = (25_000, 50_000, 100_000)
MOST_SECONDS, MOST_GROWTH = 60.0, 1.25
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
VERBS = ("clean", "heat", "cool", "examine", "slice", "open", "weigh", "fill")
FRAMES = (
    "{verb} some {thing} and put it in {place}.",
    "put a {verb} {thing} in {place}.",
    "{verb} the {thing} with the {place}.",
    "find two {thing} and put them on {place}.",
    "look at {thing} under the {place}, then {verb} it.",
    "take a {thing} from {place} to the {other}.",
)
BEGIN = ("Walk over to", "Turn around and go to", "Go to", "Head to", "Look for", "Cross the room to", "Face")
DO = ("pick up", "grab", "take", "carefully remove", "get", "lift")
TREAT = ("rinse", "wash", "chill", "warm up", "cut", "dry", "shake")
END = ("put it", "place it", "set it down", "leave it", "drop it gently")
NEAR = ("on", "in", "next to", "under", "to the left of", "behind", "in front of")
LIKE = ("small", "large", "red", "dirty", "empty", "wooden", "black", "old", "heavy", "white")


def words(count: int, draw: random.Random) -> list[str]:
    """Different made words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(draw.choices(SYLLABLES, k=draw.choice((2, 3, 3))))] = None
    return list(found)


def templated(draw: random.Random) -> Iterator[str]:
    nouns = words(500, draw)
    things, places = nouns[:400], nouns[400:]
    while True:
        place, other = draw.sample(places, 2)
        yield draw.choice(FRAMES).format(verb=draw.choice(VERBS), thing=draw.choice(things), place=place, other=other)


def worded(draw: random.Random) -> Iterator[str]:
    nouns = words(2_050, draw)
    things, places, names = nouns[:1_400], nouns[1_400:2_000], [word.capitalize() for word in nouns[2_000:]]

    def one_of(nouns: Sequence[str]) -> str:
        noun = nouns[min(int(len(nouns) ** draw.random()) - 1, len(nouns) - 1)]
        return f"{draw.choice(LIKE)} {noun}" if draw.random() < 0.3 else noun

    while True:
        place, thing = one_of(places), one_of(things)
        said = [f"{draw.choice(BEGIN)} the {place}"]
        said.append(f"{draw.choice(DO)} the {thing} {draw.choice(NEAR)} the {one_of(places)}")
        if draw.random() < 0.5:
            said.append(f"{draw.choice(TREAT)} it in the {one_of(places)} for {draw.randint(2, 90)} seconds")
        if draw.random() < 0.2:
            said.append(f"ask {draw.choice(names)} for the {one_of(things)}")
        said.append(f"{draw.choice(END)} {draw.choice(NEAR)} the {one_of(places)}")
        yield " and ".join(said) + "." if draw.random() < 0.4 else ". Then ".join(said) + "."


KINDS: Mapping[str, Callable[[random.Random], Iterator[str]]] = {"templated": templated, "worded": worded}
METHODS: Mapping[str, Method] = {"templated": "templates", "worded": "contexts"}


def learn(kind: str, size: int) -> Mapping[str, Any]:
    """In a process of its own: learn, then make one view of each description."""
    seen: dict[str, None] = {}
    for text in KINDS[kind](random.Random(5)):
        seen[text] = None
        if len(seen) == size:
            break
    texts = list(seen)
    begun, clock = time.process_time(), time.perf_counter()
    slots = Slots.learn(texts, settings=SlotSettings(method=METHODS[kind]))
    learned, clock = time.process_time(), time.perf_counter() - clock
    distinct = len(set(slots.views(texts)))
    return {
        "method": slots.method,
        "seconds": learned - begun,
        "clock": clock,
        "views": time.process_time() - learned,
        "distinct": distinct,
        "words": sum(len(text.split()) for text in texts),
        "open": [len(each.members) for each in slots.open if each.rule is None][:4],
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }


def main(given: Sequence[str]) -> int:
    if given and given[0] in KINDS:
        print(json.dumps(learn(given[0], int(given[1]))))
        return 0
    sizes = [int(size) for size in given] or list(SIZES)
    print("| kind | descriptions | words | method | learning, s | by the clock | views, s | different | open | MB |")
    print("|---|--:|--:|---|--:|--:|--:|--:|---|--:|")
    reached = [_kind(kind, sizes) for kind in KINDS]
    return 0 if all(reached) else 1


def _kind(kind: str, sizes: Sequence[int]) -> bool:
    """Print the rows of a kind; whether it keeps the limits."""
    found = []
    for size in sizes:
        command = [sys.executable, __file__, kind, str(size)]
        one = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        found.append(one)
        figures = (
            f"{one['seconds']:.1f} | {one['clock']:.1f} | {one['views']:.1f} | {one['distinct']:,} | {one['open']}"
        )
        print(f"| {kind} | {size:,} | {one['words']:,} | {one['method']} | {figures} | {one['peak'] / 1e6:,.0f} |")
    growth = (found[-1]["seconds"] / sizes[-1]) / (found[0]["seconds"] / sizes[0])
    met = found[-1]["seconds"] < MOST_SECONDS and growth <= MOST_GROWTH
    told = f"{found[-1]['seconds']:.1f} s; time a description × {growth:.2f}"
    print(f"| {kind} | limits | | | {told}: {'met' if met else 'MISSED'} | | | | | |")
    return bool(met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
