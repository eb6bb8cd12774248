from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.models.conftest import safetensors

from askance.core.errors import FileProblem
from askance.models.safetensors import parse_safetensors

WHERE = Path("w.safetensors")


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=8).filter(lambda name: name != "__metadata__"),
        st.sampled_from(["float32", "float16", "float64", "int64", "int8", "bool"]).flatmap(
            lambda dtype: arrays.arrays(np.dtype(dtype), arrays.array_shapes(min_dims=0, max_dims=3, min_side=0))
        ),
        max_size=4,
    )
)
def test_what_was_written_is_read(tensors: dict[str, Any]) -> None:
    read = parse_safetensors(safetensors(tensors), WHERE)
    assert read.keys() == tensors.keys()
    for name, array in tensors.items():
        assert read[name][1].shape == array.shape
        assert read[name][1].tobytes() == array.tobytes()


def test_bf16_is_widened() -> None:
    bits = np.array([0x3F80, 0xC000, 0x0000], dtype=np.uint16)
    dtype, array = parse_safetensors(safetensors({"a": bits}, {"a": "BF16"}), WHERE)["a"]
    assert dtype == "BF16"
    assert array.dtype == np.float32
    assert array.tolist() == [1.0, -2.0, 0.0]


def said(**entry: Any) -> bytes:
    text = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **entry}}).encode()
    return len(text).to_bytes(8, "little") + text + bytes(8)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"abc", "too few"),
        ((10**9).to_bytes(8, "little") + b"{}", "announces a header of 1000000000 bytes"),
        ((2).to_bytes(8, "little") + b"{]", "not JSON"),
        ((2).to_bytes(8, "little") + b"[]", "not a JSON object"),
        ((7).to_bytes(8, "little") + b'{"a":1}', "'a' is described wrongly"),
        (said(dtype="F7"), "described wrongly"),
        (said(shape=[3]), "do not hold F32 [3]"),
        (said(shape=[-2]), "whole numbers"),
        (said(data_offsets=[4, 12]), "bytes 4–12"),
        (said(data_offsets=[8, 0]), "bytes 8–0"),
        (said(data_offsets=[0]), "described wrongly"),
        (said(shape=[2.0]), "whole numbers"),
    ],
)
def test_what_cannot_be_right_is_named(raw: bytes, problem: str) -> None:
    with pytest.raises(FileProblem) as told:
        parse_safetensors(raw, WHERE)
    assert problem in str(told.value)
    assert "w.safetensors" in str(told.value)
