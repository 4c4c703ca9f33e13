"""Activation regions in many dimensions, by exact linear programs.

A node of the tree of cuts holds a point of its interior. A neuron that is positive at that point crosses the polyhedron
where it takes negative values on it: one linear program says whether it does, and gives a point there; between the two
points lies one in the interior of the other part. So there is one program for each node and neuron, and none where the
interior point happens to lie on the neuron's zero set.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from typing import Any, NamedTuple

from relusym.errors import FieldError
from relusym.exact.polyhedron import least
from relusym.limits import Budget
from relusym.polyhedral.arithmetic import Vector
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cells import Cell, PointedCell, evaluate

_REPORT_EVERY = 16


class _Node(NamedTuple):
    """A polyhedron: forms that are not negative on it, a point of its interior, and the next bit with the pattern."""

    forms: tuple[Vector, ...]
    inside: Vector
    bit: int
    pattern: int


def regions_by_programs(arrangement: Arrangement, budget: Budget) -> Iterator[Cell]:
    """Iterate over all regions, within a budget.

    Raises
    ------
    FieldError
        Over a number field: the linear programs are over Q.
    LimitReached
        When the budget runs out.
    """
    if arrangement.field.degree > 1:
        raise FieldError(
            f"more than 8 dimensions are enumerated over Q only; this network is over {arrangement.field!r} "
            "(vertices=True enumerates vertices over any field)"
        )
    circuit = arrangement.circuit
    walls = tuple(circuit.stages[0].rows)
    stack = [_Node(walls, _interior(walls, arrangement.dimension), arrangement.first_neuron, 0)]
    count = 0
    while stack:
        node = stack.pop()
        budget.tick()
        if node.bit == circuit.bits:
            count += 1
            budget.tick(1)
            if count % _REPORT_EVERY == 0:
                budget.report("regions", count)
            yield PointedCell(arrangement, node.inside)
        else:
            stack += _children(arrangement, node)[::-1]


def _children(arrangement: Arrangement, node: _Node) -> list[_Node]:
    forms, inside, bit, pattern = node
    stage = arrangement.stage_of_bit[bit]
    circuit = arrangement.circuit
    form = circuit.affine_forms(pattern, stage)[bit - circuit.stages[stage].first]
    opposite = [-value for value in form]
    plus, minus = pattern | 1 << bit, pattern
    if not any(form[:-1]):
        return [_Node(forms, inside, bit + 1, plus if form[-1] > 0 else minus)]
    value = evaluate(form, inside)
    if value == 0:
        ahead, back = (_step(forms, inside, direction) for direction in (form[:-1], opposite[:-1]))
    else:
        lowest = least(form if value > 0 else opposite, forms)
        if lowest is None or lowest[0] >= 0:
            side = form if value > 0 else opposite
            return [_Node((*forms, side), inside, bit + 1, plus if value > 0 else minus)]
        beyond = _between(form, inside, lowest[1])
        ahead, back = (inside, beyond) if value > 0 else (beyond, inside)
    return [_Node((*forms, form), ahead, bit + 1, plus), _Node((*forms, opposite), back, bit + 1, minus)]


def _between(form: Vector, inside: Vector, outside: Vector) -> Vector:
    """Return a point of the segment, in the interior, on the other side of the form's zero set.

    The form is a at ``inside`` and b, of the opposite sign, at ``outside``; the zero is at the ratio |a| : |b|, and
    this is half-way from there to ``outside``.
    """
    a, b = abs(evaluate(form, inside)), abs(evaluate(form, outside))
    zero = [a * y + b * x for x, y in zip(inside, outside, strict=True)]
    return _primitive([x * outside[-1] + y * zero[-1] for x, y in zip(zero, outside, strict=True)])


def _step(forms: tuple[Vector, ...], inside: Vector, direction: list[Any]) -> Vector:
    """Return an interior point ahead of ``inside``, so near that no form changes its sign."""
    numerator, denominator = 1, 1
    homogeneous = inside[-1]
    for form in forms:
        slope = sum(a * b for a, b in zip(form, direction, strict=False))
        if slope < 0:
            # inside + t · direction stays where t · |slope| < value
            value = evaluate(form, inside)
            if value * denominator < numerator * homogeneous * -slope * 2:
                numerator, denominator = value, homogeneous * -slope * 2
    moved = [x * denominator + homogeneous * numerator * step for x, step in zip(inside, direction, strict=False)]
    return _primitive([*moved, homogeneous * denominator])


def _interior(forms: tuple[Vector, ...], dimension: int) -> Vector:
    """Return a point at which all forms are positive: of a polyhedron that is known to have one."""
    # One more coordinate s: maximise s under form >= s and s <= 1.
    rows = [[*form[:-1], -1, form[-1]] for form in forms] + [[0] * dimension + [-1, 1]]
    height = [0] * dimension + [-1, 0]
    found = least(height, rows)
    assert found is not None, "a domain is not empty"
    *x, _, divisor = found[1]
    return _primitive([*x, divisor])


def _primitive(vector: Vector) -> Vector:
    divisor = gcd(*vector)
    return [value // divisor for value in vector]
