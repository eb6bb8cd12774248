"""The whole check: every asked item foretold, and what may trouble a phrase search besides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from askance.core.progress import Progress, Silent
from askance.irl.lint.findings import HARMS, Asked, Finding, Foretold, LintFound
from askance.irl.lint.foretell import CUT, Corpus, Outcome, foretell
from askance.irl.lint.holdings import Holdings
from askance.irl.lint.near_duplicates import Spellings, near_duplicate_documents, near_duplicate_items
from askance.irl.lint.spelling import folded

LONG = 256  # characters of an item: what dynamic mappings of search servers keep as one value, and drop beyond


def lint(
    name: str, corpus: Corpus, asked: Iterable[Asked] | None, *, cut: int = CUT, progress: Progress | None = None
) -> LintFound:
    """All findings of a collection, worst first. `asked` None: every item of the documents is asked for."""
    watch = progress or Silent()
    wanted = list(asked) if asked is not None else dictionary(corpus.holdings)
    spellings = Spellings(corpus.holdings)
    groups: dict[tuple[object, ...], list[Asked]] = {}
    for one in wanted:
        same = (tuple(corpus.words.analyzer.terms(one.text)), folded(one.text), one.relation)
        groups.setdefault(same, []).append(one)
    findings: list[Finding] = []
    failing: list[Foretold] = []
    watch.start("foretelling", len(groups))
    for group in groups.values():
        outcome = foretell(corpus, group[0], cut)
        findings += _with_queries(outcome, group, spellings)
        if outcome.foretold is not None:
            failing += [replace(outcome.foretold, query=one.query) for one in group]
        watch.advance("foretelling")
    watch.finish("foretelling")
    findings += ambiguous_items(corpus.holdings, findings)
    findings += near_duplicate_items(spellings) + near_duplicate_documents(corpus)
    findings += long_items(corpus.holdings)
    return LintFound(
        name,
        len(corpus.ids),
        len(corpus.holdings.keys),
        len({one.query for one in wanted}) if asked is not None else len(wanted),
        asked is None,
        cut,
        tuple(sorted(findings, key=_worst_first)),
        tuple(sorted(failing, key=lambda one: (HARMS.index(one.harm), -(one.last or 0), one.text))),
        corpus.holdings.reasons_outside(),
    )


def dictionary(holdings: Holdings) -> list[Asked]:
    """Every item as somebody would ask for it: once for each spelling that counts, and for each relation it has."""
    found: dict[tuple[int, str, str | None], Asked] = {}
    several = len(holdings.relations) > 2
    for form, relation in dict.fromkeys(zip(holdings.form.tolist(), holdings.relation.tolist(), strict=True)):
        text = holdings.forms[form]
        named = holdings.relations[relation] if several and relation else None
        found.setdefault((int(holdings.key[form]), folded(text), named), Asked(None, text, named))
    return list(found.values())


def ambiguous_items(holdings: Holdings, known: list[Finding]) -> list[Finding]:
    """Items of the same words and other marks, those that are found already left out."""
    told = {frozenset((each.text, each.inside)) for each in known if each.kind == "ambiguous item"}
    found = []
    for key in range(len(holdings.keys)):
        forms: dict[str, str] = {}
        for form in holdings.written(key):
            forms.setdefault(folded(form), form)
        first, *others = forms.values() or [""]
        found += [Finding("ambiguous item", first, other) for other in others if frozenset((first, other)) not in told]
    return found


def long_items(holdings: Holdings) -> list[Finding]:
    """Items of more than LONG characters."""
    return [Finding("long item", form, why=f"{len(form):,} characters") for form in holdings.forms if len(form) > LONG]


def _with_queries(outcome: Outcome, group: list[Asked], spellings: Spellings) -> list[Finding]:
    queries = tuple(one.query for one in group if one.query is not None)
    found = []
    for finding in outcome.findings:
        if finding.kind == "no item" and finding.text:
            finding = replace(finding, inside=next(iter(spellings.near(finding.text)), ""))
        found.append(replace(finding, queries=queries) if finding.harm != "none" else finding)
    return found


def _worst_first(finding: Finding) -> tuple[object, ...]:
    return (
        HARMS.index(finding.harm),
        -len(finding.queries),
        -finding.before,
        -finding.documents,
        finding.kind,
        finding.text,
        finding.inside,
    )
