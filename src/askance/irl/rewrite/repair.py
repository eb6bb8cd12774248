"""The third stage: a keyword is laid onto the question's own tokens, which know how it is written."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from askance.irl.rewrite.spelling import all_close, bare
from askance.irl.rewrite.stage import Stage
from askance.text.analyzer import Analyzer, Token

THRESHOLD = 0.8
"""How alike the letters must be, from 0 to 1 (twice the matching ones by all of both)."""

_STANDARD = Analyzer()
_LONGEST = 400


def repair(keyword: str, question: str) -> Stage:
    """The tokens of the question that `keyword` means, with a blank between: levis-jeans → levi's jeans.

    Tokens that stand next to one another, whose letters are those of the keyword; else whose words are forms of its
    words; else whose letters are most like it, `THRESHOLD` at least. Where there are none the keyword is kept, and
    flagged. Tokens are the standard analyzer's.
    """
    words = [word for word in keyword.split("-") if word]
    kept = " ".join(words)
    tokens = _STANDARD.tokens(question)
    wanted = bare(kept)
    if not wanted:
        return Stage("repair", keyword, kept, "nothing to lay onto the question", flagged=True)
    found = _same_letters(tokens, wanted, words)
    if found:
        return _restored(keyword, kept, found, "the question's own words" if found == kept else "same letters")
    found = _same_stems(tokens, words)
    if found:
        return _restored(keyword, kept, found, "another form")
    found, likeness = _most_alike(tokens, wanted)
    if likeness >= THRESHOLD:
        return _restored(keyword, kept, found, f"alike ({likeness:.2f})")
    note = f"{kept[:80]!r} does not stand in the question, and is kept as it is"
    return Stage("repair", keyword, kept, "kept", (note,), flagged=True)


def _restored(keyword: str, kept: str, found: str, rule: str) -> Stage:
    notes = () if found == kept else (f"{kept!r} is written {found!r} in the question",)
    return Stage("repair", keyword, found, rule, notes)


def _same_letters(tokens: Sequence[Token], wanted: str, words: Sequence[str]) -> str:
    """Of several places the one with the same words, else the first."""
    letters = [bare(token.term) for token in tokens]
    first = ""
    for start in range(len(tokens)):
        made = ""
        for end in range(start, len(tokens)):
            made += letters[end]
            if made == wanted and letters[start]:
                run = [token.term for token in tokens[start : end + 1]]
                if run == list(words):
                    return " ".join(run)
                first = first or " ".join(run)
            if len(made) >= len(wanted):
                break
    return first


def _same_stems(tokens: Sequence[Token], words: Sequence[str]) -> str:
    for start in range(len(tokens) - len(words) + 1):
        run = [token.term for token in tokens[start : start + len(words)]]
        if all_close(run, words):
            return " ".join(run)
    return ""


def _most_alike(tokens: Sequence[Token], wanted: str) -> tuple[str, float]:
    """The run of neighbours whose letters are most like `wanted`, and how alike they are; the first among equals."""
    best, likeness = "", 0.0
    if len(wanted) > _LONGEST:
        return best, likeness
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    letters = [bare(token.term) for token in tokens]
    for start in range(len(tokens)):
        made = ""
        for end in range(start, len(tokens)):
            made += letters[end]
            if len(made) > 1.5 * len(wanted):
                break
            if 1.5 * len(made) < len(wanted):
                continue
            matcher.set_seq1(made)
            if (
                matcher.real_quick_ratio() > likeness
                and matcher.quick_ratio() > likeness
                and matcher.ratio() > likeness
            ):
                best, likeness = " ".join(token.term for token in tokens[start : end + 1]), matcher.ratio()
    return best, likeness
