"""The dependency graph: which bent hyperplanes bend along which, and what it says of depth.

From the function alone. Around a (d − 2)-cell the breakpoint complex is a few rays. Two rays are a piece of one bent
hyperplane that goes straight on (balancing leaves no other way). Four rays are two bent hyperplanes that cross: a
straight pair belongs to the earlier layer, and the other pair, where it is not straight, bends along it and comes
later. Glued through all such cells, the (d − 1)-cells of the breakpoint complex are the vertices of the graph, with an
edge from each to those that bend along it. Anything else around a (d − 2)-cell, such as three rays, rules out that a
generic parameter realises f; such cells are listed as *obstructions*, straight pairs are glued there, and nothing else
is.

From the parameters. The vertices are the connected components of the bent hyperplanes of the neurons; one of a later
layer bends along one of an earlier layer at a common (d − 2)-cell where the paths between the two neurons add up to a
weight that is not 0. The two graphs agree where d ≥ 2 and the parameter is generic
(:mod:`relusym.polyhedral.genericity`).

A chain of c vertices needs c hidden layers in every *generic* realisation. Without genericity f is affine, or needs one
hidden layer, or more: it is realised by one exactly where its breakpoints are whole hyperplanes, each with one weight.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from relusym.errors import RelusymError, Undecided
from relusym.exact.matrix import rows_of
from relusym.limits import Budget, LimitReached, Limits, Progress
from relusym.parameters.network import Network, require_network
from relusym.polyhedral.arrangement import Neuron
from relusym.polyhedral.cells import Cell
from relusym.polyhedral.complex import PolyhedralComplex, _networkx, complex_of
from relusym.polyhedral.components import UnionFind
from relusym.polyhedral.genericity import BentHyperplanes
from relusym.polyhedral.links import Link, Ray, cross
from relusym.polyhedral.weights import interior_ridges

if TYPE_CHECKING:
    import networkx

SOURCES = ("function", "parameters")


def dependency_graph(
    f: Network,
    *,
    source: str = "function",
    vertices: bool | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> networkx.DiGraph[Any]:
    """Return the dependency graph of a network; the extra ``deep`` (networkx).

    Parameters
    ----------
    f
        Any depth. With one input (and wherever only one dimension counts) there are no edges.
    source
        "function": from the breakpoint complex, which depends on f only; vertices are numbers. "parameters": from the
        bent hyperplanes of the neurons; vertices are triples (layer, neuron, component).
    vertices, limits, progress
        See :func:`relusym.complex_of`.

    Returns
    -------
    networkx.DiGraph
        Each vertex has its (d − 1)-cells as ``cells``, each edge a (d − 2)-cell where the bend is seen as ``cell``; the
        graph has ``obstructions``, the (d − 2)-cells that rule out a generic realisation (source "function").

    Raises
    ------
    Undecided
        When limits end the enumeration of cells.
    MissingExtra
        Without networkx.

    Examples
    --------
    >>> from relusym import Network
    >>> f = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, 1]], [-1]), ([[1]], [0])])
    >>> graph = dependency_graph(f, source="parameters")
    >>> sorted(graph.edges)
    [((0, 0, 0), (1, 0, 0)), ((0, 1, 0), (1, 0, 0))]
    """
    require_network(f, "dependency_graph")
    if source not in SOURCES:
        raise RelusymError(f'source must be "function" or "parameters"; got {source!r:.40}')
    complex = complex_of(f, vertices=vertices, limits=limits, progress=progress)
    budget = Budget(limits, progress)
    try:
        return _of_function(complex, budget) if source == "function" else _of_parameters(complex, budget)
    except LimitReached as limit:
        raise Undecided(f"the dependency graph: {limit}") from None


# -- from the function


def _of_function(complex: PolyhedralComplex, budget: Budget) -> networkx.DiGraph[Any]:
    breakpoints = complex.breakpoints()
    cells = breakpoints.cells
    number = {cell: index for index, cell in enumerate(cells)}
    glued = UnionFind(len(cells))
    bends: list[tuple[int, int, Cell]] = []
    obstructions: list[Cell] = []
    for count, link in enumerate(breakpoints.links()):
        budget.report("cells of codimension 2", count)
        pairs, straight = _pairs(link)
        for one, other in pairs:
            glued.union(number[one.weight.cell], number[other.weight.cell])
        if len(link.rays) != 2 * len(pairs) or len(pairs) > 2:
            obstructions.append(link.cell)
        elif straight == 1 and len(pairs) == 2:
            before, after = (number[pair[0].weight.cell] for pair in pairs)
            bends.append((before, after, link.cell))
    graph = _networkx().DiGraph(obstructions=obstructions)
    vertex = {}
    for index, members in enumerate(glued.classes()):
        graph.add_node(index, cells=[cells[member] for member in members])
        vertex.update(dict.fromkeys(members, index))
    for before, after, cell in bends:
        graph.add_edge(vertex[before], vertex[after], cell=cell)
    return graph


def _pairs(link: Link) -> tuple[list[tuple[Ray, Ray]], int]:
    """Return the rays of a link in pairs that belong together, straight ones first, and the number of those."""
    pairs = list(link.opposite)
    straight = len(pairs)
    paired = {id(ray) for pair in pairs for ray in pair}
    rest = [ray for ray in link.rays if id(ray) not in paired]
    if straight == 1 and len(rest) == 2:
        line = pairs[0][0].direction
        if cross(line, rest[0].direction) * cross(line, rest[1].direction) < 0:
            pairs.append((rest[0], rest[1]))
    return pairs, straight


# -- from the parameters


def _of_parameters(complex: PolyhedralComplex, budget: Budget) -> networkx.DiGraph[Any]:
    graph = _networkx().DiGraph(obstructions=[])
    arrangement = complex.arrangement
    bent = BentHyperplanes(complex)
    vertex: dict[tuple[Cell, Neuron], Any] = {}
    for neuron in arrangement.neurons:
        for component, cells in enumerate(complex.bent_hyperplane(neuron.layer, neuron.neuron).components):
            name = (neuron.layer, neuron.neuron, component)
            graph.add_node(name, cells=cells)
            vertex.update({(cell, neuron): name for cell in cells})
    paths = _Paths(complex.networks[0])
    facets = complex.facets
    for count, (cell, numbers) in enumerate(interior_ridges(complex)):
        budget.report("cells of codimension 2", count)
        around: dict[Neuron, Cell] = {}
        for facet in (facets[number] for number in numbers):
            for neuron in bent.neurons(bent.of_facet(facet.sides)):
                around.setdefault(neuron, facet.cell)
        for before, after in combinations(sorted(around), 2):
            if before.layer < after.layer and paths.weight(before, after, cell) != 0:
                graph.add_edge(vertex[around[before], before], vertex[around[after], after], cell=cell)
    return graph


class _Paths:
    """The weights of one neuron in the pre-activation of a later one, where the neurons between are known."""

    def __init__(self, f: Network) -> None:
        self._layers = [list(rows_of(weight)) for weight, _ in f.layers]
        self._from = cache(self._from_neuron)

    def weight(self, before: Neuron, after: Neuron, cell: Cell) -> Any:
        """Return the sum over the paths through neurons that are active on a cell."""
        signs = cell.signs
        starts = self._starts
        between = tuple(
            tuple(i for i in range(len(self._layers[layer])) if signs[starts[layer] + i] > 0)
            for layer in range(before.layer + 1, after.layer)
        )
        return self._from(before, between)[after.neuron]

    @property
    def _starts(self) -> list[int]:
        starts = [0]
        for rows in self._layers:
            starts.append(starts[-1] + len(rows))
        return starts

    def _from_neuron(self, before: Neuron, between: tuple[tuple[int, ...], ...]) -> list[Any]:
        values = [row[before.neuron] for row in self._layers[before.layer + 1]]
        for layer, active in enumerate(between, start=before.layer + 2):
            values = [sum(row[i] * values[i] for i in active) for row in self._layers[layer]]
        return values


# -- depth


class DepthBound(int):
    """A lower bound of the number of hidden layers, with what shows it.

    Attributes
    ----------
    reason : str
        One line.
    chain : tuple
        The vertices of a longest chain of the dependency graph, for the generic bound.
    witness : object
        For the unconditional bound, a cell where the breakpoints are no union of whole hyperplanes.
    """

    reason: str
    chain: tuple[Any, ...]
    witness: object

    def __new__(cls, value: int, reason: str, *, chain: tuple[Any, ...] = (), witness: object = None) -> DepthBound:
        """Return the bound."""
        bound = super().__new__(cls, value)
        bound.reason, bound.chain, bound.witness = reason, chain, witness
        return bound


def generic_depth_lower_bound(
    f: Network,
    *,
    vertices: bool | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> DepthBound:
    """Return how many hidden layers every *generic* realisation of f has at least.

    It is the number of vertices of a longest chain of the dependency graph (``.chain``). Realisations that are not
    generic may have fewer layers: see :func:`depth_lower_bound` for all of them. Where the breakpoints rule out that a
    generic realisation exists, ``.reason`` says so; the bound is that of the chain all the same.

    Raises
    ------
    Undecided
        When limits end the enumeration of cells.

    Examples
    --------
    >>> from relusym import Network
    >>> inner, outer = [[1, 0], [0, 1], [0, -1]], [[1, 1, -1], [1, 0, 0]]
    >>> f = Network([(inner, [0, 0, 0]), (outer, [0, 0]), ([[1, 1]], [0])])  # σ(y + σ(x)) + σ(x)
    >>> generic_depth_lower_bound(f)
    2
    """
    graph = dependency_graph(f, vertices=vertices, limits=limits, progress=progress)
    networkx = _networkx()
    if not networkx.is_directed_acyclic_graph(graph):
        cycle = networkx.find_cycle(graph)
        reason = f"the vertices {[edge[0] for edge in cycle]} bend along one another in a circle"
        return DepthBound(1, f"{reason}: no generic parameter realises f", chain=(cycle[0][0],))
    chain = tuple(networkx.dag_longest_path(graph)) if len(graph) else ()
    reason = f"{len(chain)} bent hyperplanes, each but the first of which bends along the one before"
    obstructions = graph.graph["obstructions"]
    if obstructions:
        reason += f"; no generic parameter realises f, because of the cell {obstructions[0]!r}"
    return DepthBound(len(chain), reason, chain=chain)


def depth_lower_bound(
    f: Network,
    *,
    vertices: bool | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> DepthBound:
    """Return 0, 1 or 2: how many hidden layers every realisation of f has at least, whatever its parameters.

    0 where f is affine; 1 where its breakpoints are whole hyperplanes, each with one weight: then one hidden layer
    does it; else 2. No more can be said in few inputs: ⌈log2(m + 1)⌉ hidden layers realise everything.

    Raises
    ------
    Undecided
        When limits end the enumeration of cells.

    Examples
    --------
    >>> from relusym import Network, load
    >>> depth_lower_bound(load("example:theta1"))
    1
    >>> largest = Network([([[1, -1], [0, 1], [0, -1]], [0, 0, 0]), ([[1, 1, -1]], [0]), ([[1]], [0])])
    >>> depth_lower_bound(largest)  # max(0, x, y)
    2
    """
    complex = complex_of(f, vertices=vertices, limits=limits, progress=progress)
    breakpoints = complex.breakpoints()
    if not breakpoints.cells:
        return DepthBound(0, "the gradient is the same everywhere: f is affine")
    budget = Budget(limits, progress)
    try:
        for count, link in enumerate(breakpoints.links()):
            budget.report("cells of codimension 2", count)
            if not _goes_through(link):
                reason = f"a piece of the breakpoints ends, bends or changes its weight at {link.cell!r}"
                return DepthBound(2, reason, witness=link.cell)
    except LimitReached as limit:
        raise Undecided(f"the depth: {limit}", lower=1, upper=f.depth) from None
    return DepthBound(1, "the breakpoints are whole hyperplanes, each with one weight: one hidden layer does it")


def _goes_through(link: Link) -> bool:
    """Return whether each ray goes straight on with the same weight."""
    return 2 * len(link.opposite) == len(link.rays) and all(
        one.weight.weight == other.weight.weight for one, other in link.opposite
    )
