"""Names of people: a different one for each document, each made by itself."""

from __future__ import annotations

from string import ascii_uppercase

from askance.build.limit.lists import given_names, surnames
from askance.build.limit.seeds import Shuffled
from askance.core.errors import BadInput


class Names:
    """`of(at)` is the name of document `at`; a middle initial comes in where first name and surname do not suffice.

    BadInput where there are not so many different names.
    """

    def __init__(self, seed: int, documents: int) -> None:
        self._first, self._last = given_names(), surnames()
        plain = len(self._first) * len(self._last)
        self._initials = ("",) if documents <= plain else ("", *(f"{letter}. " for letter in ascii_uppercase))
        ways = plain * len(self._initials)
        if documents > ways:
            raise BadInput(
                f"{documents} different names are needed, and there are {ways}", remedy="Ask for fewer documents."
            )
        self._order = Shuffled(ways, f"names:{seed}")

    def of(self, at: int) -> str:
        """The name of document `at`."""
        return " ".join(self._parts(at))

    def after(self, item: str, at: int) -> str:
        """The name of document `at`, named after an item."""
        return called(item, *self._parts(at), first=at % 2 == 0)

    def _parts(self, at: int) -> tuple[str, str]:
        rest, last = divmod(self._order.of(at), len(self._last))
        initial, first = divmod(rest, len(self._first))
        return self._first[first], f"{self._initials[initial]}{self._last[last]}"


def called(item: str, first_name: str, surname: str, *, first: bool) -> str:
    """A name with the item in it: one word as first name or surname, several as what the person is called."""
    if " " in item or not item.isalpha():
        quoted = item.replace('"', "'")
        return f'{first_name} "{quoted}" {surname}'
    return f"{item} {surname}" if first else f"{first_name} {item}"
