"""The reproduction `limit-plus`: questions that join items by and, or, not, over LIMIT's 50,000 documents.

The questions are made here, in the templates of LIMIT+ (arXiv 2605.03824), and are not those of LIMIT+: what was
printed of those stands beside our figures and is no figure to be hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from askance.build.limit.compositions import TEMPLATES, TIER, Compositions, CompositionSettings, compositions
from askance.core.errors import DownloadFailed
from askance.core.estimate import Estimate
from askance.core.progress import Progress, Silent
from askance.data.run import Run
from askance.measure.estimates import estimate
from askance.measure.measures import Measure
from askance.measure.order import judge_by
from askance.rerank.constraints import Constraints, ConstraintSettings
from askance.rerank.reranker import RerankTask
from askance.retrieve.irl import IrlRetriever, IrlSettings
from askance.retrieve.lexical import LexicalRetriever, LexicalSettings
from askance.retrieve.retriever import Resources
from askance.study.execute import OpenCollection
from askance.study.limit.cut_lists import joined_cut_lists
from askance.study.limit.lists import task_of
from askance.study.records import estimate_record
from askance.study.reproduce import Reproduction, Row, Status

NAME = "limit-plus"
COLLECTION = "limit-recon"
SEED = 1
DEPTH = 1000

OVERALL = (Measure("Recall", 100), Measure("CappedRecall", 100), Measure("nDCG", 20))
PER_TEMPLATE = Measure("nDCG", 20)

SYSTEMS: Mapping[str, str] = {
    "bm25": "BM25",
    "cut": "BM25, one list an item, 1,000 long, joined afterwards",
    "verified": "BM25, its first 1,000 verified item by item",
    "phrase": "phrases in one text field, rules",
    "fields": "fields and exact items, rules",
}

_BM25 = (0.922, 0.934, 0.951, 0.992, 0.994, 0.175, 0.530)  # nDCG@20 in the order of TEMPLATES
_VERIFIED = (0.990, 0.996, 0.999, 1.0, 1.0, 0.975, 0.980)

# Printed of LIMIT+'s own 700 questions: (system, measure) and (system, template) → figure.
PRINTED: Mapping[tuple[str, str], float] = {
    ("bm25", "Recall@100"): 0.837,
    ("bm25", "CappedRecall@100"): 0.875,
    ("bm25", "nDCG@20"): 0.785,
    ("cut", "Recall@100"): 0.639,
    ("cut", "CappedRecall@100"): 0.664,
    ("cut", "nDCG@20"): 0.667,
    ("verified", "Recall@100"): 0.927,
    ("verified", "CappedRecall@100"): 0.984,
    ("verified", "nDCG@20"): 0.991,
    **{("bm25", one): said for one, said in zip(TEMPLATES, _BM25, strict=True)},
    **{("verified", one): said for one, said in zip(TEMPLATES, _VERIFIED, strict=True)},
}

# What our figures must reach.
AT_LEAST: Mapping[tuple[str, str], float] = {("fields", "CappedRecall@100"): 0.98, ("fields", "nDCG@20"): 0.99}


def reproduce(*, open_collection: OpenCollection) -> Reproduction:
    """All rows: three measures over all questions, and nDCG@20 of each template, of every system."""
    try:
        collection = open_collection(COLLECTION)
    except DownloadFailed as error:
        return Reproduction(
            name=NAME, rows=[_row(NAME, "composed questions over LIMIT", ("", ""), None, error.message)]
        )
    made = compositions(collection, CompositionSettings(seed=SEED))
    return Reproduction(name=NAME, rows=list(rows_of(made)))


def rows_of(made: Compositions, progress: Progress | None = None) -> Iterator[Row]:
    """The rows of some composed questions."""
    judgments = made.collection.tier(TIER).judgments
    for system, run in runs_of(made, progress or Silent()).items():
        judged = judge_by("input", run, judgments)
        for measure in OVERALL:
            key = (system, str(measure))
            yield _row(
                f"{system}.all.{measure}".lower(), f"{measure}, {SYSTEMS[system]}", key, estimate(measure, judged)
            )
        for template in dict.fromkeys(question.template for question in made.questions):
            within = judged.where(made.collection.queries.mask({"template": template}))
            figure = f"{PER_TEMPLATE} of {template!r}, {SYSTEMS[system]}"
            name = f"{system}.{template}.{PER_TEMPLATE}".lower()
            yield _row(name, figure, (system, template), estimate(PER_TEMPLATE, within))


def runs_of(made: Compositions, progress: Progress) -> dict[str, Run]:
    """The lists of every system of SYSTEMS."""
    task = task_of(made.collection, DEPTH)
    asked = {item: made.frame.question("one", (item,)) for question in made.questions for item in question.worded}
    bm25 = LexicalRetriever(LexicalSettings()).retrieve(task, progress)
    to_verify = RerankTask(task.query_texts, task.document_texts, DEPTH)
    return {
        "bm25": bm25,
        "cut": joined_cut_lists(made.collection, made.questions, asked, DEPTH, progress),
        "verified": Constraints(ConstraintSettings()).rerank(bm25, to_verify),
        "phrase": IrlRetriever(IrlSettings(form="text", clauses="lex"), Resources()).retrieve(task, progress),
        "fields": IrlRetriever(IrlSettings(form="fields", clauses="lex"), Resources()).retrieve(task, progress),
    }


def _row(id: str, figure: str, key: tuple[str, str], found: Estimate | None, lacking: str = "") -> Row:
    """`key`: of PRINTED and AT_LEAST."""
    least, printed = AT_LEAST.get(key), PRINTED.get(key)
    status: Status = "needs"
    why = lacking
    if found is not None:
        short = least is not None and (found.value is None or found.value < least)
        status = "fail" if short else "pass"
        said = (f"below {least:g}" if short else "", _beside(printed))
        why = "; ".join(part for part in said if part)
    return Row(
        id=id,
        figure=figure,
        published=None,
        ours=None if found is None else estimate_record(found),
        tolerance=0.0,
        status=status,
        why=why,
    )


def _beside(printed: float | None) -> str:
    return "" if printed is None else f"of LIMIT+'s own questions {printed:.3f} is printed"
