"""Any local folder that holds a sentence encoder: model.onnx, or a BERT as model.safetensors, with tokenizer.json."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from askance.core.errors import BadInput, FileProblem, MissingExtra
from askance.core.files import sha256_of
from askance.models.bert_graph import REVISION, Pooling, read_shape, sentence_encoder
from askance.models.embedder import Embedder, ModelCard
from askance.models.ledger import Ledger
from askance.models.onnx_embedder import OnnxEmbedder, OnnxGraph, Prefixes, dimension_of, recipe
from askance.models.precision import precision_of
from askance.models.safetensors import parse_safetensors
from askance.models.tokens import INSTALL, TextTokenizer

_POOLINGS: dict[str, Pooling] = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
_HALVED = {"F16": "fp16", "BF16": "bf16"}
_RESERVING, _RESERVED = ("camembert", "mpnet", "roberta", "xlm-roberta"), 2
"""Models that count positions from 2: two of those in their table are never a token's."""


class Folder:
    """A model the user has on disk."""

    class Settings(BaseModel):
        """`pooling`, `max_tokens` None: as the folder itself says; pooling is else mean. `threads` 0: one per core."""

        model_config = ConfigDict(frozen=True, extra="forbid")

        path: Path
        name: str | None = None
        pooling: Pooling | None = None
        output: str | None = None
        max_tokens: int | None = Field(default=None, ge=4)
        query_prefix: str = ""
        document_prefix: str = ""
        threads: int = Field(default=0, ge=0)

    @classmethod
    def build(cls, settings: BaseModel, ledger: Ledger | None) -> Embedder:
        given = cls.Settings.model_validate(settings)
        folder = given.path.expanduser()
        if not folder.is_dir():
            raise FileProblem(folder, "is no folder", remedy="Name a folder with model.onnx or model.safetensors.")
        name = given.name or folder.resolve().name
        return load_folder(
            folder,
            name=name,
            source=f"folder {folder.resolve().name}",
            pooling=given.pooling,
            output=given.output,
            max_tokens=given.max_tokens,
            prefixes=Prefixes(given.query_prefix, given.document_prefix),
            threads=given.threads,
        )


@dataclass(frozen=True, slots=True)
class Weights:
    """A loaded graph and what the card says of it. `positions`: its longest input, None where it does not say."""

    graph: OnnxGraph
    sha256: str
    precision: str
    made: str
    positions: int | None


def load_folder(
    folder: Path,
    *,
    name: str,
    source: str,
    pooling: Pooling | None = None,
    output: str | None = None,
    max_tokens: int | None = None,
    prefixes: Prefixes = Prefixes(),  # noqa: B008 (frozen)
    threads: int = 0,
) -> OnnxEmbedder:
    """The embedder in `folder`; model.onnx goes before model.safetensors. BadInput where it cannot be used."""
    _refuse_further_layers(folder)
    pooling = pooling or _said_pooling(folder)
    weights = load_weights(folder, pooling, output, threads)
    longest = max_tokens or _said_max_tokens(folder) or weights.positions
    if longest is None:
        raise BadInput(
            f"{folder}: nothing says how many tokens the model reads", remedy="Give the setting `max_tokens`."
        )
    if weights.positions is not None and longest > weights.positions:
        raise BadInput(
            f"{folder}: max_tokens is {longest}, but the model has {weights.positions} positions",
            remedy=f"Give the setting `max_tokens` at most {weights.positions}.",
        )
    tokenizer = TextTokenizer(folder / "tokenizer.json", longest)
    card = ModelCard(
        name=name,
        weights=weights.sha256,
        precision=weights.precision,
        dimension=dimension_of(weights.graph, tokenizer),
        max_tokens=longest,
        source=source,
        symmetric=prefixes.query == prefixes.document,
        recipe=recipe(weights.graph, tokenizer, prefixes, weights.precision, weights.made),
    )
    return OnnxEmbedder(weights.graph, tokenizer, card, prefixes)


def load_weights(folder: Path, pooling: Pooling, output: str | None = None, threads: int = 0) -> Weights:
    """model.onnx as it is, else a graph built from model.safetensors."""
    exported, safetensors = folder / "model.onnx", folder / "model.safetensors"
    if exported.is_file():
        return _exported(exported, pooling, output, threads)
    if safetensors.is_file():
        return _built(safetensors, pooling, output, threads)
    raise FileProblem(
        folder, "has neither model.onnx nor model.safetensors", remedy="Put one there, with its tokenizer.json."
    )


def _built(path: Path, pooling: Pooling, output: str | None, threads: int) -> Weights:
    _require_onnx()
    raw = path.read_bytes()
    tensors = parse_safetensors(raw, path)
    shape = read_shape(path.with_name("config.json"))
    model = sentence_encoder(tensors, shape, pooling, path)
    stored = sorted({_HALVED[dtype] for dtype, _ in tensors.values() if dtype in _HALVED})
    precision = f"{', '.join(stored)} weights" if stored else "fp32"
    config = hashlib.sha256(repr(shape).encode()).hexdigest()[:16]
    made = f"{REVISION}, {pooling}, shape {config}"
    graph = OnnxGraph(model, pooling, output=output, threads=threads)
    return Weights(graph, hashlib.sha256(raw).hexdigest(), precision, made, shape.positions)


def _exported(path: Path, pooling: Pooling, output: str | None, threads: int) -> Weights:
    _require_onnx()
    import onnx

    raw = path.read_bytes()
    try:
        model = onnx.load_model_from_string(raw)
    except Exception as problem:  # protobuf's errors share no base class with onnx's
        raise FileProblem(path, f"is no ONNX model ({problem})") from problem
    beside = _files_beside(model, path)
    digest = hashlib.sha256(raw)
    for file in beside:
        digest.update(bytes.fromhex(sha256_of(file)))
    graph = OnnxGraph(str(path) if beside else raw, pooling, output=output, threads=threads)
    return Weights(graph, digest.hexdigest(), precision_of(model), path.name, _positions(path.parent))


def _files_beside(model: Any, path: Path) -> list[Path]:
    """Files that hold weights too large for the model file itself, sorted by name."""
    names = {
        entry.value for tensor in model.graph.initializer for entry in tensor.external_data if entry.key == "location"
    }
    files = [path.parent / name for name in sorted(names)]
    for file in files:
        if not file.is_file():
            raise FileProblem(file, f"is missing; {path.name} keeps weights in it", remedy="Fetch the whole folder.")
    return files


def _tree(path: Path) -> Any:
    """A JSON file of the folder; None where it is missing."""
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_bytes())
    except ValueError as problem:
        raise FileProblem(path, f"is not JSON ({problem})", remedy="Fetch the folder again.") from problem


def _positions(folder: Path) -> int | None:
    """The longest input of an exported model in tokens; None where config.json does not say."""
    config = _tree(folder / "config.json")
    longest = config.get("max_position_embeddings") if isinstance(config, dict) else None
    if not isinstance(longest, int):
        return None
    return longest - _RESERVED if config.get("model_type") in _RESERVING else longest


def _said_max_tokens(folder: Path) -> int | None:
    """What sentence-transformers would read. Not tokenizer.json: its saved cut is often another one."""
    said = _tree(folder / "sentence_bert_config.json")
    longest = said.get("max_seq_length") if isinstance(said, dict) else None
    return longest if isinstance(longest, int) and longest > 0 else None


def _said_pooling(folder: Path) -> Pooling:
    """How the folder says that tokens are pooled, mean where it says nothing; FileProblem where by neither way here."""
    path = folder / "1_Pooling" / "config.json"
    said = _tree(path)
    if said is None:
        return "mean"
    ways = sorted(key for key, value in said.items() if key.startswith("pooling_mode_") and value is True)
    if len(ways) != 1 or ways[0] not in _POOLINGS:
        raise FileProblem(
            path,
            f"pools by {', '.join(ways) or 'nothing'}; mean or cls can be done here",
            remedy="Give the setting `pooling`.",
        )
    return _POOLINGS[ways[0]]


def _refuse_further_layers(folder: Path) -> None:
    """sentence-transformers may put layers after the pooling; leaving them out would give other vectors."""
    path = folder / "modules.json"
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in _tree(path) or ()]
    further = [kind for kind in kinds if kind not in ("Transformer", "Pooling", "Normalize")]
    if further:
        raise FileProblem(
            path,
            f"the model has a further layer, {', '.join(further)}, which is not applied here",
            remedy="Export the whole model to ONNX with an output sentence_embedding, and leave modules.json out.",
        )


def _require_onnx() -> None:
    try:
        import onnx  # noqa: F401
    except ImportError:
        raise MissingExtra("a local embedding model", INSTALL) from None
