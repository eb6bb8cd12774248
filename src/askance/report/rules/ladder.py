"""What becomes of a retriever from the easiest to the main tier, said only where intervals lie apart."""

from __future__ import annotations

from askance.report.domain_view import DomainView
from askance.report.numbers import p_value, percent, percent_with_interval
from askance.report.rules.sentence import Sentence, clauses, few, names, only, sizes, verb
from askance.study.results import Figure

_Pair = tuple[str, Figure, Figure]
_ORDER = ("below", "at", "falls", "rises", "undecided")


def ladder(view: DomainView) -> list[Sentence]:
    """One sentence for all systems with the same fate; those whose intervals overlap are undecided."""
    fates: dict[str, list[_Pair]] = {}
    for label, easy, hard, fate in _fates(view):
        fates.setdefault(fate, []).append((label, easy, hard))
    return [_sentence(view, fate, fates[fate]) for fate in _ORDER if fate in fates]


def spoken_for(view: DomainView) -> set[str]:
    """Labels of the systems of whose chance under the main tier the ladder tells."""
    return {label for label, _, hard, _ in _fates(view) if hard.tier == view.main_tier}


def _fates(view: DomainView) -> list[tuple[str, Figure, Figure, str]]:
    ends = rungs(view)
    found = []
    for system in view.systems if ends else ():
        easy, hard = (view.figure(system, view.first_measure, tier=tier) for tier in ends or ())
        if easy and hard and (fate := _fate(easy, hard)):
            found.append((view.system(system), easy, hard, fate))
    return found


def rungs(view: DomainView) -> tuple[str, str] | None:
    """The easiest tier, and the main one to hold against it (the hardest, where the main one is the easiest)."""
    if len(view.tiers) < 2:
        return None
    easy = view.tiers[0]
    return easy, view.main_tier if view.main_tier in view.tiers[1:] else view.tiers[-1]


def _fate(easy: Figure, hard: Figure) -> str | None:
    a, b = easy.estimate, hard.estimate
    if a.value is None or b.value is None or a.low is None or b.low is None or a.high is None or b.high is None:
        return None
    if a.low > b.high:
        above = easy.chance.verdict == "above"
        return hard.chance.verdict if above and hard.chance.verdict in ("at", "below") else "falls"
    return "rises" if b.low > a.high else "undecided"


def _sentence(view: DomainView, fate: str, pairs: list[_Pair]) -> Sentence:
    labels = [label for label, _, _ in pairs]
    who, hard = names(labels), view.tier(pairs[0][2].tier)
    easy = view.tier(pairs[0][1].tier)
    still = " but stays above chance" if len(labels) == 1 else " but stay above chance"
    above = still if all(hard.chance.verdict == "above" for _, _, hard in pairs) else ""
    strong = {
        "at": f"{who} {verb(labels, 'does', 'do')} no better than chance once gold is “{hard}”.",
        "below": f"{who} {verb(labels, 'falls', 'fall')} below chance once gold is “{hard}”.",
        "falls": f"{who} {verb(labels, 'loses', 'lose')} ground from “{easy}” to “{hard}”{above}.",
        "rises": f"{who} {verb(labels, 'gains', 'gain')} ground from “{easy}” to “{hard}”.",
        "undecided": f"Undecided whether {who} {verb(labels, 'loses', 'lose')} ground from “{easy}” to “{hard}”.",
    }[fate]
    told = [
        f"from {percent_with_interval(a.estimate)} to {percent_with_interval(b.estimate)} for {label}"
        for label, a, b in pairs
    ]
    rest = f"From “{easy}” to “{hard}”, {view.first_measure} goes {clauses(told)}"
    rest += f"{_chance([b for _, _, b in pairs])}; {sizes(b.estimate for _, _, b in pairs)}."
    overlap = " The intervals overlap." if fate == "undecided" else ""
    return Sentence(view.domain.name, "ladder", strong, rest + overlap, only(labels), decided=fate != "undecided")


def _chance(figures: list[Figure]) -> str:
    """What chance gives in the harder tier, and each system's p."""
    known = [figure.chance for figure in figures if figure.chance.expected is not None]
    if not known:
        return ""
    ps = (
        few(p_value(chance.p) for chance in known if chance.p is not None)
        if any(c.p is not None for c in known)
        else ""
    )
    return f", where chance gives {few(percent(chance.expected) for chance in known)} %" + (f" ({ps})" if ps else "")
