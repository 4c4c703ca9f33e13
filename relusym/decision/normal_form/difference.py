"""The difference of two networks in normal form, and the search for a point where it is not 0.

What the networks share cancels; what is left is a short form in units. Where these units are all affine in the inputs,
the difference is a ridge form, and a point is found for certain. Else the search tries, each point by exact evaluation
of what is left: fixed samples on many scales; points on the bends of its units, reached exactly along lines; vertices
where their hyperplanes meet; and points to which floats climb while they look for where its units become active.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from flint import fmpq

from relusym.decision.normal_form.ascent import climb
from relusym.decision.normal_form.forms import CONSTANT, Form, add_to, trimmed
from relusym.decision.normal_form.units import UnitTable
from relusym.decision.witness import RowForms, affine_points, ridge_points, sample_points
from relusym.limits import Budget
from relusym.shallow.masses import Vector

_STEPS = 12
_FIRST_AXES = 12
_LARGEST_SOLVE = 24
_CLIMBED_UNITS = 200


class Difference:
    """f − g as forms in the units of a table.

    Attributes
    ----------
    outputs
        Normal forms of the outputs of f − g.
    units
        The units below them, ascending.
    """

    def __init__(self, table: UnitTable, first: list[Form], second: list[Form]) -> None:
        self.table = table
        self.outputs = []
        for left, right in zip(first, second, strict=True):
            form = dict(left)
            add_to(form, right, table.field.rational(-1))
            self.outputs.append(trimmed(form))
        self.units = table.below(self.outputs)

    @property
    def is_zero(self) -> bool:
        """Whether both networks have the same normal form."""
        return not any(self.outputs)

    @property
    def is_shallow(self) -> bool:
        """Whether all units below are affine in the inputs, so that the difference is a ridge form."""
        return all(signal < self.table.inputs for unit in self.units for signal in self.table.units[unit].form)

    def __call__(self, point: Vector) -> Vector:
        """Return the exact value at a point of the box."""
        values = self._signals(point)
        return [self._value(form, values) for form in self.outputs]

    def _signals(self, point: Vector) -> dict[int, Any]:
        values: dict[int, Any] = dict(enumerate(point))
        for unit in self.units:
            value = self._value(self.table.units[unit].form, values)
            values[self.table.signal(unit)] = value if value > 0 else value * 0
        return values

    def _value(self, form: Form, values: Mapping[int, Any]) -> Any:
        total: Any = form.get(CONSTANT, self.table.field.rational(0))
        for signal, factor in form.items():
            if signal != CONSTANT and values[signal]:
                total = total + factor * values[signal]
        return total

    def separates(self, point: Vector) -> bool:
        """Return whether the networks differ at a point of the box."""
        return any(self(point))

    # -- the search

    def witness(self, samples: int, budget: Budget) -> Vector | None:
        """Return a point of the box where the networks differ, or None where none is found."""
        return self._separating(self._candidates(samples), budget)

    def sampled(self, samples: int, budget: Budget) -> Vector | None:
        """Return a sample point where the networks differ, or None: a quick look before all else."""
        return self._separating(self._samples(samples), budget)

    def _separating(self, points: Iterator[Vector], budget: Budget) -> Vector | None:
        for count, point in enumerate(points):
            budget.report("points", count)
            if self.table.box.contains(point) and self.separates(point):
                return point
        return None

    def _candidates(self, samples: int) -> Iterator[Vector]:
        if self.is_shallow:
            yield from map(self.table.box.complete, self._shallow_points())
            return
        yield from self._samples(samples)
        draw = random.Random(20260416)  # the same points each time
        yield from self._vertices(draw, samples)
        yield from self._climbed(samples)
        yield from self._bends(draw, samples)

    def _samples(self, count: int) -> Iterator[Vector]:
        """Yield short points, one axis after the other, and spread ones; on many axes the spread ones come early."""
        field, box = self.table.field, self.table.box
        axes = len(box.free) + 1
        yield from map(box.complete, islice(sample_points(field, box, 0), _FIRST_AXES))
        yield from map(box.complete, islice(sample_points(field, box, count), axes, None))
        yield from map(box.complete, islice(sample_points(field, box, 0), _FIRST_AXES, None))

    def _shallow_points(self) -> Iterator[Vector]:
        box = self.table.box
        zero = self.table.field.rational(0)
        rows = []
        for unit in {self.table.unit_of(signal) for form in self.outputs for signal in form} - {None}:
            form = self.table.units[unit or 0].form
            rows.append([*(form.get(index, zero) for index in box.free), form.get(CONSTANT, zero)])
        if rows:
            yield from ridge_points(self.table.field, box, rows[0], RowForms(rows[1:]))
        else:
            yield from affine_points(self.table.field, box)

    def _vertices(self, draw: random.Random, count: int) -> Iterator[Vector]:
        """Yield points where the hyperplanes of units that are affine in the inputs meet."""
        box, inputs = self.table.box, self.table.inputs
        forms = [self.table.units[unit].form for unit in self.units]
        flat = [form for form in forms if all(signal < inputs for signal in form)]
        if len(box.free) > _LARGEST_SOLVE or len(flat) < len(box.free):
            return
        for _ in range(count):
            solution = _solve(draw.sample(flat, len(box.free)), box.free, self.table.field.rational(0))
            if solution is not None:
                yield box.complete(solution)

    def _climbed(self, count: int) -> Iterator[Vector]:
        """Yield exact points near which floats find a unit of the difference as active as they can."""
        field, box = self.table.field, self.table.box
        tops = {self.table.unit_of(signal) for form in self.outputs for signal in form} - {None}
        starts = [[_float(value) for value in point] for point in sample_points(field, box, min(count, 24))]
        forms = {unit: {s: _float(v) for s, v in self.table.units[unit].form.items()} for unit in self.units}
        limits = [tuple(None if end is None else _float(end) for end in ends) for ends in zip(box.low, box.high)]  # noqa: B905
        most = max(1, _CLIMBED_UNITS // len(self.units))
        for top in sorted((unit for unit in tops if unit is not None), reverse=True)[:most]:
            for reached in climb(forms, top, self.table.inputs, box.free, limits, starts=starts):
                yield box.complete([self._inside(value, i) for value, i in zip(reached, box.free, strict=True)])

    def _inside(self, value: float, index: int) -> Any:
        exact = self.table.field.rational(fmpq(*value.as_integer_ratio()))
        low, high = self.table.box.low[index], self.table.box.high[index]
        if low is not None and exact < low:
            return low
        return high if high is not None and exact > high else exact

    def _bends(self, draw: random.Random, count: int) -> Iterator[Vector]:
        """Yield points on, and just beside, the bends of units below the difference."""
        field, box = self.table.field, self.table.box
        starts = list(map(box.complete, sample_points(field, box, count)))
        for start in starts:
            unit = draw.choice(self.units)
            direction = [field.rational(0)] * len(start)
            for index in draw.sample(box.free, draw.randint(1, min(3, len(box.free)))):
                direction[index] = field.rational(draw.choice((-2, -1, 1, 2)))
            center = self._onto_bend(unit, start, direction)
            if center is not None:
                yield center
                for bits in (0, 8, 16, 32, 64):
                    for sign in (1, -1):
                        step = sign * fmpq(1, 1 << bits)
                        yield [value + step * move for value, move in zip(center, direction, strict=True)]

    def _onto_bend(self, unit: int, start: Vector, direction: Vector) -> Vector | None:
        """Return a point with h = 0 on the line from ``start``, by Newton's method: exact on a piecewise linear h."""
        point = start
        for _ in range(_STEPS):
            value, slope = self._along(unit, point, direction)
            if value == 0:
                return point
            if slope == 0:
                return None
            step = value / slope
            point = [entry - step * move for entry, move in zip(point, direction, strict=True)]
        return None

    def _along(self, unit: int, point: Vector, direction: Vector) -> tuple[Any, Any]:
        """Return h and its derivative in a direction, from the right."""
        values: dict[int, Any] = dict(enumerate(point))
        slopes: dict[int, Any] = dict(enumerate(direction))
        zero = self.table.field.rational(0)
        for below in self.units:
            form = self.table.units[below].form
            value = self._value(form, values)
            slope = self._value({**form, CONSTANT: zero}, slopes)
            if below == unit:
                return value, slope
            on = value > 0 or (value == 0 and slope > 0)
            signal = self.table.signal(below)
            values[signal], slopes[signal] = (value, slope) if on else (zero, zero)
        raise AssertionError(f"unit {unit} is none of those below the difference")


def _float(value: Any) -> float:
    low, _ = (value, value) if isinstance(value, fmpq) else value.field.enclosure(value, 64)
    try:
        return int(low.p) / int(low.q)
    except OverflowError:
        return float("inf") if low > 0 else float("-inf")


def _solve(forms: list[Form], free: tuple[int, ...], zero: Any) -> Vector | None:
    """Return the one point where the forms vanish, by elimination; None where there is none or more than one."""
    rows = [[*(form.get(index, zero) for index in free), -form.get(CONSTANT, zero)] for form in forms]
    for column in range(len(rows)):
        pivot = next((i for i in range(column, len(rows)) if rows[i][column] != 0), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [value / lead for value in rows[column]]
        for index, row in enumerate(rows):
            if index != column and row[column] != 0:
                factor = row[column]
                rows[index] = [a - factor * b for a, b in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]
