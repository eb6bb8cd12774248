"""Numbers in text files: finite, in plain digits, never guessed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.formats.lines import required_number


def finite(text: str) -> float | None:
    """The finite number that `text` writes in decimal or scientific notation; None where it writes none."""
    try:
        value = float(text)
    except ValueError:
        return None
    # float() also takes digits of other scripts and 1_000, which no other tool reads as a number.
    return value if math.isfinite(value) and text.isascii() and "_" not in text else None


def finite_under(record: Mapping[str, object], key: str, path: Path, line: int | None) -> float:
    """The finite number under `key` of a JSON record; FileProblem where there is none."""
    value = record.get(key)
    number = finite_json(value)
    if number is None and isinstance(value, int | float) and not isinstance(value, bool):
        raise FileProblem(path, f"field {key!r} is no finite number", line=line, remedy="Use a finite number.")
    return required_number(record, key, path, line) if number is None else number


def shortest(value: float) -> str:
    """The shortest text that reads back as exactly this number; whole numbers without a point."""
    return repr(value).removesuffix(".0")


def finite_json(value: object) -> float | None:
    """The finite number that a JSON value is; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
