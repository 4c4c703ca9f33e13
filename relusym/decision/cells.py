"""Cells of the joint refinement of two networks, and what is left of their difference there.

A cell is a polyhedron with an interior. On it the difference of the networks is a short program: units σ(h), each h a
form in the free inputs and earlier units, and outputs that are forms in units. Rewriting makes it shorter: units that
are constant, multiples of earlier ones, or of one sign on the cell go. Signs come from interval bounds, and for forms
in the inputs alone from exact linear programs (:mod:`relusym.exact.simplex`), whose multipliers are kept as proof; for
others from larger ones, where points do not refute them first (:mod:`relusym.decision.relaxed_signs`).
Where units are left, a cell is split along the hyperplane of one whose form is in the inputs alone; as linear programs
showed that it takes both signs, neither part is empty, and both have an interior.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from relusym.decision.normal_form.bounds import Interval, bounds
from relusym.decision.normal_form.forms import CONSTANT, Form, multiple, probe, substitute
from relusym.decision.relaxed_signs import Fact, Relaxation
from relusym.decision.witness import sample_points
from relusym.exact.box import Box, value_at
from relusym.exact.field import Field
from relusym.exact.polyhedral_domain import Domain, Polyhedron, walls_of
from relusym.exact.simplex import Dictionary

Vector: TypeAlias = list[Any]

_MOST_POINTS = 16
_PROBES = 16
_MOST_PROBED = 32


class Step(NamedTuple):
    """One rewrite of a unit: "constant", "multiple" of ``other`` by ``factor``, or "sign" with its multipliers.

    ``factor`` of a sign is 1 or −1; ``multipliers`` are facts with factors, None where interval bounds show it.
    """

    word: str
    unit: int
    factor: Any = None
    other: int = -1
    multipliers: Sequence[tuple[Fact, Any]] | None = None


@dataclass
class Cell:
    """A polyhedron, and the program that is left on it.

    Attributes
    ----------
    dictionary
        The polyhedron, in the free inputs.
    forms
        The form h of every unit that matters, ascending.
    outputs
        The outputs of the difference.
    walls
        Its walls, in the free inputs.
    points
        Some points of the cell, in the free inputs.
    probes
        More of them, spread.
    pending
        Units of which the sign is known by now, and what they are then.
    fresh
        Points at which the program was not evaluated so far.
    """

    dictionary: Dictionary
    forms: dict[int, Form]
    outputs: list[Form]
    walls: list[Vector]
    points: list[Vector] = field(default_factory=list)
    probes: list[Vector] = field(default_factory=list)
    pending: dict[int, Form] = field(default_factory=dict)
    fresh: list[Vector] = field(default_factory=list)

    @property
    def is_zero(self) -> bool:
        """Whether nothing is left: the networks are equal on the cell."""
        return not any(self.outputs)


class Refinement:
    """The operations on cells of a domain.

    Parameters
    ----------
    domain
        The domain.
    ground
        The field of all numbers.
    """

    def __init__(self, domain: Domain, ground: Field) -> None:
        self._domain = domain
        self._box: Box = domain.frame if isinstance(domain, Polyhedron) else domain
        self._bounded = any(end is not None for end in (*self._box.low, *self._box.high))
        self.inputs = len(self._box.low)
        self.free = self._box.free
        self.field = ground
        self.zero, self.one = ground.rational(0), ground.rational(1)

    def root(self, forms: Mapping[int, Form], outputs: Iterable[Form]) -> Cell:
        """Return the whole domain as a cell."""
        dictionary = Dictionary(self.zero, self.one, len(self.free))
        walls = [self._domain.restrict(wall) for wall in walls_of(self._domain, self.field)]
        for wall in walls:
            failed = dictionary.add(wall)
            assert failed is None, "a domain is not empty"
        cell = Cell(dictionary, dict(forms), list(outputs), walls)
        if len(self.free) <= _MOST_PROBED:
            probes = sample_points(self.field, self._box, _PROBES)
            cell.probes = [point for point in probes if all(value_at(wall, point) >= 0 for wall in walls)]
        self._keep(cell, dictionary.point())
        return cell

    @cached_property
    def sizes(self) -> dict[int, Any]:
        """The greatest |x_i| of every free input on the domain, which is bounded."""
        dictionary = self.root({}, []).dictionary
        sizes = {}
        for place, name in enumerate(self.free):
            row = [self.zero] * (len(self.free) + 1)
            row[place] = self.one
            low, high = dictionary.least(row).value, dictionary.least([-value for value in row]).value
            assert low is not None, "the domain is bounded"
            assert high is not None, "the domain is bounded"
            sizes[name] = max(abs(low), abs(high))
        return sizes

    def signal(self, unit: int) -> int:
        """Return the name of σ(h) of a unit."""
        return self.inputs + 2 * unit

    def _unit(self, signal: int) -> int:
        return (signal - self.inputs) // 2

    def is_affine(self, form: Form) -> bool:
        """Return whether a form is one in the inputs alone."""
        return all(signal < self.inputs for signal in form)

    def vector(self, form: Form) -> Vector:
        """Return a form in the inputs alone as weights of the free ones and a constant."""
        return [*(form.get(index, self.zero) for index in self.free), form.get(CONSTANT, self.zero)]

    def complete(self, point: Vector) -> Vector:
        """Return the point of the domain with these free inputs."""
        return self._domain.complete(point)

    def value(self, form: Form, values: Mapping[int, Any]) -> Any:
        """Return the value of a form, given those of its signals."""
        total: Any = form.get(CONSTANT, self.zero)
        for signal, factor in form.items():
            if signal != CONSTANT and values[signal]:
                total = total + factor * values[signal]
        return total

    def outputs_at(self, cell: Cell, point: Vector) -> Vector:
        """Return the value of the program at a point of the cell."""
        values = self._signals(cell, point)
        return [self.value(form, values) for form in cell.outputs]

    def _signals(self, cell: Cell, point: Vector) -> dict[int, Any]:
        values: dict[int, Any] = dict(zip(self.free, point, strict=True))
        for unit, form in cell.forms.items():
            value = self.value(form, values)
            values[self.signal(unit)] = value if value > 0 else self.zero
        return values

    # -- rewriting

    def rewrite(self, cell: Cell, *, relax: bool = True) -> list[Step]:
        """Shorten the program of a cell in place; the steps prove it.

        First what needs no linear program: most cells end with it. With ``relax``, signs of deep units are looked for
        by linear programs with variables for units.
        """
        steps: list[Step] = []
        self._pass(cell, steps, signs=False)
        if not cell.is_zero and cell.forms:
            intervals = self._pass(cell, steps, signs=True)
            if relax and self._relaxed(cell, steps, intervals):
                self._pass(cell, steps, signs=False)
        return steps

    def _relaxed(self, cell: Cell, steps: list[Step], intervals: Mapping[int, Interval]) -> bool:
        """Look for signs of deep units by linear programs with variables for units; return whether there are any."""
        deep = [unit for unit, form in cell.forms.items() if not self.is_affine(form)]
        if not deep or not Relaxation.is_small(self.free, cell.forms):
            return False
        seen = [self._signals(cell, point) for point in (*cell.points, *cell.probes)]
        relaxation: Relaxation | None = None
        for unit in deep:
            form = cell.forms[unit]
            for sign in (1, -1):
                if any(self.value(form, values) * sign < 0 for values in seen):
                    continue
                if relaxation is None:
                    relaxation = Relaxation(
                        self.field, self.free, self.inputs, cell.walls, forms=cell.forms, intervals=intervals
                    )
                side = {signal: value * sign for signal, value in form.items()}
                multipliers, point = relaxation.multipliers(side)
                if multipliers is not None:
                    steps.append(Step("sign", unit, sign, multipliers=multipliers))
                    cell.pending[self.signal(unit)] = form if sign > 0 else {}
                    break
                seen.append(self._signals(cell, point))
        return bool(cell.pending)

    def _pass(self, cell: Cell, steps: list[Step], signs: bool) -> Mapping[int, Interval]:
        pending, cell.pending = cell.pending, {}
        replaced: dict[int, Form] = {}
        forms: dict[int, Form] = {}
        buckets: dict[Any, list[int]] = {}
        intervals: dict[int, Interval] = {}
        for unit, form in cell.forms.items():
            signal = self.signal(unit)
            if signal in pending:
                replaced[signal] = substitute([pending[signal]], replaced)[0]
                continue
            form = substitute([form], replaced)[0] if replaced else form
            step, value = self._shared(unit, form, forms, buckets)
            if step is None and signs:
                step, value = self._signed(cell, unit, form, intervals)
            if step is None:
                forms[unit] = form
                buckets.setdefault(probe(form, self.field), []).append(unit)
            else:
                steps.append(step)
                replaced[signal] = value
        if replaced:
            cell.outputs = substitute(cell.outputs, replaced)
        cell.forms = self._below(cell.outputs, forms)
        return intervals

    def _shared(
        self, unit: int, form: Form, forms: Mapping[int, Form], buckets: Mapping[Any, list[int]]
    ) -> tuple[Step | None, Form]:
        """Return the step for a unit that is constant, or a multiple of an earlier one, and its value."""
        if form.keys() <= {CONSTANT}:
            value = form.get(CONSTANT, self.zero)
            return Step("constant", unit), {CONSTANT: value} if value > 0 else {}
        for other in buckets.get(probe(form, self.field), ()):
            factor = multiple(form, forms[other])
            if factor is not None:
                value = {self.signal(other): abs(factor)}
                return Step("multiple", unit, factor, other), value if factor > 0 else {**form, **value}
        return None, {}

    def _signed(self, cell: Cell, unit: int, form: Form, intervals: dict[int, Interval]) -> tuple[Step | None, Form]:
        """Return the step for a unit of one sign, and its value."""
        if self._bounded:
            low, high = bounds(form, self._box, intervals.__getitem__, self.zero)
            intervals[unit] = Interval(low, high)
            if low is not None and low >= 0:
                return Step("sign", unit, 1), form
            if high is not None and high <= 0:
                return Step("sign", unit, -1), {}
        if self.is_affine(form):
            row = self.vector(form)
            for sign in (1, -1):
                side = row if sign > 0 else [-value for value in row]
                multipliers = self.nonnegative(cell, side)
                if multipliers is not None:
                    return Step("sign", unit, sign, multipliers=multipliers), form if sign > 0 else {}
        return None, {}

    def nonnegative(self, cell: Cell, row: Vector) -> list[tuple[Fact, Any]] | None:
        """Return multipliers that prove a form in the inputs to be not negative on the cell, or None: it is."""
        if any(value_at(row, point) < 0 for point in cell.points):
            return None
        least = cell.dictionary.least(row, stop_below=self.zero)
        if least.value is not None:
            return [(("wall", index), factor) for index, factor in least.multipliers.items()]
        self._keep(cell, least.point)
        return None

    def _keep(self, cell: Cell, point: Vector) -> None:
        cell.points.append(point)
        cell.fresh.append(point)
        del cell.points[:-_MOST_POINTS]

    def _below(self, outputs: Iterable[Form], forms: Mapping[int, Form]) -> dict[int, Form]:
        """Return the units that outputs depend on, ascending, with their forms."""
        found: set[int] = set()
        stack = [signal for form in outputs for signal in form]
        while stack:
            signal = stack.pop()
            if signal >= self.inputs and (unit := self._unit(signal)) not in found:
                found.add(unit)
                stack.extend(forms[unit])
        return {unit: forms[unit] for unit in sorted(found)}

    # -- splitting

    def choice(self, cell: Cell) -> int:
        """Return the unit to split along: in the inputs alone, and with the most units that depend on it."""
        users: dict[int, int] = dict.fromkeys(cell.forms, 0)
        for form in cell.forms.values():
            for signal in form:
                if signal >= self.inputs:
                    users[self._unit(signal)] += 1
        return max((unit for unit, form in cell.forms.items() if self.is_affine(form)), key=lambda unit: users[unit])

    def split(self, cell: Cell, unit: int) -> tuple[Cell, Cell]:
        """Return the parts of a cell where the form of a unit is not negative, and not positive."""
        form = cell.forms[unit]
        row = self.vector(form)
        parts = []
        for sign in (1, -1):
            side = row if sign > 0 else [-value for value in row]
            dictionary = cell.dictionary.copy()
            failed = dictionary.add(side)
            assert failed is None, "a unit that is split takes both signs"
            points = [point for point in cell.points if value_at(side, point) >= 0]
            probes = [point for point in cell.probes if value_at(side, point) >= 0]
            pending = {self.signal(unit): form if sign > 0 else {}}
            parts.append(Cell(dictionary, cell.forms, cell.outputs, [*cell.walls, side], points, probes, pending))
        return parts[0], parts[1]

    # -- where the networks differ

    def witness(self, cell: Cell) -> Vector | None:
        """Return a point of the cell where the program is not 0; certain where no units are left and it is not."""
        fresh, cell.fresh = cell.fresh, []
        for point in fresh:
            if any(self.outputs_at(cell, point)):
                return point
        if cell.forms:
            return None
        for form in filter(None, cell.outputs):
            row = self.vector(form)
            for side in (row, [-value for value in row]):
                least = cell.dictionary.least(side, stop_below=self.zero)
                if value_at(side, least.point) < 0:
                    return least.point
        return None
