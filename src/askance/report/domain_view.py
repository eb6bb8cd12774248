"""A domain as the report reads it: labels for names, figures by their place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from askance.report.texts import isolated, shorten

if TYPE_CHECKING:
    from askance.study.results import (
        Control,
        Curve,
        Domain,
        Failure,
        Figure,
        Preference,
        SystemCard,
        Taxonomy,
        TierCard,
    )

EVERYTHING = "all"
_TOKENS = {
    EVERYTHING: "all words",
    "content": "content words",
    "function": "function words",
    "others": "other words",
}


# Longer names are shown with their middle left out; results.json has them whole.
_LONGEST = 80


def _name(text: str) -> str:
    return isolated(shorten(text, _LONGEST))


def tokens_label(tokens: str) -> str:
    """A class of words in the reader's words."""
    return _TOKENS.get(tokens) or _name(tokens.replace("-", " ").replace("_", " ")) or "unnamed words"


@dataclass(frozen=True)
class DomainView:
    """Looks things up in one domain; a name without a card stands for itself."""

    domain: Domain

    @cached_property
    def title(self) -> str:
        return _name(self.domain.title) or _name(self.domain.name) or "unnamed domain"

    @cached_property
    def _systems(self) -> dict[str, SystemCard]:
        return {card.name: card for card in reversed(self.domain.systems)}

    @cached_property
    def _tiers(self) -> dict[str, TierCard]:
        return {card.name: card for card in reversed(self.domain.tiers)}

    @cached_property
    def _figures(self) -> dict[tuple[str, str, str, str], Figure]:
        return {(f.system, f.tier, f.subset, f.measure): f for f in reversed(self.domain.figures)}

    def system(self, name: str) -> str:
        card = self._systems.get(name)
        return _name(card.label if card else "") or _name(name) or "unnamed system"

    def card(self, name: str) -> SystemCard | None:
        return self._systems.get(name)

    def tier(self, name: str) -> str:
        card = self._tiers.get(name)
        return _name(card.label if card else "") or _name(name) or "unnamed tier"

    def tier_card(self, name: str) -> TierCard | None:
        return self._tiers.get(name)

    def subset(self, name: str) -> str:
        return _label(self.domain.subsets, name) or "unnamed subset"

    def role(self, name: str | None) -> str:
        return _label(self.domain.roles, name or "") or "no role"

    def decoys(self, name: str) -> str:
        return _label(self.domain.decoys, name) or "unnamed decoys"

    def control(self, control: Control) -> str:
        """A reranker as a row names it: its label, else its name and, where that does not say, the words it reads."""
        if _name(control.label):
            return _name(control.label)
        name = _name(control.reranker) or "unnamed reranker"
        if control.tokens == EVERYTHING or control.tokens.lower() in name.lower():
            return name
        return f"{name} ({tokens_label(control.tokens)})"

    @property
    def main_tier(self) -> str:
        return self.domain.main_tier

    @property
    def main_subset(self) -> str:
        return self.domain.main_subset

    @cached_property
    def systems(self) -> list[str]:
        """In the order of their cards, then those that only figures, curves or controls name."""
        named = [card.name for card in self.domain.systems]
        for found in (self.domain.figures, self.domain.curves, self.domain.controls, self.domain.taxonomies):
            named += [record.system for record in found]
        return list(dict.fromkeys(named))

    @cached_property
    def tiers(self) -> list[str]:
        """Easy to hard, as the study orders them."""
        return list(dict.fromkeys([card.name for card in self.domain.tiers] + [f.tier for f in self.domain.figures]))

    @cached_property
    def subsets(self) -> list[str]:
        """The main one first."""
        named = [card.name for card in self.domain.subsets] + [f.subset for f in self.domain.figures]
        return list(dict.fromkeys(([self.main_subset] if self.main_subset in named else []) + named))

    @cached_property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(figure.measure for figure in self.domain.figures))

    @property
    def first_measure(self) -> str | None:
        """What stands at rank 1 where it was measured, else the first measure of the study."""
        return "Hit@1" if "Hit@1" in self.measures else next(iter(self.measures), None)

    def figure(
        self, system: str, measure: str | None, *, tier: str | None = None, subset: str | None = None
    ) -> Figure | None:
        """One figure; under the main tier, over the main subset, unless told otherwise."""
        if measure is None:
            return None
        key = (system, self.main_tier if tier is None else tier, self.main_subset if subset is None else subset)
        return self._figures.get((*key, measure))

    @cached_property
    def curves(self) -> list[Curve]:
        """Of the main tier and subset, one a system, in the order of systems."""
        mine = {c.system: c for c in reversed(self.domain.curves) if self._is_main(c.tier, c.subset) and c.hits}
        return [mine[system] for system in self.systems if system in mine]

    @cached_property
    def controls(self) -> list[Control]:
        """Of the main tier and subset, in the order of systems."""
        mine = [control for control in self.domain.controls if self._is_main(control.tier, control.subset)]
        return [control for system in self.systems for control in mine if control.system == system]

    @cached_property
    def lexical_controls(self) -> list[Control]:
        """Of these, one a system: that which reads all words, else the first."""
        found: dict[str, Control] = {}
        for control in self.controls:
            if control.system not in found or (
                control.tokens == EVERYTHING and found[control.system].tokens != EVERYTHING
            ):
                found[control.system] = control
        return list(found.values())

    @cached_property
    def taxonomies(self) -> list[Taxonomy]:
        mine = {t.system: t for t in reversed(self.domain.taxonomies) if self._is_main(t.tier, t.subset)}
        return [mine[system] for system in self.systems if system in mine]

    @cached_property
    def preferences(self) -> list[Preference]:
        return [p for p in self.domain.preferences if self._is_main(p.tier, p.subset)]

    @cached_property
    def overall_preferences(self) -> list[Preference]:
        """One for each set of decoys, over all words (else over the first class of words that was measured)."""
        classes = list(dict.fromkeys(preference.tokens for preference in self.preferences))
        if not classes:
            return []
        chosen = EVERYTHING if EVERYTHING in classes else classes[0]
        return [preference for preference in self.preferences if preference.tokens == chosen]

    def failures(self, system: str) -> list[Failure]:
        return [failure for failure in self.domain.failures if failure.system == system]

    def _is_main(self, tier: str, subset: str) -> bool:
        return tier == self.main_tier and subset == self.main_subset


class _Card(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...


def _label(cards: Iterable[_Card], name: str) -> str:
    for card in cards:
        if card.name == name:
            return _name(card.label) or _name(name)
    return _name(name)
