"""Real roots of integer polynomials: isolated once, refined as far as a sign needs.

FLINT isolates all complex roots and marks the real ones exactly; each enclosure is then certified here by a change of
sign between its ends, and refined by Newton steps that are accepted only when the sign change shows, by bisection
otherwise.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpz, fmpz_poly


def sign_of(value: fmpq | fmpz) -> int:
    """Return the sign of an exact rational number."""
    return int(value > 0) - int(value < 0)


class RealRoot:
    """A real root of an irreducible primitive integer polynomial of degree at least 2, the ``index``-th."""

    __slots__ = ("_gain", "_high", "_low", "_sign_low", "index", "polynomial")

    def __init__(self, polynomial: fmpz_poly, index: int, low: fmpq, high: fmpq) -> None:
        self.polynomial = polynomial
        self.index = index
        self._low = low
        self._high = high
        self._gain = 4
        self._sign_low = sign_of(polynomial(low))

    def enclose(self, bits: int) -> tuple[fmpq, fmpq]:
        """Return dyadic low < root < high with high − low <= 2^−bits; what was refined is kept."""
        width = fmpq(1, fmpz(1) << bits)
        while self._high - self._low > width:
            self._refine()
        return self._low, self._high

    def magnitude(self) -> int:
        """Return e with 2^e <= |root| < 2^(e+3)."""
        bits = 8
        while True:
            low, high = sorted(map(abs, self.enclose(bits)))
            if self._low * self._high > 0 and high <= 2 * low:
                return int(low.p.bit_length()) - int(low.q.bit_length()) - 1
            bits *= 2

    def scaled(self, bits: int) -> RealRoot:
        """Return the root times 2^bits, with its own polynomial."""
        degree = int(self.polynomial.degree())
        shifts = [bits * (degree - i) if bits > 0 else -bits * i for i in range(degree + 1)]
        coefficients = [c << shift for c, shift in zip(self.polynomial.coeffs(), shifts, strict=True)]
        unit = fmpq(2) ** bits
        return RealRoot(primitive(fmpz_poly(coefficients)), self.index, self._low * unit, self._high * unit)

    def _refine(self) -> None:
        """Gain ``_gain`` bits around the Newton point, and twice as many next time; where that fails, bisect."""
        low, high = self._low, self._high
        middle = (low + high) / 2
        value = self.polynomial(middle)
        slope = self.polynomial.derivative()(middle)
        if slope != 0:
            width = high - low
            unit = fmpq(2) ** (int(width.p.bit_length()) - int(width.q.bit_length()) - 1 - self._gain)
            cell = ((middle - value / slope) / unit).floor()
            left, right = max(low, (cell - 1) * unit), min(high, (cell + 2) * unit)
            if left < right and self._brackets(left, right):
                self._low, self._high, self._gain = left, right, 2 * self._gain
                return
            self._gain = max(4, self._gain // 2)
        if sign_of(value) == self._sign_low:
            self._low = middle
        else:
            self._high = middle

    def _brackets(self, left: fmpq, right: fmpq) -> bool:
        return sign_of(self.polynomial(left)) == self._sign_low != sign_of(self.polynomial(right))

    @property
    def name(self) -> tuple[tuple[int, ...], int]:
        """The coefficients of the polynomial, constant term first, and the index: equal exactly for equal roots."""
        return tuple(int(c) for c in self.polynomial.coeffs()), self.index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RealRoot):
            return NotImplemented
        return self is other or (self.index == other.index and self.polynomial == other.polynomial)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"root([{', '.join(map(str, self.polynomial.coeffs()))}], {self.index})"


@lru_cache(maxsize=256)
def _isolated(coefficients: tuple[int, ...]) -> tuple[tuple[fmpq, fmpq], ...]:
    polynomial = fmpz_poly(list(coefficients))
    intervals = []
    roots: Any = polynomial.complex_roots()  # pairs (acb, multiplicity)
    for root, _ in roots:
        if root.imag != 0:
            continue
        middle, radius = (_exact_dyadic(part) for part in (root.real.mid(), root.real.rad()))
        intervals.append((middle - radius, middle + radius))
    intervals.sort()
    for low, high in intervals:
        if sign_of(polynomial(low)) * sign_of(polynomial(high)) >= 0:  # pragma: no cover - FLINT's contract
            raise ArithmeticError("a root enclosure shows no change of sign")
    return tuple(intervals)


def _exact_dyadic(exact_ball: Any) -> fmpq:
    mantissa, exponent = exact_ball.man_exp()
    shift = int(exponent)
    return fmpq(mantissa << shift) if shift >= 0 else fmpq(mantissa, fmpz(1) << -shift)


def real_roots(irreducible: fmpz_poly) -> list[RealRoot]:
    """Return all real roots, ascending, of an irreducible polynomial of degree at least 2.

    Examples
    --------
    >>> from flint import fmpz_poly
    >>> real_roots(fmpz_poly([-2, 0, 1]))
    [root([-2, 0, 1], 0), root([-2, 0, 1], 1)]
    """
    intervals = _isolated(tuple(int(c) for c in irreducible.coeffs()))
    return [RealRoot(irreducible, index, low, high) for index, (low, high) in enumerate(intervals)]


def primitive(polynomial: fmpz_poly) -> fmpz_poly:
    """Return the polynomial divided by its content, with a positive leading coefficient."""
    content = polynomial.content()
    if polynomial.leading_coefficient() < 0:
        content = -content
    return fmpz_poly([c // content for c in polynomial.coeffs()]) if content != 1 else polynomial


def all_real_roots(polynomial: fmpz_poly) -> list[fmpq | RealRoot]:
    """Return the distinct real roots of any nonzero polynomial, ascending; rational ones as numbers."""
    roots: list[fmpq | RealRoot] = []
    for factor, _ in polynomial.factor()[1]:
        if factor.degree() == 1:
            roots.append(fmpq(-factor[0], factor[1]))
        else:
            roots.extend(real_roots(primitive(factor)))
    return sorted_roots(roots)


def sorted_roots(roots: list[fmpq | RealRoot]) -> list[fmpq | RealRoot]:
    """Sort distinct roots of distinct irreducible polynomials by value, refining until the enclosures are disjoint."""
    bits = 16
    while True:
        ends = [((root, root) if isinstance(root, fmpq) else root.enclose(bits)) for root in roots]
        order = sorted(range(len(roots)), key=lambda i: ends[i][0])
        if all(ends[i][1] < ends[j][0] for i, j in pairwise(order)):
            return [roots[i] for i in order]
        bits *= 2
