"""Retrieval by words: BM25 over the terms of Lucene's standard analyzer, stemmed where asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, field_validator

from askance.core.errors import UnknownName
from askance.core.progress import Progress
from askance.data.rows import Positions
from askance.data.run import Run
from askance.engines.bm25 import BM25Index, Lengths
from askance.retrieve.ranked import run_of
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.text.analyzer import Analyzer
from askance.text.normal_forms import Form

_AT_ONCE = 500  # texts or queries between two words to whoever watches


class LexicalSettings(BaseModel):
    """What a study file may say of a lexical retriever. Numbers must be finite; the defaults are Lucene's."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    stemmer: str | None = Field(None, description='"porter" or a Snowball language; none keeps words as they are')
    stop_words: tuple[str, ...] = Field((), description="words that are dropped, lower case; none unless told")
    fold_apostrophes: bool = Field(False, description="the apostrophes \u2019 \u02bc \uff07 become the plain one")
    normalize: Form | None = Field(None, description='bring texts to this Unicode form first: "nfc" or "nfkc"')
    k1: float = Field(1.2, ge=0, description="how soon further occurrences of a term stop to count")
    b: float = Field(0.75, ge=0, le=1, description="how much long documents are held back")
    lengths: Lengths = Field("lucene", description='document lengths as Lucene\'s one byte keeps them, or "exact"')

    @field_validator("stemmer")
    @classmethod
    def _known(cls, name: str | None) -> str | None:
        try:
            return Analyzer(name).stemmer
        except UnknownName as unknown:
            raise ValueError(str(unknown)) from None


class LexicalRetriever:
    """BM25. A document that shares no term with the query is not retrieved.

    Excluded documents are no candidates of their query; they count in the statistics of the corpus all the same.
    """

    Settings = LexicalSettings

    def __init__(self, settings: LexicalSettings) -> None:
        self.settings = settings

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> LexicalRetriever:
        return cls(cast(LexicalSettings, settings))

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        told = self.settings
        texts = _watched("index words", task.document_texts, len(task.documents), progress)
        analyzer = Analyzer(
            told.stemmer,
            frozenset(told.stop_words),
            fold_apostrophes=told.fold_apostrophes,
            normalize=told.normalize,
        )
        index = BM25Index(texts, analyzer, told.k1, told.b, told.lengths)
        queries = _watched("search by words", task.query_texts, len(task.queries), progress)
        return run_of("lexical", task, _searched(index, queries, task))


def _searched(
    index: BM25Index, queries: Iterable[str], task: RetrievalTask
) -> Iterator[tuple[Positions, NDArray[np.float64]]]:
    for at, text in enumerate(queries):
        without = task.excluded.of_query(at) if task.excluded is not None else None
        yield index.search(text, task.depth, without)


def _watched(name: str, texts: Iterable[str], total: int, progress: Progress) -> Iterator[str]:
    progress.start(name, total)
    for done, text in enumerate(texts):
        if done and done % _AT_ONCE == 0:
            progress.advance(name, _AT_ONCE)
        yield text
    progress.advance(name, total - max((total - 1) // _AT_ONCE, 0) * _AT_ONCE)
    progress.finish(name)
