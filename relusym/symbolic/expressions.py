"""SymPy expressions in Max, Min, Abs and Piecewise: as networks, and simplified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from relusym.parameters.network import Network
from relusym.symbolic.reading import as_expression, read_expressions, read_symbols
from relusym.symbolic.unit_networks import form_to_sympy, network_of, network_to_sympy

__all__ = ["network_from_sympy", "network_to_sympy", "simplify"]


def network_from_sympy(exprs: Any, symbols: Iterable[Any]) -> Network:
    """Return a network that realises SymPy expressions in Max, Min, Abs and Piecewise.

    Parameters
    ----------
    exprs
        One expression, or a sequence (or matrix) of them, one for each output. Accepted are sums and multiples of Max,
        Min, Abs, Piecewise with linear conditions, and sqrt(x**2), of linear expressions, nested as one likes;
        coefficients are real algebraic numbers.
    symbols
        The inputs in their order; they stand for real numbers.

    Returns
    -------
    Network
        Of depth 0 for linear expressions, 1 where no function stands inside another one, deeper else. Max of three and
        more arguments is nested.

    Raises
    ------
    FormatError
        Where an expression is not continuous piecewise linear: the message names the sub-expression.
    FieldError
        Where a number is no real algebraic one.

    Examples
    --------
    >>> from sympy import Abs, Max, symbols
    >>> x, y = symbols("x y")
    >>> print(network_from_sympy(Max(0, x - y) + 2*Max(0, 3*y - 1) + 5, [x, y]))
    Network 2-2-1 over QQ
    layer 0 (ReLU)
      [ 0   3 | -1]
      [ 1  -1 |  0]
    layer 1 (output)
      [2  1 | 5]
    >>> network_from_sympy([Abs(x), Abs(Abs(x) - 1)], [x])
    Network(1-2-4-2 over QQ)
    """
    listed = list(exprs) if isinstance(exprs, (list, tuple)) or hasattr(exprs, "tolist") else [exprs]
    units, forms = read_expressions(list(map(as_expression, listed)), read_symbols(symbols), canonical=False)
    return network_of(units, forms)


def simplify(expr: Any) -> Any:
    """Return an equal expression in canonical ridge form: Σ W·Max(0, ⟨a, x⟩ + b) plus a linear part.

    Where no function stands inside another one, or all of them are functions of one linear form, the form is canonical:
    equal expressions get the same one. Deeper expressions are simplified as far as their parts are; the result is equal
    all the same.

    Parameters
    ----------
    expr
        A SymPy expression in Max, Min, Abs and Piecewise; see :func:`network_from_sympy`. Its symbols stand for real
        numbers.

    Raises
    ------
    FormatError, FieldError
        As for :func:`network_from_sympy`.

    Examples
    --------
    >>> from sympy import Abs, Max, symbols
    >>> from relusym import simplify
    >>> x, y = symbols("x y")
    >>> simplify(Max(0, x) - Max(0, -x) - x), simplify(Abs(x - y) - Abs(y - x))
    (0, 0)
    >>> simplify(Max(2*x, 2*y) - Abs(x - y))
    x + y
    >>> simplify(Abs(Abs(x) - 1))
    -x - 2*Max(0, x) + 2*Max(0, x - 1) + 2*Max(0, x + 1) - 1
    """
    expression = as_expression(expr)
    symbols = sorted(expression.free_symbols, key=str)
    if not symbols:
        from sympy import Dummy

        symbols = [Dummy("x")]
    units, (form,) = read_expressions([expression], read_symbols(symbols), canonical=True)
    return form_to_sympy(units, form, symbols)
