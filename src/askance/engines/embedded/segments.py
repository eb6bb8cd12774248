"""The tantivy indexes of a generation: their schemas, how they are made and opened, what order they keep.

One index per field, of the documents that have words in it: tantivy counts all documents of an index into N and avgdl,
Lucene those with the field. One more, `records`, holds every document: identifier, metadata, and what was indexed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, cast

from askance.core.errors import FileProblem, MissingExtra
from askance.engines.embedded.analysis import MARK
from askance.engines.embedded.manifest import FieldEntry

if TYPE_CHECKING:
    import tantivy

POSITION = "position"  # the document's position: in every index
WORDS = "words"  # the terms of the field
META = "meta"  # metadata, as metadata.py writes it: in records and in the index of `text`
EXACT, RELATION = "exact", "relation"  # keys of items, and of relations: in that of `items`
FACT = "fact"  # keys of relation and item: in that of `facts`
ID, TEXT, REST = "id", "text", "rest"  # identifier, the text, all else that was indexed: in records

RECORDS = "records"
MEGABYTE = 1_000_000
_PAGE = 100_000


def tantivy_module() -> object:
    """tantivy; MissingExtra where it is not installed."""
    try:
        import tantivy
    except ImportError:
        raise MissingExtra("the embedded engine", "pip install tantivy") from None
    return tantivy


def field_schema(name: str) -> tantivy.Schema:
    """The schema of one field's index."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(POSITION, indexed=True, fast=True)
    builder.add_text_field(WORDS, tokenizer_name="values" if name in ("items", "facts") else "blanks")
    if name == "text":
        builder.add_text_field(META, tokenizer_name="raw", index_option="basic")
    for keyword in {"items": (EXACT, RELATION), "facts": (FACT,)}.get(name, ()):
        builder.add_text_field(keyword, tokenizer_name="blanks", index_option="basic")
    return builder.build()


def records_schema() -> tantivy.Schema:
    """The schema of `records`."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(POSITION, indexed=True, fast=True)
    builder.add_text_field(ID, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(META, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field(TEXT, stored=True)
    builder.add_bytes_field(REST, stored=True)
    return builder.build()


def made(schema: tantivy.Schema, folder: Path) -> tantivy.Index:
    """A new index in a new folder."""
    import tantivy

    folder.mkdir(parents=True)
    return _ready(tantivy.Index(schema, str(folder)))


def opened(folder: Path) -> tantivy.Index:
    """An index that exists; FileProblem where it does not, or is damaged."""
    import tantivy

    try:
        _look_for_files(folder)
        return _ready(tantivy.Index.open(str(folder)))
    except (ValueError, KeyError, OSError) as problem:
        raise FileProblem(
            folder,
            f"a part of the index is missing or damaged: {str(problem)[:200]}",
            remedy="Build the index again: askance index DOCS --into DIR",
        ) from problem


def _look_for_files(folder: Path) -> None:
    """FileNotFoundError where a segment lacks a file: tantivy misses some only when a question needs them."""
    there = set(os.listdir(folder))
    for segment in json.loads((folder / "meta.json").read_bytes())["segments"]:
        name = segment["segment_id"].replace("-", "")
        wanted = {f"{name}.{part}" for part in ("term", "idx", "pos", "fieldnorm", "fast", "store")}
        if segment["deletes"]:
            wanted.add(f"{name}.{segment['deletes']['opstamp']}.del")
        if wanted - there:
            raise FileNotFoundError(f"there is no {sorted(wanted - there)[0]}")


def _ready(index: tantivy.Index) -> tantivy.Index:
    import tantivy

    blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    index.register_tokenizer("blanks", blanks.build())
    values = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    index.register_tokenizer("values", values.filter(tantivy.Filter.custom_stopword([MARK])).build())
    index.config_reader(reload_policy="manual")
    return index


def described(index: tantivy.Index, folder: str) -> FieldEntry:
    """What the manifest keeps of an index: read page by page, once, when it has been written."""
    import tantivy

    index.reload()
    searcher = index.searcher()
    everything = tantivy.Query.all_query()
    before, seen, in_order = -1, 0, True
    dense = searcher.num_segments <= 1
    while seen < searcher.num_docs and (in_order or dense):
        addresses = [address for _, address in searcher.search(everything, _PAGE, count=False, offset=seen).hits]
        positions = positions_at(searcher, addresses)
        dense = dense and positions == list(range(seen, seen + len(positions)))
        dense = dense and [address.doc for address in addresses] == positions
        if not dense:
            in_order = in_order and all(a < b for a, b in zip([before, *positions], positions, strict=False))
        before, seen = positions[-1], seen + len(positions)
    return FieldEntry(folder=folder, documents=searcher.num_docs, in_order=in_order, dense=dense)


def positions_at(searcher: tantivy.Searcher, addresses: list[tantivy.DocAddress]) -> list[int]:
    """The positions of documents; every document has one."""
    return cast("list[int]", searcher.fast_field_values(POSITION, addresses))
