"""Language models without a model: scripted, faulty, and recorded. For tests and for machines without one."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from askance.core.errors import FileProblem, ModelFailed
from askance.models.chat import CUT, STOP, Completion, LanguageModel, Message, Usage, ended
from askance.models.ledger import Ledger

Reply = str | Completion | ModelFailed


class ScriptedModel:
    """Answers with `replies`, one a call, in order; or, given a function, with what it makes of the messages.

    A string is an answer that ended well, an error is raised, a completion is held to the same rules as one from an
    endpoint. `asked` keeps the messages of every call.
    """

    def __init__(self, replies: Iterable[Reply] | Callable[[Sequence[Message]], Reply]) -> None:
        self.asked: list[tuple[Message, ...]] = []
        self.budgets: list[int] = []
        self._reply = replies if callable(replies) else _one_by_one(replies)

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        self.asked.append(tuple(messages))
        self.budgets.append(max_tokens)
        reply = self._reply(messages)
        if isinstance(reply, ModelFailed):
            raise reply
        completion = Completion(reply, STOP, model="scripted") if isinstance(reply, str) else reply
        return ended(completion, "the scripted model")


def _one_by_one(replies: Iterable[Reply]) -> Callable[[Sequence[Message]], Reply]:
    waiting = iter(replies)

    def following(messages: Sequence[Message]) -> Reply:
        for reply in waiting:
            return reply
        raise ModelFailed("the scripted model has no reply left", remedy="Give it one reply for every call.")

    return following


def cut(text: str = "", tokens: int | None = None) -> Completion:
    """A reply that reached its budget after `text`."""
    return Completion(text, CUT, Usage(output=tokens), "scripted")


def filtered() -> Completion:
    """A reply that a filter withheld."""
    return Completion("", "content_filter", model="scripted")


def empty() -> Completion:
    """A reply that ended well and says nothing."""
    return Completion("", STOP, model="scripted")


class RecordedModel:
    """Answers from a file of JSON lines, found by the hash of the request; asks `model`, if given, and records.

    A line is {"request": hash, "messages", "completion"}. Only answers that ended well are recorded. Without a model,
    a request that is not in the file is ModelFailed.
    """

    def __init__(self, path: str | PathLike[str], model: LanguageModel | None = None) -> None:
        self._path, self._model, self._lock = Path(path), model, threading.Lock()
        self._known = _read(self._path) if self._path.exists() or model is None else {}

    def complete(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float = 0.0, seed: int | None = None
    ) -> Completion:
        request = request_hash(messages, max_tokens=max_tokens, temperature=temperature, seed=seed)
        known = self._known.get(request)
        if known is not None:
            return ended(known, f"{self._path}")
        if self._model is None:
            raise ModelFailed(
                f"{self._path} has no answer to the request {request[:12]}…, which ends {messages[-1].content[-80:]!r}",
                remedy="Record it with a model, or ask what was recorded: messages and parameters must be the same.",
            )
        completion = self._model.complete(messages, max_tokens=max_tokens, temperature=temperature, seed=seed)
        self._record(request, messages, completion)
        return completion

    def _record(self, request: str, messages: Sequence[Message], completion: Completion) -> None:
        entry = {
            "request": request,
            "messages": [asdict(message) for message in messages],
            "completion": asdict(completion),
        }
        line = json.dumps(entry, ensure_ascii=False, sort_keys=True) + "\n"
        with self._lock:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                with self._path.open("ab") as out:
                    out.write(line.encode("utf-8", "surrogatepass"))
            except OSError as problem:
                raise FileProblem(self._path, f"cannot be written ({problem.strerror or problem})") from problem
            self._known[request] = completion


def request_hash(messages: Sequence[Message], *, max_tokens: int, temperature: float, seed: int | None) -> str:
    """Hex sha256 of everything that decides an answer, but for the model."""
    asked = [[message.role, message.content] for message in messages]
    said = json.dumps([asked, max_tokens, float(temperature), seed], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> dict[str, Completion]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as problem:
        raise FileProblem(path, f"cannot be read ({problem.strerror or problem})") from problem
    known: dict[str, Completion] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            completion = entry["completion"]
            known[entry["request"]] = Completion(**{**completion, "usage": Usage(**completion["usage"])})
        except (ValueError, KeyError, TypeError) as problem:
            raise FileProblem(
                path,
                f"is no recorded answer ({type(problem).__name__}: {problem})",
                line=number,
                text=line.decode("utf-8", "replace"),
                remedy='Expected {"request", "messages", "completion"}; a torn last line may be removed.',
            ) from None
    return known


class Recorded:
    """Recorded answers as a kind that a study file may name."""

    class Settings(BaseModel):
        """`path`: the file of JSON lines."""

        model_config = ConfigDict(frozen=True, extra="forbid")

        path: str

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> LanguageModel:
        return RecordedModel(cls.Settings.model_validate(settings).path)
