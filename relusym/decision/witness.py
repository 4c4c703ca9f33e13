"""Points where two functions differ: built from what differs, made rational and short, replayed exactly."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from flint import fmpq

from relusym.exact.box import Box
from relusym.exact.field import Field
from relusym.shallow.masses import Vector, add, scaled

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
    """Return an integer e with 2^e <= |element|, not far below it, for an element that is not zero."""
    bits = 8
    while True:
        low, _ = field.enclosure(abs(element), bits)
        if low > 0:
            return int(low.p.bit_length()) - int(low.q.bit_length()) - 1
        bits *= 2


def ridge_points(field: Field, box: Box, ridge: Vector, others: Iterable[Vector]) -> Iterator[Vector]:
    """Yield x0 − εa, x0, x0 + εa for a point x0 on the ridge, off all others, inside the box, and ε small enough.

    Across these three the second difference of f − g is ε‖a‖² times the jump of its gradient, so one of them
    separates. Rows are forms in the free coordinates; the ridge crosses the interior of the box."""
    others = [row for row in others if row is not ridge]
    center = next(x0 for x0 in _points_on(field, box, ridge) if all(_value(row, x0) != 0 for row in others))
    exponent = 0
    for row in others:
        slope = sum((a * b for a, b in zip(ridge[:-1], row[:-1], strict=True)), start=field.rational(0))
        if slope != 0:
            exponent = min(exponent, magnitude(field, _value(row, center)) - magnitude(field, slope) - 3)
    for position, index in enumerate(box.free):
        if ridge[position] == 0:
            continue
        for end in (box.low[index], box.high[index]):
            if end is not None:
                gap = end - center[position]
                exponent = min(exponent, magnitude(field, gap) - magnitude(field, ridge[position]) - 3)
    step = scaled(ridge[:-1], fmpq(2) ** exponent)
    yield center
    yield add(center, step)
    yield add(center, [-value for value in step])


def _value(form: Vector, point: Vector) -> Any:
    total = form[-1]
    for factor, value in zip(form, point, strict=False):
        if factor != 0 and value != 0:
            total = total + factor * value
    return total


def _points_on(field: Field, box: Box, ridge: Vector) -> Iterator[Vector]:
    """Yield points of the ridge in the interior of the box, more and more spread out.

    Few points of small height are tried first; the range grows without bound, so that points off any finite number of
    other hyperplanes come up."""
    draw = random.Random(20260414)  # the sequence is part of the algorithm: same input, same witness
    high_corner, low_corner = _corners(field, box, ridge)
    unbounded = all(box.low[i] is None and box.high[i] is None for i in box.free)
    pivot = next(index for index, value in enumerate(ridge) if value != 0)
    attempt = 0
    while True:
        span = 1 << (attempt // 2)
        attempt += 1
        if unbounded:
            point = [field.rational(draw.randint(-span, span) if attempt > 1 else 0) for _ in ridge[:-1]]
            point[pivot] = field.rational(0)
            point[pivot] = -_value(ridge, point) / ridge[pivot]
            yield point
            continue
        inner = [_inside(field, box, corner, draw, span) for corner in (high_corner, low_corner)]
        above, below = (_value(ridge, point) for point in inner)
        if above > 0 > below:
            share = above / (above - below)
            yield [a + share * (b - a) for a, b in zip(*inner, strict=True)]


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
            if side * _value(ridge, corner) > 0:
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
    too."""
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
    low, high = field.enclosure(value, bits + 2)
    scaled_up = (low + high) / 2 * fmpq(2) ** bits
    return field.rational(fmpq((scaled_up + fmpq(1, 2)).floor()) / fmpq(2) ** bits)


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
