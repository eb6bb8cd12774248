"""Queries as hypothesis draws them: every tree that the language has, or those alone that an engine can run."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from askance.irl.nodes import And, Boost, Exact, Field, Filter, Fuse, Knn, Lex, Node, Not, Or, Relation

WORDS = ("birch", "trees", "hot", "chocolate", "forests", "mangrove", "snow", "likes", "who")


def any_text() -> st.SearchStrategy[str]:
    """Every text there is: control characters and all planes, lone surrogates left out."""
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def word_text(words: tuple[str, ...] = WORDS) -> st.SearchStrategy[str]:
    """One to four of the words, a blank between."""
    return st.lists(st.sampled_from(words), min_size=1, max_size=4).map(" ".join)


def weights(smallest: float = 1e-30) -> st.SearchStrategy[float]:
    return st.floats(smallest, 1e30, allow_subnormal=False) | st.sampled_from([0.5, 1.0, 2.0])


def filters(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Filter]:
    numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20)
    value = any_text() | numbers | st.booleans()
    ends: Any = st.tuples(st.none() | numbers, st.none() | numbers) | st.tuples(
        st.none() | any_text(), st.none() | any_text()
    )
    ends = ends.filter(lambda pair: pair != (None, None))
    return st.one_of(
        st.builds(lambda key, values: Filter(key, tuple(values)), keys, st.lists(value, min_size=1, max_size=3)),
        st.builds(lambda key, pair: Filter(key, (), *pair), keys, ends),
    )


def leaves(texts: st.SearchStrategy[str], keys: st.SearchStrategy[str], knn: bool = True) -> st.SearchStrategy[Node]:
    """Clauses without clauses inside. `knn` False: none of that kind."""
    kinds: list[st.SearchStrategy[Node]] = [
        st.builds(Lex, texts, st.just("phrase"), st.sampled_from([0, 1, 2, 100])),
        st.builds(Lex, texts, st.sampled_from(["any", "all"])),
        st.builds(Exact, texts),
        filters(keys),
    ]
    if knn:
        kinds.append(st.builds(Knn, texts, st.sampled_from([1, 1000, 10_000]) | st.integers(1, 10_000)))
    return st.one_of(kinds)


def queries(
    *,
    runnable: bool = False,
    texts: st.SearchStrategy[str] | None = None,
    fields: st.SearchStrategy[str] | None = None,
    keys: st.SearchStrategy[str] | None = None,
    relations: st.SearchStrategy[str] | None = None,
    leaf: st.SearchStrategy[Node] | None = None,
    fused: bool = True,
    most_leaves: int = 8,
) -> st.SearchStrategy[Node]:
    """Trees of the language.

    `runnable`: fusions only where they may stand, no knn inside not, small weights. `fused` False: no fusions at all.
    The other arguments say where texts, names of fields, metadata keys and relations come from, or all leaves.
    """
    texts, fields, keys, relations = (
        any_text() if given is None else given for given in (texts, fields, keys, relations)
    )
    weight = st.sampled_from([0.25, 0.5, 2.0, 3.0]) if runnable else weights()
    inner = leaves(texts, keys) if leaf is None else leaf

    def combined(child: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        parts = st.lists(child, min_size=1, max_size=4).map(tuple)
        kinds: list[st.SearchStrategy[Node]] = [
            st.builds(And, parts),
            st.builds(Or, parts),
            st.builds(Field, fields, child),
            st.builds(Relation, relations, child),
            st.builds(Boost, weight, child),
            st.builds(Not, child.filter(_without_knn) if runnable else child),
        ]
        if fused and not runnable:
            kinds.append(fusions(child, weight))
        return st.one_of(kinds)

    scored = st.recursive(inner, combined, max_leaves=most_leaves)
    if not runnable or not fused:
        return scored
    lists = scored | fusions(scored, weight)
    return lists | fusions(lists, weight) | st.builds(Boost, weight, fusions(lists, weight))


def fusions(child: st.SearchStrategy[Node], weight: st.SearchStrategy[float]) -> st.SearchStrategy[Node]:
    """Fusions of one to four children."""

    @st.composite
    def draw_one(draw: st.DrawFn) -> Node:
        parts = tuple(draw(st.lists(child, min_size=1, max_size=4)))
        kind = draw(st.sampled_from(["sum", "rrf", "minmax"]))
        some = st.lists(weight | st.just(0.0), min_size=len(parts), max_size=len(parts)).filter(any)
        given = tuple(draw(st.just([]) | some))
        k = draw(st.sampled_from([60.0, 1.0, 2.5, 10_000.0])) if kind == "rrf" else 60.0
        depth = draw(st.sampled_from([1, 10, 1000, 10_000]))
        least = draw(st.none() | st.floats(allow_nan=False, allow_infinity=False))
        return Fuse(kind, parts, given, k, depth, least)  # type: ignore[arg-type]

    return draw_one()


def _without_knn(node: Node) -> bool:
    return not any(isinstance(part, Knn) for part in node.walk())
