from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from askance.core.errors import UnknownName
from askance.models.registry import EMBEDDERS


def test_every_kind_has_frozen_settings_that_know_their_keys() -> None:
    assert list(EMBEDDERS) == ["minilm", "folder", "endpoint", "fake"]
    for name in EMBEDDERS:
        settings = EMBEDDERS.get(name).Settings
        assert issubclass(settings, BaseModel)
        assert settings.model_config["frozen"] is True
        assert settings.model_config["extra"] == "forbid"
        assert callable(EMBEDDERS.get(name).build)


def test_the_fake_is_built_from_its_settings() -> None:
    kind = EMBEDDERS.get("fake")
    embedder = kind.build(kind.Settings.model_validate({"dimension": 16}), None)
    assert embedder.card.dimension == 16
    assert embedder.embed(["a", ""], "query").shape == (2, 16)
    with pytest.raises(ValidationError):
        kind.Settings.model_validate({"dimensions": 16})


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'minilm'"):
        EMBEDDERS.get("mini-lm")
