"""Real roots of integer polynomials, each enclosed in an open interval that provably holds it and no other root.

A polynomial is a tuple of integers, constant term first, last entry positive. Roots are counted by Sturm's theorem: the
chain is the subresultant remainder sequence with signs set right, and a polynomial with multiple roots is first divided
by the last member of its chain. Once a root is alone, a change of sign of the polynomial is all that is needed:
quadratic interval refinement guesses a narrow interval by a Newton step, and takes it only when the signs at its ends
differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import gcd, isqrt
from typing import NamedTuple

from relusym.decision.check.errors import Unproved, malformed
from relusym.decision.check.text import Atom

Polynomial = tuple[int, ...]

MAX_CHAIN_WORK = 1 << 35  # for a Sturm chain: about degree^2 multiplications of degree * bits; some seconds
MAX_ISOLATION_STEPS = 1 << 13  # halvings until a root is alone; fewer where the degree is large
MAX_ENCLOSURES = 1000  # each at least one bit narrower, and nearly always twice as precise
MAX_PRECISION_BITS = 1 << 21  # size of the numbers when a polynomial is evaluated at the end of an interval
_NO_SIGN = "a sign does not show within the precision of this checker"


class Interval(NamedTuple):
    """The open interval from ``low / 2**precision`` to ``high / 2**precision``; ``precision`` may be negative."""

    low: int
    high: int
    precision: int

    def finer(self, more: int = 1) -> Interval:
        """Return the same interval on the grid that is ``2**more`` times finer."""
        return Interval(self.low << more, self.high << more, self.precision + more)


def value_at(polynomial: Polynomial, numerator: int, precision: int) -> int:
    """Return ``polynomial(numerator / 2**precision)`` times a positive integer (a power of two).

    Examples
    --------
    >>> value_at((-2, 0, 1), 3, 1), value_at((-2, 0, 1), 1, -1)  # at 3/2 and at 2
    (1, 2)
    """
    if precision < 0:
        numerator, precision = numerator << -precision, 0
    value = 0
    shift = 0
    for coefficient in reversed(polynomial):
        value = value * numerator + (coefficient << shift)
        shift += precision
    return value


def derivative(polynomial: Polynomial) -> Polynomial:
    """Return the derivative of a polynomial."""
    return tuple(power * coefficient for power, coefficient in enumerate(polynomial))[1:]


def primitive(polynomial: Polynomial) -> Polynomial:
    """Return a polynomial divided by its content, its last entry made positive."""
    content = gcd(*polynomial)
    content = content if polynomial[-1] > 0 else -content
    return tuple(coefficient // content for coefficient in polynomial)


def sturm_chain(polynomial: Polynomial) -> list[Polynomial]:
    """Return the Sturm chain of a polynomial; its last member is a greatest common divisor with the derivative.

    Raises
    ------
    Unproved
        The chain would be too long.

    Examples
    --------
    >>> sturm_chain((-2, 0, 1))
    [(-2, 0, 1), (0, 2), (8,)]
    """
    bits = max(coefficient.bit_length() for coefficient in polynomial) + 4
    if len(polynomial) ** 2 * isqrt((len(polynomial) * bits) ** 3) > MAX_CHAIN_WORK:
        raise Unproved("a polynomial of a root is too large for this checker")
    chain = [polynomial, derivative(polynomial)]
    if len(polynomial) == 2:
        return chain
    scale = height = 1
    while len(chain[-1]) > 1:
        first, second = chain[-2:]
        drop = len(first) - len(second)
        remainder, sign = _pseudo_remainder(first, second)
        if not remainder:
            break
        # The subresultant algorithm divides by exactly this; its absolute value, since only positive factors leave a
        # chain a chain.
        divisor = scale * height**drop
        chain.append(tuple(-sign * coefficient // divisor for coefficient in remainder))
        scale = abs(second[-1])
        height = scale if drop == 1 else scale**drop // height ** (drop - 1)
    return chain


def _pseudo_remainder(first: Polynomial, second: Polynomial) -> tuple[Polynomial, int]:
    """Return ``lead**(drop + 1) * first`` modulo ``second``, and the sign of that power of the lead of ``second``."""
    lead, degree = second[-1], len(second) - 1
    steps = len(first) - degree
    remainder = list(first)
    for _ in range(steps):
        top = remainder.pop()
        offset = len(remainder) - degree
        remainder = [lead * coefficient for coefficient in remainder]
        if top:
            for power in range(degree):
                remainder[offset + power] -= top * second[power]
    while remainder and remainder[-1] == 0:
        remainder.pop()
    return tuple(remainder), -1 if lead < 0 and steps % 2 else 1


def squarefree(polynomial: Polynomial, chain: list[Polynomial]) -> Polynomial:
    """Return the primitive polynomial with the same roots, each simple, from a polynomial and its Sturm chain.

    Examples
    --------
    >>> squarefree((1, -2, 1), sturm_chain((1, -2, 1)))
    (-1, 1)
    """
    divisor = primitive(chain[-1])
    if len(divisor) == 1:
        return primitive(polynomial)
    quotient = []
    rest = list(polynomial)
    while len(rest) >= len(divisor):
        # Both are integral and the divisor is primitive, so by Gauss's lemma the quotient is integral too.
        factor = rest[-1] // divisor[-1]
        offset = len(rest) - len(divisor)
        for power, coefficient in enumerate(divisor):
            rest[offset + power] -= factor * coefficient
        rest.pop()
        quotient.append(factor)
    return primitive(tuple(reversed(quotient)))


def _variations(chain: list[Polynomial], numerator: int, precision: int) -> int:
    signs = [value > 0 for member in chain if (value := value_at(member, numerator, precision))]
    return sum(before != after for before, after in pairwise(signs))


def _bound(polynomial: Polynomial) -> int:
    """Return an exponent e with every root strictly between -2**e and 2**e (Fujiwara's bound)."""
    lead = polynomial[-1].bit_length()
    degree = len(polynomial) - 1
    return 2 + max(
        -((lead - 1 - polynomial[degree - step].bit_length()) // step)
        for step in range(1, degree + 1)
        if polynomial[degree - step] or step == 1
    )


def _around(root: int, precision: int) -> Interval:
    """Return an interval around a root that lies on the grid, inside one in which the root is alone."""
    return Interval(2 * root - 1, 2 * root + 1, precision + 1)


class RealRoot:
    """One real root of a polynomial, enclosed as narrowly as it is asked for.

    Parameters
    ----------
    atom
        The polynomial, which may have multiple factors, and the index of the root.

    Raises
    ------
    MalformedCertificate
        The polynomial does not have so many real roots.
    Unproved
        The polynomial is too large for this checker.

    Examples
    --------
    >>> from relusym.decision.check.text import read_atom
    >>> root = RealRoot(read_atom("root([4, 0, -4, 0, 1], 1)"))  # (t^2 - 2)^2
    >>> root.polynomial
    (-2, 0, 1)
    >>> low, high, precision = next(root.enclosures())
    >>> low**2 < 2 * 4**precision < high**2
    True
    """

    def __init__(self, atom: Atom) -> None:
        chain = sturm_chain(atom.polynomial)
        self.polynomial = squarefree(atom.polynomial, chain)
        if len(chain[-1]) > 1:
            chain = sturm_chain(self.polynomial)
        self._derivative = derivative(self.polynomial)
        interval = self._isolate(chain, atom.position)
        self._rising = value_at(self.polynomial, interval.high, interval.precision) > 0
        self._jump = 1
        while interval.precision < 64:
            interval = self._refine(interval)
        self._enclosures = [interval]

    def enclosures(self) -> Iterator[Interval]:
        """Yield ever narrower intervals, each with exactly this root inside; raise Unproved at the limits."""
        position = 0
        while position < MAX_ENCLOSURES:
            if position == len(self._enclosures):
                self._enclosures.append(self._refine(self._enclosures[-1]))
            yield self._enclosures[position]
            position += 1
        raise Unproved(_NO_SIGN)

    def _isolate(self, chain: list[Polynomial], index: int) -> Interval:
        interval = Interval(-1, 1, -_bound(self.polynomial))
        most = _variations(chain, interval.low, interval.precision)
        least = _variations(chain, interval.high, interval.precision)
        if index >= most - least:
            malformed(f"root(..., {index})", f"the polynomial has {most - least} distinct real roots, counted from 0")
        wanted = most - index  # variations left of the root; one less on its right
        steps = min(MAX_ISOLATION_STEPS, (1 << 24) // len(self.polynomial) ** 2)
        while most - least > 1:
            steps -= 1
            if steps < 0:
                raise Unproved("the roots of a polynomial lie too close together for this checker")
            interval = interval.finer()
            middle = (interval.low + interval.high) // 2
            while self._value(middle, interval.precision) == 0:  # a root that lies on the grid: step beside it
                interval = interval.finer()
                middle = 2 * middle + 1
            here = _variations(chain, middle, interval.precision)
            if here < wanted:
                interval, least = interval._replace(high=middle), here
            else:
                interval, most = interval._replace(low=middle), here
        return interval

    def _refine(self, interval: Interval) -> Interval:
        """Return a narrower interval around the root."""
        guess = self._newton(interval)
        if guess is not None:
            self._jump *= 2
            return guess
        self._jump = max(1, self._jump // 2)
        interval = interval.finer()
        middle = (interval.low + interval.high) // 2
        value = self._value(middle, interval.precision)
        if value == 0:
            return _around(middle, interval.precision)
        if (value > 0) == self._rising:
            return interval._replace(high=middle)
        return interval._replace(low=middle)

    def _newton(self, interval: Interval) -> Interval | None:
        """Return the interval three grid steps wide around a Newton step, if the signs prove that it holds the root."""
        fine = interval.finer(self._jump + 1)
        middle = (fine.low + fine.high) // 2
        slope = value_at(self._derivative, middle, fine.precision)
        if slope == 0:
            return None
        centre = middle - self._value(middle, fine.precision) // (slope << max(-fine.precision, 0))
        guess = Interval(max(centre - 1, fine.low), min(centre + 2, fine.high), fine.precision)
        if guess.low >= guess.high:
            return None
        low, high = (self._value(end, guess.precision) for end in guess[:2])
        if low == 0 or high == 0:
            return _around(guess.high if low else guess.low, guess.precision)
        return guess if (low < 0 < high if self._rising else high < 0 < low) else None

    def _value(self, numerator: int, precision: int) -> int:
        bits = max(numerator.bit_length(), numerator.bit_length() - precision, precision)
        if bits * len(self.polynomial) > MAX_PRECISION_BITS:
            raise Unproved(_NO_SIGN)
        return value_at(self.polynomial, numerator, precision)
