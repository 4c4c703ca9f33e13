"""Flips: σ(−h) = σ(h) − h turns neurons round, and keeps the function where what they leave behind vanishes.

flip_F replaces (a_i, b_i) by its negative for i ∈ F and adds Σ_F M_i b_i to c. The function stays the same exactly
where Σ_F M_i ⊗ a_i = 0, a vanishing subset sum of k × m matrices (:mod:`relusym.exact.subset_sums`): membership in
the variety V^a(β) of the paper for the indicator β of F.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from flint import fmpq, fmpz_mat

from relusym.errors import ShapeError
from relusym.exact.field import Field
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.exact.number_field import NumberField
from relusym.exact.subset_sums import clear_denominators
from relusym.parameters.network import Layer, Network
from relusym.shallow.masses import Vector, add, require_shallow, scaled


def flip(f: Network, neurons: Collection[int]) -> Network:
    """Return flip_F(θ) for the set F of neurons.

    Raises
    ------
    ShapeError
        Where the network has not one hidden layer, or no such neurons.

    Examples
    --------
    >>> from relusym import load
    >>> flip(load("example:theta1"), {0, 1, 2}) == load("example:theta2")
    True
    """
    require_one_hidden(f, "a flip")
    if not set(neurons) <= set(range(f.widths[1])):
        raise ShapeError(f"a flip takes neurons from 0 to {f.widths[1] - 1}; got {sorted(neurons)}")
    hidden, output = f.layers
    rows, biases, constant = list(rows_of(hidden.weight)), column_of(hidden.bias), column_of(output.bias)
    columns = output_columns(f)
    for index in neurons:
        constant = add(constant, scaled(columns[index], biases[index]))
        rows[index] = [-value for value in rows[index]]
        biases[index] = -biases[index]
    first = Layer(make_matrix(f.field, rows, f.widths[0]), make_matrix(f.field, [[value] for value in biases], 1))
    return Network.from_layers([first, Layer(output.weight, make_matrix(f.field, [[v] for v in constant], 1))], f.field)


def require_one_hidden(f: Network, what: str) -> None:
    """Raise :class:`ShapeError` unless the network has exactly one hidden layer."""
    require_shallow(f, what)
    if f.depth == 0:
        raise ShapeError(f"{what} takes a network with one hidden layer; this one has none")


def output_columns(f: Network) -> list[Vector]:
    """Return the output weights M_i of a network with one hidden layer, one vector of length k for each neuron."""
    columns: list[Vector] = [[] for _ in range(f.widths[1])]
    for row in rows_of(f.layers[1].weight):
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return columns


def outer_products(field: Field, columns: Sequence[Vector], directions: Sequence[Vector]) -> fmpz_mat:
    """Return the integer matrix of the M_i ⊗ a_i, one row each, expanded over Q, each column cleared of denominators.

    A row has d·k·m entries, d the degree of the field: the rational parts of all entries come first, then their
    multiples of the first power of the generator that numbers are written in, and so on.
    """
    rows = [
        expanded(field, [weight * entry for weight in column for entry in direction])
        for column, direction in zip(columns, directions, strict=True)
    ]
    return clear_denominators(rows) if rows else fmpz_mat(0, 0)


def expanded(field: Field, vector: Vector) -> list[fmpq]:
    """Return a vector of K^c as one of Q^(d·c), coordinate by coordinate: see :func:`outer_products`.

    Certificates name columns of this expansion, so it is by the powers of the generator that they write.
    """
    if not isinstance(field, NumberField):
        return vector
    coordinates = list(map(field.coordinates, vector))
    if field.degree == 2:  # numbers are written in √d = p + q·α there
        offset, factor = field.coordinates(field.written_generator)
        coordinates = [[low - high * offset / factor, high / factor] for low, high in coordinates]
    return [coordinate for power in zip(*coordinates, strict=True) for coordinate in power]
