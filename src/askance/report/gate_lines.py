"""What became of a study's gates, in sentences: for the head of the page and of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askance.report.numbers import listed
from askance.report.texts import one_line
from askance.study.results import GateRecord, Results


@dataclass(frozen=True)
class GateLine:
    """A sentence; `failed`: whoever reads the figures must know it first."""

    text: str
    failed: bool


def gate_lines(results: Results) -> list[GateLine]:
    """Failed gates one by one, each with the reason it was gone past; then those skipped, then those passed."""
    failed = [gate for gate in results.gates if gate.status == "failed"]
    lines = [GateLine(_failed(gate), failed=True) for gate in failed]
    skipped = [gate for gate in results.gates if gate.status == "skipped"]
    for why in dict.fromkeys(gate.why for gate in skipped):
        lines.append(GateLine(f"Gates {one_line(why)}: {_named([g for g in skipped if g.why == why])}", failed=False))
    passed = [gate for gate in results.gates if gate.status == "passed"]
    if passed:
        lines.append(GateLine(f"Gates passed: {_named(passed)}", failed=False))
    return lines


def _failed(gate: GateRecord) -> str:
    origin = f" ({one_line(gate.origin)})" if gate.origin else ""
    said = f"Gate failed: {gate.domain}, {gate.figure}: {one_line(gate.why)}{origin}"
    return f"{said}. Gone past it, since: {one_line(gate.past)}"


def _named(gates: Sequence[GateRecord]) -> str:
    return listed([f"{gate.figure} {gate.published:g} ± {gate.tolerance:g}" for gate in gates])
