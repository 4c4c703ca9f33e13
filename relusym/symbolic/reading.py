"""Reading SymPy expressions in Max, Min, Abs and Piecewise as forms in ReLU units.

Numbers are read by :func:`relusym.exact.numbers.read_number` into one field, conditions are decided there: SymPy is
asked for the structure of an expression, never for a sign. Symbols stand for real numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from relusym.errors import FormatError, RelusymError
from relusym.exact.expression import Expression, shown
from relusym.exact.numbers import read_number, settle
from relusym.symbolic.units import Form, Units, plus, times

_ACCEPTED = "accepted are sums and multiples of Max, Min, Abs and Piecewise of linear expressions, nested as one likes"


def refuse(expression: Any, why: str) -> RelusymError:
    """Return the error for a sub-expression that is not continuous piecewise linear."""
    return FormatError(f"{written(expression)} {why}; {_ACCEPTED}")


def written(expression: Any) -> str:
    """Return an expression as text of at most 80 characters, for messages."""
    text = str(expression)
    return text if len(text) <= 80 else f"{text[:79]}…"


def read_expressions(
    expressions: Sequence[Any], symbols: Sequence[Any], *, canonical: bool
) -> tuple[Units, list[Form]]:
    """Return the forms of some expressions over common units.

    Raises
    ------
    FormatError
        Where an expression is not continuous piecewise linear in the symbols; the message names the sub-expression.
    FieldError
        Where a number is no real algebraic number.
    """
    reader = Reader(expressions, symbols, canonical=canonical)
    return reader.units, [reader.read(expression) for expression in expressions]


def as_expression(expression: Any) -> Any:
    """Return a SymPy expression: what it is already, or an exact Python number."""
    from sympy import Expr, Piecewise, sympify

    if isinstance(expression, (Expr, Piecewise)):
        return expression
    try:
        made = sympify(expression, strict=True)
    except (TypeError, ValueError):
        made = None
    if not isinstance(made, Expr):
        raise FormatError(
            f"a SymPy expression is due; got {shown(repr(expression))} of type {type(expression).__name__}"
        )
    return made


def read_symbols(symbols: Iterable[Any]) -> list[Any]:
    """Return the symbols, checked to be different SymPy symbols for real numbers."""
    from sympy import Symbol

    listed = [symbols] if isinstance(symbols, Symbol) else list(symbols)
    for symbol in listed:
        if not isinstance(symbol, Symbol):
            raise FormatError(f"the symbols: a SymPy symbol for each input is due; got {shown(repr(symbol))}")
        if symbol.is_extended_real is False:
            raise FormatError(f"the symbol {symbol} is declared not to be real; symbols stand for real numbers here")
    if len(set(listed)) < len(listed):
        raise FormatError("the symbols: one is given twice; a different symbol for each input is due")
    if not listed:
        raise FormatError("the symbols: at least one input is due")
    return listed


class Reader:
    """Reads expressions into one set of units; each sub-expression once."""

    def __init__(self, expressions: Sequence[Any], symbols: Sequence[Any], *, canonical: bool) -> None:
        self.symbols = {symbol: index for index, symbol in enumerate(symbols)}
        numbers: dict[Any, Expression] = {}
        for expression in expressions:
            for number in _numbers(expression):
                if number not in numbers:
                    numbers[number] = read_number(number)
        tower, values = settle(numbers.values())
        self.numbers = dict(zip(numbers, values, strict=True))
        self.units = Units(tower.field, len(self.symbols), canonical=canonical)
        self._read: dict[Any, Form] = {}

    def read(self, expression: Any) -> Form:
        """Return the form of an expression."""
        if expression not in self._read:
            self._read[expression] = self._make(expression)
        return self._read[expression]

    def _make(self, expression: Any) -> Form:
        from sympy import Abs, Add, Max, Min, Mul, Piecewise, Pow, Rational, Symbol, conjugate

        if expression in self.numbers:
            return self.units.number(self.numbers[expression])
        match expression:
            case Symbol():
                if expression not in self.symbols:
                    raise FormatError(f"{expression} is not among the symbols ({', '.join(map(str, self.symbols))})")
                return self.units.atom(self.symbols[expression])
            case Add():
                total = self.units.number(self.units.field.rational(0))
                for term in expression.args:
                    total = plus(total, self.read(term))
                return total
            case Mul():
                return self._product(expression)
            case Max():
                return self.units.maximum(map(self.read, expression.args))
            case Min():
                return self.units.minimum(map(self.read, expression.args))
            case Abs():
                return self.units.absolute(self.read(expression.args[0]))
            case Piecewise():
                from relusym.symbolic.piecewise import read_piecewise

                return read_piecewise(self, expression)
            case conjugate():
                return self.read(expression.args[0])
            case Pow() if expression.exp == Rational(1, 2):
                return self._root_of_square(expression)
        raise refuse(expression, "is not piecewise linear")

    def _root_of_square(self, expression: Any) -> Form:
        """Return |e| for sqrt(e**2), and for sqrt(e*conjugate(e)), which SymPy makes of |e| for complex symbols."""
        from sympy import Mul, Pow

        base = expression.base
        if isinstance(base, Pow) and base.exp == 2:
            return self.units.absolute(self.read(base.base))
        if isinstance(base, Mul) and len(base.args) == 2:
            first, second = map(self.read, base.args)
            if self.units.key(first) == self.units.key(second):
                return self.units.absolute(first)
        raise refuse(expression, "is not piecewise linear")

    def _product(self, expression: Any) -> Form:
        product: Form | None = None
        for factor in expression.args:
            form = self.read(factor)
            if product is None or product.is_constant:
                product = form if product is None else times(form, product.constant)
            elif form.is_constant:
                product = times(product, form.constant)
            else:
                raise refuse(expression, "is a product of functions, so it is not linear on its pieces")
        assert product is not None, "a SymPy Mul has factors"
        return product


def _numbers(expression: Any) -> Iterator[Any]:
    """Iterate over the maximal sub-expressions that are numbers; functions of numbers alone are looked into."""
    from sympy import Abs, Max, Min, Piecewise

    if not expression.free_symbols and not expression.has(Max, Min, Abs, Piecewise):
        if expression.is_number:
            yield expression
            return
        for argument in expression.args:  # a comparison of numbers, a constant piece with its condition
            yield from _numbers(argument)
        return
    if expression.is_Pow:
        yield from _numbers(expression.base)
        return
    for argument in expression.args:
        yield from _numbers(argument)
