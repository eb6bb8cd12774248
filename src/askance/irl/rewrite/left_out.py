"""What a question joins to its items and nothing is found of: it is left out of the query, and said."""

from __future__ import annotations

from collections.abc import Sequence

from askance.irl.rewrite.connectives import is_connective
from askance.irl.rewrite.runs import keyword_runs
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.text.analyzer import Token


def left_out(question: str, keywords: Sequence[str], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Words that the question joins to a keyword by and, or, not, though the collection has no such thing.

    After the last keyword these are all that follow the joining word and are no words of a relation; before it only
    words with a capital letter, since fillers stand there too. Empty where the keywords do not stand in the question.
    """
    tokens = vocabulary.analyzer.tokens(question)
    if not any(is_connective(token.term) for token in tokens):
        return ()
    runs = keyword_runs(tokens, keywords, vocabulary.analyzer)
    if not runs:
        return ()
    of_relations = {term for name in vocabulary.relations for term in vocabulary.analyzer.terms(name)}
    found = []
    before = 1  # the capital that begins a question says nothing
    for first, last in runs:
        gap = tokens[before:first] if any(is_connective(token.term) for token in tokens[before:first]) else ()
        found += [
            word for token in gap if (word := _text(question, token)) != word.lower() and _says(token, of_relations)
        ]
        before = last
    tail = tokens[before:]
    joined = next((at for at, token in enumerate(tail) if is_connective(token.term)), len(tail))
    rest = [token for token in tail[joined:] if _says(token, of_relations)]
    if rest:
        found.append(question[rest[0].start : rest[-1].end])
    return tuple(found)


def _says(token: Token, of_relations: set[str]) -> bool:
    return not is_connective(token.term) and token.term not in of_relations


def _text(question: str, token: Token) -> str:
    return question[token.start : token.end]
