"""GSM-Plus: 300 word problems, each with a paraphrase and six near misses among 2,100 documents.

File read, below the data folder: PROBLEMS (gsmplus_testmini.jsonl of qtli/GSM-Plus, CC-BY-SA-4.0), one rewritten
problem a line, with the seed it was made from. A query is a seed; its gold is the rewriting called "problem
understanding", the same problem in other words. "distraction insertion" is left out: it asks the same question too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from askance.core.errors import FileProblem
from askance.data.collection import Collection, Decoys, Documents, Queries, Role, Roles, Tier
from askance.data.formats.lines import read_json_lines, required
from askance.data.ids import Ids
from askance.data.judgments import Judgments

PROBLEMS = "gsm_plus/gsmplus_testmini.jsonl"

GOLD_TYPE = "problem understanding"
LEFT_OUT_TYPE = "distraction insertion"
NEAR_MISS_TYPES = (
    "numerical substitution",
    "digit expansion",
    "integer-decimal-fraction conversion",
    "adding operation",
    "reversing operation",
    "critical thinking",
)
_TYPES = (*NEAR_MISS_TYPES, GOLD_TYPE, LEFT_OUT_TYPE)

PARAPHRASE = Role("paraphrase", "its paraphrase")
NEAR_MISS = Role("near-miss", "its own near miss")
ANSWER_KEPT = Role("answer-kept", "near miss that keeps the answer")
OTHER = Role("other", "another problem")

DECOYS = (
    Decoys("near-misses", "its own near misses", (NEAR_MISS.name, ANSWER_KEPT.name)),
    Decoys("answer-changed", "near misses that change the answer", (NEAR_MISS.name,)),
)

_NUMBER = re.compile(r"[-+]?(\d{1,18}(\.\d{1,18})?|\.\d{1,18})(/0*[1-9]\d{0,17})?")


@dataclass(frozen=True, slots=True)
class _Problem:
    text: str
    solution: str
    answer: str
    line: int


@dataclass(frozen=True, slots=True)
class _Seed:
    """A seed and what was made of it, by type; `id` counts seeds in file order, from 1."""

    id: str
    problem: _Problem
    rewritten: dict[str, _Problem] = field(default_factory=dict)


def load(folder: Path) -> Collection:
    """GSM-Plus under the data folder `folder`; FileProblem where the file is missing or not as published."""
    seeds = _seeds(folder / PROBLEMS)
    kept = [
        (seed, kind, problem) for seed in seeds for kind, problem in seed.rewritten.items() if kind != LEFT_OUT_TYPE
    ]
    documents = Documents(
        Ids(_document_id(seed, kind) for seed, kind, _ in kept),
        {
            **_fields([problem for _, _, problem in kept]),
            "perturbation": tuple(kind for _, kind, _ in kept),
        },
    )
    queries = Queries(Ids(seed.id for seed in seeds), _fields([seed.problem for seed in seeds]))
    roles: dict[str, dict[str, str]] = {seed.id: {} for seed in seeds}
    for seed, kind, problem in kept:
        roles[seed.id][_document_id(seed, kind)] = _role(seed, kind, problem).name
    gold = {seed.id: {_document_id(seed, GOLD_TYPE): 1.0} for seed in seeds}
    tier = Tier(
        "paraphrase",
        "its paraphrase",
        Judgments.of(queries.ids, documents.ids, gold),
        rule='the rewriting of the same problem in other words ("problem understanding")',
    )
    return Collection(
        "gsm-plus",
        documents,
        queries,
        {tier.name: tier},
        roles=Roles.of(queries.ids, documents.ids, (PARAPHRASE, NEAR_MISS, ANSWER_KEPT), roles, default=OTHER),
        decoys=DECOYS,
        origin=f"qtli/GSM-Plus, test mini, read from {folder}",
        notes={f"documents of the type {LEFT_OUT_TYPE!r}, left out": len(seeds)},
    )


def _fields(problems: list[_Problem]) -> Mapping[str, tuple[str, ...]]:
    return {
        "text": tuple(problem.text for problem in problems),
        "solution": tuple(problem.solution for problem in problems),
        "answer": tuple(problem.answer for problem in problems),
    }


def _document_id(seed: _Seed, kind: str) -> str:
    return f"{seed.id}-{kind.replace(' ', '-')}"


def _role(seed: _Seed, kind: str, problem: _Problem) -> Role:
    if kind == GOLD_TYPE:
        return PARAPHRASE
    return ANSWER_KEPT if same_answer(problem.answer, seed.problem.answer) else NEAR_MISS


def same_answer(one: str, other: str) -> bool:
    """Whether two answers are the same number ("1,000" and "1000.0", "1/2" and ".5") or the same words."""
    first, second = _number(one), _number(other)
    return one.strip() == other.strip() if first is None or second is None else first == second


def _number(answer: str) -> Fraction | None:
    plain = answer.strip().replace(",", "")
    if not _NUMBER.fullmatch(plain):
        return None
    top, _, bottom = plain.partition("/")
    return Fraction(top) / Fraction(bottom or 1)


def _seeds(path: Path) -> list[_Seed]:
    seeds: dict[str, _Seed] = {}
    for line, record in read_json_lines(path):
        kind = required(record, "perturbation_type", path, line)
        if kind not in _TYPES:
            remedy = f"Known: {', '.join(_TYPES)}."
            raise FileProblem(path, f"there is no perturbation type {kind!r}", line=line, remedy=remedy)
        given = _problem(record, "seed_", path, line)
        seed = seeds.setdefault(given.text, _Seed(f"g{len(seeds) + 1}", given))
        if (given.solution, given.answer) != (seed.problem.solution, seed.problem.answer):
            found = f"the seed has another solution or answer than on line {seed.problem.line}"
            raise FileProblem(path, found, line=line, remedy="Give a seed the same ones on all its lines.")
        if kind in seed.rewritten:
            found = f"the seed's {kind!r} occurs again; it was first on line {seed.rewritten[kind].line}"
            raise FileProblem(path, found, line=line, remedy="Keep one of each type per seed.")
        seed.rewritten[kind] = _problem(record, "", path, line)
    if not seeds:
        raise FileProblem(path, "there is no problem in it", remedy="Fetch the file again.")
    for seed in seeds.values():
        missing = [kind for kind in _TYPES if kind not in seed.rewritten]
        if missing:
            found = f"the seed of this line has no {missing[0]!r}"
            remedy = "Each seed needs all eight types: fetch the file again."
            raise FileProblem(path, found, line=seed.problem.line, remedy=remedy)
    return list(seeds.values())


def _problem(record: dict[str, object], prefix: str, path: Path, line: int) -> _Problem:
    text, solution, answer = (
        required(record, f"{prefix}{key}", path, line) for key in ("question", "solution", "answer")
    )
    return _Problem(text, solution, answer, line)
