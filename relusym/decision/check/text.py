"""The text of numbers.

A rational number is ``"-7"``, ``"3/2"`` or a decimal that is read exactly, ``"0.5"`` or ``"1e-3"``. Any other number is
a sum of rational multiples of powers of one atom: ``"1/2 + 3*sqrt(2)"``, ``"2*root([-2, 0, 0, 1], 0)**2 - 1"``. An atom
is a real root of a polynomial with rational coefficients, counted among the distinct real roots, ascending from 0;
``sqrt(d)`` is the positive root of t^2 - d. Nothing is evaluated: one regular expression a token, in linear time, and
every size is looked at before a number is expanded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple, NoReturn

from relusym.decision.check.errors import MalformedCertificate, shown

MAX_LENGTH = 250_000
MAX_DIGITS = 100_000
MAX_DEGREE = 256
_CHUNK = 512  # digits: below every limit that int() may be given

_RATIONAL = r"\d++(?:/\d++|(?:\.\d*+)?+(?:[eE][+-]?+\d++)?+)"
_TOKEN = re.compile(rf"\s*+({_RATIONAL}|\*\*|[-+*()\[\],]|sqrt\b|root\b)", re.ASCII)
_PARTS = re.compile(r"([+-]?)(\d++)(?:/(\d++)|(?:\.(\d*+))?+(?:[eE]([+-]?+\d++))?+)", re.ASCII)


class Atom(NamedTuple):
    """The real root number ``position`` of a primitive integer polynomial, constant term first, last entry positive."""

    polynomial: tuple[int, ...]
    position: int


class Text(NamedTuple):
    """A number as it is written: the sum of ``coefficients[k] * atom**k``; ``atom`` is None for a rational."""

    atom: Atom | None
    coefficients: list[Fraction]


def integer(digits: str) -> int:
    """Return the integer of a string of decimal digits, in chunks that no limit of ``int()`` forbids.

    Examples
    --------
    >>> integer("1" + "0" * 5000) == 10**5000
    True
    """
    if len(digits) <= _CHUNK:
        return int(digits)
    half = len(digits) // 2
    low: int = 10**half
    return integer(digits[:-half]) * low + integer(digits[-half:])


def rational(text: str) -> Fraction:
    """Return the rational number that a text holds.

    Raises
    ------
    MalformedCertificate
        The text is no ``p/q``, integer or decimal, or is beyond the limits.

    Examples
    --------
    >>> rational("-3/6"), rational("1.5e-3")
    (Fraction(-1, 2), Fraction(3, 2000))
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise MalformedCertificate(f"{shown(text)} is no number: 'p/q', an integer or a decimal is accepted")
    sign, whole, denominator, decimals, exponent = parts.groups()
    if max(len(whole) + len(decimals or ""), len(denominator or "")) > MAX_DIGITS:
        raise MalformedCertificate(f"a number has more than {MAX_DIGITS} digits")
    numerator = integer(whole + (decimals or ""))
    numerator = -numerator if sign == "-" else numerator
    if denominator is not None:
        divisor = integer(denominator)
        if divisor == 0:
            raise MalformedCertificate(f"{shown(text)} divides by zero")
        return Fraction(numerator, divisor)
    if len(exponent or "") > 8 or abs(int(exponent or "0")) > MAX_DIGITS:
        raise MalformedCertificate(f"{shown(text)} has an exponent beyond {MAX_DIGITS}")
    shift = int(exponent or "0") - len(decimals or "")
    return Fraction(numerator * 10**shift) if shift >= 0 else Fraction(numerator, 10**-shift)


def atom_of(coefficients: Sequence[Fraction], position: int) -> Atom:
    """Return the atom of a polynomial with rational coefficients, in its one normal form.

    Examples
    --------
    >>> atom_of([Fraction(1, 2), Fraction(0), Fraction(-1, 4)], 1)
    Atom(polynomial=(-2, 0, 1), position=1)
    """
    if not 2 <= len(coefficients) <= MAX_DEGREE + 1 or coefficients[-1] == 0:
        raise MalformedCertificate(f"root(...) takes a polynomial of degree 1 to {MAX_DEGREE}, not 0 in its last entry")
    common = 1
    for entry in coefficients:
        common = lcm(common, entry.denominator)
        if common.bit_length() > 4 * MAX_DIGITS:
            raise MalformedCertificate(f"a polynomial has a common denominator of more than {MAX_DIGITS} digits")
    integers = [entry.numerator * (common // entry.denominator) for entry in coefficients]
    content = gcd(*integers)
    content = content if integers[-1] > 0 else -content
    return Atom(tuple(entry // content for entry in integers), position)


def read_text(text: str) -> Text:
    """Return the number that a text writes as a polynomial in one atom.

    Raises
    ------
    MalformedCertificate
        The text is no such sum, or is beyond the limits.

    Examples
    --------
    >>> read_text("1/2 + 3*sqrt(2) - (-4)*sqrt(2)")
    Text(atom=Atom(polynomial=(-2, 0, 1), position=1), coefficients=[Fraction(1, 2), Fraction(7, 1)])
    """
    if len(text) > MAX_LENGTH:
        raise MalformedCertificate(f"the text of a number is longer than {MAX_LENGTH} characters")
    if _PARTS.fullmatch(text):
        return Text(None, [rational(text)])
    return _Parser(text).number()


def read_atom(text: str) -> Atom:
    """Return the atom that a text holds, ``"sqrt(d)"`` or ``"root([c0, ..., cd], i)"`` and nothing else.

    Examples
    --------
    >>> read_atom("sqrt(1/3)")
    Atom(polynomial=(-1, 0, 3), position=1)
    """
    value = read_text(text)
    if value.atom is None or value.coefficients != [0, 1]:
        raise MalformedCertificate(f"{shown(text)} is no 'sqrt(d)' or 'root([c0, ..., cd], i)'")
    return value.atom


class _Parser:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[str] = []
        end = len(text.rstrip())
        position = 0
        while position < end:
            token = _TOKEN.match(text, position, end)
            if token is None:
                self._refuse()
            self._tokens.append(token[1])
            position = token.end()
        self._tokens.append("")  # the end, so that looking ahead never fails
        self._at = 0

    def number(self) -> Text:
        atom: Atom | None = None
        powers: dict[int, Fraction] = {}
        sign = self._sign()
        while True:
            coefficient, found, power = self._term()
            if found is not None and atom not in (None, found):
                raise MalformedCertificate(f"{shown(self._text)} holds two different roots; one is accepted")
            atom = found or atom
            powers[power] = powers.get(power, Fraction(0)) + sign * coefficient
            if self._take(""):
                break
            if self._tokens[self._at] not in ("+", "-"):
                self._refuse()
            sign = self._sign()
        return Text(atom, [powers.get(power, Fraction(0)) for power in range(max(powers) + 1)])

    def _term(self) -> tuple[Fraction, Atom | None, int]:
        """Return one term: its coefficient, its atom and the power of that."""
        coefficient = Fraction(1)
        if self._tokens[self._at] not in ("sqrt", "root"):
            coefficient = self._coefficient()
            if not self._take("*"):
                return coefficient, None, 0
        atom = self._atom()
        return coefficient, atom, self._index(MAX_DEGREE) if self._take("**") else 1

    def _coefficient(self) -> Fraction:
        if not self._take("("):
            return self._rational()
        value = self._signed()
        self._expect(")")
        return value

    def _atom(self) -> Atom:
        if self._take("sqrt"):
            self._expect("(")
            radicand = self._signed()
            self._expect(")")
            if radicand <= 0:
                raise MalformedCertificate(f"{shown(self._text)}: sqrt takes a positive rational number")
            return atom_of([-radicand, Fraction(0), Fraction(1)], 1)
        for token in ("root", "(", "["):
            self._expect(token)
        coefficients = [self._signed()]
        while self._take(","):
            coefficients.append(self._signed())
        for token in ("]", ","):
            self._expect(token)
        index = self._index(MAX_DEGREE - 1)
        self._expect(")")
        return atom_of(coefficients, index)

    def _sign(self) -> int:
        if self._take("-"):
            return -1
        self._take("+")
        return 1

    def _signed(self) -> Fraction:
        return self._sign() * self._rational()

    def _rational(self) -> Fraction:
        token = self._tokens[self._at]
        if not token[:1].isdigit():
            self._refuse()
        self._at += 1
        return rational(token)

    def _index(self, largest: int) -> int:
        value = self._rational()
        if value.denominator != 1 or not 0 <= value <= largest:
            raise MalformedCertificate(f"{shown(self._text)}: an exponent or index is no integer from 0 to {largest}")
        return value.numerator

    def _take(self, token: str) -> bool:
        if self._tokens[self._at] != token:
            return False
        self._at += 1
        return True

    def _expect(self, token: str) -> None:
        if not self._take(token):
            self._refuse()

    def _refuse(self) -> NoReturn:
        raise MalformedCertificate(
            f"{shown(self._text)} is no number: a sum of terms p/q, atom, p/q*atom**k is accepted,"
            " with one atom 'sqrt(d)' or 'root([c0, ..., cd], i)'"
        )
