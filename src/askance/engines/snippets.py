"""Where in a document's text a query found something, so that a reader can be shown that place."""

from __future__ import annotations

from collections.abc import Iterator

from askance.irl.nodes import Exact, Lex, Node, Not
from askance.text.analyzer import Analyzer, Token

_LOOKED_AT = 20_000  # characters of a text


def first_place(text: str, query: Node, analyzer: Analyzer) -> int:
    """Where the first of the query's words stand, in code points; 0 where none does.

    The first exact or lex clause whose words stand in the text decides; clauses that exclude are passed over. Only the
    first 20,000 characters are looked at.
    """
    tokens = analyzer.tokens(text[:_LOOKED_AT])
    for clause in _looked_for(query):
        words = analyzer.terms(clause.text)
        at = _phrase(tokens, words) if isinstance(clause, Exact) or clause.match == "phrase" else _any(tokens, words)
        if at is not None:
            return tokens[at].start
    return 0


def _looked_for(node: Node) -> Iterator[Lex | Exact]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Lex | Exact):
            yield node
        elif not isinstance(node, Not):
            waiting.extend(reversed(node.children))


def _phrase(tokens: list[Token], words: list[str]) -> int | None:
    if not words:
        return None
    terms = [token.term for token in tokens]
    starts = (at for at, term in enumerate(terms) if term == words[0])
    return next((at for at in starts if terms[at : at + len(words)] == words), None)


def _any(tokens: list[Token], words: list[str]) -> int | None:
    wanted = set(words)
    return next((at for at, token in enumerate(tokens) if token.term in wanted), None)
