"""Points where two functions differ: built from what differs, made rational and short, replayed exactly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from flint import fmpq

from relusym.exact.box import Box
from relusym.exact.field import Field
from relusym.shallow.masses import Vector

Replay = Callable[[Vector], bool]
"""Given a point, tells by exact evaluation whether the two functions differ there."""


class Counterexample(NamedTuple):
    """A point and the two different values there, as exact SymPy numbers.

    Attributes
    ----------
    x : tuple
        The point, inside the domain.
    f, g : tuple
        The outputs of the two networks; f != g.
    """

    x: tuple[Any, ...]
    f: tuple[Any, ...]
    g: tuple[Any, ...]


def magnitude(field: Field, element: Any) -> int:
    """Return the integer e with 2^e <= |element| < 2^(e+1), for an element that is not zero."""
    size, bits = abs(element), 8
    while True:
        low, _ = field.enclosure(size, bits)
        if low > 0:
            break
        bits *= 2
    exponent = int(low.p.bit_length()) - int(low.q.bit_length()) - 1
    while size >= fmpq(2) ** (exponent + 1):
        exponent += 1
    return exponent


class Forms(Protocol):
    """Affine forms in the free coordinates, looked at only where a sparse point is not zero."""

    def values(self, point: Mapping[int, Any]) -> list[Any]:
        """Return the values at a point, given by its coordinates that are not zero."""
        ...

    def slopes(self, position: int) -> list[Any]:
        """Return the coefficients of one coordinate."""
        ...

    def row(self, index: int) -> Vector:
        """Return one form, the constant last."""
        ...


class RowForms:
    """Forms given by rows of exact elements, the constant last."""

    def __init__(self, rows: Iterable[Vector]) -> None:
        self._rows = list(rows)

    def values(self, point: Mapping[int, Any]) -> list[Any]:
        """Return the values at a point, given by its coordinates that are not zero."""
        return [_value(row, point) for row in self._rows]

    def slopes(self, position: int) -> list[Any]:
        """Return the coefficients of one coordinate."""
        return [row[position] for row in self._rows]

    def row(self, index: int) -> Vector:
        """Return one form, the constant last."""
        return self._rows[index]


def _value(form: Vector, point: Mapping[int, Any]) -> Any:
    total = form[-1]
    for position, value in point.items():
        if form[position] != 0:
            total = total + form[position] * value
    return total


def ridge_points(field: Field, box: Box, ridge: Vector, others: Forms) -> Iterator[Vector]:
    """Yield x0, x0 + εe, x0 − εe for a point x0 on the ridge, off all others, inside the box, and ε small enough.

    e is the axis of the ridge's leading coefficient. Across these three the second difference of f − g is ε times that
    coefficient times the jump of its gradient, so one of them separates. The ridge is a form in the free coordinates
    that vanishes somewhere in the interior of the box.
    """
    pivot = next(position for position, value in enumerate(ridge) if value != 0)
    center, values = _off_others(field, box, ridge, pivot, others)
    exponent = 0
    for value, slope in zip(values, others.slopes(pivot), strict=True):
        if slope != 0:
            exponent = min(exponent, magnitude(field, value) - magnitude(field, slope) - 3)
    here = center.get(pivot, field.rational(0))
    for end in (box.low[box.free[pivot]], box.high[box.free[pivot]]):
        if end is not None:
            exponent = min(exponent, magnitude(field, end - here) - 2)
    step = fmpq(2) ** exponent
    for value in (here, here + step, here - step):
        point = [center.get(position, field.rational(0)) for position in range(len(box.free))]
        point[pivot] = value
        yield point


def _off_others(
    field: Field, box: Box, ridge: Vector, pivot: int, others: Forms
) -> tuple[Mapping[int, Any], list[Any]]:
    """Return a point of the ridge, in the interior of the box, where no other form vanishes; and the others' values."""
    draw = random.Random(20260414)  # the sequence is part of the algorithm: same input, same witness
    if any(box.low[i] is not None or box.high[i] is not None for i in box.free):
        for point in _points_inside(field, box, ridge, draw):
            values = others.values(point)
            if all(value != 0 for value in values):
                return point, values
    support: dict[int, Any] = {}
    span = 2
    while True:
        height = -_value(ridge, support) / ridge[pivot]
        point = {**support, pivot: height} if height != 0 else support
        values = others.values(point)
        vanishing = next((index for index, value in enumerate(values) if value == 0), None)
        if vanishing is None:
            return point, values
        # A coordinate that moves this form along the ridge, a new one if possible; values spread without bound, so that
        # points off any finite number of other hyperplanes come up.
        row = others.row(vanishing)
        moving = [j for j, value in enumerate(row[:-1]) if value * ridge[pivot] != row[pivot] * ridge[j]]
        position = next((j for j in moving if j not in support), moving[draw.randrange(len(moving))])
        span += 1
        support[position] = field.rational(draw.choice((-1, 1)) * draw.randint(1, span // 2))


def _points_inside(field: Field, box: Box, ridge: Vector, draw: random.Random) -> Iterator[dict[int, Any]]:
    """Yield points where the ridge crosses segments between two interior points, one on either side of it."""
    corners = _corners(field, box, ridge)
    attempt = 0
    while True:
        span = 1 << (attempt // 2)
        attempt += 1
        inner = [_inside(field, box, corner, draw, span) for corner in corners]
        above, below = (_value(ridge, dict(enumerate(point))) for point in inner)
        if above > 0 > below:
            share = above / (above - below)
            yield {i: value for i, (a, b) in enumerate(zip(*inner, strict=True)) if (value := a + share * (b - a)) != 0}


def _corners(field: Field, box: Box, ridge: Vector) -> tuple[Vector, Vector]:
    """Return points of the box where the form is positive, and negative; infinite ends are replaced by finite ones."""
    corners = []
    for side in (1, -1):
        reach = 1
        while True:
            corner = []
            for factor, index in zip(ridge, box.free, strict=False):
                upward = (factor > 0) == (side > 0)
                end, other = (box.high[index], box.low[index]) if upward else (box.low[index], box.high[index])
                if end is None:
                    base = other if other is not None else field.rational(0)
                    end = base + (reach if upward else -reach)
                corner.append(end)
            if side * _value(ridge, dict(enumerate(corner))) > 0:
                corners.append(corner)
                break
            reach *= 2
    return corners[0], corners[1]


def _inside(field: Field, box: Box, corner: Vector, draw: random.Random, span: int) -> Vector:
    """Return a point of the interior near a corner, nearer as ``span`` grows."""
    point = []
    for value, index in zip(corner, box.free, strict=True):
        low, high = box.low[index], box.high[index]
        room = min((end for end in (_gap(low, value), _gap(value, high)) if end is not None and end > 0), default=None)
        if low is not None and high is not None:
            room = high - low
        room = field.rational(1) if room is None or room == 0 else room
        move = room * fmpq(draw.randint(1, 2 * span), 4 * span * span)
        down = high is not None and value == high
        point.append(value - move if down else value + move)
    return point


def _gap(low: Any, high: Any) -> Any:
    return None if low is None or high is None else high - low


def affine_points(field: Field, box: Box) -> Iterator[Vector]:
    """Yield points of the box, one more than free coordinates, on which no affine form but 0 vanishes."""
    base, steps = [], []
    for index in box.free:
        low, high = box.low[index], box.high[index]
        zero, one = field.rational(0), field.rational(1)
        inside = (low is None or low <= 0) and (high is None or high >= 0)
        start = zero if inside else low if low is not None else high
        base.append(start)
        room = None if high is None else high - start
        steps.append(one if room is None or room >= 1 else room if room > 0 else -one if low is None else low - start)
    yield base
    for position, step in enumerate(steps):
        yield [*base[:position], base[position] + step, *base[position + 1 :]]


def shorten(field: Field, box: Box, point: Vector, replay: Replay, tries: int) -> Vector:
    """Return a rational point of few bits near ``point`` where the functions differ still.

    ``point`` itself separates; where it is rational and no shorter one is found within ``tries``, it is returned. An
    irrational point is always replaced by a rational one: f − g is continuous, so a fine enough rounding separates
    too.
    """
    rational = all(field.to_rational(value) is not None for value in point)
    bits, attempt = 0, 0
    while not rational or attempt < tries:
        attempt += 1
        rounded = [_round(field, value, bits) for value in point]
        rounded = [value if index in box.free else point[index] for index, value in enumerate(rounded)]
        if box.contains(rounded) and replay(rounded):
            return rounded
        if rational and all(a == b for a, b in zip(rounded, point, strict=True)):
            break
        bits = 2 * bits if bits else 2
        if bits > 64 and all(field.to_rational(point[index]) is not None for index in box.free):
            break
    return point


def _round(field: Field, value: Any, bits: int) -> Any:
    """Return the multiple of 2^−bits nearest to a value; it does not depend on how far roots were refined before."""
    shifted, precision = value * fmpq(2) ** bits + fmpq(1, 2), 8
    while True:
        low, high = (end.floor() for end in field.enclosure(shifted, precision))
        if low == high or field.to_rational(value) is not None:
            return field.rational(fmpq(high) / fmpq(2) ** bits)
        precision *= 2


def sample_points(field: Field, box: Box, count: int) -> Iterator[Vector]:
    """Yield points of the box, small ones first, then on many scales; always the same ones."""
    yield from affine_points(field, box)
    draw = random.Random(20260415)
    for number in range(count):
        scale = fmpq(2) ** ((number * 7) % 24 - 8)
        point = []
        for index in box.free:
            low, high = box.low[index], box.high[index]
            value = field.rational(scale * fmpq(draw.randint(-64, 64), 16))
            if low is not None and high is not None:
                value = low + (high - low) * fmpq(draw.randint(0, 256), 256)
            elif low is not None:
                value = low + abs(value)
            elif high is not None:
                value = high - abs(value)
            point.append(value)
        yield point
