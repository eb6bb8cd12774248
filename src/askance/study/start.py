"""The first study file for somebody's own collections: complete, commented, ready to run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from askance.data.collection import Collection
from askance.study.choices import main_tier_of

# What TOML wants escaped, what a terminal would obey, and what turns the line it stands in.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

HEAD = """\
# A study: what is read, what counts as gold, which systems are measured.
# Run it:   askance study run THIS_FILE.toml
# Everything that is commented out shows a default or a choice.

[study]
name = {name}
title = {title}
seed = 12345                # every random draw of the study starts here
# depth = 1000              # length of every ranked list
# resamples = 10000         # draws of an interval that cannot be computed exactly
# failures = 12             # failures to show per system

[models.minilm]
label = "MiniLM"
embedder = "minilm"         # or "folder" (path = "…": model.onnx or model.safetensors, and tokenizer.json)
                            # or "endpoint" (base_url = "http://127.0.0.1:8080/v1", model = "…", key_env = "…")

# A published figure, checked before anything else is measured: where it cannot be met nothing else is.
# [[gates]]
# figure = "minilm.TIER.SUBSET.hit@1"     # SYSTEM.TIER.SUBSET.MEASURE; SUBSET is all where there are none
# value = 0.5
# tolerance = 0.0005
# origin = "who published it"
"""

SYSTEMS = """
[[domains.{name}.systems]]
name = "bm25"
label = "BM25"
retriever = "lexical"
# stemmer = "porter"

[[domains.{name}.systems]]
name = "minilm"
label = "MiniLM"
retriever = "dense"
model = "minilm"

# Re-sorts each list's first ten by likeness of the compared texts: is lexical signal friend or enemy here?
[[domains.{name}.rerankers]]
name = "control"
label = "lexical control"
reranker = "lexical"        # tokens = "all" | "numbers" | "content" | "function" | "verbs" | "others"
"""


def starting_file(collections: Sequence[tuple[str, Collection]]) -> str:
    """A study file over these collections, each given as (what the file shall call it, the collection)."""
    names = list(_names([Path(told).name or told for told, _ in collections]))
    title = " and ".join(collection.name for _, collection in collections)
    head = HEAD.format(name=_string("-".join(names)), title=_string(title))
    tables = [_domain(name, told, collection) for name, (told, collection) in zip(names, collections, strict=True)]
    return "\n".join([head, *tables])


def _domain(name: str, told: str, collection: Collection) -> str:
    tiers = list(collection.tiers)
    main = main_tier_of(None, collection) if tiers else ""
    lines = [
        f"# {len(collection.documents)} documents, {len(collection.queries)} queries",
        f"[domains.{name}]",
        f"title = {_string(collection.name)}",
        f"collection = {_string(told)}",
        f"# fields of the documents: {', '.join(map(_string, collection.documents.fields))}",
        f"# fields of the queries: {', '.join(map(_string, collection.queries.fields))}",
        'embed = { query = "text", document = "text" }      # what retrievers read',
        f'compare = {{ query = "text", document = {_string(collection.compared)} }}    # what is compared word by word',
        f"tiers = [{', '.join(map(_string, tiers))}]    # definitions of gold, easy to hard: the anchoring ladder",
        f"main_tier = {_string(main)}    # the tier of the failures, the curves and the sign",
        'measures = ["Hit@1", "Hit@5", "Hit@10", "AP"]',
        *_roles(name, collection),
        *_subsets(name, collection),
    ]
    return "\n".join(lines) + "\n" + SYSTEMS.format(name=name)


def _roles(name: str, collection: Collection) -> Iterator[str]:
    if collection.roles is None:
        yield "# This collection has no roles (roles.tsv: query-id, corpus-id, role): rank-1 failures are only counted."
        return
    yield "# roles a document can have to a query besides gold: " + ", ".join(
        f"{role.name} ({_one_line(role.label)})" for role in collection.roles.every
    )
    for decoys in collection.decoys:
        yield f"\n[domains.{name}.decoys.{_slug(decoys.name)}]    # what gold is held against in the lexical preference"
        yield f"label = {_string(decoys.label)}"
        yield f"roles = [{', '.join(map(_string, decoys.roles))}]"


def _subsets(name: str, collection: Collection) -> Iterator[str]:
    if not collection.queries.slices:
        return
    yield f"\n[domains.{name}.subsets]    # each is measured on its own; the first is the one of the charts"
    yield 'all = { label = "all queries" }'
    for slice_name, column in collection.queries.slices.items():
        values = sorted({value for value in column if value})
        if 2 <= len(values) <= 12:
            for subset, value in zip(_names(f"{slice_name}-{value}" for value in values), values, strict=True):
                where = f"{{ {_key(slice_name)} = {_string(value)} }}"
                yield f"# {subset} = {{ label = {_string(f'{slice_name} {value}')}, where = {where} }}"


def _names(wanted: Sequence[str] | Iterator[str]) -> Iterator[str]:
    """Names that a study file allows, each once."""
    taken: set[str] = set()
    for text in wanted:
        name = base = _slug(text)
        number = 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name)
        yield name


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-") or "collection"


def _one_line(text: str) -> str:
    return _UNSEEN.sub("\ufffd", " ".join(text.split()))


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _string(text)


def _string(text: str) -> str:
    """A TOML basic string; JSON's escapes are a subset of TOML's. TOML has no halves of surrogate pairs."""
    whole = re.sub("[\ud800-\udfff]", "\ufffd", text)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(whole, ensure_ascii=False))
