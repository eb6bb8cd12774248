"""Collections written as BEIR folders: they come back as they were, or are refused whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from askance.core.errors import BadInput, DataProblem, FileProblem
from askance.data.collection import (
    OTHER,
    Collection,
    Decoys,
    Documents,
    Excluded,
    Queries,
    Role,
    Roles,
    Tier,
    Turn,
)
from askance.data.formats.beir import read_beir, write_beir
from askance.data.formats.qrels import read_qrels
from askance.data.ids import Ids
from askance.data.judgments import Judgments

words = st.text(st.characters(codec="utf-8"), max_size=6)
anything = st.text(max_size=6)  # half surrogate pairs too: JSON can hold them
identifiers = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n"), min_size=1, max_size=5)
plain = st.text("abc .-_(é#", min_size=1, max_size=5).filter(lambda name: not name.startswith("."))
numbers = st.one_of(st.integers(-2, 3).map(float), st.floats(allow_nan=False, allow_infinity=False))


def column(draw: st.DrawFn, of: st.SearchStrategy[str], size: int) -> tuple[str, ...]:
    return tuple(draw(st.lists(of, min_size=size, max_size=size)))


def turns_of(size: int) -> st.SearchStrategy[tuple[tuple[Turn, ...], ...] | None]:
    some = st.lists(st.builds(Turn, anything, anything), max_size=2).map(tuple)
    return st.none() | st.lists(some, min_size=size, max_size=size).map(tuple)


@st.composite
def pairs(
    draw: st.DrawFn, queries: Ids, documents: Ids, values: st.SearchStrategy[object]
) -> dict[str, dict[str, object]]:
    chosen = draw(
        st.dictionaries(
            st.sampled_from(queries.names),
            st.dictionaries(st.sampled_from(documents.names), values, min_size=1),
            min_size=1,
        )
    )
    return dict(chosen)


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    documents = Ids(draw(st.lists(identifiers, unique=True, min_size=1, max_size=5)))
    queries = Ids(draw(st.lists(identifiers, unique=True, min_size=1, max_size=4)))
    fields = {"text", *draw(st.sets(st.sampled_from(["title", "url", "é"])))}
    size = len(documents)
    roles = draw(st.lists(plain, unique=True, max_size=3))
    default = draw(st.sampled_from([OTHER, Role("the rest", "all else")]))
    said = draw(pairs(queries, documents, st.sampled_from(roles))) if roles else {}
    excluded = draw(
        st.none() | st.dictionaries(st.sampled_from(queries.names), st.lists(st.sampled_from(documents.names)))
    )
    with_roles = bool(roles) or draw(st.booleans())
    known = [*roles, default.name if with_roles else OTHER.name]
    return Collection(
        "any",
        Documents(
            documents,
            {name: column(draw, anything, size) for name in sorted(fields)},
            draw(turns_of(size)),
        ),
        Queries(
            queries,
            {name: column(draw, anything, len(queries)) for name in sorted(fields)},
            column(draw, words, len(queries)) if draw(st.booleans()) else None,
            {name: column(draw, words, len(queries)) for name in draw(st.sets(st.sampled_from(["set", "n", " "])))},
        ),
        {
            name: Tier(
                name,
                draw(words),
                Judgments.of(queries, documents, draw(pairs(queries, documents, numbers))),  # type: ignore[arg-type]
                draw(words),
                draw(numbers.filter(lambda threshold: threshold > 0)),
            )
            for name in draw(st.lists(plain, unique=True, min_size=1, max_size=3))
        },
        Roles.of(queries, documents, [Role(name, draw(words)) for name in roles], said, default)  # type: ignore[arg-type]
        if with_roles
        else None,
        Excluded.of(queries, documents, excluded) if excluded is not None else None,
        tuple(
            Decoys(name, draw(words), tuple(draw(st.lists(st.sampled_from(known), min_size=1))))
            for name in draw(st.lists(words, unique=True, max_size=2))
        ),
    )


def same_rows(one: object, other: object, names: Sequence[str]) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@given(collections())
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_collection_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, written: Collection) -> None:
    place = tmp_path_factory.mktemp("beir") / "out"
    write_beir(written, place)
    read = read_beir(place)
    for of in ("documents", "queries"):
        one, other = getattr(read, of), getattr(written, of)
        assert one.sha256 == other.sha256
        assert {name: tuple(col) for name, col in one.fields.items()} == dict(other.fields)
    assert read.documents.turns == written.documents.turns
    assert read.queries.groups == written.queries.groups
    assert dict(read.queries.slices) == dict(written.queries.slices)
    assert list(read.tiers) == list(written.tiers)
    for name, tier in written.tiers.items():
        again = read.tiers[name]
        assert (again.label, again.rule, again.threshold) == (tier.label, tier.rule, tier.threshold)
        assert same_rows(again.judgments, tier.judgments, ("offsets", "document", "grade"))
    assert (read.roles is None) == (written.roles is None)
    if read.roles and written.roles:
        assert (read.roles.roles, read.roles.default) == (written.roles.roles, written.roles.default)
        assert same_rows(read.roles, written.roles, ("offsets", "document", "code"))
    assert (read.excluded is None) == (written.excluded is None)
    if read.excluded and written.excluded:
        assert same_rows(read.excluded, written.excluded, ("offsets", "document"))
    assert read.decoys == written.decoys
    assert (read.main, read.compared) == (written.main, written.compared)
    for path in (place / "qrels").iterdir():
        assert sum(map(len, read_qrels(path).values())) > 0


def small(**changes: object) -> Collection:
    queries, documents = Ids(["q"]), Ids(["d"])
    given: dict[str, object] = {
        "name": "c",
        "documents": Documents(documents, {"text": ("t",)}),
        "queries": Queries(queries, {"text": ("t",)}),
        "tiers": {"t": Tier("t", "t", Judgments.of(queries, documents, {"q": {"d": 1.0}}))},
        **changes,
    }
    return Collection(**given)  # type: ignore[arg-type]


def renamed(query: str, document: str, tier: str = "t") -> Collection:
    queries, documents = Ids([query]), Ids([document])
    return small(
        documents=Documents(documents, {"text": ("t",)}),
        queries=Queries(queries, {"text": ("t",)}),
        tiers={tier: Tier(tier, "t", Judgments.of(queries, documents, {query: {document: 1.0}}))},
    )


REFUSED = [
    (renamed("q", "a\tb"), "tab-separated columns"),
    (renamed("a\nb", "d"), "tab-separated columns"),
    (renamed("q", ""), "tab-separated columns"),
    (renamed("q", "\ud800"), "tab-separated columns"),
    (renamed("q", "d", "a/b"), "name of a file"),
    (renamed("q", "d", ".t"), "name of a file"),
    (small(documents=Documents(Ids(["d"]), {"body": ("t",)})), "no field 'text'"),
    (small(documents=Documents(Ids(["d"]), {"text": ("t",), "turns": ("x",)})), "which BEIR uses itself"),
    (small(queries=Queries(Ids(["q"]), {"text": ("t",), "metadata": ("x",)})), "which BEIR uses itself"),
    (small(queries=Queries(Ids(["q"]), {"text": ("t",)}, slices={"group": ("x",)})), "Rename the slice"),
    (small(tiers={}), "needs a tier"),
    (small(tiers={"t": Tier("t", "t", Judgments.of(Ids(["q"]), Ids(["d"]), {}))}), "no judgments"),
    (
        small(roles=Roles.of(Ids(["q"]), Ids(["d"]), [Role("r", "r")], {}, Role("r", "x"))),
        "two different names",
    ),
]


@pytest.mark.parametrize(("collection", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_the_files_cannot_hold_is_refused_and_nothing_is_left(
    tmp_path: Path, collection: Collection, said: str
) -> None:
    with pytest.raises(DataProblem, match=said):
        write_beir(collection, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_beir(small(), tmp_path / "empty")
    before = {path: path.read_bytes() for path in (tmp_path / "empty").rglob("*") if path.is_file()}
    for place in (tmp_path / "empty", next(iter(before))):
        with pytest.raises(FileProblem, match="not empty"):
            write_beir(small(), place)
    assert {path: path.read_bytes() for path in (tmp_path / "empty").rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_beir(small(), tmp_path / "file" / "out")


def test_limit_as_it_is_published(shared_data: Path, tmp_path: Path) -> None:
    published = read_beir(shared_data / "limit" / "limit-small")
    assert (len(published.documents), len(published.queries)) == (46, 1000)
    assert published.tier("qrels").judgments.gold_counts().tolist() == [2] * 1000
    assert published.notes == {}
    write_beir(published, tmp_path / "copy")
    again = read_beir(tmp_path / "copy")
    assert (again.documents.sha256, again.queries.sha256) == (published.documents.sha256, published.queries.sha256)
