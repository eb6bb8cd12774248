"""Retrieval by the query language: each question rewritten into an expression, run on the embedded engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from askance.core.errors import BadInput, UnknownName
from askance.core.progress import Progress
from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import Schema
from askance.data.rows import Positions
from askance.data.run import Run
from askance.engines.embedded.engine import EmbeddedEngine, build
from askance.engines.engine import Engine
from askance.engines.registry import place_beside
from askance.engines.settings import Indexed, IndexSettings
from askance.irl.nodes import And, Fuse, FuseKind, Knn, Node, Not, Or
from askance.irl.rewrite.by_model import ByModel
from askance.irl.rewrite.extractor import Extractor
from askance.irl.rewrite.phrases import Form
from askance.irl.rewrite.rewriter import Rewritten, rewrite
from askance.irl.rewrite.rules import Rules
from askance.models.chat_registry import LANGUAGE_MODELS
from askance.retrieve.ranked import run_of
from askance.retrieve.retriever import Resources, RetrievalTask
from askance.retrieve.standing import standing

_AT_ONCE = 250  # questions between two words to whoever watches
_NONE = np.empty(0, dtype=np.int32)


class Rewriter(BaseModel):
    """A language model: `kind`, one of models.chat_registry, and its settings beside it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    kind: str = "endpoint"

    @property
    def settings(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class IrlSettings(BaseModel):
    """What a study file may say of retrieval by the query language.

    The system's `model`, where it names one, is the embedder of the knn clause; without one there is none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    form: Form | None = Field(
        None,
        description="fields: items, exact ones first, in their relation; text: one text field; unless told, fields "
        "where the documents split into items",
    )
    rewrite: Literal["rules", "model"] = Field("rules", description="what finds the keyword of a question")
    rewriter: Rewriter | None = Field(None, description='for rewrite = "model": which one, and its settings')
    pattern: str | None = Field(
        None, description="a regular expression with groups name, relation, items; the schema is learned without one"
    )
    index: str | None = Field(
        None,
        description="an index of these very documents that stands: a folder (here, or beside the "
        "study file) or opensearch://HOST/INDEX",
    )
    clauses: Literal["both", "lex", "knn"] = Field("both", description="which of the clauses of the rewrite to run")
    fuse: FuseKind | None = Field(None, description="fuse the lists of knn and lex; their scores are added without")
    weights: tuple[float, ...] = Field((), max_length=2, description="of knn and of lex, where they are fused")

    @model_validator(mode="after")
    def _fits(self) -> IrlSettings:
        if (self.rewrite == "model") != (self.rewriter is not None):
            raise ValueError('rewrite = "model" and a table `rewriter` that says which model go together')
        if self.rewriter is not None:
            if self.rewriter.kind not in LANGUAGE_MODELS:
                raise ValueError(str(UnknownName("language model", self.rewriter.kind, LANGUAGE_MODELS)))
            _settings_of(self.rewriter)
        if self.index is not None and self.pattern is not None:
            raise ValueError("an `index` that stands has its own schema, and `pattern` tells another")
        if self.fuse is not None and self.clauses != "both":
            raise ValueError(f"`fuse` joins the lists of knn and lex, and `clauses` keeps {self.clauses} alone")
        if self.weights and (self.fuse is None or len(self.weights) != 2):
            raise ValueError("weights are two, of knn and of lex, and go with `fuse`")
        if self.weights and not (min(self.weights) >= 0 and any(self.weights)):
            raise ValueError("weights are 0 or more, one of them more")
        return self

    @property
    def needs_model(self) -> str | None:
        """Which setting needs a system's `model`, the embedder of its knn clause."""
        if self.clauses == "knn":
            return 'clauses = "knn"'
        return None if self.fuse is None else f"fuse = {self.fuse!r}"


def _settings_of(rewriter: Rewriter) -> BaseModel:
    """The settings of its model, checked; what is said of them repeats no value, since one may be a key."""
    try:
        return LANGUAGE_MODELS.get(rewriter.kind).Settings.model_validate(rewriter.settings)
    except ValidationError as error:
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ValueError(f"rewriter: {said}") from None


class IrlRetriever:
    """Builds an index of the documents in a temporary folder, or takes one that stands, rewrites each question on its
    own, and searches.

    Excluded documents are no candidates of their query; they count in the statistics all the same.
    """

    Settings = IrlSettings

    def __init__(self, settings: IrlSettings, resources: Resources) -> None:
        self.settings, self._resources = settings, resources
        if settings.needs_model is not None and resources.embedder is None:
            raise BadInput(f"{settings.needs_model} needs an embedder, and no model is named", remedy="Name a `model`.")

    @classmethod
    def build(cls, settings: BaseModel, resources: Resources) -> IrlRetriever:
        return cls(cast(IrlSettings, settings), resources)

    def retrieve(self, task: RetrievalTask, progress: Progress) -> Run:
        if self.settings.index is not None:
            place = place_beside(self.settings.index, self._resources.beside)
            engine, places = standing(place, task, self._resources.embedder)
            return self._run(engine, places, task, progress)
        with self.engine(task, progress) as made:
            return self._run(made, np.arange(len(task.documents), dtype=np.int32), task, progress)

    def _run(self, engine: Engine, places: Positions, task: RetrievalTask, progress: Progress) -> Run:
        """`places`: of the index's documents in the task."""
        if self.settings.needs_model is not None and engine.card.vectors is None:
            raise BadInput(
                f"{self.settings.needs_model} asks for nearest documents, and {engine.card.place} has no vectors",
                remedy="Build it with the model: askance index DOCS --into PLACE --model MODEL.",
            )
        queries = [one.query for one in self.rewritten(engine, task.query_texts, progress)]
        return run_of("irl", task, self._searched(engine, places, queries, task, progress))

    @contextmanager
    def engine(self, task: RetrievalTask, progress: Progress) -> Iterator[EmbeddedEngine]:
        """An index of the task's documents; it is gone when the block ends."""
        documents = [
            Indexed(id, text, record={"text": text})
            for id, text in zip(task.documents, task.document_texts, strict=True)
        ]
        with tempfile.TemporaryDirectory(prefix="askance-") as scratch:
            place = Path(scratch) / "index"
            embedder = self._resources.embedder if self.settings.clauses != "lex" else None
            vectors = self._resources.vectors if embedder else None
            build(
                documents,
                place,
                schema=self._schema(documents),
                settings=IndexSettings(),
                embedder=embedder,
                store=vectors,
                progress=progress,
            )
            yield EmbeddedEngine.open(place, embedder=embedder)

    def rewritten(self, engine: Engine, questions: Sequence[str], progress: Progress) -> list[Rewritten]:
        """Each question as an expression for this index, as if it stood alone."""
        extractor = self._extractor()
        told = self.settings
        without_knn = engine.card.vectors is None or self._resources.embedder is None or told.clauses == "lex"
        if told.form == "fields" and not engine.has_items:
            raise BadInput(
                'form = "fields" asks for items, and the documents do not split into any',
                remedy='Say by `pattern` how they split, or search their text: form = "text".',
            )
        progress.start("rewrite questions", len(questions))
        found = []
        for question in questions:
            one = rewrite(
                question,
                vocabulary=engine,
                extractor=extractor,
                form=told.form,
                without_knn=without_knn,
            )
            found.append(replace(one, query=self._chosen(one.query)))
            progress.advance("rewrite questions")
        progress.finish("rewrite questions")
        return found

    def _chosen(self, query: Node) -> Node:
        """The clauses asked for, fused where that is asked for; what is excluded stays excluded."""
        if isinstance(query, And) and any(isinstance(part, Not) for part in query.parts):
            wanted = [part for part in query.parts if not isinstance(part, Not)]
            without = [part for part in query.parts if isinstance(part, Not)]
            return And((*map(self._chosen, wanted), *without))
        told = self.settings
        parts = query.parts if isinstance(query, Or) else (query,)
        near = [part for part in parts if isinstance(part, Knn)]
        words = [part for part in parts if not isinstance(part, Knn)]
        if told.clauses == "knn" and near:
            return near[0]
        if told.fuse is None or not near or not words:
            return query
        lex = words[0] if len(words) == 1 else Or(tuple(words))
        return Fuse(told.fuse, (near[0], lex), told.weights)

    def _searched(
        self, engine: Engine, places: Positions, queries: Sequence[Node], task: RetrievalTask, progress: Progress
    ) -> Iterator[tuple[Positions, NDArray[np.float64]]]:
        progress.start("search by expressions", len(queries))
        for start in range(0, len(queries), _AT_ONCE):
            block = range(start, min(start + _AT_ONCE, len(queries)))
            without = [task.excluded.of_query(at) if task.excluded is not None else _NONE for at in block]
            depth = task.depth + max(map(len, without))
            answers = engine.search_all([queries[at] for at in block], depth)
            for answer, excluded in zip(answers, without, strict=True):
                found = places[answer.positions]
                order = np.lexsort((found, -answer.scores))  # equal scores by place in the task
                allowed = order[~np.isin(found[order], excluded)][: task.depth]
                yield found[allowed], answer.scores[allowed]
            progress.advance("search by expressions", len(block))
        progress.finish("search by expressions")

    def _schema(self, documents: Iterable[Indexed]) -> Schema | None:
        if self.settings.pattern is not None:
            return PatternSchema(self.settings.pattern)
        return learned_where_it_fits(LearnedSchema(), (document.record for document in documents)).schema

    def _extractor(self) -> Extractor:
        told = self.settings.rewriter
        if told is None:
            return Rules()
        return ByModel(LANGUAGE_MODELS.get(told.kind).build(_settings_of(told), self._resources.ledger))
