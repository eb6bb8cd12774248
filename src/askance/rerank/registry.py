"""The rerankers that a study file may name."""

from __future__ import annotations

from askance.core.registry import Registry
from askance.rerank.reranker import RerankerKind

RERANKERS: Registry[RerankerKind] = Registry(
    "reranker",
    {
        "lexical": "askance.rerank.lexical:LexicalControl",
        "signature": "askance.rerank.signature:Signature",
        "constraints": "askance.rerank.constraints:Constraints",
    },
)
