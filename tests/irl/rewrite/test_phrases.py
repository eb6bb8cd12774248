from __future__ import annotations

import pytest

from askance.irl.nodes import Exact, Field, Knn, Lex, Node, Or, Relation
from askance.irl.rewrite.phrases import Form, build_phrases

Q = Knn("Who likes Birch Trees?")
K, L = Lex("birch trees"), Lex("snow")
ITEMS = (Exact("birch trees"), Field("items", K))


@pytest.mark.parametrize(
    ("query", "form", "relation", "built"),
    [
        (Or((Q, K)), "text", None, Or((Q, K))),
        (Or((Q, K)), "text", "likes", Or((Q, K))),
        (Or((Q, K)), "fields", None, Or((Q, *ITEMS))),
        (Or((Q, K)), "fields", "likes", Or((Q, Relation("likes", Or(ITEMS))))),
        (Or((Q, K, L)), "fields", None, Or((Q, *ITEMS, Exact("snow"), Field("items", L)))),
        (K, "fields", None, Or(ITEMS)),
        (K, "text", None, K),
        (Q, "fields", "likes", Q),
        (Lex("who likes", match="any"), "fields", "likes", Lex("who likes", match="any")),
    ],
)
def test_each_keyword_is_one_phrase(query: Node, form: Form, relation: str | None, built: Node) -> None:
    assert build_phrases(query, form, relation) == built
    assert all(node.match == "phrase" for node in built.walk() if isinstance(node, Lex) and node.text != "who likes")
