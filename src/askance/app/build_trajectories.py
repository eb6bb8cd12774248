"""A benchmark of procedural memory from the logs of agents, and the check of its labels."""

from __future__ import annotations

from pathlib import Path

from askance.build.trajectories.audit import Checked
from askance.build.trajectories.making import make
from askance.build.trajectories.rules import read_rules
from askance.build.trajectories.settings import Asked, Given, TrajectorySettings
from askance.build.trajectories.writing import TrajectoriesMade, check_audit, write_trajectories
from askance.core.errors import FileProblem
from askance.data.adapters.agent_logs import read_logs
from askance.data.formats.lines import read_json_lines

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
    """What to tell whoever made it, line by line."""
    what = made.made
    collection = what.collection
    lines = [
        str(made.folder),
        f"documents: {len(collection.documents):,}, queries: {len(collection.queries):,}, "
        f"types: {len({label.type for label in what.labels.values()}):,}",
        f"slots, in the order in which tiers vary them: {', '.join(what.slots) or 'none'}",
    ]
    for side in what.ambiguity:
        lines.append(
            f"{side.side}: {side.texts:,} different texts, {len(side.none):,} fit no rule, "
            f"{len(side.several):,} fit several that disagree (the first one was taken)"
        )
        lines += [f"  no rule: {text}" for text in side.none[:_SHOWN]]
        lines += [f"  several: {text} ({', '.join(rules)})" for text, rules in list(side.several.items())[:_SHOWN]]
    lines += [f"{reason}: {count:,}" for reason, count in what.notes.items()]
    for tier, measure, chance in what.chance:
        lines.append(
            f"chance, {tier}, {measure}: {100 * (chance.value or 0):.1f} "
            f"[{100 * (chance.low or 0):.1f}, {100 * (chance.high or 0):.1f}], {chance.n} queries"
        )
    lines.append("audit.csv: fill it in by hand, then: askance build trajectories --check audit.csv --into DIR")
    return lines


_SHOWN = 5


def said_of_check(found: Checked) -> list[str]:
    """Agreement a column, then each disagreement."""
    lines = []
    for column, share in found.agreement.items():
        if share.value is None or share.low is None or share.high is None:
            lines.append(f"{column}: {share.method}")
        else:
            left = "".join(f"; {reason}: {count}" for reason, count in share.left_out.items())
            interval = f"[{100 * share.low:.1f}, {100 * share.high:.1f}]"
            lines.append(f"{column}: {100 * share.value:.1f} {interval} % agree, {share.n} cells{left}")
    return lines + [f"{one.id}, {one.column}: rule {one.rule}, hand {one.hand}" for one in found.disagreements]


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
