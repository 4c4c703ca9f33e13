"""One polynomial, or one ideal, for a whole algebraic set: products of the components' generators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from relusym.errors import ShapeError, Undecided
from relusym.limits import Budget, LimitReached, Limits
from relusym.symbolic.polynomials import ONE, Polynomial, collect, powers, variables_of

if TYPE_CHECKING:
    from relusym.symbolic.algebraic_set import AlgebraicSet

_MOST_GENERATORS = 100_000


def product_polynomial(whole: AlgebraicSet, *, expand: bool) -> Any:
    """Return the squarefree product of the generators of components with one generator each."""
    factors: list[Polynomial] = []
    for component in _reduced(whole):
        if len(component.polynomials) != 1:
            raise ShapeError(
                f"{component.name} has {len(component.polynomials)} generators, so it is no hypersurface; one "
                "polynomial defines the locus for m = 1 input (ideal() works for every m)"
            )
        factors.append(component.polynomials[0])
    factors = _squarefree(whole, factors)
    if expand:
        return whole.ring.poly(multiplied(factors) if whole.ring.field.degree == 1 else _naive_product(factors))
    from sympy import Mul

    return Mul(*(whole.ring.poly(factor).as_expr() for factor in factors))


def _reduced(whole: AlgebraicSet) -> AlgebraicSet:
    try:
        return whole.irredundant()
    except Undecided:
        return whole


def _squarefree(whole: AlgebraicSet, factors: Sequence[Polynomial]) -> list[Polynomial]:
    """Return the distinct irreducible factors of rational polynomials; the distinct polynomials otherwise."""
    if whole.ring.field.degree > 1:
        return [f for i, f in enumerate(factors) if f not in factors[:i]]
    used = variables_of(factors)
    context, place = _context(used)
    distinct: dict[Any, Any] = {}
    for factor in factors:
        for irreducible, _ in _to_flint(factor, context, place).factor()[1]:
            distinct.setdefault(tuple(irreducible.terms()), irreducible)
    return [_from_flint(factor, used) for factor in distinct.values()]


def multiplied(factors: Sequence[Polynomial]) -> Polynomial:
    """Return the product of rational polynomials, by FLINT, in a balanced tree."""
    used = variables_of(factors)
    context, place = _context(used)
    made = [_to_flint(factor, context, place) for factor in factors] or [context.constant(1)]
    while len(made) > 1:
        made = [a * b for a, b in zip(made[::2], made[1::2], strict=False)] + made[len(made) & ~1 :]
    return _from_flint(made[0], used)


def _context(used: Sequence[int]) -> tuple[Any, dict[int, int]]:
    names = [f"x{index}" for index in used] or ["x"]
    return fmpq_mpoly_ctx.get(names, Ordering.lex), {index: position for position, index in enumerate(used)}


def _to_flint(polynomial: Polynomial, context: Any, place: dict[int, int]) -> Any:
    terms = {}
    for monomial, coefficient in polynomial.items():
        exponents = [0] * max(len(place), 1)
        for index, power in powers(monomial):
            exponents[place[index]] = power
        terms[tuple(exponents)] = fmpq(coefficient)
    return context.from_dict(terms)


def _from_flint(polynomial: Any, used: Sequence[int]) -> Polynomial:
    return {
        tuple(index for index, power in zip(used, exponents, strict=False) for _ in range(int(power))): coefficient
        for exponents, coefficient in polynomial.to_dict().items()
    }


def _naive_product(factors: Sequence[Polynomial]) -> Polynomial:
    product = ONE
    for factor in factors:
        product = collect((c * d, (*p, *q)) for p, c in product.items() for q, d in factor.items())
    return product


def ideal(whole: AlgebraicSet, limits: Limits | None) -> tuple[Any, ...]:
    """Return the products of one generator of each component."""
    budget = Budget(Limits(items=_MOST_GENERATORS) if limits is None else limits)
    products: list[Polynomial] = [ONE]
    try:
        for component in whole:
            larger = []
            for product in products:
                for generator in component.polynomials:
                    budget.tick(1)
                    candidate = _naive_product([product, generator])
                    if candidate not in larger:
                        larger.append(candidate)
            products = larger
    except LimitReached as limit:
        raise Undecided(
            f"{limit} before the product ideal was written down; the exports hand the components to Singular, "
            "whose intersect() is made for it"
        ) from None
    return tuple(map(whole.ring.poly, products))
