"""Growth from 50,000 to one million documents: building, size, memory, and one question.

Run: python bench/million.py [documents …]; sizes given so are for trying, and the chart is then left out of docs.
Documents are made one by one (`build limit`, 45 items each, some items inside longer ones or in names) and streamed
twice: once to learn the schema, once to index. *Making* is a pass that only makes them; the other two hold it too. Each
size is built in a process of its own; its memory is the most it held, all of it and without the pages of files that are
mapped, which the system takes back when others need them. Then another process opens the index and asks 300 questions,
each once, ten answers: the phrase in text, the exact item or the phrase in items, and the question as it is written, by
rules. Buffers of 330 MB fill first, until some 300,000 documents. Target: from the half to the whole of the largest
collection, what building holds grows by less than 100 bytes a document. Identifiers take 16, merging of ever larger
parts of an index the rest. glibc is told to part its memory in two: in sixteen parts, as it does by itself on two
cores, it holds up to a fifth more of memory that is free, and the growth cannot be seen.
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from askance.build.limit.limit import Limit
from askance.build.limit.settings import LimitSettings
from askance.engines.settings import Indexed

SIZES = (50_000, 200_000, 1_000_000)
QUESTIONS, LIMIT = 300, 10
MOST_GROWTH = 100  # bytes a document
PAGE = Path(__file__).resolve().parent.parent / "docs"
CHART = "growth.svg"
MEGABYTE = 1e6

Figures = Mapping[str, Any]


def collection(documents: int) -> Limit:
    """The documents and their questions."""
    return Limit(
        LimitSettings(
            seed=3, documents=documents, queries=min(1000, documents // 4), containment=0.1, name_collisions=0.05
        )
    )


def stream(limit: Limit, at_half: Callable[[], None] | None = None) -> Iterator[Indexed]:
    """The documents, one at a time."""
    for place, number in enumerate(limit.numbers()):
        if at_half is not None and place == len(limit) // 2:
            at_half()
        one = limit.document(number)
        yield Indexed(one.id, one.text, record={"text": one.text})


# In processes of their own


def build(documents: int, place: Path) -> Figures:
    """Learn the schema and build the index at `place`."""
    from askance.data.fields.learned import LearnedSchema
    from askance.engines.embedded.building import build_index

    limit = collection(documents)
    begun = time.perf_counter()
    characters = sum(len(one.text) for one in stream(limit))
    made = time.perf_counter()
    with Held() as learning:
        schema = LearnedSchema().learn(one.record for one in stream(limit))
    learned = time.perf_counter()
    with Held() as building:
        manifest = build_index(stream(limit, building.note_half), place, schema=schema)
    built = time.perf_counter()
    sizes = {part.name: size_of(part) for part in next(iter(_generations(place))).iterdir()}
    return {
        "making": made - begun,
        "learning": learned - made,
        "building": built - learned,
        "characters": characters,
        "disk": size_of(place),
        "parts": sizes,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT,
        "held_learning": learning.most,
        "held": building.most,
        "held_at_half": building.half,
        "outside": sum(manifest.counts.outside.values()),
        "items": len(schema.dictionary.known),
    }


def ask(documents: int, place: Path) -> Figures:
    """Open the index and ask."""
    from askance.app.search import ask as ask_by_rules
    from askance.app.search import search
    from askance.engines.embedded.engine import EmbeddedEngine
    from askance.irl.builder import exact, field, lex

    limit = collection(documents)
    plain = limit.questions[:QUESTIONS]
    begun = time.perf_counter()
    engine = EmbeddedEngine.open(place)
    opened = time.perf_counter() - begun
    ways: dict[str, Callable[[int], Any]] = {
        "phrase": lambda at: search(engine, lex(plain[at].worded[0]), limit=LIMIT),
        "fields": lambda at: search(
            engine, exact(plain[at].worded[0]) | field("items", lex(plain[at].worded[0])), limit=LIMIT
        ),
        "ask": lambda at: ask_by_rules(engine, plain[at].text, limit=LIMIT),
    }
    found: dict[str, Any] = {"opened": opened}
    for name, way in ways.items():
        took, right = [], 0
        for at in range(len(plain)):
            begun = time.perf_counter()
            answer = way(at).answer
            took.append((time.perf_counter() - begun) * 1e3)
            gold = {limit.id_of(number) for number in limit.plan.gold[at]}
            right += set(answer.documents[: len(gold)]) == gold
        found[name] = {"p50": median(took), "p95": quantiles(took, n=20)[-1], "right": right, "n": len(plain)}
    return {**found, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT}


_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_ROLES: Mapping[str, Callable[[int, Path], Figures]] = {"build": build, "ask": ask}


class Held:
    """The most memory that this process holds inside the block, without pages of mapped files; None where the system
    does not tell."""

    def __init__(self) -> None:
        self.most: int | None = None
        self.half: int | None = None  # the most until `note_half`
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Held:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watch.join()

    def note_half(self) -> None:
        self.half = self.most

    def _look(self) -> None:
        told = Path("/proc/self/statm")
        while told.exists():
            _, resident, mapped, *_ = map(int, told.read_text().split())
            self.most = max(self.most or 0, (resident - mapped) * resource.getpagesize())
            if self._done.wait(0.1):
                break


def size_of(place: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    return sum(path.stat().st_size for path in (place.rglob("*") if place.is_dir() else [place]) if path.is_file())


def _generations(place: Path) -> Iterator[Path]:
    return (part for part in place.iterdir() if part.is_dir() and (part / "text").is_dir())


# Here


def main(given: Sequence[str]) -> int:
    if given and given[0] in _ROLES:
        print(json.dumps(_ROLES[given[0]](int(given[1]), Path(given[2]))))
        return 0
    sizes = [int(size) for size in given] or list(SIZES)
    measured = [_measured(size) for size in sizes]
    print(table(sizes, measured))
    grown = growth(sizes[-1], measured[-1]["build"])
    if not given:
        PAGE.mkdir(exist_ok=True)
        (PAGE / CHART).write_text(drawn(sizes, measured), encoding="utf-8")
        print(f"\n![Seconds of building, megabytes and milliseconds of a question by number of documents]({CHART})")
    print(f"\n{parts(measured[-1]['build'])}")
    if grown is None:
        return 0
    met = grown < MOST_GROWTH
    told = "still filling its buffers" if given else f"{'met' if met else 'MISSED'} ({MOST_GROWTH})"
    half, whole = sizes[-1] // 2, sizes[-1]
    print(f"\nFrom {half:,} to {whole:,} documents, what building holds grows by {grown:.0f} bytes a document: {told}.")
    return 0 if met or given else 1


def _measured(documents: int) -> dict[str, Figures]:
    with tempfile.TemporaryDirectory() as scratch:
        return {role: _child(role, documents, Path(scratch) / "index") for role in _ROLES}


def _child(role: str, documents: int, place: Path) -> Figures:
    command = [sys.executable, __file__, role, str(documents), str(place)]
    surroundings = {**os.environ, "MALLOC_ARENA_MAX": "2"}
    told: Figures = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, env=surroundings).stdout)
    return told


def growth(documents: int, built: Figures) -> float | None:
    """Bytes of memory a document in the second half of building; None where the system does not tell."""
    if built["held_at_half"] is None:
        return None
    return float((built["held"] - built["held_at_half"]) / (documents / 2))


def table(sizes: Sequence[int], measured: Sequence[dict[str, Figures]]) -> str:
    """All figures, one column a size."""
    builds = [one["build"] for one in measured]
    asks = [one["ask"] for one in measured]
    rows: list[tuple[str, list[str]]] = [
        ("text, MB", [f"{one['characters'] / MEGABYTE:,.0f}" for one in builds]),
        ("making the documents alone, s", [f"{one['making']:.1f}" for one in builds]),
        ("learning the schema, s", [f"{one['learning']:.1f}" for one in builds]),
        ("building the index, s", [f"{one['building']:.1f}" for one in builds]),
        (
            "documents a second, making left out",
            [f"{size / (one['building'] - one['making']):,.0f}" for size, one in zip(sizes, builds, strict=True)],
        ),
        ("documents outside the schema", [f"{one['outside']:,}" for one in builds]),
        ("on disk, MB", [f"{one['disk'] / MEGABYTE:,.0f}" for one in builds]),
        ("held while learning, MB", [_megabytes(one["held_learning"]) for one in builds]),
        ("held until half is built, MB", [_megabytes(one["held_at_half"]) for one in builds]),
        ("held while building, MB", [_megabytes(one["held"]) for one in builds]),
        ("most in memory while building, mapped files too, MB", [_megabytes(one["peak"]) for one in builds]),
        ("opening, ms", [f"{one['opened'] * 1e3:.1f}" for one in asks]),
        ("most in memory while asking, mapped files too, MB", [_megabytes(one["peak"]) for one in asks]),
    ]
    for name, label in _QUERIES.items():
        rows.append((f"{label}: p50, p95, ms", [f"{one[name]['p50']:.2f}, {one[name]['p95']:.2f}" for one in asks]))
    for name, label in _QUERIES.items():
        rows.append(
            (f"{label}: first answers are all gold", [f"{one[name]['right']} of {one[name]['n']}" for one in asks])
        )
    lines = [f"| documents | {' | '.join(f'{size:,}' for size in sizes)} |", "|---|" + "--:|" * len(sizes)]
    return "\n".join([*lines, *(f"| {name} | {' | '.join(cells)} |" for name, cells in rows)])


_QUERIES = {"phrase": "phrase in text", "fields": "exact item or phrase", "ask": "question by rules"}


def parts(built: Figures) -> str:
    """What the index is made of, in shares."""
    whole = sum(built["parts"].values())
    order = sorted(built["parts"].items(), key=lambda entry: -entry[1])
    shares = ", ".join(f"{name} {size / whole:.0%}" for name, size in order if size >= 0.005 * whole)
    return f"On disk, of the largest index: {shares}. Its schema knows {built['items']:,} items."


def _megabytes(size: int | None) -> str:
    return "?" if size is None else f"{size / MEGABYTE:,.0f}"


# The chart: three panels, both axes logarithmic

LEFT, TOP, WIDTH, HEIGHT, ROOM, APART = 46.0, 50.0, 190.0, 210.0, 118.0, 372.0

Line = tuple[str, int, bool, list[float]]  # label, hue, dashed, one figure a size


def drawn(sizes: Sequence[int], measured: Sequence[dict[str, Figures]]) -> str:
    """The chart as SVG, light or dark as its surroundings are."""
    builds = [one["build"] for one in measured]
    asks = [one["ask"] for one in measured]
    told = [one["held"] or one["peak"] for one in builds]
    seconds: list[Line] = [
        ("index", 0, False, [one["building"] for one in builds]),
        ("learn schema", 1, False, [one["learning"] for one in builds]),
        ("make documents", 5, True, [one["making"] for one in builds]),
    ]
    megabytes: list[Line] = [
        ("index on disk", 0, False, [one["disk"] / MEGABYTE for one in builds]),
        ("memory, building", 2, False, [size / MEGABYTE for size in told]),
        ("memory, asking", 3, False, [one["peak"] / MEGABYTE for one in asks]),
    ]
    milliseconds: list[Line] = [
        (f"{label} {point}", hue, point == "p95", [one[name][point] for one in asks])
        for (name, label), hue in zip(
            {"phrase": "phrase", "fields": "item", "ask": "rules"}.items(), (1, 0, 2), strict=True
        )
        for point in ("p50", "p95")
    ]
    panels = [("Building, seconds", seconds), ("Megabytes", megabytes), ("One question, milliseconds", milliseconds)]
    body = "".join(_panel(at * APART, title, sizes, lines) for at, (title, lines) in enumerate(panels))
    width, height = APART * len(panels), TOP + HEIGHT + 52
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="Growth by number of documents">\n<style>{_colours()}'
        "text{font:12px system-ui,sans-serif;fill:var(--soft)}.t{font-weight:600;font-size:13px;fill:var(--ink)}"
        "path{fill:none;stroke-width:2}.g{stroke:var(--rule);stroke-width:1}.d{stroke-dasharray:4 3}"
        + "".join(f".s{hue}{{stroke:var(--s{hue})}}.f{hue}{{fill:var(--s{hue})}}" for hue in range(6))
        + f'</style>\n<rect width="{width:.0f}" height="{height:.0f}" fill="var(--paper)"/>\n{body}</svg>\n'
    )


def _panel(x: float, title: str, sizes: Sequence[int], lines: Sequence[Line]) -> str:
    left, bottom = x + LEFT, TOP + HEIGHT
    figures = [figure for _, _, _, values in lines for figure in values]
    low, high = math.floor(math.log10(min(figures))), math.ceil(math.log10(max(figures)))
    high = max(high, low + 1)
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def across(size: float) -> float:
        return left + (WIDTH * (math.log10(size) - first) / (last - first) if last > first else 0)

    def up(figure: float) -> float:
        return bottom - HEIGHT * (math.log10(figure) - low) / (high - low)

    out = [f'<text class="t" x="{x + 10:.0f}" y="24">{title}</text>\n']
    for power in range(low, high + 1):
        y = up(10.0**power)
        out.append(f'<path class="g" d="M{left:.0f} {y:.1f}H{left + WIDTH:.0f}"/>')
        out.append(f'<text x="{left - 7:.0f}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>\n')
    for size in sizes:
        out.append(f'<text x="{across(size):.1f}" y="{bottom + 18:.0f}" text-anchor="middle">{_short(size)}</text>\n')
    out.append(f'<text x="{left + WIDTH / 2:.0f}" y="{bottom + 38:.0f}" text-anchor="middle">documents</text>\n')
    for _, hue, dashed, values in lines:
        points = [(across(size), up(value)) for size, value in zip(sizes, values, strict=True)]
        way = "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
        out.append(f'<path class="s{hue}{" d" if dashed else ""}" d="M{way}"/>')
        out.extend(f'<circle class="f{hue}" cx="{px:.1f}" cy="{py:.1f}" r="3"/>' for px, py in points)
        out.append("\n")
    ends = sorted((up(values[-1]), label, hue) for label, hue, _, values in lines)
    for (_, label, hue), y in zip(ends, _apart([end for end, _, _ in ends], bottom), strict=True):
        out.append(f'<text class="f{hue}" x="{left + WIDTH + 9:.0f}" y="{y + 4:.1f}">{label}</text>\n')
    return "".join(out)


def _apart(wanted: Sequence[float], bottom: float, height: float = 15.0) -> list[float]:
    """Places near those wanted (ascending), none on another, none below the bottom."""
    places: list[float] = []
    for want in wanted:
        places.append(max(want, places[-1] + height) if places else want)
    limit = bottom
    for at in reversed(range(len(places))):
        places[at] = min(places[at], limit)
        limit = places[at] - height
    return places


def _short(size: int) -> str:
    return f"{size / 1e6:g} M" if size >= 1_000_000 else f"{size / 1e3:g} k"


def _colours() -> str:
    """The colours of the report's page, light and dark: what its style sheet says first."""
    from askance.report import palette

    sheet = Path(palette.__file__).parent / "templates" / "style.css"
    return sheet.read_text(encoding="utf-8").partition("* {")[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
