"""What the page on OpenSearch shows is what is sent, and what the example of a cluster says can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.engines.opensearch.page import body_of, pairs

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(("query", "shown"), pairs(), ids=lambda each: each if isinstance(each, str) else "")
def test_each_clause_compiles_as_the_page_shows(query: str, shown: object) -> None:
    assert body_of(query) == shown


def test_the_page_shows_every_clause() -> None:
    shown = " ".join(query for query, _ in pairs())
    for clause in (
        "lex",
        "exact",
        "filter",
        "and",
        "or",
        "not",
        "relation",
        "knn",
        "boost",
        "field",
        ":match",
        ":slop",
    ):
        assert f"({clause}" in shown or clause in shown, clause


def test_the_example_of_a_cluster_listens_on_this_machine_alone() -> None:
    """Read by a parser: there is no Docker where tests run."""
    told = yaml.safe_load((ROOT / "examples" / "opensearch" / "compose.yaml").read_text(encoding="utf-8"))
    services = told["services"]
    assert set(services) == {"opensearch", "n1", "n2", "n3"}
    for name, service in services.items():
        assert service["image"].startswith("opensearchproject/opensearch:3")
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        single = service["environment"].get("discovery.type") == "single-node"
        assert single == (name == "opensearch")
        assert service["environment"].get("node.name", "opensearch") == name
