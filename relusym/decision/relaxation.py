"""Bounds of what is left of a program on a bounded cell: lines around every unit, and one exact linear program.

σ(h) ≤ the chord of σ between bounds of h, and σ(h) ≥ h or 0. Put in for the units, from the last one on, they
leave a form in the inputs. Slopes of chords are rounded, as any slope makes a valid line; and so are long coefficients,
where what they change is added to the bound.

Of two networks that are nearly the same, units can be bounded in pairs: σ(h') − σ(h) lies between 0 and h' − h, which
is small, and the one is put in as the other plus that difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flint import fmpq

from relusym.decision.cells import Cell, Refinement, Vector
from relusym.decision.normal_form.forms import CONSTANT, Form, add_to, scaled, trimmed
from relusym.exact.box import value_at
from relusym.limits import Budget

_BITS = 48
_SIGNIFICANT = 96
_LONG = 160
_FINE = fmpq(2) ** 160


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


def tightened(refinement: Refinement, cell: Cell, budget: Budget, partners: Mapping[int, int] | None = None) -> Bounder:
    """Rewrite the program of a bounded cell, with the signs that bounds show as well; return the bounds."""
    refinement.rewrite(cell, relax=False)
    while (bounder := Bounder(refinement, cell, budget)).one_sided:
        cell.pending = bounder.one_sided
        refinement.rewrite(cell, relax=False)
    if partners:
        bounder.pair(partners)
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


class _Pair(NamedTuple):
    """σ of a unit is its partner's plus something between two lines (slope, constant) of ``delta``, up to ``error``."""

    partner: int
    delta: Form
    error: Any
    above: tuple[Any, Any]
    below: tuple[Any, Any]


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
        self._pairs: dict[int, _Pair] = {}
        self._sizes: dict[int, Any] = dict(refinement.sizes)  # the greatest |value| of inputs and of σ of units
        self._short_forms: dict[int, tuple[Form, Any]] = {}
        for unit, form in cell.forms.items():
            budget.tick()
            self._short_forms[unit] = self._rounded(form)
            high = self.most(form)[0]
            low = -self.most({signal: -value for signal, value in form.items()})[0]
            self._set(unit, form, low, high)

    def _rounded(self, form: Form) -> tuple[Form, Any]:
        """Return a form with short coefficients, and the most by which it differs on the cell."""
        error, short = self._zero, {}
        for signal, value in form.items():
            short[signal] = self._rounded_number(value)
            if short[signal] != value:
                error = error + abs(value - short[signal]) * (1 if signal == CONSTANT else self._sizes[signal])
        return short, error

    def _rounded_number(self, value: Any) -> Any:
        """Return a number, to some significant bits where it has many."""
        if not isinstance(value, fmpq) or value == 0 or int(value.q).bit_length() <= _LONG:
            return value
        size = int(value.p).bit_length() - int(value.q).bit_length()
        scale = fmpq(2) ** (_SIGNIFICANT - size)
        return fmpq((value * scale).floor()) / scale

    def _rounded_up(self, error: Any) -> Any:
        return error if error == 0 or not isinstance(error, fmpq) else fmpq((error * _FINE).ceil()) / _FINE

    def _set(self, unit: int, form: Form, low: Any, high: Any) -> None:
        self._sizes[self._refinement.signal(unit)] = max(high, self._zero)
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

    def pair(self, partners: Mapping[int, int]) -> None:
        """Bound units together with earlier ones, where their forms differ by little."""
        for unit, form in self._cell.forms.items():
            partner = partners.get(unit)
            if partner not in self._cell.forms or partner is None:
                continue
            delta = dict(form)
            add_to(delta, self._cell.forms[partner], -self._one)
            high = self._most_paired(delta)[0]
            low = -self._most_paired({signal: -value for signal, value in delta.items()})[0]
            own_low, own_high = self._intervals[unit]
            if 2 * (high - low) < own_high - own_low:
                self._pairs[unit] = self._lines(partner, trimmed(delta), low, high)

    def _lines(self, partner: int, delta: Form, low: Any, high: Any) -> _Pair:
        """Return lines above max(0, t) and below min(0, t) for t between two bounds."""
        if low >= 0 or high <= 0:
            rising, falling = (self._one, self._zero) if low >= 0 else (self._zero, self._one)
            return _Pair(partner, *self._rounded(delta), (rising, self._zero), (falling, self._zero))
        up, down = self._short(high / (high - low)), self._short(-low / (high - low))
        above = up, max(-up * low, high - up * high)
        below = down, min(low - down * low, -down * high)
        return _Pair(partner, *self._rounded(delta), above, below)

    def most(self, form: Form) -> tuple[Any, Vector]:
        """Return an upper bound of a form on the cell, and the point at which its linear program ends."""
        single = self._most_by(form, {})
        return min(single, self._most_paired(form), key=lambda found: found[0]) if self._pairs else single

    def _most_paired(self, form: Form) -> tuple[Any, Vector]:
        return self._most_by(form, self._pairs)

    def _most_by(self, form: Form, pairs: Mapping[int, _Pair]) -> tuple[Any, Vector]:
        refinement = self._refinement
        error = self._zero
        exact = not any(refinement.signal(unit) in form for unit in self._cell.forms)
        if exact:
            form = dict(form)
        else:
            form, error = self._rounded(form)
        for unit in reversed(self._cell.forms):
            given = form.pop(refinement.signal(unit), self._zero)
            if given == 0:
                continue
            factor = self._rounded_number(given)
            error = error + abs(given - factor) * self._sizes[refinement.signal(unit)]
            if unit in pairs:
                partner, argument, wrong, above, below = pairs[unit]
                slope, constant = above if factor > 0 else below
                add_to(form, {refinement.signal(partner): self._one}, factor)
            else:
                argument, wrong = self._short_forms[unit]
                slope, constant = self._line(unit, factor)
            if slope:
                add_to(form, scaled(argument, slope), factor)
                error = error + abs(factor * slope) * wrong
            if constant:
                form[CONSTANT] = form.get(CONSTANT, self._zero) + factor * constant
        if not exact:
            form, more = self._rounded(form)
            error = error + more
        row = refinement.vector(trimmed(form))
        row[-1] = row[-1] + self._rounded_up(error)
        least = self._cell.dictionary.least([-value for value in row])
        assert least.value is not None, "a form is bounded on a bounded cell"
        return value_at(row, least.point), least.point

    def _line(self, unit: int, factor: Any) -> tuple[Any, Any]:
        """Return the line that bounds a multiple of σ from above."""
        return self._upper[unit] if factor > 0 else (self._lower[unit], self._zero)

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
