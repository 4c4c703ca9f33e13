"""The canonical polyhedral complex C(θ) of a ReLU network, exactly.

Its cells are the closures of the nonempty sets on which every hidden neuron has one sign in {−, 0, +}. Three things
are kept apart: *activation regions* (the full-dimensional cells), *linear regions* (unions of activation regions that
are joined through common facets and on which f is one affine map) and the distinct *affine maps*.

Algorithm. Activation regions are found by cutting the domain neuron by neuron (:mod:`relusym.polyhedral.enumeration`)
on exact vertices and rays (:mod:`relusym.polyhedral.cone`); above eight dimensions by exact linear programs instead
(:mod:`relusym.polyhedral.programs`), unless vertices are asked for. Cells of lower dimension are the facets of those
of one dimension more, found when they are asked for; a cell is known by its sign sequence, so that no coordinates are
compared. Degenerate position is no special case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from relusym.errors import RelusymError, ShapeError, Undecided
from relusym.exact.numbers import read_number, settle
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network
from relusym.polyhedral.arrangement import Arrangement, Level
from relusym.polyhedral.cells import AffineMap, Cell, PointedCell
from relusym.polyhedral.components import UnionFind, connected_components
from relusym.polyhedral.enumeration import Executor
from relusym.polyhedral.regions import Options, cell_of_point, stream

if TYPE_CHECKING:
    import networkx

    from relusym.polyhedral.weights import BreakpointComplex, TropicalWeights


class Facet(NamedTuple):
    """A cell of dimension d − 1 with the activation regions on its sides (one at a wall of the domain, else two)."""

    cell: Cell
    sides: tuple[int, ...]


class LinearRegion(NamedTuple):
    """Activation regions (by their numbers) that are joined through facets and share one affine map."""

    members: tuple[int, ...]
    affine_map: AffineMap


class BentHyperplane(NamedTuple):
    """The locus of non-linearity of a neuron: (d − 1)-cells where it is 0, positive on one side and ≤ 0 on the other.

    ``components`` are its connected components, as lists of cells.
    """

    cells: list[Cell]
    components: list[list[Cell]]


class PolyhedralComplex:
    """The canonical polyhedral complex of a network on a domain; see :func:`complex_of`.

    Attributes
    ----------
    activation_regions : list of Cell
        The full-dimensional cells (of the domain's dimension).
    dimension : int
        d, the dimension of the domain.
    arrangement : Arrangement
        The networks, the domain and the numbering of the neurons.
    """

    def __init__(
        self,
        arrangement: Arrangement,
        activation_regions: list[Cell],
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.arrangement = arrangement
        self.activation_regions = activation_regions
        self._limits = limits
        self._progress = progress
        self._levels: dict[int, dict[Cell, list[int]]] = {}

    @property
    def dimension(self) -> int:
        """The dimension of the domain."""
        return self.arrangement.dimension

    @property
    def networks(self) -> tuple[Network, ...]:
        """The networks whose cells these are."""
        return self.arrangement.networks

    def __repr__(self) -> str:
        names = ", ".join("-".join(map(str, network.widths)) for network in self.networks)
        return f"PolyhedralComplex({names}: {len(self.activation_regions)} activation regions)"

    # -- cells

    def cells(self, dimension: int) -> list[Cell]:
        """Return the cells of one dimension.

        Raises
        ------
        Undecided
            When the limits of the complex end the enumeration.
        RelusymError
            Where it needs vertices and there are more than eight dimensions.
        """
        if dimension == self.dimension:
            return self.activation_regions
        if not 0 <= dimension < self.dimension:
            return []
        return list(self.cofaces(dimension))

    def cofaces(self, dimension: int) -> dict[Cell, list[int]]:
        """Return the cells of one dimension, each with the numbers of the cells of one more that it is a facet of.

        The numbers are places in ``cells(dimension + 1)``. This is the face poset, one level at a time.
        """
        if dimension not in self._levels:
            if dimension < self.dimension - 1:
                self._require_vertices("cells of lower dimension")
            above = self.cells(dimension + 1)
            budget = Budget(self._limits, self._progress)
            level: dict[Cell, list[int]] = {}
            try:
                for number, cell in enumerate(above):
                    budget.report(f"cells of dimension {dimension}", number, len(above))
                    for facet in cell.facets():
                        level.setdefault(facet, []).append(number)
            except LimitReached as limit:
                raise Undecided(f"cells of dimension {dimension}: {limit}", lower=len(level)) from None
            self._levels[dimension] = level
        return self._levels[dimension]

    @property
    def f_vector(self) -> tuple[int, ...]:
        """The numbers of cells of dimension 0, …, d."""
        counts = [len(self.cells(dimension)) for dimension in range(self.dimension, -1, -1)]
        return tuple(reversed(counts))

    @property
    def euler_characteristic(self) -> int:
        """Σ (−1)^dim over all cells: (−1)^m on R^m, 1 on a bounded domain with its walls."""
        return sum(count * (-1) ** dimension for dimension, count in enumerate(self.f_vector))

    def face_poset(self) -> networkx.DiGraph[Cell]:
        """Return the face poset: the cells as nodes, an edge from each to its facets (needs networkx)."""
        graph = _networkx().DiGraph()
        for dimension in range(self.dimension, -1, -1):
            graph.add_nodes_from(self.cells(dimension))
        for dimension in range(self.dimension):
            above = self.cells(dimension + 1)
            for cell, numbers in self.cofaces(dimension).items():
                graph.add_edges_from((above[number], cell) for number in numbers)
        return graph

    # -- facets, linear regions, affine maps

    @cached_property
    def facets(self) -> list[Facet]:
        """The cells of dimension d − 1 with the regions on their sides."""
        if self.dimension == 0:
            return []
        return [Facet(cell, tuple(sides)) for cell, sides in self.cofaces(self.dimension - 1).items()]

    @cached_property
    def linear_regions(self) -> list[LinearRegion]:
        """The linear regions: activation regions joined through facets where their affine maps agree."""
        keys = [region.map_key() for region in self.activation_regions]
        joined = UnionFind(len(keys))
        for facet in self.facets:
            if len(facet.sides) == 2 and keys[facet.sides[0]] == keys[facet.sides[1]]:
                joined.union(*facet.sides)
        return [
            LinearRegion(tuple(members), self.activation_regions[members[0]].affine_map())
            for members in joined.classes()
        ]

    @cached_property
    def affine_maps(self) -> list[AffineMap]:
        """The distinct affine maps of f on the regions."""
        first = {region.map_key(): region for region in reversed(self.activation_regions)}
        return [region.affine_map() for region in reversed(first.values())]

    def dual_graph(self) -> networkx.Graph[int]:
        """Return the graph of the regions (by number, attribute ``cell``), an edge for each common facet (``cell``)."""
        graph = _networkx().Graph()
        graph.add_nodes_from((number, {"cell": cell}) for number, cell in enumerate(self.activation_regions))
        graph.add_edges_from((*facet.sides, {"cell": facet.cell}) for facet in self.facets if len(facet.sides) == 2)
        return graph

    # -- bent hyperplanes and level sets

    def bent_hyperplane(self, layer: int, neuron: int, network: int = 0) -> BentHyperplane:
        """Return the bent hyperplane of a hidden neuron (both counted from 0) with its connected components.

        Raises
        ------
        ShapeError
            Where there is no such neuron.
        """
        bit = self.arrangement.bit(layer, neuron, network)
        cells = []
        for facet in self.facets:
            if len(facet.sides) == 2 and facet.cell.sign(bit) == 0:
                one, other = (self.activation_regions[side].sign(bit) for side in facet.sides)
                if max(one, other) > 0 and min(one, other) <= 0:
                    cells.append(facet.cell)
        return BentHyperplane(cells, connected_components(cells))

    def level_set(self, output: int = 0, constant: Any = 0) -> LevelSet:
        """Return {x : f_output(x) = constant} as a complex.

        Raises
        ------
        ShapeError
            Where there is no such output.
        """
        tower, (value,) = settle([read_number(constant)], self.arrangement.field)
        if tower.field != self.arrangement.field:
            raise RelusymError(f"the constant is not over {self.arrangement.field!r}, the field of the complex")
        return self._level(Level(self._output(output), None, value))

    def decision_boundary(self, one: int, other: int) -> LevelSet:
        """Return {x : f_one(x) = f_other(x)} as a complex.

        Raises
        ------
        ShapeError
            Where there are no two such outputs.
        """
        if self._output(one) == self._output(other):
            raise ShapeError(f"outputs {one} and {other}: two different ones are due")
        return self._level(Level(one, other, self.arrangement.field.rational(0)))

    def _output(self, output: int) -> int:
        count = self.networks[0].widths[-1]
        if not (isinstance(output, int) and 0 <= output < count):
            raise ShapeError(f"there is no output {output!r}; the outputs are 0 to {count - 1}")
        return output

    def _level(self, level: Level) -> LevelSet:
        self._require_vertices("level sets")
        refined = self.arrangement.with_level(level)
        return LevelSet(_collect(refined, Options(True, limits=self._limits, progress=self._progress)))

    # -- weights

    def weights(self, network: int = 0) -> TropicalWeights:
        """Return the tropical weights of the interior (d − 1)-cells, for the function of one network."""
        from relusym.polyhedral.weights import TropicalWeights

        return TropicalWeights(self, network)

    def breakpoints(self, network: int = 0) -> BreakpointComplex:
        """Return the (d − 1)-cells across which the gradient jumps, with their weights."""
        from relusym.polyhedral.weights import BreakpointComplex

        return BreakpointComplex(self.weights(network))

    # -- queries

    def cell_at(self, x: Sequence[Any]) -> Cell:
        """Return the one cell with the point in its relative interior.

        Raises
        ------
        DomainError
            Where the point is outside the domain.
        """
        return cell_of_point(self.arrangement, x)

    def _require_vertices(self, what: str) -> None:
        if self.activation_regions and isinstance(self.activation_regions[0], PointedCell):
            raise RelusymError(
                f"{what} need vertices, which are not enumerated in {self.arrangement.essential_dimension} dimensions "
                "unless complex_of(…, vertices=True) asks for it"
            )


class LevelSet:
    """A level set of an output, or of the difference of two, as a complex: cells of C(θ) cut by it.

    Attributes
    ----------
    refinement : PolyhedralComplex
        C(θ) cut by the level set.
    """

    def __init__(self, refinement: PolyhedralComplex) -> None:
        self.refinement = refinement

    def cells(self, dimension: int) -> list[Cell]:
        """Return its cells of one dimension; of dimension d where the function is constant on a region."""
        bit = self.refinement.arrangement.level_bit
        return [cell for cell in self.refinement.cells(dimension) if cell.sign(bit) == 0]

    @property
    def f_vector(self) -> tuple[int, ...]:
        """The numbers of its cells of dimension 0, …, d."""
        return tuple(len(self.cells(dimension)) for dimension in range(self.refinement.dimension + 1))

    @cached_property
    def components(self) -> list[list[Cell]]:
        """Its connected components, each a list of cells of all dimensions."""
        return connected_components(
            [cell for dimension in range(self.refinement.dimension + 1) for cell in self.cells(dimension)]
        )

    def __repr__(self) -> str:
        return f"LevelSet(f-vector {self.f_vector})"


# -- making complexes


def complex_of(
    f: Network,
    *,
    domain: Any = None,
    vertices: bool | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> PolyhedralComplex:
    """Return the canonical polyhedral complex of a network.

    Parameters
    ----------
    f
        Any depth, any number of outputs, over Q or a real number field (above eight dimensions over Q only).
    domain
        None for all of R^m, a box (a sequence of (low, high), None for an infinite end), or linear inequalities (a
        sequence of (row, bound), row · x <= bound). A domain of lower dimension is taken in its affine hull.
    vertices
        Whether cells hold vertices and rays. By default they do where at most eight dimensions count; above, exact
        linear programs (the extra ``deep``) find regions, facets and interior points without them.
    executor, workers
        What spreads the work: a ``concurrent.futures`` executor of processes, or the client of Dask; the answer is the
        same. ``workers`` says how many there are where the executor does not. Over a number field the work stays here.
    limits, progress
        See :class:`relusym.Limits`; ``items`` counts activation regions.

    Raises
    ------
    DomainError
        Where the domain is empty, or no domain of m coordinates.
    FieldError
        Where there are more than eight dimensions over a number field.
    Undecided
        When the limits end the enumeration; ``lower`` is the number of regions found.

    Examples
    --------
    >>> from relusym import Network, complex_of
    >>> f = Network.shallow([1, 1, -1], [[1, 0], [0, 1], [1, 1]], [0, 0, 0], 0)
    >>> c = complex_of(f)
    >>> len(c.activation_regions), len(c.linear_regions), len(c.affine_maps), c.f_vector
    (6, 6, 5, (1, 6, 6))
    """
    return _collect(Arrangement([f], domain, limits=limits), Options(vertices, executor, workers, limits, progress))


def common_refinement(
    networks: Sequence[Network],
    *,
    domain: Any = None,
    vertices: bool | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> PolyhedralComplex:
    """Return the complex whose cells refine those of several networks with the same inputs.

    Examples
    --------
    >>> from relusym import Network
    >>> f, g = (Network.shallow([1], [[1]], [b], 0) for b in (0, 1))
    >>> [cell.pattern for cell in common_refinement([f, g]).activation_regions]
    ['++', '-+', '--']
    """
    arrangement = Arrangement(networks, domain, limits=limits)
    return _collect(arrangement, Options(vertices, limits=limits, progress=progress))


def _collect(arrangement: Arrangement, options: Options) -> PolyhedralComplex:
    found = list(stream(arrangement, options))
    arrangement.cutter.forget()
    return PolyhedralComplex(arrangement, found, options.limits, options.progress)


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        from relusym.errors import missing_extra

        raise missing_extra("deep", "graphs need the package networkx") from None
    return networkx
