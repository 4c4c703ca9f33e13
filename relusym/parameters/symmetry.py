"""Elements of H_n: permutations and positive scalings of the hidden neurons, acting on parameters.

h acts by h·(M, A, b, c) = (M h⁻¹, hA, hb, c); the function stays the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from relusym.errors import FieldError, ShapeError
from relusym.exact.field import Field, field_of
from relusym.exact.matrix import column_of, make_matrix, rows_of
from relusym.exact.numbers import read_point, settle
from relusym.exact.tower import Tower, common_tower
from relusym.parameters.network import Layer, Network


class Symmetry:
    """An element h of H_n: new neuron t is old neuron ``permutation[t]`` with its row times ``scale[t]``.

    ``h @ net`` acts on a network with one hidden layer of n neurons; ``h * g`` is the composition, g first.

    Parameters
    ----------
    permutation
        A permutation of 0, …, n − 1.
    scale
        n positive exact numbers; 1 where left out.

    Raises
    ------
    ShapeError
        Where ``permutation`` is none, or ``scale`` has another length.
    FieldError
        Where a scale is not positive.

    Examples
    --------
    >>> from relusym import Symmetry, load
    >>> f = load("example:swapped")
    >>> h = Symmetry([1, 0], [2, "1/2"])
    >>> h.matrix()
    Matrix([
    [  0, 2],
    [1/2, 0]])
    >>> h @ f == f, h * h.inverse() == Symmetry([0, 1])
    (True, True)
    """

    __slots__ = ("_elements", "_field", "permutation")

    def __init__(self, permutation: Sequence[int], scale: Sequence[Any] | None = None) -> None:
        permutation = tuple(permutation)
        if sorted(permutation) != list(range(len(permutation))):
            raise ShapeError(f"a permutation of 0, …, {len(permutation) - 1} is due; got {permutation}")
        tower, elements = settle(
            read_point([1] * len(permutation) if scale is None else scale, len(permutation), "scale")
        )
        for index, value in enumerate(elements):
            if not value > 0:
                raise FieldError(f"scale, entry {index} is {tower.field.text(value)}; positive numbers are accepted")
        self.permutation: tuple[int, ...] = permutation
        self._elements = tuple(elements)
        self._field: Field = tower.field

    @classmethod
    def from_elements(cls, permutation: Sequence[int], elements: Sequence[Any]) -> Symmetry:
        """Return the symmetry whose scales are elements of one field, positive ones."""
        made = cls.__new__(cls)
        made.permutation = tuple(permutation)
        made._elements = tuple(elements)
        made._field = field_of(made._elements)
        return made

    @classmethod
    def identity(cls, size: int) -> Symmetry:
        """Return the identity of H_size."""
        return cls(range(size))

    @property
    def scale(self) -> tuple[Any, ...]:
        """The scales as SymPy numbers."""
        return tuple(map(self._field.sympy, self._elements))

    def matrix(self) -> Any:
        """Return h as a SymPy matrix: row t has ``scale[t]`` in column ``permutation[t]``."""
        from sympy import ImmutableDenseMatrix

        size, scale = len(self.permutation), self.scale
        return ImmutableDenseMatrix(size, size, lambda t, j: scale[t] if self.permutation[t] == j else 0)

    def _with(self, field: Field) -> tuple[Tower, list[Any]]:
        """Return a tower that holds ``field`` and the scales, and the scales in it."""
        tower = common_tower([field, self._field])
        return tower, list(map(tower.embedding(self._field), self._elements))

    def __mul__(self, other: object) -> Symmetry:
        if not isinstance(other, Symmetry):
            return NotImplemented
        if len(self.permutation) != len(other.permutation):
            raise ShapeError(f"the two symmetries act on {len(self.permutation)} and {len(other.permutation)} neurons")
        tower, own = self._with(other._field)
        embed = tower.embedding(other._field)
        scales = [embed(other._elements[old]) * value for old, value in zip(self.permutation, own, strict=True)]
        return Symmetry.from_elements([other.permutation[old] for old in self.permutation], scales)

    def inverse(self) -> Symmetry:
        """Return h⁻¹."""
        order = sorted(range(len(self.permutation)), key=self.permutation.__getitem__)
        return Symmetry.from_elements(order, [1 / self._elements[new] for new in order])

    def __matmul__(self, network: object) -> Network:
        if not isinstance(network, Network):
            return NotImplemented
        if network.depth != 1 or network.widths[1] != len(self.permutation):
            raise ShapeError(
                f"a symmetry of {len(self.permutation)} neurons acts on a network with one hidden layer of as many; "
                f"this one has widths {'-'.join(map(str, network.widths))}"
            )
        tower, scales = self._with(network.field)
        embed, field = tower.embedding(network.field), tower.field
        hidden, output = network.layers
        rows, biases = list(rows_of(hidden.weight)), column_of(hidden.bias)
        moved = list(zip(self.permutation, scales, strict=True))
        weight = [[scale * embed(value) for value in rows[old]] for old, scale in moved]
        bias = [[scale * embed(biases[old])] for old, scale in moved]
        columns = [[embed(row[old]) / scale for old, scale in moved] for row in rows_of(output.weight)]
        layers = [
            Layer(make_matrix(field, weight, network.widths[0]), make_matrix(field, bias, 1)),
            Layer(make_matrix(field, columns, len(moved)), output.bias),
        ]
        return Network.from_layers(layers, field)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Symmetry):
            return NotImplemented
        return self.permutation == other.permutation and self._elements == other._elements

    def __hash__(self) -> int:
        return hash((self.permutation, self._elements))

    def __repr__(self) -> str:
        return f"Symmetry({list(self.permutation)}, [{', '.join(map(self._field.text, self._elements))}])"
