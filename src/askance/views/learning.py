"""From texts to slots: words made, method chosen, classes named, neighbours counted."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from askance.views.classes import Context, Method, SlotClass, SlotSettings
from askance.views.clusters import cluster
from askance.views.naming import Names
from askance.views.rules import RULES, Rule, names_in, written
from askance.views.templates import Templates, induce, linked_share
from askance.views.viewing import Viewer
from askance.views.words import Word, segments

_TEMPLATED = 0.5
_RUN_TOGETHER = 0.8  # of the words in open classes
_MOST_CONTEXTS = 50_000
_FEWEST_WORDS = 800  # in all texts, each as often as it occurs, below which no class by neighbours is open
_ENOUGH_WORDS = 5_000  # … below which such classes are weaker

Lines = Sequence[Sequence[tuple[str, ...]]]

_WHY: Mapping[Rule, str] = {
    "number": "open by rule: written in figures",
    "identifier": "open by rule: letters mixed with digits or underscores",
    "name": "open by rule: a capital letter inside sentences, never without",
}


def learned(texts: Iterable[str], queries: Iterable[str] | None, settings: SlotSettings) -> dict[str, Any]:
    """What `Slots` is made of."""
    distinct = sorted({*texts, *(queries or ())})
    cut = [segments(text) for text in distinct]
    names = names_in(zip(distinct, cut, strict=True)) if "name" in settings.rules else frozenset()
    lines = [[_lettered(segment, settings, names) for segment in each] for each in cut]
    counted = Counter(term for each in lines for line in each for term in line)
    naming = Names(counted)
    linked = linked_share(line for each in lines for line in each if len(line) > 1)
    caution = ""
    method, templates = _method(settings, linked, lines)
    if templates is not None:
        found, border = _by_templates(templates, counted, naming), templates.border
    else:
        found, border = _by_contexts(lines, counted, naming)
        found, caution = _relied_on(found, counted.total())
    classes = (*found, *_by_rule(settings, naming, cut, names))
    grouped = {term for each in classes for term in each.members}
    structure = [term for term in sorted(counted, key=lambda one: (-counted[one], one)) if term not in grouped]
    structure = [term for term in structure if not term.startswith(_PLACEHOLDER)]
    contexts = _contexts(distinct, cut, Viewer(classes, structure, (), settings))
    return {
        "method": method,
        "settings": settings,
        "classes": classes,
        "structure": tuple(structure),
        "contexts": contexts,
        "texts": len(distinct),
        "linked": linked,
        "border": border if math.isfinite(border) else None,
        "caution": caution,
    }


_PLACEHOLDER = "\uf8fe"  # begins what stands for a word that is open by rule; no analyzer gives it


def _lettered(segment: Sequence[Word], settings: SlotSettings, names: frozenset[str]) -> tuple[str, ...]:
    """The terms of a segment, those that are open by rule as placeholders."""
    out = []
    for word in segment:
        rule = "name" if word.term in names else written(word.term)
        out.append(f"{_PLACEHOLDER}{rule}" if rule in settings.rules else word.term)
    return tuple(out)


def _method(settings: SlotSettings, linked: float, lines: Lines) -> tuple[Method, Templates | None]:
    """How the slots are learned, and the templates where it is by them.

    Texts worded by people may be linked, too, where there are very many: then all their words run into one class.
    """
    if settings.method == "contexts" or (settings.method == "auto" and linked < _TEMPLATED):
        return "contexts", None
    templates = induce(line for each in lines for line in each)
    if settings.method == "auto" and templates.covered > _RUN_TOGETHER:
        return "contexts", None
    return "templates", templates


def _by_templates(found: Templates, counted: Mapping[str, int], naming: Names) -> list[SlotClass]:
    classes = []
    for words, is_open in [*((one, True) for one in found.open), *((one, False) for one in found.closed)]:
        members = [word for word in words if not word.startswith(_PLACEHOLDER)]
        if not members:
            continue
        slot = naming.next()
        why = (
            f"{len(members)} words fill the same frames, "
            + ("more" if is_open else "not more")
            + f" than {found.border:.0f}"
        )
        classes.append(_class(slot, slot, members, counted, is_open, why))
    return classes


def _by_contexts(lines: Lines, counted: Mapping[str, int], naming: Names) -> tuple[list[SlotClass], float]:
    found = cluster([tuple(term for line in each for term in line) for each in lines])
    slots: dict[int, str] = {}
    within: Counter[int] = Counter()
    classes = []
    for each in found.classes:
        members = [word for word in each.words if not word.startswith(_PLACEHOLDER)]
        if not members:
            continue
        if each.group not in slots:
            slots[each.group] = naming.next()
        within[each.group] += 1
        is_open = each.openness >= found.border
        why = (
            f"its part of speech has {each.openness:.0f} effective members, "
            + ("at least" if is_open else "fewer than")
            + f" {found.border:.0f}"
        )
        slot = slots[each.group]
        classes.append(_class(f"{slot}{within[each.group]}", slot, members, counted, is_open, why))
    return classes, found.border


def _relied_on(found: Sequence[SlotClass], words: int) -> tuple[list[SlotClass], str]:
    """The classes as far as so many words bear them, and what is to be said of that: nothing where there are enough.

    On drawn goals in people's words, nine words a text, views of 470 words won next to nothing (Hit@1 .27 → .29, mean
    of three draws; in one no class was open), of 940 words .24 → .48, of 1,900 .21 → .61, of 3,700 .18 → .68.
    """
    if words >= _ENOUGH_WORDS:
        return list(found), ""
    said = f"Classes by neighbours come from {words:,} words"
    if words >= _FEWEST_WORDS:
        return list(found), f"{said}: they find less than those of {_ENOUGH_WORDS:,} or more would, so look at them."
    why = f"kept: by neighbours, which {words:,} words do not show reliably; {_FEWEST_WORDS:,} are needed"
    closed = [each.model_copy(update={"open": False, "why": why}) for each in found]
    return closed, f"{said}, too few to rely on: all of them are kept, and only what is open by rule is hidden."


def _class(
    name: str, slot: str, members: Iterable[str], counted: Mapping[str, int], is_open: bool, why: str
) -> SlotClass:
    ordered = sorted(members, key=lambda word: (-counted.get(word, 0), word))
    counts = [counted.get(word, 0) for word in ordered]
    return SlotClass(
        name=name,
        slot=slot,
        members=tuple(ordered),
        count=sum(counts),
        size=_effective(counts),
        open=is_open,
        why=why,
    )


def _effective(counts: Sequence[int]) -> float:
    """exp(entropy); 0 of nothing."""
    total = sum(counts)
    if not total:
        return 0.0
    return math.exp(-sum(count / total * math.log(count / total) for count in counts if count))


def _by_rule(
    settings: SlotSettings, naming: Names, cut: Sequence[Sequence[Sequence[Word]]], names: frozenset[str]
) -> list[SlotClass]:
    seen: dict[Rule, Counter[str]] = {rule: Counter() for rule in RULES}
    for each in cut:
        for segment in each:
            for word in segment:
                rule: Rule | None = "name" if word.term in names else written(word.term)
                if rule:
                    seen[rule][word.term] += 1
    return [
        SlotClass(
            name=naming.of_rule(rule),
            slot=naming.of_rule(rule),
            rule=rule,
            members=tuple(sorted(names, key=lambda term: (-seen[rule][term], term))) if rule == "name" else (),
            count=seen[rule].total(),
            size=_effective(list(seen[rule].values())),
            open=True,
            why=_WHY[rule],
        )
        for rule in RULES
        if rule in settings.rules
    ]


def _contexts(texts: Sequence[str], cut: Sequence[Sequence[Sequence[Word]]], viewer: Viewer) -> tuple[Context, ...]:
    """What stands between which neighbours, the most frequent ones."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for text, each in zip(texts, cut, strict=True):
        for segment in each:
            labelled = viewer.labels(text, segment)
            for at, (name, _) in enumerate(labelled):
                left = labelled[at - 1][1] if at else ""
                right = labelled[at + 1][1] if at + 1 < len(labelled) else ""
                counts[left, right][name] += 1
    most = sorted(counts, key=lambda key: (-counts[key].total(), key))[:_MOST_CONTEXTS]
    return tuple(Context(left=key[0], right=key[1], counts=dict(sorted(counts[key].items()))) for key in most)
