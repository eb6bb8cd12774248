"""results.json: everything a study found, in a documented, versioned shape (`askance/results/1`).

The same study on the same inputs gives the same bytes: no times, no paths, no machine in here (those are in
manifest.json). Rates are fractions. Names (`system`, `tier`, `subset`, `role`) refer to the cards of the same domain.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

SCHEMA = "askance/results/1"


class Record(BaseModel):
    """Base of all records: frozen, and no field that the schema does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EstimateIn(Record):
    """A figure with its 95 % interval; null where undefined, and then `method` says why."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    left_out: dict[str, int] = {}


class ChanceIn(Record):
    """What a random ranking would get. `expected` null: not computable, `method` says why.

    `p`: two-sided, exact; null for graded measures whose chance was not simulated. `verdict` at the 5 % level.
    """

    expected: float | None
    p: float | None
    verdict: Literal["below", "at", "above"] | None
    method: str


class Figure(Record):
    """One measure of one system under one tier over one subset of the queries, beside its chance."""

    system: str
    tier: str
    subset: str
    measure: str
    estimate: EstimateIn
    chance: ChanceIn


class Curve(Record):
    """Hit@1 … Hit@depth of one system (the main tier and subset), and chance at each cut-off."""

    system: str
    tier: str
    subset: str
    hits: list[EstimateIn]
    chance: list[float | None]


Sign = Literal["positive", "negative", "undecided", "no room"]


class Control(Record):
    """A lexical reranker over each list's first `first`: what it does to Hit@1.

    share = (Hit@1 after − before) / (ceiling − before), ceiling = Hit@first before; `share_held` keeps the ceiling at
    its point value while resampling, `share_resampled` recomputes it. `p`: exact McNemar, two-sided.
    `label`: of the reranker, empty where it has none.
    """

    system: str
    reranker: str
    label: str = ""
    tokens: str
    tier: str
    subset: str
    first: int
    run_sha256: str
    before: EstimateIn
    after: EstimateIn
    ceiling: EstimateIn
    share_held: EstimateIn
    share_resampled: EstimateIn
    gained: int
    lost: int
    p: float
    sign: Sign


class Winner(Record):
    """How many misses have a document of this role at rank 1."""

    role: str
    count: int
    share: EstimateIn


class Taxonomy(Record):
    """What stands at rank 1 instead of gold. `empty`: queries whose list is empty."""

    system: str
    tier: str
    subset: str
    misses: int
    empty: int
    winners: list[Winner]
    lexically_closer: EstimateIn = Field(description="share of misses whose winner reads closer to the query than gold")


class Preference(Record):
    """How often gold agrees more with its query than a decoy does, in one token class; ½ is no preference."""

    tier: str
    subset: str
    decoys: str
    tokens: str
    estimate: EstimateIn
    reading: Literal["incidental", "adversarial", "undecided"]


class BillClass(Record):
    """One class of words on a bill: how often gold agrees more with its query in it than a decoy does; a tie is ½.

    `tokens`: its name; `description`: what it reads, of a learned class some members. `learned`: the texts of the
    collection taught it. `read`: how many queries hold a word of it. `verdict`: "friend" where the interval lies above
    ½, "enemy" where below; each class at its own interval, not corrected for how many there are. `prescription`: what
    follows, anchor on a friend, abstract an enemy away, leave what is undecided.
    """

    tokens: str
    description: str
    learned: bool
    estimate: EstimateIn
    read: int
    verdict: Literal["friend", "enemy", "undecided"]
    prescription: Literal["anchor", "abstract", "leave"]


class BillRecord(Record):
    """The bill per class of words: one tier's gold against one set of decoys, over the main subset.

    `queries`: of the subset, with or without gold. `slots`: "templates" where the collection's own classes stand behind
    the others, learned from texts that differ in one place; "none" where its texts are worded too freely for that.
    """

    tier: str
    subset: str
    decoys: str
    queries: int
    slots: Literal["templates", "none"]
    classes: list[BillClass]


class Shown(Record):
    """A document as a failure shows it: `likeness` is its lexical similarity to the query, 0 to 1."""

    id: str
    text: str
    role: str | None
    rank: int | None
    score: float | None
    likeness: float


class Failure(Record):
    """One query whose rank 1 is not gold: what was asked, what stands first, where gold stands."""

    system: str
    tier: str
    query: str
    query_text: str
    winner: Shown
    gold: Shown


class RoleCard(Record):
    name: str
    label: str


class DecoysCard(Record):
    name: str
    label: str
    roles: list[str]


class TierCard(Record):
    """`rule`: what makes a document gold. `gold`: mean number of gold documents of the queries that have any."""

    name: str
    label: str
    rule: str
    queries: int
    without_gold: int
    gold: float


class SubsetCard(Record):
    name: str
    label: str
    queries: int


class SystemCard(Record):
    """`cut`: documents longer than the model's window; null where that cannot be known or does not apply.

    `run_sha256`: of the ranked lists and their scores, whatever form they are kept in.
    """

    name: str
    label: str
    retriever: str
    settings: dict[str, str]
    model: str | None
    cut: int | None
    depth: int
    run_sha256: str
    tied_first_ten: float = Field(description="share of the first ten places that are tied with a neighbour")


class ModelRecord(Record):
    """Which weights, exactly."""

    name: str
    label: str
    weights: str
    precision: str
    dimension: int
    max_tokens: int | None
    source: str


class Domain(Record):
    """One collection and all that was measured on it.

    `bills`: one for each tier and set of decoys; null, and then not written, where the study ran before there were any.
    """

    name: str
    title: str
    note: str
    collection: str
    origin: str
    notes: dict[str, int]
    documents: int
    queries: int
    corpus_sha256: str
    queries_sha256: str
    embedded: dict[str, str]
    compared: dict[str, str]
    main_tier: str
    main_subset: str
    subsets: list[SubsetCard]
    tiers: list[TierCard]
    roles: list[RoleCard]
    decoys: list[DecoysCard]
    systems: list[SystemCard]
    figures: list[Figure]
    curves: list[Curve]
    controls: list[Control]
    taxonomies: list[Taxonomy]
    preferences: list[Preference]
    failures: list[Failure]
    bills: list[BillRecord] | None = None

    @model_serializer(mode="wrap")
    def _as_read(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Results without bills are written as they were read: same bytes, same hash."""
        tree: dict[str, Any] = whole(self)
        return tree if self.bills is not None else {key: value for key, value in tree.items() if key != "bills"}


class GateRecord(Record):
    """A published figure that had to be met before anything else was measured.

    `status` skipped: the original data is not here, `why` says so. `past`: the reason for which a failed gate was gone
    past; without one a failed gate stops the study.
    """

    domain: str
    figure: str
    published: float
    tolerance: float
    origin: str
    ours: EstimateIn | None
    status: Literal["passed", "failed", "skipped"]
    why: str = ""
    past: str = ""


class StudyCard(Record):
    name: str
    title: str
    seed: int
    resamples: int
    confidence: float = 0.95


class Results(Record):
    """The whole of results.json."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_: Literal["askance/results/1"] = Field(default="askance/results/1", alias="schema")
    askance: str
    study: StudyCard
    models: list[ModelRecord]
    gates: list[GateRecord] = []
    domains: list[Domain]

    def dump(self) -> str:
        """Canonical JSON: same results, same bytes."""
        tree = self.model_dump(mode="json", by_alias=True)
        text = json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
        # Half of a surrogate pair is no UTF-8, and few readers take it as an escape: its name is written instead.
        return re.sub("[\ud800-\udfff]", lambda half: f"\\\\u{ord(half[0]):04x}", text)

    def domain(self, name: str) -> Domain:
        return next(domain for domain in self.domains if domain.name == name)
