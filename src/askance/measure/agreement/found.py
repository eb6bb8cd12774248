"""What a comparison of label sets found, and its machine form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from askance.core.estimate import Estimate
from askance.data.problems import Problem
from askance.measure.agreement.audit import Audit
from askance.measure.agreement.compare import Agreement, Compared
from askance.measure.agreement.system_orders import OrderAgreement
from askance.measure.agreement.table import Column


@dataclass(frozen=True)
class Systems:
    """The orders of systems under each label set against gold's.

    `orders`: label set → agreement; `unanswered`: label set → queries that it judges and no run answers. `problems`:
    run → what is odd about it.
    """

    measure: str
    runs: tuple[str, ...]
    orders: Mapping[str, OrderAgreement]
    unanswered: Mapping[str, int]
    problems: Mapping[str, tuple[Problem, ...]]


@dataclass(frozen=True)
class AgreementFound:
    """What `agree` found. `agreement` None: only audits were asked for; `systems` None: no runs were given."""

    agreement: Agreement | None
    systems: Systems | None
    audits: tuple[Audit, ...]

    def record(self) -> dict[str, object]:
        """The machine form."""
        audits = [
            {"name": audit.name, "errors": audit.errors, "n": audit.n, "error_rate": audit.error_rate.record()}
            for audit in self.audits
        ]
        found: dict[str, object] = {"schema": "askance/agree/1"}
        if self.agreement is not None:
            found |= _agreement_record(self.agreement, self.systems)
        return {**found, "audits": audits}


def _agreement_record(agreement: Agreement, systems: Systems | None) -> dict[str, object]:
    table = agreement.table
    gold = table.gold
    found: dict[str, object] = {
        "scale": list(table.scale),
        "scale_from": table.scale_from,
        "pairs": len(table.items),
        "queries": len(table.queries),
        "resampled": agreement.resampling.over,
        "weights": agreement.weights,
        "gold": {"name": gold.name, "path": gold.path, "labels": gold.labels, **_counts(gold)} if gold else None,
        "sets": [_set_record(one, systems) for one in agreement.sets],
        "together": _records(agreement.together),
        "with_gold": _records(agreement.with_gold) or None,
        "outliers": [one.column.name for one in agreement.outliers],
    }
    if systems is not None:
        found["systems"] = {
            "measure": systems.measure,
            "runs": list(systems.runs),
            "unanswered": dict(systems.unanswered),
            "problems": {name: [each.record() for each in found] for name, found in systems.problems.items()},
        }
    return found


def _set_record(one: Compared, systems: Systems | None) -> dict[str, object]:
    column, standing = one.column, one.standing
    found: dict[str, object] = {
        "name": column.name,
        "path": column.path,
        "labels": column.labels,
        **_counts(column),
        "against_gold": _records(one.with_gold) or None,
        "with_others": standing.with_others.record(),
        "below_fence": standing.below_fence.record(),
        "stands_apart": standing.stands_apart,
    }
    if systems is not None:
        order = systems.orders[column.name]
        figures = {"tau": order.tau, "tau_b": order.tau_b, "rbo": order.rbo}
        found["orders"] = {"systems": order.systems, "p": order.p, **_records(figures)}
    return found


def _counts(column: Column) -> dict[str, object]:
    """What of a label set is not compared, and why; labels off the scale one by one."""
    return {
        "counts": {
            "repeated": column.repeated,
            "contradictory": column.contradictory,
            "unknown": column.unknown,
            "missing": column.missing,
            "off_scale": len(column.off_scale),
        },
        "off_scale": [
            {"line": row.line, "query": row.query, "document": row.document, "label": row.label}
            for row in column.off_scale
        ],
    }


def _records(figures: Mapping[str, Estimate]) -> dict[str, object]:
    return {name.replace(" ", "_"): estimate.record() for name, estimate in figures.items()}
