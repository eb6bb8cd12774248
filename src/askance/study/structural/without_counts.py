"""Figures that nothing published lets anyone recompute, each with what it would take."""

from __future__ import annotations

from askance.study.structural.finding import Found
from askance.study.structural.printed import Printed
from askance.study.structural.source import Source

_EMBEDDERS = {"gemini": "gemini-embedding-001", "labembed": "Qwen3-Embedding-8B", "deepinfra": "Qwen3-Embedding-8B"}


def mean_of_queries(printed: Printed, source: Source) -> Found:
    """A mean over queries whose values were not published."""
    embedder = printed.about["embedder"]
    if embedder == "minilm":
        return Found(
            "needs", why="MiniLM's ranked lists: `askance study reproduce trajectories` makes and measures them"
        )
    return Found("no counts", why=f"values per query are not published; their lists come from {_EMBEDDERS[embedder]}")


def cosine(printed: Printed, source: Source) -> Found:
    """Cosines between two servings of one model."""
    return Found("no counts", why="the vectors of the two servings are not published")


def spent(printed: Printed, source: Source) -> Found:
    """Money and calls."""
    return Found("no counts", why="read from the log of calls, of which outcomes alone are here")


def seed(printed: Printed, source: Source) -> Found:
    """What a drawn interval began with."""
    return Found("no counts", why="a setting: intervals are computed here without drawing")
