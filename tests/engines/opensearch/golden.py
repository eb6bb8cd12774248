"""Bodies that are kept as files beside the tests, so that a change of what is sent is seen and meant.

Written anew by ASKANCE_WRITE_GOLDEN=1, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "golden"


def golden(name: str, made: Mapping[str, Any]) -> Any:
    """What the file holds; where the files are to be written anew, what was made."""
    path = FOLDER / f"{name}.json"
    if os.environ.get("ASKANCE_WRITE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))
