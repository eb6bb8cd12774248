"""What finds the keyword of a question, by the name that a command or a function was given."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from askance.app.model_files import refused, settings_in
from askance.core.errors import BadInput
from askance.core.places import cache_folder
from askance.irl.rewrite.by_model import ByModel
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.rules import Rules
from askance.models.chat_registry import LANGUAGE_MODELS
from askance.models.ledger import Ledger

RULES = "rules"
LEDGER = "rewriting.sqlite"
_SOMEBODY_WAITS = {"attempts": 3, "first_wait": 0.5}  # two more tries, over before one gives up


def extractor_of(told: str, key_env: str | None = None) -> Extractor:
    """ "rules"; an endpoint as http://host:port/v1#model; or a TOML file with `kind` and the settings of a model.

    `key_env`: the environment variable that holds the key of an endpoint. Calls are kept in a ledger in the cache, so
    that the same question to the same model is asked once. BadInput where it is none of these.
    """
    if told == RULES:
        if key_env is not None:
            raise BadInput("a key is named, and rules ask no endpoint", remedy="Leave it out, or name an endpoint.")
        return Rules()
    if "://" in told:
        address, _, model = told.partition("#")
        settings = {"base_url": address, "model": model, "key_env": key_env, **_SOMEBODY_WAITS}
        remedy = "Write an endpoint as http://host:port/v1#model; its key goes by an environment variable."
        return _by_model("endpoint", settings, "the endpoint", remedy)
    if not told.endswith(".toml"):
        near = get_close_matches(told, [RULES], n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        raise BadInput(
            f"{told!r} is nothing that rewrites questions",
            remedy=f'{meant}Give "rules", an endpoint as http://host:port/v1#model, or a file MODEL.toml.',
        )
    settings = settings_in(Path(told)) | ({"key_env": key_env} if key_env is not None else {})
    return _by_model(
        str(settings.pop("kind", "endpoint")), settings, told, "Mend these settings of the language model."
    )


def _by_model(kind: str, settings: dict[str, Any], where: str, remedy: str) -> Extractor:
    made = LANGUAGE_MODELS.get(kind)
    with refused(where, remedy):
        given = made.Settings.model_validate(settings)
    return ByModel(made.build(given, Ledger(cache_folder("models") / LEDGER)))
