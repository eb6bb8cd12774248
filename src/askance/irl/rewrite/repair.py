"""The third stage: a keyword is laid onto the question's own tokens, which know how it is written."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from askance.irl.rewrite.glued_words import pieces
from askance.irl.rewrite.spelling import all_close, bare
from askance.irl.rewrite.stage import Stage
from askance.text.analyzer import Analyzer, Token, lower

THRESHOLD = 0.8
"""How alike the letters must be: those that match, in order, as a share of the longer one's."""

_STANDARD = Analyzer()
_LONGEST_KEYWORD = 100  # letters
_LONGEST_QUESTION = 300  # tokens


def repair(keyword: str, question: str) -> Stage:
    """The tokens of the question that `keyword` means, with a blank between: levis-jeans → levi's jeans.

    Tokens that stand next to one another, whose letters are those of the keyword, without what is glued to them where
    it must be (l'Honey); else whose words are forms of its words; else whose letters are most like it, `THRESHOLD` at
    least (in at most 300 tokens, for at most 100 letters). Where there are none the keyword is kept, and flagged.
    Tokens are the standard analyzer's.
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
    found = _same_pieces(question, tokens, wanted)
    if found:
        return _restored(keyword, kept, found, "the question's own words, but for what is glued to them")
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
    kept = " ".join(words)
    if f" {kept} " in f" {' '.join(token.term for token in tokens)} ":
        return kept
    run = _run_of_letters([bare(token.term) for token in tokens], wanted)
    return " ".join(token.term for token in tokens[run]) if run else ""


def _same_pieces(question: str, tokens: Sequence[Token], wanted: str) -> str:
    """The words of the question that have these letters once their first and last are cut at their joints."""
    places = [
        (token.start + first, token.start + last)
        for token in tokens
        for first, last in pieces(question[token.start : token.end])
    ]
    if len(places) == len(tokens):
        return ""
    run = _run_of_letters([bare(lower(question[first:last])) for first, last in places], wanted)
    if not run:
        return ""
    return " ".join(_STANDARD.terms(question[places[run.start][0] : places[run.stop - 1][1]]))


def _run_of_letters(letters: Sequence[str], wanted: str) -> slice | None:
    """The first run of whole words whose letters together are `wanted`."""
    begins = {at: number for number, at in enumerate(accumulate(map(len, letters), initial=0))}
    joined = "".join(letters)
    at = joined.find(wanted)
    while at >= 0:
        if at in begins and at + len(wanted) in begins:
            return slice(begins[at], begins[at + len(wanted)])
        at = joined.find(wanted, at + 1)
    return None


def _same_stems(tokens: Sequence[Token], words: Sequence[str]) -> str:
    for start in range(len(tokens) - len(words) + 1):
        run = [token.term for token in tokens[start : start + len(words)]]
        if all_close(run, words):
            return " ".join(run)
    return ""


def _most_alike(tokens: Sequence[Token], wanted: str) -> tuple[str, float]:
    """The run of neighbours whose letters are most like `wanted`, and how alike they are; the first among equals."""
    best, likeness = "", 0.0
    if len(wanted) > _LONGEST_KEYWORD or len(tokens) > _LONGEST_QUESTION:
        return best, likeness
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    letters = [bare(token.term) for token in tokens]
    for start in range(len(tokens)):
        made = ""
        for end in range(start, len(tokens)):
            made += letters[end]
            if THRESHOLD * len(made) > len(wanted):
                break
            if len(made) < THRESHOLD * len(wanted):
                continue
            matcher.set_seq1(made)
            if (found := _likeness(matcher, len(made), len(wanted), likeness)) > likeness:
                best, likeness = " ".join(token.term for token in tokens[start : end + 1]), found
    return best, likeness


def _likeness(matcher: SequenceMatcher[str], made: int, wanted: int, beat: float) -> float:
    """Letters that match by those of the longer one; 0 where a quick look shows that it cannot be above `beat`."""
    scale = (made + wanted) / (2 * max(made, wanted))
    if matcher.quick_ratio() * scale <= beat:
        return 0.0
    return matcher.ratio() * scale
