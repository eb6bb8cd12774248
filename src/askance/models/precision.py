"""In which precision an ONNX model computes, found from its graph and not from its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

DYNAMIC = "int8 dynamic"
"""Activations are quantised with one scale per batch: the vector of a text depends on its batch mates."""

_DYNAMIC_OPERATORS = frozenset(
    {
        "DynamicQuantizeLinear",
        "DynamicQuantizeLSTM",
        "DynamicQuantizeMatMul",
        "MatMulInteger",
        "MatMulIntegerToFloat",
        "ConvInteger",
        "QAttention",
    }
)
_STATIC_OPERATORS = frozenset({"QLinearMatMul", "QLinearConv", "QuantizeLinear", "QGemm"})


def precision_of(model: Any) -> str:
    """fp32, fp16, bf16, int8 dynamic, int8 static, int8 weights, 4-bit or 8-bit blocks, or unknown.

    `model`: an onnx.ModelProto. Operators decide first; where none tells, the type that holds most weights does.
    """
    nodes = list(_nodes(model.graph))
    operators = {node.op_type for node in nodes}
    if operators & _DYNAMIC_OPERATORS:
        return DYNAMIC
    if "MatMulNBits" in operators:
        return f"{_bits_of_blocks(nodes)}-bit blocks"
    if operators & _STATIC_OPERATORS:
        return "int8 static"
    return _heaviest_type(model.graph, nodes)


def _bits_of_blocks(nodes: list[Any]) -> int:
    """The smallest block size in bits that a MatMulNBits says; 4 where none does, as its definition has it."""
    blocks = [node for node in nodes if node.op_type == "MatMulNBits"]
    return min(
        (attribute.i for node in blocks for attribute in node.attribute if attribute.name == "bits"),
        default=4,
    )


def _nodes(graph: Any) -> Iterator[Any]:
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes(attribute.g)


def _heaviest_type(graph: Any, nodes: list[Any]) -> str:
    from onnx import TensorProto

    names = {
        TensorProto.FLOAT: "fp32",
        TensorProto.FLOAT16: "fp16",
        TensorProto.BFLOAT16: "bf16",
        TensorProto.DOUBLE: "fp64",
        TensorProto.INT8: "int8 weights",
        TensorProto.UINT8: "int8 weights",
    }
    constants = [attribute.t for node in nodes for attribute in node.attribute if attribute.HasField("t")]
    held: Counter[str] = Counter()
    for tensor in (*graph.initializer, *constants):
        size = 1
        for length in tensor.dims:
            size *= length
        held[names.get(tensor.data_type, "unknown")] += size
    del held["unknown"]
    return held.most_common(1)[0][0] if held else "unknown"
