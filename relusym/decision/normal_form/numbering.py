"""A network in normal form: the unit of every neuron, and the outputs as forms in units.

Layer after layer, forwards: the rows become forms in signals, the units of their normal forms are looked up, and each
neuron is replaced by its value for the next layer. Neurons that no output depends on are left out first, backwards
from the output. With n neurons a layer this costs as much as evaluating the network n times, where no linear parts
have to be carried; else one matrix product a layer more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from relusym.decision.normal_form.forms import CONSTANT, Form, substitute
from relusym.decision.normal_form.units import Neuron, UnitTable
from relusym.exact.matrix import FloatMatrix, Matrix
from relusym.exact.tower import Embedding
from relusym.limits import Budget
from relusym.parameters.network import Layer, Network

_ROWS = 32  # at a time: as many as make a matrix product worth its while, and few to hold twice


class Role(NamedTuple):
    """What a neuron is: "unused", "constant" (``factor`` is its value), or "unit" k with the t in its form t·h_k."""

    word: str
    unit: int = -1
    factor: Any = None


@dataclass
class Numbered:
    """A network in normal form.

    Attributes
    ----------
    roles
        The role of every neuron of every hidden layer.
    outputs
        Normal forms of the outputs.
    """

    roles: list[list[Role]]
    outputs: list[Form]


def used_neurons(network: Network) -> list[list[bool]]:
    """Return, for every hidden layer, which neurons some output depends on, as far as zeros in weights tell.

    Examples
    --------
    >>> used_neurons(Network([([[1], [2]], [0, 0]), ([[1, 0]], [0])]))
    [[True, False]]
    """
    used = [[True] * network.widths[-1]]
    for layer in reversed(network.layers[1:]):
        used.append(_used_columns(layer.weight, used[-1]))
    return used[:0:-1]


def _used_columns(weight: Matrix, rows: list[bool]) -> list[bool]:
    if isinstance(weight, FloatMatrix):
        columns: list[bool] = (weight.array[rows] != 0).any(axis=0).tolist()
        return columns
    found = [False] * weight.ncols
    for index, kept in enumerate(rows):
        if kept:
            found = [known or bool(value) for known, value in zip(found, weight.row(index), strict=True)]
    return found


def row_forms(layer: Layer, embedding: Embedding, places: Iterable[int] | None = None) -> list[Form]:
    """Return the rows of a layer, or some of them, as forms in the places of the layer before."""
    forms = []
    for place in range(layer.weight.nrows) if places is None else places:
        form = {index: embedding(value) for index, value in enumerate(layer.weight.row(place)) if value}
        bias = layer.bias.entry(place, 0)
        if bias:
            form[CONSTANT] = embedding(bias)
        forms.append(form)
    return forms


def number(network: Network, which: int, table: UnitTable, embedding: Embedding, budget: Budget) -> Numbered:
    """Bring a network to normal form, with the units of ``table``, to which new ones are added.

    Parameters
    ----------
    network, which
        The network, and its number among those of the table.
    table
        The units so far.
    embedding
        The map into the field of the table.

    Examples
    --------
    >>> from relusym.exact.box import whole_space
    >>> from relusym.exact.tower import common_tower
    >>> f = Network([([[1], [-2]], [0, 0]), ([[1, "-1/2"]], [0])])  # σ(x) − σ(−x)
    >>> tower = common_tower([f.field])
    >>> found = number(f, 0, UnitTable(tower.field, whole_space(1)), tower.embedding(f.field), Budget())
    >>> found.roles, found.outputs
    ([[Role(word='unit', unit=0, factor=1), Role(word='unit', unit=0, factor=-2)]], [{0: 1}])
    """
    values = table.start()
    used = [*used_neurons(network), [True] * network.widths[-1]]
    roles = []
    for depth, layer in enumerate(network.layers[:-1]):
        budget.report("layers", depth, network.depth)
        places = [index for index, kept in enumerate(used[depth]) if kept]
        found = [Role("unused")] * layer.weight.nrows
        before, values = values, {}
        for start in range(0, len(places), _ROWS):
            some = places[start : start + _ROWS]
            forms = substitute(row_forms(layer, embedding, some), before)
            for place, form, normal in zip(some, forms, table.normal(forms), strict=True):
                budget.tick()
                found[place], values[place] = value_of(form, normal, Neuron(which, depth, place), table)
        roles.append(found)
    outputs = substitute(row_forms(network.layers[-1], embedding), values)
    return Numbered(roles, table.normal(outputs))


def value_of(form: Form, normal: Form, neuron: Neuron, table: UnitTable) -> tuple[Role, Form]:
    """Return the role of a neuron with this form, and its value σ(form)."""
    if normal.keys() <= {CONSTANT}:
        value = max(table.zero, normal.get(CONSTANT, table.zero))
        return Role("constant", factor=value), {CONSTANT: value} if value else {}
    unit, factor = table.locate(form, normal, neuron)
    role = Role("unit", unit, factor)
    upward = factor > 0
    sign = table.units[unit].sign
    if sign == 0:
        return role, {table.signal(unit, upward): factor if upward else -factor}
    return role, form if (sign > 0) == upward else {}
