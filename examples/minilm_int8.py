"""Write a second serving of all-MiniLM-L6-v2: the same weights in 8-bit integers, for `askance drift`.

    python examples/minilm_int8.py models/minilm-int8
    askance drift examples/drift.toml#fp32 examples/drift.toml#int8

The graph is the one that askance builds from the original weights, quantised by onnxruntime: weights per channel,
activations with a scale of their own at each call, so that askance embeds every text by itself.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from askance.core.files import write_whole
from askance.models.bert_graph import read_shape, sentence_encoder
from askance.models.minilm import find_weights
from askance.models.safetensors import parse_safetensors


def write_int8(folder: Path) -> None:
    """model.onnx, tokenizer.json and config.json in `folder`: what the embedder `folder` loads."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    original = find_weights().folder
    weights = original / "model.safetensors"
    graph = sentence_encoder(
        parse_safetensors(weights.read_bytes(), weights), read_shape(original / "config.json"), "mean", weights
    )
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        plain, small = Path(temporary, "fp32.onnx"), Path(temporary, "int8.onnx")
        plain.write_bytes(graph)
        quantize_dynamic(plain, small, weight_type=QuantType.QInt8, per_channel=True)
        write_whole(folder / "model.onnx", small.read_bytes())
    for name in ("tokenizer.json", "config.json"):
        shutil.copyfile(original / name, folder / name)


if __name__ == "__main__":
    write_int8(Path(sys.argv[1]))
