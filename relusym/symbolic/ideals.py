"""Dimension and radical membership by Gröbner bases.

FLINT's Buchberger algorithm is naive but quick for ideals of a few polynomials, and it stops by itself where a basis
grows beyond what is sensible; larger ideals are for Singular or Macaulay2 (see the exports). All statements are about
the complex zero set; over an irreducible component with a smooth real point, containment is the same over R.

Coefficients in Q(α) are written as polynomials in one more variable with the minimal polynomial of α among the
generators. Conjugates of α are not told apart by that, nor do they matter: what the computations below ask for does
not depend on which root is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

from flint import Ordering, fmpq, fmpz, fmpz_mpoly_ctx, fmpz_mpoly_vec

from relusym.errors import Undecided
from relusym.exact.child import call_in_child
from relusym.exact.field import Field
from relusym.exact.number_field import NumberField
from relusym.limits import Budget, LimitReached, Limits
from relusym.symbolic.polynomials import Polynomial, powers, variables_of

Terms: TypeAlias = list[tuple[tuple[int, ...], int]]
"""A polynomial with integer coefficients as plain data: pairs of dense exponents and coefficient."""

_BASIS_LIMITS = (3000, 20_000, 100_000)  # polynomials, terms of each, bits of a coefficient


def _plain(polynomials: Iterable[Polynomial], field: Field) -> tuple[int, list[Terms], list[int]]:
    """Return the number of variables, the polynomials with denominators cleared, and which variables they are."""
    polynomials = list(polynomials)
    used = variables_of(polynomials)
    place = {index: position for position, index in enumerate(used)}
    algebraic = isinstance(field, NumberField)
    count = len(used) + algebraic
    result = [_cleared(_exponents(polynomial, place, count, field)) for polynomial in polynomials]
    if isinstance(field, NumberField):
        modulus = {(*(0,) * len(used), power): value for power, value in enumerate(field.modulus.coeffs())}
        result.append(_cleared(modulus))
    return count, result, used


def _exponents(polynomial: Polynomial, place: dict[int, int], count: int, field: Field) -> dict[tuple[int, ...], fmpq]:
    terms: dict[tuple[int, ...], fmpq] = {}
    for monomial, coefficient in polynomial.items():
        exponents = [0] * count
        for index, power in powers(monomial):
            exponents[place[index]] = power
        if field.degree == 1 or isinstance(coefficient, int):
            terms[tuple(exponents)] = fmpq(coefficient)
            continue
        for power, value in enumerate(field.coordinates(coefficient)):
            exponents[-1] = power
            terms[tuple(exponents)] = value
    return terms


def _cleared(terms: dict[tuple[int, ...], fmpq]) -> Terms:
    denominator = fmpz(1)
    for value in terms.values():
        denominator = denominator.lcm(value.q)
    return [(exponents, int((value * denominator).p)) for exponents, value in terms.items() if value != 0]


def _basis(count: int, polynomials: Sequence[Terms]) -> list[Any] | None:
    """Return a Gröbner basis for the degree reverse lexicographic order, None where it grows too large."""
    context = fmpz_mpoly_ctx.get([f"x{i}" for i in range(max(count, 1))], Ordering.degrevlex)
    made = [context.from_dict({exponents or (0,): value for exponents, value in terms}) for terms in polynomials]
    made = [polynomial for polynomial in made if not polynomial.is_zero()]
    if not made:
        return []
    basis, complete = cast(Any, fmpz_mpoly_vec(made, context)).buchberger_naive(limits=_BASIS_LIMITS)
    return list(basis) if complete else None


def plain_codimension(count: int, polynomials: list[Terms]) -> int | None:
    """Return the codimension of the zero set (count + 1 where it is empty), None beyond the limits of a basis."""
    basis = _basis(count, polynomials)
    if basis is None:
        return None
    if any(polynomial.is_constant() for polynomial in basis):
        return count + 1
    supports = {frozenset(i for i, e in enumerate(p.monomial(0)) if e) for p in basis}
    minimal = [s for s in supports if not any(t < s for t in supports)]
    return _smallest_hitting_set(minimal, count)


def _smallest_hitting_set(sets: list[frozenset[int]], best: int) -> int:
    """Return the least size of a set that meets all of ``sets``, at most ``best``."""
    if not sets:
        return 0
    if best <= 1:
        return best
    for element in min(sets, key=len):
        rest = [s for s in sets if element not in s]
        best = min(best, 1 + _smallest_hitting_set(rest, best - 1))
    return best


def plain_has_unit(count: int, polynomials: list[Terms]) -> bool | None:
    """Return whether the polynomials have no common zero, None beyond the limits of a basis."""
    basis = _basis(count, polynomials)
    return None if basis is None else any(polynomial.is_constant() for polynomial in basis)


def codimension(polynomials: Sequence[Polynomial], field: Field, variables: int, limits: Limits | None = None) -> int:
    """Return the codimension of the zero set of polynomials in ``variables`` variables; ``variables`` + 1: empty.

    Raises
    ------
    Undecided
        Where the Gröbner basis is beyond the limits.
    """
    count, plain, _ = _plain(polynomials, field)
    try:
        value = call_in_child(plain_codimension, count, plain, budget=Budget(limits))
    except LimitReached as limit:
        raise Undecided(f"{limit} before the codimension was found") from None
    if value is None:
        raise Undecided("the Gröbner basis grows too large for this room; export the ideal to Singular for it")
    if value > count:
        return variables + 1
    return value - isinstance(field, NumberField)


def vanishes_on(
    polynomial: Polynomial, ideal: Sequence[Polynomial], field: Field, limits: Limits | None = None
) -> bool | None:
    """Return whether a polynomial is zero on the zero set of the others, None where that is beyond the limits.

    Rabinowitsch: g vanishes on V(I) exactly when I and 1 − t·g have no common zero.
    """
    if not polynomial or any(polynomial == known for known in ideal):
        return True
    fresh = max(variables_of([polynomial, *ideal]), default=-1) + 1
    inverse = {(*monomial, fresh): -value for monomial, value in polynomial.items()}
    count, plain, _ = _plain([*ideal, {**inverse, (): 1}], field)
    try:
        return call_in_child(plain_has_unit, count, plain, budget=Budget(limits))
    except LimitReached:
        return None
