"""Classes of words, told apart by rule: which words of a text a comparison reads.

Words are the matches of `\\w+` in the lower-cased text. Each class gives what it reads as a set; where a class counts
how often something occurs, the n-th occurrence is an element of its own ("3", then "3 (2)"), so that overlap of sets
is overlap of multisets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from askance.text.numbers import is_number, numbers

_WORD = re.compile(r"\w+")


def _listed(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


ACTION_VERBS = _listed("put place find clean wash heat warm microwave cool chill examine look throw move")
"""Verbs of the household tasks: the list of Rashid and Kellis (2026)."""

STOPWORDS = _listed("a an the and it them some in on to at with under of away")
"""What their ablation leaves out of its "nouns"."""

FUNCTION_WORDS = _listed(
    """
    a an the this that these those such what which whose whatever whichever
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves who whom whoever whomever oneself
    someone somebody something anyone anybody anything everyone everybody everything nobody nothing none
    all any both each either every few fewer less many more most much neither no other others another own same several
    some enough
    aboard about above across after against along alongside amid among amongst around as at before behind below beneath
    beside besides between beyond but by despite down during except for from in inside into like near of off on onto
    opposite out outside over past per regarding round since than through throughout till to toward towards under
    underneath unlike until unto up upon versus via with within without
    and or nor so yet if because although though unless whereas whether while whilst once when whenever where wherever
    how however why
    am is are was were be been being have has had having do does did doing done can could may might must shall should
    will would ought need dare
    not never only just also too very quite rather then there here thus therefore hence else even still already again
    ever perhaps maybe now
    cannot s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn mustn needn
    shan ain
    """
)
"""English words of the closed classes, and the pieces that `\\w+` makes of contractions."""


@dataclass(frozen=True)
class TokenClass:
    """A named class; `description` says in the reader's words what it reads, `read` gives it as a set."""

    name: str
    description: str
    read: Callable[[str], frozenset[str]]


def words(text: str) -> list[str]:
    """The words of a text in order, lower case."""
    return _WORD.findall(text.lower())


def counted(things: Iterable[str]) -> frozenset[str]:
    """A multiset as a set: "3", "3 (2)" for two threes."""
    seen: Counter[str] = Counter()
    out = []
    for thing in things:
        seen[thing] += 1
        out.append(thing if seen[thing] == 1 else f"{thing} ({seen[thing]})")
    return frozenset(out)


def _chosen(rule: Callable[[str], bool]) -> Callable[[str], frozenset[str]]:
    return lambda text: frozenset(filter(rule, set(words(text))))


def is_content(word: str) -> bool:
    """Neither a function word nor part of a number."""
    return word not in FUNCTION_WORDS and not is_number(word)


CLASSES: Mapping[str, TokenClass] = {
    each.name: each
    for each in (
        TokenClass("all", "all words", lambda text: frozenset(words(text))),
        TokenClass("content", "content words: neither function words nor numbers", _chosen(is_content)),
        TokenClass(
            "function",
            "function words: articles, pronouns, prepositions, conjunctions, auxiliaries, negation",
            _chosen(FUNCTION_WORDS.__contains__),
        ),
        TokenClass(
            "numbers",
            "numerals and number words by value, each as often as it occurs",
            lambda text: counted(numbers(text)),
        ),
        TokenClass("verbs", "action verbs of household tasks: put, clean, heat …", _chosen(ACTION_VERBS.__contains__)),
        TokenClass(
            "others",
            "all words but the action verbs of household tasks and a few stop words",
            _chosen(lambda word: word not in ACTION_VERBS and word not in STOPWORDS),
        ),
    )
}
"""The classes by name."""
