"""Bounds of forms on a box, by interval arithmetic over exact numbers; None stands for an infinite end."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

from relusym.decision.check.certificate import Box
from relusym.decision.check.forms import CONSTANT, Form
from relusym.decision.check.numbers import ZERO, Field, Number, lowest, negative, product, total


class Interval(NamedTuple):
    """A closed interval; None is an infinite end."""

    low: Number | None
    high: Number | None


def bounds(form: Form, box: Box, unit: Callable[[int], Interval], field: Field) -> Interval:
    """Return an interval that holds every value of a form on a box.

    ``unit`` gives the bounds of the form h of a unit; its sides relu(h) and relu(-h) are bounded together.
    """
    low = _least(form, box, unit, field)
    high = _least({signal: negative(value) for signal, value in form.items()}, box, unit, field)
    return Interval(low, None if high is None else negative(high))


def _least(form: Form, box: Box, unit: Callable[[int], Interval], field: Field) -> Number | None:
    inputs = len(box)
    terms = [form.get(CONSTANT, ZERO)]
    for signal, factor in form.items():
        if signal == CONSTANT:
            continue
        part: Number | None
        if signal < inputs:
            sign = field.sign(factor)
            end = box[signal].low if sign > 0 else box[signal].high
            part = ZERO if sign == 0 else None if end is None else product(factor, end)
        else:
            number, side = divmod(signal - inputs, 2)
            if side and signal - 1 in form:
                continue  # bounded together with the other side
            plus, minus = (ZERO, factor) if side else (factor, form.get(signal + 1, ZERO))
            part = _least_of_unit(plus, minus, unit(number), field)
        if part is None:
            return None
        terms.append(part)
    return lowest(total(terms))


def _least_of_unit(plus: Number, minus: Number, interval: Interval, field: Field) -> Number | None:
    """Return the least value of plus * relu(t) + minus * relu(-t) for t in an interval."""
    low, high = interval
    if (high is None and field.sign(plus) < 0) or (low is None and field.sign(minus) < 0):
        return None
    values = [product(plus, end) if field.sign(end) > 0 else negative(product(minus, end)) for end in interval if end]
    if (low is None or field.sign(low) <= 0) and (high is None or field.sign(high) >= 0):
        values.append(ZERO)
    return reduce(lambda first, second: _least_of(first, second, field), values)


def _least_of(first: Number, second: Number, field: Field) -> Number:
    return first if field.sign(total([first, negative(second)])) <= 0 else second


def tighter(first: Interval, second: Interval, field: Field) -> Interval:
    """Return the intersection of two intervals that hold the same values."""
    lows = [negative(end) for end in (first.low, second.low) if end is not None]
    highs = [end for end in (first.high, second.high) if end is not None]
    low = reduce(lambda a, b: _least_of(a, b, field), lows) if lows else None
    high = reduce(lambda a, b: _least_of(a, b, field), highs) if highs else None
    return Interval(None if low is None else negative(low), high)
