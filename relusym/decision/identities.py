"""Identities between SymPy expressions in Max, Min, Abs and Piecewise, proved or refuted with exact witnesses."""

from __future__ import annotations

from functools import partial
from typing import Any

from flint import fmpq

from relusym.decision.equality import Equality, equal
from relusym.errors import DomainError
from relusym.limits import Limits, Progress
from relusym.parameters.network import Network
from relusym.symbolic.assumptions import Assumed, read_assumptions
from relusym.symbolic.expressions import network_from_sympy
from relusym.symbolic.reading import as_expression, read_expressions
from relusym.symbolic.unit_networks import network_of
from relusym.symbolic.units import plus

_HALVINGS = 64


class Identity(Equality):
    """The answer of :func:`prove_equal`: an :class:`Equality` that knows the symbols.

    Attributes
    ----------
    symbols : tuple
        The SymPy symbols, in the order of the networks' inputs.
    networks : tuple of Network
        The two networks that the certificate is about. Where the two expressions share nested functions, these are
        their difference and zero.
    assignment : dict or None
        For "different": values of the symbols at which the two expressions differ, within the assumptions.
    """

    def __init__(self, found: Equality, symbols: tuple[Any, ...], networks: tuple[Network, Network]) -> None:
        super().__init__(found.truth, found.reason, counterexample=found.counterexample, certificate=found.certificate)
        self.symbols = symbols
        self.networks = networks

    @property
    def assignment(self) -> dict[Any, Any] | None:
        """Values of the symbols at which the two expressions differ."""
        if self.counterexample is None:
            return None
        return dict(zip(self.symbols, self.counterexample.x, strict=True))


def prove_equal(
    expr1: Any,
    expr2: Any,
    assumptions: Any = None,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Identity:
    """Decide whether two SymPy expressions are equal for all real values of their symbols.

    Parameters
    ----------
    expr1, expr2
        Expressions in Max, Min, Abs and Piecewise with linear arguments and real algebraic coefficients, nested as one
        likes; see :func:`relusym.symbolic.expressions.network_from_sympy`.
    assumptions
        Bounds of symbols: a relation or ``And`` of relations (``(x >= 0) & (x <= 1)``), a list of them, or a mapping
        from symbols to pairs (low, high), None for no bound. Signs that symbols were declared with
        (``Symbol("x", positive=True)``) are assumed as well.
    limits, progress
        See :class:`relusym.Limits`.

    Returns
    -------
    Decision
        As :func:`relusym.equal`, with .assignment, a dict of values that refutes the identity. Complete where no
        function stands inside another one, and wherever nested ones are functions of one linear form or cancel.

    Raises
    ------
    FormatError
        Where an expression is not continuous piecewise linear, or an assumption is not linear.
    DomainError
        Where the assumptions contradict each other, or are of a kind that is not decided.
    FieldError
        Where a number is no real algebraic one.

    Examples
    --------
    >>> from sympy import Abs, Max, Min, symbols
    >>> from relusym import prove_equal
    >>> x, y = symbols("x y")
    >>> prove_equal(Max(0, x) - Max(0, -x), x).truth
    True
    >>> prove_equal(Max(x, y), x + y).assignment
    {x: -1, y: 0}
    >>> prove_equal(Abs(x), x, assumptions=x >= 0).truth
    True
    """
    expressions = as_expression(expr1), as_expression(expr2)
    assumed = read_assumptions(assumptions, set().union(*(e.free_symbols for e in expressions)))
    question = _Question(expressions, assumed, limits, progress)
    answer = question.decide(assumed.domain())
    if answer.truth is False and assumed.strict:
        answer = question.inside()
    return answer


class _Question:
    """Two expressions, and what is assumed of their symbols."""

    def __init__(
        self, expressions: tuple[Any, Any], assumed: Assumed, limits: Limits | None, progress: Progress | None
    ) -> None:
        self.expressions = expressions
        self.assumed = assumed
        first, second = (network_from_sympy(expression, assumed.symbols) for expression in expressions)
        self.networks = first, second
        self._equal = partial(equal, limits=limits, progress=progress)

    def decide(self, domain: Any) -> Identity:
        """Decide equality on a domain: of the networks, else of their difference in which common units cancel."""
        networks = self.networks
        found = self._equal(*networks, domain=domain)
        if found.truth is None:
            pair = self._difference(), network_from_sympy(as_expression(0), self.assumed.symbols)
            by_difference = self._equal(*pair, domain=domain)
            if by_difference.truth:
                found, networks = by_difference, pair
            elif by_difference.counterexample is not None:
                # the two values at that point, and a certificate for the networks themselves
                found = self._equal(*networks, domain=[(value, value) for value in by_difference.counterexample.x])
        return Identity(found, self.assumed.symbols, networks)

    def inside(self) -> Identity:
        """Find a witness off the excluded ends: expressions that differ on the closure differ a little inside it."""
        for exponent in range(_HALVINGS):
            try:
                answer = self.decide(self.assumed.domain(gap=fmpq(1, 1 << exponent)))
            except DomainError:
                continue  # the gap is wider than the domain
            if answer.truth is False:
                return answer
        return Identity(
            Equality(None, "the expressions differ, but only a witness at an excluded end was found"),
            self.assumed.symbols,
            self.networks,
        )

    def _difference(self) -> Network:
        """Return a network of expr1 − expr2 over common units, so that what they share cancels."""
        units, (first, second) = read_expressions(self.expressions, self.assumed.symbols, canonical=True)
        return network_of(units, [plus(first, second, units.field.rational(-1))])
