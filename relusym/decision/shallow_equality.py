"""Equality of shallow (and affine) functions by their ridge forms: complete, and linear in the parameters.

Both networks are turned into masses on hyperplanes over one field. The functions agree on the box exactly when on
every hyperplane the jumps P + N agree and the affine parts agree; for those only the hyperplanes whose negative
masses differ count. Large float networks take :mod:`relusym.decision.float_equality`, the same on whole arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from relusym.decision.float_equality import compare_floats
from relusym.decision.witness import RowForms, affine_points, ridge_points
from relusym.exact.box import Box, whole_space
from relusym.exact.tower import Tower
from relusym.limits import Budget
from relusym.parameters.network import Network
from relusym.shallow.masses import Masses, Vector, masses, outer_sum, subtract


class Comparison(Protocol):
    """How two shallow functions compare on a box."""

    @property
    def equal(self) -> bool:
        """Whether the two functions are equal on the box."""
        ...

    @property
    def ridge(self) -> Vector | None:
        """A row across whose hyperplane the gradient jumps differ, if there is one."""
        ...

    def points(self, box: Box) -> Iterator[Vector]:
        """Yield points of the box of which at least one separates the two functions, where they are not equal."""
        ...

    def proof(self) -> dict[str, Any]:
        """Return the data of a "ridges" certificate: a role for every neuron, and a base neuron for every ridge."""
        ...


class MassComparison(NamedTuple):
    """The masses of both networks, and how the two functions differ: at a ridge, in the affine part, or not at all."""

    sides: tuple[Masses, Masses]
    differing: list[Vector]
    affine: bool

    @property
    def equal(self) -> bool:
        """Whether the two functions are equal on the box."""
        return not self.differing and not self.affine

    @property
    def ridge(self) -> Vector | None:
        """A row across whose hyperplane the gradient jumps differ, if there is one."""
        return self.differing[0] if self.differing else None

    def points(self, box: Box) -> Iterator[Vector]:
        """Yield points of the box of which at least one separates the two functions, where they are not equal."""
        field = self.sides[0].field
        if self.differing:
            candidates = ridge_points(field, box, self.differing[0], RowForms(self.differing[1:]))
        else:
            candidates = affine_points(field, box)
        return (box.complete(point) for point in candidates)

    def proof(self) -> dict[str, Any]:
        """Return the data of a "ridges" certificate: a role for every neuron, and a base neuron for every ridge."""
        text = self.sides[0].field.text
        bases: dict[Any, tuple[int, int, Any]] = {}
        for which, side in enumerate(self.sides):
            for name, plane in side.planes.items():
                bases.setdefault(name, (which, *plane.neurons[0]))
        number = {name: index for index, name in enumerate(bases)}
        neurons = []
        for side in self.sides:
            roles: dict[int, list[Any]] = {}
            for role, members in (
                ("dead", side.dead),
                ("constant", side.constant_neurons),
                ("active", side.active),
                ("inactive", side.inactive),
            ):
                roles.update((index, [role]) for index in members)
            for name, plane in side.planes.items():
                lead = bases[name][2]
                for index, factor in plane.neurons:
                    roles[index] = ["ridge", number[name], text(factor / lead)]
            neurons.append([roles[index] for index in sorted(roles)])
        return {"ridges": [{"base": [which, index]} for which, index, _ in bases.values()], "neurons": neurons}


def compare(f: Network, g: Network, tower: Tower, box: Box, budget: Budget) -> Comparison:
    """Compare two networks of depth at most 1 on a box."""
    if box == whole_space(f.widths[0]):
        quick = compare_floats(f, g, budget)
        if quick is not None:
            return quick
    return compare_masses(f, g, tower, box, budget)


def compare_masses(f: Network, g: Network, tower: Tower, box: Box, budget: Budget) -> MassComparison:
    """Compare two networks of depth at most 1 on a box by their masses, over any field."""
    sides = (
        masses(f, tower.embedding(f.field), box, budget),
        masses(g, tower.embedding(g.field), box, budget),
    )
    left, right = (side.planes for side in sides)
    zero = tower.field.rational(0)
    nothing = [zero] * sides[0].outputs
    differing, flips = [], []
    for name in {**left, **right}:
        budget.tick()
        p, q = left.get(name), right.get(name)
        jump = subtract(p.jump if p else nothing, q.jump if q else nothing)
        plane = left[name] if p else right[name]
        if any(jump):
            differing.append(plane.row)
        flip = subtract(q.negative if q else nothing, p.negative if p else nothing)
        if any(flip):
            flips.append((flip, plane.row))
    if differing:
        return MassComparison(sides, differing, False)
    pairs = [*sides[0].affine, *(([-v for v in c], row) for c, row in sides[1].affine), *flips]
    affine = outer_sum(pairs, zero, sides[0].outputs, len(box.free) + 1)
    constants = subtract(sides[0].constant, sides[1].constant)
    differs = any(any(line[:-1]) or line[-1] + c != 0 for line, c in zip(affine, constants, strict=True))
    return MassComparison(sides, [], differs)
