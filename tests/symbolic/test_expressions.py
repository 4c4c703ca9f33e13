"""Expressions as networks and back, canonical simplification, and refusals."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce as fold
from operator import ge, gt, le, lt, mul
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Abs,
    Add,
    And,
    Eq,
    Expr,
    Float,
    Function,
    Heaviside,
    I,
    Integer,
    Matrix,
    Max,
    Min,
    Mul,
    Ne,
    Not,
    Or,
    Piecewise,
    Rational,
    Symbol,
    conjugate,
    exp,
    false,
    floor,
    pi,
    sign,
    sin,
    sqrt,
    symbols,
    true,
)

from relusym import FieldError, FormatError, Network, RelusymError, ShapeError, equal, load, prove_equal, simplify
from relusym.symbolic.expressions import network_from_sympy, network_to_sympy

X = x, y, z = symbols("x y z", real=True)
small = st.integers(-2, 2)
points = st.lists(st.fractions(-4, 4, max_denominator=3), min_size=3, max_size=3)


def linear(inputs: int) -> st.SearchStrategy[Expr]:
    coefficients = st.lists(small, min_size=inputs + 1, max_size=inputs + 1)
    return coefficients.map(lambda c: sum((a * s for a, s in zip(c, X, strict=False)), Rational(c[-1], 2)))


def nested(inputs: int) -> st.SearchStrategy[Expr]:
    def deeper(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        pair = st.tuples(inner, inner)
        return st.one_of(
            st.tuples(inner, inner, inner).map(lambda t: Max(*t)),
            pair.map(lambda t: Max(*t)),
            pair.map(lambda t: Min(*t)),
            inner.map(Abs),
            st.tuples(pair, small).map(lambda t: t[0][0] + t[1] * t[0][1]),
        )

    # a Piecewise stands outside the others: SymPy is slow, and may recurse without end, where it is inside them
    pieces = st.tuples(linear(inputs), linear(inputs)).map(
        lambda t: Piecewise((t[0], t[0] >= t[1]), (t[1], True), evaluate=False)
    )
    plain = st.recursive(linear(inputs), deeper, max_leaves=4)
    return st.tuples(plain, small, pieces).map(lambda t: t[0] + t[1] * t[2])


def value(expression: Any, point: list[Any]) -> Fraction:
    """The value at a rational point, by the definitions alone."""
    known = {s: Fraction(p) for s, p in zip(X, point, strict=True)}

    def holds(condition: Any) -> bool:
        if isinstance(condition, And):
            return all(map(holds, condition.args))
        if condition in (true, false):
            return condition is true
        compare = {">": gt, ">=": ge, "<": lt, "<=": le}[condition.rel_op]
        return bool(compare(at(condition.lhs), at(condition.rhs)))

    def at(e: Any) -> Fraction:
        match e:
            case int() | Rational():
                return Fraction(int(e.numerator), int(e.denominator))
            case Symbol():
                return known[e]
            case Add():
                return sum(map(at, e.args), Fraction(0))
            case Mul():
                return fold(mul, map(at, e.args))
            case Max():
                return max(map(at, e.args))
            case Min():
                return min(map(at, e.args))
            case Abs():
                return abs(at(e.args[0]))
            case Piecewise():
                return next(at(piece) for piece, condition in e.args if holds(condition))
        raise AssertionError(e)

    return at(expression)


def fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))


@settings(max_examples=40)
@given(st.integers(1, 3).flatmap(nested), points)
def test_networks_and_simplified_expressions_have_the_values_of_the_expression(expr: Expr, point: list[Any]) -> None:
    f = network_from_sympy(expr, X)
    expected = value(expr, point)
    assert fraction(f(point)[0]) == expected
    assert value(network_to_sympy(f, X)[0], point) == expected
    assert value(simplify(expr), point) == expected


@settings(max_examples=30)
@given(nested(1), nested(1))
def test_functions_of_one_variable_have_one_form(first: Expr, second: Expr) -> None:
    """However deep: two expressions are equal exactly where their canonical forms are, and differ at a witness else."""
    decision = prove_equal(first, second)
    assert decision.truth is (simplify(first) == simplify(second))
    assert simplify(simplify(first)) == simplify(first)
    if decision.assignment is not None:
        point = [fraction(decision.assignment.get(x, Integer(0))), 0, 0]
        assert value(first, point) != value(second, point)


@given(st.lists(st.tuples(small, linear(2)), min_size=1, max_size=4), linear(2))
def test_shallow_expressions_have_one_form(terms: list[tuple[int, Expr]], rest: Expr) -> None:
    expr = sum((c * Max(0, h) for c, h in terms), rest)
    disguised = sum((c * (Abs(2 * h) + 2 * h) / 4 for c, h in reversed(terms)), rest)
    assert simplify(expr) == simplify(disguised)
    assert network_from_sympy(expr, X).depth <= 1


@settings(max_examples=25)
@given(st.lists(linear(2), min_size=2, max_size=4), points)
def test_piecewise_of_several_forms(forms: list[Expr], point: list[Any]) -> None:
    """The maximum as a Piecewise over comparisons that cross in the plane."""
    pieces = []
    for index, form in enumerate(forms[:-1]):
        pieces.append((form, And(*(form >= other for other in forms[index + 1 :]))))
    expr = Piecewise(*pieces, (forms[-1], True), evaluate=False)
    assert fraction(network_from_sympy(expr, X)(point)[0]) == value(expr, point)


def test_names_of_the_same_function() -> None:
    forms = [
        Max(x, y),
        (x + y + Abs(x - y)) / 2,
        -Min(-x, -y),
        Piecewise((x, x > y), (y, True)),
        Piecewise((y, Not(x > y)), (x, True)),
        Piecewise((y, Or(x < y, Eq(x, y))), (x, True)),
        Piecewise((x, Ne(x, y) & (x > y)), (y, True)),
        Piecewise((y, x < y), (7 * x - 6 * y, Eq(x, y)), (x, True)),
        (x + y + sqrt((x - y) ** 2)) / 2,
    ]
    assert len({simplify(form) for form in forms}) == 1


@pytest.mark.parametrize("constant", [-3, Rational(2, 7), sqrt(2)])
def test_the_last_piece_may_be_a_number_that_stands_nowhere_else(constant: Any) -> None:
    expr = Piecewise((x + constant, x >= 0), (constant, True))
    assert simplify(expr) == Max(0, x) + constant


@pytest.mark.parametrize(
    ("expr", "widths"),
    [
        (Max(0, x - y) + 2 * Max(0, 3 * y - 1), (3, 2, 1)),
        (Abs(x), (3, 2, 1)),
        (Max(x, y), (3, 3, 1)),
        (x + y, (3, 1)),
        (Integer(3), (3, 1)),
        (Max(0, Max(0, x)), (3, 1, 1)),
        (Max(x, y, z), (3, 5, 4, 1)),
        (Max(0, x + Max(0, y)), (3, 3, 1, 1)),
    ],
)
def test_widths(expr: Expr, widths: tuple[int, ...]) -> None:
    assert network_from_sympy(expr, X).widths == widths


def test_complex_symbols_stand_for_real_numbers() -> None:
    """SymPy rewrites the absolute value of a function of complex symbols."""
    t = Symbol("t")
    half = t + Rational(1, 2)
    expr = Abs(Max(Rational(-1, 2), Piecewise((half, half >= -half), (-half, True), evaluate=False)))
    assert expr.has(conjugate)
    assert simplify(expr) == simplify(Abs(half))


def test_several_outputs_share_units() -> None:
    f = network_from_sympy(Matrix([Max(0, x), 2 * Max(0, x) + 1, x]), [x])
    assert f.widths == (1, 3, 3)
    assert f([-2]) == (0, 1, -2)


@pytest.mark.parametrize("name", ["theta1", "theta2", "example1-row2", "dead-constant", "cancelling"])
def test_networks_come_back(name: str) -> None:
    f = load(f"example:{name}")
    variables = symbols(f"t:{f.widths[0]}")
    back = network_from_sympy(network_to_sympy(f, variables), variables)
    assert equal(f, back).truth


def test_deep_networks_with_constant_neurons_come_back() -> None:
    f = Network([([[1], [0]], [0, 2]), ([[1, 3], [0, -1]], [0, 1]), ([[1, 5]], ["sqrt(2)"])])
    (expr,) = network_to_sympy(f, [x])
    assert expr == Max(0, Max(0, x) + 6, evaluate=False) + sqrt(2)
    assert expr.subs(x, 3) == 9 + sqrt(2)
    assert network_from_sympy(expr, [x])([1]) == f([1])


def test_algebraic_coefficients_are_decided_here() -> None:
    assert simplify(Max(0, (1 - sqrt(2)) * x) - (sqrt(2) - 1) * Max(0, -x)) == 0
    assert simplify(Max(0, (3 - sqrt(2)) * x)) == (3 - sqrt(2)) * Max(0, x)
    nearly = Rational(141421356237309504880168872420969807856967187537694, 10**50)
    assert simplify(Max(0, x - sqrt(2)) - Max(0, x - nearly)) != 0
    assert simplify(Float("0.5") * Abs(x)) == simplify(Abs(x) / 2)


def test_constants_without_symbols() -> None:
    assert simplify(3) == 3
    assert simplify(Abs(sqrt(2) - 2, evaluate=False)) == 2 - sqrt(2)
    assert simplify(Max(1, sqrt(2), evaluate=False) * x) == sqrt(2) * x


def test_simplify_of_nested_functions_of_several_variables() -> None:
    assert simplify(Max(x + 1, y + 1, z + 1) - Max(x, y, z)) == 1
    assert simplify(2 * Max(x, y, z) - Max(2 * x, 2 * y, 2 * z)) == 0
    assert simplify(Abs(Abs(x) + Abs(y)) - Abs(x)) == simplify(Abs(y))


@pytest.mark.parametrize(
    ("expr", "named"),
    [
        (x + x * y, r"x\*y is a product of functions"),
        (Max(0, x**2), r"x\*\*2 is not piecewise linear"),
        (3 + Max(0, sin(x)), r"sin\(x\) is not piecewise linear"),
        (Heaviside(x) * x, r"Heaviside\(x\) is not piecewise linear"),
        (floor(x) + x, r"floor\(x\) is not piecewise linear"),
        (sign(x), r"sign\(x\) is not piecewise linear"),
        (1 / x, "1/x is not piecewise linear"),
        (Function("f")(x), r"f\(x\) is not piecewise linear"),
        (Max(x, Piecewise((1, x > 0), (0, True))), r"Piecewise\(\(1, x > 0\), \(0, True\)\) jumps"),
        (Piecewise((x, x < 0), (5, Eq(x, 0)), (0, True)), "jumps"),
        (Piecewise((x, x > 0), (y, True)), "jumps"),
        (Piecewise((x, (x > 0) & (y > 0)), (0, True)), "jumps"),
        (Piecewise((Abs(y), x > 0), (y, True)), "jumps"),
        (Piecewise((x, x > 0)), "has no value at some points"),
        (Piecewise((x, x * y > 0), (0, True)), "is a product of functions"),
        (Piecewise((x, Abs(x) > 1), (1, True)), "which is not linear"),
        (Max(0, x + Symbol("t")), "t is not among the symbols"),
        ("x", "a SymPy expression is due"),
        (x > 0, "a SymPy expression is due"),
    ],
)
def test_what_is_not_piecewise_linear_is_named(expr: Any, named: str) -> None:
    with pytest.raises(FormatError, match=named) as caught:
        network_from_sympy(expr, [x, y])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("expr", [pi * x, Max(0, x + exp(1)), I * x, Max(0, x) + sqrt(-2), x + Float("nan")])
def test_numbers_that_are_no_real_algebraic_numbers(expr: Any) -> None:
    with pytest.raises(FieldError):
        network_from_sympy(expr, [x])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "at least one input"),
        ([x, x], "given twice"),
        (["x"], "a SymPy symbol for each input is due"),
        ([Symbol("x", imaginary=True)], "declared not to be real"),
    ],
)
def test_symbols_are_checked(given: Any, message: str) -> None:
    with pytest.raises(RelusymError, match=message):
        network_from_sympy(Integer(1), given)


def test_symbols_of_a_network_are_checked() -> None:
    f = load("example:theta1")
    with pytest.raises(ShapeError, match="1 symbols are given; the network has 2 inputs"):
        network_to_sympy(f, [x])
    assert network_to_sympy(f, [x + y, x])[0].free_symbols == {x, y}


def test_nested_piecewise_with_one_condition() -> None:
    inner = Piecewise((x, x > 0), (0, True))
    outer = Piecewise((inner - y, y > 0), (inner, True))
    f = network_from_sympy(outer, [x, y])
    for a in range(-2, 3):
        for b in range(-2, 3):
            assert f([a, b]) == (outer.subs({x: a, y: b}),)
    bent = Piecewise((Abs(x), y > 0), (Abs(x + y), True))
    g = network_from_sympy(bent, [x, y])
    for a in range(-2, 3):
        for b in range(-2, 3):
            assert g([a, b]) == (bent.subs({x: a, y: b}),)


def test_too_many_conditions_are_refused() -> None:
    pieces = [(Max(x, y), x > i * y + i) for i in range(1, 12)]
    with pytest.raises(FormatError, match="at most 10"):
        network_from_sympy(Piecewise(*[(x, c) for _, c in pieces], (x, y > 0), (y, True)), [x, y])
    with pytest.raises(FormatError, match="not linear, and conditions on more than one"):
        network_from_sympy(Piecewise((Abs(x), (x > 0) & (y > 0)), (Abs(x), True), evaluate=False), [x, y])
