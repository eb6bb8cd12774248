"""What a language model is: messages in, one completion out.

A completion exists only where the model ended by itself. An answer that was cut at its budget, refused or empty is
raised as Unusable, so that nothing can take it for a verdict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from askance.core.outcome import Outcome
from askance.models.unusable import Unusable

Role = Literal["system", "user", "assistant"]

STOP = "stop"
CUT = "length"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of what a model is shown."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, None where the model does not say. `reasoning` is part of `output`, `cached` of `input`."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, as it wrote it.

    `finish_reason`: "stop". `model`: which model says it answered. `fingerprint`: the serving's own mark, where it
    has one: two servings of one name may differ.
    """

    text: str
    finish_reason: str
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    fingerprint: str | None = None


class LanguageModel(Protocol):
    """Anything that completes a conversation."""

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        """The answer. Unusable where there is none to use, ModelFailed where the model does not answer at all."""
        ...


def ended(completion: Completion, where: str) -> Completion:
    """`completion`, if the model ended by itself and said something; Unusable, naming `where`, if not."""
    reason, usage = completion.finish_reason, completion.usage
    if reason == CUT:
        spent = f" after {usage.output} tokens" if usage.output is not None else ""
        raise _unusable(Outcome.TRUNCATED, f"{where}: the answer was cut{spent}", usage, "Allow it more tokens.")
    if reason == "content_filter":
        raise _unusable(Outcome.REFUSED, f"{where}: the answer was withheld by a filter", usage)
    if reason != STOP:
        raise _unusable(Outcome.UNPARSED, f"{where}: it ended for the reason {reason!r}, expected {STOP!r}", usage)
    if not completion.text.strip():
        raise _unusable(Outcome.UNPARSED, f"{where}: the answer is empty", usage)
    return completion


def complete_whole(
    model: LanguageModel,
    messages: Sequence[Message],
    *,
    max_tokens: int,
    temperature: float = 0.0,
    seed: int | None = None,
) -> Completion:
    """As `complete`; an answer that was cut is asked for once more, with twice the tokens, and then given up."""
    try:
        return model.complete(messages, max_tokens=max_tokens, temperature=temperature, seed=seed)
    except Unusable as problem:
        if problem.outcome is not Outcome.TRUNCATED:
            raise
    return model.complete(messages, max_tokens=2 * max_tokens, temperature=temperature, seed=seed)


_MARK = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The answer without what the model thought aloud before it.

    A thought that never ends leaves nothing of what follows it; one whose beginning was swallowed ends at its mark.
    """
    kept: list[str] = []
    thinking: str | None = None
    at = 0
    for mark in _MARK.finditer(text):
        closes, name = bool(mark[1]), mark[2].lower()
        if thinking is None and closes:
            kept.clear()
        elif thinking is None:
            kept.append(text[at : mark.start()])
            thinking = name
        elif closes and name == thinking:
            thinking = None
        at = mark.end()
    if thinking is None:
        kept.append(text[at:])
    return "".join(kept)


def _unusable(outcome: Outcome, message: str, usage: Usage, remedy: str | None = None) -> Unusable:
    return Unusable(message, outcome=outcome, input_tokens=usage.input, output_tokens=usage.output, remedy=remedy)
