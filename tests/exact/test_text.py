"""The text of a number: the grammar, the caps, and one readable line for whatever is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import FieldError, FormatError, RelusymError
from relusym.exact.numbers import read_number, settle


def value(text: str) -> Any:
    return settle([read_number(text)])[1][0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-3/7", Fraction(-3, 7)),
        ("+5/10", Fraction(1, 2)),
        ("0.1", Fraction(1, 10)),
        ("1.5e-3", Fraction(3, 2000)),
        (".5", Fraction(1, 2)),
        ("2.", 2),
        (" + 1 / - 2 ", Fraction(-1, 2)),
        ("--1", 1),
        ("-2**2", -4),
        ("2**-1", Fraction(1, 2)),
        ("2**3**2", 512),
        ("(1/2)**(-2)", 4),
        ("1/2/2", Fraction(1, 4)),
        ("1 - 2 - 3", -4),
        ("0**0", 1),
        ("cbrt(-8)", -2),
        ("root(-32, 5)", -2),
        ("4**(3/2)", 8),
        ("sqrt(2)*sqrt(2)", 2),
        ("sqrt(2)*sqrt(3) - sqrt(6)", 0),
        ("(sqrt(2) - sqrt(2))**0", 1),
        ("sqrt(sqrt(2) - sqrt(2))", 0),
        ("root([1, -2, 1], 0)", 1),
        ("root([0, 0, 1], 0)", 0),
        ("root([4, 0, -4, 0, 1], 1) - sqrt(2)", 0),
        ("root([-6, 11, -6, 1], 2)", 3),
        ("sqrt(root([-4, 1], 0))", 2),
        ("sqrt(root([-2, 1], 0)) - sqrt(2)", 0),
        ("root(root([8, 1], 0), 3)", -2),
        ("cbrt(2 + sqrt(5)) + cbrt(2 - sqrt(5))", 1),
        ("sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3)", 0),
        ("root(8, 6) - sqrt(2)", 0),
        ("(1 + sqrt(2))**-1 + 1 - sqrt(2)", 0),
    ],
)
def test_values(text: str, expected: Fraction | int) -> None:
    assert value(text) == fmpq(Fraction(expected).numerator, Fraction(expected).denominator)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("3 - 2*sqrt(2)", 0.1715728752538099),
        ("sqrt(1 + sqrt(1 + sqrt(2)))", 1.5980531824786175),
        ("cbrt(1 - sqrt(2))", -0.7454321246472590),
        ("root([-1, -1, 0, 0, 0, 1], 0)", 1.1673039782614187),
        ("root(-2, 3)", -1.2599210498948732),
        ("2**(2/3)", 1.5874010519681994),
        ("(1 - sqrt(2))**2", 0.1715728752538099),
    ],
)
def test_irrational_values(text: str, about: float) -> None:
    number = value(text)
    low, high = number.field.enclosure(number, 60)
    assert abs(float(Fraction(int(low.p), int(low.q))) - about) < 1e-14
    assert low < number < high


@pytest.mark.parametrize(
    "text",
    ["", "   ", "+", "1 2", "1..2", "1e", "pi", "nan", "inf", "1_000", "0x10", "1j", "½", "١", "2 2", "sqrt", "sqrt(",
     "sqrt()", "root(2)", "root([],0)", "root([1,2],0", "root([1,2])", "(1", "1)", "2**sqrt(2)", "root(2, sqrt(2))",
     "root(2, 1/2)", "root([sqrt(2), 1], 0)", "__import__('os')", "sin(1)", "1;2", "1,2", "[1]", "1" + "\0",
     "(" * 100 + "1" + ")" * 100, "(" * 100_000, "**".join("2" * 200), "sqrt(" * 70 + "2" + ")" * 70],
)  # fmt: skip
def test_outside_the_grammar(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        value(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sqrt(-2)", "not real"),
        ("(-8)**(1/3)", "negative base"),
        ("(1 - sqrt(2))**(1/3)", "negative"),
        ("sqrt(1 - sqrt(2))", "negative"),
        ("1/0", "division by zero"),
        ("0**-1", "division by zero"),
        ("1/(sqrt(2) - sqrt(2))", "division by zero"),
        ("root(2, 0)", "from 1"),
        ("root([1, 0, 1], 0)", "0 distinct real roots"),
        ("root([-2, 0, 1], 2)", "2 distinct real roots"),
        ("root([-2, 0, 1], -1)", "2 distinct real roots"),
        ("root([5], 0)", "degree at least 1"),
        ("9**9**9**9", "100,000 digits"),
        ("1e999999999", "100,000"),
        ("1e-100001", "100,000"),
        ("9e100000", "100,000"),
        ("2**332194", "100,000 digits"),
        ("1/2**400000", "100,000 digits"),
        ("1" * 100_002, "100,000 digits"),
        ("10**60000 * 10**60000", "100,000 digits"),
        ("sqrt(2)**(10**5000)", "exponent"),
        ("root(2, 10**5000)", "from 1"),
        ("root([-2, 0, 1], 10**5000)", "2 distinct"),
        ("root([10**9000, 0, 1], 0)", "0 distinct"),
        ("(-10**9000)**(1/2)", "negative base"),
        ("sqrt(-10**9000)", "not real"),
        ("root(2, 65)", "degree 65; at most 64"),
        ("root(2, 99999)", "at most 64"),
        ("sqrt(2)+sqrt(3)+sqrt(5)+sqrt(7)+sqrt(11)+sqrt(13)+sqrt(17)", "degree 128; at most 64"),
        ("root([" + "1, " * 5000 + "1], 0)", "degree 5000"),
    ],
)
def test_no_number_that_is_accepted(text: str, says: str) -> None:
    with pytest.raises(FieldError, match=says) as caught:
        value(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_the_caps_are_reached_and_written_back() -> None:
    for text in ("1e100000", "-1e100000", "1e-100000", "2**332192", "9" * 100_000):
        number = value(text)
        assert read_number(str(number)) == number


def test_long_texts_need_no_deep_recursion() -> None:
    root = value("sqrt(2)")
    assert value("+".join(["sqrt(2)"] * 2000)) == 2000 * root
    assert value("*".join(["sqrt(2)"] * 2000)) == fmpq(2) ** 1000
    assert value("/".join(["sqrt(2)"] * 2001)) * root == fmpq(2) ** -999


@pytest.mark.parametrize(
    "text",
    ["sqrt(10**20000 + 1)", "root([-10**20000 - 1, 0, 0, 1], 0)", "root([-1, 10**20000, 1], 0)", "root(10**9999+3, 7)"],
)
def test_large_coefficients_read_back(text: str) -> None:
    number = value(text)
    assert value(number.field.text(number)) == number


_DIGITS = st.integers(0, 9).map(lambda digit: (str(digit), f"F({digit})"))
_DECIMALS = st.sampled_from([("0.5", "F('0.5')"), ("1e2", "F('1e2')"), (".25", "F('.25')")])
_OPERATORS = st.sampled_from(["+", "-", "*", "/", "**"])


def _joined(parts: tuple[tuple[str, str], str, tuple[str, str]]) -> tuple[str, ...]:
    left, operator, right = parts
    return tuple(operator.join(pair) for pair in zip(left, right, strict=True))


_TEXTS = st.recursive(
    _DIGITS | _DECIMALS,
    lambda inner: (
        st.tuples(inner, _OPERATORS, inner).map(_joined)
        | inner.map(lambda pair: tuple(map("({})".format, pair)))
        | inner.map(lambda pair: tuple(map("-{}".format, pair)))
    ),
    max_leaves=6,
)


@given(_TEXTS)
def test_rational_texts_agree_with_python(texts: tuple[str, str]) -> None:
    """Python's own grammar with its fractions is the oracle; where a power is irrational it has no say."""
    ours, theirs = texts
    try:
        expected = eval(theirs, {"F": Fraction})
    except (ZeroDivisionError, OverflowError):
        with pytest.raises(RelusymError):
            value(ours)
    else:
        if isinstance(expected, Fraction):
            assert value(ours) == fmpq(expected.numerator, expected.denominator)


@given(st.text(alphabet="0123456789.eE+-*/()[], sqrtcb", max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        number = value(text)
    except RelusymError as error:
        lines = str(error).splitlines()
        assert len(lines) == 1
    else:
        assert value(str(number)) == number


@pytest.mark.ground_types
@pytest.mark.parametrize("text", ["sqrt(2)", "cbrt(1 - sqrt(2))", "root([-1, -1, 0, 1], 0)", "sqrt(2)*cbrt(5) - 1/3"])
def test_sympy_form_has_the_value(text: str) -> None:
    number = value(text)
    low, _ = number.field.enclosure(number, 120)
    assert abs(sympy.N(number.field.sympy(number), 35) - sympy.Rational(int(low.p), int(low.q))) < sympy.Rational(
        1, 10**30
    )
