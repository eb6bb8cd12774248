"""Alpha against its definition in exact fractions and against Krippendorff's own worked example."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askance.core.errors import UnknownName
from askance.measure.agreement.krippendorff import LEVELS, Level, alpha, coincidences
from askance.measure.agreement.table import Codes

# Four observers, twelve units, labels 1 to 5, * is none: Krippendorff's reliability data C
WORKED = ["123321412***", "1233224125*3", "*3332342251*", "12332441251*"]
PRINTED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}

JUDGES = st.integers(2, 4)
LABELS = 4


def codes_of(rows: list[str]) -> Codes:
    return np.array([[-1 if label == "*" else int(label) - 1 for label in row] for row in rows], dtype=np.int64)


def found(codes: Codes, level: Level, labels: int) -> float:
    return float(alpha(coincidences(codes, labels).sum(axis=0), level, np.arange(labels, dtype=np.float64)))


def by_definition(codes: Codes, level: Level) -> Fraction | None:
    """1 − D_o/D_e, both as means over ordered pairs of labels, counted one by one."""
    units = [[int(code) for code in unit if code >= 0] for unit in codes.T]
    units = [unit for unit in units if len(unit) > 1]
    every = [label for unit in units for label in unit]

    def apart(a: int, b: int) -> Fraction:
        if level == "nominal":
            return Fraction(int(a != b))
        if level == "interval":
            return Fraction((a - b) ** 2)
        low, high = sorted((a, b))
        between = sum(low <= label <= high for label in every)
        return (between - Fraction(every.count(a) + every.count(b), 2)) ** 2

    observed = Fraction(0)
    for unit in units:
        observed += sum((apart(a, b) for a, b in permutations(unit, 2)), Fraction(0)) / (len(unit) - 1)
    expected = sum((2 * apart(a, b) for a, b in combinations(every, 2)), Fraction(0))
    return None if expected == 0 else 1 - observed / len(every) / (expected / (len(every) * (len(every) - 1)))


@pytest.mark.parametrize("level", LEVELS)
def test_the_worked_example(level: Level) -> None:
    codes = codes_of(WORKED)
    exact = by_definition(codes, level)
    assert exact is not None
    assert round(float(exact), 3) == PRINTED[level]
    assert found(codes, level, 5) == pytest.approx(float(exact), abs=1e-12)


@st.composite
def labelled(draw: st.DrawFn) -> Codes:
    judges, items = draw(JUDGES), draw(st.integers(1, 8))
    rows = st.lists(st.integers(-1, LABELS - 1), min_size=items, max_size=items)
    return np.array(draw(st.lists(rows, min_size=judges, max_size=judges)), dtype=np.int64)


@settings(deadline=None)
@given(labelled(), st.sampled_from(LEVELS))
def test_any_labels_against_the_definition(codes: Codes, level: Level) -> None:
    exact = by_definition(codes, level)
    value = found(codes, level, LABELS)
    assert np.isnan(value) if exact is None else value == pytest.approx(float(exact), abs=1e-9)


@settings(deadline=None)
@given(labelled(), st.sampled_from(LEVELS), st.integers(0, 2**32 - 1))
def test_the_order_of_judges_and_items_means_nothing(codes: Codes, level: Level, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shuffled = codes[rng.permutation(len(codes))][:, rng.permutation(codes.shape[1])]
    assert found(shuffled, level, LABELS) == pytest.approx(found(codes, level, LABELS), abs=1e-12, nan_ok=True)


@settings(deadline=None)
@given(labelled(), st.permutations(range(LABELS)))
def test_nominal_alpha_knows_no_order_of_labels(codes: Codes, names: list[int]) -> None:
    renamed = np.where(codes >= 0, np.array(names)[codes], -1)
    assert found(renamed, "nominal", LABELS) == pytest.approx(found(codes, "nominal", LABELS), abs=1e-12, nan_ok=True)


@settings(deadline=None)
@given(labelled())
def test_the_scale_may_be_read_from_the_other_end(codes: Codes) -> None:
    turned = np.where(codes >= 0, LABELS - 1 - codes, -1)
    for level in LEVELS:
        assert found(turned, level, LABELS) == pytest.approx(found(codes, level, LABELS), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("level", LEVELS)
def test_perfect_is_one_and_independent_is_about_nought(level: Level) -> None:
    rng = np.random.default_rng(5)
    one = rng.integers(0, LABELS, 20_000)
    assert found(np.array([one, one, one]), level, LABELS) == 1.0
    assert abs(found(rng.integers(0, LABELS, (3, 20_000)), level, LABELS)) < 0.02
    assert np.isnan(found(np.zeros((3, 10), dtype=np.int64), level, LABELS))


def test_interval_alpha_reads_the_values_of_the_scale() -> None:
    codes = np.array([[0, 1, 2, 2, 0], [0, 2, 2, 1, 0]], dtype=np.int64)
    matrix = coincidences(codes, 3).sum(axis=0)
    even, far = (float(alpha(matrix, "interval", np.array(scale))) for scale in ([0.0, 1, 2], [0.0, 1, 10]))
    assert far < even
    stretched = float(alpha(matrix, "interval", np.array([5.0, 25, 45])))
    assert stretched == pytest.approx(even)


def test_an_unknown_level_names_those_there_are() -> None:
    with pytest.raises(UnknownName, match="ratio"):
        alpha(np.eye(2), "ratio", np.arange(2.0))  # type: ignore[arg-type]
