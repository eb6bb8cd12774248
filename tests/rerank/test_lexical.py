"""The lexical control."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from askance.data.ids import Ids
from askance.data.run import Run
from askance.rerank.lexical import LexicalSettings, TokenClassName
from askance.rerank.registry import RERANKERS
from askance.rerank.reranker import RerankTask
from askance.text.likeness import LIKENESSES

TEXTS = ["put a mug on the desk", "cool two breads", "put a pen on the desk", "cool 2 breads", "heat a mug", ""]
DOCUMENTS = Ids("abcdef")


def rerank(run: Run, task: RerankTask, **settings: object) -> Run:
    kind = RERANKERS.get("lexical")
    return kind.build(kind.Settings.model_validate(settings)).rerank(run, task)


def run_of(*lists: str) -> Run:
    queries = Ids(f"q{at}" for at in range(len(lists)))
    rows = {f"q{at}": [(name, 9.0 - rank) for rank, name in enumerate(names)] for at, names in enumerate(lists)}
    return Run.of("first", queries, DOCUMENTS, rows)


def names(run: Run, query: int = 0) -> str:
    return "".join(run.documents[int(at)] for at in run.of_query(query)[0])


@pytest.mark.parametrize(
    ("tokens", "first", "expected"),
    [
        ("all", 6, "cabdef"),  # by likeness to "put a pen on a desk"
        ("all", 3, "cbfaed"),
        ("all", 1, "fbcaed"),
        ("verbs", 6, "cafbed"),  # equal ones keep their order
        ("numbers", 6, "fcaebd"),  # neither the query nor these name a number
    ],
)
def test_order(tokens: str, first: int, expected: str) -> None:
    run = rerank(run_of("fbcaed"), RerankTask(["put a pen on a desk"], TEXTS, first), tokens=tokens)
    likeness = dict(zip("abcdef", LIKENESSES[tokens].scores("put a pen on a desk", TEXTS), strict=True))
    head = sorted("fbcaed"[:first], key=lambda name: -likeness[name])  # a stable sort
    assert names(run) == "".join(head) + "fbcaed"[first:] == expected


LISTS = st.lists(
    st.permutations("abcdef").flatmap(lambda p: st.integers(0, 6).map(lambda n: "".join(p[:n]))), max_size=5
)


@given(
    LISTS, st.integers(0, 8), st.sampled_from(get_args(TokenClassName)), st.lists(st.sampled_from(TEXTS), min_size=5)
)
def test_permutes_the_first_and_leaves_the_tail(lists: list[str], first: int, tokens: str, asked: list[str]) -> None:
    before = run_of(*lists)
    kept = (before.document.tobytes(), before.score.tobytes())
    after = rerank(before, RerankTask(asked, TEXTS, first), tokens=tokens)
    for query, old in enumerate(lists):
        new = names(after, query)
        assert sorted(new[:first]) == sorted(old[:first])
        assert new[first:] == old[first:]
        likeness = LIKENESSES[tokens].scores(asked[query], [TEXTS["abcdef".index(name)] for name in new[:first]])
        pairs = zip(likeness, likeness[1:], new, new[1:], strict=False)
        assert all(one > two or (one == two and old.index(x) < old.index(y)) for one, two, x, y in pairs)
        assert after.of_query(query)[1].tolist() == list(range(len(old), 0, -1))
    assert (before.document.tobytes(), before.score.tobytes()) == kept
    np.testing.assert_array_equal(after.offsets, before.offsets)


def test_every_class_may_be_named() -> None:
    assert get_args(TokenClassName) == tuple(LIKENESSES)
    with pytest.raises(ValidationError, match="'numbers', 'verbs' or 'others'"):
        LexicalSettings.model_validate({"tokens": "nouns"})


def test_name_says_which_words() -> None:
    task = RerankTask(["x"], TEXTS)
    assert rerank(run_of("a"), task).name == "first+lexical"
    assert rerank(run_of("a"), task, tokens="verbs").name == "first+lexical (verbs)"
