"""The embedded index beside the engine library underneath it (tantivy), same documents and same fields, one run.

*Build*: text, items, the exact items and the items by relation of 50,000 made documents, whose schema is known.
*Bare* gives the library the same words, cut beforehand, and commits. *Search*: the best 100 for a phrase and for an
item, compiled from an expression that was read; *bare* is the library's own call. Limits: build 1.5, search 1.5.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import tantivy

from askance.build.limit.settings import LimitSettings
from askance.build.limit.writing import limit_collection
from askance.data.fields.learned import LearnedSchema
from askance.data.fields.schema import Fields, Schema
from askance.engines.embedded.building import build_index
from askance.engines.embedded.engine import EmbeddedEngine
from askance.engines.settings import Indexed
from askance.engines.sources import OfCollection
from askance.irl.builder import exact, field, lex
from askance.irl.nodes import Node
from askance.text.analyzer import Analyzer

LIMIT_BUILD, LIMIT_SEARCH = 1.5, 1.5
DOCUMENTS, QUERIES, TOP, ROUNDS = 50_000, 200, 100, 5


def bare_build(cut: list[tuple[str, list[str]]], folder: Path) -> dict[str, tantivy.Index]:
    """One index a field, as ours has it: words that are cut already, joined by blanks."""
    return {name: _bare_index(name, cut, folder / name) for name in ("text", "items", "facts")}


def _bare_index(name: str, cut: list[tuple[str, list[str]]], folder: Path) -> tantivy.Index:
    folder.mkdir(parents=True)
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("position", indexed=True, fast=True)
    builder.add_text_field("words", tokenizer_name="blanks")
    builder.add_text_field("exact", tokenizer_name="raw", index_option="basic")
    schema = builder.build()
    index = tantivy.Index(schema, str(folder))
    index.register_tokenizer("blanks", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    writer = index.writer(300_000_000, 1)
    for position, (text, items) in enumerate(cut):
        document = tantivy.Document()
        document.add_unsigned("position", position)
        for value in [text] if name == "text" else items:
            document.add_text("words", value)
            if name == "items":
                document.add_text("exact", value)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> int:
    collection = limit_collection(LimitSettings(seed=3, documents=DOCUMENTS, queries=1000, containment=0.1))
    documents = list(OfCollection(collection))
    schema = LearnedSchema().learn(one.record for one in documents)
    cut = list(_cut(documents, schema))
    keywords = [text.removeprefix("Who likes ").removesuffix("?") for text in collection.queries.field("text")]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        print("| | bare, ms | askance, ms | ratio |\n|---|--:|--:|--:|")
        ratios = [_builds(documents, schema, cut, folder) / LIMIT_BUILD]
        opened = seconds(lambda: EmbeddedEngine.open(folder / "ours0"))
        engine = EmbeddedEngine.open(folder / "ours0")
        bare = tantivy.Index.open(str(folder / "bare0" / "items"))
        for name, make, plain in _searches(bare):
            ours = [make(keyword) for keyword in keywords[:QUERIES]]
            theirs = [plain(keyword) for keyword in keywords[:QUERIES]]
            ratios.append(_searched(name, engine, ours, bare.searcher(), theirs) / LIMIT_SEARCH)
        print(f"\nopened in {opened * 1e3:.1f} ms; {'all limits met' if max(ratios) <= 1 else 'a limit is MISSED'}")
    return 0 if max(ratios) <= 1 else 1


def _builds(documents: list[Indexed], schema: Schema, cut: list[tuple[str, list[str]]], folder: Path) -> float:
    bare, ours = [], []
    for turn in range(3):
        bare.append(seconds(partial(bare_build, cut, folder / f"bare{turn}")))
        ours.append(seconds(partial(build_index, documents, folder / f"ours{turn}", schema=schema)))
    return _row(f"build, {len(documents):,} documents", bare, ours)


def _searched(
    name: str,
    engine: EmbeddedEngine,
    ours: list[Node],
    searcher: tantivy.Searcher,
    theirs: list[tantivy.Query],
) -> float:
    took_bare, took_ours = [], []
    for _ in range(ROUNDS):
        for plain, made in zip(theirs, ours, strict=True):
            took_bare.append(seconds(partial(searcher.search, plain, TOP)))
            took_ours.append(seconds(partial(engine.search, made, TOP)))
    return _row(name, took_bare, took_ours)


def _row(name: str, bare: list[float], ours: list[float]) -> float:
    ratio = median(ours) / median(bare)
    print(f"| {name} | {median(bare) * 1e3:.3f} | {median(ours) * 1e3:.3f} | {ratio:.2f} |")
    return ratio


def _cut(documents: list[Indexed], schema: Schema) -> Iterator[tuple[str, list[str]]]:
    analyzer = Analyzer()
    for one in documents:
        fields = schema.split(one.record)
        items = fields.items if isinstance(fields, Fields) else ()
        yield " ".join(analyzer.terms(one.text)), [" ".join(analyzer.terms(item)) for item in items]


def _searches(bare: tantivy.Index) -> list[tuple[str, Callable[[str], Node], Callable[[str], tantivy.Query]]]:
    schema = bare.schema
    words = Analyzer().terms

    def phrase(keyword: str) -> tantivy.Query:
        terms = words(keyword)
        if len(terms) == 1:
            return tantivy.Query.term_query(schema, "words", terms[0])
        return tantivy.Query.phrase_query(schema, "words", list(terms))

    def item(keyword: str) -> tantivy.Query:
        whole = tantivy.Query.term_query(schema, "exact", " ".join(words(keyword)))
        tier = tantivy.Query.const_score_query(whole, 128.0)
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, tier), (tantivy.Occur.Should, phrase(keyword))])

    return [
        ("phrase in items", lambda keyword: field("items", lex(keyword)), phrase),
        ("exact item or phrase", lambda keyword: exact(keyword) | field("items", lex(keyword)), item),
    ]


if __name__ == "__main__":
    sys.exit(main())
