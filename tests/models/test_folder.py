from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import ValidationError
from tests.models.conftest import HEADS, LAYERS, VOCABULARY, bert_forward, mean_of, safetensors, tiny_weights, unit

from askance.core.errors import AskanceError, BadInput, FileProblem
from askance.models.bert_graph import read_shape, sentence_encoder
from askance.models.embedder import Embedder
from askance.models.folder import Folder
from askance.models.safetensors import parse_safetensors

TEXTS = ["a b c", "", "h e l l o w o r l d", "z"]

Make = Callable[..., Path]


def build(folder: Path, **settings: Any) -> Embedder:
    return Folder.build(Folder.Settings(path=folder, **settings), None)


def oracle(texts: Sequence[str], pooling: str = "mean", cut: int = 40) -> NDArray[np.float64]:
    """Letter by letter, each text alone."""
    rows = []
    for text in texts:
        ids = [2, *(VOCABULARY.index(letter) for letter in text.split()[: cut - 2]), 3]
        mask = np.ones((1, len(ids)), dtype=np.int64)
        states = bert_forward(tiny_weights(), np.array([ids]), mask, heads=HEADS, layers=LAYERS)
        rows.append(states[0, 0] if pooling == "cls" else mean_of(states, mask)[0])
    return unit(np.array(rows))


def export(folder: Path, *, types: bool = False, pooled: bool = False) -> None:
    """Replace the safetensors by a model.onnx that gives token states, as most exporters do."""
    import onnx
    from onnx import TensorProto, helper

    weights = folder / "model.safetensors"
    raw = sentence_encoder(
        parse_safetensors(weights.read_bytes(), weights), read_shape(folder / "config.json"), "mean", weights
    )
    model = onnx.load_model_from_string(raw)
    if not pooled:
        last = [node for node in model.graph.node if node.op_type == "LayerNormalization"][-1]
        states = helper.make_node("Identity", [last.output[0]], ["last_hidden_state"])
        model.graph.node.append(states)
        shape = ["batch", "length", 32]
        model.graph.output[0].CopyFrom(helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, shape))
    if types:
        like = helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["batch", "length"])
        model.graph.input.append(like)
    onnx.save(model, folder / "model.onnx")
    weights.unlink()


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_safetensors_equal_the_oracle(model_folder: Make, pooling: str) -> None:
    embedder = build(model_folder(), pooling=pooling)
    vectors = embedder.embed(TEXTS, "document")
    assert vectors.dtype == np.float32
    assert vectors.flags.c_contiguous
    np.testing.assert_allclose(vectors, oracle(TEXTS, pooling), atol=1e-6)
    assert embedder.embed([], "query").shape == (0, 32)


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("types", [False, True])
def test_an_exported_graph_equals_the_oracle(model_folder: Make, pooling: str, types: bool) -> None:
    folder = model_folder()
    export(folder, types=types)
    embedder = build(folder, pooling=pooling)
    np.testing.assert_allclose(embedder.embed(TEXTS, "document"), oracle(TEXTS, pooling), atol=1e-6)
    assert embedder.card.weights == hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    assert embedder.card.precision == "fp32"
    assert f"{pooling} of last_hidden_state" in embedder.card.recipe


def test_an_exported_graph_that_pools_by_itself(model_folder: Make) -> None:
    folder = model_folder()
    export(folder, pooled=True)
    embedder = build(folder)
    np.testing.assert_allclose(embedder.embed(TEXTS, "document"), oracle(TEXTS), atol=1e-6)
    assert "output sentence_embedding" in embedder.card.recipe


def test_weights_in_a_file_beside_the_graph(model_folder: Make) -> None:
    import onnx

    folder = model_folder()
    export(folder)
    plain = build(folder)
    model = onnx.load(folder / "model.onnx")
    onnx.save(model, folder / "model.onnx", save_as_external_data=True, location="weights.bin", size_threshold=512)
    apart = build(folder)
    np.testing.assert_array_equal(apart.embed(TEXTS, "document"), plain.embed(TEXTS, "document"))
    assert apart.card.precision == "fp32"
    raw = bytearray((folder / "weights.bin").read_bytes())
    raw[-1] ^= 1
    (folder / "weights.bin").write_bytes(bytes(raw))
    assert build(folder).card.weights != apart.card.weights
    (folder / "weights.bin").unlink()
    with pytest.raises(FileProblem, match=r"weights\.bin: is missing"):
        build(folder)


def test_the_card_says_what_changes_the_vectors(model_folder: Make) -> None:
    folder = model_folder()
    card = build(folder).card
    assert (card.name, card.precision, card.dimension, card.max_tokens) == ("tiny", "fp32", 32, 40)
    assert card.weights == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert card.symmetric
    assert str(folder) not in repr(card)
    others = [
        build(folder, pooling="cls"),
        build(folder, max_tokens=20),
        build(folder, query_prefix="q ", document_prefix="q "),
        build(folder, query_prefix="q "),
    ]
    prints = [card.fingerprint, *(other.card.fingerprint for other in others)]
    assert len(set(prints)) == len(prints)
    assert build(folder, threads=1).card == card
    assert not others[3].card.symmetric
    assert others[2].card.symmetric
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"] |= {"a": 5, "b": 4}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    assert build(folder).card.fingerprint != card.fingerprint


def test_prefixes_are_put_before_the_text(model_folder: Make) -> None:
    folder = model_folder()
    plain, prefixed = build(folder), build(folder, query_prefix="q u ", document_prefix="d ")
    np.testing.assert_array_equal(prefixed.embed(["a"], "query"), plain.embed(["q u a"], "query"))
    np.testing.assert_array_equal(prefixed.embed(["a"], "document"), plain.embed(["d a"], "document"))
    counts = prefixed.token_counts(["a", ""])
    assert counts is not None
    assert counts.tolist() == [4, 3]


def test_the_cut(model_folder: Make) -> None:
    folder, long = model_folder(), "a b c d " * 30
    embedder = build(folder, max_tokens=10)
    np.testing.assert_allclose(embedder.embed([long], "document"), oracle([long], cut=10), atol=1e-6)
    counts = embedder.token_counts([long, "a"])
    assert counts is not None
    assert counts.tolist() == [122, 3]
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    assert build(folder).card.max_tokens == 16
    with pytest.raises(BadInput, match="max_tokens is 41, but the model has 40 positions"):
        build(folder, max_tokens=41)


def test_the_folder_says_how_it_pools(model_folder: Make) -> None:
    folder = model_folder()
    (folder / "1_Pooling").mkdir()
    said = folder / "1_Pooling" / "config.json"
    said.write_text('{"word_embedding_dimension": 32, "pooling_mode_cls_token": true}')
    np.testing.assert_allclose(build(folder).embed(TEXTS, "query"), oracle(TEXTS, "cls"), atol=1e-6)
    np.testing.assert_allclose(build(folder, pooling="mean").embed(TEXTS, "query"), oracle(TEXTS), atol=1e-6)
    said.write_text('{"pooling_mode_max_tokens": true}')
    with pytest.raises(FileProblem, match="pools by pooling_mode_max_tokens"):
        build(folder)


def test_a_further_layer_is_refused(model_folder: Make) -> None:
    folder = model_folder()
    kinds = ["Transformer", "Pooling", "Normalize"]
    modules = [{"type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    (folder / "modules.json").write_text(json.dumps(modules))
    build(folder)
    (folder / "modules.json").write_text(json.dumps([*modules, {"type": "sentence_transformers.models.Dense"}]))
    with pytest.raises(FileProblem, match="a further layer, Dense"):
        build(folder)


def test_dynamic_int8_embeds_each_text_by_itself(model_folder: Make) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    folder = model_folder()
    export(folder)
    plain = build(folder)
    quantize_dynamic(  # 7 bits: with 8, sums of products overflow where the processor has no VNNI
        folder / "model.onnx", folder / "int8.onnx", weight_type=QuantType.QInt8, per_channel=True, reduce_range=True
    )
    (folder / "int8.onnx").replace(folder / "model.onnx")
    embedder = build(folder)
    assert embedder.card.precision == "int8 dynamic"
    assert "each text by itself" in embedder.card.recipe
    together = embedder.embed(TEXTS, "document")
    alone = np.concatenate([embedder.embed([text], "document") for text in TEXTS])
    np.testing.assert_array_equal(together, alone)
    cosines = (together * plain.embed(TEXTS, "document")).sum(axis=1)
    assert (cosines > 0.9).all()
    assert (cosines < 1 - 1e-6).any()


def test_halves_are_named(model_folder: Make) -> None:
    folder = model_folder()
    halves = {name: array.astype(np.float16) for name, array in tiny_weights().items()}
    (folder / "model.safetensors").write_bytes(safetensors(halves))
    assert build(folder).card.precision == "fp16 weights"


def test_positions_that_some_models_reserve(model_folder: Make) -> None:
    folder = model_folder()
    export(folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "xlm-roberta"}))
    assert build(folder).card.max_tokens == 38
    (folder / "config.json").unlink()
    with pytest.raises(BadInput, match="nothing says how many tokens"):
        build(folder)
    assert build(folder, max_tokens=12).card.max_tokens == 12


def _cut_short(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda folder: (folder / "model.safetensors").unlink(), "neither model.onnx nor model.safetensors"),
        (lambda folder: (folder / "config.json").unlink(), "config.json: cannot be read"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer.json: cannot be read"),
        (lambda folder: _cut_short(folder, "model.safetensors"), "announces a header"),
        (lambda folder: _cut_short(folder, "tokenizer.json"), "is no tokenizer"),
        (lambda folder: (folder / "model.onnx").write_bytes(b"\xff no model"), "is no ONNX model"),
        (lambda folder: (folder / "model.onnx").write_bytes(b""), "cannot load the model"),
        (lambda folder: (folder / "modules.json").write_text("["), "modules.json: is not JSON"),
    ],
)
def test_a_spoiled_folder_is_named(model_folder: Make, spoil: Callable[[Path], object], problem: str) -> None:
    folder = model_folder()
    spoil(folder)
    with pytest.raises(AskanceError, match=problem):
        build(folder)


def test_outputs_and_inputs_that_cannot_be_used(model_folder: Make) -> None:
    import onnx

    folder = model_folder()
    export(folder)
    with pytest.raises(BadInput, match="has no output 'logits' of vectors; it has last_hidden_state"):
        build(folder, output="logits")
    model = onnx.load(folder / "model.onnx")
    model.graph.input[1].name = "mask"
    for node in model.graph.node:
        node.input[:] = ["mask" if name == "attention_mask" else name for name in node.input]
    onnx.save(model, folder / "model.onnx")
    with pytest.raises(BadInput, match="inputs are input_ids, mask"):
        build(folder)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="is no folder"):
        build(tmp_path / "nowhere")
    with pytest.raises(ValidationError):
        Folder.Settings.model_validate({"path": tmp_path, "poling": "cls"})
