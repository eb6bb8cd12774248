"""askance finds what a retriever overlooks, and measures how much, when gold looks nothing like the query.

Each command of the command line is one function here: `run_study`, `reproduce`, `init_study`, `verify`, `sign`,
`evaluate`, `compare`, `validate`, `agree`, `drift`, `hardness`, `lint`, `index`, `change_index`, `search`, `ask`,
`why_not`, `diagnose_study`, `probe`, `fix`, `recall` (with
`open_recall`, `recall_add`), `build_limit`, `build_trajectories`, `data_list`, `data_fetch`;
and `open_collection`, `as_run`, `as_judgments` bring data in. The query language has its own names in `askance.irl`.
All are imported when first used, so that `import askance` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.app.agree import agree
    from askance.app.build import build_limit
    from askance.app.build_trajectories import build_trajectories
    from askance.app.compare import compare
    from askance.app.data import fetch as data_fetch
    from askance.app.data import listed as data_list
    from askance.app.diagnose import diagnose as diagnose_study
    from askance.app.drift import drift
    from askance.app.evaluate import evaluate
    from askance.app.fix import fix
    from askance.app.hardness import hardness
    from askance.app.index import change_index, index
    from askance.app.lint import lint
    from askance.app.probe import probe
    from askance.app.recall import open_recall, recall, recall_add
    from askance.app.search import ask, search, why_not
    from askance.app.sign import sign
    from askance.app.study import init as init_study
    from askance.app.study import reproduce_published as reproduce
    from askance.app.study import run as run_study
    from askance.app.validate import validate
    from askance.app.verify import verify
    from askance.core.errors import AskanceError
    from askance.core.estimate import Estimate
    from askance.data.collection import Collection
    from askance.data.convert.anything import as_judgments, as_run
    from askance.data.judgments import Judgments
    from askance.data.run import Run
    from askance.study.collections import open_collection

__version__ = "0.1.0"

__all__ = [
    "AskanceError",
    "Collection",
    "Estimate",
    "Judgments",
    "Run",
    "__version__",
    "agree",
    "as_judgments",
    "as_run",
    "ask",
    "build_limit",
    "build_trajectories",
    "change_index",
    "compare",
    "data_fetch",
    "data_list",
    "diagnose_study",
    "drift",
    "evaluate",
    "fix",
    "hardness",
    "index",
    "init_study",
    "lint",
    "open_collection",
    "open_recall",
    "probe",
    "recall",
    "recall_add",
    "reproduce",
    "run_study",
    "search",
    "sign",
    "validate",
    "verify",
    "why_not",
]

_PLACES = {
    "AskanceError": "askance.core.errors:AskanceError",
    "Collection": "askance.data.collection:Collection",
    "Estimate": "askance.core.estimate:Estimate",
    "Judgments": "askance.data.judgments:Judgments",
    "Run": "askance.data.run:Run",
    "agree": "askance.app.agree:agree",
    "as_judgments": "askance.data.convert.anything:as_judgments",
    "as_run": "askance.data.convert.anything:as_run",
    "ask": "askance.app.search:ask",
    "build_limit": "askance.app.build:build_limit",
    "build_trajectories": "askance.app.build_trajectories:build_trajectories",
    "change_index": "askance.app.index:change_index",
    "compare": "askance.app.compare:compare",
    "data_fetch": "askance.app.data:fetch",
    "data_list": "askance.app.data:listed",
    "diagnose_study": "askance.app.diagnose:diagnose",
    "drift": "askance.app.drift:drift",
    "evaluate": "askance.app.evaluate:evaluate",
    "fix": "askance.app.fix:fix",
    "hardness": "askance.app.hardness:hardness",
    "index": "askance.app.index:index",
    "init_study": "askance.app.study:init",
    "lint": "askance.app.lint:lint",
    "open_collection": "askance.study.collections:open_collection",
    "probe": "askance.app.probe:probe",
    "open_recall": "askance.app.recall:open_recall",
    "recall": "askance.app.recall:recall",
    "recall_add": "askance.app.recall:recall_add",
    "reproduce": "askance.app.study:reproduce_published",
    "run_study": "askance.app.study:run",
    "search": "askance.app.search:search",
    "sign": "askance.app.sign:sign",
    "validate": "askance.app.validate:validate",
    "verify": "askance.app.verify:verify",
    "why_not": "askance.app.search:why_not",
}


def __getattr__(name: str) -> object:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'askance' has no attribute {name!r}")
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
