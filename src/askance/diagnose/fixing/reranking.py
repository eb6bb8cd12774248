"""Rerankers that a candidate may have: agreement in one class or all, lexical likeness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from askance.rerank.lexical import TokenClassName
from askance.rerank.signature import WHOLE
from askance.study.file import RerankerEntry
from askance.text.signature_classes import SIGNATURE_CLASSES

Told = tuple[RerankerEntry, str]


def signatures(first: int) -> Iterator[Told]:
    """One a class, and one of all classes: (reranker, what it does in words)."""
    for name in (*SIGNATURE_CLASSES, WHOLE):
        words = "all classes of a signature" if name == WHOLE else name
        yield signature(name, first), f"{said(first)} by agreement of {words}"


def controls(first: int) -> Iterator[Told]:
    """The lexical control of each class of words."""
    for tokens in get_args(TokenClassName):
        entry = _reranker(f"control-{tokens}", "lexical", first, {"tokens": tokens})
        yield entry, f"{said(first)} by lexical likeness ({tokens} words)"


def signature(tokens: str, first: int) -> RerankerEntry:
    """The signature reranker of classes joined by "+"."""
    return _reranker("signature-" + tokens.replace("+", "-"), "signature", first, {"tokens": tokens})


def said(first: int) -> str:
    """What every reranker does, in words."""
    return f"re-sort the first {first}"


def _reranker(name: str, reranker: str, first: int, settings: Mapping[str, Any]) -> RerankerEntry:
    return RerankerEntry.model_validate({"name": name, "reranker": reranker, "first": first, **settings})
