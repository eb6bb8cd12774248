"""The files that a change is written as: one function a file, which gives None where it has nothing to say.

Another form (a template of another engine, say) is a module beside this one and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from askance.diagnose.fixing.index_schema import schema_text
from askance.diagnose.fixing.mended import Mended
from askance.diagnose.fixing.on_opensearch import opensearch_text
from askance.diagnose.fixing.written import study_text

Export = Callable[[Mended], str | None]

STUDY, SCHEMA, OPENSEARCH = "fix.toml", "fix.schema.toml", "fix.opensearch.json"

EXPORTS: Mapping[str, Export] = {STUDY: study_text, SCHEMA: schema_text, OPENSEARCH: opensearch_text}
"""Name of a file → what gives its text."""


def exported(mended: Mended) -> dict[str, str]:
    """The texts of all files of a change, by the name of the file."""
    made = ((name, export(mended)) for name, export in EXPORTS.items())
    return {name: text for name, text in made if text is not None}
