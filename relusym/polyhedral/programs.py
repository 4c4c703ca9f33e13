"""Activation regions in many dimensions, by exact linear programs.

A node of the tree of cuts holds a point of its interior and other points of the polyhedron. A neuron that is positive
at the interior point crosses the polyhedron where it is negative at some point: one of those that are known, or else
the one that a linear program finds, or none. Between the two lies a point in the interior of the other part. So there
is at most one program for each node and neuron.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from math import gcd
from typing import Any, NamedTuple

from relusym.errors import FieldError
from relusym.exact.child import call_in_child
from relusym.exact.polyhedron import least, usable_here
from relusym.limits import Budget
from relusym.polyhedral.arithmetic import Vector
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cells import Cell, PointedCell, evaluate
from relusym.polyhedral.circuit import Circuit
from relusym.polyhedral.enumeration import TASKS_A_WORKER, Executor, frontier, spread, workers_of

_REPORT_EVERY = 16


class Node(NamedTuple):
    """A polyhedron on which the signs of all neurons before ``bit`` are known.

    Attributes
    ----------
    forms
        Integer forms that are not negative on it.
    inside
        A homogeneous integer point of its interior.
    others
        More of its points.
    bit
        The next neuron.
    pattern
        The neurons before it that are active.
    """

    forms: tuple[Vector, ...]
    inside: Vector
    others: tuple[Vector, ...]
    bit: int
    pattern: int


def regions_by_programs(
    arrangement: Arrangement, budget: Budget, executor: Executor | None = None, workers: int | None = None
) -> Iterator[Cell]:
    """Iterate over all regions, within a budget; the order does not depend on the executor.

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
    for count, vector in enumerate(_points(arrangement, budget, executor, workers), start=1):
        budget.tick(1)
        if count % _REPORT_EVERY == 0:
            budget.report("regions", count)
        yield PointedCell(arrangement, vector)


def _points(
    arrangement: Arrangement, budget: Budget, executor: Executor | None, workers: int | None
) -> Iterator[Vector]:
    """Iterate over one interior point of each region."""
    circuit = arrangement.circuit
    walls = tuple(circuit.stages[0].rows)
    root = Node(walls, _interior(walls, arrangement.dimension), (), arrangement.first_neuron, 0)
    if executor is None:
        yield from walk(circuit, root, budget)
        return
    workers = workers or workers_of(executor)
    nodes = frontier(root, lambda node: children(circuit, node), workers * TASKS_A_WORKER)
    for points in spread(executor, workers, explore, ((circuit, node) for node in nodes)):
        yield from points


def explore(circuit: Circuit, node: Node) -> list[Vector]:
    """Return an interior point of each region below a node: a task for a worker.

    Workers of Dask run tasks in threads that must not be the first to import PPL: a child process does it for them.
    """
    if usable_here():
        return list(walk(circuit, node, Budget()))
    return call_in_child(_explore_pickled, pickle.dumps((circuit, node)), budget=Budget(), always=True)


def _explore_pickled(task: bytes) -> list[Vector]:
    """Do a task that this process has sent to a child of its own."""
    circuit, node = pickle.loads(task)
    return list(walk(circuit, node, Budget()))


def walk(circuit: Circuit, root: Node, budget: Budget) -> Iterator[Vector]:
    """Iterate over one interior point of each region below a node."""
    stack = [root]
    while stack:
        budget.tick()
        node = stack.pop()
        parts = children(circuit, node)
        if parts is None:
            yield node.inside
        else:
            stack += parts[::-1]


def children(circuit: Circuit, node: Node) -> list[Node] | None:
    """Return the parts into which the next neuron cuts a node (one where it does not), or None where there is none."""
    forms, inside, others, bit, pattern = node
    if bit == circuit.bits:
        return None
    form = circuit.form(pattern, bit)
    plus, minus = pattern | 1 << bit, pattern
    if not any(form[:-1]):
        return [Node(forms, inside, others, bit + 1, plus if form[-1] > 0 else minus)]
    value = evaluate(form, inside)
    opposite = [-entry for entry in form]
    if value == 0:
        ahead, back = (_step(forms, inside, direction) for direction in (form, opposite))
    else:
        side = form if value > 0 else opposite
        outside = next((point for point in others if evaluate(side, point) < 0), None)
        if outside is None:
            lowest = least(side, forms)
            if lowest is None or lowest[0] >= 0:
                touched = () if lowest is None else (lowest[1],)
                return [Node((*forms, side), inside, (*others, *touched), bit + 1, plus if value > 0 else minus)]
            outside = lowest[1]
            others = (*others, outside)
        beyond = _beyond(side, inside, outside)
        ahead, back = (inside, beyond) if value > 0 else (beyond, inside)
    above = tuple(point for point in others if evaluate(form, point) >= 0)
    below = tuple(point for point in others if evaluate(form, point) <= 0)
    return [
        Node((*forms, form), ahead, above, bit + 1, plus),
        Node((*forms, opposite), back, below, bit + 1, minus),
    ]


def _beyond(form: Vector, inside: Vector, outside: Vector) -> Vector:
    """Return a point of the open segment where the form is negative: half-way from its zero to ``outside``."""
    a, b = evaluate(form, inside), -evaluate(form, outside)
    zero = [a * y + b * x for x, y in zip(inside, outside, strict=True)]
    return _primitive([x * outside[-1] + y * zero[-1] for x, y in zip(zero, outside, strict=True)])


def _step(forms: tuple[Vector, ...], inside: Vector, direction: Vector) -> Vector:
    """Return an interior point ahead of ``inside``, so near that no form changes its sign."""
    numerator, denominator = 1, 1
    homogeneous = inside[-1]
    for form in forms:
        slope = -sum(a * b for a, b in zip(form[:-1], direction, strict=False))
        if slope > 0:
            # the form stays positive at inside + t · direction while t < reach / slope
            reach, slope = evaluate(form, inside), 2 * homogeneous * slope
            if reach * denominator < numerator * slope:
                numerator, denominator = reach, slope
    moved = [x * denominator + homogeneous * numerator * step for x, step in zip(inside[:-1], direction, strict=False)]
    return _primitive([*moved, homogeneous * denominator])


def _interior(forms: tuple[Vector, ...], dimension: int) -> Vector:
    """Return a point at which all forms are positive: of a polyhedron that is known to have one."""
    # One more coordinate s <= 1, below all forms, is as large as can be.
    rows = [[*form[:-1], -1, form[-1]] for form in forms] + [[0] * dimension + [-1, 1]]
    found = least([0] * dimension + [-1, 0], rows)
    assert found is not None, "a domain is not empty"
    *x, _, divisor = found[1]
    return _primitive([*x, divisor])


def _primitive(vector: list[Any]) -> Vector:
    divisor = gcd(*vector)
    return [value // divisor for value in vector]
