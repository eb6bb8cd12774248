"""Debian changelogs: entries, bullets, authors; what is left out is counted."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from askance.core.errors import FileProblem
from askance.data.adapters.changelogs import load

TEXT = """\
ham (1.2-3) unstable; urgency=medium

  [ Ann Page ]
  * New upstream release,
    which mends the page break
    - d/control: sort
  * Grant rights (Closes: #1)

  [ Bo Ray ]
  * Thank Ann Page.

 -- Cy Lane <cy@example.org>  Tue, 20 Sep 2022 12:17:15 -0400

ham (1.2-2) unstable; urgency=low

  Plain words.

 -- Bo Ray <bo@example.org>  Mon, 19 Sep 2022 12:17:15 -0400

ham (1.2-1) unstable; urgency=low

  * Cut short
"""


def test_entries(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "b").write_bytes(TEXT.encode() + b"\xff")
    found = load([tmp_path / "a.gz", tmp_path / "b"])
    assert found.notes == {
        "entries without a closing line": 2,
        "entries that occur again": 2,
        "files with bytes that are not UTF-8": 1,
    }
    first, second = found.records
    assert first["_id"] == "ham 1.2-3"
    assert first["author"] == "Cy Lane"
    assert first["contributors"] == ["Ann Page", "Bo Ray"]
    assert first["items"] == [
        "New upstream release, which mends the page break",
        "d/control: sort",
        "Grant rights (Closes: #1)",
        "Thank Ann Page.",
    ]
    assert first["text"].startswith("ham (1.2-3)")
    assert first["text"].endswith("12:17:15 -0400")
    assert (first["date"], first["distribution"]) == ("Tue, 20 Sep 2022 12:17:15 -0400", "unstable")
    assert (second["_id"], second["items"]) == ("ham 1.2-2", ["Plain words."])


@pytest.mark.parametrize(("content", "words"), [(b"nothing", "no changelog entry"), (b"\x1f\x8bxx", "cannot be read")])
def test_files_that_are_none(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(FileProblem, match=words) as caught:
        load([tmp_path / "a"])
    assert caught.value.path == str(tmp_path / "a")
    assert caught.value.remedy
    with pytest.raises(FileProblem, match="cannot be read"):
        load([tmp_path / "b"])
