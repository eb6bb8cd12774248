"""Any OpenAI-compatible endpoint of completions: POST {base_url}/chat/completions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from askance.core.errors import ModelFailed
from askance.core.outcome import Outcome
from askance.models.address import Address
from askance.models.chat import Completion, LanguageModel, Message, Usage, ended
from askance.models.http_call import Answer, HttpModel, Patience
from askance.models.ledger import Ledger
from askance.models.unusable import Unusable

_OURS = ("model", "messages", "stream", "n", "temperature", "seed", "max_tokens", "max_completion_tokens")


class ChatEndpoint:
    """A language model behind HTTP, on this machine or far away."""

    class Settings(BaseModel):
        """`key_env`: the environment variable that holds the key, never the key itself. Waits and `timeout` in seconds.

        `limit_name`: how the endpoint calls the budget of tokens (newer ones: max_completion_tokens). `leave_out`: what
        is not sent, for models that refuse it (temperature, seed). `parameters`: sent as they are with every request.
        """

        model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

        base_url: Address
        model: str = Field(min_length=1)
        key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
        limit_name: str = "max_tokens"
        leave_out: tuple[str, ...] = ()
        parameters: Mapping[str, Any] = Field(default_factory=dict)
        attempts: int = Field(default=6, ge=1, le=100)
        first_wait: float = Field(default=1.0, ge=0.0)
        longest_wait: float = Field(default=120.0, ge=0.0)
        timeout: float = Field(default=120.0, gt=0.0)

        @field_validator("parameters")
        @classmethod
        def _not_ours(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
            for name in _OURS:
                if name in given:
                    raise ValueError(f"{name!r} is set by askance, and cannot be a parameter")
            return given

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> LanguageModel:
        given = cls.Settings.model_validate(settings)
        return ChatModel(given, ledger if ledger is not None else Ledger(":memory:"))


class ChatModel:
    """Completions by requests, each of which is in the ledger before its answer is used.

    The same request is asked once: its answer comes from the ledger afterwards, also at a temperature above 0. Calls
    that failed, were cut or refused are in the ledger and are asked again.
    """

    def __init__(
        self, settings: ChatEndpoint.Settings, ledger: Ledger, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._settings = settings
        self._http = HttpModel(
            f"{settings.base_url}/chat/completions",
            kind="complete",
            model=settings.model,
            key_env=settings.key_env,
            ledger=ledger,
            patience=Patience(settings.attempts, settings.first_wait, settings.longest_wait, settings.timeout),
            sleep=sleep,
        )

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        given = self._settings
        body: dict[str, Any] = {
            "model": given.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            given.limit_name: max_tokens,
            "temperature": temperature,
            **({} if seed is None else {"seed": seed}),
            **given.parameters,
        }
        for name in given.leave_out:
            body.pop(name, None)
        return self._http.ask(body, lambda raw: read_completion(raw, self._http.url))


def read_completion(raw: bytes, where: str) -> Answer[Completion]:
    """The first choice of a response.

    ModelFailed, naming `where`, where it is no response of such an endpoint; Unusable where it is one, and its answer
    was cut, refused, or is empty (content null, or all budget spent on reasoning).
    """
    try:
        tree = json.loads(raw)
    except (ValueError, RecursionError):
        raise ModelFailed(f"{where} answered {len(raw)} bytes that are not JSON") from None
    choices = tree.get("choices") if isinstance(tree, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ModelFailed(
            f"{where} answered JSON without a list `choices`", remedy="Is it an endpoint of chat completions?"
        )
    usage = _usage(tree.get("usage"))
    message = choices[0].get("message")
    message = message if isinstance(message, dict) else {}
    reason = choices[0].get("finish_reason")
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        raise Unusable(
            f"{where}: the model refuses: {message['refusal'][:200]!r}",
            outcome=Outcome.REFUSED,
            input_tokens=usage.input,
            output_tokens=usage.output,
        )
    completion = Completion(
        text=_text(message.get("content")),
        finish_reason=reason if isinstance(reason, str) else "not said",
        usage=usage,
        model=tree["model"] if isinstance(tree.get("model"), str) else "",
        fingerprint=tree["system_fingerprint"] if isinstance(tree.get("system_fingerprint"), str) else None,
    )
    return Answer(ended(completion, where), usage.input, usage.output)


def _text(content: object) -> str:
    """Content is a string, null, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _usage(found: object) -> Usage:
    if not isinstance(found, dict):
        return Usage()
    return Usage(
        input=_count(found, "prompt_tokens"),
        output=_count(found, "completion_tokens"),
        reasoning=_count(found.get("completion_tokens_details"), "reasoning_tokens"),
        cached=_count(found.get("prompt_tokens_details"), "cached_tokens"),
    )


def _count(found: object, name: str) -> int | None:
    value = found.get(name) if isinstance(found, dict) else None
    return value if type(value) is int and value >= 0 else None
