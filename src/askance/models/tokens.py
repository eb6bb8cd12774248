"""From texts to token ids: a tokenizer.json, freed of the cut and the padding it was saved with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, FileProblem, MissingExtra

INSTALL = "pip install 'askance[dense]'"

_COUNTED_AT_ONCE = 256
_PADDING_NAMES = ("[PAD]", "<pad>", "<|endoftext|>")


class Tokens(NamedTuple):
    """Int64 [texts, longest]; `mask` is 0 on padding."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]
    types: NDArray[np.int64]


class TextTokenizer:
    """Cuts at `max_tokens`, pads each batch to its longest text; counts without cutting.

    `sha256`: of tokenizer.json, since another vocabulary gives other vectors.
    """

    def __init__(self, path: Path, max_tokens: int) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtra("a local embedding model", INSTALL) from None
        try:
            raw = path.read_bytes()
        except OSError as problem:
            raise FileProblem(
                path, f"cannot be read ({problem.strerror})", remedy="A model folder needs its tokenizer.json."
            ) from None
        self.sha256 = hashlib.sha256(raw).hexdigest()
        self.max_tokens = max_tokens
        try:
            self._cutting, self._whole = Tokenizer.from_buffer(raw), Tokenizer.from_buffer(raw)
        except Exception as problem:  # the package raises bare Exception
            raise FileProblem(path, f"is no tokenizer ({problem})") from problem
        self._whole.no_truncation()
        self._whole.no_padding()
        self._cutting.enable_truncation(max_tokens)
        self._cutting.enable_padding(**_padding(self._cutting))

    def encode(self, texts: Sequence[str]) -> Tokens:
        """One batch; DataProblem where a text is not Unicode."""
        rows = self._cutting.encode_batch(_checked(texts))
        ids, mask, types = (
            np.array([getattr(row, name) for row in rows], dtype=np.int64).reshape(len(rows), -1)
            for name in ("ids", "attention_mask", "type_ids")
        )
        return Tokens(ids, mask, types)

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Tokens of each text before any cut, specials included [texts]."""
        counts = np.zeros(len(texts), dtype=np.int64)
        for start in range(0, len(texts), _COUNTED_AT_ONCE):
            rows = self._whole.encode_batch(_checked(texts[start : start + _COUNTED_AT_ONCE], start))
            counts[start : start + len(rows)] = [len(row.ids) for row in rows]
        return counts


def _padding(tokenizer: Any) -> dict[str, Any]:
    """The padding token as the file says it; only its length and side are ours (absolute positions start at 0)."""
    saved = tokenizer.padding
    if saved:
        return {name: saved[name] for name in ("pad_id", "pad_type_id", "pad_token")}
    for name in _PADDING_NAMES:
        number = tokenizer.token_to_id(name)
        if number is not None:
            return {"pad_id": number, "pad_token": name}
    return {}


def _checked(texts: Sequence[str], start: int = 0) -> list[str]:
    """The texts, unless one holds half a surrogate pair, which no tokenizer can read."""
    for number, text in enumerate(texts, start):
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as problem:
                raise DataProblem(
                    f"text {number + 1} holds the lone surrogate {text[problem.start]!r} at character "
                    f"{problem.start + 1}, so it is not Unicode: {ascii(text[:60])}",
                    remedy="Repair the text where it was read: a pair of surrogates was cut in two.",
                ) from None
    return list(texts)
