"""Dependency graphs from the function and from the parameters, and what they say of depth."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import (
    Limits,
    Network,
    RelusymError,
    Undecided,
    common_refinement,
    dependency_graph,
    depth_lower_bound,
    generic_depth_lower_bound,
    genericity,
    load,
    same_breakpoints,
)

GENERIC = [
    Network([([[7, 3], [9, 2], [-16, -5]], [14, 17, -17]), ([[9, -2, 1], [-9, 2, -1]], [-19, 47]), ([[-5, -6]], [0])]),
    Network([([[-8, 5], [-8, -6], [16, 1]], [12, -7, 6]), ([[5, 1, 1], [-5, -1, -1]], [-20, 48]), ([[-4, 4]], [0])]),
    Network(
        [
            ([[-1, 4, 8], [5, 1, 2], [-4, -5, -10]], [18, -14, -3]),
            ([[9, 8, -1], [-9, -8, 1]], [-11, 36]),
            ([[-9, 5]], [0]),
        ]
    ),
    load("example:theta2"),
]

# f = σ(1 + x − 3y + v) + v + σ(x), v = σ(y + σ(x)): with three hidden layers, written down as it is
CHAIN = Network(
    [
        ([[1, 0], [0, 1], [0, -1], [-1, 0]], [0, 0, 0, 0]),  # x+, y+, y−, x−
        ([[1, 1, -1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], [0] * 5),  # v, and the same again
        ([[1, 1, -3, 3, -1], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0]], [1, 0, 0]),
        ([[1, 1, 1]], [0]),
    ]
)
# … and with two, since the first summand is the largest of 0, A, B, C: with A = 1 + x − 3y, C = 1 + 2x − 2y, B = C − x
# it is C + σ(−x) + σ(σ(A) − C − σ(−x))
CHAIN_IN_TWO = Network(
    [
        ([[1, 0], [0, 1], [0, -1], [-1, 0], [1, -3]], [0, 0, 0, 0, 1]),
        ([[1, 1, -1, 0, 0], [-2, 2, -2, 1, 1], [3, -2, 2, -1, 0], [-3, 2, -2, 1, 0]], [0, -1, 1, -1]),
        ([[1, 1, 1, -1]], [0]),
    ]
)


def by_cells(graph: nx.DiGraph) -> tuple[set, set]:
    """The vertices as sets of cells, and the edges between them."""
    cells = {vertex: frozenset(data["cells"]) for vertex, data in graph.nodes(data=True)}
    return set(cells.values()), {(cells[before], cells[after]) for before, after in graph.edges}


@pytest.mark.parametrize("f", GENERIC)
def test_the_two_graphs_agree_on_generic_networks(f: Network) -> None:
    assert genericity(f).generic.truth is True
    from_function, from_parameters = dependency_graph(f), dependency_graph(f, source="parameters")
    assert by_cells(from_function) == by_cells(from_parameters)
    assert from_function.graph["obstructions"] == []
    assert generic_depth_lower_bound(f) == f.depth


def test_the_vertices_are_the_neurons_where_bent_hyperplanes_are_connected() -> None:
    graph = dependency_graph(GENERIC[0], source="parameters")
    assert sorted(graph.nodes) == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0), (1, 1, 0)]
    assert sorted(graph.edges) == [((0, i, 0), (1, j, 0)) for i in range(3) for j in range(2)]


def test_no_edge_without_a_weight() -> None:
    inner, outer = [[1, 0], [0, 1], [0, -1]], [[1, 1, -1], [1, 0, 0], [0, 1, 0]]
    f = Network([(inner, [0, 0, 0]), (outer, [0, 1, 1]), ([[1, 1, 1]], [0])])
    edges = dependency_graph(f, source="parameters").edges
    assert ((0, 0, 0), (1, 0, 0)) in edges
    assert not any(after[:2] == (1, 1) for _, after in edges)  # σ(x) + 1 is positive everywhere


def test_a_chain_of_three_with_two_hidden_layers() -> None:
    refined = common_refinement([CHAIN, CHAIN_IN_TWO])
    assert all(region.affine_map(0) == region.affine_map(1) for region in refined.activation_regions)
    assert same_breakpoints(refined)
    assert (CHAIN.depth, CHAIN_IN_TWO.depth) == (3, 2)
    first, second = dependency_graph(CHAIN), dependency_graph(CHAIN_IN_TWO)
    assert nx.is_isomorphic(first, second)
    assert sorted(dict(first.out_degree).values()) == [0, 1, 2]
    for f in (CHAIN, CHAIN_IN_TWO):
        bound = generic_depth_lower_bound(f)
        assert bound == 3
        assert len(bound.chain) == 3
        assert depth_lower_bound(f) == 2
        assert genericity(f).generic.truth is False


def test_depth_of_affine_shallow_and_deep_functions() -> None:
    assert depth_lower_bound(Network([([[1, 2]], [3])])) == 0
    identity = Network.shallow([1, -1], [[1, 0], [-1, 0]], [0, 0], 0)
    assert (depth_lower_bound(identity), generic_depth_lower_bound(identity)) == (0, 0)
    assert depth_lower_bound(load("example:theta1")) == 1
    largest = Network([([[1, -1], [0, 1], [0, -1]], [0, 0, 0]), ([[1, 1, -1]], [0]), ([[1]], [0])])
    bound = depth_lower_bound(largest)
    assert bound == 2
    assert bound.witness.dimension == 0


def test_a_change_of_weight_along_a_straight_line_needs_two_layers() -> None:
    # σ(x) + σ(σ(x) + y + 1) where y > −1: the line x = 0 is whole, and its weight changes at (0, −1)
    f = Network([([[1, 0], [0, 1], [0, -1]], [0, 0, 0]), ([[1, 1, -1], [1, 0, 0]], [1, 0]), ([[1, 1]], [0])])
    bound = depth_lower_bound(f)
    assert bound == 2
    assert bound.witness.interior_point() == (0, -1)


def test_an_obstruction_where_three_pieces_meet() -> None:
    largest = Network([([[1, -1], [0, 1], [0, -1]], [0, 0, 0]), ([[1, 1, -1]], [0]), ([[1]], [0])])
    graph = dependency_graph(largest)
    assert [cell.dimension for cell in graph.graph["obstructions"]] == [0]
    assert len(graph) == 3
    assert not graph.edges
    assert "no generic parameter" in generic_depth_lower_bound(largest).reason


def test_three_lines_through_a_point_are_glued_and_obstruct() -> None:
    f = Network.shallow([1, 1, 1], [[1, 0], [0, 1], [1, 1]], [0, 0, 0], 0)
    graph = dependency_graph(f)
    assert (len(graph), len(graph.edges), len(graph.graph["obstructions"])) == (3, 0, 1)
    assert depth_lower_bound(f) == 1


def test_one_input_has_no_edges() -> None:
    f = Network([([[1], [-1]], [0, 1]), ([[1, 1]], [-3]), ([[1]], [0])])
    assert not dependency_graph(f).edges
    assert depth_lower_bound(f) == 1


@settings(max_examples=60)
@given(st.data())
def test_the_graph_of_the_function_survives_disguises(data) -> None:
    small = st.integers(-3, 3)
    n = data.draw(st.integers(1, 3))
    rows = data.draw(st.lists(st.tuples(small, small).map(list), min_size=n, max_size=n))
    biases = data.draw(st.lists(small, min_size=n, max_size=n))
    top = data.draw(st.lists(st.lists(small, min_size=n, max_size=n), min_size=2, max_size=2))
    out = data.draw(st.lists(small, min_size=2, max_size=2))
    f = Network([(rows, biases), (top, [1, -1]), ([out], [0])])
    identity = [[int(i == j) for j in range(n)] for i in range(n)]
    order = data.draw(st.permutations(range(n)))
    dead, doubled = [0] * n, [[2 * v for v in rows[i]] for i in order]
    g = Network(
        [
            ([*doubled, [1, 1]], [*(2 * biases[i] for i in order), 5]),
            ([*([*row, 0] for row in identity), [*dead, -1]], [0] * n + [-1]),
            ([[*(row[i] for i in order), 7] for row in top], [2, -2]),
            ([out], [0]),
        ]
    )
    # g is f with z of the second layer doubled
    halved = ([[value / 2 for value in g.weights[-1]]], [0])
    g = Network([*zip(g.weights[:-1], g.biases[:-1], strict=True), halved])
    refined = common_refinement([f, g])
    assert all(region.affine_map(0) == region.affine_map(1) for region in refined.activation_regions)
    first, second = dependency_graph(f), dependency_graph(g)
    assert nx.is_isomorphic(first, second)
    assert len(first.graph["obstructions"]) == len(second.graph["obstructions"])
    assert depth_lower_bound(f) == depth_lower_bound(g)
    if first.edges:
        assert depth_lower_bound(f) == 2


def test_limits_and_wrong_sources() -> None:
    with pytest.raises(Undecided):
        dependency_graph(GENERIC[0], limits=Limits(items=3))
    with pytest.raises(RelusymError, match="source must be"):
        dependency_graph(GENERIC[0], source="weights")
