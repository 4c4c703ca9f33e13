"""Real number fields Q(α): a root of an irreducible polynomial, with the embedding into R chosen.

Elements are polynomials in α reduced modulo its minimal polynomial (``flint.fmpq_poly``). The sign of an element is
exact: it is zero only as the zero polynomial; otherwise its value at the lower end of an enclosure of α, and a bound
of its derivative there, are refined until the sign shows. Nothing here asks SymPy for a sign.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from functools import cached_property, total_ordering
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_poly

from relusym.exact.field import Element, Field, Identity
from relusym.exact.real_root import RealRoot, primitive, real_roots, sign_of

if TYPE_CHECKING:
    from relusym.exact.expression import Expression

_SMALL_PRIMES = [p for p in range(2, 1000) if all(p % q for q in range(2, math.isqrt(p) + 1))]


@total_ordering
class AlgebraicNumber:
    """An element of a real number field; immutable, with proved comparisons.

    ``==`` and ``hash`` go by value: the same real number is equal whatever field it was computed in.
    """

    __slots__ = ("field", "polynomial")

    def __init__(self, field: NumberField, polynomial: fmpq_poly) -> None:
        self.field = field
        self.polynomial = polynomial

    def _coerce(self, other: object) -> fmpq_poly | None:
        if isinstance(other, AlgebraicNumber):
            if other.field is self.field or other.field == self.field:
                return other.polynomial
            raise TypeError("the two numbers are in different fields; embed them in one first")
        if isinstance(other, (int, fmpq, fmpz)):
            return fmpq_poly([other])
        return None

    def __add__(self, other: object) -> AlgebraicNumber:
        value = self._coerce(other)
        return NotImplemented if value is None else AlgebraicNumber(self.field, self.polynomial + value)

    __radd__ = __add__

    def __sub__(self, other: object) -> AlgebraicNumber:
        value = self._coerce(other)
        return NotImplemented if value is None else AlgebraicNumber(self.field, self.polynomial - value)

    def __rsub__(self, other: object) -> AlgebraicNumber:
        value = self._coerce(other)
        return NotImplemented if value is None else AlgebraicNumber(self.field, value - self.polynomial)

    def __mul__(self, other: object) -> AlgebraicNumber:
        value = self._coerce(other)
        if value is None:
            return NotImplemented
        return AlgebraicNumber(self.field, self.polynomial * value % self.field.modulus)

    __rmul__ = __mul__

    def inverse(self) -> AlgebraicNumber:
        """Return 1/self; ``ZeroDivisionError`` for zero."""
        if not self.polynomial:
            raise ZeroDivisionError("division by zero in a number field")
        _, inverse, _ = self.polynomial.xgcd(self.field.modulus)
        return AlgebraicNumber(self.field, inverse)

    def __truediv__(self, other: object) -> AlgebraicNumber:
        if isinstance(other, (int, fmpq, fmpz)):
            return AlgebraicNumber(self.field, self.polynomial / other)
        value = self._coerce(other)
        return NotImplemented if value is None else self * AlgebraicNumber(self.field, value).inverse()

    def __rtruediv__(self, other: object) -> AlgebraicNumber:
        value = self._coerce(other)
        return NotImplemented if value is None else self.inverse() * AlgebraicNumber(self.field, value)

    def __neg__(self) -> AlgebraicNumber:
        return AlgebraicNumber(self.field, -self.polynomial)

    def __abs__(self) -> AlgebraicNumber:
        return -self if self.field.sign(self) < 0 else self

    def __bool__(self) -> bool:
        return bool(self.polynomial)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AlgebraicNumber):
            if self.field == other.field:
                return self.polynomial == other.polynomial
            return self.field.identity(self) == other.field.identity(other)
        if isinstance(other, (int, fmpq, fmpz)):
            return self.polynomial == fmpq_poly([other])
        return NotImplemented

    def __lt__(self, other: object) -> bool:
        value = self._coerce(other)
        if value is None:
            return NotImplemented
        return self.field.sign(AlgebraicNumber(self.field, self.polynomial - value)) < 0

    def __hash__(self) -> int:
        rational = self.field.to_rational(self)
        if rational is not None:
            return hash(rational)
        # The integer part of 2^32 times the number depends on the value alone, and is cheap to prove.
        return hash(("algebraic", int(self.field.floor(self * (1 << 32)))))

    def __repr__(self) -> str:
        return self.field.text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_pairs, (self.field, [(int(c.p), int(c.q)) for c in self.polynomial.coeffs()])


class NumberField:
    """Q(α), α the chosen real root of an irreducible polynomial of degree at least 2.

    Parameters
    ----------
    root
        The generator α.
    atoms
        How the field was built: the radicals and roots that were adjoined, each with its polynomial in α.
    multiples
        α as a rational combination of those atoms.
    basis
        A basis over Q of products of atoms, for display; its elements are pairs (exponents of the atoms, polynomial
        in α).
    """

    def __init__(
        self,
        root: RealRoot,
        atoms: Mapping[Expression, fmpq_poly],
        multiples: Mapping[Expression, int | fmpq],
        basis: tuple[tuple[tuple[tuple[Expression, int], ...], fmpq_poly], ...],
    ) -> None:
        self.root = root
        self.atoms = dict(atoms)
        self.multiples = dict(multiples)
        self.basis = basis
        self.degree = int(root.polynomial.degree())
        self.modulus = fmpq_poly(root.polynomial)
        self.generator = AlgebraicNumber(self, fmpq_poly([0, 1]))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, NumberField) and self.root == other.root)

    def __hash__(self) -> int:
        return hash(self.root)

    def __repr__(self) -> str:
        return f"QQ({self.generator_text})"

    def __reduce__(self) -> tuple[Any, ...]:
        from relusym.exact.tower import field_from_root

        return field_from_root, self.root.name

    # -- the contract of Field

    def rational(self, value: fmpq | int) -> AlgebraicNumber:
        """Return a rational number as an element."""
        return AlgebraicNumber(self, fmpq_poly([value]))

    def sign(self, element: Element) -> int:
        """Return −1, 0 or 1, proved."""
        polynomial = self._polynomial(element)
        if polynomial.degree() <= 0:
            return sign_of(polynomial[0])
        bits = 32
        while True:
            low, high = self._enclose(polynomial, bits)
            if low > 0 or high < 0:
                return sign_of(low)
            bits *= 2

    def enclosure(self, element: Element, bits: int) -> tuple[fmpq, fmpq]:
        """Return rational numbers low <= element <= high with high − low <= 2^−bits."""
        polynomial = self._polynomial(element)
        width, root_bits = fmpq(1, fmpz(1) << bits), bits
        while True:
            low, high = self._enclose(polynomial, root_bits)
            if high - low <= width:
                return low, high
            root_bits *= 2

    def _enclose(self, polynomial: fmpq_poly, bits: int) -> tuple[fmpq, fmpq]:
        """Return bounds of p(α): its value at one end of an enclosure of α, give or take width times slope."""
        low, high = self.root.enclose(bits)
        reach = max(abs(low), abs(high))
        slope, power = fmpq(0), fmpq(1)
        for exponent, coefficient in enumerate(polynomial.coeffs()[1:], start=1):
            slope += exponent * abs(coefficient) * power
            power *= reach
        value, error = polynomial(low), slope * (high - low)
        return value - error, value + error

    def floor(self, element: AlgebraicNumber) -> fmpz:
        """Return the integer part of an irrational element."""
        bits = 8
        while True:
            low, high = (end.floor() for end in self.enclosure(element, bits))
            if low == high:
                return low
            bits *= 2

    def coordinates(self, element: Element) -> list[fmpq]:
        """Return the coordinates over Q in the basis 1, α, …, α^(d−1)."""
        coefficients: list[fmpq] = self._polynomial(element).coeffs()
        return coefficients + [fmpq(0)] * (self.degree - len(coefficients))

    def to_rational(self, element: Element) -> fmpq | None:
        """Return the element as a rational number, or None where it is none."""
        polynomial = self._polynomial(element)
        return polynomial[0] if polynomial.degree() <= 0 else None

    def key(self, element: Element) -> Hashable:
        """Return the coefficients: equal exactly for equal elements of this field."""
        return tuple(self._polynomial(element).coeffs())

    def identity(self, element: Element) -> Identity:
        """Return (p, q), or the minimal polynomial over Z and the index of the root among its real roots."""
        rational = self.to_rational(element)
        if rational is not None:
            return int(rational.p), int(rational.q)
        minimal = self.minimal_polynomial(element)
        roots, bits = real_roots(minimal), 16
        while True:
            low, high = self.enclosure(element, bits)
            near = [root.index for root in roots if _meets(root.enclose(bits), (low, high))]
            if len(near) == 1:
                return (*(int(c) for c in minimal.coeffs()), near[0])
            bits *= 2

    def minimal_polynomial(self, element: Element) -> fmpz_poly:
        """Return the primitive minimal polynomial over Z."""
        polynomial, rows = self._polynomial(element), []
        row = polynomial
        for _ in range(self.degree):
            rows.append([row[i] for i in range(self.degree)])
            row = row * fmpq_poly([0, 1]) % self.modulus
        minimal: fmpq_poly = fmpq_mat(rows).minpoly()
        return primitive(minimal.numer())

    def text(self, element: Element) -> str:
        """Return "p/q"; "a + b*sqrt(d)" in a quadratic field; else a polynomial in one root([...], i)."""
        coefficients = self._polynomial(element).coeffs()
        if self.degree == 2 and len(coefficients) == 2:
            offset, factor, _ = self._quadratic
            coefficients = [coefficients[0] + coefficients[1] * offset, coefficients[1] * factor]
        return _sum_text(coefficients, self.generator_text)

    def sympy(self, element: Element) -> Any:
        """Return a SymPy number: a + b√d in a quadratic field, else a combination of products of what was adjoined."""
        from sympy import Add, Integer, Mul, Pow, Rational, sqrt

        from relusym.exact.expression import to_sympy

        polynomial = self._polynomial(element)
        if self.degree == 2:
            coefficients = self.coordinates(element)
            offset, factor, radicand = self._quadratic
            parts = [coefficients[0] + coefficients[1] * offset, coefficients[1] * factor]
            terms = [Integer(1), sqrt(Integer(int(radicand)))]
        else:
            parts = self._in_basis(polynomial)
            terms = [Mul(*(Pow(to_sympy(atom), power) for atom, power in product)) for product, _ in self.basis]
        return Add(*(Rational(int(c.p), int(c.q)) * term for c, term in zip(parts, terms, strict=True)))

    # -- helpers

    @cached_property
    def generator_text(self) -> str:
        """The atom in which elements are written: sqrt(d), or root([...], i)."""
        return f"sqrt({self._quadratic[2]})" if self.degree == 2 else repr(self.root)

    @cached_property
    def written_generator(self) -> AlgebraicNumber:
        """The element that :attr:`generator_text` writes."""
        if self.degree != 2:
            return self.generator
        offset, factor, _ = self._quadratic
        return (self.generator - offset) / factor

    @cached_property
    def _quadratic(self) -> tuple[fmpq, fmpq, fmpz]:
        """(p, q, d) with α = p + q√d, d an integer without square factors below 1000^2."""
        c, b, a = self.root.polynomial.coeffs()
        discriminant, square = b * b - 4 * a * c, fmpz(1)
        for prime in _SMALL_PRIMES:
            while discriminant % (prime * prime) == 0:
                discriminant, square = discriminant // (prime * prime), square * prime
        factor = fmpq(square, 2 * a)
        return fmpq(-b, 2 * a), factor if self.root.index == 1 else -factor, fmpz(discriminant)

    @cached_property
    def _basis_inverse(self) -> fmpq_mat:
        return fmpq_mat([[p[i] for i in range(self.degree)] for _, p in self.basis]).inv()

    def _in_basis(self, polynomial: fmpq_poly) -> list[fmpq]:
        row = fmpq_mat([[polynomial[i] for i in range(self.degree)]]) * self._basis_inverse
        return [row[0, i] for i in range(self.degree)]

    def _polynomial(self, element: Any) -> fmpq_poly:
        polynomial: fmpq_poly = element.polynomial if isinstance(element, AlgebraicNumber) else fmpq_poly([element])
        return polynomial


def _from_pairs(field: NumberField, coefficients: list[tuple[int, int]]) -> AlgebraicNumber:
    return AlgebraicNumber(field, fmpq_poly([fmpq(*pair) for pair in coefficients]))


def _meets(first: tuple[fmpq, fmpq], second: tuple[fmpq, fmpq]) -> bool:
    return first[0] <= second[1] and second[0] <= first[1]


def _sum_text(coefficients: list[fmpq], atom: str) -> str:
    """Write c0 + c1*atom + c2*atom**2 + …, leaving out zeros."""
    text = ""
    for power, coefficient in enumerate(coefficients):
        if coefficient == 0:
            continue
        symbol = "" if power == 0 else atom if power == 1 else f"{atom}**{power}"
        size = abs(coefficient)
        body = str(size) if not symbol else symbol if size == 1 else f"{size}*{symbol}"
        joint = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
        text += joint + body
    return text or "0"


if TYPE_CHECKING:

    def _contract(field: NumberField, number: AlgebraicNumber) -> tuple[Field, Element]:
        return field, number
