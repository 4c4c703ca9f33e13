"""Tropical weights: how the gradient jumps across the (d − 1)-cells of a complex.

For an interior (d − 1)-cell F with normal p (primitive where its direction is rational, else with leading coefficient
1; the leading entry positive) the weight is the w ∈ K^k with ∇f|₊ − ∇f|₋ = w ⊗ p, the sides named by p. It belongs to
the function, not to the parameters.

The weights are read off the affine maps of the two sides. :meth:`TropicalWeights.path_weight` finds them a second
way, from the neurons that change on F and the paths from them to the outputs; :meth:`TropicalWeights.balanced` asks
whether they add up to zero around every interior (d − 2)-cell, which needs complete links. Both can fail where cells
or maps are wrong, and then name the cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from relusym.errors import Undecided
from relusym.exact.matrix import rows_of
from relusym.exact.tower import Tower
from relusym.limits import Budget, LimitReached, Limits
from relusym.polyhedral.arrangement import Arrangement
from relusym.polyhedral.cells import Cell, Point
from relusym.polyhedral.links import Link
from relusym.shallow.ridge_form import canonical_factor
from relusym.verdict import Decision

if TYPE_CHECKING:
    from relusym.polyhedral.complex import Facet, PolyhedralComplex


class TropicalWeight(NamedTuple):
    """The weight of one (d − 1)-cell.

    Attributes
    ----------
    cell : Cell
        The cell F.
    normal : tuple
        p, m elements of the field.
    weight : tuple
        w, k elements of the field.
    plus, minus : int
        The numbers of the activation regions on the two sides; p points to the first.
    """

    cell: Cell
    normal: Point
    weight: Point
    plus: int
    minus: int

    def __bool__(self) -> bool:
        return any(value != 0 for value in self.weight)


class TropicalWeights(Mapping[Cell, TropicalWeight]):
    """The tropical weights of the interior (d − 1)-cells of a complex, by cell.

    Parameters
    ----------
    complex
        Any complex with at least one network.
    network
        Which network's function is meant, where the complex refines the cells of several.

    Examples
    --------
    >>> from relusym import Network, complex_of
    >>> c = complex_of(Network.shallow([3, -1], [[2, 0], [0, -1]], [0, 1], 0))
    >>> for w in c.weights().values():
    ...     print(w.cell.pattern, w.normal, w.weight)
    0+ (1, 0) (6,)
    +0 (0, 1) (-1,)
    0- (1, 0) (6,)
    -0 (0, 1) (-1,)
    >>> c.weights().balanced().truth
    True
    """

    def __init__(self, complex: PolyhedralComplex, network: int = 0) -> None:
        self.complex = complex
        self.network = network

    @cached_property
    def _table(self) -> dict[Cell, TropicalWeight]:
        interior = (facet for facet in self.complex.facets if len(facet.sides) == 2)
        return {facet.cell: self._weight(facet) for facet in interior}

    def __getitem__(self, cell: Cell) -> TropicalWeight:
        return self._table[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __repr__(self) -> str:
        return f"TropicalWeights({len(self)} cells, {sum(map(bool, self.values()))} with weight ≠ 0)"

    def _weight(self, facet: Facet) -> TropicalWeight:
        regions = self.complex.activation_regions
        normal, first_is_plus = _normal(self.complex.arrangement, facet, regions)
        plus, minus = facet.sides if first_is_plus else facet.sides[::-1]
        maps = (regions[side].affine_map(self.network).weight for side in (plus, minus))
        pivot = next(index for index, value in enumerate(normal) if value != 0)
        jump = tuple((one[pivot] - other[pivot]) / normal[pivot] for one, other in zip(*maps, strict=True))
        return TropicalWeight(facet.cell, normal, jump, plus, minus)

    def path_weight(self, cell: Cell) -> Point:
        """Return the weight of a cell computed from the neurons that change there and the paths behind them.

        Crossing F from − to +, the gradient of a neuron i of layer l that changes is c·p on the − side, and its output
        begins or ends there: it adds |c| times the product of the weights along the active paths of the + side from i
        to the outputs. Over the layers this telescopes to w.
        """
        known = self[cell]
        regions = self.complex.activation_regions
        plus, minus = regions[known.plus], regions[known.minus]
        return path_weight(plus, minus, known.normal, self.network)

    def balanced(self, *, limits: Limits | None = None) -> Decision:
        """Decide whether the oriented sum of w ⊗ p is 0 around every interior (d − 2)-cell; d ≥ 2.

        It is for every continuous function: a "no" (witness: the cell) says that the complex is wrong.
        """
        complex, budget = self.complex, Budget(limits)
        count = 0
        try:
            for cell, numbers in interior_ridges(complex):
                budget.report("cells of codimension 2", count)
                count += 1
                if not self._link(cell, numbers).is_balanced():
                    return Decision(False, f"the weights around {cell!r} do not add up to zero", witness=cell)
        except (LimitReached, Undecided) as limit:
            return Decision(None, f"balanced around {count} cells of codimension 2; then {limit}")
        return Decision(True, f"balanced around all {count} interior cells of codimension 2")

    def _link(self, cell: Cell, numbers: list[int]) -> Link:
        facets = self.complex.facets
        return Link(cell, [self._table[facets[number].cell] for number in numbers])

    def links(self) -> Iterator[Link]:
        """Iterate over the links of the interior (d − 2)-cells."""
        return (self._link(cell, numbers) for cell, numbers in interior_ridges(self.complex))


class BreakpointComplex:
    """The (d − 1)-cells across which the gradient of f jumps: those with w ≠ 0.

    Their union and the weights on it depend on f only; how it is cut into cells depends on the parameters (see
    :func:`same_breakpoints`).

    Examples
    --------
    >>> from relusym import complex_of, load
    >>> complex_of(load("example:theta1")).breakpoints()
    BreakpointComplex(9 of 9 cells)
    """

    def __init__(self, weights: TropicalWeights) -> None:
        self.all_weights = weights
        self.weights = {cell: weight for cell, weight in weights.items() if weight}

    @property
    def complex(self) -> PolyhedralComplex:
        """The complex whose cells these are."""
        return self.all_weights.complex

    @property
    def cells(self) -> list[Cell]:
        """The cells."""
        return list(self.weights)

    def links(self) -> Iterator[Link]:
        """Iterate over the links of the interior (d − 2)-cells with what is in this complex only."""
        return (link.restricted(bool) for link in self.all_weights.links())

    def __repr__(self) -> str:
        return f"BreakpointComplex({len(self.weights)} of {len(self.all_weights)} cells)"


def same_breakpoints(complex: PolyhedralComplex, one: int = 0, other: int = 1) -> Decision:
    """Decide whether two networks have the same weighted breakpoints, on a common refinement of their complexes.

    They do exactly where their difference is one affine map on the domain.

    Parameters
    ----------
    complex
        A common refinement of the networks; see :func:`relusym.common_refinement`.
    one, other
        The numbers of the two networks.

    Examples
    --------
    >>> from relusym import common_refinement, load
    >>> same_breakpoints(common_refinement([load("example:theta1"), load("example:theta2")])).truth
    True
    """
    first, second = (TropicalWeights(complex, network) for network in (one, other))
    for cell, weight in first.items():
        if weight.weight != second[cell].weight:
            return Decision(False, f"the weights on {cell!r} are different", witness=(weight, second[cell]))
    return Decision(True, f"the weights agree on all {len(first)} cells of a common refinement")


def interior_ridges(complex: PolyhedralComplex) -> Iterator[tuple[Cell, list[int]]]:
    """Iterate over the (d − 2)-cells off the walls, each with the numbers of the facets that it is a face of."""
    if complex.dimension >= 2:
        for cell, numbers in complex.cofaces(complex.dimension - 2).items():
            if not cell.on_wall:
                yield cell, numbers


def _normal(arrangement: Arrangement, facet: Facet, regions: list[Cell]) -> tuple[Point, bool]:
    """Return the canonical normal, and whether it points to the first side."""
    # A neuron that is zero on F and not on one side is a form there that vanishes on F.
    zero = ~(facet.cell.key[0] | facet.cell.key[1]) & arrangement.circuit.neurons
    for first, side in enumerate(facet.sides):
        positive, negative = regions[side].key
        changing = zero & (positive | negative)
        if changing:
            bit = (changing & -changing).bit_length() - 1
            *row, _ = arrangement.form(regions[side].form(bit), arrangement.circuit.arithmetic.one)
            lead = next(value for value in row if value != 0)
            row = [value / lead for value in row]
            factor = canonical_factor(arrangement.field, row)
            ahead = bool(positive >> bit & 1) == bool(lead > 0)
            return tuple(factor * value for value in row), ahead == (first == 0)
    raise AssertionError("two regions differ in the sign of a neuron")


def path_weight(plus: Cell, minus: Cell, normal: Point, network: int = 0) -> Point:
    """Return the weight between two neighbouring regions by path products; ``normal`` points to ``plus``."""
    arrangement = plus.arrangement
    net = arrangement.networks[network]
    embed = Tower(arrangement.field).embedding(net.field)
    layers = [[[embed(value) for value in row] for row in rows_of(layer.weight)] for layer in net.layers]
    pivot = next(index for index, value in enumerate(normal) if value != 0)
    zero = arrangement.field.rational(0)
    total = [zero] * net.widths[-1]
    paths = layers[-1]  # from the outputs of a hidden layer to those of the network
    for index in reversed(range(net.depth)):
        bits = [arrangement.bit(index, neuron, network) for neuron in range(net.widths[index + 1])]
        for neuron, bit in enumerate(bits):
            if (plus.sign(bit) > 0) != (minus.sign(bit) > 0):
                weights, _ = minus.preactivation(index, neuron, network)
                slope = abs(weights[pivot] / normal[pivot])
                total = [value + row[neuron] * slope for value, row in zip(total, paths, strict=True)]
        active = [neuron for neuron, bit in enumerate(bits) if plus.sign(bit) > 0]
        columns = [[layers[index][neuron][j] for neuron in active] for j in range(net.widths[index])]
        paths = [
            [sum(map(mul, [row[neuron] for neuron in active], column), zero) for column in columns] for row in paths
        ]
    return tuple(total)
