"""Signs of units by exact linear programming, where interval bounds do not show them.

What is known of the units below gives valid inequalities: σ(h) ≥ 0, σ(h) − h ≥ 0, the chord of σ between the bounds of
h, and the ends of the box. A form is non-negative on the domain where it is a sum of these with non-negative
multipliers and a non-negative constant. The multipliers are found by one linear program over Q; they are the proof,
and a sum checks it. Units that take both signs at sample points are not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from flint import fmpq, fmpz

from relusym.decision.normal_form.bounds import Interval
from relusym.decision.normal_form.forms import CONSTANT, Form
from relusym.decision.witness import sample_points
from relusym.exact.box import Box
from relusym.exact.field import QQ

_SAMPLES = 24


class Multiplier(NamedTuple):
    """A factor of one of the inequalities: "up" (σ(h) ≥ 0), "down", "chord" of a unit; "low", "high" of an input."""

    word: str
    number: int
    factor: Any


class Sharpener:
    """Proofs of signs, one unit after the other; see :meth:`sign`.

    Parameters
    ----------
    box
        The domain.
    """

    def __init__(self, box: Box) -> None:
        self._box = box
        self._inputs = len(box.low)
        self._samples = [dict(enumerate(box.complete(point))) for point in sample_points(QQ, box, _SAMPLES)]
        self._units: list[tuple[Form, Interval]] = []

    def add(self, form: Form, interval: Interval) -> None:
        """Take note of the next unit: its normal form and its bounds."""
        signal = self._inputs + 2 * len(self._units)
        for values in self._samples:
            values[signal] = max(_value(form, values), fmpq(0))
        self._units.append((form, interval))

    def sign(self, form: Form) -> tuple[int, list[Multiplier]]:
        """Return 1 or −1 with multipliers that prove form ≥ 0 or form ≤ 0 on the domain, or 0 and none.

        ``form`` is a normal form in the units so far, over Q.
        """
        values = [_value(form, sample) for sample in self._samples]
        for sign in (1, -1):
            if all(value * sign >= 0 for value in values):
                found = self._multipliers({signal: value * sign for signal, value in form.items()})
                if found is not None:
                    return sign, found
        return 0, []

    def _multipliers(self, form: Form) -> list[Multiplier] | None:
        from relusym.exact.polyhedron import least

        names, forms = [], []
        for name, inequality in self._inequalities(form):
            names.append(name)
            forms.append(inequality)
        signals = sorted({signal for known in (*forms, form) for signal in known} - {CONSTANT})
        zero = fmpq(0)
        equations = [
            _integers([*(known.get(signal, zero) for known in forms), -form.get(signal, zero)]) for signal in signals
        ]
        objective = _integers([*(known.get(CONSTANT, zero) for known in forms), -form.get(CONSTANT, zero)])
        unit_rows = [[int(i == j) for j in range(len(forms))] + [0] for i in range(len(forms))]
        found = least(objective, unit_rows, equations)
        if found is None or found[0] > 0:
            return None
        *factors, denominator = found[1]
        return [
            Multiplier(word, index, fmpq(factor, denominator))
            for (word, index), factor in zip(names, factors, strict=True)
            if factor
        ]

    def _inequalities(self, form: Form) -> Iterator[tuple[tuple[str, int], Form]]:
        """Yield the inequalities on everything that a form depends on, with their names."""
        one = fmpq(1)
        inputs, units = self._below(form)
        for index in inputs:
            for word, end, sign in (("low", self._box.low[index], 1), ("high", self._box.high[index], -1)):
                if end is not None:
                    yield (word, index), {index: one * sign, CONSTANT: -sign * end}
        for number in units:
            h, (low, high) = self._units[number]
            signal = self._inputs + 2 * number
            yield ("up", number), {signal: one}
            yield ("down", number), {**{name: -value for name, value in h.items()}, signal: one}
            if low is not None and high is not None and low < 0 < high:
                chord = {name: high * value for name, value in h.items()}
                chord[CONSTANT] = chord.get(CONSTANT, fmpq(0)) - high * low
                yield ("chord", number), {**chord, signal: low - high}

    def _below(self, form: Form) -> tuple[list[int], list[int]]:
        inputs: set[int] = set()
        units: set[int] = set()
        stack = list(form)
        while stack:
            signal = stack.pop()
            if 0 <= signal < self._inputs:
                inputs.add(signal)
            elif signal >= self._inputs and (number := (signal - self._inputs) // 2) not in units:
                units.add(number)
                stack.extend(self._units[number][0])
        return sorted(inputs), sorted(units)


def _value(form: Form, values: dict[int, Any]) -> Any:
    return sum(
        (factor * values[signal] for signal, factor in form.items() if signal != CONSTANT),
        start=form.get(CONSTANT, fmpq(0)),
    )


def _integers(row: Sequence[fmpq]) -> list[int]:
    """Return the row times the common denominator."""
    denominator = fmpz(1)
    for value in row:
        denominator = denominator.lcm(value.q)
    return [int((value * denominator).p) for value in row]
