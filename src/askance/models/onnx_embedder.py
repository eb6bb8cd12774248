"""Runs a sentence encoder that is an ONNX graph: texts to unit vectors on this machine's processor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import BadInput, MissingExtra, ModelFailed
from askance.models.bert_graph import Pooling
from askance.models.embedder import Kind, ModelCard, Vectors
from askance.models.precision import DYNAMIC
from askance.models.tokens import INSTALL, TextTokenizer, Tokens

_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_SENTENCE_OUTPUTS = ("sentence_embedding", "sentence_embeddings", "embeddings")
_TOKEN_OUTPUTS = ("last_hidden_state", "token_embeddings")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What is put before each text: models such as E5 and BGE are trained with it."""

    query: str = ""
    document: str = ""

    def put(self, texts: Sequence[str], kind: Kind) -> list[str]:
        prefix = self.query if kind == "query" else self.document
        return [prefix + text for text in texts]


class OnnxGraph:
    """A loaded graph: which inputs it takes, which output is read and how that is pooled.

    `model`: the serialised model, or the path of one whose weights lie in files beside it. `output` None: a sentence
    embedding where the graph has one, else its token embeddings. `threads` 0: one per core.
    """

    def __init__(self, model: bytes | str, pooling: Pooling, *, output: str | None = None, threads: int = 0) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtra("a local embedding model", INSTALL) from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3  # errors only: warnings speak of devices that are not asked for
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as problem:  # onnxruntime's errors share no base class
            raise BadInput(
                f"onnxruntime cannot load the model: {problem}", remedy="Check the file, or export it again."
            ) from problem
        self._inputs = tuple(node.name for node in self._session.get_inputs())
        unknown = sorted(set(self._inputs) - _KNOWN_INPUTS)
        if unknown or "input_ids" not in self._inputs:
            raise BadInput(
                f"the model's inputs are {', '.join(self._inputs)}; expected input_ids, attention_mask and, if any, "
                "token_type_ids",
                remedy="Export it as a sentence encoder.",
            )
        self.pooling: Pooling = pooling
        self.output, self.pooled = _choose({node.name: node.shape for node in self._session.get_outputs()}, output)

    def run(self, tokens: Tokens) -> Vectors:
        """Unit vectors of one batch, float32 [texts, dimension]."""
        given = {"input_ids": tokens.ids, "attention_mask": tokens.mask, "token_type_ids": tokens.types}
        try:
            (out,) = self._session.run([self.output], {name: given[name] for name in self._inputs})
        except Exception as problem:  # onnxruntime's errors share no base class
            raise ModelFailed(
                f"onnxruntime failed on a batch of {tokens.ids.shape[0]} texts, {tokens.ids.shape[1]} tokens each: "
                f"{problem}"
            ) from problem
        out = np.asarray(out, dtype=np.float32)
        return _unit(out if self.pooled else _pool(out, tokens.mask, self.pooling))


class OnnxEmbedder:
    """A graph with its tokenizer, as an embedder."""

    def __init__(self, graph: OnnxGraph, tokenizer: TextTokenizer, card: ModelCard, prefixes: Prefixes) -> None:
        self.card = card
        self._graph, self._tokenizer, self._prefixes = graph, tokenizer, prefixes
        self._alone = card.precision == DYNAMIC

    def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Unit vectors, float32 [texts, dimension]; each text by itself where batch mates would change its vector."""
        if not texts:
            return np.empty((0, self.card.dimension), dtype=np.float32)
        full = self._prefixes.put(texts, kind)
        batches = [[text] for text in full] if self._alone else [full]
        vectors = [self._graph.run(self._tokenizer.encode(batch)) for batch in batches]
        return np.concatenate(vectors) if self._alone else vectors[0]

    def token_counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Tokens of each text before the cut, as a document: with its prefix and the special tokens [texts]."""
        return self._tokenizer.counts(self._prefixes.put(texts, "document"))


def dimension_of(graph: OnnxGraph, tokenizer: TextTokenizer) -> int:
    """The length of its vectors, by embedding one word: a graph need not declare it."""
    return int(graph.run(tokenizer.encode(["word"])).shape[1])


def recipe(graph: OnnxGraph, tokenizer: TextTokenizer, prefixes: Prefixes, precision: str, made: str) -> str:
    """All that changes the vectors besides the weights. `made`: where the graph came from."""
    pooled = f"output {graph.output}" if graph.pooled else f"{graph.pooling} of {graph.output}"
    said = [made, pooled, f"tokenizer {tokenizer.sha256}"]
    if prefixes != Prefixes():
        said.append(f"prefixes {prefixes.query!r}, {prefixes.document!r}")
    if precision == DYNAMIC:
        said.append("each text by itself")
    return "; ".join(said)


def _choose(outputs: dict[str, Any], wanted: str | None) -> tuple[str, bool]:
    """Which output is read, and whether it is one vector per text already."""
    ranks = {name: len(shape) for name, shape in outputs.items()}
    if wanted is None:
        fitting = [name for name in _SENTENCE_OUTPUTS if ranks.get(name) == 2]
        fitting += [name for name in _TOKEN_OUTPUTS if ranks.get(name) == 3]
        fitting += [name for name, rank in ranks.items() if rank == 3]
        wanted = fitting[0] if fitting else None
    if wanted is None or ranks.get(wanted) not in (2, 3):
        listed = ", ".join(f"{name} {list(shape)}" for name, shape in outputs.items())
        missing = f"output {wanted!r} of vectors" if wanted else "output of vectors"
        raise BadInput(f"the model has no {missing}; it has {listed}", remedy="Name one with the setting `output`.")
    return wanted, ranks[wanted] == 2


def _pool(states: Vectors, mask: NDArray[np.int64], pooling: Pooling) -> Vectors:
    if pooling == "cls":
        return states[:, 0]
    weights = mask.astype(np.float32)[:, :, None]
    mean: Vectors = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), np.float32(1e-9))
    return mean


def _unit(vectors: Vectors) -> Vectors:
    """Rows divided by their length. A row of length 0 stays 0: whoever checks unit length will name its text."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.ascontiguousarray(vectors / np.maximum(norms, np.float32(1e-12)), dtype=np.float32)
