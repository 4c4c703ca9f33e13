"""Floats are the dyadic rationals they hold; decimal text is rounded once, and only where asked for."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from relusym.errors import FieldError, FormatError
from relusym.exact.floats import (
    NUMBERS,
    array_to_fmpq_rows,
    check_array,
    dyadic,
    is_float32,
    is_float64,
    nearest,
    read_decimal,
    read_decimals,
)

finite = st.floats(allow_nan=False, allow_infinity=False)
finite32 = st.floats(allow_nan=False, allow_infinity=False, width=32)


def nearest_float32(value: Fraction) -> float:
    """Round by trying the neighbours of a first guess: slow, and of another make than the code under test."""
    guess = np.float32(np.clip(float(value), -3.4028234663852886e38, 3.4028234663852886e38))
    around = [guess, np.nextafter(guess, np.float32(-np.inf)), np.nextafter(guess, np.float32(np.inf))]
    candidates = [x for x in around if np.isfinite(x)]

    def distance(x: np.float32) -> tuple[Fraction, int]:
        return abs(Fraction(float(x)) - value), struct.unpack("<I", struct.pack("<f", x))[0] % 2

    return float(min(candidates, key=distance))


@given(finite)
def test_dyadic_is_the_value(x: float) -> None:
    assert Fraction(int(dyadic(x).p), int(dyadic(x).q)) == Fraction(x)
    assert is_float64(dyadic(x)) == x


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_dyadic_refuses_what_is_no_number(x: float) -> None:
    with pytest.raises(FieldError, match="finite"):
        dyadic(x)


@given(finite32)
def test_float32_is_representable(x: float) -> None:
    assert is_float32(dyadic(x)) == x


@pytest.mark.parametrize(
    ("q", "in32", "in64"),
    [
        (fmpq(1, 3), None, None),
        (fmpq(2**24 + 1), None, float(2**24 + 1)),
        (fmpq(2**53 + 1), None, None),
        (fmpq(1, 2**149), 2.0**-149, 2.0**-149),
        (fmpq(3, 2**150), None, 3 * 2.0**-150),
        (fmpq(1, 2**1074), None, 5e-324),
        (fmpq(1, 2**1075), None, None),
        (fmpq(2**128), None, 2.0**128),
        (fmpq(2**128 - 2**104), float(2**128 - 2**104), float(2**128 - 2**104)),
        (fmpq(2**1024), None, None),
        (fmpq(10**5000), None, None),
        (fmpq(1, 10**5000), None, None),
        (fmpq(0), 0.0, 0.0),
    ],
)
def test_representable_only_exactly(q: fmpq, in32: float | None, in64: float | None) -> None:
    assert is_float32(q) == in32
    assert is_float64(q) == in64


@given(finite.map(repr))
def test_float64_text_is_pythons(text: str) -> None:
    assert read_decimal(text, "float64") == float(text)
    assert read_decimal(text, "decimal") == text


@given(finite32, st.integers(-1, 1), st.integers(20, 60))
def test_float32_near_a_middle(x: float, side: int, digits: int) -> None:
    """Texts on a middle of two float32, or a hair beside it, where rounding twice goes wrong."""
    above = np.nextafter(np.float32(x), np.float32(np.inf))
    if not np.isfinite(above):
        return
    middle = (Fraction(x) + Fraction(float(above))) / 2
    places = max(middle.denominator.bit_length() - 1, 0) + digits
    scaled = middle.numerator * 10**places // middle.denominator + side
    text = f"{scaled}e-{places}"
    assert read_decimal(text, "float32") == nearest_float32(Fraction(scaled, 10**places))


@given(st.integers(-(10**30), 10**30), st.integers(-60, 10))
def test_float32_anywhere(mantissa: int, exponent: int) -> None:
    value = Fraction(mantissa) * Fraction(10) ** exponent
    if abs(value) < 2**127:
        assert read_decimal(f"{mantissa}e{exponent}", "float32") == nearest_float32(value)


@given(st.fractions(), st.integers(-140, 120))
def test_nearest_to_a_rational(value: Fraction, exponent: int) -> None:
    value *= Fraction(2) ** exponent
    q = fmpq(value.numerator, value.denominator)
    assert nearest(q, "float64") == float(value)
    if abs(value) < 2**127:
        assert nearest(q, "float32") == nearest_float32(value)


@pytest.mark.parametrize("numbers", ["float32", "float64"])
def test_nearest_beyond_the_largest(numbers: str) -> None:
    with pytest.raises(FieldError, match=f"largest finite {numbers}"):
        nearest(fmpq(-(10**400)), numbers)


def test_float32_is_not_rounded_twice() -> None:
    text = "1.00000005960464477539062500000000000000000001"
    assert float(np.float32(float(text))) == 1.0, "twice rounded, this text falls to the even neighbour"
    assert read_decimal(text, "float32") == 1 + 2.0**-23
    assert nearest(1 + fmpq(1, 2**24) + fmpq(1, 2**90), "float32") == 1 + 2.0**-23


@pytest.mark.parametrize("text", ["1e39", "-1e39", "340282356779733661637539395458142568448", "1e400"])
def test_float32_overflow(text: str) -> None:
    with pytest.raises(FieldError, match="largest finite float32"):
        read_decimal(text, "float32")


def test_float32_just_below_overflow() -> None:
    assert read_decimal("340282356779733661637539395458142568447", "float32") == float(2**128 - 2**104)


def test_float64_overflow() -> None:
    with pytest.raises(FieldError, match="largest finite float64"):
        read_decimal("1e309", "float64")


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize(
    "text",
    ["", " 1", "1 ", "1_0", "nan", "inf", "-inf", "0x1", "1/2", "--1", "1e", ".", "١", "1e999999999", "1e-100001"],
)
def test_text_that_is_no_decimal(text: str, numbers: str) -> None:
    with pytest.raises(FormatError):
        read_decimal(text, numbers)


def test_long_texts() -> None:
    assert read_decimal("0." + "1" * 9000, "float64") == 1 / 9
    with pytest.raises(FormatError, match="100001 characters"):
        read_decimal("1" * 100_001, "float64")
    with pytest.raises(FormatError, match="exponent"):
        read_decimal("1e" + "9" * 5000, "decimal")
    assert read_decimal("1e" + "0" * 5000 + "2", "float64") == 100.0


def test_unknown_mode() -> None:
    with pytest.raises(FormatError, match="'decimal', 'float32', 'float64'"):
        read_decimal("1", "float16")


def test_many_at_once() -> None:
    assert read_decimals(["0.1", "2"], "decimal") == ["0.1", "2"]
    array = read_decimals(["0.1", "2"], "float32")
    assert isinstance(array, np.ndarray)
    assert array.dtype == np.float32
    assert array.tolist() == [float(np.float32(0.1)), 2.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint64", "int64"])
def test_arrays_are_exact(dtype: str) -> None:
    array = np.array([[0, 1, 3], [5, 7, 127]], dtype=dtype) / (np.dtype(dtype).type(8) if dtype[0] == "f" else 1)
    array = array.astype(dtype)
    assert array_to_fmpq_rows(array) == [[fmpq(*float(x).as_integer_ratio()) for x in row] for row in array]


def test_the_largest_integers_stay_exact() -> None:
    assert array_to_fmpq_rows(np.array([[2**64 - 1]], dtype=np.uint64)) == [[fmpq(2**64 - 1)]]


def test_arrays_name_the_bad_entry() -> None:
    with pytest.raises(FieldError, match=r"entry \(1, 0\) is nan"):
        array_to_fmpq_rows(np.array([[0.0], [math.nan]]))
    with pytest.raises(FieldError, match="entry 2 is inf"):
        check_array(np.array([0, 1, math.inf], dtype=np.float32))


@pytest.mark.parametrize("array", [np.array([[None]]), np.array([["1"]]), np.array([[1j]]), np.zeros((1, 1), "g")])
def test_arrays_of_other_types(array: np.ndarray) -> None:
    with pytest.raises(FieldError, match="holds no exact numbers"):
        array_to_fmpq_rows(array)
