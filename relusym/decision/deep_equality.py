"""Equality of networks of any depth by their normal forms.

Both networks are numbered with one table of units (:mod:`relusym.decision.normal_form`). Where the outputs are the same
forms in units, the functions are equal, and the roles of the neurons prove it. Where they are not, the difference is
searched for a point that separates; in between it stays open, as forms that differ can still be equal functions.
"""

from __future__ import annotations

from typing import Any

from relusym.decision.complete import table_on
from relusym.decision.normal_form.difference import Difference
from relusym.decision.normal_form.numbering import Numbered, Role, number
from relusym.decision.normal_form.units import Unit, UnitTable
from relusym.exact.polyhedral_domain import Domain
from relusym.exact.tower import Tower
from relusym.limits import Budget
from relusym.parameters.network import Network
from relusym.shallow.masses import Vector


class NormalForms:
    """Two networks in normal form with the units that they share; see :func:`normal_forms`.

    Attributes
    ----------
    table
        The units.
    sides
        Both networks in normal form.
    difference
        f − g in normal form.
    """

    def __init__(self, table: UnitTable, sides: tuple[Numbered, Numbered]) -> None:
        self.table = table
        self.sides = sides
        self.difference = Difference(table, sides[0].outputs, sides[1].outputs)

    @property
    def equal(self) -> bool:
        """Whether the normal forms agree, which proves that the functions do."""
        return self.difference.is_zero

    def witness(self, samples: int, budget: Budget) -> Vector | None:
        """Return a point where the functions differ, or None where the search finds none."""
        return self.difference.witness(samples, budget)

    def proof(self) -> dict[str, Any]:
        """Return the data of a "rewrites" certificate: the base and sign of every unit, the role of every neuron."""
        return {
            "units": list(map(self._unit, self.table.units)),
            "rewrites": [[list(map(self._role, layer)) for layer in s.roles] for s in self.sides],
        }

    def _unit(self, unit: Unit) -> dict[str, Any]:
        entry: dict[str, Any] = {"base": list(unit.base), "sign": unit.sign}
        if unit.multipliers:
            text = self.table.field.text
            entry["multipliers"] = [[item.word, item.number, text(item.factor)] for item in unit.multipliers]
        return entry

    def _role(self, role: Role) -> list[Any]:
        return ["unit", role.unit, self.table.field.text(role.factor)] if role.word == "unit" else [role.word]

    def parting(self) -> str:
        """Say where the normal forms part: the first layer with a neuron of g that f has not, and what is left."""
        known = {role.unit for layer in self.sides[0].roles for role in layer}
        for depth, layer in enumerate(self.sides[1].roles):
            new = [index for index, role in enumerate(layer) if role.word == "unit" and role.unit not in known]
            if new:
                where = f"layer {depth} of g is the first with a neuron (number {new[0]}) that is none of f's units"
                break
        else:
            where = "every neuron of g is one of f's units"
        left = len(self.difference.units)
        return f"{where}; the difference depends on {left} unit{'s' if left != 1 else ''} that do not cancel"


def normal_forms(
    f: Network, g: Network, tower: Tower, domain: Domain, budget: Budget, *, sharpen: bool = False
) -> NormalForms:
    """Return two networks in normal form, with common units.

    Parameters
    ----------
    f, g
        Networks with the same numbers of inputs and outputs; depths and widths may differ.
    tower
        Holds the fields of both.
    domain
        The domain: what is active or inactive on a box is rewritten; of a polyhedron the affine hull is used.
    sharpen
        Whether linear programs help to find what is (:mod:`relusym.decision.normal_form.sharpening`).

    Examples
    --------
    >>> from relusym.exact.box import whole_space
    >>> from relusym.exact.tower import common_tower
    >>> f = Network([([[1]], [0]), ([[2]], [1])])
    >>> g = Network([([[3]], [0]), ([["1/3"]], [0]), ([[2]], [1])])
    >>> normal_forms(f, g, common_tower([f.field, g.field]), whole_space(1), Budget()).equal
    True
    """
    table = table_on(domain, tower.field, sharpen=sharpen)
    first, second = (number(net, k, table, tower.embedding(net.field), budget) for k, net in enumerate((f, g)))
    return NormalForms(table, (first, second))
