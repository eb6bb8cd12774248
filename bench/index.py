"""The embedded index beside the engine library underneath it (tantivy), same documents, same fields, one run.

*Build*: 50,000 made documents, their schema known. Ours splits each by the schema, cuts its words, makes the keys of
items, and writes five indexes (text, name, items, items by relation, and records with what was indexed), identifiers
and a manifest. The library is handed the very same field values, made beforehand, and commits: once in five indexes as
ours, one thread each; once in a single index with all the fields, with as many threads as it chooses itself.

*Search*: the best 100. Ours takes a tree of the language, checks it, compiles it, searches, and gives identifiers,
positions, scores, the number of matches and notes. The library makes its query of words that are cut already, searches
the items, and reads each hit's identifier from its stored field, beside which the document's source is stored as in
ours. Two figures say what of that is its own: *call*, the search alone, its query made beforehand and no identifier
read; *bare identifiers*, the whole over an index where nothing but identifiers is stored.

Limits: ours at most 1.5 times the library, building as ours and searching.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import tantivy

from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.schema import Schema
from askance.engines.embedded.building import build_index, split_by
from askance.engines.embedded.engine import EmbeddedEngine
from askance.engines.embedded.segments import RECORDS, field_schema, made, records_schema
from askance.engines.embedded.writing import GenerationWriter
from askance.engines.settings import Indexed, IndexSettings
from askance.engines.sources import OfCollection
from askance.engines.stored import packed
from askance.irl.builder import exact, field, lex
from askance.irl.nodes import Node

LIMIT = 1.5
DOCUMENTS, QUERIES, TOP, ROUNDS = 50_000, 200, 100, 10
HEAP = 300_000_000

Values = Mapping[str, Any]  # of one document: position, text or bytes by field
Query = tantivy.Query


class Recorded(GenerationWriter):
    """Keeps what ours hands to the library: the index's name and the values of each document."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, IndexSettings())
        self.handed: list[tuple[str, Values]] = []

    def _send(self, name: str, document: tantivy.Document) -> None:
        self.handed.append((name, {field: _value(values) for field, values in document.to_dict().items()}))


def _value(values: Any) -> int | str | bytes:
    one = values[0]
    return bytes(one) if isinstance(one, list) else one


def main() -> int:
    collection = limit_collection(LimitSettings(seed=3, documents=DOCUMENTS, queries=1000, containment=0.1))
    documents = list(OfCollection(collection))
    schema = LearnedSchema().learn(one.record for one in documents)
    keywords = [text.removeprefix("Who likes ").removesuffix("?") for text in collection.queries.field("text")]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        ratios = builds(documents, schema, folder)
        opened = min(seconds(lambda: EmbeddedEngine.open(folder / "ours0")) for _ in range(3))
        engine = EmbeddedEngine.open(folder / "ours0")
        bare = [bare_items(engine, folder / f"items{number}", source) for number, source in enumerate((True, False))]
        ratios += searches(engine, bare[0], bare[1], keywords[:QUERIES])
        print(
            f"\nOpened in {opened * 1e3:.1f} ms. {'All limits met' if max(ratios) <= LIMIT else 'A limit is MISSED'}."
        )
    return 0 if max(ratios) <= LIMIT else 1


def seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


# Building


def builds(documents: Sequence[Indexed], schema: Schema, folder: Path) -> list[float]:
    """Prints how long building takes, and how large it is; the ratio that has a limit."""
    recorded = Recorded(folder / "recorded")
    for position, document in enumerate(documents):
        recorded.put(position, split_by(schema, document))
    handed = recorded.handed
    recorded.close()
    together = _together(handed)
    took: dict[str, list[float]] = {"ours": [], "five": [], "one": []}
    work: dict[str, Callable[[Path], object]] = {
        "five": lambda place: five_indexes(handed, place),
        "one": lambda place: one_index(together, place),
        "ours": lambda place: build_index(documents, place, schema=schema),
    }
    for turn in range(3):
        for name, build in work.items():
            place = folder / f"{name}{turn}"
            begun = time.perf_counter(), time.process_time()
            build(place)
            took[name].append(time.perf_counter() - begun[0])
            took.setdefault(f"{name}, processor", []).append(time.process_time() - begun[1])
    print(f"| {len(documents):,} documents | s | processor s | MB | ours, times as long |\n|---|--:|--:|--:|--:|")
    told = {"five": "library, five indexes", "one": "library, one index", "ours": "askance"}
    ours = median(took["ours"])
    for name, label in told.items():
        size = sum(path.stat().st_size for path in (folder / f"{name}0").rglob("*") if path.is_file())
        times = f"{ours / median(took[name]):.2f}" if name != "ours" else ""
        processor = median(took[f"{name}, processor"])
        print(f"| {label} | {median(took[name]):.2f} | {processor:.2f} | {size / 1e6:.0f} | {times} |")
    return [ours / median(took["five"])]


def five_indexes(handed: Sequence[tuple[str, Values]], folder: Path) -> None:
    """An index for each field and one for the records, each with a writer of one thread, as ours has them."""
    writers: dict[str, tantivy.IndexWriter] = {}
    for name, values in handed:
        if name not in writers:
            schema = records_schema() if name == RECORDS else field_schema(name)
            writers[name] = made(schema, folder / name).writer(HEAP // 5, 1)
        writers[name].add_document(_document(values))
    for writer in writers.values():
        writer.commit()
    for writer in writers.values():
        writer.wait_merging_threads()


def one_index(together: Sequence[Values], folder: Path) -> None:
    """All fields of a document in one index, with the library's own number of threads."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("position", indexed=True, fast=True)
    for name in ("text", "name", "items", "facts"):
        tokenizer = "values" if name in ("items", "facts") else "blanks"
        builder.add_text_field(f"{name}.words", tokenizer_name=tokenizer)
    for name in ("items.exact", "items.relation", "facts.fact"):
        builder.add_text_field(name, tokenizer_name="blanks", index_option="basic")
    builder.add_text_field("records.id", tokenizer_name="raw", index_option="basic")
    for name in ("records.text", "records.rest"):
        builder.add_bytes_field(name, stored=True)
    writer = made(builder.build(), folder).writer(HEAP)
    for values in together:
        writer.add_document(_document(values))
    writer.commit()
    writer.wait_merging_threads()


def _together(handed: Sequence[tuple[str, Values]]) -> list[Values]:
    """The values of all five as those of one document, `index.field` by name."""
    found: dict[int, dict[str, Any]] = {}
    for name, values in handed:
        position = values["position"]
        one = found.setdefault(position, {"position": position})
        one.update((f"{name}.{field}", value) for field, value in values.items() if field != "position")
    return [found[position] for position in sorted(found)]


def _document(values: Values) -> tantivy.Document:
    document = tantivy.Document()
    for name, value in values.items():
        if isinstance(value, str):
            document.add_text(name, value)
        elif isinstance(value, int):
            document.add_unsigned(name, value)
        else:
            document.add_bytes(name, value)
    return document


# Searching


class BareItems:
    """The library's index of items, with identifiers stored."""

    def __init__(self, index: tantivy.Index) -> None:
        self._schema, self._searcher = index.schema, index.searcher()

    def phrase(self, words: list[str]) -> Query:
        if len(words) == 1:
            return Query.term_query(self._schema, "words", words[0])
        return Query.phrase_query(self._schema, "words", list(words))

    def item(self, words: list[str]) -> Query:
        key = "\x1e".join(words)
        whole = Query.const_score_query(Query.term_query(self._schema, "exact", key, index_option="basic"), 128.0)
        return Query.boolean_query([(tantivy.Occur.Should, whole), (tantivy.Occur.Should, self.phrase(words))])

    def call(self, query: Query) -> Any:
        return self._searcher.search(query, TOP)

    def identifiers(self, query: Query) -> list[str]:
        return [str(self._searcher.doc(address).get_first("id")) for _, address in self.call(query).hits]


def bare_items(engine: EmbeddedEngine, folder: Path, with_source: bool) -> BareItems:
    """Its index of the items that `engine` holds, what was indexed stored beside the identifiers or not."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", tokenizer_name="values")
    builder.add_text_field("exact", tokenizer_name="blanks", index_option="basic")
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("text", "rest"):
        builder.add_bytes_field(name, stored=True)
    index = made(builder.build(), folder)
    writer = index.writer(HEAP, 1)
    for _, source in engine.sources():
        keys = [" ".join(engine.analyzer.terms(item)) for item in source.fields.items]
        exact = " ".join(key.replace(" ", "\x1e") for key in keys)
        stored = {"text": source.text.encode(), "rest": packed(source)} if with_source else {}
        writer.add_document(_document({"words": " \x1f ".join(keys), "exact": exact, "id": source.id, **stored}))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return BareItems(index)


def searches(engine: EmbeddedEngine, bare: BareItems, lean: BareItems, keywords: Sequence[str]) -> list[float]:
    """Prints how long searches take; the ratios, which have a limit."""
    print("\n| search, median µs | call | bare identifiers | library | askance | times library |")
    print("|---|--:|--:|--:|--:|--:|")
    kinds: list[tuple[str, Callable[[str], Node], Callable[[BareItems, list[str]], Query]]] = [
        ("phrase in items", lambda keyword: field("items", lex(keyword)), BareItems.phrase),
        ("exact item or phrase", lambda keyword: exact(keyword) | field("items", lex(keyword)), BareItems.item),
    ]
    return [
        _searched(name, engine, bare, lean, [(engine.analyzer.terms(word), make(word), plain) for word in keywords])
        for name, make, plain in kinds
    ]


Asked = tuple[list[str], Node, Callable[["BareItems", list[str]], Query]]


def _searched(name: str, engine: EmbeddedEngine, bare: BareItems, lean: BareItems, asked: Sequence[Asked]) -> float:
    took: dict[str, list[float]] = {"call": [], "lean": [], "library": [], "ours": []}
    for _ in range(ROUNDS):
        for words, tree, make in asked:
            query = make(bare, words)
            took["call"].append(seconds(partial(bare.call, query)))
            took["lean"].append(seconds(partial(_identifiers, lean, make, words)))
            begun = time.perf_counter()
            names = _identifiers(bare, make, words)
            took["library"].append(time.perf_counter() - begun)
            begun = time.perf_counter()
            answer = engine.search(tree, TOP)
            took["ours"].append(time.perf_counter() - begun)
            assert len(names) == len(answer.documents)
    call, least, library, ours = (median(times) * 1e6 for times in took.values())
    print(f"| {name} | {call:.1f} | {least:.1f} | {library:.1f} | {ours:.1f} | {ours / library:.2f} |")
    return ours / library


def _identifiers(index: BareItems, make: Callable[[BareItems, list[str]], Query], words: list[str]) -> list[str]:
    return index.identifiers(make(index, words))


if __name__ == "__main__":
    sys.exit(main())
