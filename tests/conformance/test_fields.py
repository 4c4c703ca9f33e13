"""One suite for every field: a new field is tested by adding a line to FIELDS.

Oracles: Python's fractions where values are rational, mpmath at 60 digits for signs, order and values, SymPy's minimal
polynomials for identities.
"""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import pytest
import sympy as sp
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relusym.exact.field import QQ, Field
from relusym.exact.number_field import AlgebraicNumber, NumberField
from relusym.exact.numbers import read_number, settle
from relusym.exact.tower import common_tower

pytestmark = pytest.mark.ground_types
DIGITS = 60


class Example(NamedTuple):
    """A field, elements that generate it, and their values by mpmath."""

    field: Field
    atoms: list[Any]
    values: list[Any]


def real_root(coefficients: list[int], guess: float) -> Any:
    return mpmath.findroot(lambda t: mpmath.polyval(coefficients[::-1], t), guess)


with mpmath.workdps(2 * DIGITS):
    _ORACLES: dict[str, list[tuple[str, Any]]] = {
        "Q": [],
        "Q(sqrt 2)": [("sqrt(2)", mpmath.sqrt(2))],
        "Q(2^(1/3))": [("cbrt(2)", mpmath.cbrt(2))],
        "Q(sqrt 2, sqrt 3)": [("sqrt(2)", mpmath.sqrt(2)), ("sqrt(3)", mpmath.sqrt(3))],
        "Q(root of t^5 - t - 1)": [("root([-1, -1, 0, 0, 0, 1], 0)", real_root([-1, -1, 0, 0, 0, 1], 1.17))],
        "Q(middle root of t^3 - 3t + 1)": [("root([1, -3, 0, 1], 1)", real_root([1, -3, 0, 1], 0.35))],
        "Q(sqrt(1 + sqrt 2))": [("sqrt(1 + sqrt(2))", mpmath.sqrt(1 + mpmath.sqrt(2)))],
        "Q((1 + sqrt 5)/2)": [("root([-1, -1, 1], 1)", (1 + mpmath.sqrt(5)) / 2)],
    }


def example(name: str) -> Example:
    texts, values = [text for text, _ in _ORACLES[name]], [value for _, value in _ORACLES[name]]
    tower, atoms = settle(map(read_number, texts))
    return Example(tower.field, atoms, values)


FIELDS = {name: example(name) for name in _ORACLES}
coefficients = st.fractions(min_value=-9, max_value=9, max_denominator=9)


@pytest.fixture(params=FIELDS, scope="module")
def made(request: pytest.FixtureRequest) -> Example:
    return FIELDS[request.param]


def element(draw: st.DataObject, made: Example, label: str = "element") -> tuple[Any, Any]:
    """Draw an element with its value: a polynomial in the atoms."""
    total, value = made.field.rational(fmpq(0)), mpmath.mpf(0)
    terms = [(made.field.rational(fmpq(1)), mpmath.mpf(1))]
    for atom, number in zip(made.atoms, made.values, strict=True):
        terms += [(a * atom, v * number) for a, v in terms]
        terms.append((atom * atom, number * number))
    for term, number in terms:
        c = draw.draw(coefficients, label)
        total = total + term * fmpq(c.numerator, c.denominator)
        value += number * c.numerator / c.denominator
    return total, value


def exactly(field: Field, number: Any) -> Any:
    """Return the value at DIGITS digits, from an enclosure."""
    low, high = field.enclosure(number, 4 * DIGITS)
    assert low <= high
    assert high - low <= fmpq(1, 2 ** (4 * DIGITS))
    return mpmath.mpf(int(low.p)) / int(low.q)


quick = settings(max_examples=15)


@quick
@given(st.data())
def test_ring_laws(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        (a, _), (b, _), (c, _) = (element(data, made) for _ in range(3))
    zero, one = made.field.rational(0), made.field.rational(1)
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert a - b == -(b - a)
    assert a + zero == a == a * one
    assert a - a == zero == a * 0
    if b != zero:
        assert a / b * b == a
        assert 1 / b * b == one
        assert b / b == 1
    assert 2 + a - 2 == a == 3 * a / 3
    assert bool(a) is (a != zero)


def test_division_by_zero(made: Example) -> None:
    with pytest.raises(ZeroDivisionError):
        _ = made.field.rational(1) / made.field.rational(0)


@quick
@given(st.data())
def test_values_against_mpmath(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        (a, x), (b, y) = element(data, made), element(data, made)
        for number, value in ((a + b, x + y), (a * b, x * y), (a - b, x - y), (abs(a), abs(x))):
            assert mpmath.almosteq(exactly(made.field, number), value, mpmath.mpf(10) ** -DIGITS)
        if abs(y) > 1e-20:
            assert mpmath.almosteq(exactly(made.field, a / b), x / y, mpmath.mpf(10) ** (20 - DIGITS))


@quick
@given(st.data())
def test_order_against_mpmath(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        (a, x), (b, y) = element(data, made), element(data, made)
        gap = x - y
        sign = 0 if abs(gap) < mpmath.mpf(10) ** -DIGITS else int(mpmath.sign(gap))
    assert made.field.sign(a - b) == sign
    assert (a < b, a == b, a > b) == (sign < 0, sign == 0, sign > 0)
    assert (a <= b, a >= b, a != b) == (sign <= 0, sign >= 0, sign != 0)
    assert made.field.sign(abs(a)) >= 0


@quick
@given(st.data(), st.integers(1, 40))
def test_sign_of_small_differences(made: Example, data: st.DataObject, power: int) -> None:
    """Numbers beside an enclosure's ends: the sign is proved where floats see nothing."""
    with mpmath.workdps(2 * DIGITS):
        a, _ = element(data, made)
    low, high = made.field.enclosure(a, 8 * power)
    tiny = fmpq(1, 10**300)
    assert made.field.sign(a - (low - tiny)) == 1
    assert made.field.sign(a - (high + tiny)) == -1


@quick
@given(coefficients, coefficients)
def test_rational_elements_against_fractions(made: Example, x: Fraction, y: Fraction) -> None:
    field = made.field
    a, b = (field.rational(fmpq(v.numerator, v.denominator)) for v in (x, y))
    for number, value in ((a + b, x + y), (a * b, x * y), (a - b, x - y)):
        assert field.to_rational(number) == fmpq(value.numerator, value.denominator)
        assert field.identity(number) == (value.numerator, value.denominator)
        assert field.text(number) == str(value)
        assert field.sympy(number) == sp.Rational(value.numerator, value.denominator)
        assert hash(number) == hash(fmpq(value.numerator, value.denominator))
    assert (a < b) is (x < y)


@quick
@given(st.data())
def test_text_reads_back(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        a, _ = element(data, made)
    _, [back] = settle([read_number(made.field.text(a))])
    assert QQ.identity(back) == made.field.identity(a) if isinstance(back, fmpq) else back == a


@quick
@given(st.data())
def test_sympy_form_reads_back_with_its_value(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        a, x = element(data, made)
    form = made.field.sympy(a)
    with mpmath.workdps(DIGITS):
        assert mpmath.almosteq(mpmath.mpmathify(sp.N(form, 40)), x, mpmath.mpf(10) ** -35, mpmath.mpf(10) ** -35)
    tower, [back] = settle([read_number(form)])
    assert tower.field.identity(back) == made.field.identity(a)


@settings(max_examples=6)
@given(st.data())
def test_identity_is_the_minimal_polynomial_and_the_root(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        a, x = element(data, made)
        name = made.field.identity(a)
        if made.field.to_rational(a) is not None:
            assert len(name) == 2
            return
        *polynomial, index = name
        roots = mpmath.polyroots(polynomial[::-1], maxsteps=500, extraprec=800)
        real = sorted(root.real for root in roots if abs(root.imag) < mpmath.mpf(10) ** -DIGITS)
        assert mpmath.almosteq(real[index], x, mpmath.mpf(10) ** (20 - DIGITS))
    t = sp.Symbol("t")
    factor = sp.Poly(list(reversed(polynomial)), t)
    assert factor.is_irreducible
    assert (factor.LC() > 0, factor.content()) == (True, 1)
    assert made.field.degree % factor.degree() == 0


@quick
@given(st.data())
def test_equality_and_hash_across_fields(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        a, _ = element(data, made)
    assume(made.field.degree <= 5)
    _, [foreign] = settle([read_number("sqrt(7)")])
    tower = common_tower([foreign.field, made.field])
    image = tower.embedding(made.field)(a)
    assert tower.field.identity(image) == made.field.identity(a)
    assert hash(image) == hash(a)
    assert image == a
    assert made.field.key(a) == made.field.key(a + 0)


@quick
@given(st.data())
def test_embeddings_respect_operations_and_order(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        (a, _), (b, _) = element(data, made), element(data, made)
    _, [foreign] = settle([read_number("cbrt(5)")])
    tower = common_tower([made.field, foreign.field])
    embed = tower.embedding(made.field)
    assert embed(a) + embed(b) == embed(a + b)
    assert embed(a) * embed(b) == embed(a * b)
    assert (embed(a) < embed(b)) is bool(a < b)
    assert tower.field.degree == 3 * made.field.degree


@quick
@given(st.data())
def test_coordinates_are_linear(made: Example, data: st.DataObject) -> None:
    with mpmath.workdps(2 * DIGITS):
        (a, _), (b, _) = element(data, made), element(data, made)
    field = made.field
    sums = [x + y for x, y in zip(field.coordinates(a), field.coordinates(b), strict=True)]
    assert field.coordinates(a + b) == sums
    assert len(sums) == field.degree


def test_copies(made: Example) -> None:
    field = pickle.loads(pickle.dumps(made.field))
    for atom in [made.field.rational(fmpq(2, 3)), *made.atoms]:
        if isinstance(atom, AlgebraicNumber):
            copied = pickle.loads(pickle.dumps(atom))
            assert (copied, hash(copied), copied.field) == (atom, hash(atom), field)
    assert field == made.field
    assert field is QQ or isinstance(field, NumberField)


def test_numbers_of_different_fields_do_not_mix_silently() -> None:
    _, [a] = settle([read_number("sqrt(2)")])
    _, [b] = settle([read_number("sqrt(3)")])
    for mix in (lambda: a + b, lambda: a * b, lambda: a < b, lambda: a / b):
        with pytest.raises(TypeError, match="different fields"):
            mix()
    assert a != b
    with pytest.raises(TypeError):
        _ = a + 0.5
    assert a != 0.5
    assert a != "sqrt(2)"


@pytest.mark.parametrize(
    ("left", "right", "sign"),
    [
        ("3 - 2*sqrt(2)", "0", 1),
        ("3 - sqrt(2)", "0", 1),
        ("sqrt(2)*sqrt(3)", "sqrt(6)", 0),
        ("sqrt(2) + sqrt(3)", "sqrt(5 + 2*sqrt(6))", 0),
        ("sqrt(2)", "1414213562373095048801688724209698078569671875376948073176679737990732478462/10**75", 1),
        ("sqrt(10**40 + 1)", "10**20", 1),
        ("sqrt(2) + 1e-300", "sqrt(2)", 1),
        ("cbrt(2)", "5/4", 1),
        ("root([1, -3, 0, 1], 0)", "root([1, -3, 0, 1], 1)", -1),
    ],
)
def test_comparisons_that_floats_get_wrong(left: str, right: str, sign: int) -> None:
    tower, [a, b] = settle([read_number(left), read_number(right)])
    assert tower.field.sign(a - b) == sign
