from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.models.conftest import CONFIG, HEADS, LAYERS, Weights, bert_forward, mean_of, safetensors, tiny_weights, unit

from askance.core.errors import FileProblem
from askance.models.bert_graph import Pooling, read_shape, sentence_encoder
from askance.models.safetensors import Tensor, parse_safetensors

WHERE = Path("model.safetensors")
IDS = np.array([[2, 5, 9, 4, 11, 3], [2, 7, 3, 0, 0, 0], [2, 3, 0, 0, 0, 0]])
MASK = (IDS != 0).astype(np.int64)


def graph(tmp_path: Path, tensors: dict[str, tuple[str, Tensor]], pooling: Pooling = "mean") -> bytes:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    return sentence_encoder(tensors, read_shape(tmp_path / "config.json"), pooling, WHERE)


def read(weights: Weights) -> dict[str, tuple[str, Tensor]]:
    return parse_safetensors(safetensors(weights), WHERE)


def run(model: bytes, ids: NDArray[np.int64] = IDS, mask: NDArray[np.int64] = MASK) -> NDArray[np.float32]:
    import onnxruntime

    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"input_ids": ids, "attention_mask": mask})[0])


def test_equals_the_oracle(tmp_path: Path) -> None:
    states = bert_forward(tiny_weights(), IDS, MASK, heads=HEADS, layers=LAYERS)
    tensors = read(tiny_weights())
    np.testing.assert_allclose(run(graph(tmp_path, tensors)), unit(mean_of(states, MASK)), atol=1e-6)
    np.testing.assert_allclose(run(graph(tmp_path, tensors, "cls")), unit(states[:, 0]), atol=1e-6)


def test_padding_changes_nothing(tmp_path: Path) -> None:
    model = graph(tmp_path, read(tiny_weights()))
    for row, kept in zip(IDS, MASK, strict=True):
        alone = row[None, : kept.sum()]
        np.testing.assert_allclose(run(model, alone, np.ones_like(alone)), run(model, row[None], kept[None]), atol=1e-6)


def test_a_text_of_nothing_but_padding_gives_no_nan(tmp_path: Path) -> None:
    out = run(graph(tmp_path, read(tiny_weights())), IDS, np.zeros_like(MASK))
    assert np.isfinite(out).all()


def test_standard_operators_of_opset_17_and_the_same_bytes_again(tmp_path: Path) -> None:
    import onnx

    first, again = (graph(tmp_path, read(tiny_weights())) for _ in range(2))
    assert first == again
    model = onnx.load_model_from_string(first)
    onnx.checker.check_model(model, full_check=True)
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 17)]
    assert {node.domain for node in model.graph.node} == {""}


def test_names_that_exporters_use(tmp_path: Path) -> None:
    old = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): array
        for name, array in tiny_weights().items()
    }
    assert graph(tmp_path, read(old)) == graph(tmp_path, read(tiny_weights()))


def test_half_precision_weights_are_computed_in_fp32(tmp_path: Path) -> None:
    halves = {name: array.astype(np.float16) for name, array in tiny_weights().items()}
    widened = {name: array.astype(np.float32) for name, array in halves.items()}
    made = graph(tmp_path, parse_safetensors(safetensors(halves), WHERE))
    assert made == graph(tmp_path, read(widened))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"embeddings.word_embeddings.weight": None}, "has 0 tensors named …embeddings.word_embeddings.weight"),
        ({"encoder.layer.1.output.dense.bias": None}, "lacks the tensor 'encoder.layer.1.output.dense.bias'"),
        ({"encoder.layer.0.output.LayerNorm.bias": np.zeros(3, np.float32)}, "float32 [3], not float 32"),
        ({"embeddings.LayerNorm.weight": np.zeros(32, np.int64)}, "int64 [32], not float 32"),
        ({"encoder.layer.0.intermediate.dense.weight": np.zeros((32, 48), np.float32)}, "not float 48 × 32"),
    ],
)
def test_weights_of_another_model_are_named(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    weights = {name: array for name, array in {**tiny_weights(), **change}.items() if array is not None}
    with pytest.raises(FileProblem) as told:
        graph(tmp_path, read(weights))
    assert problem in str(told.value)
    assert "model.safetensors" in str(told.value)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"model_type": "roberta"}, "model_type is 'roberta'"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type is 'relative_key'"),
        ({"num_attention_heads": 5}, "32 hidden units cannot be shared by 5 heads"),
        ({"num_hidden_layers": "many"}, "no configuration of a BERT model"),
        ({"hidden_size": 0}, "cannot be shared"),
    ],
)
def test_a_configuration_of_another_model_is_named(
    model_folder: Callable[..., Path], change: dict[str, Any], problem: str
) -> None:
    path = model_folder(**change) / "config.json"
    with pytest.raises(FileProblem, match=problem):
        read_shape(path)


def test_a_configuration_that_is_missing_or_torn(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        read_shape(tmp_path / "config.json")
    for torn in ("{", "[]", '{"model_type": "bert", "hidden_act": "gelu"}'):
        (tmp_path / "config.json").write_text(torn)
        with pytest.raises(FileProblem, match="no configuration of a BERT model"):
            read_shape(tmp_path / "config.json")
