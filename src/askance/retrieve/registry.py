"""The retrievers that a study file may name."""

from __future__ import annotations

from askance.core.registry import Registry
from askance.retrieve.retriever import RetrieverKind

RETRIEVERS: Registry[RetrieverKind] = Registry(
    "retriever",
    {
        "lexical": "askance.retrieve.lexical:LexicalRetriever",
        "dense": "askance.retrieve.dense:DenseRetriever",
        "irl": "askance.retrieve.irl:IrlRetriever",
        "view": "askance.retrieve.view:ViewRetriever",
        "fused": "askance.retrieve.fused:FusedRetriever",
        "random": "askance.retrieve.canaries:RandomRetriever",
        "constant": "askance.retrieve.canaries:ConstantRetriever",
    },
)
