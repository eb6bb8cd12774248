"""askance finds what a retriever overlooks, and measures how much, when gold looks nothing like the query.

Each command of the command line is one function here: `run_study`, `reproduce`, `init_study`, `verify`, `sign`,
`evaluate`, `compare`, `validate`, `agree`, `drift`, `data_list`, `data_fetch`; and `open_collection`, `as_run`,
`as_judgments` bring data in. They are imported when first used, so that `import askance` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from askance.app.agree import agree
    from askance.app.compare import compare
    from askance.app.data import fetch as data_fetch
    from askance.app.data import listed as data_list
    from askance.app.drift import drift
    from askance.app.evaluate import evaluate
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
    "compare",
    "data_fetch",
    "data_list",
    "drift",
    "evaluate",
    "init_study",
    "open_collection",
    "reproduce",
    "run_study",
    "sign",
    "validate",
    "verify",
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
    "compare": "askance.app.compare:compare",
    "data_fetch": "askance.app.data:fetch",
    "data_list": "askance.app.data:listed",
    "drift": "askance.app.drift:drift",
    "evaluate": "askance.app.evaluate:evaluate",
    "init_study": "askance.app.study:init",
    "open_collection": "askance.study.collections:open_collection",
    "reproduce": "askance.app.study:reproduce_published",
    "run_study": "askance.app.study:run",
    "sign": "askance.app.sign:sign",
    "validate": "askance.app.validate:validate",
    "verify": "askance.app.verify:verify",
}


def __getattr__(name: str) -> object:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'askance' has no attribute {name!r}")
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
