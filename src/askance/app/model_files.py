"""TOML files that name a model and its settings, and what is said where the settings are wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from askance.core.errors import BadInput, FileProblem


def settings_in(path: Path) -> dict[str, Any]:
    """What the file says; FileProblem, with its line, where it is no TOML."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise FileProblem(path, f"cannot be read ({error.strerror or error})", remedy="Name a TOML file.") from None
    except (ValueError, RecursionError) as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else None
        remedy = "Write the kind and the settings of a model, one `key = value` a line."
        raise FileProblem(path, f"is not valid TOML: {error}", line=line, remedy=remedy) from None


@contextmanager
def refused(where: str, remedy: str) -> Iterator[None]:
    """Turns what pydantic says of settings into BadInput. Values are not repeated: one may be a key."""
    try:
        yield
    except ValidationError as error:
        said = "; ".join(
            f"{'.'.join(map(str, one['loc']))}: {_said(one['type'], one['msg'])}" for one in error.errors()
        )
        raise BadInput(f"{where}: {said}", remedy=remedy) from None


def _said(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "extra_forbidden":
        return "is no setting of it"
    message = message.removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
