"""CI's plugin: a skip fails the session, however it comes about, and pytest's closing line stays last."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PASSES = "def test_it(): pass\n"
SKIPS = "import pytest\ndef test_it(): pytest.skip('no data')\n"
SKIPS_WHOLE = "import pytest\npytest.importorskip('a_module_that_is_not')\n"
FAILS_AS_EXPECTED = "import pytest\n@pytest.mark.xfail(reason='known')\ndef test_it(): assert False\n"


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "xdist"])
@pytest.mark.parametrize(
    ("content", "code", "closing"),
    [
        (PASSES, 0, "1 passed"),
        (SKIPS, 1, "1 skipped"),
        (SKIPS_WHOLE, 1, "1 skipped"),
        (FAILS_AS_EXPECTED, 0, "1 xfailed"),
    ],
)
def test_a_skip_fails(tmp_path: Path, workers: tuple[str, ...], content: str, code: int, closing: str) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_some.py").write_text(content)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.no_skips",
        "-p",
        "no:cacheprovider",
        *workers,
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == code, done.stdout
    assert closing in done.stdout.rstrip().splitlines()[-1]
    assert ("skipped, which CI does not allow" in done.stdout) == (code == 1)
