"""Documents split by a function of the user's own, named by its import path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from askance.core.errors import BadInput
from askance.data.fields.schema import Fields, Outside, Record


class CallableSchema:
    """A function `record -> Fields | Outside`, as "package.module:function".

    It is imported and called, so it runs only where the user names it: what is written down (`described`) holds the
    name, and opening it again needs the same name given again; a file alone never brings code to run.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self._function = _found(place)

    def split(self, record: Record) -> Fields | Outside:
        made = self._function(record)
        if not isinstance(made, Fields | Outside):
            raise BadInput(
                f"{self.place} gave {type(made).__name__}",
                remedy="It must return Fields or Outside (askance.data.fields).",
            )
        return made

    def described(self) -> Mapping[str, Any]:
        return {"kind": "callable", "place": self.place}


def _found(place: str) -> Callable[[Record], object]:
    module, colon, name = place.partition(":")
    if not (module and colon and name.isidentifier()):
        raise BadInput(f"{place!r} names no function", remedy='Write "package.module:function".')
    try:
        found = getattr(import_module(module), name, None)
    except ImportError as error:
        raise BadInput(
            f"{place!r} cannot be imported ({error})", remedy="Is its package installed, or its folder on PYTHONPATH?"
        ) from error
    if not callable(found):
        raise BadInput(f"module {module!r} has no function {name!r}", remedy="Check the name after the colon.")
    return cast("Callable[[Record], object]", found)
