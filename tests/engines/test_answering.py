"""What is done around an answer: whether a query can run, and what the reader should know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askance.engines.answering import notes_on, runnable
from askance.irl.builder import boost, exact, field, lex, not_, relation
from askance.irl.check import EngineFacts, check, exact_in_items, must_run
from askance.irl.codes import Code
from askance.irl.nodes import Exact, Field, Lex, Node, Or, Relation
from askance.irl.normal import normal_form
from askance.irl.problems import BadQuery
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.text.analyzer import Analyzer

TEXTS = st.sampled_from(["snow", "Birch Trees", "", "雪", "\ud800"])
LEAVES = st.one_of(
    st.builds(Lex, TEXTS, st.sampled_from(["phrase", "any", "near"]), st.sampled_from([0, 2, -1, False])),
    st.builds(Exact, TEXTS),
)
SCOPED = st.one_of(
    LEAVES,
    st.builds(Field, st.sampled_from(["text", "items", "colour"]), LEAVES),
    st.builds(Relation, TEXTS, st.one_of(LEAVES, st.builds(Field, st.just("items"), LEAVES))),
)
PARTS = st.lists(st.one_of(SCOPED, st.builds(Or, st.lists(SCOPED, max_size=2).map(tuple))), max_size=3).map(tuple)
QUERIES = st.one_of(SCOPED, st.builds(Or, PARTS))
FACTS = st.builds(
    EngineFacts,
    fields=st.sampled_from([("text",), ("text", "items")]),
    has_items=st.booleans(),
    has_relations=st.booleans(),
)


@given(QUERIES, FACTS)
def test_short_ways_lead_where_the_rules_lead(query: Node, facts: EngineFacts) -> None:
    assert _outcome(lambda: runnable(query, facts)) == _outcome(lambda: _by_rules(query, facts))


def _by_rules(query: Node, facts: EngineFacts) -> Node:
    tree = normal_form(query)
    if check(tree, facts) or check(query, facts, [exact_in_items]):
        must_run(query, facts)
        must_run(tree, facts)
    return tree


def _outcome(make: Callable[[], Node]) -> Node | set[Code]:
    try:
        return make()
    except BadQuery as problem:
        return {one.code for one in problem.problems}


class _About:
    """What notes are made from."""

    def __init__(self, analyzer: Analyzer, relations: Mapping[str, int]) -> None:
        self.analyzer, self.relations = analyzer, relations


NO_WORDS = "{} has no words and matches nothing"
OUTSIDE = "3 documents do not follow the schema: none of them is an exact hit"


@pytest.mark.parametrize(
    ("query", "stop_words", "notes"),
    [
        (lex("snow"), (), ()),
        (lex("!"), (), (NO_WORDS.format('(lex "!")'),)),
        (lex("'s"), (), ()),
        (lex("of"), ("of",), (NO_WORDS.format('(lex "of")'),)),
        (lex("雪"), (), ()),
        (lex("snow") | field("items", lex("?")) * 2, (), (NO_WORDS.format('(lex "?")'),)),
        (exact("snow"), (), (OUTSIDE,)),
        (relation("Likes!", exact("snow")), (), (OUTSIDE,)),
        (not_(boost(2, relation("eats", lex("snow")))), (), (
            'no document has the relation "eats"; there are: "likes"', OUTSIDE,
        )),
    ],
)  # fmt: skip
def test_notes(query: Node, stop_words: tuple[str, ...], notes: tuple[str, ...]) -> None:
    about = _About(Analyzer(stop_words=frozenset(stop_words)), {"likes": 2})
    assert notes_on(query, cast(Vocabulary, about), 3) == notes
