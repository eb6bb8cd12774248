"""Fusion by the server: the bodies, whole, for the versions that differ; what it cannot do; a server without it.

No server with the plugin could be had here: these bodies follow its documentation and were not run.
"""

from __future__ import annotations

import pytest
from tests.engines.opensearch.golden import golden

from askance.core.errors import BadInput
from askance.engines.opensearch.building import build
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.opensearch.problems import Rejected
from askance.engines.opensearch.server_fusion import fused_body
from askance.engines.settings import Indexed
from askance.irl.nodes import Fuse
from askance.irl.parser import parse

LISTS = [{"match_phrase": {"text": {"query": "snow"}}}, {"match": {"text": {"query": "ice"}}}]

KINDS = {
    "minmax": '(or (lex "snow") (lex "ice") :fuse minmax)',
    "minmax-weights": '(or (lex "snow") (lex "ice") :fuse minmax :weights (3 1))',
    "rrf": '(or (lex "snow") (lex "ice") :fuse rrf :k 20 :depth 50)',
    "rrf-weights": '(or (lex "snow") (lex "ice") :fuse rrf :weights (3 1))',
}
MADE = [
    ("minmax", (2, 11)),
    ("minmax", (2, 19)),
    ("minmax-weights", (2, 11)),
    ("minmax-weights", (3, 5)),
    ("rrf", (2, 19)),
    ("rrf", (3, 5)),
    ("rrf-weights", (3, 1)),
    ("rrf-weights", (3, 5)),
]


def fusion(query: str) -> Fuse:
    tree = parse(query)
    assert isinstance(tree, Fuse)
    return tree


@pytest.mark.parametrize(("kind", "version"), MADE)
def test_the_body_is_the_one_that_was_agreed_on(kind: str, version: tuple[int, int]) -> None:
    made = fused_body(fusion(KINDS[kind]), LISTS, 100, version)
    assert golden(f"fusion-{kind}-{version[0]}.{version[1]}", made) == made


SIX = " ".join(f'(lex "{word}")' for word in ("a", "b", "c", "d", "e", "f"))


@pytest.mark.parametrize(
    ("query", "version", "match"),
    [
        ('(or (lex "snow") (lex "ice") :fuse sum)', (3, 5), r"does not add scores up \(sum\).*Ask for rrf or minmax"),
        (KINDS["rrf"], (2, 18), "rrf is there from version 2.19 on.*Use a newer server"),
        (KINDS["minmax"], (2, 10), "minmax is there from version 2.11 on"),
        (KINDS["rrf-weights"], (2, 19), "rrf has weights from version 3.1 on.*Leave the weights out"),
        (f"(or {SIX} :fuse rrf)", (3, 5), "up to 5 lists, not 6"),
        (
            '(or (lex "snow") (or (lex "ice") (lex "rain") :fuse rrf) :fuse rrf)',
            (3, 5),
            "a fusion stands inside another",
        ),
        ('(or (lex "snow") (and (or (lex "ice") (lex "a") :fuse rrf) (lex "b")) :fuse rrf)', (3, 5), "inside another"),
        ('(or (lex "snow") (lex "ice") :fuse minmax :min-score 0.5)', (3, 5), "Leave :min-score out"),
        ('(or (lex "snow") (lex "ice") :fuse rrf :k 1.5)', (3, 5), "k is 1.5; it takes whole numbers from 1 to 10,000"),
    ],
)
def test_what_it_cannot_do_is_said_with_what_to_do_instead(query: str, version: tuple[int, int], match: str) -> None:
    with pytest.raises(BadInput, match=f"(?s)the server cannot fuse this: .*{match}") as refused:
        fused_body(fusion(query), LISTS, 100, version)
    assert "or leave out fusion=server: lists are fused here then" in str(refused.value)


def test_a_server_without_the_plugin_says_which_one_it_lacks(opensearch_place: str) -> None:
    build([Indexed("d1", "snow and ice"), Indexed("d2", "ice")], opensearch_place)
    engine = OpenSearchEngine.open(f"{opensearch_place}?fusion=server")
    try:
        with pytest.raises(Rejected, match="(?s)neural-search, which it has not.*or leave out fusion=server"):
            engine.search(parse(KINDS["rrf"]), 10)
        # a query that fuses nothing needs no plugin
        assert engine.search(parse('(lex "ice")'), 10).documents == ("d2", "d1")
    finally:
        engine.close()
