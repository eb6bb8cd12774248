"""The bytes of a text file in large pieces of whole lines, for readers that parse many lines at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from askance.data.formats.packed import UTF8_BOM, unpacked

BLOCK = 4 * 1024 * 1024


def read_blocks(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """Pieces of about `size` bytes, each ending at a line end (the last one, where the file ends).

    Plain, gzip or zstd; the byte order mark is dropped. Errors as of `packed.unpacked`.
    """
    with unpacked(path) as file:
        block = file.read(size).removeprefix(UTF8_BOM) or file.read(size)
        while block:
            # a block is copied once at most, to complete its last line
            rest = b"" if block.endswith(b"\n") else file.readline()
            yield block + rest if rest else block
            del block, rest
            block = file.read(size)
