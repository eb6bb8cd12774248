"""Clauses that look at postings, as queries of tantivy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from askance.core.errors import BadInput, UnknownName
from askance.engines.embedded.postings import Postings
from askance.engines.embedded.segments import EXACT, FACT, META, RELATION, WORDS
from askance.engines.metadata import KINDS, Value, keyword_of, kind_of, prefix_of, value_in
from askance.engines.words import fact_term, in_relation, key_term, phrase_of
from askance.irl.nodes import Filter, Lex
from askance.text.analyzer import Analyzer

if TYPE_CHECKING:
    import tantivy

Phrase = Sequence[tuple[int, str]]  # terms with their places, the first at 0


def phrase_in(analyzer: Analyzer, text: str, relation: str | None) -> Phrase:
    """The terms of a clause; inside a relation (its key) as the index `facts` has them."""
    found = phrase_of(analyzer, text)
    return found if relation is None else [(at, in_relation(relation, term)) for at, term in found]


def is_sloppy(clause: Lex, phrase: Phrase) -> bool:
    """Whether a clause asks for words near to one another, which tantivy finds, and does not score as Lucene does."""
    return clause.match == "phrase" and clause.slop > 0 and len(phrase) > 1


def words_query(schema: tantivy.Schema, clause: Lex, phrase: Phrase) -> tantivy.Query:
    """A lex clause, its slop left out."""
    import tantivy

    if not phrase:
        return tantivy.Query.empty_query()
    if clause.match == "phrase" and len(phrase) > 1:
        return tantivy.Query.phrase_query(schema, WORDS, list(phrase))
    terms = [tantivy.Query.term_query(schema, WORDS, term) for _, term in phrase]
    if len(terms) == 1:
        return terms[0]
    occur = tantivy.Occur.Must if clause.match == "all" else tantivy.Occur.Should
    return tantivy.Query.boolean_query([(occur, term) for term in terms])


def together_query(schema: tantivy.Schema, phrase: Phrase) -> tantivy.Query:
    """Documents with all terms of a phrase, anywhere."""
    import tantivy

    terms = [tantivy.Query.term_query(schema, WORDS, term) for term in dict.fromkeys(term for _, term in phrase)]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, term) for term in terms])


def exact_query(schema: tantivy.Schema, key: str, relation: str | None) -> tantivy.Query:
    """Documents with exactly the item of this key, in the index `items`; with `relation`, the key of the relation it
    must stand in, in the index `facts`. It has no score yet."""
    import tantivy

    if not key:
        return tantivy.Query.empty_query()
    if relation is None:
        return key_query(schema, key)
    return tantivy.Query.term_query(schema, FACT, fact_term(relation, key), index_option="basic")


def key_query(schema: tantivy.Schema, key: str) -> tantivy.Query:
    """Documents with exactly the item of this key."""
    import tantivy

    return tantivy.Query.term_query(schema, EXACT, key_term(key), index_option="basic")


def relation_query(schema: tantivy.Schema, relation: str) -> tantivy.Query:
    """Documents with an item in the relation of this key."""
    import tantivy

    if not relation:
        return tantivy.Query.empty_query()
    return tantivy.Query.term_query(schema, RELATION, key_term(relation), index_option="basic")


def filter_query(postings: Postings, clause: Filter, known: dict[str, dict[str, int]]) -> tantivy.Query:
    """Documents that the filter lets pass. UnknownName for a key that no document has; BadInput for a value of a kind
    that no document has under it."""
    import tantivy

    if clause.key not in known:
        raise UnknownName("metadata key", clause.key, sorted(known))
    bounds = [bound for bound in (clause.low, clause.high) if bound is not None]
    for value in (*clause.values, *bounds):
        _refuse_other_kind(clause.key, value, known[clause.key])
    wanted = [keyword_of(clause.key, value) for value in clause.values]
    if bounds:
        wanted += _in_range(postings, clause)
    return tantivy.Query.term_set_query(postings.schema, META, wanted) if wanted else tantivy.Query.empty_query()


def _refuse_other_kind(key: str, value: Value, kinds: dict[str, int]) -> None:
    kind = KINDS[kind_of(value, key)]
    if kind not in kinds:
        raise BadInput(
            f"filter on {key!r}: {value!r} is a {kind}, and its values are: {', '.join(sorted(kinds))}",
            remedy="Write text in quotes, and numbers without.",
        )


def _in_range(postings: Postings, clause: Filter) -> list[str]:
    low, high = clause.low, clause.high
    kind = kind_of(low if low is not None else high if high is not None else "")
    prefix = prefix_of(clause.key, kind)
    found = []
    for written, _ in postings.searcher.terms_with_prefix(META, prefix):
        value = value_in(written, prefix)
        if (low is None or low <= value) and (high is None or value <= high):  # type: ignore[operator]
            found.append(written)
    return found
