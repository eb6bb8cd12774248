"""Words that are authors' names and words of the text as well, in changelogs: one text field beside fields.

Documents are the entries of the Debian changelogs of this machine, or, where there are none, the commits of this
checkout: an author, items (bullets), and the text as it stands, the author's line in it. *Words*: every word of an
author's name that also stands in items; relevant are the entries whose items hold it, whoever wrote them. *Items*: all
that are an item somewhere and part of a longer item elsewhere ("Rebuild."); relevant are the entries with exactly that
item. All questions are chosen by code; nothing is left out. What is relevant is found without the index.

*Before* is `(lex "…")` over the text, *after* fields: `(lex "…" :field items)`, for items with `(exact "…")` beside it.
Fields answer what was asked here by construction; measured is what one text field costs. In the stricter row an entry
counts only if its items hold the word outside any author's full name: fields do not know a name inside an item.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.core.estimate import Estimate
from askance.data.adapters.changelogs import load
from askance.data.fields.json_path import JsonPath, JsonPathSchema
from askance.engines.embedded.building import build_index
from askance.engines.embedded.engine import EmbeddedEngine
from askance.engines.settings import Indexed
from askance.irl.builder import exact, field, lex
from askance.irl.nodes import Node
from askance.measure.bootstrap import bootstrap_mean
from askance.measure.intervals import proportion
from askance.measure.paired import gained_lost, mcnemar
from askance.text.analyzer import Analyzer

DEPTH = 10
CHANGELOGS = "/usr/share/doc"
HEADING = "| {} | figure | n | before, text | after, fields | better : worse : equal |\n|---|---|--:|--:|--:|--:|"
SCHEMA = JsonPathSchema(name=JsonPath("author"), items=JsonPath("items"))

Terms = tuple[str, ...]
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """The words of one document: of its author's name, and of each item."""

    author: Terms
    items: tuple[Terms, ...]


@dataclass(frozen=True)
class Question:
    """What is asked, and at which positions the entries are that answer it."""

    words: Terms
    relevant: frozenset[int]


@dataclass(frozen=True)
class Answers:
    """Of each question, before and after: positions, best first."""

    before: list[list[int]]
    after: list[list[int]]


def main() -> int:
    source, records = documents()
    if not records:
        print("There are neither changelogs nor commits here; nothing was measured.")
        return 0
    analyzer = Analyzer()
    entries = [_entry(analyzer, record) for record in records]
    authors = {entry.author for entry in entries}
    words = name_words(entries, authors)
    items = items_in_longer_ones(entries)
    print(
        f"{source}: {len(entries):,} documents, {len(authors):,} authors, {sum(len(one.items) for one in entries):,} "
        f"items, {len({item for one in entries for item in one.items}):,} of them different; {len(words):,} words are "
        f"both a name's and an item's, {len(items):,} items are part of longer ones.\n"
    )
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch) / "index"
        build_index((Indexed(one["_id"], one["text"], record=one) for one in records), place, schema=SCHEMA)
        engine = EmbeddedEngine.open(place)
        print(HEADING.format("words"))
        last = {author[-1] for author in authors if author}
        of_words = answered(engine, words, lambda text: field("items", lex(text)))
        print_words("all", entries, words, of_words)
        some = [at for at, one in enumerate(words) if one.words[0] in last]
        print_words("last of a name", entries, *_chosen(words, of_words, some))
        named = outside_names(entries, authors, words)
        some = [at for at, one in enumerate(named) if one.relevant]
        print_words("all, stricter", entries, *_chosen(named, of_words, some))
        print("\n" + HEADING.format("items"))
        print_items("words in the field", items, answered(engine, items, lambda text: field("items", lex(text))))
        tiers = answered(engine, items, lambda text: exact(text) | field("items", lex(text)))
        print_items("exact, or words in the field", items, tiers)
    print("\nIntervals: 95 %, over questions; questions about one author or bullet are not independent of one another.")
    return 0


def documents() -> tuple[str, Sequence[Record]]:
    """What there is to search, and what it is called."""
    paths = sorted(Path(CHANGELOGS).glob("*/changelog.Debian.gz"))
    if paths:
        return f"{len(paths):,} Debian changelogs", load(paths).records
    return "commits of this checkout", list(commits(Path(__file__).parent))


def commits(folder: Path) -> Iterator[Record]:
    """The commits of a checkout: the lines of the message are the items."""
    command = ["git", "-C", str(folder), "log", "--format=%H%x1f%an%x1f%B%x1e"]
    try:
        told = subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
    except OSError:
        return
    for one in filter(str.strip, told.split("\x1e")):
        name, author, message = one.strip().split("\x1f")
        items = [line.lstrip("*- ").strip() for line in message.splitlines()]
        items = [item for item in items if item]
        if items:
            yield {"_id": name, "author": author, "items": items, "text": f"{message.strip()}\n\nAuthor: {author}"}


def name_words(entries: Sequence[Entry], authors: Iterable[Terms]) -> list[Question]:
    """The words of names that items hold, with the entries whose items do."""
    holders: dict[str, set[int]] = {word: set() for author in authors for word in author}
    for at, entry in enumerate(entries):
        for word in {word for item in entry.items for word in item}:
            if word in holders:
                holders[word].add(at)
    return [Question((word,), frozenset(found)) for word, found in sorted(holders.items()) if found]


def outside_names(entries: Sequence[Entry], authors: Iterable[Terms], words: Sequence[Question]) -> list[Question]:
    """The same words; relevant only where one stands outside all full names of authors."""
    beginning: dict[str, list[Terms]] = defaultdict(list)
    for author in sorted(authors, key=len, reverse=True):
        if len(author) > 1:
            beginning[author[0]].append(author)
    free = [{word for item in entry.items for word in _without_names(item, beginning)} for entry in entries]
    return [Question(one.words, frozenset(at for at in one.relevant if one.words[0] in free[at])) for one in words]


def _without_names(item: Terms, beginning: Mapping[str, Sequence[Terms]]) -> Iterator[str]:
    at = 0
    while at < len(item):
        name = next((name for name in beginning.get(item[at], ()) if item[at : at + len(name)] == name), None)
        if name is None:
            yield item[at]
        at += len(name) if name else 1


def items_in_longer_ones(entries: Sequence[Entry]) -> list[Question]:
    """Items that are part of a longer item of an entry that does not hold them as they are."""
    holders: dict[Terms, set[int]] = defaultdict(set)
    for at, entry in enumerate(entries):
        for item in entry.items:
            if item:
                holders[item].add(at)
    sizes = sorted({len(item) for item in holders})
    inside = {
        part
        for at, entry in enumerate(entries)
        for item in entry.items
        for part in _parts(item, sizes)
        if part in holders and at not in holders[part]
    }
    return [Question(item, frozenset(holders[item])) for item in sorted(inside)]


def _parts(item: Terms, sizes: Sequence[int]) -> Iterator[Terms]:
    for size in sizes:
        if size >= len(item):
            return
        for begin in range(len(item) - size + 1):
            yield item[begin : begin + size]


def answered(engine: EmbeddedEngine, questions: Sequence[Question], after: Any) -> Answers:
    """Each question before and after, as deep as there are relevant entries, ten at least."""
    found: list[list[list[int]]] = []
    for make in (lex, after):
        found.append([])
        for one in questions:
            query: Node = make(" ".join(one.words))
            found[-1].append(engine.search(query, max(DEPTH, len(one.relevant))).positions.tolist())
    return Answers(*found)


def print_words(name: str, entries: Sequence[Entry], questions: Sequence[Question], answers: Answers) -> None:
    """Hits that are only called so, among the first ten; the first hit; R-precision."""

    def called(question: Question, hits: Sequence[int]) -> float:
        return _share(question.words[0] in entries[at].author and at not in question.relevant for at in hits[:DEPTH])

    shares = [[called(*pair) for pair in zip(questions, hits, strict=True)] for hits in (answers.before, answers.after)]
    _row(name, f"only the author is called so, of the first {DEPTH}", *shares, less=True)
    first = [
        [called(question, hits[:1]) for question, hits in zip(questions, side, strict=True)] for side in _sides(answers)
    ]
    _row(name, "only the author is called so, first hit", *first, less=True)
    _row(name, "R-precision", *_r_precision(questions, answers))


def print_items(name: str, questions: Sequence[Question], answers: Answers) -> None:
    """Whether the first hit has exactly the item; R-precision."""
    first = [
        [float(hits[0] in question.relevant) for question, hits in zip(questions, side, strict=True)]
        for side in _sides(answers)
    ]
    _row(name, "the first hit has exactly the item", *first)
    _row(name, "R-precision", *_r_precision(questions, answers))


def _r_precision(questions: Sequence[Question], answers: Answers) -> list[list[float]]:
    return [
        [
            _share(at in one.relevant for at in hits[: len(one.relevant)])
            for one, hits in zip(questions, side, strict=True)
        ]
        for side in _sides(answers)
    ]


def _row(name: str, figure: str, before: list[float], after: list[float], *, less: bool = False) -> None:
    """One figure before and after; `less`: the lower, the better."""
    first, second = np.array(before), np.array(after)
    changed = first - second if less else second - first
    better, worse = int((changed > 0).sum()), int((changed < 0).sum())
    counts = f"{better:,} : {worse:,} : {len(changed) - better - worse:,}"
    if set(before) | set(after) <= {0.0, 1.0}:
        counts += f", McNemar p {mcnemar(*gained_lost(first, second)):.2g}"
    print(f"| {name} | {figure} | {len(first):,} | {_told(first)} | {_told(second)} | {counts} |", flush=True)


def _told(values: NDArray[np.float64]) -> str:
    yes_no = np.isin(values, (0, 1)).all()
    one: Estimate = proportion(int(values.sum()), len(values)) if yes_no else bootstrap_mean(values)
    return f"{one.value:.4f} ({one.low:.4f}–{one.high:.4f})" if one.defined else one.method


def _chosen(questions: Sequence[Question], answers: Answers, some: Sequence[int]) -> tuple[list[Question], Answers]:
    picked = Answers(*([side[at] for at in some] for side in _sides(answers)))
    return [questions[at] for at in some], picked


def _sides(answers: Answers) -> tuple[list[list[int]], list[list[int]]]:
    return answers.before, answers.after


def _share(hits: Iterable[bool]) -> float:
    counted = Counter(hits)
    return counted[True] / max(1, counted.total())


def _entry(analyzer: Analyzer, record: Record) -> Entry:
    return Entry(
        tuple(analyzer.terms(record["author"])), tuple(tuple(analyzer.terms(item)) for item in record["items"])
    )


if __name__ == "__main__":
    sys.exit(main())
