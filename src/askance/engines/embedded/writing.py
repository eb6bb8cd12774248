"""Documents into the indexes of one generation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from askance.core.errors import DataProblem, FileProblem
from askance.data.fields.schema import Fields
from askance.engines.counting import Counting, Counts
from askance.engines.embedded.analysis import in_one_string, joined
from askance.engines.embedded.manifest import FieldEntry, Manifest
from askance.engines.embedded.segments import (
    EXACT,
    FACT,
    ID,
    MEGABYTE,
    META,
    POSITION,
    RECORDS,
    RELATION,
    REST,
    TEXT,
    WORDS,
    described,
    field_schema,
    made,
    opened,
    records_schema,
)
from askance.engines.item_forms import ItemForms
from askance.engines.metadata import keywords_of
from askance.engines.settings import IndexSettings
from askance.engines.stored import Source, packed
from askance.engines.words import analyzer_of, fact_places, key_term, keyword, places

if TYPE_CHECKING:
    import tantivy

_HEAP = {"text": 120, "items": 60, "facts": 60}  # megabytes; others 30. Above it a segment is written
_BURST = 500
TAKEN = ("text", "name", "items", "facts", "exact", "relation")


class GenerationWriter:
    """Adds documents to a generation, and takes them out. Nothing holds before `finish`.

    `before`: the manifest whose files the folder has already; None for an empty folder.
    """

    def __init__(self, folder: Path, settings: IndexSettings, before: Manifest | None = None) -> None:
        import tantivy

        self._folder = folder
        self._document = tantivy.Document
        self._gap = settings.position_gap
        self._analyzer = analyzer_of(settings.analysis)
        self._forms = ItemForms(self._analyzer)
        self._counting = Counting(before.counts if before else Counts())
        self._indexes: dict[str, tantivy.Index] = {}
        self._writers: dict[str, tantivy.IndexWriter] = {}
        self._folders: dict[str, str] = {}
        self._waiting: dict[str, list[tantivy.Document]] = {}
        if before is not None:
            self._reopen(before)
        self._writer("text")
        self._writer(RECORDS)

    def put(self, position: int, source: Source) -> None:
        """Index a document. DataProblem, naming it, where it holds what cannot be written."""
        try:
            self._put(position, source)
        except UnicodeEncodeError as problem:
            raise DataProblem(
                f"document {source.id!r} holds half a character (a lone surrogate): {problem.object[:60]!r}",
                remedy="Was the file cut inside a character, or written by a broken program? Repair the text.",
            ) from None
        except ValueError as problem:
            raise FileProblem(self._folder, f"cannot be written: {problem}", remedy="Is the disk full?") from problem

    def remove(self, position: int, source: Source) -> None:
        """Take a document out of all indexes: `source` as it was indexed."""
        import tantivy

        for name, writer in self._writers.items():
            here = tantivy.Query.term_query(self._indexes[name].schema, POSITION, position)
            writer.delete_documents_by_query(here)  # by term would look for a signed number, and find none
        self._count(source, -1)

    def give_position(self) -> int:
        """The next position, never used before."""
        self._counting.positions += 1
        return self._counting.positions - 1

    def finish(self) -> tuple[Counts, dict[str, FieldEntry], FieldEntry]:
        """Commit all indexes. Counts, fields by name, and the records."""
        try:
            for name, writer in self._writers.items():
                self._flush(name)
                writer.commit()
            for writer in self._writers.values():
                writer.wait_merging_threads()
            entries = {name: described(index, self._folders[name]) for name, index in self._indexes.items()}
        except ValueError as problem:
            raise FileProblem(self._folder, f"cannot be written: {problem}", remedy="Is the disk full?") from problem
        records = entries.pop(RECORDS)
        return self._counting.counts(), entries, records

    def close(self) -> None:
        """Stop writing; what was not finished is lost."""
        self._writers.clear()
        self._indexes.clear()
        self._waiting.clear()

    def _put(self, position: int, source: Source) -> None:
        words = joined(self._analyzer, source.text)
        meta = keywords_of(source.metadata, source.id) if source.metadata else []
        record = self._document()
        record.add_unsigned(POSITION, position)
        record.add_text(ID, keyword(source.id))
        record.add_bytes(TEXT, source.text.encode())
        rest = packed(source)
        if rest is not None:
            record.add_bytes(REST, rest)
        for each in meta:
            record.add_text(META, each)
        self._send(RECORDS, record)
        wordless = not words or words.isspace()
        if not wordless:
            self._add("text", position, words, self._placed((source.text,)), **({META: meta} if meta else {}))
        silent_items, silent_relations = self._put_fields(position, source.split) if _split(source) else (0, 0)
        self._counting.count(source, 1, wordless, silent_items, silent_relations)

    def _put_fields(self, position: int, fields: Any) -> tuple[int, int]:
        """Index what the schema made of a document. How many items and relations have no words."""
        if fields.name:
            self._put_text("name", position, fields.name)
        for name, text in fields.texts.items():
            if name in TAKEN:
                raise DataProblem(f"the schema makes a text field {name!r}; that name is taken", remedy=_CHOOSE)
            self._put_text(name, position, text)
        items = fields.facts[0].items if len(fields.facts) == 1 else fields.items
        return self._put_items(position, items, fields) if items else (0, 0)

    def _put_text(self, name: str, position: int, text: str) -> None:
        words = joined(self._analyzer, text)
        if words and not words.isspace():
            self._add(name, position, words, self._placed((text,)))

    def _put_items(self, position: int, items: Sequence[str], fields: Fields) -> tuple[int, int]:
        forms = []
        relations: list[str] = []
        silent_relations = 0
        for fact in fields.facts:
            if not fact.items:
                continue
            forms += self._forms.of(fact.items, fact.relation)
            relation = self._forms.relation(fact.relation)
            if relation:
                relations.append(key_term(relation))
            elif fact.relation is not None:
                silent_relations += 1
        columns: Iterable[tuple[str, ...]] = zip(*forms, strict=True)
        keys, terms, tokens, facts = columns
        silent_items = keys.count("")
        if silent_items or len(relations) < len(fields.facts):
            keys, terms, tokens, facts = (tuple(filter(None, column)) for column in (keys, terms, tokens, facts))
        if keys:
            keywords = {EXACT: " ".join(terms), RELATION: " ".join(relations)}
            self._add("items", position, in_one_string(keys, self._gap), self._placed(items), **keywords)
        if tokens:
            holes = self._analyzer.stop_words
            placed = fact_places(self._analyzer, fields.facts, self._gap) if holes else None
            self._add("facts", position, in_one_string(tokens, self._gap), placed, **{FACT: " ".join(facts)})
        return silent_items, silent_relations

    def _placed(self, values: Sequence[str]) -> Iterable[tuple[str, int]] | None:
        """Terms with positions, where stop words may leave holes; else tantivy counts the same itself."""
        return places(self._analyzer, values, self._gap) if self._analyzer.stop_words else None

    def _add(
        self,
        name: str,
        position: int,
        words: str,
        placed: Iterable[tuple[str, int]] | None,
        **keywords: str | list[str],
    ) -> None:
        """One document into the index of a field. `words`: its terms, joined; `placed`, where given, goes before."""
        if placed is not None:
            import tantivy

            document = self._document(**keywords)
            tokens = [tantivy.Token(term, at, 0, 0) for term, at in placed]
            document.add_pre_tokenized_text(WORDS, tantivy.PreTokenizedString("", tokens))
        else:
            document = self._document(words=words, **keywords)
        document.add_unsigned(POSITION, position)
        self._send(name, document)

    def _send(self, name: str, document: tantivy.Document) -> None:
        """Give a document to a writer's thread: many at once, since waking it takes longer than one document does."""
        waiting = self._waiting.get(name)
        if waiting is None:
            self._writer(name)
            waiting = self._waiting[name] = []
        waiting.append(document)
        if len(waiting) >= _BURST:
            self._flush(name)

    def _flush(self, name: str) -> None:
        add = self._writers[name].add_document
        for document in self._waiting.pop(name, ()):
            add(document)

    def _writer(self, name: str) -> tantivy.IndexWriter:
        if name not in self._writers:
            if name not in self._indexes:
                folder = name if name in (*TAKEN, RECORDS) else f"field-{len(self._folders):03d}"
                schema = records_schema() if name == RECORDS else field_schema(name)
                self._indexes[name] = made(schema, self._folder / folder)
                self._folders[name] = folder
            self._writers[name] = self._indexes[name].writer(_HEAP.get(name, 30) * MEGABYTE, 1)
        return self._writers[name]

    def _reopen(self, before: Manifest) -> None:
        for name, entry in {**before.fields, RECORDS: before.records}.items():
            self._indexes[name] = opened(self._folder / entry.folder)
            self._folders[name] = entry.folder
            self._writer(name)

    def _count(self, source: Source, sign: int) -> None:
        """Count a document that is not analysed again for indexing."""
        fields = source.fields
        relations = [fact.relation for fact in fields.facts if fact.items and fact.relation is not None]
        silent_relations = [self._forms.relation(relation) for relation in relations].count("")
        silent_items = [form.key for form in self._forms.of(fields.items, None)].count("")
        wordless = not self._analyzer.terms(source.text)
        self._counting.count(source, sign, wordless, silent_items, silent_relations)


_CHOOSE = "Choose another name for it."


def _split(source: Source) -> bool:
    return isinstance(source.split, Fields)
