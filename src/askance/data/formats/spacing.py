"""Rows whose columns stand apart by runs of white space, brought into one form: single spaces, no blank lines."""

from __future__ import annotations

import numpy as np

from askance.data.formats.qrels import is_comment

_TO_SPACE = bytes.maketrans(b"\t\v\f\r", b"    ")
_SPACE, _END = 32, 10


def evenly_spaced(body: bytes, width: int) -> bytes:
    """The rows of `body` with single spaces; blank lines and comments are gone."""
    spaced = np.frombuffer(body.translate(_TO_SPACE), dtype=np.uint8)
    spaced = np.concatenate(([_END], spaced, [_END])).astype(np.uint8)
    is_space, is_end = spaced == _SPACE, spaced == _END
    # of a run of spaces the last one stays, and none before a line end
    keep = np.append(~(is_space[:-1] & (is_space[1:] | is_end[1:])), True)
    spaced = spaced[keep]
    is_space, is_end = spaced == _SPACE, spaced == _END
    # nothing stays at the beginning of a line: neither a space nor another line end
    keep = np.append(True, ~(is_end[:-1] & is_space[1:]))
    spaced = spaced[keep]
    is_end = spaced == _END
    keep = np.append(True, ~(is_end[:-1] & is_end[1:]))
    return _without_comments(spaced[keep].tobytes(), width)[1:]


def _without_comments(body: bytes, width: int) -> bytes:
    """`body` begins with a line end; lines that are comments are cut out."""
    pieces, kept_to, at = [], 0, body.find(b"\n#")
    while at >= 0:
        end = body.find(b"\n", at + 1)
        if is_comment(body[at + 1 : end].decode("utf-8", "replace"), width):
            pieces.append(body[kept_to:at])
            kept_to = end
        at = body.find(b"\n#", end)
    return b"".join((*pieces, body[kept_to:])) if pieces else body
