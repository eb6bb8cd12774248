"""Classes whose agreement decides: two texts that differ in one of them mean different things, however alike they look.

A signature is what these classes read of a text. Each reads by meaning where a list can do it: "isn't", "no" and
"without" are one negation each, "fewer" and "less" one relation, "km" and "kilometres" one unit. The lists are English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from askance.text.classes import CLASSES, TokenClass, counted
from askance.text.names import names
from askance.text.units import units

_DENIALS = """
    not no never none nobody nothing nowhere neither nor without cannot except excluding unless
    cant dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt mustnt hasnt havent hadnt aint
    """
NEGATIONS = frozenset(_DENIALS.split())
"""Words that deny, apart from those that end in n't."""

_APOSTROPHES = "'’ʼ＇"
_WORD_OR_DENIAL = re.compile(rf"\w*n[{_APOSTROPHES}]t\b|\w+")

_QUANTIFIERS = {
    "all": "all whole entire entirely altogether",
    "each": "each every everyone everybody everything per apiece",
    "both": "both",
    "either": "either",
    "any": "any anyone anybody anything",
    "some": "some someone somebody something several",
    "many": "many much lots plenty numerous",
    "few": "few little",
    "most": "most majority mostly",
    "only": "only just solely merely exclusively",
    "exactly": "exactly precisely",
    "about": "approximately roughly nearly almost",
    "enough": "enough sufficient",
    "other": "other others another else",
    "rest": "rest remaining remainder remain remains left",
    "always": "always",
    "sometimes": "sometimes occasionally",
    "often": "often usually",
}

_RELATIONS = {
    "more": "more greater larger bigger higher extra additional exceed exceeds exceeding exceeded",
    "less": "less fewer smaller lower",
    "most": "largest biggest highest greatest maximum",
    "least": "fewest smallest lowest minimum",
    "same": "same equal equals equally identical",
    "different": "different differ differs unequal",
    "before": "before earlier previously previous prior ago beforehand",
    "after": "after later afterwards afterward following subsequently then next",
    "until": "until till",
    "during": "during while meanwhile",
    "between": "between",
    "over": "over above",
    "under": "under below beneath underneath",
    "than": "than",
}
_AT_LEAST = re.compile(r"\bat (?P<bound>least|most)\b")
_COMPARED = re.compile(r"\b(?P<how>\w{2,}er)(?=\s+than\b)")

_QUANTIFIER = {word: meaning for meaning, listed in _QUANTIFIERS.items() for word in listed.split()}
_RELATION = {word: meaning for meaning, listed in _RELATIONS.items() for word in listed.split()}
_PLAIN_WORD = re.compile(r"\w+")


def negations(text: str) -> frozenset[str]:
    """One element for each time that the text denies something, however it says so: {"not", "not (2)"}."""
    found = _WORD_OR_DENIAL.findall(text.lower())
    return counted("not" for word in found if word in NEGATIONS or word[-2:-1] in tuple(_APOSTROPHES))


def quantifiers(text: str) -> frozenset[str]:
    """The quantifiers of the text, each by its meaning, once."""
    plain = _AT_LEAST.sub(" ", text.lower())
    return frozenset(_QUANTIFIER[word] for word in _PLAIN_WORD.findall(plain) if word in _QUANTIFIER)


def relations(text: str) -> frozenset[str]:
    """What the text sets in relation, each once: more and less, before and after, at least and at most.

    A comparative that is on no list is read where "than" follows: "older than" as "older".
    """
    plain = text.lower()
    found = {f"at {bound['bound']}" for bound in _AT_LEAST.finditer(plain)}
    found |= {how for how in _COMPARED.findall(plain) if how not in _RELATION}
    rest = _AT_LEAST.sub(" ", plain)
    return frozenset(found | {_RELATION[word] for word in _PLAIN_WORD.findall(rest) if word in _RELATION})


SIGNATURE_CLASSES: Mapping[str, TokenClass] = {
    each.name: each
    for each in (
        CLASSES["numbers"],
        TokenClass("negations", "negations: not, no, never, without …, each as often as it occurs", negations),
        TokenClass("quantifiers", "quantifiers by meaning: all, each, some, few, only, remaining …", quantifiers),
        TokenClass("relations", "relations by meaning: more, less, before, after, at least, older than …", relations),
        TokenClass("units", "units of measure and currency, each under one name", units),
        TokenClass("names", "names: words with a capital that no beginning of a sentence explains", names),
        CLASSES["function"],
    )
}
"""The classes of a signature by name; the order is the one in which a reranker asks them unless told."""
