"""Documents whose identifiers are most like one that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from askance.core.errors import BadInput
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.engine import Engine

_SHOWN = 5
_LOOKED_AT = 200_000  # identifiers
_AT_ONCE = 10_000
_LIKE_ENOUGH = 5_000  # of them, for a closer look
_FURTHER, _SHORT = 3, 3  # letters
_NAMED, _LIKENESS = 3, 0.5


def no_such_document(engine: Engine, document: str) -> BadInput:
    """The error that names up to three identifiers like it; the first ones where none is like it."""
    said = f"{engine.card.place}: there is no document {document!r}"
    if not isinstance(engine, EmbeddedIndex):
        return BadInput(said, remedy="Name a document of the index.")
    near = near_documents(engine, document)
    if near:
        return BadInput(said, remedy=f"Did you mean {' or '.join(map(repr, near))}?")
    first = engine.identifiers(engine.all()[:_SHOWN])
    more = ", …" if engine.documents > len(first) else ""
    return BadInput(said, remedy=f"There are: {', '.join(map(repr, first)) or 'none'}{more}")


def near_documents(index: EmbeddedIndex, document: str) -> list[str]:
    """Identifiers most like this one, best first, at most three; of a large index the first 200,000 are looked at."""
    from difflib import get_close_matches

    like: dict[str, str] = {}
    asked = document.casefold()
    for name in _identifiers(index):
        if len(like) == _LIKE_ENOUGH:
            break
        if _like(asked, name.casefold()):
            like.setdefault(name.casefold(), name)
    return [like[found] for found in get_close_matches(asked, like, n=_NAMED, cutoff=_LIKENESS)]


def _identifiers(index: EmbeddedIndex) -> Iterator[str]:
    positions = index.all()[:_LOOKED_AT]
    for start in range(0, len(positions), _AT_ONCE):
        yield from index.identifiers(positions[start : start + _AT_ONCE])


def _like(asked: str, name: str) -> bool:
    """Whether a closer look is worth its time: about as long, and it begins or ends alike."""
    letters = 2 if len(asked) > _SHORT else 1
    alike = asked[:letters] == name[:letters] or asked[-letters:] == name[-letters:]
    return alike and abs(len(asked) - len(name)) <= _FURTHER
