"""The embedded engine: an index on disk and its vectors, which answer and explain queries of the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as replaced
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from askance.core.errors import BadInput
from askance.core.progress import Progress
from askance.data.fields.schema import Schema
from askance.engines.answering import notes_on, runnable
from askance.engines.embedded.building import Beside, build_index
from askance.engines.embedded.embedding import Later, Making, write_vectors
from askance.engines.embedded.manifest import Manifest
from askance.engines.embedded.opening import EmbeddedIndex
from askance.engines.embedded.questions import Questions
from askance.engines.embedded.running import IndexEvaluation
from askance.engines.embedded.statistics import PhraseFigures
from askance.engines.embedded.updating import change as change_index
from askance.engines.embedded.updating import compact as compact_index
from askance.engines.embedded.vectors import DocumentVectors
from askance.engines.embedders import registered
from askance.engines.engine import Answer, EngineCard, Explanation
from askance.engines.explaining import Explaining, PlacingByMatches
from askance.engines.settings import Indexed, IndexSettings
from askance.engines.stored import Source
from askance.irl.check import EngineFacts
from askance.irl.nodes import Knn, Lex, Node
from askance.models.embedder import Embedder

if TYPE_CHECKING:
    from askance.models.vectors import VectorStore

VECTORS = "vectors"  # in the folder of a generation


class EmbeddedEngine(EmbeddedIndex):
    """An index that is searched. Also a Vocabulary, and Leaves."""

    def __init__(self, place: Path, manifest: Manifest) -> None:
        """Use `open`."""
        super().__init__(place, manifest)
        folder = self.folder / VECTORS
        self.vectors = DocumentVectors(folder) if folder.is_dir() or manifest.settings.vectors is not None else None
        self._embedder: Embedder | None = None
        self._last: tuple[Node, Explaining] | None = None

    @classmethod
    def open(cls, place: Path, embedder: Embedder | None = None) -> EmbeddedEngine:
        """Milliseconds, whatever the size. FileProblem where there is no index, or it is damaged or of a newer kind.

        `embedder`: makes the vectors of questions; without it the one the index names, when the first is asked.
        """
        engine = super().open(place)
        assert isinstance(engine, EmbeddedEngine)
        if embedder is not None and engine.vectors is not None:
            engine.vectors.check(embedder.card)
        engine._embedder = embedder
        return engine

    @property
    def card(self) -> EngineCard:
        """What the index holds, and what should be known of its vectors."""
        card = super().card
        if self.vectors is None:
            return card
        about = self.vectors.manifest
        return replaced(card, vectors=about.model["name"], notes=(*card.notes, *about.notes))

    @cached_property
    def facts(self) -> EngineFacts:
        """What queries may ask of it."""
        return EngineFacts(
            fields=tuple(dict.fromkeys((*self.manifest.text_fields, *(("name", "items") if self.splits else ())))),
            metadata_keys=frozenset(self.manifest.counts.metadata),
            has_items=self.splits,
            has_relations=bool(self.relations),
            has_vectors=self.vectors is not None,
        )

    @cached_property
    def outside(self) -> int:
        """How many documents do not follow the schema."""
        return sum(self.manifest.counts.outside.values())

    @property
    def splits(self) -> bool:
        """Whether documents were split by a schema."""
        return self.manifest.splits is not None

    def search(self, query: Node, limit: int = 10) -> Answer:
        """The best `limit` documents, ties by position. BadQuery where the query cannot run here."""
        return self.search_all([query], limit)[0]

    def search_all(self, queries: Sequence[Node], limit: int = 10) -> list[Answer]:
        """The answers to many queries, in order. All their questions are embedded together."""
        if limit < 0:
            raise BadInput(f"the limit is {limit}", remedy="Ask for 0 documents or more.")
        trees = [runnable(query, self.facts) for query in queries]
        questions = self._questions()
        if questions is not None:
            questions.prepare(trees)
        return [self._answer(tree, limit, questions) for tree in trees]

    def explain(self, query: Node, document: str) -> Explanation:
        """What each clause gave to this document, matching or not. UnknownName where there is no such document."""
        position = self.position(document)
        if self._last is None or self._last[0] is not query:
            tree = runnable(query, self.facts)
            questions = self._questions()
            self._last = (query, Explaining(tree, PlacingByMatches(IndexEvaluation(self, questions), questions), self))
        return self._last[1].explain(position)

    def document_at(self, position: int) -> Source:
        """A document as it was indexed."""
        return self.source_at(position)

    def lex_figures(self, clause: Lex, field: str, relation: str | None, position: int) -> Mapping[str, float]:
        """Frequency, idf, length, the length that counts and the average one; for several words, of each word."""
        words = self.analyzer.terms(clause.text)
        if clause.match == "phrase" or len(words) == 1:
            return _named(self.figures(clause, field, relation, position))
        found: dict[str, float] = {}
        for word in dict.fromkeys(words):
            figures = _named(self.figures(Lex(word), field, relation, position))
            found |= {key if "length" in key else f"{key} of {word}": value for key, value in figures.items()}
        return found

    def _questions(self) -> Questions | None:
        return None if self.vectors is None else Questions(self.vectors, self.embedder)

    def embedder(self) -> Embedder:
        """The model of the index's vectors; BadInput where there are none, or it has to be handed over."""
        if self.vectors is None:
            raise BadInput("the index has no vectors", remedy="Build it with an embedder.")
        if self._embedder is None:
            about = self.vectors.manifest
            self._embedder = registered(about.embedder, about.settings, str(about.model["name"]))
        return self._embedder

    def _answer(self, tree: Node, limit: int, questions: Questions | None) -> Answer:
        found = self.search_top(tree, limit)
        if found is None:
            ranking, total = IndexEvaluation(self, questions).top(tree, limit)
            found = ranking.positions, ranking.scores, total
        positions, scores, total = found
        notes = notes_on(tree, self, self.outside)
        if self.vectors is not None and any(isinstance(node, Knn) for node in tree.walk()):
            notes += self.vectors.manifest.notes
        return Answer(self.identifiers(positions), positions, scores, total, notes)


def build(
    documents: Iterable[Indexed],
    into: Path,
    *,
    schema: Schema | None = None,
    settings: IndexSettings | None = None,
    embedder: Embedder | None = None,
    replace: bool = False,
    store: VectorStore | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Build an index with its vectors, whole or not at all.

    `embedder`: of the documents; without it the one that `settings.vectors` names, and no vectors where neither is
    given. `store`: where batches of vectors are committed, in the user's cache unless told. Errors as `build_index`
    and `write_vectors` say.
    """
    chosen = settings or IndexSettings()
    about = chosen.vectors
    beside = None
    if about is not None or embedder is not None:
        made = embedder or registered(about.embedder if about else None, dict(about.settings) if about else {}, "")
        how = Making(made)
        if about is not None:
            how = Making(made, about.embedder, about.settings, about.precision, about.lookup)
        beside = _beside(how, store, progress)
    return build_index(
        documents, into, schema=schema, settings=chosen, replace=replace, beside=beside, progress=progress
    )


def change(
    place: Path,
    *,
    put: Iterable[Indexed] = (),
    delete: Sequence[str] = (),
    compact: bool = False,
    schema: Schema | None = None,
    embedder: Embedder | None = None,
    store: VectorStore | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Change an index and its vectors: what `delete` names goes, what `put` holds is updated or added.

    Only texts that are new are embedded. `compact` then writes the index anew without what is gone. BadInput where
    the embedder is not that of the index.
    """
    engine = EmbeddedEngine.open(place, embedder)
    beside = None
    if engine.vectors is not None:
        about = engine.vectors.manifest
        how = Making(
            Later(engine.vectors, engine.embedder), about.embedder, about.settings, about.precision, about.lookup
        )
        beside = _beside(how, store, progress)
    manifest = change_index(place, put=put, delete=delete, schema=schema, beside=beside, progress=progress)
    return compact_index(place, beside=beside, progress=progress) if compact else manifest


def _named(figures: PhraseFigures | None) -> dict[str, float]:
    if figures is None:
        return {}
    return {
        "frequency": figures.frequency,
        "idf": figures.idf,
        "length": float(figures.length),
        "length as kept": float(figures.kept_length),
        "mean length": figures.mean_length,
    }


def _beside(how: Making, store: VectorStore | None, progress: Progress | None) -> Beside:
    def make(folder: Path, texts: Iterable[str | None], before: Path | None) -> None:
        known = DocumentVectors(before / VECTORS) if before is not None and (before / VECTORS).is_dir() else None
        write_vectors(folder / VECTORS, texts, how, known, store, progress)

    return make
