"""A change that asks for fields, as the schema of an index."""

from __future__ import annotations

from askance.diagnose.fixing.mended import Mended
from askance.diagnose.fixing.toml_text import pairs


def schema_text(mended: Mended) -> str | None:
    """The schema of `askance index --schema`, in TOML; None where the change asks for no fields."""
    case, chosen = mended.case, mended.change
    for entry in chosen.systems:
        if entry in (*case.before, case.system) or entry.retriever != "irl":
            continue
        if entry.settings.get("pattern"):
            return "\n".join(pairs({"kind": "pattern", "pattern": entry.settings["pattern"]})) + "\n"
        if entry.settings.get("form") == "fields":
            return "\n".join(pairs({"kind": "learned", "field": chosen.document})) + "\n"
    return None
