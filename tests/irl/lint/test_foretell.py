"""What is foretold: each kind by a case of its own, and all of it against phrase search by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.irl.lint.phrase_search import PhraseSearch

from askance.data.fields.schema import Fact, Fields, Outside
from askance.irl.lint.findings import Asked, Finding, LintFound
from askance.irl.lint.foretell import Corpus, read_corpus
from askance.irl.lint.lint import lint

Person = tuple[str, list[str]]


def likes(name: str, items: list[str]) -> tuple[str, Fields]:
    return f"{name} likes {', '.join(items)}.", Fields(name, (Fact(tuple(items), "likes"),))


def corpus_of(*documents: tuple[str, Fields | Outside]) -> Corpus:
    return read_corpus([f"d{at}" for at in range(len(documents))], documents)


def ask(corpus: Corpus, text: str, relation: str | None = None, cut: int = 100) -> LintFound:
    return lint("test", corpus, [Asked("q", text, relation)], cut=cut)


def told(found: LintFound) -> set[tuple[str, str, str]]:
    return {(each.kind, each.text, each.inside) for each in found.harmful}


# The answer's list is the longest and comes last: whatever holds the phrase stands before it.
LONG = ["Salt", "Ink", "Wool", "Oak", "Iron", "Rice", "Tin", "Jam", "Cork", "Clay", "Moss", "Reed", "Hay", "Lead"]


@pytest.mark.parametrize(
    ("other", "item", "expected"),
    [
        (likes("Al Ro", ["Mangrove Forests"]), "Forests", ("item in item", "Forests", "Mangrove Forests")),
        (
            likes("Al Ro", ["Apple Cider Vinegar"]),
            "Apple Cider",
            ("item in item", "Apple Cider", "Apple Cider Vinegar"),
        ),
        (likes("Patience Schmiel", ["Tea"]), "Patience", ("item in name", "Patience", "Patience Schmiel")),
        (likes("Sage", ["Tea"]), "Sage", ("item in name", "Sage", "Sage")),
        (
            likes("Al Ro", ["Hot", "Chocolate"]),
            "Hot Chocolate",
            ("across a boundary", "Hot Chocolate", "Hot, Chocolate"),
        ),
        (likes("Al Ro", ["Tea"]), "Likes", ("template words", "Likes", "")),
        (likes("Al Ro", ["Tea"]), "Ro likes", ("across a boundary", "Ro likes", "Al Ro")),
        (likes("Al Ro", ["C#"]), "C++", ("ambiguous item", "C++", "C#")),
        (("A note on forests.", Outside("no match", "")), "Forests", ("outside the schema", "Forests", "no match")),
        (
            ("Al hates Snow.", Fields("Al", (Fact(("Snow",), "hates"),))),
            "Snow",
            ("other relation", "Snow", "hates Snow"),
        ),
    ],
)
def test_each_kind_of_impostor(other: tuple[str, Fields | Outside], item: str, expected: tuple[str, str, str]) -> None:
    corpus = corpus_of(other, likes("Bo Li", [*LONG, item]))
    found = ask(corpus, item, "likes")
    assert told(found) == {expected}
    finding = found.harmful[0]
    assert (finding.queries, finding.harm, finding.last, finding.before) == (("q",), "outranked", 2, 1)
    assert finding.example == "d0"
    assert [(one.query, one.answers, one.first, one.last) for one in found.questions] == [("q", 1, 2, 2)]


def test_an_impostor_behind_all_answers_does_no_harm() -> None:
    corpus = corpus_of(likes("Bo", ["Forests"]), likes("Al", [*LONG, "Mangrove Forests"]))
    found = ask(corpus, "forests")
    assert not found.questions
    assert [(each.kind, each.inside, each.queries, each.harm) for each in found.findings] == [
        ("item in item", "Mangrove Forests", (), "none")
    ]
    assert found.failing() == 0


def test_answers_beyond_the_cut_are_hidden_and_their_depth_is_told() -> None:
    hiding = [likes(f"Al {at}", ["Mangrove Forests"]) for at in range(12)]
    corpus = corpus_of(*hiding, likes("Bo", [*LONG, "Forests"]), likes("Cy", [*LONG, "Forests"]))
    found = ask(corpus, "Forests", cut=10)
    assert [(one.harm, one.first, one.last) for one in found.questions] == [("hidden", 13, 14)]
    assert [(each.before, each.documents, each.last, each.harm) for each in found.harmful] == [(12, 12, 14, "hidden")]
    assert ask(corpus, "Forests", cut=14).questions[0].harm == "outranked"


def test_twice_in_one_document_counts_twice() -> None:
    """d0 is longer than d1, and stands before it for holding the word twice."""
    twice = likes("Al", ["Zip Ties", "Bow Ties", "Tea"])
    found = ask(corpus_of(twice, likes("Bo", ["Ties", "Tea"])), "Ties")
    assert told(found) == {("item in item", "Ties", "Zip Ties"), ("item in item", "Ties", "Bow Ties")}


def test_an_answer_that_is_an_impostor_as_well_is_an_answer() -> None:
    found = ask(corpus_of(likes("Love Ann", ["Love", "Love Songs"])), "Love")
    assert not found.findings
    assert not found.questions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Birch Tree", ("no item", "Birch Tree", "Birch Trees")),
        ("levi’s", ("no item", "levi’s", "Levi's")),
        ("birchtrees", ("no item", "birchtrees", "Birch Trees")),
        ("café", ("no item", "café", "Cafe\u0301")),
        ("Volcanoes", ("no item", "Volcanoes", "")),
        ("", ("no item", "", "")),
        ("?!", ("wordless item", "?!", "")),
    ],
)
def test_what_no_phrase_finds(text: str, expected: tuple[str, str, str]) -> None:
    found = ask(corpus_of(likes("Al", ["Birch Trees", "Levi's", "Cafe\u0301", "?!"])), text)
    assert told(found) == {expected}
    assert [one.harm for one in found.questions] == ["unfindable"]


def test_a_document_whose_text_does_not_say_what_it_holds() -> None:
    silent = ("Al likes much.", Fields("Al", (Fact(("Tea",), "likes"),)))
    found = ask(corpus_of(silent, likes("Bo", ["Tea"])), "Tea")
    assert told(found) == {("not in the text", "Tea", "")}
    assert [(one.harm, one.answers, one.last) for one in found.questions] == [("unfindable", 2, 1)]


@pytest.mark.parametrize(
    ("text", "kind", "answers"),
    [
        ("Al likes Salt, Ruby Slippers of Oz, Snow, Tea.", "unknown item", 2),
        ("Al likes Snow, Ruby Slippers of Oz, Tea.", "unknown item", 2),
        ("Al likes Salt, Ruby Slippers of Oz, Snow.", "unknown item", 2),
        ("Al likes Salt, Ruby Slippers of Oz, Snow Shoes, Tea.", "unknown item", 1),
        ("Al likes Salt, Ruby Slippers of Oz, Deep Snow, Tea.", "unknown item", 1),
        ("Al likes no Salt, Snow, Tea.", "unknown item", 1),
        ("Al likes Salt, Snow, no Tea.", "unknown item", 1),
        ("Snow, says Al, likes Salt, Tea.", "unknown item", 1),
        ("Al likes Salt, Snow, Tea!", "unknown item", 1),
        ("Al never liked Tea, Snow, Rain.", "no match", 1),
    ],
)
def test_a_list_that_the_schema_cannot_read_still_holds_items(text: str, kind: str, answers: int) -> None:
    """Only where the sentence is one it knows: another one may say the contrary."""
    corpus = corpus_of((text, Outside(kind, "")), likes("Cy", ["Tea"]), likes("Bo", [*LONG, "Snow"]))
    found = ask(corpus, "Snow")
    assert told(found) == (set() if answers == 2 else {("outside the schema", "Snow", kind)})
    assert [one.answers for one in found.questions] == [answers] * (answers == 1)


def test_an_item_that_only_unread_lists_hold() -> None:
    unread = ("Al likes Salt, Ruby Slippers of Oz, Snow, Tin.", Outside("unknown item", ""))
    assert ask(corpus_of(unread, likes("Bo", LONG)), "snow").questions == ()


def test_marks_decide_between_items_of_the_same_words() -> None:
    corpus = corpus_of(likes("Al", ["C#"]), likes("Bo", ["C++"]), likes("Cy", ["c++"]))
    assert ask(corpus, "C++").questions[0].answers == 2
    assert ask(corpus, "C#").questions == ()
    assert ask(corpus, "C").questions == ()  # both are meant


def test_spelling_that_changes_nothing() -> None:
    """Case and hyphens: one item for a phrase and for us."""
    corpus = corpus_of(likes("Al", ["STAND-UP Comedy", "Ink"]), likes("Bo", ["Stand-up Comedy", "Tin"]))
    found = ask(corpus, "stand up comedy")
    assert found.questions == ()
    assert [(each.kind, each.harm, each.why) for each in found.findings] == [("near-duplicate items", "none", "case")]


def test_one_item_asked_for_by_several_queries_is_one_finding() -> None:
    corpus = corpus_of(likes("Al", ["Zip Ties"]), likes("Bo", [*LONG, "Ties"]))
    asked = [Asked("q1", "Ties"), Asked("q2", "ties"), Asked("q2", "Tin"), Asked("q3", "Tin")]
    found = lint("test", corpus, asked)
    assert [each.queries for each in found.harmful] == [("q1", "q2")]
    assert (found.asked, found.failing(), found.failing("outranked"), found.failing("hidden")) == (3, 2, 2, 0)


def test_the_whole_dictionary_without_queries() -> None:
    corpus = corpus_of(likes("Al", ["Zip Ties"]), likes("Bo", [*LONG, "Ties"]))
    found = lint("test", corpus, None)
    assert found.by_item
    assert (found.asked, found.items) == (len(LONG) + 2, len(LONG) + 2)
    assert [(each.text, each.inside, each.queries) for each in found.harmful] == [("Ties", "Zip Ties", ())]
    assert [(one.query, one.text) for one in found.questions] == [(None, "Ties")]


def test_the_dictionary_asks_for_an_item_in_each_of_its_relations() -> None:
    hates = ("Al hates Snow.", Fields("Al", (Fact(("Snow",), "hates"),)))
    found = lint("test", corpus_of(hates, likes("Bo", [*LONG, "Snow"])), None)
    assert told(found) == {("other relation", "Snow", "hates Snow")}


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Birch Tree", "Birch Trees", "ending of a word"),
        ("Box", "Boxes", "ending of a word"),
        ("Berry", "Berries", "ending of a word"),
        ("Levi's", "Levi’s", "apostrophe, hyphen or closing mark"),
        ("hot dogs", "Hot Dogs", "case"),
        ("Caf\u00e9", "Cafe\u0301", "Unicode form"),
        ("ABC", "ＡＢＣ", "Unicode form"),
        ("Café", "Cafe", "accent, blank or apostrophe"),
        ("Stand-up", "Stand up", "apostrophe, hyphen or closing mark"),
        ("Newyork", "New York", "accent, blank or apostrophe"),
    ],
)
def test_near_duplicate_items(one: str, other: str, why: str) -> None:
    found = lint("test", corpus_of(likes("Al", [one, "Snow"]), likes("Bo", [other, "Rain"])), [])
    assert [({each.text, each.inside}, each.why, each.harm) for each in found.findings] == [({one, other}, why, "none")]


@pytest.mark.parametrize("pair", [("Snow", "Rain"), ("Car", "Carpet"), ("Hot Dogs", "Hot Cats"), ("Ox", "Oxen")])
def test_items_that_are_not_near(pair: tuple[str, str]) -> None:
    assert lint("test", corpus_of(likes("Al", [pair[0]]), likes("Bo", [pair[1]])), []).findings == ()


def test_near_duplicate_documents() -> None:
    found = lint(
        "test",
        corpus_of(
            likes("Al", ["Tea", "Snow"]),
            likes("Bo", ["Snow", "Tea", "Tea"]),
            likes("Cy", ["Snow", "Rain"]),
            ("Rain and snow.", Outside("no match", "")),
            ("Snow and rain", Outside("no match", "")),
        ),
        [],
    )
    assert [(each.text, each.inside, each.documents, each.why) for each in found.findings] == [
        ("d0", "d1", 2, "the same items"),
        ("d3", "d4", 2, "the same words"),
    ]
    assert found.outside == {"no match": 2}


def test_long_items() -> None:
    found = lint("test", corpus_of(likes("Al", ["x" * 256, "y " * 150])), [])
    assert [(each.kind, each.text[:1], each.why) for each in found.findings] == [("long item", "y", "300 characters")]


WORDS = ["ann", "bo", "tea", "hot"]
item = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join)
person = st.tuples(item, st.lists(item, min_size=1, max_size=5))


@settings(max_examples=300, deadline=None)
@given(st.lists(person, min_size=1, max_size=8), item)
def test_as_phrase_search_really_fails(people: list[Person], asked: str) -> None:
    """Names, items and questions of four words: everything collides. Foretold to fail = fails, in every case."""
    ids = [f"d{at}" for at in range(len(people))]
    documents = [likes(name, items) for name, items in people]
    gold = {"q": {ids[at] for at, (_, items) in enumerate(people) if asked in items}}
    found = lint("test", read_corpus(ids, documents), [Asked("q", asked)])
    if not gold["q"]:
        assert {each.kind for each in found.harmful} == {"no item"}
        return
    search = PhraseSearch(ids, [text for text, _ in documents])
    fails = search.failures({"q": asked}, gold)
    assert {one.query for one in found.questions} == fails
    assert {query for each in found.harmful for query in each.queries} == fails
    ranked = search.ranked(asked)
    last = max(map(ranked.index, gold["q"])) + 1
    assert all(one.last == last for one in found.questions)
    impostors = set(ranked[:last]) - gold["q"]
    assert all(each.before <= len(impostors) for each in found.harmful)
    assert sum(each.before for each in found.harmful) >= len(impostors)
    assert all(isinstance(each, Finding) for each in found.findings)
