"""A collection: documents, queries, judgments in tiers, roles, exclusions."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from askance.core.errors import DataProblem, UnknownName
from askance.data.ids import Ids
from askance.data.judgments import Judgments
from askance.data.rows import Offsets, Positions, frozen, offsets_of, pair_keys


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn or step of a document, and its speaker (user, assistant, state, action …)."""

    speaker: str
    text: str


@dataclass(frozen=True, eq=False)
class Texts:
    """Things with an identifier and named text fields; every field has one string per identifier."""

    ids: Ids
    fields: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        for name, column in self.fields.items():
            if len(column) != len(self.ids):
                raise DataProblem(f"field {name!r} has {len(column)} texts for {len(self.ids)} identifiers")

    def __len__(self) -> int:
        return len(self.ids)

    def field(self, name: str) -> Sequence[str]:
        """The texts of one field; UnknownName, with the nearest, where there is no such field."""
        if name not in self.fields:
            raise UnknownName("field", name, self.fields)
        return self.fields[name]

    @cached_property
    def sha256(self) -> str:
        """Hash of identifiers and all fields, in order."""
        digest = hashlib.sha256()
        for name in ("", *self.fields):
            column = self.fields[name] if name else self.ids.names
            for part in (name, str(len(column)), *column):
                raw = part.encode("utf-8", "surrogatepass")
                digest.update(len(raw).to_bytes(8, "little"))
                digest.update(raw)
        return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class Documents(Texts):
    """Documents; `turns` holds the turns or steps of each, where the collection has them."""

    turns: Sequence[Sequence[Turn]] | None = None


@dataclass(frozen=True, eq=False)
class Queries(Texts):
    """Queries; `groups` says which stem from one source problem, `slices` hold named values per query."""

    groups: Sequence[str] | None = None
    slices: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def mask(self, where: Mapping[str, str]) -> NDArray[np.bool_]:
        """Which queries have all these slice values [queries]; {} is all of them."""
        mask = np.ones(len(self), dtype=np.bool_)
        for name, value in where.items():
            if name not in self.slices:
                raise UnknownName("slice", name, self.slices)
            column = self.slices[name]
            if value not in column:
                raise UnknownName(f"value of slice {name!r}", value, sorted(set(column)))
            mask &= np.array([entry == value for entry in column], dtype=np.bool_)
        return mask


@dataclass(frozen=True, slots=True)
class Role:
    """What a document is to a query besides gold. `label` is in the reader's words."""

    name: str
    label: str


OTHER = Role("other", "other")


@dataclass(frozen=True, eq=False)
class Roles:
    """One role per (query, document) pair: the listed pairs have theirs, every other pair has `default`.

    `code` uint8 [rows] counts into `roles`; rows are sorted by document within a query.
    """

    roles: tuple[Role, ...]
    default: Role
    offsets: Offsets
    document: Positions
    code: NDArray[np.uint8]

    @classmethod
    def of(
        cls,
        queries: Ids,
        documents: Ids,
        roles: Sequence[Role],
        pairs: Mapping[str, Mapping[str, str]],
        default: Role = OTHER,
    ) -> Roles:
        """From {query: {document: role name}}; DataProblem on unknown ids or roles."""
        codes = {role.name: code for code, role in enumerate(roles)}
        rows: list[list[tuple[int, int]]] = [[] for _ in range(len(queries))]
        for query, given in pairs.items():
            at = queries.position(query)
            if at is None:
                raise DataProblem(f"roles name the query {query!r}, which the collection does not have")
            for name, role in given.items():
                document = documents.position(name)
                if document is None:
                    raise DataProblem(
                        f"roles of query {query!r} name the document {name!r}, which the collection does not have"
                    )
                if role not in codes:
                    raise UnknownName("role", role, codes)
                rows[at].append((document, codes[role]))
        flat = [pair for row in rows for pair in sorted(row)]
        return cls(
            tuple(roles),
            default,
            frozen(offsets_of([len(row) for row in rows])),
            frozen(np.array([document for document, _ in flat], dtype=np.int32)),
            frozen(np.array([code for _, code in flat], dtype=np.uint8)),
        )

    @property
    def every(self) -> tuple[Role, ...]:
        """All roles, the default last."""
        return (*(role for role in self.roles if role.name != self.default.name), self.default)

    def named(self, name: str) -> Role:
        """The role of that name."""
        for role in self.every:
            if role.name == name:
                return role
        raise UnknownName("role", name, [role.name for role in self.every])

    def of_query(self, query: int, role: str) -> Positions:
        """Positions of the documents that are listed with this role for the query (never those of the default)."""
        wanted = [code for code, known in enumerate(self.roles) if known.name == role]
        row = slice(self.offsets[query], self.offsets[query + 1])
        return self.document[row][np.isin(self.code[row], wanted)]

    def at(self, query: NDArray[np.int64], document: NDArray[np.int64], width: int) -> list[Role]:
        """The role of each (query, document) pair; `width` = number of documents."""
        keys = pair_keys(self.offsets, self.document, width)
        wanted = query.astype(np.int64) * width + document
        if len(keys) == 0:
            return [self.default] * len(wanted)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return [
            self.roles[self.code[at]] if keys[at] == key else self.default
            for at, key in zip(place, wanted, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Decoys:
    """A named set of roles that gold is held against: which documents a retriever could take for it."""

    name: str
    label: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tier:
    """A named definition of gold. `label` in the reader's words, `rule` says in one line what makes a document gold."""

    name: str
    label: str
    judgments: Judgments
    rule: str = ""
    threshold: float = 1.0


@dataclass(frozen=True, eq=False)
class Excluded:
    """Per query, documents that are never candidates."""

    offsets: Offsets
    document: Positions

    def of_query(self, query: int) -> Positions:
        return self.document[self.offsets[query] : self.offsets[query + 1]]

    @classmethod
    def of(cls, queries: Ids, documents: Ids, pairs: Mapping[str, Sequence[str]]) -> Excluded:
        """From {query: [document, …]}; DataProblem on unknown ids."""
        rows: list[list[int]] = [[] for _ in range(len(queries))]
        for query, names in pairs.items():
            at = queries.position(query)
            if at is None:
                raise DataProblem(f"the exclusions name the query {query!r}, which the collection does not have")
            for name in names:
                document = documents.position(name)
                if document is None:
                    raise DataProblem(
                        f"the exclusions of query {query!r} name the document {name!r}, "
                        "which the collection does not have"
                    )
                rows[at].append(document)
        flat = [document for row in rows for document in sorted(set(row))]
        return cls(frozen(offsets_of([len(set(row)) for row in rows])), frozen(np.array(flat, dtype=np.int32)))


@dataclass(frozen=True, eq=False)
class Collection:
    """Documents and queries, and what is known about how they belong together. All tiers share one corpus.

    `tiers` from easy to hard. `main`: the tier to look at first, the hardest unless told. `compared`: the field of the
    documents that is held against a query word by word, unless a study says otherwise.
    `origin` says where the data came from (a folder, a download, made by the package); `notes` what was left out or
    repaired while loading, reason → count.
    """

    name: str
    documents: Documents
    queries: Queries
    tiers: Mapping[str, Tier]
    roles: Roles | None = None
    excluded: Excluded | None = None
    decoys: Sequence[Decoys] = ()
    main: str = ""
    compared: str = "text"
    origin: str = ""
    notes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not len(self.documents):
            raise DataProblem(f"collection {self.name!r} has no documents", remedy="Is the corpus file empty?")
        if not len(self.queries):
            raise DataProblem(f"collection {self.name!r} has no queries", remedy="Is the queries file empty?")
        for tier in self.tiers.values():
            if tier.judgments.queries != self.queries.ids or tier.judgments.documents != self.documents.ids:
                raise DataProblem(f"tier {tier.name!r} is over other queries or documents than its collection")

    def tier(self, name: str) -> Tier:
        """The tier of that name; UnknownName, with the nearest, where there is none."""
        if name not in self.tiers:
            raise UnknownName("tier", name, self.tiers, where=f"collection {self.name!r}")
        return self.tiers[name]

    def with_tiers(self, *tiers: Tier) -> Collection:
        """The same collection with these tiers added (or replaced, by name)."""
        return replace(self, tiers={**self.tiers, **{tier.name: tier for tier in tiers}})
