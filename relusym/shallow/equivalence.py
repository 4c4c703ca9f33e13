"""The equivalences ≡ and ≡_k by the letter of the paper's Theorems 3 and 4.

This route shares nothing with the ridge form: each output is projected, the difference θ1 ⊖ θ2 is reduced by the
moves of Definition 3 one pair of neurons at a time, and what is left must be pairs (+1; a, b), (−1; −a, −b) with
Σ a = 0 and Σ b + C = 0. Quadratic in the width; it is there to be compared with :func:`relusym.equal`.
"""

from __future__ import annotations

from typing import Any

from relusym.exact.matrix import column_of, rows_of
from relusym.parameters.network import Network
from relusym.shallow.dependence import ratio
from relusym.shallow.operations import ominus, project


def equivalent(f: Network, g: Network) -> bool:
    """Return whether f ≡_k g, that is π_i(f) ≡ π_i(g) for every output i (Theorem 4).

    Raises
    ------
    ShapeError
        Unless both networks have one hidden layer and the same inputs and outputs.

    Examples
    --------
    >>> from relusym import equivalent, load
    >>> equivalent(load("example:theta1"), load("example:theta2"))
    True
    """
    difference = ominus(f, g)
    return all(_realises_zero(project(difference, i)) for i in range(difference.widths[-1]))


def _realises_zero(difference: Network) -> bool:
    """Return whether a difference θ1 ⊖ θ2 is of the shape that Theorem 3 asks for."""
    neurons, constant = _reduced(difference)
    positive = [row for sign, row in neurons if sign > 0]
    negative = [row for sign, row in neurons if sign < 0]
    for row in positive:
        opposite = [-value for value in row]
        if opposite not in negative:
            return False
        negative.remove(opposite)
    if negative:
        return False
    sums = [constant * 0] * (difference.widths[0] + 1)
    for row in positive:
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    return not any(sums[:-1]) and sums[-1] + constant == 0


def _reduced(theta: Network) -> tuple[list[tuple[int, list[Any]]], Any]:
    """Return the neurons (u, (a, b)) and the constant of the 0-factor reduction, by the moves themselves."""
    (hidden, biases), (output, end) = theta.layers
    constant: Any = end.entry(0, 0)
    living: list[list[Any]] = []
    for weight, row, bias in zip(output.row(0), rows_of(hidden), column_of(biases), strict=True):
        if not any(row):  # move (3)
            constant = constant + weight * bias if bias > 0 else constant
        elif weight != 0:  # move (1)
            living.append([weight, [*row, bias]])
    merged: list[list[Any]] = []
    for weight, row in living:  # move (2), after the action of H_n has made the two rows equal
        for known in merged:
            factor = ratio(known[1], row)
            if factor is not None and factor > 0:
                known[0] = known[0] + factor * weight
                break
        else:
            merged.append([weight, row])
    neurons = []
    for weight, row in merged:
        if weight != 0:  # move (1) again
            neurons.append((1 if weight > 0 else -1, [abs(weight) * value for value in row]))
    return neurons, constant
