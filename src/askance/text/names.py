"""The names of an English text, told by their capitals alone: no list, no model.

A word is read as a name where it begins with a capital inside a sentence. At the beginning of a sentence every word
does; there it is read unless it belongs to a closed class, or the text writes it in lower case elsewhere, or a
determiner or a number follows, as behind an order ("Put a mug", "Calculate the sum"). A common noun that begins a
sentence is taken for a name all the same. Texts that are written without capitals, or in nothing else, have none.
"""

from __future__ import annotations

import re

from askance.text.classes import FUNCTION_WORDS
from askance.text.numbers import is_number

_WORD = re.compile(r"[^\W\d_][\w]*")
_SENTENCE_ENDS = re.compile(r"""(?:^|[.!?:;\n])["'”’)\]]*\s*["'“‘(\[]*$""")
_LOOK_BACK = 12  # characters before a word that can say that a sentence begins there
_DETERMINERS = """
    a an the this that these those my your his her its our their some any all both each every what which how whether it
    them him
    """
_AFTER_AN_ORDER = frozenset(_DETERMINERS.split())


def names(text: str) -> frozenset[str]:
    """The words of a text that are names, in lower case, once each; a possessive 's is no part of them."""
    found = list(_WORD.finditer(text))
    if not any(one[0].islower() for one in found):
        return frozenset()
    written_small = {one[0] for one in found if one[0].islower()}
    return frozenset(
        one[0].lower()
        for at, one in enumerate(found)
        if _is_name(text, one, found[at + 1][0] if at + 1 < len(found) else "", written_small)
    )


def _is_name(text: str, found: re.Match[str], following: str, written_small: set[str]) -> bool:
    word = found[0]
    small = word.lower()
    if not word[0].isupper() or small in FUNCTION_WORDS or is_number(small):
        return False
    if not _begins_a_sentence(text, found.start()):
        return True
    numeral = re.match(r"\s+\d", text[found.end() : found.end() + 8])
    ordered = following.lower() in _AFTER_AN_ORDER or is_number(following.lower()) or numeral is not None
    return small not in written_small and not ordered


def _begins_a_sentence(text: str, start: int) -> bool:
    begin = max(0, start - _LOOK_BACK)
    before = text[begin:start]
    return bool(_SENTENCE_ENDS.search(before)) and (begin == 0 or bool(before.strip()))
