from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, load, numpy_helper, save

from askance.models.precision import precision_of


def model(operators: Sequence[str], weights: dict[str, Any], **attributes: Any) -> Any:
    nodes = [helper.make_node(name, ["x"], ["x"], **attributes) for name in operators]
    initialisers = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    return helper.make_model(helper.make_graph(nodes, "g", [], [], initialisers))


FLOATS = {"w": np.zeros((8, 8), np.float32)}
BYTES = {"w": np.zeros((8, 8), np.int8), "scale": np.zeros(8, np.float32)}


@pytest.mark.parametrize(
    ("operators", "weights", "expected"),
    [
        (["MatMul"], FLOATS, "fp32"),
        (["MatMul"], {"w": np.zeros((8, 8), np.float16), "b": np.zeros(3, np.float32)}, "fp16"),
        (["Cast", "Mul", "MatMul"], BYTES, "int8 weights"),
        (["DynamicQuantizeLinear", "MatMulInteger"], BYTES, "int8 dynamic"),
        (["MatMulInteger"], FLOATS, "int8 dynamic"),
        (["QuantizeLinear", "DequantizeLinear", "MatMul"], BYTES, "int8 static"),
        (["DequantizeLinear", "MatMul"], BYTES, "int8 weights"),
        (["MatMul"], {}, "unknown"),
        (["MatMul"], {"shape": np.zeros(4, np.int64)}, "unknown"),
    ],
)
def test_found_from_the_graph(operators: list[str], weights: dict[str, Any], expected: str) -> None:
    assert precision_of(model(operators, weights)) == expected


def test_blocks_of_bits_and_constants_and_branches() -> None:
    assert precision_of(model(["MatMulNBits"], FLOATS, bits=8)) == "8-bit blocks"
    constant = helper.make_node("Constant", [], ["w"], value=numpy_helper.from_array(np.zeros(9, np.float16)))
    assert precision_of(helper.make_model(helper.make_graph([constant], "g", [], []))) == "fp16"
    inner = helper.make_graph([helper.make_node("MatMulInteger", ["a", "b"], ["c"])], "inner", [], [])
    branch = helper.make_node("If", ["x"], ["y"], then_branch=inner, else_branch=inner)
    assert precision_of(helper.make_model(helper.make_graph([branch], "g", [], []))) == "int8 dynamic"


def test_a_model_that_onnxruntime_quantised(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 8])],
        [numpy_helper.from_array(np.eye(8, dtype=np.float32), "w")],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "plain.onnx")
    quantize_dynamic(tmp_path / "plain.onnx", tmp_path / "int8.onnx", weight_type=QuantType.QInt8)
    assert precision_of(load(tmp_path / "plain.onnx")) == "fp32"
    assert precision_of(load(tmp_path / "int8.onnx")) == "int8 dynamic"
