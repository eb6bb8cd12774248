"""At which step of a past trajectory to enter: where it stood as the agent stands now.

States are compared in the view, where this kitchen's things and places are slots, and by which of the things that the
task is about are there: seeing the wanted mug is like seeing the wanted cup, and unlike seeing any other thing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from askance.data.adapters.agent_logs import Log
from askance.retrieve.recall.likeness import ByWords
from askance.views.slots import Slots


def entry(slots: Slots, task: str, state: str, log: Log) -> tuple[int | None, float]:
    """(position of the step that begins in the state most like this one, how like); the first of equals.

    How like: c · (1 + j) / 2, where c is the cosine of the views' words and pairs (see `ByWords`), and j the overlap
    (Jaccard) of which words of the task are there, 1 where none of them is in either: half of the likeness is lost
    where one has the wanted thing and the other has not. A step that tells no state is taken to begin where the action
    before it ended. None where no step shares a word with the state.
    """
    if not log.steps:
        return None, 0.0
    before = [step.state or (log.steps[at - 1].action if at else "") for at, step in enumerate(log.steps)]
    likeness = ByWords()
    likeness.add([slots.view(text).text for text in before])
    cosines = likeness.scores([slots.view(state).text])[0]
    here = _there(slots, state, wanted(slots, task))
    about = wanted(slots, log.goal)
    overlaps = np.array([_overlap(here, _there(slots, text, about)) for text in before])
    scores = np.round(cosines * (1 + overlaps) / 2, 9)
    best = int(np.argmax(scores))
    return (best, float(scores[best])) if scores[best] > 0 else (None, 0.0)


def wanted(slots: Slots, task: str) -> Mapping[str, Sequence[str]]:
    """Slot → the words of a task that fill it, as the collection knows them."""
    found: dict[str, list[str]] = {}
    for name, words in slots.words_of(task).items():
        each = slots.named(name)
        if each.open and each.rule is None:
            found.setdefault(each.slot, []).extend(words)
    return found


def _there(slots: Slots, text: str, about: Mapping[str, Sequence[str]]) -> frozenset[tuple[str, int]]:
    """Which of the task's words are in a text: (slot, which of the slot's)."""
    known = {word for words in slots.words_of(text).values() for word in words}
    return frozenset((slot, at) for slot, words in about.items() for at, word in enumerate(words) if word in known)


def _overlap(one: frozenset[tuple[str, int]], two: frozenset[tuple[str, int]]) -> float:
    return len(one & two) / len(one | two) if one or two else 1.0
