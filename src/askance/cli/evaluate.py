"""askance evaluate RUN… --qrels F"""

from __future__ import annotations

from os import environ
from pathlib import Path
from typing import Annotated

import typer

from askance.cli.options import USUAL_MEASURES, Form, Json, Measures, Qrels, Ties


def evaluate(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Run files: TREC, JSON lines, CSV, Parquet.")],
    qrels: Qrels,
    measures: Measures = USUAL_MEASURES,
    ties: Ties = "expected",
    corpus: Annotated[Path | None, typer.Option("--corpus", help="corpus.jsonl: its documents are counted.")] = None,
    corpus_size: Annotated[int | None, typer.Option("--corpus-size", min=1, help="Documents to choose from.")] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", help="queries.jsonl: judged queries are checked.")
    ] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help="The value of every query as well.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Where simulated chance begins.")] = 0,
    json: Json = False,
    form: Form = "table",
) -> None:
    """Measure run files of any system: every figure with interval and n, ties by expectation, chance where known."""
    # nothing here multiplies matrices; starting threads for it takes longer than most of what is done
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from askance.app.evaluate import evaluate
    from askance.cli.show import show_evaluation, show_json

    found = evaluate(
        runs,
        qrels,
        measures=measures,
        ties=ties,
        corpus=corpus,
        corpus_size=corpus_size,
        queries=queries,
        seed=seed,
    )
    if json:
        show_json(found.record(per_query=per_query))
    else:
        show_evaluation(found, form, per_query=per_query)
