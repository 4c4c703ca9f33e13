"""Continuous piecewise linear functions as affine forms in inputs and ReLU units, units applied to such forms again.

A form is a sum of atoms with coefficients, plus a constant. Atoms are numbered: first the inputs, then the units in the
order in which they were made. :class:`Units` keeps each unit once. In canonical mode it also

* scales a unit so that its leading coefficient is 1 (σ(λt) = λσ(t) for λ > 0, σ(−t) = σ(t) − t), which makes forms in
  units of inputs unique: these are ridge forms;
* writes a unit of a function of one linear form, however deep, as units of inputs, by its breakpoints.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from relusym.exact.field import Field


class Form(NamedTuple):
    """Σ terms[atom]·atom + constant; no coefficient is zero."""

    terms: dict[int, Any]
    constant: Any

    @property
    def is_constant(self) -> bool:
        """Whether there are no terms."""
        return not self.terms

    @property
    def is_zero(self) -> bool:
        """Whether the form is 0."""
        return not self.terms and self.constant == 0


def plus(first: Form, second: Form, factor: Any = 1) -> Form:
    """Return first + factor·second."""
    terms = dict(first.terms)
    for atom, coefficient in second.terms.items():
        value = terms.get(atom, 0) + factor * coefficient
        if value == 0:
            terms.pop(atom, None)
        else:
            terms[atom] = value
    return Form(terms, first.constant + factor * second.constant)


def times(form: Form, factor: Any) -> Form:
    """Return factor·form."""
    if factor == 0:
        return Form({}, form.constant * 0)
    return Form({atom: factor * value for atom, value in form.terms.items()}, factor * form.constant)


class Units:
    """The ReLU units that forms refer to.

    Parameters
    ----------
    field
        The field of all coefficients.
    inputs
        The number of inputs.
    canonical
        Whether units are brought to a normal form; otherwise they are kept as they were written.
    """

    def __init__(self, field: Field, inputs: int, *, canonical: bool) -> None:
        self.field = field
        self.inputs = inputs
        self.canonical = canonical
        self.arguments: list[Form] = []
        self._levels: list[int] = []
        self._known: dict[Hashable, int] = {}

    # -- forms

    def number(self, value: Any) -> Form:
        """Return a constant form."""
        return Form({}, value)

    def atom(self, index: int) -> Form:
        """Return an input, or a unit, as a form."""
        return Form({index: self.field.rational(1)}, self.field.rational(0))

    def level(self, form: Form) -> int:
        """Return how many ReLU layers deep a form is."""
        return max(
            (self._levels[atom - self.inputs] for atom in form.terms if atom >= self.inputs),
            default=0,
        )

    def key(self, form: Form) -> Hashable:
        """Return a hashable name of a form."""
        name = self.field.key
        return tuple((atom, name(form.terms[atom])) for atom in sorted(form.terms)), name(form.constant)

    # -- piecewise linear operations

    def relu(self, form: Form) -> Form:
        """Return σ(form)."""
        if form.is_constant:
            return form if form.constant > 0 else self.number(self.field.rational(0))
        sign = self._known_sign(form)
        if sign:
            return form if sign > 0 else self.number(self.field.rational(0))
        if not self.canonical:
            return self._unit(form)
        if self.level(form) >= 1:
            collapsed = self._along_one_form(form)
            if collapsed is not None:
                return collapsed
        lead = form.terms[min(form.terms)]
        unit = times(self._unit(times(form, 1 / lead)), abs(lead))
        return unit if lead > 0 else plus(unit, form)

    def _known_sign(self, form: Form) -> int:
        """Return 1 or −1 for a form of units that is visibly never negative, or never positive; 0 otherwise."""
        if any(atom < self.inputs for atom in form.terms):
            return 0
        signs = {self.field.sign(value) for value in (*form.terms.values(), form.constant)} - {0}
        return signs.pop() if len(signs) == 1 else 0

    def _unit(self, form: Form) -> Form:
        name = self.key(form)
        if name not in self._known:
            self._known[name] = self.inputs + len(self.arguments)
            self._levels.append(1 + self.level(form))
            self.arguments.append(form)
        return self.atom(self._known[name])

    def absolute(self, form: Form) -> Form:
        """Return |form| = σ(form) + σ(−form)."""
        return plus(self.relu(form), self.relu(times(form, self.field.rational(-1))))

    def maximum(self, forms: Iterable[Form]) -> Form:
        """Return the largest of some forms: max(a, b) = a + σ(b − a), in a balanced tree.

        Forms of one level are ordered lexicographically by their coefficients, an order that adding one form to all of
        them, or scaling all of them, does not change.
        """
        distinct = list({self.key(form): form for form in forms}.values())
        zeros = [form for form in distinct if form.is_zero]
        rest = [form for form in distinct if not form.is_zero]
        if not rest:
            return zeros[0]
        from functools import cmp_to_key

        rest.sort(key=cmp_to_key(self._compare))
        while len(rest) > 1:
            paired = [self._larger(a, b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
            rest = paired + rest[len(rest) & ~1 :]
        return self.relu(rest[0]) if zeros else rest[0]

    def minimum(self, forms: Iterable[Form]) -> Form:
        """Return the least of some forms."""
        minus = self.field.rational(-1)
        return times(self.maximum(times(form, minus) for form in forms), minus)

    def _larger(self, first: Form, second: Form) -> Form:
        if second.is_constant:
            first, second = second, first
        return plus(first, self.relu(plus(second, first, self.field.rational(-1))))

    def _compare(self, first: Form, second: Form) -> int:
        levels = self.level(first) - self.level(second)
        if levels:
            return levels
        difference = plus(first, second, self.field.rational(-1))
        lead = difference.terms[min(difference.terms)] if difference.terms else difference.constant
        return -self.field.sign(lead)

    # -- functions of one linear form

    def _along_one_form(self, form: Form) -> Form | None:
        """Return σ(form) in units of inputs, where the form depends on one linear form of the inputs alone."""
        if self.level(form) > 1:
            return None
        linear = {atom: value for atom, value in form.terms.items() if atom < self.inputs}
        rows = [self.arguments[atom - self.inputs] for atom in form.terms if atom >= self.inputs]
        direction = rows[0].terms
        if any(row.terms != direction for row in rows):
            return None
        slope = self.field.rational(0)
        if linear:
            lead = min(direction)
            if linear.keys() != direction.keys():
                return None
            slope = linear[lead] / direction[lead]
            if any(value != slope * direction[atom] for atom, value in linear.items()):
                return None
        kinks = sorted(
            (-self.arguments[atom - self.inputs].constant, value)
            for atom, value in form.terms.items()
            if atom >= self.inputs
        )
        return self._from_kinks(direction, *_positive_part(slope, form.constant, kinks))

    def _from_kinks(self, direction: dict[int, Any], slope: Any, constant: Any, kinks: list[tuple[Any, Any]]) -> Form:
        total = plus(self.number(constant), times(Form(direction, self.field.rational(0)), slope))
        for place, jump in kinks:
            total = plus(total, self._unit(Form(direction, -place)), jump)
        return total

    # -- the units that are used

    def used(self, forms: Sequence[Form]) -> list[int]:
        """Return the atoms of all units that the forms need, directly or not, ascending."""
        seen: set[int] = set()
        waiting = [atom for form in forms for atom in form.terms]
        while waiting:
            atom = waiting.pop()
            if atom >= self.inputs and atom not in seen:
                seen.add(atom)
                waiting.extend(self.arguments[atom - self.inputs].terms)
        return sorted(seen)


_Kinks = list[tuple[Any, Any]]


def _positive_part(slope: Any, constant: Any, kinks: _Kinks) -> tuple[Any, Any, _Kinks]:
    """Return σ(g) for g(t) = slope·t + constant + Σ jump·σ(t − place), in the same form.

    Left of all places g is one line. From piece to piece the slope of σ(g) is that of g or 0; it changes at the places
    and at the zeros between them.
    """
    first = kinks[0][0]
    # On the leftmost piece σ(g) may change once, left of the first place.
    zero = slope * 0
    pieces: list[tuple[Any, Any]] = []  # (place, slope of σ(g) from there on)
    value = slope * first + constant
    starts_positive = slope < 0 or (slope == 0 and constant > 0)
    start_slope, start_constant = (slope, constant) if starts_positive else (zero, zero)
    if slope != 0 and (value > 0) != starts_positive and (-constant / slope) < first:
        pieces.append((-constant / slope, zero if starts_positive else slope))
    current = slope
    for index, (place, jump) in enumerate(kinks):
        current = current + jump
        end = kinks[index + 1][0] if index + 1 < len(kinks) else None
        rising = value > 0 or (value == 0 and current > 0)
        pieces.append((place, current if rising else zero))
        if current != 0:
            crossing = place - value / current
            if crossing > place and (end is None or crossing < end) and value != 0:
                pieces.append((crossing, zero if rising else current))
        if end is not None:
            value = value + current * (end - place)
    jumps, before = [], start_slope
    for place, after in pieces:
        if after != before:
            jumps.append((place, after - before))
        before = after
    return start_slope, start_constant, jumps
