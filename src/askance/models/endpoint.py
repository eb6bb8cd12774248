"""Any OpenAI-compatible endpoint of embeddings: POST {base_url}/embeddings."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from askance.core.errors import ModelFailed
from askance.models.address import Address
from askance.models.embedder import Embedder, Kind, ModelCard, Vectors
from askance.models.http_call import Answer, HttpModel, Patience
from askance.models.ledger import Ledger
from askance.models.onnx_embedder import Prefixes

_PROBE = "word"


class Endpoint:
    """A model behind HTTP, on this machine or far away."""

    class Settings(BaseModel):
        """`key_env`: the environment variable that holds the key, never the key itself. `batch`: texts per request.

        `dimensions`: sent where given, for models that can shorten their vectors. `max_tokens`: only told to the
        reader; the endpoint cuts as it likes. Waits and `timeout` in seconds.
        """

        model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

        base_url: Address
        model: str = Field(min_length=1)
        key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
        dimensions: int | None = Field(default=None, ge=1)
        batch: int = Field(default=64, ge=1)
        max_tokens: int | None = Field(default=None, ge=1)
        query_prefix: str = ""
        document_prefix: str = ""
        attempts: int = Field(default=6, ge=1, le=100)
        first_wait: float = Field(default=1.0, ge=0.0)
        longest_wait: float = Field(default=120.0, ge=0.0)
        timeout: float = Field(default=120.0, gt=0.0)

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> Embedder:
        given = cls.Settings.model_validate(settings)
        return EndpointEmbedder(given, ledger if ledger is not None else Ledger(":memory:"))


class Served(NamedTuple):
    """What one response holds: unit vectors, and which model the endpoint says made them."""

    vectors: Vectors
    model: str | None


class EndpointEmbedder:
    """Texts to unit vectors by requests, each of which is in the ledger before its vectors are used."""

    def __init__(
        self, settings: Endpoint.Settings, ledger: Ledger, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._settings = settings
        self._prefixes = Prefixes(settings.query_prefix, settings.document_prefix)
        self._http = HttpModel(
            f"{settings.base_url}/embeddings",
            kind="embed",
            model=settings.model,
            key_env=settings.key_env,
            ledger=ledger,
            patience=Patience(settings.attempts, settings.first_wait, settings.longest_wait, settings.timeout),
            sleep=sleep,
        )

    @cached_property
    def card(self) -> ModelCard:
        """What the endpoint says of itself: one word is embedded to learn the dimension and the model that answers."""
        served = self._ask([_PROBE])
        given = self._settings
        recipe = f"POST {self._http.url}"
        if given.dimensions is not None:
            recipe += f"; dimensions {given.dimensions}"
        if self._prefixes != Prefixes():
            recipe += f"; prefixes {self._prefixes.query!r}, {self._prefixes.document!r}"
        return ModelCard(
            name=given.model,
            weights=f"served as {served.model}" if served.model else "not said",
            precision="unknown",
            dimension=served.vectors.shape[1],
            max_tokens=given.max_tokens,
            source=given.base_url,
            symmetric=self._prefixes.query == self._prefixes.document,
            recipe=recipe,
        )

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit vectors, float32 [texts, dimension]; ModelFailed where the endpoint fails or answers nonsense."""
        card, step = self.card, self._settings.batch
        out = np.empty((len(texts), card.dimension), dtype=np.float32)
        full = self._prefixes.put(texts, kind)
        for start in range(0, len(full), step):
            served = self._ask(full[start : start + step], card.dimension)
            said = f"served as {served.model}" if served.model else "not said"
            if said != card.weights:
                raise ModelFailed(
                    f"{self._http.url} answers with another model than before: {said!r}, first {card.weights!r}",
                    remedy="Vectors of two models do not mix: name the exact version, or start with a new ledger.",
                )
            out[start : start + step] = served.vectors
        return out

    def token_counts(self, texts: Sequence[str]) -> None:
        """Not known: an endpoint tells the tokens of a request, not of a text, nor what it cut."""

    def _ask(self, texts: Sequence[str], dimension: int | None = None) -> Served:
        body: dict[str, Any] = {"model": self._settings.model, "input": list(texts), "encoding_format": "float"}
        if self._settings.dimensions is not None:
            body["dimensions"] = dimension = self._settings.dimensions
        return self._http.ask(body, lambda raw: read_embeddings(raw, len(texts), dimension, self._http.url))


def read_embeddings(raw: bytes, texts: int, dimension: int | None, where: str) -> Answer[Served]:
    """The vectors of a response in the order of the texts, each divided by its length.

    Sorted by `index`, since servers need not keep the order. ModelFailed, naming `where`, unless there is exactly one
    vector per text, all of one dimension (`dimension` where given), finite and not of length 0.
    """
    try:
        tree = json.loads(raw)
    except (ValueError, RecursionError):
        raise ModelFailed(f"{where} answered {len(raw)} bytes that are not JSON") from None
    entries = tree.get("data") if isinstance(tree, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ModelFailed(f"{where} answered JSON without a list `data`", remedy="Is it an endpoint of embeddings?")
    indexes = [entry.get("index") for entry in entries]
    if sorted(index for index in indexes if type(index) is int) != list(range(texts)) or len(indexes) != texts:
        raise ModelFailed(f"{where} answered {len(entries)} vectors with indexes {_few(indexes)} for {texts} texts")
    rows = [_numbers(entry.get("embedding"), entry["index"], where) for entry in entries]
    rows = [row for _, row in sorted(zip(indexes, rows, strict=True), key=lambda pair: pair[0])]
    wanted = len(rows[0]) if dimension is None else dimension
    for number, row in enumerate(rows):
        if len(row) != wanted:
            raise ModelFailed(f"{where} answered a vector of dimension {len(row)} for text {number}, expected {wanted}")
    vectors = np.array(rows, dtype=np.float64).reshape(texts, wanted)
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(vectors, axis=1)
    wrong = np.flatnonzero(~(np.isfinite(norms) & (norms > 0.0)))
    if len(wrong):
        raise ModelFailed(
            f"{where} answered a vector that is not finite or all zero for text {wrong[0]} of the request (from 0)"
        )
    served = Served((vectors / norms[:, None]).astype(np.float32), _text(tree.get("model")))
    return Answer(served, _tokens(tree.get("usage")))


def _numbers(found: object, index: int, where: str) -> list[float]:
    try:
        if isinstance(found, list) and found and all(type(number) in (int, float) for number in found):
            return [float(number) for number in found]
    except OverflowError:
        pass
    raise ModelFailed(f"{where} answered something else than a list of numbers as vector {index}")


def _few(values: Sequence[object]) -> str:
    return ", ".join(map(repr, values[:5])) + (", …" if len(values) > 5 else "")


def _text(found: object) -> str | None:
    return found if isinstance(found, str) and found else None


def _tokens(usage: object) -> int | None:
    found = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return found if type(found) is int and found >= 0 else None
