"""How the keywords of a question belong together: which of them must all be held, which are alternatives, which must
not be held.

A list without words between its items ("A, B or C") takes the word of the next pair that has one. Alternatives are read
last: "A and B or C" is A and B, or C, but "A and either B or C" is A and B, or A and C. What is excluded is excluded
from all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from askance.irl.nodes import And, Exact, Field, Lex, Node, Not, Or, Relation
from askance.irl.rewrite.connectives import Join, begins_alternatives, excludes, joined_by, said_of_all
from askance.irl.rewrite.phrases import Form
from askance.irl.rewrite.relations import relation_asked
from askance.irl.rewrite.runs import keyword_runs
from askance.irl.rewrite.vocabulary import Vocabulary
from askance.text.analyzer import Analyzer, Token


@dataclass(frozen=True, slots=True)
class Part:
    """A keyword as it is asked for. `relation`: that it stands in, None for any."""

    keyword: str
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class Composition:
    """`alternatives`: groups of parts that must all be held, of which one group is enough. `excluded`: parts that must
    not be held."""

    alternatives: tuple[tuple[Part, ...], ...]
    excluded: tuple[Part, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether these are alternatives and nothing else."""
        return not self.excluded and all(len(group) == 1 for group in self.alternatives)

    def __str__(self) -> str:
        groups = [" and ".join(part.keyword for part in group) for group in self.alternatives]
        said = " or ".join(
            f"({group})" if len(self.alternatives) > 1 and " and " in group else group for group in groups
        )
        without = "".join(f" but not {part.keyword}" for part in self.excluded)
        return f"{said or 'anything'}{without}"


def composition_of(question: str, keywords: Sequence[str], vocabulary: Vocabulary, form: Form) -> Composition | None:
    """How the keywords are joined; None where one alone is asked for, or where they do not stand in the question."""
    if not keywords:
        return None
    tokens = vocabulary.analyzer.tokens(question)
    runs = keyword_runs(tokens, keywords, vocabulary.analyzer)
    if runs is None:
        return None
    gaps = _gaps(question, tokens, runs)
    if len(keywords) == 1 and not excludes(gaps[0].terms):
        return None
    relations = vocabulary.relations if form == "fields" else {}
    parts, joins = _joined(keywords, gaps, relations, vocabulary.analyzer)
    told = _told(joins, said_of_all(gaps[0].terms))
    return _composed(parts, told, [begins_alternatives(gap.terms) for gap in gaps])


def composed_query(composition: Composition, form: Form) -> Node:
    """The query of a composition. "fields": the item itself, or the phrase inside a longer item, and excluded is who
    holds exactly the item: a longer one around it excludes nobody. "text": phrases, also where they exclude."""
    groups = [tuple(_wanted(part, form) for part in group) for group in composition.alternatives]
    wanted = [group[0] if len(group) == 1 else And(group) for group in groups]
    without = tuple(Not(_held(part, form)) for part in composition.excluded)
    if not wanted:
        return without[0] if len(without) == 1 else And(without)
    either = wanted[0] if len(wanted) == 1 else Or(tuple(wanted))
    return And((either, *without)) if without else either


def _wanted(part: Part, form: Form) -> Node:
    if form == "text":
        return Lex(part.keyword)
    return _related(part, Or((Exact(part.keyword), Field("items", Lex(part.keyword)))))


def _held(part: Part, form: Form) -> Node:
    return Lex(part.keyword) if form == "text" else _related(part, Exact(part.keyword))


def _related(part: Part, node: Node) -> Node:
    return node if part.relation is None else Relation(part.relation, node)


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands before a keyword, after the one before it."""

    terms: tuple[str, ...]
    text: str


def _gaps(question: str, tokens: Sequence[Token], runs: Sequence[tuple[int, int]]) -> list[_Gap]:
    gaps = []
    before, begin = 0, 0
    for first, last in runs:
        terms = tuple(token.term for token in tokens[before:first])
        gaps.append(_Gap(terms, question[begin : tokens[first].start]))
        before, begin = last, tokens[last - 1].end
    return gaps


def _joined(
    keywords: Sequence[str], gaps: Sequence[_Gap], relations: Mapping[str, int], analyzer: Analyzer
) -> tuple[list[Part], list[Join | None]]:
    """The parts, each in its relation, and how each is joined to what stands before it."""
    relation = relation_asked(gaps[0].terms, relations, analyzer).name if relations else None
    parts: list[Part] = []
    joins: list[Join | None] = []
    for number, (keyword, gap) in enumerate(zip(keywords, gaps, strict=True)):
        terms = list(gap.terms)
        named = _named(terms, relations, analyzer) if number else None
        if named is not None:
            relation = named
            terms = _without(terms, analyzer.terms(named))
        excluded = bool(joins) and joins[-1] == "not"
        join: Join | None = joined_by(terms, gap.text, excluded and named is None) if number else None
        if number and join is None and named is not None:
            join = "and"
        if not number and excludes(terms):
            join = "not"
        parts.append(Part(keyword, relation))
        joins.append(join)
    return parts, joins


def _named(terms: Sequence[str], relations: Mapping[str, int], analyzer: Analyzer) -> str | None:
    """The relation whose words all stand in a row there, the longest of them."""
    found = [name for name in relations if _in_a_row(terms, analyzer.terms(name))]
    return max(found, key=lambda name: (len(analyzer.terms(name)), relations[name], name), default=None)


def _in_a_row(terms: Sequence[str], wanted: Sequence[str]) -> bool:
    spread = range(len(terms) - len(wanted) + 1)
    return bool(wanted) and any(list(terms[at : at + len(wanted)]) == list(wanted) for at in spread)


def _without(terms: list[str], run: Sequence[str]) -> list[str]:
    for at in range(len(terms) - len(run) + 1):
        if terms[at : at + len(run)] == list(run):
            return terms[:at] + terms[at + len(run) :]
    return terms


def _told(joins: Sequence[Join | None], of_all: Join | None) -> list[Join | None]:
    """What is said of the whole list, or of its next pair, is said where nothing stands but a comma."""
    told = list(joins)
    for at in range(len(told) - 1, 0, -1):
        following = told[at + 1] if at + 1 < len(told) else None
        if of_all == "or" and told[at] == "and":
            told[at] = "or"
        elif told[at] is None:
            told[at] = of_all or ("or" if following is None or following == "not" else following)
    return told


def _composed(parts: Sequence[Part], told: Sequence[Join | None], either: Sequence[bool]) -> Composition:
    alternatives: list[list[Part]] = []
    excluded = []
    with_all: list[Part] = []  # what each of the alternatives after "and either" has too
    for part, join, begins in zip(parts, told, either, strict=True):
        if join == "not":
            excluded.append(part)
        elif join == "and" and alternatives:
            with_all = list(alternatives[-1]) if begins else []
            alternatives[-1].append(part)
        else:
            alternatives.append([*with_all, part])
    return Composition(tuple(map(tuple, alternatives)), tuple(excluded))
