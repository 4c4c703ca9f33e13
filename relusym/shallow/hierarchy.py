"""How much symmetry a shallow parameter has: the hierarchy of the introduction of the paper *A Complete Symmetry
Classification of Shallow ReLU Networks*,

    Stab(θ) ≠ 1  ⇒  Stab(A, b) ≠ 1  ⇒  the fibre is not one free H_n-orbit.

Neither converse holds: output weights can tell neurons apart that share a row, and neurons can be flipped together
although no two of them are alike.
"""

from __future__ import annotations

from functools import cached_property

from relusym.limits import Limits, Progress
from relusym.parameters.network import Network
from relusym.shallow.fibre import Fibre, fibre
from relusym.shallow.stabilizer import Stabilizer, stabilizer

LEVELS = ("parameter", "first layer", "fibre", "none")


class Hierarchy:
    """Where a parameter stands in the hierarchy; made by :func:`hierarchy`.

    Attributes
    ----------
    parameter : Stabilizer
        Stab(θ).
    first_layer : Stabilizer
        Stab(A, b); it contains Stab(θ).
    fibre : Fibre
        All parameters with the same function.
    """

    def __init__(self, f: Network, limits: Limits | None, progress: Progress | None) -> None:
        self.parameter: Stabilizer = stabilizer(f)
        self.first_layer: Stabilizer = stabilizer(f, first_layer=True)
        self.fibre: Fibre = fibre(f, limits=limits, progress=progress)

    @cached_property
    def is_free_orbit(self) -> bool | None:
        """Whether the fibre is one free H_n-orbit; None where limits left it undecided.

        With a nontrivial Stab(A, b) it never is, so the fibre is looked at only without.
        """
        return self.fibre.is_single_orbit if self.first_layer.is_trivial else False

    @property
    def level(self) -> str | None:
        """The strongest of the three that holds.

        "parameter" (Stab(θ) ≠ 1), "first layer" (Stab(A, b) ≠ 1), "fibre" (a hidden symmetry: the fibre is not one free
        orbit), or "none"; None where limits left it undecided.
        """
        if not self.parameter.is_trivial:
            return "parameter"
        if not self.first_layer.is_trivial:
            return "first layer"
        return {True: "none", False: "fibre", None: None}[self.is_free_orbit]

    def explain(self) -> str:
        """Return the three statements as text, a line each, with the reason where the last one is decided by itself."""
        free = {True: "one free H_n-orbit", False: "not one free H_n-orbit", None: "undecided"}[self.is_free_orbit]
        reason = f": {self.fibre.single_orbit.reason}" if self.first_layer.is_trivial else ", since Stab(A, b) ≠ 1"
        return "\n".join(
            [
                f"Stab(θ) = {self.parameter.isomorphism_type}",
                f"Stab(A, b) = {self.first_layer.isomorphism_type}",
                f"the fibre is {free}{reason}",
            ]
        )

    def __repr__(self) -> str:
        return f"Hierarchy({self.level})"


def hierarchy(f: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Hierarchy:
    """Return where the parameter of ``f`` stands in the hierarchy Stab(θ) ≠ 1 ⇒ Stab(A, b) ≠ 1 ⇒ no free orbit.

    Parameters
    ----------
    f
        A network with one hidden layer, any number of outputs.
    limits, progress
        For the question about the fibre.

    Raises
    ------
    ShapeError
        Unless ``f`` has one hidden layer.

    Examples
    --------
    >>> from relusym import load
    >>> print(hierarchy(load("example:theta1")).explain())
    Stab(θ) = 1
    Stab(A, b) = 1
    the fibre is not one free H_n-orbit: flipping the neurons (0, 1, 2) gives another orbit
    >>> hierarchy(load("example:triple")).level, hierarchy(load("example:cancelling")).level
    ('parameter', 'first layer')
    """
    return Hierarchy(f, limits, progress)
