"""A serving of a model: a run file it made, vectors it made, or the model itself, named in a study file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, DataProblem, UnknownName
from askance.core.places import cache_folder
from askance.core.progress import Progress
from askance.data.collection import Excluded
from askance.data.formats.loaded import read_run_file
from askance.data.ids import Ids
from askance.data.run import Run
from askance.engines.exact_vectors import nearest
from askance.measure.drift.found import ServingCard
from askance.models.ledger import Ledger
from askance.models.matrices import Matrices, read_matrices
from askance.models.registry import EMBEDDERS
from askance.models.vectors import VectorSet, VectorStore
from askance.study.file import read_study

DEPTH = 1_000
_UNIT_WITHIN = 1e-3


@dataclass(frozen=True, eq=False)
class Texts:
    """What models embed and vectors stand for. Without `query_ids` and `document_ids` nothing can be ranked."""

    queries: Sequence[str]
    documents: Sequence[str]
    query_ids: Ids | None = None
    document_ids: Ids | None = None
    excluded: Excluded | None = None

    def __len__(self) -> int:
        return len(self.queries) + len(self.documents)

    def names(self) -> list[str]:
        """What each text is, queries first: "query q1", "document d7", "text 3"."""
        if self.query_ids is None or self.document_ids is None:
            return [f"text {number + 1}" for number in range(len(self))]
        return [*(f"query {name}" for name in self.query_ids), *(f"document {name}" for name in self.document_ids)]


@dataclass(frozen=True, eq=False)
class Serving:
    """One side of a comparison. `rows`: vectors [texts, dimension], None where it has none; `run` likewise."""

    card: ServingCard
    run: Run | None
    rows: NDArray[np.floating] | None


def open_serving(name: str, texts: Texts | None, *, fresh: bool = False, progress: Progress | None = None) -> Serving:
    """STUDY.toml#MODEL embeds `texts`; a folder, .npy or .npz holds vectors; anything else is a run file.

    Vectors of `texts` that have identifiers are ranked, exactly. `fresh`: the model embeds anew, whatever is stored.
    """
    named = _named_model(name)
    if named is not None:
        return _model(name, *named, texts, fresh, progress)
    path = Path(name)
    if path.is_dir() or path.suffix in (".npy", ".npz"):
        return _stored(name, read_matrices(path), texts, progress)
    loaded = read_run_file(path)
    about = {"form": loaded.form, "tags": list(loaded.tags)}
    return Serving(ServingCard(loaded.run.name, "run", about, loaded.problems), loaded.run, None)


def only_domain(name: str) -> str | None:
    """STUDY.toml#DOMAIN for STUDY.toml#MODEL, where that study has one domain; None of anything else."""
    named = _named_model(name)
    if named is None:
        return None
    domains = list(read_study(named[0]).domains)
    return f"{named[0]}#{domains[0]}" if len(domains) == 1 else None


def _named_model(name: str) -> tuple[Path, str] | None:
    """The file and the model of STUDY.toml#MODEL; None where `name` is something else."""
    file, mark, model = name.partition("#")
    return (Path(file), model) if mark and file.endswith(".toml") else None


def check_apart(first: Serving, second: Serving, *, fresh: bool) -> None:
    """BadInput where both are one model served one way: its stored vectors would be compared with themselves."""
    prints = [one.card.about.get("fingerprint") for one in (first, second)]
    if prints[0] is not None and prints[0] == prints[1] and not fresh:
        raise BadInput(
            f"{first.card.name} and {second.card.name} are one model served one way (fingerprint {prints[0]}): what is "
            "stored of the one would be compared with itself",
            remedy="To see whether it answers twice alike, have both embed anew: --fresh.",
        )


def _model(name: str, file: Path, model: str, texts: Texts | None, fresh: bool, progress: Progress | None) -> Serving:
    study = read_study(file)
    if model not in study.models:
        raise UnknownName("model", model, study.models, where=str(file))
    if texts is None:
        raise BadInput(
            f"nothing says what {name} is to embed", remedy="Name a collection (--collection) or texts (--texts)."
        )
    entry = study.models[model]
    kind = EMBEDDERS.get(entry.embedder)
    # what a ledger keeps answers equal calls: a fresh one has nothing to answer with
    ledger_path = ":memory:" if fresh else cache_folder("drift.sqlite")
    with tempfile.TemporaryDirectory(prefix="askance-drift-") as temporary, Ledger(ledger_path) as ledger:
        embedder = kind.build(kind.Settings.model_validate(entry.settings), ledger)
        store = VectorStore(Path(temporary) if fresh else cache_folder("vectors"))
        found = store.open(embedder, texts.queries, texts.documents, progress)
        rows = np.asarray(found.unique[np.concatenate([found.query_rows, found.document_rows])])
        run = _ranked(model, found, texts, progress)
    card = ServingCard(model, "model", {**asdict(embedder.card), "fingerprint": embedder.card.fingerprint})
    return Serving(card, run, rows)


def _stored(name: str, found: Matrices, texts: Texts | None, progress: Progress | None) -> Serving:
    about: dict[str, object] = {"rows": len(found.rows), "dimension": found.rows.shape[1]}
    if found.made_by:
        about["made_by"] = found.made_by
    card = ServingCard(Path(name).name, "vectors", about)
    if texts is None or texts.query_ids is None:
        return Serving(card, None, found.rows)
    if len(found.rows) != len(texts) or found.queries not in (None, len(texts.queries)):
        raise DataProblem(
            f"{name} holds {len(found.rows)} vectors"
            + (f", {found.queries} of queries" if found.queries is not None else "")
            + f"; the collection has {len(texts.queries)} queries and {len(texts.documents)} documents",
            remedy="Store one vector for each query, then for each document, in the collection's order.",
        )
    queries = len(texts.queries)
    unique, where = np.unique(_unit(found.rows), axis=0, return_inverse=True)
    where = where.reshape(-1)
    vectors = VectorSet(unique, where[:queries], where[queries:])
    return Serving(card, _ranked(card.name, vectors, texts, progress), found.rows)


def _unit(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows of unit length; those that are so already stay as they are, to the last bit."""
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    off = (np.abs(lengths - 1.0) > _UNIT_WITHIN) & (lengths > 0)
    return np.asarray(np.divide(rows, np.where(off, lengths, 1.0)), dtype=np.float32)


def _ranked(name: str, vectors: VectorSet, texts: Texts, progress: Progress | None) -> Run | None:
    """Exact lists by cosine, as every dense run has them; None where the texts have no identifiers."""
    if texts.query_ids is None or texts.document_ids is None:
        return None
    depth = min(DEPTH, len(texts.documents))
    found = nearest(vectors.unique, vectors.query_rows, vectors.document_rows, depth, texts.excluded, progress)
    return Run(name, texts.query_ids, texts.document_ids, found.offsets, found.document, found.score)
