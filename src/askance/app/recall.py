"""What was done before that is like a task."""

from __future__ import annotations

from pathlib import Path

from askance.app.embedders import embedder_told
from askance.models.registry import EMBEDDERS
from askance.retrieve.recall.answer import Answer
from askance.retrieve.recall.recall import Recall


def recall(path: str | Path, task: str, state: str | None = None, *, k: int = 5, embedder: str | None = None) -> Answer:
    """Past trajectories for a task; see `Recall`. `embedder`: a name or a TOML file of settings, else words alone."""
    return open_recall(path, embedder=embedder).recall(task, state, k)


def open_recall(path: str | Path, *, embedder: str | None = None) -> Recall:
    """A store of trajectories, opened; for more than one question."""
    if embedder is None:
        return Recall.open(path)
    name, settings = embedder_told(embedder)
    kind = EMBEDDERS.get(name)
    return Recall.open(path, embedder=kind.build(kind.Settings.model_validate(settings), None))


def said(answer: Answer) -> list[str]:
    """What to tell whoever asked, line by line; steps are counted from 1 here, as logs count them."""
    lines = []
    for one in answer.recalled:
        lines.append(f"{one.score:.3f}  {one.log.id}  {one.log.goal}")
        mapping = [f"{each.now or '?'} for {each.then or '?'}" for each in one.instead]
        if mapping:
            lines.append(f"       {', '.join(mapping)}")
        if one.step is not None:
            lines.append(
                f"       enter at step {one.step + 1} of {len(one.log.steps)}: {one.log.steps[one.step].action}"
            )
        elif one.log.steps:
            lines.append("       no step is like this state")
    if answer.abstained:
        lines.append("nothing is recalled")
    return [*lines, answer.why]
