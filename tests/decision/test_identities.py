"""Identities between expressions under assumptions, proved or refuted with witnesses that replay."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import (
    Abs,
    And,
    Contains,
    Eq,
    Integer,
    Interval,
    Max,
    Min,
    Ne,
    Piecewise,
    Q,
    Rational,
    Symbol,
    oo,
    sqrt,
    symbols,
)

from relusym import DomainError, FormatError, check, prove_equal

x, y, z, w = symbols("x y z w")
positive, negative = Symbol("p", positive=True), Symbol("n", nonpositive=True)

IDENTITIES: list[tuple[Any, Any, Any]] = [
    (Max(0, x) - Max(0, -x) - x, 0, None),
    (Max(0, x) - Max(0, -x), x, None),
    (Abs(x - y), Abs(y - x), None),
    (Max(2 * x, 2 * y), 2 * Max(x, y), None),
    (Max(x, y) + Min(x, y), x + y, None),
    (Max(x, y) - Min(x, y), Abs(x - y), None),
    (Max(x + z, y + z), Max(x, y) + z, None),
    (Min(Max(x, 0), 1), Max(0, x) - Max(0, x - 1), None),
    (Max(Min(x, 1), 0), Min(Max(x, 0), 1), None),
    (Abs(Abs(x) - 1), Max(x - 1, -x - 1, Min(1 - x, 1 + x)), None),
    (Max(x, y, z) + w, Max(x + w, y + w, z + w), None),
    (3 * Max(x, y, z), Max(3 * x, 3 * y, 3 * z), None),
    (Max(0, sqrt(2) * x), sqrt(2) * Max(0, x), None),
    (Max(0, (1 - sqrt(2)) * x), (sqrt(2) - 1) * Max(0, -x), None),
    (Piecewise((-x, x < 0), (x, x < 1), (2 * x - 1, True)), Abs(x) + Max(0, x - 1), None),
    (Piecewise((x, (x >= y) & (x >= z)), (y, y >= z), (z, True)), Max(x, y, z), None),
    (Abs(x), x, x >= 0),
    (Abs(x), x, x > 0),
    (Abs(x), x, Q.positive(x)),
    (Abs(x) + Abs(y), x - y, [Q.nonnegative(x), Q.nonpositive(y)]),
    (Abs(x) + Abs(y), x - y, And(x > 0, y < 0)),
    (Max(0, x + y - 2), 0, {x: (0, 1), y: (0, 1)}),
    (Max(0, x + y), x + y, {"x": (0, None), y: Interval(0, oo)}),
    (Max(0, x) - Max(0, x - 1), 1, {x: (1, None)}),
    (Max(x, Rational(1, 2)), x, Contains(x, Interval(Rational(1, 2), 3))),
    (Max(x, y), 2, Eq(x, 2) & (y <= 2)),
    (Max(x, sqrt(2)), sqrt(2), x <= sqrt(2)),
    (Abs(positive), positive, None),
    (Max(positive, negative), positive, None),
    (Integer(2), Max(1, 2), None),
    (Max(x, 0), x, 0 <= x),
    (Abs(x), x, {x: ("1/3", "1/2")}),
]


@pytest.mark.parametrize(("left", "right", "assumptions"), IDENTITIES)
def test_proved(left: Any, right: Any, assumptions: Any) -> None:
    decision = prove_equal(left, right, assumptions)
    assert decision.truth is True
    assert decision.assignment is None
    assert check(decision.certificate, *decision.networks)
    shifted = prove_equal(left, right + Rational(1, 10**9), assumptions)
    assert shifted.truth is False


@pytest.mark.parametrize(
    ("left", "right", "assumptions"),
    [
        (Max(0, x) + Max(0, y), Max(0, x + y), None),
        (Abs(x + y), Abs(x) + Abs(y), None),
        (Abs(Abs(x) - 1), Abs(x) - 1, None),
        (Max(x, y, z), Max(x, y), None),
        (Max(0, x - sqrt(2)), Max(0, x - Rational(14142135623730950488, 10**19)), None),
        (Abs(x), -x, x > 0),
        (Abs(x), -x, And(x > 0, x < Rational(1, 10**6))),
        (Max(x, 1), x, {x: (0, 1)}),
        (Max(x, y), x, And(x > 0, y > 0, x < 1, y < 1)),
        (Max(x, positive), x, None),
        (Max(x, y) + Abs(z), Max(x, y) + z, x > 3),
    ],
)
def test_refuted_within_the_assumptions(left: Any, right: Any, assumptions: Any) -> None:
    decision = prove_equal(left, right, assumptions)
    assert decision.truth is False
    assert decision.verdict == "different"
    values = decision.assignment
    assert values is not None
    assert left.subs(values, simultaneous=True) != right.subs(values, simultaneous=True)
    assert check(decision.certificate, *decision.networks)
    if isinstance(assumptions, dict):
        assert all(low <= values[symbol] <= high for symbol, (low, high) in assumptions.items())
    elif assumptions is not None:
        assert assumptions.subs(values) == True  # noqa: E712 - SymPy's true
    assert all(values[symbol] > 0 for symbol in values if symbol.is_positive)
    assert "different" in decision.explain()


@pytest.mark.parametrize(
    ("assumptions", "error", "message"),
    [
        (And(x > 0, x < 0), DomainError, "contradict each other"),
        ({x: (2, 1)}, DomainError, "contradict each other"),
        ([x > y, y > x], DomainError, "contradict each other"),
        (False, DomainError, "are False"),
        (x**2 > 1, FormatError, r"x\*\*2 is not piecewise linear"),
        (Abs(x) < 1, FormatError, r"the assumption Abs\(x\) < 1 is not linear"),
        (Ne(x, 1), FormatError, "is not read"),
        (Q.prime(x), FormatError, "is not read"),
        ("x > 0", FormatError, "is not read"),
        ({x: 3}, FormatError, "a pair"),
        ({Symbol("k", integer=True): (0, 1)}, FormatError, "declared to be an integer"),
    ],
)
def test_assumptions_are_checked(assumptions: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        prove_equal(Abs(x), x, assumptions)
    assert "\n" not in str(caught.value)


def test_symbols_come_by_name() -> None:
    decision = prove_equal(Max(y, x), y, z >= 0)
    assert decision.symbols == (x, y, z)
    assert list(decision.assignment or {}) == [x, y, z]
