"""What stands at rank 1 instead of gold, and whether it reads closer to the query than gold does."""

from __future__ import annotations

from askance.report.domain_view import DomainView
from askance.report.numbers import count, listed, percent_interval, percent_with_interval
from askance.report.rules.sentence import Sentence, clauses, few, names, only, verb
from askance.study.results import Taxonomy, Winner


def winners(view: DomainView) -> list[Sentence]:
    """One sentence for all systems with the same kind of winner; "no one kind" where intervals do not tell."""
    if len(view.domain.roles) < 2:
        return []  # where there is one kind of wrong document only, winners tell nothing
    kinds: dict[tuple[str, str], list[Taxonomy]] = {}
    for taxonomy in view.taxonomies:
        if taxonomy.misses and taxonomy.winners:
            kinds.setdefault(_kind(taxonomy), []).append(taxonomy)
    return [_sentence(view, kind, role, found) for (kind, role), found in kinds.items()]


def _ranked(taxonomy: Taxonomy) -> list[Winner]:
    return sorted(taxonomy.winners, key=lambda winner: -winner.count)


def _kind(taxonomy: Taxonomy) -> tuple[str, str]:
    top, *others = _ranked(taxonomy)
    if top.count == taxonomy.misses:
        return "all", top.role
    if top.share.low is not None and top.share.low > 0.5:
        return "mostly", top.role
    rival = others[0].share.high if others else None
    if top.share.low is not None and rival is not None and top.share.low > rival:
        return "most often", top.role
    return "no one kind", ""


def _sentence(view: DomainView, kind: str, role: str, found: list[Taxonomy]) -> Sentence:
    labels = [view.system(taxonomy.system) for taxonomy in found]
    whose, what = names(labels), f"“{view.role(role)}”"
    strong = {
        "all": f"Where {whose} {verb(labels, 'misses', 'miss')}, rank 1 is always {what}.",
        "mostly": f"Where {whose} {verb(labels, 'misses', 'miss')}, rank 1 is mostly {what}.",
        "most often": f"Where {whose} {verb(labels, 'misses', 'miss')}, rank 1 is most often {what}.",
        "no one kind": f"No one kind of document stands first where {whose} {verb(labels, 'misses', 'miss')}.",
    }[kind]
    told = clauses([_counts(view, taxonomy, 2 if kind == "no one kind" else 1) for taxonomy in found])
    rest = f"{told}.{_closer(found)}"
    return Sentence(view.domain.name, "winners", strong, rest, only(labels), decided=kind != "no one kind")


def _counts(view: DomainView, taxonomy: Taxonomy, most: int) -> str:
    counts = [
        f"{count(winner.count)} “{view.role(winner.role)}”{_interval(winner)}" for winner in _ranked(taxonomy)[:most]
    ]
    empty = f", {count(taxonomy.empty)} empty lists" if taxonomy.empty else ""
    return f"{view.system(taxonomy.system)}: of {count(taxonomy.misses)} misses {listed(counts)}{empty}"


def _interval(winner: Winner) -> str:
    interval = percent_interval(winner.share)
    return f" ({interval} %)" if interval else ""


def _closer(found: list[Taxonomy]) -> str:
    """In how many misses the winner reads closer than gold."""
    known = [taxonomy.lexically_closer for taxonomy in found if taxonomy.lexically_closer.value is not None]
    if not known:
        return ""
    return f" The winner reads closer to the query than gold in {few(map(percent_with_interval, known))}."
