"""Files as they lie on disk: plain, gzip or zstd, told by their first bytes, whatever the name."""

from __future__ import annotations

import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from askance.core.errors import FileProblem

UTF8_BOM = b"\xef\xbb\xbf"

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class DamagedFile(Exception):
    """Packed data ends too early or is not what it says; the message says what is wrong."""


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked as they are read.

    FileProblem where the file is missing, a folder, unreadable or UTF-16; DamagedFile, inside the block, where packed
    data is damaged.
    """
    try:
        with _opened(path) as file:
            start = file.peek(4)[:4]
            if start[:2] in _UTF16:
                raise FileProblem(path, "the text is UTF-16, expected UTF-8", line=1, remedy="Save it as UTF-8.")
            yield _unpacked(file, start)
    except FileNotFoundError:
        raise FileProblem(path, "there is no such file", remedy="Check the folder, or fetch the data.") from None
    except IsADirectoryError:
        raise FileProblem(path, "this is a folder, expected a file", remedy="Name the file inside it.") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DamagedFile(f"the gzip data is damaged: {error}") from None
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise FileProblem(path, problem, remedy="Check the file and its permissions.") from None


def _opened(path: Path) -> BufferedReader:
    """A file that can be read again from its beginning, which a pipe cannot."""
    if stat.S_ISFIFO(path.stat().st_mode):
        return BufferedReader(io.BytesIO(_piped(path)))
    return path.open("rb")


@cache
def _piped(path: Path) -> bytes:
    """All that comes out of a pipe; kept, since it comes but once."""
    return path.read_bytes()


def _unpacked(file: BinaryIO, start: bytes) -> BinaryIO:
    if start[:2] == _GZIP:
        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    return _unpacked_zstd(file) if start == _ZSTD else file


def _unpacked_zstd(file: BinaryIO) -> BinaryIO:
    """Python unpacks zstd from 3.14 on; polars does before, whole, and as lines of text."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return io.BytesIO(_zstd_by_polars(file.read()))
    try:
        return io.BytesIO(zstd.decompress(file.read()))
    except zstd.ZstdError as error:
        raise DamagedFile(f"the zstd data is damaged: {error}") from None


def _zstd_by_polars(packed: bytes) -> bytes:
    import polars

    try:
        lines = polars.read_lines(packed).to_series()
    except (polars.exceptions.PolarsError, OSError) as error:
        raise DamagedFile(f"the zstd data is damaged, or holds no UTF-8 text: {error}") from None
    joined = lines.str.join("\n").item()
    return bytes(joined.encode()) if joined is not None else b""
