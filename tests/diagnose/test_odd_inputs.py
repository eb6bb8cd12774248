"""Vectors that are no numbers or belong to no corpus, and items longer than any that the documents repeat."""

from __future__ import annotations

import json
from itertools import product
from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.diagnose.planting import bare, by_words, clean

from askance.app.diagnose import diagnose
from askance.core.errors import BadInput


def test_a_vector_of_no_numbers_is_missing_and_leaves_the_others_alone(tmp_path: Path) -> None:
    world = clean(1)
    gold = next(iter(world.gold.values()))
    others = {name: text for name, text in world.documents.items() if name != gold}
    told = bare(world, by_words(world, others), tmp_path)
    lines = Path(told["corpus"]).read_text().splitlines()
    vectors = np.random.default_rng(0).normal(size=(len(lines), 8)).astype(np.float32)
    at = [json.loads(line)["_id"] for line in lines].index(gold)
    vectors[at, 3] = np.nan
    np.save(tmp_path / "documents.npy", vectors)
    [fall] = diagnose(**told, vectors=tmp_path / "documents.npy").domains[0].waterfalls
    assert sum(step.queries for step in fall.steps) == fall.n == 24
    assert [fate.why for fate in fall.of("missing vector")] == ["its vector holds what is no finite number"]


def test_vectors_without_the_corpus_whose_rows_they_are(tmp_path: Path) -> None:
    told = bare(clean(1), by_words(clean(1)), tmp_path)
    del told["corpus"]
    with pytest.raises(BadInput, match="no --corpus"):
        diagnose(**told, vectors=tmp_path / "documents.npy")


@pytest.mark.parametrize("place", [0, 3, 6], ids=["first", "inside", "last"])
def test_an_item_longer_than_any_other_is_a_longer_item(place: int, tmp_path: Path) -> None:
    random = Random(3)
    items = [" ".join(each) for each in product((f"ka{n}len" for n in range(15)), (f"mo{n}ra" for n in range(15)))]
    random.shuffle(items)
    shared, asked = items[:150], items[150:170]
    corpus = [[*random.sample(shared, 12), one] for one in asked] + [random.sample(shared, 13) for _ in range(100)]
    longer = random.sample(shared, 6)
    longer.insert(place, f"{asked[0]} stand")
    corpus.append(longer)
    names = [f"{a} {b}" for a in ("Anna", "Boris", "Clara", "Dora") for b in (f"Be{chr(97 + n)}t" for n in range(26))]
    names += [f"Elsa {b}" for b in (f"Ro{chr(97 + n)}m" for n in range(26))]
    write = {
        "corpus": [
            {"_id": f"d{at}", "text": f"{names[at]} keeps {', '.join(each)}."} for at, each in enumerate(corpus)
        ],
        "queries": [{"_id": f"q{at}", "text": f"Who keeps {each}?"} for at, each in enumerate(asked)],
    }
    for name, rows in write.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    last = len(corpus) - 1
    (tmp_path / "qrels").write_text("".join(f"q{at} 0 d{at} 1\n" for at in range(len(asked))))
    lists = _by_words(corpus, asked)
    lists[0] = [last, 0, *(d for d in lists[0] if d not in (last, 0))]
    (tmp_path / "a.run").write_text(
        "".join(
            f"q{at} x d{d} {r} {100 - r} s\n" for at, found in enumerate(lists) for r, d in enumerate(found[:10], 1)
        )
    )
    found = diagnose(
        runs=[tmp_path / "a.run"],
        qrels=tmp_path / "qrels",
        corpus=tmp_path / "corpus.jsonl",
        queries=tmp_path / "queries.jsonl",
    )
    blamed = found.domains[0].waterfalls[0].of("longer item")
    assert [(one.query, one.why) for one in blamed] == [(0, f"rank 1 holds '{asked[0]} stand'")]


def _by_words(corpus: list[list[str]], asked: list[str]) -> list[list[int]]:
    """The documents of each query in order of BM25, worked out here."""
    texts = [" ".join(each).split() for each in corpus]
    mean = sum(map(len, texts)) / len(texts)

    def score(text: list[str], word: str) -> float:
        times, holding = text.count(word), sum(word in each for each in texts)
        weight = log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        return weight * 2.2 * times / (times + 1.2 * (0.25 + 0.75 * len(text) / mean))

    scores = [[sum(score(text, word) for word in one.split()) for text in texts] for one in asked]
    return [sorted(range(len(texts)), key=lambda at: (-row[at], at)) for row in scores]
