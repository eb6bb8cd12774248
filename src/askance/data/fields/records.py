"""What schemas ask of a record, and of the names of further text fields."""

from __future__ import annotations

from collections.abc import Iterable

from askance.core.errors import BadInput
from askance.data.fields.schema import Outside, Record

TAKEN = frozenset({"name", "items", "text", "facts", "exact", "relation"})


def text_of(record: Record, field: str) -> str | Outside:
    """The record's text in `field`, or why there is none."""
    value = record.get(field)
    if value is None:
        return Outside("no text", f"there is no field {field!r}")
    if not isinstance(value, str):
        return Outside("no text", f"field {field!r} is {kind_of(value)}, expected a string")
    return value


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "an object" if hasattr(value, "keys") else "an array"


def free_names(names: Iterable[str], where: str) -> None:
    """BadInput where a further text field has a name that is taken."""
    taken = sorted(TAKEN.intersection(names))
    if taken:
        raise BadInput(
            f"{where} names a text field {taken[0]!r}, a name that is taken",
            remedy=f"Choose another; taken are: {', '.join(sorted(TAKEN))}.",
        )
