"""The checker's numbers: their text, the isolation of real roots, number fields with proved signs."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym.decision.check.errors import MalformedCertificate, Unproved
from relusym.decision.check.numbers import Field, equal, is_zero, lowest, negative, product, total
from relusym.decision.check.roots import RealRoot, sturm_chain, value_at
from relusym.decision.check.text import Atom, read_atom, read_text

small = st.fractions(min_value=-20, max_value=20, max_denominator=12)


def enclosed(root: RealRoot, value: Fraction) -> bool:
    low, high, precision = next(root.enclosures())
    scale = Fraction(2) ** -precision
    return low * scale < value < high * scale


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-7", -7),
        ("+3/6", Fraction(1, 2)),
        ("0.50", Fraction(1, 2)),
        ("-1e-3", Fraction(-1, 1000)),
        ("2.5E+2", 250),
        (" 1/2 + 1/3 - 1 ", Fraction(-1, 6)),
        ("(-4)", -4),
        ("7.", 7),
    ],
)
def test_rational_texts(text: str, value: Fraction) -> None:
    assert read_text(text) == (None, [value])


@pytest.mark.parametrize(
    ("text", "coefficients"),
    [
        ("sqrt(2)", [0, 1]),
        ("-sqrt(2)", [0, -1]),
        ("1/2+3*sqrt(2)", [Fraction(1, 2), 3]),
        ("(-4)*sqrt(2)**3 - 1", [-1, 0, 0, -4]),
        ("sqrt(2) - sqrt(2)", [0, 0]),
        ("2*root([-2, 0, 1], 1)**2 - 1", [-1, 0, 2]),
        ("root([1, 0, -1/2], 1)", [0, 1]),
    ],
)
def test_texts_in_one_atom(text: str, coefficients: list[Fraction]) -> None:
    assert read_text(text) == (Atom((-2, 0, 1), 1), coefficients)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "1/0",
        "1//2",
        "nan",
        "inf",
        "1 2",
        "1+",
        "1--2",
        "0x10",
        "1_000",
        "٣",
        "sqrt(-2)",
        "sqrt(0)",
        "sqrt(sqrt(2))",
        "sqrt(2)*sqrt(2)",
        "sqrt(2)**-1",
        "sqrt(2)**257",
        "sqrt(2)**1/2",
        "sqrt(2)/2",
        "sqrt(2) + sqrt(3)",
        "2**3",
        "root([], 0)",
        "root([1], 0)",
        "root([1, 0], 0)",
        "root([-2, 0, 1], -1)",
        "root([-2, 0, 1], 1/2)",
        "root([-2, 0, 1])",
        "root(" + "[" * 9999,
        "(" * 99999 + "1",
        "1e100001",
        "1e-999999999999",
        "9" * 100_001,
        "1/" + "9" * 100_001,
        "+".join(["1"] * 200_000),
        "root([" + "1, " * 257 + "1], 0)",
        "__import__('os')",
    ],
)
def test_texts_that_are_no_numbers(text: str) -> None:
    with pytest.raises(MalformedCertificate) as caught:
        read_text(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_long_texts_are_read_in_chunks() -> None:
    assert read_text("-" + "1" + "0" * 99_999).coefficients == [-(10**99_999)]
    assert read_text("1e100000").coefficients == [10**100_000]
    assert read_text("1" + "0" * 9_000 + "/" + "3" + "0" * 9_000).coefficients == [Fraction(1, 3)]


@given(st.text(alphabet="0123456789.eE+-*/()[], sqrtoot", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = read_text(text)
    except MalformedCertificate:
        return
    assert value.coefficients


@pytest.mark.parametrize("text", ["2", "2*sqrt(2)", "sqrt(2) + 1", "sqrt(2)**2"])
def test_an_atom_is_an_atom_alone(text: str) -> None:
    with pytest.raises(MalformedCertificate):
        read_atom(text)


@given(st.lists(small, min_size=1, max_size=5), st.lists(st.integers(1, 3), min_size=5, max_size=5), st.data())
def test_rational_roots_are_found_in_order(
    values: list[Fraction], multiplicities: list[int], data: st.DataObject
) -> None:
    coefficients = [1]
    for value, times in zip(values, multiplicities, strict=False):
        for _ in range(times):
            lower = [-value.numerator * entry for entry in coefficients] + [0]
            upper = [0] + [value.denominator * entry for entry in coefficients]
            coefficients = [a + b for a, b in zip(lower, upper, strict=True)]
    ordered = sorted(set(values))
    index = data.draw(st.integers(0, len(ordered) - 1))
    assert enclosed(RealRoot(Atom(tuple(coefficients), index)), ordered[index])
    with pytest.raises(MalformedCertificate, match=f"has {len(ordered)} distinct real roots"):
        RealRoot(Atom(tuple(coefficients), len(ordered)))


@settings(max_examples=60)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=8), st.integers(1, 9))
def test_roots_agree_with_another_system(lower: list[int], lead: int) -> None:
    polynomial = (*lower, lead)
    variable = sympy.Symbol("t")
    oracle = sympy.Poly(polynomial[::-1], variable)
    count = oracle.count_roots()
    for index in range(count):
        low, high, precision = next(RealRoot(Atom(polynomial, index)).enclosures())
        ends = [sympy.Rational(end) / sympy.Integer(2) ** precision for end in (low, high)]
        assert oracle.count_roots(ends[0], ends[1]) == 1
        assert oracle.count_roots(None, ends[0]) == index
    with pytest.raises(MalformedCertificate):
        RealRoot(Atom(polynomial, count))


@pytest.mark.parametrize("degree", [4, 5, 6, 7])
@pytest.mark.parametrize("slope", [-3, 2])
def test_roots_of_trinomials_whose_chains_skip_degrees(degree: int, slope: int) -> None:
    for constant in (-1, 1):
        polynomial = (constant, slope, *[0] * (degree - 2), 1)
        count = sympy.Poly(polynomial[::-1], sympy.Symbol("t")).count_roots()
        found = [next(RealRoot(Atom(polynomial, index)).enclosures()) for index in range(count)]
        assert all(value_at(polynomial, low, p) * value_at(polynomial, high, p) < 0 for low, high, p in found)
        with pytest.raises(MalformedCertificate, match=f"has {count} distinct"):
            RealRoot(Atom(polynomial, count))


def test_enclosures_shrink_fast() -> None:
    root = RealRoot(read_atom("root([-2, 0, 0, 1], 0)"))
    for count, (low, high, precision) in enumerate(root.enclosures()):
        assert low**3 < 2 * 8**precision < high**3
        if high - low <= 8 and precision > 20_000:
            break
        assert count < 100


def test_roots_of_all_sizes() -> None:
    for text, value in [("sqrt(1e4000)", Fraction(10**2000)), ("sqrt(1e-4000)", Fraction(1, 10**2000))]:
        assert enclosed(RealRoot(read_atom(text)), value)
    assert enclosed(RealRoot(read_atom("root([0, 0, 1], 0)")), Fraction(0))
    close = RealRoot(read_atom("root([1, -1e300, 1e600, -1e900, 0, 1], 0)"))
    assert value_at(close.polynomial, 0, 0) > 0


def test_polynomials_beyond_the_limits_are_given_up() -> None:
    with pytest.raises(Unproved):
        sturm_chain((*range(1, 200), 10**5000))
    with pytest.raises(Unproved, match="too close together"):
        RealRoot(Atom((0, 1, -(2**20_000) - 1, 2**20_000), 0))  # the roots 0, 2^-20000 and 1


@given(small, small, st.sampled_from([2, 3, 5, 8]))
def test_signs_in_quadratic_fields(a: Fraction, b: Fraction, d: int) -> None:
    text = f"{a} + ({b})*sqrt({d})"
    expected = (a > 0) - (a < 0)
    if a * a < b * b * d:
        expected = (b > 0) - (b < 0)
    assert Field(read_atom(f"sqrt({d})")).sign(Field(read_atom(f"sqrt({d})")).read(text)) == expected


@given(small, small)
def test_signs_in_a_cubic_field(a: Fraction, b: Fraction) -> None:
    cubic = Field(read_atom("root([-2, 0, 0, 1], 0)"))
    cube = a**3 + 2 * b**3  # has the sign of a + b * 2^(1/3)
    assert cubic.sign(cubic.read(f"{a} + ({b})*root([-2, 0, 0, 1], 0)")) == (cube > 0) - (cube < 0)


def test_a_sign_that_needs_many_bits() -> None:
    p, q = 1, 1
    for _ in range(2000):
        p, q = p + 2 * q, p + q  # convergents of the square root of 2, below and above in turn
    quadratic = Field(read_atom("sqrt(2)"))
    assert quadratic.sign(quadratic.read(f"sqrt(2) - {p}/{q}")) == 1
    p, q = p + 2 * q, p + q
    assert quadratic.sign(quadratic.read(f"sqrt(2) - {p}/{q}")) == -1


elements = st.lists(small, min_size=3, max_size=3)


@given(elements, elements, elements)
def test_ring_axioms_with_a_generator_that_is_not_integral(
    a: list[Fraction], b: list[Fraction], c: list[Fraction]
) -> None:
    generator = "root([-3, 1, 0, 5/2], 0)"
    cubic = Field(read_atom(generator))
    x, y, z = (cubic.read(f"{p} + ({q})*{generator} + ({r})*{generator}**2") for p, q, r in (a, b, c))
    assert equal(product(x, total([y, z])), total([product(x, y), product(x, z)]))
    assert equal(product(product(x, y), z), product(x, product(z, y)))
    assert is_zero(total([x, negative(x)]))
    assert equal(lowest(product(x, y)), product(y, x))
    assert cubic.sign(product(x, y)) == cubic.sign(x) * cubic.sign(y)


def test_a_field_of_degree_16() -> None:
    generator = "root([-2" + ", 0" * 15 + ", 1], 1)"  # the positive 16th root of 2
    embeddings = {"sqrt(2)": f"{generator}**8", "root([-2, 0, 0, 0, 1], 1)": f"{generator}**4"}
    deep = Field.from_object({"generator": generator, "embeddings": embeddings})
    assert equal(deep.read("sqrt(2)"), deep.read(f"{generator}**8"))
    assert equal(deep.read(f"{generator}**16"), (2, 1))
    assert deep.sign(deep.read(f"{generator}**15 - 1915206/1000000")) == 1
    assert deep.sign(deep.read(f"{generator}**15 - 1915207/1000000")) == -1


@pytest.mark.parametrize(
    ("generator", "atom", "value", "reason"),
    [
        ("sqrt(2)", "sqrt(8)", "2*sqrt(2)", None),
        ("sqrt(2)", "root([-8, 0, 1], 0)", "-2*sqrt(2)", None),
        ("sqrt(2)", "sqrt(8)", "-2*sqrt(2)", "another root"),
        ("sqrt(2)", "root([-8, 0, 1], 0)", "2*sqrt(2)", "another root"),
        ("sqrt(2)", "sqrt(8)", "3*sqrt(2)", "no root"),
        ("sqrt(2)", "sqrt(4)", "2", None),
        ("sqrt(2)", "sqrt(4)", "-2", "another root"),
        ("sqrt(2)", "sqrt(2)", "-sqrt(2)", "another root"),
        ("root([1, 0, -10, 0, 1], 3)", "sqrt(2)", "1/2*{}**3 - 9/2*{}", None),
        ("root([1, 0, -10, 0, 1], 3)", "sqrt(3)", "-1/2*{}**3 + 11/2*{}", None),
        ("root([1, 0, -10, 0, 1], 2)", "sqrt(2)", "1/2*{}**3 - 9/2*{}", "another root"),
        ("root([1, 0, -10, 0, 1], 3)", "root([0, 2, 0, -1], 1)", "0", None),
        ("root([1, 0, -10, 0, 1], 3)", "root([4, 0, -4, 0, 1], 1)", "1/2*{}**3 - 9/2*{}", None),
        ("sqrt(4)", "sqrt(2)", "sqrt(2)", "not in the field"),
    ],
)
def test_embeddings_are_proved(generator: str, atom: str, value: str, reason: str | None) -> None:
    described = {"generator": generator, "embeddings": {atom: value.replace("{}", generator)}}
    if reason is None:
        number = Field.from_object(described).read(f"{atom} - 10")
        assert Field.from_object(described).sign(number) == -1
    else:
        with pytest.raises(Unproved, match=reason):
            Field.from_object(described)


def test_reducible_generators_are_sound() -> None:
    reducible = Field(read_atom("root([-6, 0, 5, 0, -1], 3)"))  # (t^2 - 2)(t^2 - 3), the root sqrt(3)
    generator = "root([-6, 0, 5, 0, -1], 3)"
    assert reducible.sign(reducible.read(f"{generator} - 17/10")) == 1
    assert reducible.sign(reducible.read(f"{generator}**4 - 5*{generator}**2 + 6")) == 0
    vanishing = reducible.read(f"{generator}**2 - 3")
    assert not is_zero(vanishing)
    with pytest.raises(Unproved, match="does not show"):
        reducible.sign(vanishing)
    square = Field(read_atom("sqrt(4)"))
    with pytest.raises(Unproved, match="does not show"):
        square.sign(square.read("sqrt(4) - 2"))


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), True, None, [1], 1j, 10**100_400, Fraction(1, 7**200_000)],
    ids=["nan", "inf", "bool", "null", "list", "complex", "long integer", "long denominator"],
)
def test_values_that_are_no_numbers(value: object) -> None:
    with pytest.raises(MalformedCertificate):
        Field().read(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_the_dyadic_rationals_they_hold(value: float) -> None:
    assert Fraction(*Field().read(value)) == Fraction(value)  # type: ignore[arg-type]
    assert Field().read_row([value], "row") == [Field().read(value)]


@given(st.lists(small, min_size=1, max_size=6))
def test_totals(values: list[Fraction]) -> None:
    assert Fraction(*total([(v.numerator, v.denominator) for v in values])) == sum(values)  # type: ignore[arg-type]


def test_numbers_that_grow_beyond_the_limits_are_given_up() -> None:
    huge = [(1, prime**120_000) for prime in (31, 37, 41, 43)]
    with pytest.raises(Unproved, match="limits"):
        total(huge)
    with pytest.raises(Unproved, match="limits"):
        lowest((1, 2**6_000_000))
    many = [(1, prime**40_000) for prime in (3, 5, 7)] * 1_500
    with pytest.raises(Unproved, match="limits"):
        total(many)
    generator = "root([-2" + ", 0" * 63 + ", 1], 1)"
    embeddings = {"root([-2" + ", 0" * 254 + ", 1], 0)": f"{generator}**63 - 1/{'7' * 90_000}"}
    with pytest.raises(Unproved, match="limits"):
        Field.from_object({"generator": generator, "embeddings": embeddings})
