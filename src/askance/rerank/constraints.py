"""The verifier: the first documents of each list, those first that hold what the question asks for, item by item.

Retrieve broadly, verify afterwards. The question is rewritten by rules into items that must be held, alternatives and
items that must not be held (irl/rewrite); each of the first documents is split by the schema of the collection, and its
items are compared word by word. Nothing that was cut is intersected, and what the first stage missed stays missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from askance.data.fields.fitting import learned_where_it_fits
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import Fields, Schema
from askance.data.run import Run
from askance.irl.rewrite.composition import Composition, Part, composition_of
from askance.irl.rewrite.counted import CountedVocabulary
from askance.irl.rewrite.relations import relation_asked
from askance.irl.rewrite.rewriter import rewrite
from askance.irl.rewrite.rules import Rules
from askance.rerank.places import reordered
from askance.rerank.reranker import RerankTask
from askance.text.analyzer import Analyzer

Held = frozenset[tuple[str, str | None]]  # keys of items, each alone and with the key of its relation


class ConstraintSettings(BaseModel):
    """What a study file may say of the verifier."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pattern: str | None = Field(
        None, description="a regular expression with groups name, relation, items; the schema is learned without one"
    )

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            PatternSchema(pattern)
        return pattern


class Constraints:
    """Documents that answer first, the others behind them, both in their old order; the tail is left as it was.

    A list whose question names no item stays as it is.
    """

    Settings = ConstraintSettings

    def __init__(self, settings: ConstraintSettings) -> None:
        self.settings = settings
        self._analyzer = Analyzer()

    @classmethod
    def build(cls, settings: BaseModel) -> Constraints:
        return cls(cast(ConstraintSettings, settings))

    def rerank(self, run: Run, task: RerankTask) -> Run:
        """The reranked run; its scores are places counted from the end of each list (see `reordered`)."""
        schema = self._schema(task.document_texts)
        name = f"{run.name}+constraints"
        rows = run.matrix(max(task.first, 0))
        if schema is None:
            return reordered(run, [np.arange(np.count_nonzero(row >= 0)) for row in rows], name)
        records = ({"text": text} for text in task.document_texts)
        vocabulary = CountedVocabulary.of(records, self._analyzer, schema)
        held: dict[int, Held] = {}
        order = []
        for query, row in enumerate(rows):
            asked = self._asked(task.query_texts[query], vocabulary)
            listed = row[row >= 0].tolist()
            for at in listed if asked is not None else ():
                if at not in held:
                    held[at] = self._held(schema, task.document_texts[at])
            answers = np.array([asked is not None and self._answers(asked, held[at]) for at in listed], dtype=np.bool_)
            order.append(np.argsort(~answers, kind="stable"))
        return reordered(run, order, name)

    def _asked(self, question: str, vocabulary: CountedVocabulary) -> Composition | None:
        rewritten = rewrite(question, vocabulary=vocabulary, extractor=Rules(), without_knn=True)
        keywords = [keyword for keyword in rewritten.keywords if vocabulary.holders_of_item(self._key(keyword))]
        if not keywords:
            return None
        found = composition_of(question, keywords, vocabulary, "fields")
        if found is not None:
            return found
        relation = relation_asked(self._analyzer.terms(question), vocabulary.relations, self._analyzer).name
        return Composition(tuple((Part(keyword, relation),) for keyword in keywords))

    def _answers(self, asked: Composition, held: Held) -> bool:
        if any(self._holds(part, held) for part in asked.excluded):
            return False
        groups = asked.alternatives
        return not groups or any(all(self._holds(part, held) for part in group) for group in groups)

    def _holds(self, part: Part, held: Held) -> bool:
        relation = None if part.relation is None else self._key(part.relation)
        return (self._key(part.keyword), relation) in held

    def _held(self, schema: Schema, text: str) -> Held:
        fields = schema.split({"text": text})
        if not isinstance(fields, Fields):
            return frozenset()
        facts = [(self._key(item), fact.relation) for fact in fields.facts for item in fact.items]
        alone = ((key, None) for key, _ in facts)
        related = ((key, self._key(relation)) for key, relation in facts if relation is not None)
        return frozenset((*alone, *related))

    def _schema(self, texts: Sequence[str]) -> Schema | None:
        if self.settings.pattern is not None:
            return PatternSchema(self.settings.pattern)
        return learned_where_it_fits(LearnedSchema(), ({"text": text} for text in texts)).schema

    def _key(self, written: str) -> str:
        return " ".join(self._analyzer.terms(written))
