"""Exact interval bounds of forms in signals, on a box.

The two sides of one unit are bounded together: P σ(t) + N σ(−t) for t between the bounds of the unit's form takes its
extremes at the ends or at 0. Everything else is interval arithmetic; None stands for an infinite end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from relusym.decision.normal_form.forms import CONSTANT, Form
from relusym.exact.box import Box


class Interval(NamedTuple):
    """A closed interval; None is an infinite end."""

    low: Any | None
    high: Any | None


def bounds(form: Form, box: Box, unit: Callable[[int], Interval], zero: Any) -> Interval:
    """Return an interval that holds every value of a form on a box.

    Parameters
    ----------
    form
        In signals of a network with as many inputs as the box has coordinates.
    box
        The domain.
    unit
        The bounds of the form h of unit k.
    zero
        The 0 of the field.
    """
    low = _least(form, box, unit, zero)
    high = _least({signal: -value for signal, value in form.items()}, box, unit, zero)
    return Interval(low, None if high is None else -high)


def _least(form: Form, box: Box, unit: Callable[[int], Interval], zero: Any) -> Any | None:
    inputs = len(box.low)
    total: Any = form.get(CONSTANT, zero)
    for signal, factor in form.items():
        if signal == CONSTANT:
            continue
        if signal < inputs:
            end = box.low[signal] if factor > 0 else box.high[signal]
            part = None if end is None else factor * end
        else:
            side = (signal - inputs) % 2
            if side and signal - 1 in form:
                continue  # bounded together with the positive side
            plus, minus = (zero, factor) if side else (factor, form.get(signal + 1, zero))
            part = _least_of_unit(plus, minus, unit((signal - inputs) // 2), zero)
        if part is None:
            return None
        total = total + part
    return total


def _least_of_unit(plus: Any, minus: Any, interval: Interval, zero: Any) -> Any | None:
    """Return the least value of plus·σ(t) + minus·σ(−t) on an interval."""
    low, high = interval
    if (high is None and plus < 0) or (low is None and minus < 0):
        return None
    ends = [end for end in interval if end is not None]
    values = [plus * end if end > 0 else -minus * end for end in ends]
    if (low is None or low <= 0) and (high is None or high >= 0):
        values.append(zero)
    return min(values)


def tighter(first: Interval, second: Interval) -> Interval:
    """Return the intersection of two intervals that hold the same values."""
    lows = [end for end in (first.low, second.low) if end is not None]
    highs = [end for end in (first.high, second.high) if end is not None]
    return Interval(max(lows, default=None), min(highs, default=None))
