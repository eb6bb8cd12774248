"""What a decided figure is called, and the mark that says it without colour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """`word`: in a table; `meaning`: in full; `mark`: ▲ for, ▼ against, ○ undecided."""

    word: str
    meaning: str
    mark: str


VERDICTS = {
    "above": Reading("above", "above chance", "▲"),
    "at": Reading("at", "at chance", "○"),
    "below": Reading("below", "below chance", "▼"),
}
SIGNS = {
    "positive": Reading("friend", "wording is a friend", "▲"),
    "negative": Reading("enemy", "wording is an enemy", "▼"),
    "undecided": Reading("undecided", "undecided whether wording is a friend or an enemy", "○"),
    "no room": Reading("no room", "no room: nothing to lose, or nothing to win", "○"),
}
PREFERENCES = {
    "incidental": SIGNS["positive"],
    "adversarial": SIGNS["negative"],
    "undecided": SIGNS["undecided"],
}
