"""Reading a safetensors file: a JSON header, then raw little-endian arrays."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import FileProblem

Tensor = NDArray[Any]

_DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "u1",
    "BOOL": "?",
}
_REMEDY = "Fetch the file again; it is cut short or not a safetensors file."


def parse_safetensors(raw: bytes, path: Path) -> dict[str, tuple[str, Tensor]]:
    """Every tensor of the file whose bytes are `raw`: name → (dtype as the file names it, array).

    Arrays are views of `raw`; BF16, which numpy lacks, comes widened to float32. FileProblem, naming `path`, where the
    header, an offset or a shape cannot be right.
    """
    if len(raw) < 8:
        raise FileProblem(path, f"has {len(raw)} bytes, too few for a safetensors header", remedy=_REMEDY)
    length = int.from_bytes(raw[:8], "little")
    if length > len(raw) - 8:
        raise FileProblem(path, f"announces a header of {length} bytes but has {len(raw)} in all", remedy=_REMEDY)
    try:
        header = json.loads(raw[8 : 8 + length])
    except ValueError as problem:
        raise FileProblem(path, f"its header is not JSON ({problem})", remedy=_REMEDY) from problem
    if not isinstance(header, dict):
        raise FileProblem(path, "its header is not a JSON object", remedy=_REMEDY)
    body = memoryview(raw)[8 + length :]
    return {name: _tensor(name, said, body, path) for name, said in header.items() if name != "__metadata__"}


def _tensor(name: str, said: object, body: memoryview, path: Path) -> tuple[str, Tensor]:
    try:
        if not isinstance(said, Mapping):
            raise ValueError("no object")
        dtype, shape, (start, end) = said["dtype"], tuple(said["shape"]), said["data_offsets"]
        if not all(type(number) is int and number >= 0 for number in (*shape, start, end)):
            raise ValueError("shape and offsets must be whole numbers")
        kind = np.dtype(_DTYPES[dtype])
        if not start <= end <= len(body) or end - start != math.prod(shape) * kind.itemsize:
            raise ValueError(f"bytes {start}–{end} do not hold {dtype} {list(shape)}")
    except (KeyError, TypeError, ValueError) as problem:
        raise FileProblem(path, f"tensor {name!r} is described wrongly ({problem})", remedy=_REMEDY) from problem
    array: Tensor = np.frombuffer(body[start:end], dtype=kind).reshape(shape)
    if dtype == "BF16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return dtype, array
