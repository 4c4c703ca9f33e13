"""One hidden layer made smaller, in standard form: rows before it, columns after it, no skip connections.

The roles that the normal form gives to the neurons say what can go. Unused neurons, constants and neurons that are
inactive on the domain vanish into the next biases; neurons on one side of one unit merge; groups whose output weights
cancel go. What then remains beside the units is affine: the active neurons, and −N h where a unit has neurons on both
sides, P σ(h) + N σ(−h) = (P + N) σ(h) − N h. Where no unit is left, the whole layer is affine and is collapsed into the
next. Else the affine part has to be carried by neurons: by as few of the active neurons and second sides that are
there as span it, or by one neuron for each of its own independent rows that is bounded from one side on the domain
(σ(t − low) + low = t) and two for each that is not, whichever takes fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from relusym.decision.normal_form.forms import CONSTANT, Form, add_to, scaled, substitute, trimmed
from relusym.decision.normal_form.linear import combinations
from relusym.decision.normal_form.numbering import Role, value_of
from relusym.decision.normal_form.units import NOWHERE, UnitTable


@dataclass
class Reduced:
    """A layer after its reduction.

    Attributes
    ----------
    rows
        The rows of the neurons that are kept, over the kept neurons of the layer before.
    values
        The values of the kept neurons, as forms in signals of the table.
    after
        The rows of the next layer, over the kept neurons; over the layer before where ``collapsed``.
    collapsed
        Whether the layer is gone.
    tally
        How many neurons went, by reason.
    """

    rows: list[Form]
    values: list[Form]
    after: list[Form]
    collapsed: bool
    tally: Counter[str]


class _Carrier(NamedTuple):
    """An affine row as a sum of neurons: row = Σ factor·σ(neuron) + constant."""

    row: Form
    neurons: list[tuple[int, Any]]
    constant: Any


@dataclass
class _Sides:
    """The neurons of one layer on the two sides of one unit: places with t > 0, and t < 0."""

    plus: list[tuple[int, Any]] = field(default_factory=list)
    minus: list[tuple[int, Any]] = field(default_factory=list)


class LayerReduction:
    """The reduction of one hidden layer.

    Parameters
    ----------
    table
        The units.
    rows, roles
        The layer: rows over the kept neurons of the layer before, and the role of every neuron.
    before
        The values of the kept neurons of the layer before, as forms in signals.
    after
        The rows of the next layer, over this one; empty ones where a row does not matter.
    """

    def __init__(
        self, table: UnitTable, rows: Sequence[Form], roles: Sequence[Role], before: Sequence[Form], after: list[Form]
    ) -> None:
        self._table = table
        self._zero, self._one = table.zero, table.one
        self._before = dict(enumerate(before))
        self._roles = roles
        self._pool = dict(enumerate(rows))  # rows of neurons by name; those beyond the layer's own are new ones
        self._columns = _transposed(after, len(rows))
        self._count = len(after)
        self._kept: dict[int, list[Any]] = {}  # neuron -> its new column
        self._sides: dict[int, _Sides] = {}
        self._active: dict[int, list[tuple[int, Any]]] = {}
        self._constants = [form.get(CONSTANT, self._zero) for form in after]
        self._rest: list[Form] = [{} for _ in after]  # the affine part, over the layer before
        self._carriers: list[_Carrier] = []
        self._reasons: dict[int, str] = {}  # why a neuron goes, unless it is kept after all

    def run(self) -> Reduced:
        """Return the reduced layer."""
        for place, role in enumerate(self._roles):
            self._sort(place, role)
        for members in self._active.values():
            (place, factor), row = members[0], self._pool[members[0][0]]
            self._add_affine([value / abs(factor) for value in self._mass(members)], row)
            self._carriers.append(_Carrier(row, [(place, self._one)], self._zero))
            self._because("merged", members[1:])
            self._because("folded", members[:1])
        for sides in self._sides.values():
            self._merge(sides)
        rest = [trimmed(form) for form in self._rest]
        if not self._kept:
            return self._collapsed(rest)
        return self._assembled(self._carry(rest))

    # -- what each neuron is

    def _sort(self, place: int, role: Role) -> None:
        column = self._columns[place]
        if role.word == "unused" or not any(column):
            self._reasons[place] = "unused"
        elif role.word == "constant":
            self._reasons[place] = "constant"
            self._add_constants(column, role.factor)
        else:
            sign, upward = self._table.units[role.unit].sign, role.factor > 0
            if sign == 0:
                sides = self._sides.setdefault(role.unit, _Sides())
                (sides.plus if upward else sides.minus).append((place, role.factor))
            elif (sign > 0) == upward:
                self._active.setdefault(role.unit, []).append((place, role.factor))
            else:
                self._reasons[place] = "inactive"

    def _add_constants(self, column: Sequence[Any], value: Any) -> None:
        self._constants = [known + factor * value for known, factor in zip(self._constants, column, strict=True)]

    def _add_affine(self, column: Sequence[Any], row: Form) -> None:
        for form, factor in zip(self._rest, column, strict=True):
            if factor:
                add_to(form, row, factor)

    def _because(self, reason: str, members: Sequence[tuple[int, Any]]) -> None:
        self._reasons.update((place, reason) for place, _ in members)

    def _merge(self, sides: _Sides) -> None:
        """Merge the neurons on each side of a unit; what two sides leave is affine."""
        plus, minus = self._mass(sides.plus), self._mass(sides.minus)
        for mass, members in ((plus, sides.plus), (minus, sides.minus)):
            self._because("merged" if any(mass) else "cancelling", members)
        if not any(plus) or not any(minus):
            for mass, members in ((plus, sides.plus), (minus, sides.minus)):
                if any(mass):
                    place, factor = members[0]
                    self._kept[place] = [value / abs(factor) for value in mass]
            return
        (first, up), (second, down) = sides.plus[0], sides.minus[0]
        row = scaled(self._pool[first], self._one / up)
        self._add_affine([-value for value in minus], row)
        total = [a + b for a, b in zip(plus, minus, strict=True)]
        self._because("folded" if any(total) else "cancelling", [sides.plus[0], sides.minus[0]])
        if any(total):
            self._kept[first] = [value / up for value in total]
            self._carriers.append(_Carrier(row, [(first, self._one / up), (second, self._one / down)], self._zero))
        else:
            pair = _Carrier(row, [(first, self._one / up), (second, self._one / down)], self._zero)
            single = self._carrier(row)
            self._carriers.append(single if len(single.neurons) == 1 else pair)

    def _mass(self, members: Sequence[tuple[int, Any]]) -> list[Any]:
        total = [self._zero] * self._count
        for place, factor in members:
            size = abs(factor)
            total = [known + size * value for known, value in zip(total, self._columns[place], strict=True)]
        return total

    # -- carrying the affine part

    def _collapsed(self, rest: list[Form]) -> Reduced:
        after = []
        for form, constant in zip(rest, self._constants, strict=True):
            add_to(form, {CONSTANT: constant}, self._one)
            after.append(trimmed(form))
        return Reduced([], [], after, True, Counter(self._reasons.values()))

    def _carry(self, rest: list[Form]) -> dict[int, list[Any]]:
        """Return the neurons that carry the affine part, with the columns that it adds to them."""
        for index, form in enumerate(rest):
            self._constants[index] = self._constants[index] + form.pop(CONSTANT, self._zero)
        if not any(rest):
            return {}
        choices = []
        own = [self._carrier(form) for form in rest if form]
        for carriers in (self._carriers, own):
            carriers.sort(key=lambda carrier: sum(name not in self._kept for name, _ in carrier.neurons))
            factors = combinations([carrier.row for carrier in carriers], rest, self._zero)
            if factors is not None:
                used = sorted({index for row in factors for index in row})
                names = {name for index in used for name, _ in carriers[index].neurons} - self._kept.keys()
                choices.append((len(names), carriers, factors))
        _, carriers, factors = min(choices, key=lambda choice: choice[0])
        columns: dict[int, list[Any]] = {}
        for output, row in enumerate(factors):
            for index, factor in row.items():
                carrier = carriers[index]
                offset = carrier.constant - carrier.row.get(CONSTANT, self._zero)
                self._constants[output] = self._constants[output] + factor * offset
                for name, share in carrier.neurons:
                    column = columns.setdefault(name, [self._zero] * self._count)
                    column[output] = column[output] + factor * share
        return columns

    def _carrier(self, row: Form) -> _Carrier:
        """Return new neurons that carry an affine row: one where it is bounded on the domain, else two."""
        normal = substitute([row], self._before)[0]
        low, high = self._table.bounds(normal, self._table.normal([normal])[0])
        if low is not None:
            shift = low if low < 0 else self._zero
            return _Carrier(row, [(self._new(row, self._one, -shift), self._one)], shift)
        if high is not None:
            shift = high if high > 0 else self._zero
            return _Carrier(row, [(self._new(row, -self._one, shift), -self._one)], shift)
        sides = [(self._new(row, sign, self._zero), sign) for sign in (self._one, -self._one)]
        return _Carrier(row, sides, self._zero)

    def _new(self, row: Form, factor: Any, shift: Any) -> int:
        name = len(self._pool)
        form = scaled(row, factor)
        form[CONSTANT] = form.get(CONSTANT, self._zero) + shift
        self._pool[name] = trimmed(form)
        return name

    def _assembled(self, carried: dict[int, list[Any]]) -> Reduced:
        zeros = [self._zero] * self._count
        names = sorted(self._kept.keys() | carried.keys())
        after: list[Form] = [{CONSTANT: constant} for constant in self._constants]
        for place, name in enumerate(names):
            columns = zip(self._kept.get(name, zeros), carried.get(name, zeros), strict=True)
            for form, (own, more) in zip(after, columns, strict=True):
                form[place] = own + more
        rows = [self._pool[name] for name in names]
        values = [self._sigma(name) for name in names]
        tally = Counter(reason for place, reason in self._reasons.items() if place not in names)
        tally.update("carrying" for name in names if name >= len(self._roles))
        return Reduced(rows, values, [trimmed(form) for form in after], False, tally)

    def _sigma(self, name: int) -> Form:
        """Return the value of a kept neuron as a form in signals."""
        if name < len(self._roles) and (unit := self._roles[name].unit) >= 0 and not self._table.units[unit].sign:
            factor = self._roles[name].factor
            return {self._table.signal(unit, factor > 0): abs(factor)}
        form = substitute([self._pool[name]], self._before)[0]
        if name < len(self._roles):
            return form  # active
        return value_of(form, self._table.normal([form])[0], NOWHERE, self._table)[1]


def _transposed(after: Sequence[Form], width: int) -> list[list[Any]]:
    columns: list[list[Any]] = [[0] * len(after) for _ in range(width)]
    for output, form in enumerate(after):
        for place, value in form.items():
            if place != CONSTANT:
                columns[place][output] = value
    return columns
