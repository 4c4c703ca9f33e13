"""The table of units: one entry for each affine form, up to multiples, that some neuron applies σ to.

The first neuron that is met with a form becomes the base of a unit; the forms of all later ones are t times the form h
of the base. A unit whose h is proved to have one sign on the domain is one-sided: σ(h) is h, or 0.

A form is looked up by which signals it holds and a few ratios of its coefficients, and then compared whole: hashing
all its numbers would cost more than all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from relusym.decision.normal_form.bounds import Interval, bounds, tighter
from relusym.decision.normal_form.forms import CONSTANT, Form, multiple, probe, substitute
from relusym.decision.normal_form.sharpening import Multiplier, Sharpener
from relusym.exact.box import Box
from relusym.exact.field import Field


class Neuron(NamedTuple):
    """Where a neuron is: network, hidden layer, place in the layer."""

    network: int
    layer: int
    place: int


NOWHERE = Neuron(-1, -1, -1)
"""The place of a neuron that is in no network yet."""


class Unit(NamedTuple):
    """A form h, up to multiples.

    Attributes
    ----------
    base
        The neuron whose form h is.
    form
        h in inputs and positive sides of earlier units: the normal form of h.
    interval
        Bounds of h on the domain.
    multipliers
        Where bounds do not show the sign of h and linear programming does: the proof.
    """

    base: Neuron
    form: Form
    interval: Interval
    multipliers: Sequence[Multiplier] = ()

    @property
    def sign(self) -> int:
        """1 where h is proved to be non-negative on the domain, −1 where non-positive, else 0."""
        low, high = self.interval
        if low is not None and low >= 0:
            return 1
        return -1 if high is not None and high <= 0 else 0


class UnitTable:
    """All units of the networks that are numbered together, over one field on one box.

    Parameters
    ----------
    field, box
        The field of all numbers, and the domain.
    sharpen
        Whether linear programs look for the signs that bounds do not show; over Q only.
    hull
        Inputs that are forms in the free ones on the domain.
    sign_of
        Tells the sign of a normal form on the domain, 0 where it has none, where bounds do not show it.
    """

    def __init__(
        self,
        field: Field,
        box: Box,
        *,
        sharpen: bool = False,
        hull: Mapping[int, Form] | None = None,
        sign_of: Callable[[UnitTable, Form], int] | None = None,
    ) -> None:
        self.field = field
        self.box = box
        self.inputs = len(box.low)
        self.units: list[Unit] = []
        self.zero, self.one = field.rational(0), field.rational(1)
        self._places: dict[Hashable, list[int]] = {}
        self._hull = dict(hull or {})
        self._sign_of = sign_of
        self._sharpener = Sharpener(box) if sharpen and field.degree == 1 else None

    def signal(self, unit: int, positive: bool = True) -> int:
        """Return the name of one side of a unit."""
        return self.inputs + 2 * unit + (not positive)

    def unit_of(self, signal: int) -> int | None:
        """Return the unit that a signal is a side of; None for an input or the constant."""
        return None if signal < self.inputs else (signal - self.inputs) // 2

    def start(self) -> dict[int, Form]:
        """Return the inputs as forms: coordinates that the domain fixes are constants, or forms in the others."""
        forms: dict[int, Form] = {index: {index: self.one} for index in self.box.free} | self._hull
        for index, value in enumerate(self.box.low):
            if index not in forms:
                forms[index] = {CONSTANT: value} if value else {}
        return forms

    def normal(self, forms: Sequence[Form]) -> list[Form]:
        """Return forms in inputs and positive sides only, by σ(−h) = σ(h) − h: equal ones are equal functions."""
        first = self.inputs + 1
        negative = {signal for form in forms for signal in form if signal >= first and not (signal - first) % 2}
        return substitute(forms, {signal: self._flipped(signal) for signal in negative}) if negative else list(forms)

    def _flipped(self, signal: int) -> Form:
        unit = self.units[(signal - self.inputs) // 2]
        return {**{name: -value for name, value in unit.form.items()}, signal - 1: self.one}

    def locate(self, form: Form, normal: Form, neuron: Neuron) -> tuple[int, Any]:
        """Return the unit k and the factor t with form = t·h_k; the unit is new where there was none.

        Parameters
        ----------
        form, normal
            The form of the neuron as it came, and its normal form; not constant.
        neuron
            Where it is.
        """
        bucket = self._places.setdefault(probe(normal, self.field), [])
        for unit in bucket:
            factor = multiple(normal, self.units[unit].form)
            if factor is not None:
                return unit, factor
        bucket.append(len(self.units))
        self.units.append(self._unit(form, normal, neuron))
        return bucket[-1], self.one

    def _unit(self, form: Form, normal: Form, neuron: Neuron) -> Unit:
        unit = Unit(neuron, normal, self.bounds(form, normal))
        if self._sharpener is not None:
            if unit.sign == 0:
                sign, multipliers = self._sharpener.sign(normal)
                half = Interval(self.zero if sign > 0 else None, self.zero if sign < 0 else None)
                unit = Unit(neuron, normal, tighter(unit.interval, half), multipliers)
            self._sharpener.add(normal, unit.interval)
        if self._sign_of is not None and unit.sign == 0:
            sign = self._sign_of(self, normal)
            half = Interval(self.zero if sign > 0 else None, self.zero if sign < 0 else None)
            unit = unit._replace(interval=tighter(unit.interval, half))
        return unit

    def bounds(self, form: Form, normal: Form) -> Interval:
        """Return bounds of a form on the domain, the best of both ways to write it."""
        found = bounds(form, self.box, self._interval, self.zero)
        return found if normal == form else tighter(found, bounds(normal, self.box, self._interval, self.zero))

    def _interval(self, unit: int) -> Interval:
        return self.units[unit].interval

    def below(self, forms: Iterable[Form]) -> list[int]:
        """Return the units that forms are made of, directly or through other units, ascending."""
        found: set[int] = set()
        stack = [signal for form in forms for signal in form]
        while stack:
            unit = self.unit_of(stack.pop())
            if unit is not None and unit not in found:
                found.add(unit)
                stack.extend(self.units[unit].form)
        return sorted(found)
