"""A benchmark of procedural memory from the logs of agents, and the check of its labels."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from askance.build.trajectories.audit import Checked
from askance.build.trajectories.induced import INDUCED
from askance.build.trajectories.labels import Label
from askance.build.trajectories.making import make
from askance.build.trajectories.rules import read_rules
from askance.build.trajectories.settings import Asked, Given, TrajectorySettings
from askance.build.trajectories.writing import TrajectoriesMade, check_audit, write_trajectories
from askance.core.errors import FileProblem
from askance.data.adapters.agent_logs import read_logs
from askance.data.formats.lines import read_json_lines
from askance.report.grid import Column, Grid
from askance.report.numbers import count, counted, percent, percent_interval, percent_with_interval
from askance.study.records import estimate_record

_QUERY = 'A line is {"id": "…", "text": "…"}, with "type" where the rules need it.'


def build_trajectories(
    logs: str | Path,
    into: str | Path,
    *,
    rules: str | Path | None = None,
    queries: str | Path | None = None,
    settings: TrajectorySettings | None = None,
) -> TrajectoriesMade:
    """Write the benchmark of these logs into a new folder.

    `logs`: a file or folder that `read_logs` reads; `rules`: a TOML file, else types and slots are induced; `queries`:
    JSONL of id, text and type, else goals of the logs are asked.
    """
    read = read_logs(logs)
    given = Given(read.logs, None if queries is None else _queries(Path(queries)))
    made = make(
        given,
        settings or TrajectorySettings(),
        None if rules is None else read_rules(rules),
        name=Path(into).resolve().name,
        notes=read.notes,
    )
    return write_trajectories(made, into)


def check_trajectories(folder: str | Path, filled: str | Path) -> Checked:
    """How far a sheet that was filled in by hand agrees with the labels of a folder."""
    return check_audit(folder, filled)


def said(made: TrajectoriesMade) -> list[str]:
    """What to tell whoever made it, line by line; the table of chance and what to do next come after."""
    what = made.made
    collection = what.collection
    lines = [
        f"wrote {made.folder}: {counted(len(collection.documents), 'document', 'documents')}, "
        f"{counted(len(collection.queries), 'query', 'queries')}, "
        f"{counted(len({label.type for label in what.labels.values()}), 'type', 'types')}",
        "slots, in the order in which tiers vary them:" if what.slots else "slots: none",
    ]
    lines += [f"  {slot}: {_fillers(what.labels.values(), slot)}" for slot in what.slots]
    for side in what.ambiguity:
        if all(label.rule == INDUCED for label in what.labels.values()):
            lines.append(f"{side.side}: {side.texts:,} different texts; no rules, so each wording is a type of its own")
            continue
        lines.append(
            f"{side.side}: {side.texts:,} different texts, {len(side.none):,} fit no rule, "
            f"{len(side.several):,} fit several that disagree (the first is taken)"
        )
        lines += [f"  no rule: {text}" for text in side.none[:_SHOWN]]
        lines += [f"  several: {text} ({', '.join(rules)})" for text, rules in list(side.several.items())[:_SHOWN]]
        hidden = max(0, len(side.none) - _SHOWN) + max(0, len(side.several) - _SHOWN)
        lines += [f"  and {hidden:,} more, see manifest.json"] if hidden else []
    return lines + [f"{reason}: {number:,}" for reason, number in what.notes.items()]


def chance_grid(made: TrajectoriesMade) -> Grid:
    """What a random ranking would reach: a row a tier and measure, with the range that holds 95 % of such rankings."""
    columns = (
        Column("tier"),
        Column("measure", whole=True),
        Column("chance", True, True),
        Column("95 % of rankings", True, True),
        Column("queries", True, True),
    )
    rows = [
        [tier, measure, percent(chance.value), percent_interval(estimate_record(chance)), count(chance.n)]
        for tier, measure, chance in made.made.chance
    ]
    return Grid("what a random ranking would reach, in percent", columns, rows)


def next_step(made: TrajectoriesMade) -> list[str]:
    """What to do with the audit sheet."""
    sheet = shlex.quote(str(made.folder / "audit.csv"))
    return [
        f"To check the labels, fill in {sheet} by hand, then:",
        f"  askance build trajectories --check {sheet} --into {shlex.quote(str(made.folder))}",
    ]


_SHOWN, _WORDS = 5, 4


def _fillers(labels: Iterable[Label], slot: str) -> str:
    """The words that fill a slot most often, and how many there are."""
    found = Counter(name for label in labels for name in label.slots.get(slot, ()))
    first = [word for word, _ in sorted(found.items(), key=lambda one: (-one[1], one[0]))[:_WORDS]]
    return f"{', '.join(first)}{' …' if len(found) > _WORDS else ''} ({counted(len(found), 'word', 'words')})"


def said_of_check(found: Checked) -> list[str]:
    """Agreement a column, then each disagreement."""
    lines = []
    for column, share in found.agreement.items():
        if share.value is None or share.low is None or share.high is None:
            lines.append(f"{column}: no share ({share.method})")
        else:
            left = "".join(f"; {reason}: {count}" for reason, count in share.left_out.items())
            said = percent_with_interval(estimate_record(share))
            lines.append(f"{column}: {said} of {counted(share.n, 'cell', 'cells')} agree{left}")
    return lines + [
        f"  {one.id}, {one.column}: the rule says {one.rule}, by hand {one.hand}" for one in found.disagreements
    ]


def _queries(path: Path) -> list[Asked]:
    asked, seen = [], set()
    for line, record in read_json_lines(path):
        name, text, kind = record.get("id", record.get("_id")), record.get("text"), record.get("type")
        if not isinstance(name, str) or not isinstance(text, str) or not (kind is None or isinstance(kind, str)):
            raise FileProblem(path, "id, text or type is missing or no text", line=line, remedy=_QUERY)
        if name in seen:
            raise FileProblem(path, f"the query {name!r} occurs a second time", line=line, remedy="Give each its own.")
        seen.add(name)
        asked.append(Asked(name, text, kind))
    if not asked:
        raise FileProblem(path, "there are no queries in it", remedy=_QUERY)
    return asked
