"""Linear assumptions on symbols: relations, predicates, intervals, and the signs that symbols were declared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from relusym.errors import DomainError, FormatError
from relusym.exact.field import Field
from relusym.symbolic.inequalities import Inequality, feasible
from relusym.symbolic.reading import read_expressions, read_symbols, written
from relusym.symbolic.units import Form, plus, times

_ACCEPTED = "accepted are linear relations, Q.positive(x) and the like, lists of those, and {symbol: (low, high)}"


@dataclass(frozen=True)
class Assumed:
    """Symbols, and linear forms in them that are assumed not to be negative (strict: to be positive)."""

    symbols: tuple[Any, ...]
    field: Field
    bounds: tuple[tuple[Form, bool], ...]

    @property
    def strict(self) -> bool:
        """Whether some bound excludes its end."""
        return any(strict for _, strict in self.bounds)

    def domain(self, gap: fmpq | int = 0) -> Any:
        """Return the domain for :func:`relusym.equal`, every strict bound moved inwards by ``gap``.

        None for no bounds, a box where every bound is one of a symbol, else inequalities (row, bound).
        """
        if not self.bounds:
            return None
        moved = [form._replace(constant=form.constant - gap) if strict else form for form, strict in self.bounds]
        if all(len(form.terms) == 1 for form in moved):
            return self._box(moved)
        zero = self.field.rational(0)
        return [([-form.terms.get(atom, zero) for atom in range(len(self.symbols))], form.constant) for form in moved]

    def _box(self, forms: Iterable[Form]) -> list[tuple[Any, Any]]:
        low: list[Any] = [None] * len(self.symbols)
        high: list[Any] = [None] * len(self.symbols)
        for form in forms:
            ((atom, slope),) = form.terms.items()
            end = -form.constant / slope
            if slope > 0:
                low[atom] = end if low[atom] is None else max(low[atom], end)
            else:
                high[atom] = end if high[atom] is None else min(high[atom], end)
        return list(zip(low, high, strict=True))


def read_assumptions(assumptions: Any, symbols: Iterable[Any]) -> Assumed:
    """Return the assumptions as linear forms over the symbols of the expressions and their own, sorted by name.

    Raises
    ------
    FormatError
        Where an assumption is not linear, or of another kind; or a symbol is declared to be an integer, or not real.
    DomainError
        Where no point satisfies all of them.
    """
    relations = list(_relations(assumptions))
    free = set(symbols).union(*(side.free_symbols for left, _, right in relations for side in (left, right)))
    from sympy import Dummy

    ordered = read_symbols(sorted(free, key=lambda symbol: (str(symbol), repr(symbol.assumptions0))) or [Dummy("x")])
    for symbol in ordered:
        if symbol.is_integer:
            raise FormatError(f"the symbol {symbol} is declared to be an integer; symbols stand for real numbers here")
        relations += _declared(symbol)
    sides = [side for left, _, right in relations for side in (left, right)]
    units, forms = read_expressions(sides, ordered, canonical=False)
    bounds = []
    for index, (left, sign, right) in enumerate(relations):
        difference = plus(forms[2 * index], forms[2 * index + 1], units.field.rational(-1))
        if units.level(difference) > 0:
            raise FormatError(f"the assumption {left} {sign} {right} is not linear; {_ACCEPTED}")
        if "<" in sign:
            difference = times(difference, units.field.rational(-1))
        bounds.append((difference, "=" not in sign))
        if sign == "==":
            bounds.append((times(difference, units.field.rational(-1)), False))
    _require_a_point(units.field, len(ordered), bounds)
    kept = tuple((form, strict) for form, strict in bounds if not form.is_constant)
    return Assumed(tuple(ordered), units.field, kept)


def _require_a_point(field: Field, count: int, bounds: list[tuple[Form, bool]]) -> None:
    zero = field.rational(0)
    system = [
        Inequality(tuple(form.terms.get(atom, zero) for atom in range(count)), form.constant, strict)
        for form, strict in bounds
    ]
    if not feasible(field, system):
        raise DomainError("the assumptions contradict each other: no values of the symbols satisfy all of them")


def _declared(symbol: Any) -> list[tuple[Any, str, Any]]:
    from sympy import Integer

    zero = Integer(0)
    for holds, sign in (
        (symbol.is_positive, ">"),
        (symbol.is_negative, "<"),
        (symbol.is_nonnegative, ">="),
        (symbol.is_nonpositive, "<="),
    ):
        if holds:
            return [(symbol, sign, zero)]
    return []


def _relations(assumptions: Any) -> Iterator[tuple[Any, str, Any]]:
    """Iterate over relations (left, sign, right), the sign one of < <= > >= ==."""
    from sympy import And, Contains, Eq, Interval, sympify
    from sympy.core.relational import Relational

    if assumptions is None or assumptions == True:  # noqa: E712 - SymPy's true and Python's alike
        return
    if assumptions == False:  # noqa: E712
        raise DomainError("the assumptions are False: no values of the symbols satisfy them")
    if isinstance(assumptions, Mapping):
        for symbol, ends in assumptions.items():
            if isinstance(ends, Interval):
                yield from _relations(ends.as_relational(symbol))
                continue
            if not isinstance(ends, (tuple, list)) or len(ends) != 2:
                raise FormatError(f"the assumption on {symbol}: a pair (low, high) is due, None for no bound")
            for end, sign in zip(ends, (">=", "<="), strict=True):
                if end is not None and str(end) not in ("oo", "-oo", "inf", "-inf"):
                    yield sympify(symbol), sign, _number(end)
        return
    if isinstance(assumptions, (list, tuple, set, frozenset)):
        for assumption in assumptions:
            yield from _relations(assumption)
    elif isinstance(assumptions, And):
        for assumption in assumptions.args:
            yield from _relations(assumption)
    elif isinstance(assumptions, Contains) and isinstance(assumptions.args[1], Interval):
        yield from _relations(assumptions.args[1].as_relational(assumptions.args[0]))
    elif isinstance(assumptions, Relational) and assumptions.rel_op != "!=":
        sign = "==" if isinstance(assumptions, Eq) else assumptions.rel_op
        if not any(side.is_infinite for side in assumptions.args):
            yield assumptions.lhs, sign, assumptions.rhs
    else:
        yield from _predicate(assumptions)


def _number(end: Any) -> Any:
    """Return the end of an interval as an exact SymPy number."""
    from relusym.exact.expression import to_sympy
    from relusym.exact.numbers import read_number

    return to_sympy(read_number(end))


def _predicate(assumption: Any) -> Iterator[tuple[Any, str, Any]]:
    from sympy import Integer, Q
    from sympy.assumptions import AppliedPredicate

    signs = {Q.positive: ">", Q.nonnegative: ">=", Q.negative: "<", Q.nonpositive: "<=", Q.zero: "=="}
    if isinstance(assumption, AppliedPredicate) and assumption.function in signs:
        yield assumption.arguments[0], signs[assumption.function], Integer(0)
    elif not (isinstance(assumption, AppliedPredicate) and assumption.function == Q.real):
        raise FormatError(f"the assumption {written(assumption)} is not read; {_ACCEPTED}")
