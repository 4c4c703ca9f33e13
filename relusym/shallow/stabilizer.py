"""Stabilizers in H_n of a parameter θ and of its first layer (A, b) (the paper's Proposition 2 and Lemma 8, corrected).

A symmetry h fixes θ exactly when it permutes neurons inside classes: i ~ j when (a_j, b_j) = λ (a_i, b_i) and M_i = λ
M_j for some λ > 0 (the action scales the output weight by λ⁻¹, so λ stands on the other side there). On the neurons
with (M_i, a_i, b_i) ≠ 0 this is an equivalence with unique λ; a class of ν neurons gives S_ν, with C(ν, 2)
transpositions of which ν − 1 generate. The n' neurons with (M_i, a_i, b_i) = 0 may be permuted and scaled at will and
give H_{n'}.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

from relusym.errors import ShapeError, Undecided
from relusym.exact.field import Field
from relusym.exact.matrix import column_of, rows_of
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network
from relusym.parameters.symmetry import Symmetry
from relusym.shallow.masses import RowKey, Vector, require_shallow, scaled


class Stabilizer:
    """The stabilizer of a parameter, or of its first layer; made by :func:`stabilizer`.

    Attributes
    ----------
    zero_neurons : tuple of int
        The neurons that may be permuted and scaled freely.
    classes : tuple of tuples of int
        The classes of neurons that may be permuted with one another, each with its scales.
    """

    def __init__(
        self, size: int, field: Field, zero_neurons: Sequence[int], classes: Sequence[Sequence[tuple[int, Any]]]
    ) -> None:
        self._size = size
        self._field = field
        self._classes = classes
        self.zero_neurons = tuple(zero_neurons)

    @property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The classes of at least two neurons that may be permuted with one another."""
        return tuple(tuple(index for index, _ in members) for members in self._classes)

    @property
    def pairs(self) -> tuple[tuple[int, int, Any], ...]:
        """All (i, j, λ), i < j, with a_j = λ a_i, b_j = λ b_i and, for the whole parameter, M_i = λ M_j."""
        convert = self._field.sympy
        found = [(i, j, convert(y / x)) for members in self._classes for (i, x), (j, y) in combinations(members, 2)]
        return tuple(sorted(found, key=lambda pair: pair[:2]))

    @property
    def generators(self) -> tuple[Symmetry, ...]:
        """Transpositions that generate the finite part and permute the zero neurons; each zero neuron scaled by 2.

        The scalings stand for the whole of R_{>0}, which no finite set generates.
        """
        one = self._field.rational(1)
        swaps = [(i, j, y / x) for members in self._classes for (i, x), (j, y) in pairwise(members)]
        swaps += [(i, j, one) for i, j in pairwise(self.zero_neurons)]
        scalings = [self._identity_but({i: (i, one * 2)}) for i in self.zero_neurons]
        return tuple([self._identity_but({i: (j, 1 / factor), j: (i, factor)}) for i, j, factor in swaps] + scalings)

    def _identity_but(self, changes: dict[int, tuple[int, Any]]) -> Symmetry:
        one = self._field.rational(1)
        entries = [changes.get(index, (index, one)) for index in range(self._size)]
        return Symmetry.from_elements([old for old, _ in entries], [factor for _, factor in entries])

    @property
    def order(self) -> Any:
        """The number of elements: an integer, or SymPy's ``oo`` where there are zero neurons."""
        from sympy import Integer, oo

        if self.zero_neurons:
            return oo
        return Integer(math.prod(math.factorial(len(members)) for members in self._classes))

    @property
    def isomorphism_type(self) -> str:
        """The group as a product, for example "S_3 x S_2 x H_1"; "1" for the trivial one."""
        sizes = sorted((len(members) for members in self._classes), reverse=True)
        factors = [f"S_{size}" for size in sizes]
        if self.zero_neurons:
            factors.append(f"H_{len(self.zero_neurons)}")
        return " x ".join(factors) or "1"

    @property
    def is_trivial(self) -> bool:
        """Whether only the identity is in it."""
        return not self._classes and not self.zero_neurons

    def __repr__(self) -> str:
        return f"Stabilizer({self.isomorphism_type}, order {self.order})"


def stabilizer(
    f: Network, *, first_layer: bool = False, limits: Limits | None = None, progress: Progress | None = None
) -> Stabilizer:
    """Return the stabilizer in H_n of the parameter of ``f``, or with ``first_layer`` of (A, b).

    Parameters
    ----------
    f
        A network with one hidden layer, any number of outputs.
    limits, progress
        See :class:`relusym.Limits`.

    Raises
    ------
    ShapeError
        Unless the network has one hidden layer.
    Undecided
        Where ``limits`` end the work.

    Examples
    --------
    >>> from relusym import load, stabilizer
    >>> s = stabilizer(load("example:triple"))
    >>> s.isomorphism_type, s.order, s.pairs
    ('S_3', 6, ((0, 1, 1), (0, 2, 1), (1, 2, 1)))
    >>> stabilizer(load("example:swapped")).generators
    (Symmetry([1, 0], [2, 1/2]),)
    """
    require_shallow(f, "the stabilizer")
    if f.depth == 0:
        raise ShapeError("the stabilizer takes a network with one hidden layer; this one has none")
    budget = Budget(limits, progress)
    try:
        return _stabilizer(f, first_layer, budget)
    except LimitReached as limit:
        raise Undecided(f"the stabilizer is not known: {limit}") from None


def _stabilizer(f: Network, first_layer: bool, budget: Budget) -> Stabilizer:
    hidden, output = f.layers
    columns = list(zip(*rows_of(output.weight), strict=True))
    zero_neurons = []
    classes: dict[RowKey, list[tuple[int, Any]]] = defaultdict(list)
    rows = zip(rows_of(hidden.weight), column_of(hidden.bias), strict=True)
    for index, (weights, bias) in enumerate(rows):
        budget.report("neurons", index, f.widths[1])
        column = [] if first_layer else list(columns[index])
        invariant, size = _ray([*weights, bias], column)
        if size is None:
            zero_neurons.append(index)
        else:
            classes[RowKey(f.field, invariant)].append((index, size))
    shared = [members for members in classes.values() if len(members) > 1]
    return Stabilizer(f.widths[1], f.field, zero_neurons, shared)


def _ray(row: Vector, column: Vector) -> tuple[Vector, Any]:
    """Return what scaling leaves of a neuron, and its size s: (row, column) = (s · unit row, unit column / s)."""
    lead = next((value for value in row if value != 0), None)
    if lead is not None:
        size = abs(lead)
        return [value / size for value in row] + scaled(column, size), size
    lead = next((value for value in column if value != 0), None)
    if lead is None:
        return row + column, None
    return row + [value / abs(lead) for value in column], 1 / abs(lead)
