"""A network as the ridges of its function: the data on which its realisations are sought."""

from __future__ import annotations

from typing import NamedTuple

from relusym.parameters.network import Network
from relusym.shallow.masses import Hyperplane, Masses, Vector, masses, outer_sum
from relusym.shallow.realisations import Ridges


class FunctionRidges(NamedTuple):
    """The ridges of a function, with the masses that a network puts on its hyperplanes.

    Attributes
    ----------
    ridges
        W_q, a_q and Λ, in units of rows with leading coefficient 1.
    planes
        The hyperplanes with W_q ≠ 0, in the order of ``ridges``.
    constant
        γ of the ridge form.
    masses
        All masses of the network.
    """

    ridges: Ridges
    planes: list[Hyperplane]
    constant: Vector
    masses: Masses

    @property
    def negative_sides(self) -> tuple[int, ...] | None:
        """The ridges on their negative sides, where the network has one neuron's worth on each ridge and no others."""
        for plane in self.masses.planes.values():
            jump = any(plane.jump)
            if any(plane.negative) and (not jump or any(plane.positive)):
                return None
        return tuple(index for index, plane in enumerate(self.planes) if any(plane.negative))

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The ridges on which the network has neurons on both sides, and those that it has on the negative one only."""
        below = [(index, any(plane.positive)) for index, plane in enumerate(self.planes) if any(plane.negative)]
        return tuple(index for index, both in below if both), tuple(index for index, both in below if not both)


def function_ridges(f: Network) -> FunctionRidges:
    """Return the ridges of the function of a network with at most one hidden layer."""
    parts = masses(f)
    affine = outer_sum(parts.affine_pairs(), parts.field.rational(0), parts.outputs, parts.free + 1)
    planes = [plane for plane in parts.planes.values() if any(plane.jump)]
    ridges = Ridges(
        weights=[plane.jump for plane in planes],
        directions=[plane.row[:-1] for plane in planes],
        linear=[line[:-1] for line in affine],
        coordinates=parts.field.coordinates,
    )
    constant = [line[-1] + value for line, value in zip(affine, parts.constant, strict=True)]
    return FunctionRidges(ridges, planes, constant, parts)
