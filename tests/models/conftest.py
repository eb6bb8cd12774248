"""A tiny BERT of the tests' own: two layers, random weights, letters as tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

HIDDEN, LAYERS, HEADS, WIDE, POSITIONS = 32, 2, 4, 48, 40
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS]

Weights = dict[str, NDArray[np.float32]]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "hidden_size": HIDDEN,
    "intermediate_size": WIDE,
    "max_position_embeddings": POSITIONS,
    "layer_norm_eps": 1e-12,
}


def safetensors(tensors: Mapping[str, NDArray[Any]], dtypes: Mapping[str, str] | None = None) -> bytes:
    """Bytes of a safetensors file, by its published description."""
    names = {"float32": "F32", "float16": "F16", "float64": "F64", "int64": "I64", "int8": "I8", "bool": "BOOL"}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in tensors.items():
        dtype = (dtypes or {}).get(name) or names[array.dtype.name]
        header[name] = {
            "dtype": dtype,
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + array.nbytes],
        }
        body += array.tobytes()
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def tiny_weights(seed: int = 7) -> Weights:
    draw = np.random.default_rng(seed)

    def some(*shape: int, scale: float = 0.3, centre: float = 0.0) -> NDArray[np.float32]:
        return (centre + scale * draw.standard_normal(shape)).astype(np.float32)

    weights: Weights = {
        "embeddings.word_embeddings.weight": some(len(VOCABULARY), HIDDEN),
        "embeddings.position_embeddings.weight": some(POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": some(2, HIDDEN),
        "embeddings.LayerNorm.weight": some(HIDDEN, centre=1.0),
        "embeddings.LayerNorm.bias": some(HIDDEN),
    }
    for layer in range(LAYERS):
        place = f"encoder.layer.{layer}."
        for part, (out, into) in {
            "attention.self.query": (HIDDEN, HIDDEN),
            "attention.self.key": (HIDDEN, HIDDEN),
            "attention.self.value": (HIDDEN, HIDDEN),
            "attention.output.dense": (HIDDEN, HIDDEN),
            "intermediate.dense": (WIDE, HIDDEN),
            "output.dense": (HIDDEN, WIDE),
        }.items():
            weights[f"{place}{part}.weight"] = some(out, into)
            weights[f"{place}{part}.bias"] = some(out)
        for part in ("attention.output", "output"):
            weights[f"{place}{part}.LayerNorm.weight"] = some(HIDDEN, centre=1.0)
            weights[f"{place}{part}.LayerNorm.bias"] = some(HIDDEN)
    return weights


def bert_forward(
    weights: Mapping[str, NDArray[np.float32]],
    ids: NDArray[np.int64],
    mask: NDArray[np.int64],
    *,
    heads: int,
    layers: int,
    epsilon: float = 1e-12,
) -> NDArray[np.float64]:
    """The oracle: BERT written down anew in numpy float64, token states [batch, length, hidden]."""
    from scipy.special import erf

    w = {name: array.astype(np.float64) for name, array in weights.items() if array.dtype.kind == "f"}

    def norm(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
        out: NDArray[np.float64] = scaled * w[f"{name}.LayerNorm.weight"] + w[f"{name}.LayerNorm.bias"]
        return out

    def dense(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return np.asarray(np.einsum("bli,oi->blo", x, w[f"{name}.weight"], optimize=True) + w[f"{name}.bias"])

    word, place, kind = (w[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position", "token_type"))
    x = norm(word[ids] + place[: ids.shape[1]] + kind[0], "embeddings")
    size = x.shape[-1] // heads
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        mixed = np.zeros_like(x)
        q, k, v = (dense(x, f"{at}.attention.self.{n}") for n in ("query", "key", "value"))
        for head in range(heads):
            part = slice(head * size, (head + 1) * size)
            scores = q[..., part] @ k[..., part].transpose(0, 2, 1) / np.sqrt(size)
            scores = np.where(mask[:, None, :] == 1, scores, -np.inf)
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            mixed[..., part] = scores / scores.sum(-1, keepdims=True) @ v[..., part]
        x = norm(x + dense(mixed, f"{at}.attention.output.dense"), f"{at}.attention.output")
        wide = dense(x, f"{at}.intermediate.dense")
        x = norm(x + dense(wide * 0.5 * (1 + erf(wide / np.sqrt(2))), f"{at}.output.dense"), f"{at}.output")
    return x


def unit(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))


def mean_of(states: NDArray[np.float64], mask: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.array([row[kept == 1].mean(0) for row, kept in zip(states, mask, strict=True)])


def write_tokenizer(path: Path, *, cut: int | None = None, pad: int | None = None) -> None:
    """A tokenizer of single letters; `cut` and `pad` are saved in the file, as careless exporters do."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    if cut is not None:
        made.enable_truncation(cut)
    if pad is not None:
        made.enable_padding(length=pad)
    made.save(str(path))


@pytest.fixture
def model_folder(tmp_path: Path) -> Callable[..., Path]:
    """Makes a folder with the tiny model: model.safetensors, config.json, tokenizer.json (with a saved cut of 8)."""

    def make(name: str = "tiny", **config: Any) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "model.safetensors").write_bytes(safetensors(tiny_weights()))
        (folder / "config.json").write_text(json.dumps({**CONFIG, **config}))
        write_tokenizer(folder / "tokenizer.json", cut=8, pad=8)
        return folder

    return make
