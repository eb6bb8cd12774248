"""Questions that a hard negative answers as an exact item, by how documents are split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from askance.data.collection import Collection
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.pattern import PatternSchema
from askance.data.fields.schema import Fields, Schema
from askance.measure.intervals import proportion
from askance.study.records import estimate_record
from askance.study.reproduce import Added
from askance.text.analyzer import Analyzer

NAIVE = r"(?P<name>.+?) (?P<relation>likes) (?P<items>.+)\."


def of_leaks(collection: Collection, without: Collection, asked: Sequence[str]) -> Mapping[str, Added]:
    """By row id. `without`: the same collection, hard negatives left out; `asked`: the keyword of each question."""
    texts = collection.documents.field("text")
    learned = LearnedSchema().learn({"text": text} for text in texts)
    negatives = [
        text for id, text in zip(collection.documents.ids, texts, strict=True) if id not in without.documents.ids
    ]
    return {
        "fields.naive.negatives.leaks": _leaks(PatternSchema(NAIVE), negatives, asked),
        "fields.exact.rules.negatives.leaks": _leaks(learned, negatives, asked),
    }


def _leaks(schema: Schema, negatives: list[str], asked: Sequence[str]) -> Added:
    analyzer = Analyzer()
    split = [schema.split({"text": text}) for text in negatives]
    held = {" ".join(analyzer.terms(item)) for fields in split if isinstance(fields, Fields) for item in fields.items}
    inside = sum(isinstance(fields, Fields) for fields in split)
    why = f"{inside} of {len(negatives)} negatives follow the schema"
    return Added(estimate_record(proportion(sum(key in held for key in asked), len(asked))), why)
