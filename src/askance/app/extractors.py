"""What finds the keyword of a question, by the name that a command or a function was given."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from askance.core.errors import BadInput, FileProblem
from askance.core.places import cache_folder
from askance.irl.rewrite.by_model import ByModel
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.rules import Rules
from askance.models.chat_registry import LANGUAGE_MODELS
from askance.models.ledger import Ledger

RULES = "rules"
LEDGER = "rewriting.sqlite"


def extractor_of(told: str, key_env: str | None = None) -> Extractor:
    """ "rules"; an endpoint as http://host:port/v1#model; or a TOML file with `kind` and the settings of a model.

    `key_env`: the environment variable that holds the key of an endpoint. Calls are kept in a ledger in the cache, so
    that the same question to the same model is asked once. BadInput where it is none of these.
    """
    if told == RULES:
        return Rules()
    if "://" in told:
        address, _, model = told.partition("#")
        return _by_model("endpoint", {"base_url": address, "model": model, "key_env": key_env}, "the model")
    path = Path(told)
    if path.suffix != ".toml":
        raise BadInput(
            f"{told!r} is nothing that rewrites questions",
            remedy='Give "rules", an endpoint as http://host:port/v1#model, or a file MODEL.toml.',
        )
    settings = _read(path)
    return _by_model(str(settings.pop("kind", "endpoint")), settings, str(path))


def _by_model(kind: str, settings: dict[str, Any], where: str) -> Extractor:
    made = LANGUAGE_MODELS.get(kind)
    try:
        given = made.Settings.model_validate(settings)
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in error.errors())
        raise BadInput(f"{where}: {found}", remedy="Mend these settings of the language model.") from None
    return ByModel(made.build(given, Ledger(cache_folder("models") / LEDGER)))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileProblem(path, f"cannot be read ({error.strerror or error})", remedy="Name a TOML file.") from None
    except ValueError as error:
        raise FileProblem(path, f"is not valid TOML: {error}", remedy="Write kind and settings of a model.") from None
