"""Text to what tantivy is given: the terms of the analyzer with a blank between.

Tantivy cuts at blanks only. For ASCII text whose words hold no joiners the string comes at C speed from a table of
bytes; it is the analyzer's, term by term. Where stop words may leave holes, terms go with positions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from askance.text.analyzer import Analyzer

_PLAIN = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))
_CUTS_NOWHERE = re.compile(r"[A-Za-z0-9][.':,;](?=[A-Za-z0-9])|_|[^\x00-\x7f]")
MARK = "\x1f"
_BETWEEN = f" {MARK} "


def joined(analyzer: Analyzer, text: str) -> str:
    """A string that, cut at blanks, gives `analyzer.terms(text)`."""
    if analyzer.stemmer is not None or analyzer.stop_words:
        return " ".join(analyzer.terms(text))
    if text.isascii() and _joins_nothing(text):
        return _cut_long(analyzer, text)
    parts, done = [], 0
    for found in _CUTS_NOWHERE.finditer(text):
        if found.start() < done:
            continue
        start = text.rfind(" ", done, found.start()) + 1 or done
        end = text.find(" ", found.end())
        end = len(text) if end < 0 else end
        parts.append(_cut_long(analyzer, text[done:start]))
        parts.extend(analyzer.terms(text[start:end]))
        done = end
    parts.append(_cut_long(analyzer, text[done:]))
    return " ".join(parts)


def _joins_nothing(text: str) -> bool:
    """Whether an ASCII text surely holds no joiner inside a word: commas and full stops all stand before a blank.

    Counting is six times as quick as a pattern; where it does not tell, the pattern does.
    """
    return (
        "'" not in text
        and "_" not in text
        and ":" not in text
        and ";" not in text
        and text.count(",") == text.count(", ")
        and text.count(".") == text.count(". ") + text.endswith(".")
    )


def _cut_long(analyzer: Analyzer, text: str) -> str:
    """For ASCII text without joiners inside words; one with an overlong word goes through the analyzer."""
    plain = text.encode().translate(_PLAIN).decode()
    longest = analyzer.max_token_length
    for at in range(longest, len(plain), longest + 1):  # a longer run covers one of these places
        if plain[at] != " " and _run(plain, at) > longest:
            return " ".join(analyzer.terms(text))
    return plain


def _run(plain: str, at: int) -> int:
    end = plain.find(" ", at)
    return (len(plain) if end < 0 else end) - plain.rfind(" ", 0, at) - 1


def in_one_string(values: Sequence[str], gap: int) -> str:
    """The values of a field, each of joined terms. Between two stands a mark that tantivy drops, which leaves a hole:
    no phrase goes over it. One string is far quicker to hand over than one for each value."""
    return _BETWEEN.join(values) if gap else " ".join(values)
