"""A value for a tree, made from the leaves up without recursion, so that no depth of a tree exhausts Python's stack."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from askance.irl.nodes import Node

T = TypeVar("T")


def fold(node: Node, make: Callable[[Node, list[T]], T]) -> T:
    """`make(clause, values of its children)` for every clause, children first; the outermost clause's value."""
    made: list[T] = []
    waiting: list[tuple[Node, bool]] = [(node, False)]
    while waiting:
        here, ready = waiting.pop()
        children = here.children
        if children and not ready:
            waiting.append((here, True))
            waiting.extend((child, False) for child in reversed(children))
            continue
        first = len(made) - len(children)
        values = made[first:]
        del made[first:]
        made.append(make(here, values))
    return made[0]
