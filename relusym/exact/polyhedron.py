"""Exact linear programming over Q, by the Parma Polyhedra Library (the extra ``deep``; the library is under the GPL).

Everything with few dimensions keeps vertices and needs none of this; here is what serves many inputs, where vertices
are too many. The simplex method is exact. All forms are homogeneous: integers (weights, constant) that stand for
weights · x + constant.

This is the only module that imports ``ppl``. Importing it makes a package below it install signal handlers, which is
allowed in the main thread only and would change what Ctrl-C does: the handlers of Python are put back.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

from flint import fmpq

from relusym.errors import RelusymError, missing_extra


def usable_here() -> bool:
    """Return whether this thread may import PPL, or need not."""
    return "ppl" in sys.modules or threading.current_thread() is threading.main_thread()


@cache
def _ppl() -> Any:
    if not usable_here():
        raise RelusymError(
            "pplpy can be imported in the main thread only; import ppl there, or call this function once, before "
            "threads use it"
        )
    names = [name for name in ("SIGINT", "SIGALRM", "SIGHUP", "SIGTERM") if hasattr(signal, name)]
    handlers = {name: signal.getsignal(getattr(signal, name)) for name in names}
    try:
        import ppl
    except ImportError:
        raise missing_extra("deep", "exact linear programming needs the package pplpy") from None
    finally:
        if threading.current_thread() is threading.main_thread():
            for name, handler in handlers.items():
                if handler is not None:
                    signal.signal(getattr(signal, name), handler)
    return ppl


def least(
    form: Sequence[int], inequalities: Sequence[Sequence[int]], equations: Sequence[Sequence[int]] = ()
) -> tuple[fmpq, list[int]] | None:
    """Return the minimum of a form over a polyhedron, cut off at −1, and a point where it is taken.

    Cut off: a minimum below −1 (or none at all) is reported as −1, at a point that has it. So the answer always exists,
    and its sign says whether the form takes negative values.

    Parameters
    ----------
    form
        (weights, constant), d + 1 integers.
    inequalities
        Forms that are not negative on the polyhedron.
    equations
        Forms that are zero on it.

    Returns
    -------
    tuple or None
        The value, and the point as d + 1 integers (numerators, positive denominator); None where the polyhedron is
        empty. Where the form is at least −1 nowhere on it, the value −1 is not taken: then the greatest value is
        below −1, and the point has the greatest value.

    Raises
    ------
    MissingExtra
        Where pplpy is not installed.

    Examples
    --------
    >>> least([1, 0], [[1, -2]])  # x over x >= 2
    (2, [2, 1])
    >>> least([1, 0], [[-1, 0]])  # x over x <= 0
    (-1, [-1, 1])
    """
    floor = [*form[:-1], form[-1] + 1]
    found = _minimize(form, [*inequalities, floor], equations)
    if found is not None:
        return found
    opposite = _minimize([-value for value in form], inequalities, equations)
    return None if opposite is None else (-opposite[0], opposite[1])


def _minimize(
    form: Sequence[int], inequalities: Sequence[Sequence[int]], equations: Sequence[Sequence[int]]
) -> tuple[fmpq, list[int]] | None:
    ppl = _ppl()
    dimension = len(form) - 1

    def expression(row: Sequence[int]) -> Any:
        return ppl.Linear_Expression(list(row[:-1]), row[-1])

    problem = ppl.MIP_Problem(dimension)
    for row in inequalities:
        problem.add_constraint(expression(row) >= 0)
    for row in equations:
        problem.add_constraint(expression(row) == 0)
    problem.set_objective_function(expression(form))
    problem.set_optimization_mode("minimization")
    if problem.solve()["status"] == "unfeasible":
        return None
    point = problem.optimizing_point()
    divisor = int(point.divisor())
    x = [int(point.coefficient(ppl.Variable(index))) for index in range(dimension)]
    value = sum(a * b for a, b in zip(form, x, strict=False)) + form[-1] * divisor
    return fmpq(value, divisor), [*x, divisor]


def farkas(
    inequalities: Sequence[Sequence[int]], equations: Sequence[Sequence[int]] = ()
) -> tuple[list[fmpq], list[fmpq]] | None:
    """Return multipliers that prove a polyhedron empty, or None where it is not empty.

    The sum of all forms, each times its multiplier, is the constant −1; those of the inequalities are not negative
    (Farkas' lemma), so that a sum checks the proof.

    Examples
    --------
    >>> farkas([[1, -2], [-1, 1]])  # x >= 2 and x <= 1
    ([1, 1], [])
    >>> farkas([[1, -2], [-1, 3]]) is None
    True
    """
    rows = [*inequalities, *equations]
    if not rows:
        return None
    columns = [list(column) for column in zip(*rows, strict=True)]
    count = len(rows)
    signs = [[int(i == j) for j in range(count)] + [0] for i in range(len(inequalities))]
    sums = [[*column, 0] for column in columns[:-1]]
    found = _minimize([*(1 for _ in inequalities), *(0 for _ in equations), 0], signs, [*sums, [*columns[-1], 1]])
    if found is None:
        return None
    *values, divisor = found[1]
    multipliers = [fmpq(value, divisor) for value in values]
    return multipliers[: len(inequalities)], multipliers[len(inequalities) :]
