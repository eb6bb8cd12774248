"""What one stage of the rewriting was given, what it made of it, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """`stage`: its name. `rule`: which of its rules decided. `notes`: what a reader should know of the decision.

    `flagged`: the output is not what one would wish (not in the question, a fallback, nothing found).
    """

    stage: str
    input: str
    output: str
    rule: str
    notes: tuple[str, ...] = ()
    flagged: bool = False
