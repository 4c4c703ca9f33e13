"""Exact numbers: the rationals, or one real number field, with a proved sign.

A number is a pair (numerator, denominator) that need not be in lowest terms. The denominator is a positive integer. The
numerator is an integer or, in the field Q[t]/(h), an :class:`Integral`: an integer polynomial in s = lead(h) * t, whose
modulus is monic, so that no reduction ever divides. All loops over entries are written once, on pairs; for networks of
floats they run on machine-made dyadic integers and nothing else.

Zero is proved by the polynomial 0 modulo h; that is sound although h may be reducible. A sign is proved by evaluating
over intervals that provably hold the chosen root of h alone, narrower and narrower; what does not show in the end is
given up, never guessed. There is no division: a quotient is verified as a product.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, isfinite, lcm
from operator import mul
from typing import TypeAlias

from relusym.decision.check.errors import MalformedCertificate, Unproved, malformed, shown
from relusym.decision.check.roots import RealRoot
from relusym.decision.check.text import MAX_DIGITS, Atom, Text, read_atom, read_text

MAX_BITS = 1 << 21  # of an intermediate numerator or denominator
MAX_ROW_BITS = 1 << 28  # of all numerators over one common denominator
MAX_WORK = 1 << 36  # of the value of one polynomial: multiplications times bits
MAX_ENTRY_BITS = MAX_DIGITS * 10 // 3
MAX_EMBEDDINGS = 256

Ring: TypeAlias = "int | Integral"
Number: TypeAlias = "tuple[Ring, int]"
Row: TypeAlias = "list[Number]"

ZERO: Number = (0, 1)
ONE: Number = (1, 1)


class Order:
    """The ring Z[s]/(H) of a real root s = lead * t of a monic H, where t is a root of an integer polynomial."""

    def __init__(self, generator: Atom) -> None:
        self._root = RealRoot(generator)
        *lower, self.lead = self._root.polynomial
        self.degree = len(lower)
        self.modulus = [entry * self.lead ** (self.degree - 1 - power) for power, entry in enumerate(lower)]

    def reduced(self, coefficients: list[int]) -> Integral:
        """Return the residue of an integer polynomial in s; the list is used up."""
        degree = self.degree
        while len(coefficients) > degree:
            top = coefficients.pop()
            if top:
                offset = len(coefficients) - degree
                for power, entry in enumerate(self.modulus):
                    if entry:
                        coefficients[offset + power] -= top * entry
        coefficients.extend([0] * (degree - len(coefficients)))
        return Integral(tuple(coefficients), self)

    def sign(self, coefficients: Sequence[int]) -> int:
        """Return the sign, 1 or -1, of a polynomial in s that is not 0.

        Raises
        ------
        Unproved
            The sign does not show within the limits (as when the value is 0, and H reducible).
        """
        for low, high, precision in self._root.enclosures():
            bits = max(precision, 0) + 16
            shift = bits - precision
            ends = (low * self.lead << shift, high * self.lead << shift)
            least = most = 0
            for coefficient in reversed(coefficients):
                products = [part * end for part in (least, most) for end in ends]
                least = (min(products) >> bits) + (coefficient << bits)
                most = -(-max(products) >> bits) + (coefficient << bits)
            if least > 0:
                return 1
            if most < 0:
                return -1
        raise AssertionError("the enclosures end by raising")  # pragma: no cover


class Integral:
    """An element of an :class:`Order`: an integer polynomial in s of degree less than that of H."""

    __slots__ = ("coefficients", "order")
    __hash__ = None  # type: ignore[assignment]  # equal to integers, and never a key

    def __init__(self, coefficients: tuple[int, ...], order: Order) -> None:
        self.coefficients = coefficients
        self.order = order

    def __add__(self, other: Ring) -> Integral:
        mine = self.coefficients
        if isinstance(other, int):
            return Integral((mine[0] + other, *mine[1:]), self.order)
        return Integral(tuple(a + b for a, b in zip(mine, other.coefficients, strict=True)), self.order)

    __radd__ = __add__

    def __neg__(self) -> Integral:
        return Integral(tuple(-entry for entry in self.coefficients), self.order)

    def __mul__(self, other: Ring) -> Integral:
        mine = self.coefficients
        if isinstance(other, int):
            return Integral(tuple(entry * other for entry in mine), self.order)
        result = [0] * (2 * len(mine) - 1)
        for power, entry in enumerate(mine):
            if entry:
                for more, factor in enumerate(other.coefficients):
                    result[power + more] += entry * factor
        return self.order.reduced(result)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Integral):
            return self.coefficients == other.coefficients
        return self.coefficients[0] == other and not any(self.coefficients[1:])


class Field:
    """The field that a certificate computes in.

    Parameters
    ----------
    generator
        The root that generates the field; None for the rational numbers.
    embeddings
        Each further root that is written somewhere, and its text as a polynomial in the generator. Each is proved:
        its polynomial vanishes there, and the value lies in an interval that holds no other root than the right one.

    Raises
    ------
    MalformedCertificate
        An embedding is no polynomial in the generator, or a root does not exist.
    Unproved
        An embedding is wrong, or a root is beyond the limits.

    Examples
    --------
    >>> from relusym.decision.check.text import read_atom
    >>> field = Field(read_atom("sqrt(2)"), [(read_atom("sqrt(8)"), "2*sqrt(2)")])
    >>> field.sign(field.read("3 - sqrt(8)")), field.sign(field.read("2 - sqrt(8)"))
    (1, -1)
    >>> Field(read_atom("sqrt(2)"), [(read_atom("sqrt(8)"), "-2*sqrt(2)")])
    Traceback (most recent call last):
    ...
    relusym.decision.check.errors.Unproved: the embedding '-2*sqrt(2)' is another root of its polynomial
    """

    def __init__(self, generator: Atom | None = None, embeddings: Iterable[tuple[Atom, str]] = ()) -> None:
        self._order = None if generator is None else Order(generator)
        self._generator = generator
        self._embedded: dict[Atom, Number] = {}
        for atom, text in embeddings:
            value = self._value(text)
            self._prove_embedding(atom, value, text)
            self._embedded[atom] = value

    @classmethod
    def from_object(cls, value: object) -> Field:
        """Return the field that a certificate's ``"field"`` describes: null, or a generator with embeddings."""
        if value is None:
            return cls()
        if not isinstance(value, Mapping):
            malformed("field", f"null or an object is accepted, not {shown(value)}")
        embeddings = value.get("embeddings", {})
        if not isinstance(embeddings, Mapping) or len(embeddings) > MAX_EMBEDDINGS:
            malformed("field", f"'embeddings' is an object with at most {MAX_EMBEDDINGS} entries")
        texts = []
        for atom, text in embeddings.items():
            if not isinstance(atom, str) or not isinstance(text, str):
                malformed("field", "'embeddings' maps texts of roots to texts of numbers")
            texts.append((_atom(atom), text))
        generator = value.get("generator")
        if not isinstance(generator, str):
            malformed("field", f"'generator' is the text of a root, not {shown(generator)}")
        return cls(_atom(generator), texts)

    def read(self, value: object) -> Number:
        """Return the number that an integer, a float, a Fraction or a text stands for.

        Raises
        ------
        MalformedCertificate
            It is none of these, not finite, no text of a number, or beyond the limits.
        Unproved
            It is a root that the field does not hold.
        """
        if isinstance(value, str):
            return self._value(value)
        if isinstance(value, float):
            if not isfinite(value):
                raise MalformedCertificate(f"{value!r} is no real number")
            return value.as_integer_ratio()
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_ENTRY_BITS:
                raise MalformedCertificate(f"a number has more than {MAX_DIGITS} digits")
            return value.numerator, value.denominator
        raise MalformedCertificate(
            f"{shown(value)} is no number: an integer, a float, a Fraction or a text is accepted"
        )

    def read_row(self, values: object, place: str, length: int | None = None) -> Row:
        """Return the numbers of a list; errors name ``place`` and the entry."""
        if not isinstance(values, (list, tuple)):
            malformed(place, f"a list is accepted, not {shown(values)}")
        if length is not None and len(values) != length:
            malformed(place, f"{length} entries are due, not {len(values)}")
        if set(map(type, values)) == {float} and all(map(isfinite, values)):
            return [value.as_integer_ratio() for value in values]
        return [self.read_at(value, f"{place}, entry {index}") for index, value in enumerate(values)]

    def read_at(self, value: object, place: str) -> Number:
        """Return the number of ``value``; errors name ``place``."""
        try:
            return self.read(value)
        except (MalformedCertificate, Unproved) as error:
            raise type(error)(f"{place}: {error}") from None

    def sign(self, number: Number) -> int:
        """Return the sign of a number: 1, 0 or -1, proved; raise :class:`Unproved` where it does not show."""
        numerator = number[0]
        if isinstance(numerator, int):
            return (numerator > 0) - (numerator < 0)
        if not any(numerator.coefficients):
            return 0
        return numerator.order.sign(numerator.coefficients)

    def _value(self, text: str) -> Number:
        written = read_text(text)
        if written.atom is None:
            value = written.coefficients[0]
            return value.numerator, value.denominator
        if self._order is not None and written.atom == self._generator:
            return _in_generator(written, self._order)
        base = self._embedded.get(written.atom)
        if base is None:
            raise Unproved(f"the root in {shown(text)} is not in the field of the certificate")
        return _horner(written.coefficients, base)

    def _prove_embedding(self, atom: Atom, value: Number, text: str) -> None:
        if not is_zero(_horner([Fraction(entry) for entry in atom.polynomial], value)):
            raise Unproved(f"the embedding {shown(text)} is no root of its polynomial")
        low, high, precision = next(RealRoot(atom).enclosures())
        scale, unit = (1 << max(precision, 0)), (1 << max(-precision, 0))
        left = total([value, (-low * unit, scale)])
        right = total([(high * unit, scale), negative(value)])
        if self.sign(left) <= 0 or self.sign(right) <= 0:
            raise Unproved(f"the embedding {shown(text)} is another root of its polynomial")


def _atom(text: str) -> Atom:
    try:
        return read_atom(text)
    except MalformedCertificate as error:
        malformed("field", str(error))


def _in_generator(written: Text, order: Order) -> Number:
    """Return a polynomial in t = s / lead as a number."""
    power = 1
    scaled = []
    for coefficient in written.coefficients:
        scaled.append((coefficient.numerator, coefficient.denominator * power))
        power *= order.lead
    numerators, denominator = common(scaled)
    # The scaled coefficients are integers: their numerators were.
    return order.reduced([entry for entry in numerators if isinstance(entry, int)]), denominator


def _horner(coefficients: Sequence[Fraction], at: Number) -> Number:
    def step(value: Number, coefficient: Fraction) -> Number:
        return lowest(total([product(value, at), (coefficient.numerator, coefficient.denominator)]))

    parts = _parts(at[0])
    bits = max(at[1].bit_length(), *(part.bit_length() for part in parts))
    if (len(parts) * len(coefficients)) ** 2 * bits > MAX_WORK:
        raise Unproved("a root to a power is beyond the limits of this checker")
    return reduce(step, reversed(coefficients), ZERO)


def _parts(numerator: Ring) -> tuple[int, ...]:
    return (numerator,) if isinstance(numerator, int) else numerator.coefficients


def product(left: Number, right: Number) -> Number:
    """Return the product of two numbers."""
    return left[0] * right[0], left[1] * right[1]


def negative(number: Number) -> Number:
    """Return minus a number."""
    return -number[0], number[1]


def equal(left: Number, right: Number) -> bool:
    """Return whether two numbers are proved equal."""
    return left[0] * right[1] == right[0] * left[1]


def is_zero(number: Number) -> bool:
    """Return whether a number is proved to be 0."""
    return number[0] == 0


def common(numbers: Sequence[Number]) -> tuple[list[Ring], int]:
    """Return the numerators of numbers over one common denominator, and that.

    Examples
    --------
    >>> common([(1, 2), (-1, 3)])
    ([3, -2], 6)
    """
    denominator = 1
    for _, other in numbers:
        if other != denominator:
            denominator = lcm(denominator, other)
            if (bits := denominator.bit_length()) > 4096 and (
                bits > MAX_BITS or bits * sum(len(_parts(numerator)) for numerator, _ in numbers) > MAX_ROW_BITS
            ):
                raise Unproved("the numbers grow beyond the limits of this checker")
    return [numerator * (denominator // other) for numerator, other in numbers], denominator


def total(numbers: Sequence[Number]) -> Number:
    """Return the sum of numbers.

    Examples
    --------
    >>> total([(1, 2), (-1, 3)])
    (1, 6)
    """
    numerators, denominator = common(numbers)
    return sum(numerators), denominator


def dot(left: Row, right: Row) -> Number:
    """Return the sum of the products of the entries of two rows of one length."""
    numerators, denominator = common(left)
    others, other = common(right)
    return sum(map(mul, numerators, others)), denominator * other


def lowest(number: Number) -> Number:
    """Return a number in lowest terms; raise :class:`Unproved` where it is beyond the limits even so.

    Examples
    --------
    >>> lowest((6, 4))
    (3, 2)
    """
    numerator, denominator = number
    parts = _parts(numerator)
    if max(denominator.bit_length(), *(part.bit_length() for part in parts)) > 2 * MAX_BITS:
        raise Unproved("the numbers grow beyond the limits of this checker")
    divisor = gcd(denominator, *parts)
    if isinstance(numerator, int):
        return numerator // divisor, denominator // divisor
    return Integral(tuple(part // divisor for part in parts), numerator.order), denominator // divisor


def first_difference(row: Row, factor: Number, base: Row) -> int | None:
    """Return the first index where ``row`` is not proved to be ``factor`` times ``base``, or None.

    Examples
    --------
    >>> first_difference([(1, 1), (3, 2)], (1, 2), [(2, 1), (3, 1)]) is None
    True
    """
    if factor == ONE and row == base:
        return None
    numerator, denominator = factor
    for index, ((entry, part), (other, unit)) in enumerate(zip(row, base, strict=True)):
        if entry * (denominator * unit) != other * (numerator * part):
            return index
    return None
