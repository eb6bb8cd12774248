"""Three collections held by both engines, random queries of the whole language over them, and when answers agree."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.irl.strategies import queries

from askance.data.fields.schema import Fact, Fields, Outside, Record
from askance.engines.embedded.engine import EmbeddedEngine
from askance.engines.embedded.engine import build as build_here
from askance.engines.engine import Answer, Engine
from askance.engines.opensearch.building import build as build_there
from askance.engines.opensearch.engine import OpenSearchEngine
from askance.engines.settings import Indexed, IndexSettings
from askance.irl.nodes import Boost, Exact, Filter, Fuse, Knn, Lex, Node
from askance.models.embedder import FakeEmbedder
from askance.models.vectors import VectorStore

TOLERANCE = 2e-5  # relative, of scores
MOST_SPREAD = 100.0
ABSOLUTE = 2e-5  # of scores that minmax has spread
LIMIT = 1000
EMBEDDER = FakeEmbedder(dimension=16)


class ByRecord:
    """A schema whose records say it all."""

    def split(self, record: Record) -> Fields | Outside:
        if "outside" in record:
            return Outside("outside", "as the record says")
        facts = tuple(Fact(tuple(items), relation) for relation, items in record.get("facts", ()))
        return Fields(record.get("name"), facts, record.get("texts", {}))

    def described(self) -> dict[str, str]:
        return {"kind": "by record"}


@dataclass(frozen=True)
class Drawn:
    """A collection, and what queries over it are drawn from."""

    documents: list[Indexed]
    texts: st.SearchStrategy[str]
    fields: tuple[str, ...]
    keys: Mapping[str, tuple[Any, ...]]
    relations: tuple[str, ...]
    settings: IndexSettings = IndexSettings()

    def queries(self, most_leaves: int = 8) -> st.SearchStrategy[Node]:
        """Trees that may run; values of filters are mostly ones that occur."""
        return queries(
            runnable=True,
            fields=st.sampled_from(self.fields),
            relations=st.sampled_from(self.relations),
            leaf=self._leaves(),
            most_leaves=most_leaves,
        )

    def _leaves(self) -> st.SearchStrategy[Node]:
        """Clauses that stand alone. Some filters ask for what no document has."""
        return st.one_of(
            st.builds(Lex, self.texts, st.just("phrase"), st.sampled_from([0, 0, 1, 2, 100])),
            st.builds(Lex, self.texts, st.sampled_from(["any", "all"])),
            st.builds(Exact, self.texts),
            st.builds(Knn, self.texts, st.sampled_from([1, 10, 1000, 10_000])),
            *(_filters(key, values) for key, values in sorted(self.keys.items())),
        )


def phrases(words: tuple[str, ...], most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(any_of(words), min_size=1, max_size=most).map(" ".join)


def any_of(values: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """One of the values, in a strategy that says less of itself than `sampled_from`: some are long."""
    return st.integers(0, len(values) - 1).map(values.__getitem__)


_ODD = (
    "Snow",
    "snow",
    "ΣΊΣΥΦΟΣ",
    "σίσυφος",
    "İstanbul",
    "istanbul",
    "naïve",
    "nai\u0308ve",
    "Levi's",
    "Levi’s",
    "3.14",
    "3,14",
    "x_y",
    "AT&T",
    "中文",
    "日本語テスト",
    "ひらがな",
    "한국어",
    "ไทย",
    "हिन्दी",
    'אב"ג',
    "😀",
    "👩‍👩‍👧",
    "🏽",
    "❤️",
    "🇨🇭",
    "e\u0301",
    "Straße",
    "STRASSE",
    "ﬁsh",
    "ǅ",
    "\u00adsoft",
    "zero\u200bwidth",
    "a\u200db",
    "١٢٣",
    "Ⅷ",
    "½",
    "\u202eabc",
    "a.b.c",
    "don't",
    "x:y",
    "٫",
    "a\u0000b",
    "q" * 255,
    "q" * 256,
    "'",
    "-",
    "\t",
    "\u2028",
)


def _filters(key: str, values: tuple[Any, ...]) -> st.SearchStrategy[Node]:
    some = st.lists(any_of(values), min_size=1, max_size=3)
    of_one_kind = [value for value in values if isinstance(value, str) == isinstance(values[0], str)]
    ends: st.SearchStrategy[Any] = any_of(tuple(of_one_kind)) | (
        st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
        if isinstance(values[0], str)
        else st.floats(allow_nan=False, allow_infinity=False)
    )
    asked: st.SearchStrategy[Node] = st.builds(lambda chosen: Filter(key, tuple(chosen)), some)
    if isinstance(values[0], bool):
        return asked
    ranges = st.tuples(st.none() | ends, st.none() | ends).filter(lambda pair: pair != (None, None))
    return asked | st.builds(lambda pair: Filter(key, (), *pair), ranges)


def of_limit(documents: list[Indexed]) -> Drawn:
    """People and what they like: part of LIMIT, or documents like it."""
    words = ("snow", "hot", "chocolate", "forests", "who", "likes", "birch", "trees", "and", "apple", "cider", "sage")
    names = tuple(document.id for document in documents[:6])
    return Drawn(
        documents, phrases(words) | st.sampled_from(names), ("text", "name", "items"), {"items": (3, 40)}, ("likes",)
    )


def made_unicode(count: int = 300, seed: int = 1) -> Drawn:
    """Words of many scripts, with and without words at all."""
    draw = random.Random(seed)
    documents = []
    for at in range(count):
        text = " ".join(draw.choices(_ODD, k=draw.randint(0, 12)))
        items = [" ".join(draw.choices(_ODD, k=draw.randint(1, 3))) for _ in range(draw.randint(0, 4))]
        record = {"text": text, "name": draw.choice(_ODD), "facts": [(draw.choice(_ODD[:12]), items)] if items else []}
        documents.append(Indexed(f"ü{at}", text, {"größe": draw.choice(_ODD)}, record))
    texts = phrases(_ODD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    keys = {"größe": _ODD}
    return Drawn(documents, texts, ("text", "name", "items"), keys, (*_ODD[:12], "nothing"))


def made_fielded(count: int = 300, seed: int = 2) -> Drawn:
    """Several relations, further text fields, metadata of three kinds, deleted words, equal texts."""
    draw = random.Random(seed)
    words = ("hot", "dark", "chocolate", "springs", "forests", "rain", "ties", "risk", "the", "of", "snow")
    relations = ("likes", "does not like", "Owns", None)
    numbers = (0.0, -0.0, -3.5, 1e300, -1e300, 7, 12, 1e-300, 3.0)
    documents = []
    for at in range(count):
        if draw.random() < 0.1:
            documents.append(Indexed(f"d{at:03d}", draw.choice(words), {}, {"outside": True}))
            continue
        facts = [
            (relation, [" ".join(draw.choices(words, k=draw.randint(1, 3))) for _ in range(draw.randint(0, 3))])
            for relation in draw.sample(relations, draw.randint(0, 3))
        ]
        text = " ".join(draw.choices(words, k=draw.choice([0, 1, 3, 30, 60]))) if draw.random() < 0.9 else ""
        texts = {"body.of*text": " ".join(draw.choices(words, k=4))} if draw.random() < 0.5 else {}
        metadata: dict[str, str | float | bool] = {"age": draw.choice(numbers)}
        if draw.random() < 0.6:
            metadata["kind"] = draw.choice(["a", "b", "é", "", "10", "9"])
        if draw.random() < 0.5:
            metadata["open"] = draw.random() < 0.5
        if draw.random() < 0.2:
            metadata["age"] = draw.choice(["young", "old"])
        record = {"text": text, "name": draw.choice(words), "facts": facts, "texts": texts}
        documents.append(Indexed(f"d{at:03d}", text, metadata, record))
    keys = {"age": numbers, "kind": ("a",), "open": (True,)}
    fields = ("text", "name", "items", "body.of*text")
    return Drawn(documents, phrases(words, 4), fields, keys, ("likes", "DOES not like", "owns", "nothing"))


@dataclass(frozen=True)
class Both:
    """One collection in two engines."""

    drawn: Drawn
    here: EmbeddedEngine
    there: OpenSearchEngine


def in_both(drawn: Drawn, folder: Path, place: str, settings: IndexSettings | None = None) -> Both:
    """The collection, built in a folder and on a cluster, with vectors."""
    store = VectorStore(folder / "store")
    chosen = settings or drawn.settings
    build_here(drawn.documents, folder / "here", schema=ByRecord(), settings=chosen, embedder=EMBEDDER, store=store)
    build_there(drawn.documents, place, schema=ByRecord(), settings=chosen, embedder=EMBEDDER, store=store)
    return opened(drawn, folder, place)


def opened(drawn: Drawn, folder: Path, place: str) -> Both:
    return Both(drawn, EmbeddedEngine.open(folder / "here", EMBEDDER), OpenSearchEngine.open(place, EMBEDDER))


def answer_or_error(engine: Engine, query: Node, limit: int = LIMIT) -> Answer | str:
    """The answer, or what kind of refusal."""
    from askance.core.errors import AskanceError

    try:
        return engine.search(query, limit)
    except AskanceError as error:
        return type(error).__name__


def difference(one: Answer | str, other: Answer | str, cut: bool = False) -> str | None:
    """What keeps two answers from being the same, None where nothing does.

    Hits, order and scores; documents whose scores are within the tolerance of one another may stand in either order:
    the last digit of a sum depends on how it is nested. `cut`: lists inside end at a depth, as those of knn do, so that
    the last of them may be another of the same score.
    """
    if isinstance(one, str) or isinstance(other, str):
        return (
            None
            if one == other
            else f"{one if isinstance(one, str) else 'hits'} / {other if isinstance(other, str) else 'hits'}"
        )
    if one.total != other.total:
        return f"{one.total} and {other.total} match"
    if len(one.documents) != len(other.documents):
        return f"{len(one.documents)} and {len(other.documents)} hits"
    far = ~np.isclose(one.scores, other.scores, rtol=TOLERANCE, atol=ABSOLUTE)
    if far.any():
        at = int(np.flatnonzero(far)[0])
        return f"hit {at + 1} scores {one.scores[at]!r} and {other.scores[at]!r}"
    scores = dict(zip(one.documents, one.scores, strict=True))
    cut = cut or one.total > len(one.documents)
    for at, (left, right) in enumerate(zip(one.documents, other.documents, strict=True)):
        if left == right:
            continue
        held = scores.get(right)
        last = one.scores[-1]
        near = held is not None and np.isclose(held, one.scores[at], rtol=TOLERANCE, atol=ABSOLUTE)
        at_the_end = held is None and cut and np.isclose(one.scores[at], last, rtol=TOLERANCE, atol=ABSOLUTE)
        if not (near or at_the_end):
            return f"hit {at + 1} is {left!r} and {right!r}"
    return None


def disagreement(both: Both, query: Node) -> str | None:
    """What keeps the engines from agreeing on a query, None where nothing does.

    A fusion is compared as a whole where the lists that it is made of are the same. Documents whose scores differ in
    the last digit may change places in a list, and ranks, depths and minmax make much of that: then the lists are
    compared, each on its own.
    """
    here, there = answer_or_error(both.here, query), answer_or_error(both.there, query)
    found = difference(here, there, cut=any(isinstance(node, Knn) for node in query.walk()))
    if found is None:
        return None
    parts = _parts_of_fusion(query)
    for part, _ in parts:
        told = disagreement(both, part)
        if told is not None:
            return told
    lists = [
        (answer_or_error(both.here, part, depth), answer_or_error(both.there, part, depth)) for part, depth in parts
    ]
    delicate = not all(same_order(one, other) for one, other in lists) or any(_narrow(one) for one, _ in lists)
    return None if parts and delicate else found


def agree(both: Both, examples: int, most_leaves: int = 8) -> None:
    """The engines agree on random queries; a disagreement is shrunk to a least one."""

    @random_queries(examples)
    @given(both.drawn.queries(most_leaves))
    def on(query: Node) -> None:
        assert disagreement(both, query) is None

    on()


def random_queries(examples: int) -> settings:
    """How queries are drawn: in CI the same ones each time."""
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize="CI" in os.environ,
        database=None,
    )


def _parts_of_fusion(query: Node) -> list[tuple[Node, int]]:
    while isinstance(query, Boost):
        query = query.child
    return [(part, query.depth) for part in query.parts] if isinstance(query, Fuse) else []


def _narrow(answer: Answer | str) -> bool:
    """Whether a list is so narrow that spreading it shows the last digits of its scores."""
    if isinstance(answer, str) or not len(answer.scores):
        return False
    most, least = float(answer.scores[0]), float(answer.scores[-1])
    return most > least and most > MOST_SPREAD * (most - least)


def same_order(one: Answer | str, other: Answer | str) -> bool:
    """Whether answers agree to the last place."""
    return isinstance(one, str) or isinstance(other, str) or one.documents == other.documents
