"""What a question asks of its gold document: the longest items of gold that stand in the question, word by word.

The rules of the query language see a question alone. Where a collection does not repeat an item, or where all questions
share a word with it, they may take a part of an item for what is asked, and the rest for the template. Gold settles it:
it is the answer, so that what it holds whole of the question is asked for whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from askance.irl.lint.words import UNKNOWN

Terms = tuple[int, ...]


def held_whole(question: Sequence[int], items: Iterable[Sequence[int]]) -> list[Terms]:
    """Items (term numbers) that stand in the question, the longest first and none over another, in its order."""
    there = {tuple(item) for item in items if item and UNKNOWN not in item}
    lengths = sorted({len(item) for item in there if len(item) <= len(question)}, reverse=True)
    taken = [False] * len(question)
    found: list[tuple[int, Terms]] = []
    for length in lengths:
        for at in range(len(question) - length + 1):
            run = tuple(question[at : at + length])
            if run in there and not any(taken[at : at + length]):
                taken[at : at + length] = [True] * length
                found.append((at, run))
    return list(dict.fromkeys(run for _, run in sorted(found)))


def settled(asked: Sequence[Terms], whole: Sequence[Terms], is_template: Callable[[int], bool]) -> list[Terms]:
    """What is asked for, given what rules found and what gold holds whole.

    A part of an item of gold is that item. What gold does not hold, and is nothing but words that most questions share,
    is template. Without an item of gold in the question, what the rules found.
    """
    if not whole:
        return list(dict.fromkeys(asked))
    found: list[Terms] = []
    for each in asked:
        around = [item for item in whole if _inside(each, item)]
        if around:
            found += around
        elif not all(map(is_template, each)):
            found.append(each)
    return list(dict.fromkeys([*found, *whole]))


def _inside(part: Terms, item: Terms) -> bool:
    return any(item[at : at + len(part)] == part for at in range(len(item) - len(part) + 1))
