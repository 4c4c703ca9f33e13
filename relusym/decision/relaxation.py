"""Bounds of what is left of a program on a bounded cell: lines around every unit, and one exact linear program.

σ(h) ≤ the chord of σ between bounds of h, and σ(h) ≥ h or 0. Put in for the units, from the last one on, they
leave a form in the inputs. Nothing is rounded but slopes of chords, and any slope makes a valid line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from relusym.decision.cells import Cell, Refinement, Vector, evaluate
from relusym.decision.normal_form.forms import CONSTANT, Form, add_to, scaled, trimmed
from relusym.limits import Budget

_BITS = 48


def unbounded_end(refinement: Refinement) -> tuple[int, str] | None:
    """Return an input and which end of it, "low" or "high", is infinite on the domain; None where all are finite."""
    cell = refinement.root({}, [])
    for index, name in enumerate(refinement.free):
        for sign, end in ((1, "low"), (-1, "high")):
            row = [refinement.zero] * (len(refinement.free) + 1)
            row[index] = refinement.one * sign
            if cell.dictionary.least(row).value is None:
                return name, end
    return None


def tightened(refinement: Refinement, cell: Cell, budget: Budget) -> Bounder:
    """Rewrite the program of a bounded cell, with the signs that bounds show as well; return the bounds."""
    refinement.rewrite(cell)
    while (bounder := Bounder(refinement, cell, budget)).one_sided:
        cell.pending = bounder.one_sided
        refinement.rewrite(cell)
    return bounder


def somewhere_positive(
    refinement: Refinement, forms: Mapping[int, Form], form: Form, bounded: bool, budget: Budget
) -> bool:
    """Return whether a form in units takes a positive value on the domain: depth-first, cell by cell."""
    stack = [refinement.root(forms, [form])]
    while stack:
        cell = stack.pop()
        budget.tick(1)
        budget.report("cells", budget.items)
        bounder = tightened(refinement, cell, budget) if bounded else None
        if bounder is None:
            refinement.rewrite(cell)
        fresh, cell.fresh = cell.fresh, []
        if any(refinement.outputs_at(cell, point)[0] > 0 for point in fresh):
            return True
        (left,) = cell.outputs
        if bounder is not None:
            bound, point = bounder.most(left)
            if bound <= 0:
                continue
            if refinement.outputs_at(cell, point)[0] > 0:
                return True
        if cell.forms:
            unit = refinement.choice(cell)
            stack.extend(refinement.split(cell, unit if bounder is None else bounder.widest(unit)))
        elif refinement.nonnegative(cell, [-value for value in refinement.vector(left)]) is None:
            return True
    return False


class Bounder:
    """Bounds of forms in units on a bounded cell.

    Attributes
    ----------
    one_sided
        Units that turn out to have one sign, with their values.
    """

    def __init__(self, refinement: Refinement, cell: Cell, budget: Budget) -> None:
        self._refinement, self._cell = refinement, cell
        self._zero, self._one = refinement.zero, refinement.one
        self._upper: dict[int, tuple[Any, Any]] = {}  # slope and constant of the line above σ
        self._lower: dict[int, Any] = {}  # slope of the line below
        self._intervals: dict[int, tuple[Any, Any]] = {}
        self.one_sided: dict[int, Form] = {}
        for unit, form in cell.forms.items():
            budget.tick()
            high = self.most(form)[0]
            low = -self.most({signal: -value for signal, value in form.items()})[0]
            self._set(unit, form, low, high)

    def _set(self, unit: int, form: Form, low: Any, high: Any) -> None:
        if low >= 0 or high <= 0:
            self.one_sided[self._refinement.signal(unit)] = form if low >= 0 else {}
            slope = self._one if low >= 0 else self._zero
            self._upper[unit], self._lower[unit] = (slope, self._zero), slope
            return
        slope = self._short(high / (high - low))
        self._intervals[unit] = low, high
        self._upper[unit] = slope, max(-slope * low, high - slope * high)
        self._lower[unit] = self._one if high > -low else self._zero

    def _short(self, share: Any) -> Any:
        """Return a short number near one from 0 to 1: any slope makes a line above σ, if its constant fits."""
        if not isinstance(share, fmpq):
            return share
        return fmpq((share * (1 << _BITS)).floor(), 1 << _BITS)

    def most(self, form: Form) -> tuple[Any, Vector]:
        """Return an upper bound of a form on the cell, and the point at which its linear program ends."""
        refinement = self._refinement
        form = dict(form)
        for unit in reversed(self._cell.forms):
            factor = form.pop(refinement.signal(unit), self._zero)
            if factor == 0:
                continue
            slope, constant = self._upper[unit] if factor > 0 else (self._lower[unit], self._zero)
            if slope:
                add_to(form, scaled(self._cell.forms[unit], slope), factor)
            if constant:
                form[CONSTANT] = form.get(CONSTANT, self._zero) + factor * constant
        row = refinement.vector(trimmed(form))
        least = self._cell.dictionary.least([-value for value in row])
        assert least.value is not None, "a form is bounded on a bounded cell"
        return evaluate(row, least.point), least.point

    def widest(self, default: int) -> int:
        """Return the unit in the inputs alone that leaves most open, as far as it is used."""
        weights = self._weights()
        best, room = default, self._zero
        for unit, (low, high) in self._intervals.items():
            if self._refinement.is_affine(self._cell.forms[unit]):
                gap = weights.get(self._refinement.signal(unit), self._zero) * (-low * high) / (high - low)
                if gap > room:
                    best, room = unit, gap
        return best

    def _weights(self) -> Mapping[int, Any]:
        """Return how much each unit counts for the outputs at most."""
        weights: dict[int, Any] = {}
        for form in self._cell.outputs:
            for signal, value in form.items():
                weights[signal] = weights.get(signal, self._zero) + abs(value)
        for unit in reversed(self._cell.forms):
            own = weights.get(self._refinement.signal(unit), self._zero)
            for signal, value in self._cell.forms[unit].items():
                weights[signal] = weights.get(signal, self._zero) + own * abs(value)
        return weights
