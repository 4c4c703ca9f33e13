"""Which symmetry carries one shallow network to another: neuron by neuron, up to positive scales, permutations and
flips.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from relusym.errors import ShapeError, Undecided
from relusym.exact.matrix import column_of, rows_of
from relusym.exact.tower import Tower, common_tower
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network
from relusym.parameters.symmetry import Symmetry
from relusym.shallow.flips import output_columns, require_one_hidden
from relusym.shallow.masses import RowKey, Vector, add, outer_sum, scaled

_Neuron = tuple[int, Any]
_Sides = dict[int, list[_Neuron]]


def symmetry_between(
    f: Network, g: Network, *, limits: Limits | None = None, progress: Progress | None = None
) -> tuple[Symmetry, tuple[int, ...]] | None:
    """Return the symmetry h and the flips F with g = h @ flip_F(f), or None where there is none.

    F satisfies Σ_F M_i ⊗ a_i = 0, so that the two networks are equal functions. Where neurons can be matched in
    several ways (equal neurons, zero neurons), one of them is returned, with as few flips as possible.

    Parameters
    ----------
    f, g
        Networks with one hidden layer and the same inputs and outputs.

    Raises
    ------
    ShapeError
        Where the networks are of another shape.
    Undecided
        Where limits end the search.

    Examples
    --------
    >>> from relusym import load, symmetry_between
    >>> symmetry_between(load("example:theta1"), load("example:theta2"))
    (Symmetry([0, 1, 2], [1, 1, 1]), (0, 1, 2))
    >>> symmetry_between(load("example:theta1"), load("example:triple")) is None
    Traceback (most recent call last):
        ...
    relusym.errors.ShapeError: the networks have widths 2-3-1 and 1-3-1; the same inputs and outputs are due
    """
    for network in (f, g):
        require_one_hidden(network, "a symmetry between networks")
    if (f.widths[0], f.widths[-1]) != (g.widths[0], g.widths[-1]):
        shown = " and ".join("-".join(map(str, network.widths)) for network in (f, g))
        raise ShapeError(f"the networks have widths {shown}; the same inputs and outputs are due")
    if f.widths != g.widths:
        return None
    budget = Budget(limits, progress)
    tower = common_tower([f.field, g.field], budget.limits.field_degree)
    try:
        matched = _match(_sorted_neurons(f, tower, budget), _sorted_neurons(g, tower, budget))
    except LimitReached as limit:
        raise Undecided(f"{limit} before the neurons were matched") from None
    if matched is None:
        return None
    permutation, scales, flips = matched
    if not _flips_vanish(f, g, flips, tower):
        return None
    return Symmetry.from_elements(permutation, scales), flips


def _sorted_neurons(network: Network, tower: Tower, budget: Budget) -> dict[RowKey, _Sides]:
    """Return the neurons by what scaling and flipping leave of them, then by side, each with its size."""
    embed, field = tower.embedding(network.field), tower.field
    hidden = network.layers[0]
    found: dict[RowKey, _Sides] = defaultdict(lambda: {1: [], -1: []})
    neurons = zip(rows_of(hidden.weight), column_of(hidden.bias), output_columns(network), strict=True)
    for index, (weights, bias, column) in enumerate(neurons):
        budget.report("neurons", index, network.widths[1])
        row, outer = [embed(value) for value in (*weights, bias)], [embed(value) for value in column]
        lead = next((value for value in row if value != 0), None)
        if lead is not None:
            side, size = (1 if lead > 0 else -1), abs(lead)
            invariant = [value / lead for value in row] + scaled(outer, size)
        else:
            pivot = next((value for value in outer if value != 0), None)
            side, size = 1, field.rational(1) if pivot is None else 1 / abs(pivot)
            invariant = row + scaled(outer, size)
        found[RowKey(field, invariant)][side].append((index, size))
    return found


def _match(
    left: dict[RowKey, _Sides], right: dict[RowKey, _Sides]
) -> tuple[list[int], list[Any], tuple[int, ...]] | None:
    """Return the permutation, the scales and the flips; None where the neurons of the two do not correspond."""
    pairs: dict[int, tuple[int, Any]] = {}
    flips = []
    for name in {**left, **right}:
        here, there = (side.get(name, {1: [], -1: []}) for side in (left, right))
        if sum(map(len, here.values())) != sum(map(len, there.values())):
            return None
        rest: tuple[list[_Neuron], list[_Neuron]] = ([], [])
        for side in (1, -1):
            common = min(len(here[side]), len(there[side]))
            for (old, size), (new, other) in zip(here[side], there[side], strict=False):
                pairs[new] = old, other / size
            rest[0].extend(here[side][common:])
            rest[1].extend(there[side][common:])
        for (old, size), (new, other) in zip(*rest, strict=True):
            pairs[new] = old, other / size
            flips.append(old)
    order = [pairs[new] for new in range(len(pairs))]
    return [old for old, _ in order], [scale for _, scale in order], tuple(sorted(flips))


def _flips_vanish(f: Network, g: Network, flips: tuple[int, ...], tower: Tower) -> bool:
    """Return whether Σ_F M_i ⊗ a_i = 0 and c grows by Σ_F M_i b_i from f to g."""
    lift, onto = tower.embedding(f.field), tower.embedding(g.field)
    columns = output_columns(f)
    weight, bias = f.layers[0]
    pairs: list[tuple[Vector, Vector]] = [
        ([lift(v) for v in columns[i]], [lift(v) for v in (*weight.row(i), bias.entry(i, 0))]) for i in flips
    ]
    left = outer_sum(pairs, tower.field.rational(0), f.widths[-1], f.widths[0] + 1)
    if any(any(line[:-1]) for line in left):
        return False
    before = [lift(value) for value in column_of(f.layers[1].bias)]
    return add(before, [line[-1] for line in left]) == [onto(value) for value in column_of(g.layers[1].bias)]
