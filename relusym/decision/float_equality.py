"""Equality of shallow float networks on R^m, on whole arrays: linear in the parameters, no Python object for each
weight.

The same comparison as :mod:`relusym.decision.shallow_equality`: rows that are multiples of one another are found by
:mod:`relusym.exact.float_arrays`; the masses of their output weights are few, and rational; the affine parts can
differ only where negative masses do, and their difference is a product of two float arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from flint import fmpq

from relusym.decision.witness import ridge_points
from relusym.exact.box import Box
from relusym.exact.field import QQ
from relusym.exact.float_arrays import FloatArray, IntArray, nonzero_column, proportional_classes
from relusym.exact.floats import dyadic
from relusym.limits import Budget
from relusym.parameters.network import Network
from relusym.shallow.float_neurons import FloatNeurons, suits
from relusym.shallow.masses import Vector, add, subtract

_Plane = list[tuple[int, int]]
"""The living neurons of both networks on one hyperplane: (network, position among the living)."""


class FloatComparison:
    """How two float networks compare on R^m; see :class:`~relusym.decision.shallow_equality.Comparison`."""

    def __init__(self, sides: tuple[FloatNeurons, FloatNeurons], classes: IntArray, budget: Budget) -> None:
        self._sides = sides
        self._planes: dict[int, _Plane] = {}
        first = len(sides[0].neurons)
        for position, number in enumerate(classes.tolist()):
            member = (0, position) if position < first else (1, position - first)
            self._planes.setdefault(number, []).append(member)
        self._differing: list[_Plane] = []
        self._column: int | None = None
        self.equal = False
        flipped = self._compare_masses(_cancelling(sides, classes), budget)
        if not self._differing:
            self._compare_affine(flipped)

    def _compare_masses(self, cancelling: set[int], budget: Budget) -> list[_Plane]:
        """Find the planes where the gradient jumps differ; return those where the negative masses do.

        Masses are in units of the normalised row, so that they compare across a plane as they are.
        """
        flipped = []
        nothing = [fmpq(0)] * self._sides[0].columns.shape[1]
        for number, plane in self._planes.items():
            if number in cancelling:
                continue
            budget.tick()
            jump = flip = nothing
            for which, row in plane:
                mass = self._sides[which].mass(row)
                combine = add if which == 0 else subtract
                jump = combine(jump, mass)
                if self._sides[which].leads[row] < 0:
                    flip = combine(flip, mass)
            if any(jump):
                self._differing.append(plane)
            if any(flip):
                flipped.append(plane)
        return flipped

    def _compare_affine(self, flipped: list[_Plane]) -> None:
        """Compare the linear parts, Σ M ⊗ a over neurons on the negative side, and the constants."""
        parts: tuple[list[int], list[int]] = ([], [])
        for plane in flipped:
            for which, row in plane:
                if self._sides[which].leads[row] < 0:
                    parts[which].append(row)
        left = [side.columns[side.neurons[rows]].T for side, rows in zip(self._sides, parts, strict=True)]
        right = [side.rows[rows] for side, rows in zip(self._sides, parts, strict=True)]
        coefficients = np.concatenate([left[0].astype(np.float64), -left[1].astype(np.float64)], axis=1)
        rows = np.concatenate([block.astype(np.float64) for block in right], axis=0)
        self._column = nonzero_column(coefficients, rows[:, :-1])
        if self._column is None:
            self.equal = not any(self._constants(coefficients, rows[:, -1]))

    def _constants(self, coefficients: FloatArray, biases: FloatArray) -> Vector:
        totals = [a - b for a, b in zip(self._sides[0].offset, self._sides[1].offset, strict=True)]
        exact_biases = [dyadic(value) for value in biases.tolist()]
        for index, line in enumerate(coefficients.tolist()):
            for value, bias in zip(line, exact_biases, strict=True):
                if value and bias:
                    totals[index] += dyadic(value) * bias
        return totals

    @property
    def ridge(self) -> Vector | None:
        """A row across whose hyperplane the gradient jumps differ, if there is one."""
        if not self._differing:
            return None
        which, row = self._differing[0][0]
        return [dyadic(value) for value in self._sides[which].rows[row].tolist()]

    def points(self, box: Box) -> Iterator[Vector]:
        """Yield points of which at least one separates the two functions, where they are not equal."""
        size, ridge = len(box.free), self.ridge
        if ridge is not None:
            yield from ridge_points(QQ, box, ridge, _FloatForms(self._sides, [p[0] for p in self._differing[1:]]))
            return
        yield [fmpq(0)] * size
        if self._column is not None:
            yield [fmpq(int(index == self._column)) for index in range(size)]

    def proof(self) -> dict[str, Any]:
        """Return the data of a "ridges" certificate."""
        bases, roles = [], []
        for side in self._sides:
            plain: dict[int, list[Any]] = {index: ["dead"] for index in side.dead}
            plain.update((index, ["constant"]) for index in side.constant)
            roles.append(plain)
        for number, plane in enumerate(self._planes.values()):
            which, row = plane[0]
            bases.append({"base": [which, int(self._sides[which].neurons[row])]})
            lead = dyadic(self._sides[which].leads[row])
            for network, member in plane:
                side = self._sides[network]
                factor = dyadic(side.leads[member]) / lead
                roles[network][int(side.neurons[member])] = ["ridge", number, str(factor)]
        return {"ridges": bases, "neurons": [[plain[index] for index in sorted(plain)] for plain in roles]}


class _FloatForms:
    """The rows of some living neurons as affine forms; only the columns that a sparse point needs are made exact."""

    def __init__(self, sides: tuple[FloatNeurons, FloatNeurons], members: list[tuple[int, int]]) -> None:
        ordered = sorted(members)
        self._blocks = [side.rows[[row for which, row in ordered if which == n]] for n, side in enumerate(sides)]

    def values(self, point: Mapping[int, Any]) -> list[Any]:
        """Return the values at a point, given by its coordinates that are not zero."""
        places = [*point, -1]
        factors = [*point.values(), fmpq(1)]
        rows = (row for block in self._blocks for row in block[:, places].tolist())
        return [sum((dyadic(a) * x for a, x in zip(row, factors, strict=True) if a), fmpq(0)) for row in rows]

    def slopes(self, position: int) -> list[Any]:
        """Return the coefficients of one coordinate."""
        return [dyadic(value) for block in self._blocks for value in block[:, position].tolist()]

    def row(self, index: int) -> Vector:
        """Return one form, the constant last."""
        first = len(self._blocks[0])
        row = self._blocks[0][index] if index < first else self._blocks[1][index - first]
        return [dyadic(value) for value in row.tolist()]


def _cancelling(sides: tuple[FloatNeurons, FloatNeurons], classes: IntArray) -> set[int]:
    """Return classes of one neuron of each network whose masses are the same on the same side, as far as floats show
    it.

    Mantissas and exponents are compared, not products: lead · M is the same where the mantissas are and the exponents
    add up to the same.
    """
    first = len(sides[0].neurons)
    parts = classes[:first], classes[first:]
    numbers = [np.flatnonzero(np.bincount(part, minlength=int(classes.max(initial=0)) + 1) == 1) for part in parts]
    shared = np.intersect1d(numbers[0], numbers[1])
    halves = []
    for side, part in zip(sides, parts, strict=True):
        order = np.argsort(part, kind="stable")
        rows = order[np.searchsorted(part[order], shared)]
        lead, lead_exponent = np.frexp(np.array(side.leads)[rows])
        value, exponent = np.frexp(side.columns[side.neurons[rows]].astype(np.float64))
        halves.append((lead, value, np.where(value == 0, 0, exponent + lead_exponent[:, None])))
    same = (halves[0][0] == halves[1][0]) & (halves[0][1] == halves[1][1]).all(axis=1)
    return set(shared[same & (halves[0][2] == halves[1][2]).all(axis=1)].tolist())


def compare_floats(f: Network, g: Network, budget: Budget) -> FloatComparison | None:
    """Compare two large float networks; None where another way must be taken."""
    if not (suits(f) and suits(g)):
        return None
    sides = FloatNeurons(f), FloatNeurons(g)
    budget.report("neurons", 0, f.widths[1] + g.widths[1])
    classes = proportional_classes([side.rows for side in sides])
    if classes is None:
        return None
    return FloatComparison(sides, classes, budget)
