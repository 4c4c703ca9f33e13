"""Sparse polynomials: few terms in many variables, as the polynomials of a parameter space are.

A polynomial maps monomials to coefficients. A monomial is the ascending tuple of its variables' indices, each as often
as its power says; coefficients are integers or exact field elements, never zero. SymPy's ``Poly`` stands in front of
this, as its dense representation would nest one list a variable; FLINT's ``fmpz_mpoly`` stands behind it where
products and Gröbner bases are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, permutations
from typing import Any, TypeAlias

Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = Mapping[Monomial, Any]

ONE: Polynomial = {(): 1}


def collect(terms: Iterable[tuple[Any, Iterable[int]]]) -> Polynomial:
    """Return the sum of terms (coefficient, indices of the variables).

    Examples
    --------
    >>> collect([(2, (1, 0)), (-2, (0, 1)), (3, ())])
    {(): 3}
    """
    total: dict[Monomial, Any] = {}
    for coefficient, variables in terms:
        monomial = tuple(sorted(variables))
        total[monomial] = total.get(monomial, 0) + coefficient
    return {monomial: value for monomial, value in total.items() if value != 0}


def variables_of(polynomials: Iterable[Polynomial]) -> list[int]:
    """Return the variables that occur, ascending."""
    return sorted({index for polynomial in polynomials for monomial in polynomial for index in monomial})


def determinant(rows: Sequence[Sequence[int]]) -> Polynomial:
    """Return the determinant of a square matrix of different variables.

    Examples
    --------
    >>> determinant([[0, 1], [2, 3]])
    {(0, 3): 1, (1, 2): -1}
    """
    order = range(len(rows))
    return collect(
        (_signature(columns), [rows[i][column] for i, column in enumerate(columns)]) for columns in permutations(order)
    )


def _signature(columns: Sequence[int]) -> int:
    inversions = sum(a > b for i, a in enumerate(columns) for b in columns[i + 1 :])
    return -1 if inversions % 2 else 1


def evaluate(polynomial: Polynomial, values: Sequence[Any], embed: Callable[[Any], Any]) -> Any:
    """Return the value at a point; ``embed`` carries coefficients into the field of the values."""
    total: Any = 0
    for monomial, coefficient in polynomial.items():
        product: Any = coefficient if isinstance(coefficient, int) else embed(coefficient)
        for index in monomial:
            product = product * values[index]
        total = total + product
    return total


def substitute(polynomial: Polynomial, values: Mapping[int, Any]) -> Polynomial:
    """Return the polynomial with some variables replaced by numbers."""
    terms = []
    for monomial, coefficient in polynomial.items():
        for index in monomial:
            if index in values:
                coefficient = coefficient * values[index]
        terms.append((coefficient, [index for index in monomial if index not in values]))
    return collect(terms)


def renamed(polynomial: Polynomial, place: Mapping[int, int] | Sequence[int]) -> Polynomial:
    """Return the polynomial with each variable i called place[i]."""
    return {tuple(sorted(place[i] for i in monomial)): c for monomial, c in polynomial.items()}


def powers(monomial: Monomial) -> Iterator[tuple[int, int]]:
    """Iterate over (variable, exponent)."""
    return ((index, len(list(group))) for index, group in groupby(monomial))


def text(
    polynomial: Polynomial, names: Sequence[str], number: Callable[[Any], str] = str, power: str = "^", times: str = "*"
) -> str:
    """Write a polynomial, its terms by degree and then by variables.

    Examples
    --------
    >>> text({(0, 2): 1, (1, 1): -3, (): 1}, ["x", "y", "z"])
    'x*z - 3*y^2 + 1'
    """
    pieces: list[str] = []
    for monomial in sorted(polynomial, key=lambda term: (-len(term), term)):
        factors = [names[index] if n == 1 else f"{names[index]}{power}{n}" for index, n in powers(monomial)]
        sign, size = _sign_and_size(polynomial[monomial], number)
        if size != "1" or not factors:
            factors.insert(0, size)
        if pieces:
            sign = f" {sign or '+'} "
        pieces.append(sign + times.join(factors))
    return "".join(pieces) or "0"


def _sign_and_size(coefficient: Any, number: Callable[[Any], str]) -> tuple[str, str]:
    written = number(coefficient)
    if any(mark in written[1:] for mark in "+-( "):
        return "", f"({written})"
    return ("-", written[1:]) if written.startswith("-") else ("", written)
