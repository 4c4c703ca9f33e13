"""The text of a number: a small parser of our own; text is never given to ``eval`` or ``sympify``.

    number   = a sum, in the usual precedence, of + − * / ** and parentheses over
    decimal  = "3", "0.1", ".5", "1.5e-3" (exact: 0.1 is 1/10)
    function = sqrt(x), cbrt(x), root(x, n), root([c0, c1, ..., cd], i)

``root(x, n)`` is the real root, also of a negative x for odd n; ``root([...], i)`` is the i-th distinct real root,
ascending from 0, of c0 + c1 t + … . Exponents of ``**`` are rational constants. Sizes are checked before anything is
expanded.
"""

from __future__ import annotations

import re
from functools import lru_cache

from flint import fmpq, fmpz

from relusym.errors import FieldError, FormatError
from relusym.exact.expression import (
    MAX_DIGITS,
    Expression,
    RootOf,
    negate,
    power,
    product,
    radical,
    reciprocal,
    shown,
    sized,
    total,
)

_MAX_DEPTH = 60
_MAX_LENGTH = 1_000_000
_RATIONAL = re.compile(r"\s*([+-]?[0-9]+)(?:/([0-9]+))?\s*", re.ASCII)
_DECIMAL = re.compile(r"([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_]\w*)|(?P<symbol>\*\*|[-+*/()\[\],]))",
    re.ASCII,
)
_ACCEPTED = (
    "accepted are numbers like -3/7, 0.1, 1.5e-3 and + - * / ** ( ) over sqrt(x), cbrt(x), root(x, n), root([...], i)"
)


def parse_number(text: str) -> Expression:
    """Return the expression that ``text`` writes.

    Raises
    ------
    FormatError
        Where the text is not of the grammar.
    FieldError
        Where it is no real number, or one beyond 100,000 digits.

    Examples
    --------
    >>> parse_number("-3/7"), parse_number("1.5e-3")
    (-3/7, 3/2000)
    """
    if len(text) > _MAX_LENGTH:
        raise FieldError(f"the text of a number has {len(text):,} characters; at most {_MAX_LENGTH:,} are read")
    match = _RATIONAL.fullmatch(text)
    if match is not None:
        return _rational(match[1], match[2])
    return _Parser(text).parse()


def _rational(numerator: str, denominator: str | None) -> fmpq:
    below = fmpz(denominator) if denominator is not None else fmpz(1)
    if below == 0:
        raise FieldError("division by zero")
    return sized(fmpq(fmpz(numerator.removeprefix("+")), below))


@lru_cache(maxsize=64)
def _power_of_ten(exponent: int) -> fmpz:
    return fmpz(10) ** exponent


def decimal_value(text: str) -> fmpq:
    """Return the exact value of an unsigned decimal such as 12, 0.1 or 1.5e-3."""
    match = _DECIMAL.fullmatch(text)
    if match is None or not (match[1] or match[2]):
        raise FormatError(f"{shown(text)} is no decimal number")
    whole, fraction, exponent_text = match[1], match[2] or "", match[3] or "0"
    if len(whole) + len(fraction) > MAX_DIGITS or len(exponent_text) > 8 or abs(int(exponent_text)) > MAX_DIGITS:
        raise FieldError(
            f"{shown(text)} is beyond {MAX_DIGITS:,} digits or a decimal exponent of {MAX_DIGITS:,}; "
            "smaller numbers are accepted"
        )
    exponent = int(exponent_text) - len(fraction)
    digits = fmpz(whole + fraction)
    scale = _power_of_ten(abs(exponent))
    return sized(fmpq(digits * scale) if exponent >= 0 else fmpq(digits, scale))


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0
        self.tokens = self._tokens()
        self.position = 0

    def _tokens(self) -> list[tuple[str, str]]:
        tokens, place, text = [], 0, self.text.rstrip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                raise FormatError(
                    f"unexpected {shown(text[place:].lstrip()[:1])} in the number {shown(self.text)}; {_ACCEPTED}"
                )
            kind = match.lastgroup or ""
            tokens.append((kind, match[kind]))
            place = match.end()
        return [*tokens, ("end", "")]

    def parse(self) -> Expression:
        value = self._sum()
        if self._kind() != "end":
            raise self._unexpected()
        return value

    def _kind(self) -> str:
        return self.tokens[self.position][0]

    def _take(self, *symbols: str) -> str | None:
        kind, token = self.tokens[self.position]
        if kind == "symbol" and token in symbols:
            self.position += 1
            return token
        return None

    def _expect(self, symbol: str) -> None:
        if self._take(symbol) is None:
            raise self._unexpected(f", where {symbol!r} is due")

    def _unexpected(self, hint: str = "") -> FormatError:
        kind, token = self.tokens[self.position]
        found = "end of text" if kind == "end" else shown(token)
        return FormatError(f"unexpected {found} in the number {shown(self.text)}{hint}; {_ACCEPTED}")

    def _sum(self) -> Expression:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise FormatError(f"the number {shown(self.text)} is nested deeper than {_MAX_DEPTH} levels")
        terms = [self._product()]
        while sign := self._take("+", "-"):
            term = self._product()
            terms.append(term if sign == "+" else negate(term))
        self.depth -= 1
        return total(terms)

    def _product(self) -> Expression:
        factors = [self._signed()]
        while operator := self._take("*", "/"):
            factor = self._signed()
            factors.append(factor if operator == "*" else reciprocal(factor))
        return product(factors)

    def _signed(self) -> Expression:
        negative = False
        while sign := self._take("+", "-"):
            negative ^= sign == "-"
        value = self._power()
        return negate(value) if negative else value

    def _power(self) -> Expression:
        base = self._atom()
        if self._take("**") is None:
            return base
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise FormatError(f"the number {shown(self.text)} is nested deeper than {_MAX_DEPTH} levels")
        exponent = self._signed()
        self.depth -= 1
        return power(base, self._constant(exponent, "an exponent of **"))

    def _constant(self, value: Expression, what: str) -> fmpq:
        if not isinstance(value, fmpq):
            raise FormatError(f"{what} in the number {shown(self.text)} must be a rational constant")
        return value

    def _integer(self, what: str) -> int:
        value = self._constant(self._sum(), what)
        if value.q != 1:
            raise FormatError(f"{what} in the number {shown(self.text)} must be an integer; got {shown(str(value))}")
        return int(value.p)

    def _atom(self) -> Expression:
        kind, token = self.tokens[self.position]
        if kind == "number":
            self.position += 1
            return decimal_value(token)
        if kind == "name":
            self.position += 1
            return self._function(token)
        self._expect("(")
        value = self._sum()
        self._expect(")")
        return value

    def _function(self, name: str) -> Expression:
        if name not in ("sqrt", "cbrt", "root"):
            self.position -= 1
            raise FormatError(f"unknown name {shown(name)} in the number {shown(self.text)}; {_ACCEPTED}")
        self._expect("(")
        if name == "root" and self._take("["):
            value: Expression = self._root_of()
        else:
            argument = self._sum()
            if name == "root":
                self._expect(",")
                value = radical(argument, self._integer("n of root(x, n)"))
            else:
                value = radical(argument, 2 if name == "sqrt" else 3)
        self._expect(")")
        return value

    def _root_of(self) -> RootOf:
        coefficients = [self._constant(self._sum(), "a coefficient of root([...], i)")]
        while self._take(","):
            coefficients.append(self._constant(self._sum(), "a coefficient of root([...], i)"))
        self._expect("]")
        self._expect(",")
        return RootOf(tuple(coefficients), self._integer("i of root([...], i)"))
