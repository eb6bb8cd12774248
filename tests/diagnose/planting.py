"""Plants one fault in a small collection and searches it, so that a diagnosis has something to find.

Every planter begins with the same kind of collection, in which a phrase or word search wins every query, breaks one
thing for the first few queries, and searches with the retrievers and the index of the package itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.app.study import run as run_study
from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.core.progress import Silent
from askance.data.formats.runs import write_run
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.embedded.engine import EmbeddedEngine, build
from askance.engines.settings import Indexed, IndexSettings, VectorSettings
from askance.irl.nodes import Knn
from askance.models.embedder import FakeEmbedder
from askance.retrieve.lexical import LexicalRetriever
from askance.retrieve.retriever import RetrievalTask

FAULTY = 6  # queries that the fault is planted for


@dataclass
class World:
    """A collection as plain lists, which a planter changes. `gold`: query → document; `extra`: fields per document."""

    documents: dict[str, str]
    queries: dict[str, str]
    gold: dict[str, str]
    items: dict[str, str]  # what a query asks for
    extra: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def faulty(self) -> list[str]:
        return list(self.queries)[:FAULTY]

    def write(self, folder: Path) -> dict[str, Any]:
        """As a BEIR folder; the arguments of `diagnose` that name its files."""
        (folder / "qrels").mkdir(parents=True)
        corpus = [{"_id": id, "text": text, **self.extra.get(id, {})} for id, text in self.documents.items()]
        asked = [{"_id": id, "text": text} for id, text in self.queries.items()]
        for name, rows in (("corpus.jsonl", corpus), ("queries.jsonl", asked)):
            (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        judged = "".join(f"{query}\t{document}\t1\n" for query, document in self.gold.items())
        (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
        return {
            "qrels": folder / "qrels" / "test.tsv",
            "corpus": folder / "corpus.jsonl",
            "queries": folder / "queries.jsonl",
        }


def clean(seed: int) -> World:
    """Every query asks for an item that one document holds, and no text holds those words anywhere else."""
    made = limit_collection(
        LimitSettings(seed=seed, documents=80, queries=24, gold=1, pattern="disjoint", items=6, padding=60)
    )
    tier = made.tiers["test"].judgments
    texts = dict(zip(made.documents.ids, made.documents.field("text"), strict=True))
    queries = dict(zip(made.queries.ids, made.queries.field("text"), strict=True))
    gold = {query: made.documents.ids[int(tier.of_query(at)[0][0])] for at, query in enumerate(made.queries.ids)}
    items = {query: text.removeprefix("Who likes ").removesuffix("?") for query, text in queries.items()}
    return World(texts, queries, gold, items)


def by_words(world: World, texts: Mapping[str, str] | None = None, depth: int = 100) -> Run:
    """BM25 over these texts (those of the documents unless told)."""
    read = texts if texts is not None else world.documents
    ids = Ids(read)
    task = RetrievalTask(
        queries=Ids(world.queries),
        query_texts=list(world.queries.values()),
        documents=ids,
        document_texts=list(read.values()),
        depth=depth,
        excluded=None,
    )
    return LexicalRetriever(LexicalRetriever.Settings()).retrieve(task, Silent())


def bare(world: World, run: Run, folder: Path) -> dict[str, Any]:
    write_run(run, folder / "run.jsonl.gz")
    return {"runs": [folder / "run.jsonl.gz"], **world.write(folder / "data")}


def name(folder: Path, seed: int) -> dict[str, Any]:
    """Short documents are called what is asked for."""
    world, random = clean(seed), Random(seed)
    for query in world.faulty:
        item = world.items[query]
        others = random.sample([text for asked, text in world.items.items() if asked not in world.faulty], 2)
        world.documents[f"{item} Miller"] = f"{item} Miller likes {others[0]} and {others[1]}."
    return bare(world, by_words(world), folder)


def longer_item(folder: Path, seed: int) -> dict[str, Any]:
    """Short documents hold a longer item around the one that is asked for."""
    world, random = clean(seed), Random(seed)
    for number, query in enumerate(world.faulty):
        others = random.sample([text for asked, text in world.items.items() if asked not in world.faulty], 2)
        who = f"Quentin Vale {number}"
        world.documents[who] = f"{who} likes {others[0]}, {world.items[query]} of Old Pergamon and {others[1]}."
    # what is asked for must win by length over the longer document
    for query in world.faulty:
        gold = world.gold[query]
        padding = ", ".join(random.sample(list(world.items.values())[FAULTY:], 6))
        if world.items[query] in world.documents[gold]:
            world.documents[gold] = world.documents[gold].replace(" likes ", f" likes {padding}, ", 1)
    return bare(world, by_words(world), folder)


def cut(folder: Path, seed: int) -> dict[str, Any]:
    """Gold is long, and the system reads its first forty words."""
    world, random = clean(seed), Random(seed)
    filler = ["morning", "harbour", "ladder", "window", "copper", "lantern", "meadow", "saddle", "thimble", "valley"]
    for query in world.faulty:
        begin = " ".join(random.choice(filler) for _ in range(60))
        world.documents[world.gold[query]] = f"{begin}. {world.documents[world.gold[query]]}"
    read = {id: " ".join(text.split()[:40]) for id, text in world.documents.items()}
    return bare(world, by_words(world, read), folder) | {"window": 40}


def analyzer(folder: Path, seed: int) -> dict[str, Any]:
    """Queries write one form of a word, gold another; the index has no stems."""
    world = clean(seed)
    forms = ["violin", "bucket", "marble", "tractor", "anchor", "beetle"]
    for query, form in zip(world.faulty, Random(seed).sample(forms, FAULTY), strict=True):
        gold, item = world.gold[query], world.items[query]
        world.documents[gold] = world.documents[gold].replace(item, f"{form.capitalize()}s")
        world.queries[query] = f"Who likes a {form}?"
    return bare(world, by_words(world), folder)


def tie(folder: Path, seed: int) -> dict[str, Any]:
    """Another document, before gold, holds the same words in another order; only gold is judged."""
    world = clean(seed)
    documents = {}
    for query in world.faulty:
        gold = world.documents[world.gold[query]]
        head, _, rest = gold.removesuffix(".").partition(" likes ")
        first, last = head.split(" ", 1) if " " in head else (head, "")
        documents[f"twin of {query}"] = f"{last} {first} likes {rest}.".strip()
    world.documents = documents | world.documents
    return bare(world, by_words(world), folder)


def filter(folder: Path, seed: int) -> dict[str, Any]:
    """Only documents in English are let through; some gold is in another language."""
    world, random = clean(seed), Random(seed)
    german = {world.gold[query] for query in world.faulty}
    free = [id for id in world.documents if id not in world.gold.values()]
    german |= set(random.sample(free, 14))
    world.extra = {id: {"language": "de" if id in german else "en"} for id in world.documents}
    through = {id: text for id, text in world.documents.items() if id not in german}
    return bare(world, by_words(world, through), folder)


def never_indexed(folder: Path, seed: int) -> dict[str, Any]:
    """Some gold never came into the index; with the index at hand for even seeds, from the lists alone for odd ones."""
    world = clean(seed)
    missing = {world.gold[query] for query in world.faulty}
    there = {id: text for id, text in world.documents.items() if id not in missing}
    told = bare(world, by_words(world, there), folder)
    if seed % 2 == 0:
        build([Indexed(id, text) for id, text in there.items()], folder / "index")
        told["index"] = folder / "index"
    return told


def excluded_id(folder: Path, seed: int) -> dict[str, Any]:
    """The exclusions of a study's collection name gold."""
    world = clean(seed)
    world.write(folder / "data")
    barred = {query: [world.gold[query]] for query in world.faulty}
    (folder / "data" / "per_query_excluded_ids.json").write_text(json.dumps(barred))
    study = f"""
[study]
name = "planted"
resamples = 100
depth = 50
[domains.planted]
collection = "{folder / "data"}"
measures = ["Hit@1"]
tokens = ["all"]
systems = [{{ name = "bm25", retriever = "lexical" }}]
"""
    (folder / "study.toml").write_text(study)
    run_study(folder / "study.toml", folder / "out")
    return {"folder": folder / "out"}


def missing_vector(folder: Path, seed: int) -> dict[str, Any]:
    """Vectors of gold are all zeros (even seeds), or one and the same (odd seeds)."""
    world, place = _near(seed), folder / "index"
    _index(world, place)
    rows = _rows(world, place)
    gold = [rows[world.gold[query]] for query in world.faulty]
    vectors = _vectors(place)
    vectors[gold] = 0.0 if seed % 2 == 0 else vectors[gold[0]][::-1]
    np.save(_file(place), vectors)
    return bare(world, _by_index(world, place), folder) | {"index": place}


def wrong_model(folder: Path, seed: int) -> dict[str, Any]:
    """Questions (even seeds), or some documents (odd seeds), are embedded by another model."""
    world, place = _near(seed), folder / "index"
    _index(world, place)
    if seed % 2 == 0:
        return bare(world, _by_other_questions(world, place, seed), folder) | {"index": place}
    rows = _rows(world, place)
    vectors = _vectors(place)
    for query in world.faulty:
        vectors[rows[world.gold[query]]] = _other(world.documents[world.gold[query]], seed)
    np.save(_file(place), vectors)
    return bare(world, _by_index(world, place), folder) | {"index": place}


def _near(seed: int) -> World:
    """Queries that name all of gold's items: the trigrams of the fake model find it."""
    world = clean(seed)
    for query in world.queries:
        _, _, items = world.documents[world.gold[query]].partition(" likes ")
        world.queries[query] = f"Who likes {items.removesuffix('.')}?"
    return world


def _index(world: World, place: Path) -> None:
    settings = IndexSettings(vectors=VectorSettings(embedder="fake", settings={"dimension": 256}))
    build([Indexed(id, text) for id, text in world.documents.items()], place, settings=settings)


def _file(place: Path) -> Path:
    return next(place.rglob("vectors.npy"))


def _vectors(place: Path) -> NDArray[np.float32]:
    return np.array(np.load(_file(place)))


def _rows(world: World, place: Path) -> dict[str, int]:
    rows = np.load(next(place.rglob("rows.npy")))
    return {id: int(rows[at]) for at, id in enumerate(world.documents)}


def _by_index(world: World, place: Path) -> Run:
    engine = EmbeddedEngine.open(place)
    answers = engine.search_all([Knn(text, 50) for text in world.queries.values()], 50)
    lists = {
        query: list(zip(answer.documents, answer.scores.tolist(), strict=True))
        for query, answer in zip(world.queries, answers, strict=True)
    }
    return Run.of("knn", Ids(world.queries), Ids(world.documents), lists)


def _by_other_questions(world: World, place: Path, seed: int) -> Run:
    rows, vectors = _rows(world, place), _vectors(place)
    names = list(world.documents)
    lists: dict[str, Sequence[tuple[str, float]]] = {}
    for query, text in world.queries.items():
        question = _other(text, seed) if query in world.faulty else FakeEmbedder(256).embed([text], "query")[0]
        scores = [float(vectors[rows[name]] @ question) for name in names]
        order = sorted(range(len(names)), key=lambda at: (-scores[at], at))[:50]
        lists[query] = [(names[at], scores[at]) for at in order]
    return Run.of("knn", Ids(world.queries), Ids(world.documents), lists)


def _other(text: str, seed: int) -> NDArray[np.float32]:
    """The vector that quite another model might give."""
    made = np.random.default_rng([seed, *text.encode()]).normal(size=256)
    vector: NDArray[np.float32] = (made / np.linalg.norm(made)).astype(np.float32)
    return vector


PLANTERS: Mapping[str, Callable[[Path, int], dict[str, Any]]] = {
    "name": name,
    "longer item": longer_item,
    "cut": cut,
    "analyzer": analyzer,
    "missing vector": missing_vector,
    "wrong model": wrong_model,
    "excluded id": excluded_id,
    "tie": tie,
    "filter": filter,
    "never indexed": never_indexed,
}
