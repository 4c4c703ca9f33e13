"""Signs of deep units on a cell by one exact linear program each, where interval bounds do not show them.

Each σ(h_k) becomes a variable s_k, of which inequalities are known: s ≥ 0 and s ≥ h ("up", "down"); s below the chord
of σ between interval bounds of h ("chord"); and for units that differ by a constant, h_a = t h_b + c with t > 0 and
c ≥ 0, 0 ≤ s_a − t s_b ≤ c ("above", "steep"), which chords do not show. A form that is a sum of these, and of walls of
the cell, with factors that are not negative, and of a constant that is not, is not negative on the cell. Units that
take both signs at points of the cell are not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from relusym.decision.normal_form.bounds import Interval
from relusym.decision.normal_form.forms import CONSTANT, Form, multiple
from relusym.exact.field import Field
from relusym.exact.simplex import Dictionary

Fact: TypeAlias = tuple[Any, ...]
"""("wall", i), ("up", k), ("down", k), ("chord", k, low, high), ("above", a, b, t) or ("steep", a, b, t)."""

Vector: TypeAlias = list[Any]

_MOST_VARIABLES = 48


class Relaxation:
    """The inequalities on a cell, in inputs and variables for units, as one polyhedron.

    Parameters
    ----------
    field, free, inputs
        The field of all numbers, the inputs that move, and the number of all inputs.
    walls
        The walls of the cell, in the free inputs.
    forms
        The units of the program of the cell, ascending.
    intervals
        Bounds of their forms, where there are any.
    """

    def __init__(
        self,
        field: Field,
        free: Sequence[int],
        inputs: int,
        walls: Sequence[Vector],
        *,
        forms: Mapping[int, Form],
        intervals: Mapping[int, Interval],
    ) -> None:
        self._zero, self._one = field.rational(0), field.rational(1)
        self._inputs = inputs
        self._forms = forms
        signals = [*free, *(inputs + 2 * unit for unit in forms)]
        self._places = {signal: place for place, signal in enumerate(signals)}
        self._facts: list[Fact] = []
        self._polyhedron = Dictionary(self._zero, self._one, len(signals))
        padding = [self._zero] * len(forms)
        for index, wall in enumerate(walls):
            self._add(("wall", index), [*wall[:-1], *padding, wall[-1]])
        for fact, form in self._known(intervals):
            self._add(fact, self._row(form))

    @staticmethod
    def is_small(free: Sequence[int], forms: Mapping[int, Form]) -> bool:
        """Return whether the programs are small enough to be worth their while."""
        return len(free) + len(forms) <= _MOST_VARIABLES

    def multipliers(self, form: Form) -> tuple[list[tuple[Fact, Any]] | None, Vector]:
        """Return facts with factors that prove a form to be not negative, or None; and free inputs to look at then."""
        least = self._polyhedron.least(self._row(form), stop_below=self._zero)
        inputs = least.point[: len(self._places) - len(self._forms)]
        if least.value is None:
            return None, inputs
        return [(self._facts[index], factor) for index, factor in least.multipliers.items()], inputs

    def _add(self, fact: Fact, row: Vector) -> None:
        failed = self._polyhedron.add(row)
        assert failed is None, "what holds on a cell that is not empty can be satisfied"
        self._facts.append(fact)

    def _row(self, form: Form) -> Vector:
        row = [self._zero] * (len(self._places) + 1)
        for signal, value in form.items():
            row[-1 if signal == CONSTANT else self._places[signal]] = value
        return row

    def _known(self, intervals: Mapping[int, Interval]) -> Iterator[tuple[Fact, Form]]:
        for unit, form in self._forms.items():
            signal = self._inputs + 2 * unit
            yield ("up", unit), {signal: self._one}
            yield ("down", unit), {**{name: -value for name, value in form.items()}, signal: self._one}
            low, high = intervals.get(unit, (None, None))
            if low is not None and high is not None and low < 0 < high:
                chord = {name: high * value for name, value in form.items()}
                chord[CONSTANT] = chord.get(CONSTANT, self._zero) - high * low
                yield ("chord", unit, low, high), {**chord, signal: low - high}
        for above, below, factor, gap in self._parallel():
            step = {self._inputs + 2 * above: self._one, self._inputs + 2 * below: -factor}
            yield ("above", above, below, factor), step
            yield ("steep", above, below, factor), {CONSTANT: gap, **{name: -value for name, value in step.items()}}

    def _parallel(self) -> Iterator[tuple[int, int, Any, Any]]:
        """Yield units a, b with h_a = t h_b + c, t > 0, c ≥ 0, and t and c: neighbours, in the order of c."""
        families: list[tuple[Form, list[tuple[Any, Any, int]]]] = []
        for unit, form in self._forms.items():
            linear = {signal: value for signal, value in form.items() if signal != CONSTANT}
            for base, members in families:
                factor = multiple(linear, base)
                if factor is not None and factor > 0:
                    members.append((form.get(CONSTANT, self._zero) / factor, factor, unit))
                    break
            else:
                families.append((linear, [(form.get(CONSTANT, self._zero), self._one, unit)]))
        for _, members in families:
            members.sort(key=lambda member: member[0])
            for (low, small, below), (high, large, above) in pairwise(members):
                yield above, below, large / small, large * (high - low)
