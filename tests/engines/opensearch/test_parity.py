"""The engine on a real node gives what the embedded engine gives: hits, order and scores, for the whole language."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from tests.engines.opensearch.parity import (
    Both,
    agree,
    answer_or_error,
    in_both,
    made_fielded,
    made_unicode,
    of_limit,
    random_queries,
)

from askance.engines.settings import Analysis, Indexed, IndexSettings
from askance.engines.sources import documents_at
from askance.irl.nodes import Node

EXAMPLES = int(os.environ.get("ASKANCE_PARITY", "250"))  # of each collection; a long run takes 10,000

FEW = max(EXAMPLES // 10, 40)


def limit_small(shared_data: Path) -> list[Indexed]:
    """The people of LIMIT small, split."""
    from askance.data.fields.learned import LearnedSchema
    from askance.data.fields.schema import Fields

    documents = list(documents_at(shared_data / "limit" / "limit-small"))
    schema = LearnedSchema().learn(document.record for document in documents)
    made = []
    for document in documents:
        split = schema.split(document.record)
        assert isinstance(split, Fields)
        facts = [(fact.relation, list(fact.items)) for fact in split.facts]
        record = {"name": split.name, "facts": facts}
        made.append(Indexed(document.id, document.text, {"items": float(len(split.items))}, record))
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parity")


@pytest.fixture(scope="module")
def limit(shared_data: Path, folder: Path, opensearch_host: str) -> Both:
    drawn = of_limit(limit_small(shared_data))
    return in_both(drawn, folder / "limit", f"opensearch://{opensearch_host}/parity-limit-{os.getpid()}")


@pytest.fixture(scope="module")
def fielded(folder: Path, opensearch_host: str) -> Both:
    return in_both(made_fielded(), folder / "fielded", f"opensearch://{opensearch_host}/parity-fielded-{os.getpid()}")


@pytest.fixture(scope="module")
def unicode(folder: Path, opensearch_host: str) -> Both:
    return in_both(made_unicode(), folder / "unicode", f"opensearch://{opensearch_host}/parity-unicode-{os.getpid()}")


def test_limit(limit: Both) -> None:
    agree(limit, EXAMPLES)


def test_fields_metadata_and_relations(fielded: Both) -> None:
    agree(fielded, EXAMPLES)


def test_many_scripts(unicode: Both) -> None:
    agree(unicode, EXAMPLES)


@pytest.mark.parametrize("name", ["limit", "fielded", "unicode"])
def test_the_queries_are_answered(name: str, request: pytest.FixtureRequest) -> None:
    """What is compared is not two refusals, nor two empty lists: most queries have hits."""
    both: Both = request.getfixturevalue(name)
    answered: list[bool] = []

    @random_queries(FEW)
    @given(both.drawn.queries())
    def ask(query: Node) -> None:
        answer = answer_or_error(both.there, query)
        answered.append(not isinstance(answer, str) and answer.total > 0)

    ask()
    assert sum(answered) > 0.4 * len(answered)


@pytest.mark.parametrize(
    "analysis",
    [
        Analysis(stemmer="porter"),
        Analysis(stop_words=("the", "of", "and")),
        Analysis(fold_apostrophes=True),
        Analysis(normalize="nfkc"),
        Analysis(stemmer="english", stop_words=("the", "snow"), normalize="nfc", fold_apostrophes=True),
    ],
    ids=lambda each: each.model_dump_json(exclude_defaults=True),
)
def test_every_way_to_cut_text(analysis: Analysis, tmp_path: Path, opensearch_place: str) -> None:
    for at, drawn in enumerate((made_fielded(60), made_unicode(60))):
        both = in_both(drawn, tmp_path / str(at), f"{opensearch_place}-{at}", IndexSettings(analysis=analysis))
        agree(both, FEW, 4)


def test_the_legacy_scale(tmp_path: Path, opensearch_place: str) -> None:
    agree(in_both(made_fielded(60), tmp_path, opensearch_place, IndexSettings(scale="legacy")), FEW, 4)
