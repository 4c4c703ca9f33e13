"""Floats that climb: points where a unit may become active. They search, and decide nothing.

The form of a unit is piecewise linear in the inputs. From each start, steps of one length along its gradient are taken
as long as they lead upwards, then shorter ones, over many scales: peaks of any width and place are found without a
step size to choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_SCALES = range(24, -36, -1)
_STEPS = 3
_Array = NDArray[np.float64]


def climb(
    forms: Mapping[int, Mapping[int, float]],
    top: int,
    inputs: int,
    free: Sequence[int],
    ends: Sequence[tuple[float | None, ...]],
    *,
    starts: Sequence[Sequence[float]],
) -> Iterator[list[float]]:
    """Yield points that were reached, in the free coordinates.

    Parameters
    ----------
    forms
        The forms of units in inputs and earlier units, as in the normal form, rounded; ascending.
    top
        The unit whose form is to grow.
    inputs, free, ends
        The number of inputs, those that move, and the box (None for an infinite end).
    starts
        Points in the free coordinates.
    """
    low = np.array([-np.inf if ends[index][0] is None else ends[index][0] for index in free], dtype=np.float64)
    high = np.array([np.inf if ends[index][1] is None else ends[index][1] for index in free], dtype=np.float64)
    fixed = np.array([end[0] if end[0] is not None else 0.0 for end in ends], dtype=np.float64)
    points = np.clip(np.array(starts, dtype=np.float64), low, high)
    climber = _Climber(forms, top, inputs, list(free), fixed)
    with np.errstate(all="ignore"):
        values, slopes = climber(points)
        for scale in _SCALES:
            for _ in range(_STEPS):
                length = np.linalg.norm(slopes, axis=1, keepdims=True)
                step = np.where(length > 0, slopes / length, 0.0) * 2.0**scale
                moved = np.clip(points + step, low, high)
                higher, tilted = climber(moved)
                better = higher > values
                points[better], values[better], slopes[better] = moved[better], higher[better], tilted[better]
    for point in points[np.argsort(-values)]:
        if np.isfinite(point).all():
            yield [float(value) for value in point]


class _Climber:
    """The form of one unit with its gradient, at many points at once: values forwards, slopes backwards."""

    def __init__(
        self, forms: Mapping[int, Mapping[int, float]], top: int, inputs: int, free: list[int], fixed: _Array
    ) -> None:
        self._free, self._fixed = free, fixed
        self._inputs = inputs
        self._names = [unit for unit in forms if unit <= top]
        place = {inputs + 2 * unit: inputs + position for position, unit in enumerate(self._names)}
        self._rows: list[tuple[list[int], _Array, float]] = []
        for unit in self._names:
            form = forms[unit]
            columns = [place.get(signal, signal) for signal in form if signal >= 0]
            entries = np.array([value for signal, value in form.items() if signal >= 0], dtype=np.float64)
            self._rows.append((columns, entries, form.get(-1, 0.0)))

    def __call__(self, points: _Array) -> tuple[_Array, _Array]:
        count, width = len(points), self._inputs + len(self._rows)
        signals = np.zeros((count, width))
        signals[:, : self._inputs] = self._fixed
        signals[:, self._free] = points
        value = np.zeros(count)
        for position, (columns, entries, constant) in enumerate(self._rows):
            value = signals[:, columns] @ entries + constant
            signals[:, self._inputs + position] = np.maximum(value, 0)
        slopes = np.zeros((count, width))
        for position in range(len(self._rows) - 1, -1, -1):
            columns, entries, _ = self._rows[position]
            last = position == len(self._rows) - 1
            place = self._inputs + position
            share = np.ones(count) if last else slopes[:, place] * (signals[:, place] > 0)
            slopes[:, columns] += share[:, None] * entries
        return value, slopes[:, self._free]
