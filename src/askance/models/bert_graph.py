"""A BERT sentence encoder as an ONNX graph of standard operators, built from its weights.

Input: input_ids, attention_mask, int64 [batch, length]. Output: sentence_embedding, float32 [batch, hidden], unit
length. Architecture: Devlin et al. 2019 (post-norm encoder, learned absolute positions, GELU by erf), pooled as in
Reimers and Gurevych 2019. Token types are taken as 0 throughout: one text, no pairs.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import FileProblem
from askance.models.safetensors import Tensor

Pooling = Literal["mean", "cls"]

REVISION = "bert-graph 1"
"""Changes whenever the graph would give other vectors from the same weights."""

_OPSET = 17
_IR_VERSION = 8
_MASKED = -1e9
"""Added to the scores of padding: finite, so that a text of nothing but padding gives no NaN."""


@dataclass(frozen=True, slots=True)
class BertShape:
    """What config.json says and the weights do not. `positions`: the longest input in tokens."""

    layers: int
    heads: int
    hidden: int
    intermediate: int
    positions: int
    epsilon: float


def read_shape(path: Path) -> BertShape:
    """The shape of the encoder that config.json at `path` describes; FileProblem where the graph cannot be that one."""
    try:
        config = json.loads(path.read_bytes())
        wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
        for key, value in wanted.items():
            found = config.get(key, value if key == "position_embedding_type" else None)
            if found != value:
                raise FileProblem(
                    path,
                    f"{key} is {found!r}; a graph is built for {value!r} only",
                    remedy="Export the model to ONNX and put model.onnx into the folder.",
                )
        shape = BertShape(
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            hidden=int(config["hidden_size"]),
            intermediate=int(config["intermediate_size"]),
            positions=int(config["max_position_embeddings"]),
            epsilon=float(config["layer_norm_eps"]),
        )
    except OSError as problem:
        raise FileProblem(
            path, f"cannot be read ({problem.strerror})", remedy="It belongs beside the weights."
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FileProblem(path, f"is no configuration of a BERT model ({problem!r})") from problem
    if (
        min(shape.layers, shape.heads, shape.hidden, shape.intermediate, shape.positions) < 1
        or shape.hidden % shape.heads
    ):
        raise FileProblem(path, f"{shape.hidden} hidden units cannot be shared by {shape.heads} heads")
    return shape


def sentence_encoder(
    tensors: Mapping[str, tuple[str, Tensor]], shape: BertShape, pooling: Pooling, path: Path
) -> bytes:
    """The graph as a serialised ONNX model; the same weights give the same bytes.

    FileProblem, naming the weight file `path`, where a tensor is missing or has another shape.
    """
    return _Builder(_Weights(tensors, path), shape).model(pooling)


class _Weights:
    """Named float32 weights, whatever prefix the exporter gave them."""

    _ANCHOR = "embeddings.word_embeddings.weight"
    _OLD_NAMES = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}

    def __init__(self, tensors: Mapping[str, tuple[str, Tensor]], path: Path) -> None:
        self._tensors, self._path = tensors, path
        anchors = [name for name in tensors if name.endswith(self._ANCHOR)]
        if len(anchors) != 1:
            raise FileProblem(path, f"has {len(anchors)} tensors named …{self._ANCHOR}; a BERT encoder has one")
        self._prefix = anchors[0].removesuffix(self._ANCHOR)

    def get(self, name: str, *shape: int | None) -> NDArray[np.float32]:
        """The weight `name`, checked against `shape` (None: any length)."""
        full = self._prefix + name
        if full not in self._tensors:
            for new, old in self._OLD_NAMES.items():
                full = full.removesuffix(new) + old if full.endswith(new) else full
        if full not in self._tensors:
            raise FileProblem(self._path, f"lacks the tensor {self._prefix + name!r} of a BERT encoder")
        array = self._tensors[full][1]
        fits = len(array.shape) == len(shape) and all(
            want is None or want == found for want, found in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype.kind != "f":
            wanted = " × ".join("any" if length is None else str(length) for length in shape)
            raise FileProblem(self._path, f"tensor {full!r} is {array.dtype} {list(array.shape)}, not float {wanted}")
        return array.astype(np.float32)


class _Builder:
    """Collects nodes and weights; every method returns the name of the value it made."""

    def __init__(self, weights: _Weights, shape: BertShape) -> None:
        self._weights, self._shape = weights, shape
        self._nodes: list[Any] = []
        self._initialisers: list[Any] = []
        self._size = 0

    def model(self, pooling: Pooling) -> bytes:
        from onnx import TensorProto, helper

        mask = self._node("Cast", "attention_mask", to=TensorProto.FLOAT)
        padding = self._node("Sub", self._constant("one", np.float32(1.0)), mask)
        penalty = self._node("Mul", padding, self._constant("masked", np.float32(_MASKED)))
        penalty = self._node("Unsqueeze", penalty, self._constant("head_and_query_axes", np.array([1, 2])))
        states = self._embeddings()
        for number in range(self._shape.layers):
            states = self._layer(states, penalty, f"encoder.layer.{number}.")
        pooled = self._first(states) if pooling == "cls" else self._mean(states, mask)
        self._unit(pooled, "sentence_embedding")
        sides = ["batch", "length"]
        graph = helper.make_graph(
            self._nodes,
            "bert_sentence_encoder",
            [helper.make_tensor_value_info(name, TensorProto.INT64, sides) for name in ("input_ids", "attention_mask")],
            [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", self._shape.hidden])],
            self._initialisers,
        )
        model = helper.make_model(
            graph, producer_name="askance", ir_version=_IR_VERSION, opset_imports=[helper.make_opsetid("", _OPSET)]
        )
        made: bytes = model.SerializeToString(deterministic=True)
        return made

    def _node(self, operator: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        from onnx import helper

        name = out or f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def _constant(self, name: str, value: NDArray[Any] | np.generic) -> str:
        from onnx import numpy_helper

        if all(known.name != name for known in self._initialisers):
            self._initialisers.append(numpy_helper.from_array(np.ascontiguousarray(value).reshape(value.shape), name))
        return name

    def _embeddings(self) -> str:
        """LayerNorm(word + position + type 0)."""
        hidden, place = self._shape.hidden, "embeddings."
        words = self._weights.get(place + "word_embeddings.weight", None, hidden)
        positions = self._weights.get(place + "position_embeddings.weight", self._shape.positions, hidden)
        types = self._weights.get(place + "token_type_embeddings.weight", None, hidden)
        length = self._node("Shape", "input_ids", start=1, end=2)
        start, axis = self._constant("zero", np.array([0])), self._constant("first_axis", np.array([0]))
        position = self._node("Slice", self._constant("positions", positions + types[0]), start, length, axis)
        word = self._node("Gather", self._constant("words", words), "input_ids")
        return self._norm(self._node("Add", word, position), place)

    def _layer(self, states: str, penalty: str, place: str) -> str:
        hidden, wide = self._shape.hidden, self._shape.intermediate
        attended = self._dense(
            self._attention(states, penalty, place), place + "attention.output.dense", hidden, hidden
        )
        states = self._norm(self._node("Add", attended, states), place + "attention.output.")
        raised = self._gelu(self._dense(states, place + "intermediate.dense", hidden, wide))
        lowered = self._dense(raised, place + "output.dense", wide, hidden)
        return self._norm(self._node("Add", lowered, states), place + "output.")

    def _attention(self, states: str, penalty: str, place: str) -> str:
        """softmax(Q Kᵀ / √size + penalty) V, the heads side by side [batch, length, hidden]."""
        hidden, heads = self._shape.hidden, self._shape.heads
        size = hidden // heads
        split = self._constant("split_heads", np.array([0, 0, heads, size]))
        parts = {
            part: self._node("Reshape", self._dense(states, f"{place}attention.self.{part}", hidden, hidden), split)
            for part in ("query", "key", "value")
        }
        queries = self._node("Transpose", parts["query"], perm=[0, 2, 1, 3])
        keys = self._node("Transpose", parts["key"], perm=[0, 2, 3, 1])
        values = self._node("Transpose", parts["value"], perm=[0, 2, 1, 3])
        scale = self._constant("scale", np.float32(1.0 / math.sqrt(size)))
        scores = self._node("Mul", self._node("MatMul", queries, keys), scale)
        weights = self._node("Softmax", self._node("Add", scores, penalty), axis=-1)
        mixed = self._node("Transpose", self._node("MatMul", weights, values), perm=[0, 2, 1, 3])
        return self._node("Reshape", mixed, self._constant("join_heads", np.array([0, 0, hidden])))

    def _dense(self, states: str, place: str, inputs: int, outputs: int) -> str:
        """states Wᵀ + b, W [outputs, inputs]."""
        weight, bias = (
            self._weights.get(place + ".weight", outputs, inputs),
            self._weights.get(place + ".bias", outputs),
        )
        product = self._node("MatMul", states, self._constant(place + ".weight", weight.T))
        return self._node("Add", product, self._constant(place + ".bias", bias))

    def _norm(self, states: str, place: str) -> str:
        hidden, place = self._shape.hidden, place + "LayerNorm."
        weight, bias = (
            self._constant(place + part, self._weights.get(place + part, hidden)) for part in ("weight", "bias")
        )
        return self._node("LayerNormalization", states, weight, bias, axis=-1, epsilon=self._shape.epsilon)

    def _gelu(self, states: str) -> str:
        """x / 2 · (1 + erf(x / √2))."""
        erf = self._node("Erf", self._node("Div", states, self._constant("root_two", np.float32(math.sqrt(2.0)))))
        raised = self._node("Add", erf, self._constant("one", np.float32(1.0)))
        return self._node("Mul", self._node("Mul", states, raised), self._constant("half", np.float32(0.5)))

    def _first(self, states: str) -> str:
        return self._node("Gather", states, self._constant("first", np.array(0)), axis=1)

    def _mean(self, states: str, mask: str) -> str:
        """The mean over tokens that are not padding."""
        length, last = self._constant("length_axis", np.array([1])), self._constant("last_axis", np.array([-1]))
        kept = self._node("Mul", states, self._node("Unsqueeze", mask, last))
        total = self._node("ReduceSum", kept, length, keepdims=0)
        count = self._node("ReduceSum", mask, length, keepdims=1)
        return self._node("Div", total, self._node("Max", count, self._constant("least_count", np.float32(1e-9))))

    def _unit(self, pooled: str, out: str) -> None:
        norm = self._node("ReduceL2", pooled, axes=[1], keepdims=1)
        least = self._constant("least_norm", np.float32(1e-12))
        self._node("Div", pooled, self._node("Max", norm, least), out=out)
