"""Deep networks that are minimal but not identifiable, and towers whose depth shows: each claim about them, exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Matrix, Max, Rational, symbols

from relusym import (
    Network,
    RelusymError,
    check,
    complex_of,
    dependency_graph,
    depth_lower_bound,
    equal,
    functional_dimension,
    generic_depth_lower_bound,
    genericity,
    identify,
    load,
    prove_equal,
)
from relusym.parameters.deep_examples import always_active_family, minimal_family, tower
from relusym.polyhedral.derivative import Place

RADIUS = Fraction(1, 8)
Family = Callable[[int | Fraction], Network]
Lists = list[tuple[list[list[Fraction]], list[Fraction]]]

families = pytest.mark.parametrize("family", [minimal_family, always_active_family])
steps = st.fractions(min_value=-RADIUS, max_value=RADIUS, max_denominator=1000)


def parameters(network: Network) -> Lists:
    """Return the weights and biases as lists of fractions."""
    return [
        ([[Fraction(v) for v in row] for row in layer["weight"]], [Fraction(v) for v in layer["bias"]])
        for layer in network.to_dict()["layers"]
    ]


def without(network: Network, layer: int, neuron: int) -> Network:
    """Return the network without one of its hidden neurons."""
    layers = parameters(network)
    del layers[layer][0][neuron], layers[layer][1][neuron]
    for row in layers[layer + 1][0]:
        del row[neuron]
    return Network(layers)


@st.composite
def neighbours(draw: st.DrawFn, family: Family, radius: Fraction = RADIUS) -> Network:
    """Networks with every parameter moved by at most ``radius`` from the family's at t = 1."""
    steps = st.fractions(min_value=-radius, max_value=radius, max_denominator=1000)
    return Network(
        [
            ([[v + draw(steps) for v in row] for row in weight], [v + draw(steps) for v in bias])
            for weight, bias in parameters(family(1))
        ]
    )


def moved(network: Network, family: Family, s: Fraction) -> Network:
    """Return the network moved along its symmetry."""
    (first, b), (second, r), (last, c) = parameters(network)
    if family is minimal_family:
        b = [b[0] + s, b[1]]
        r = [bias - row[0] * s for bias, row in zip(r, second, strict=True)]
    else:
        r = [r[0], r[1] + s]
        c = [c[0] - last[0][1] * s]
    return Network([(first, b), (second, r), (last, c)])


def positive_expressions(layers: Lists, family: Family) -> list[Fraction]:
    """Return what has to be positive (the determinant: not zero) for the proof in the docstring; all multilinear."""
    (w, _), (((p0, q0), (p1, q1)), (r0, r1)), ([[v0, v1]], _) = layers
    determinant = w[0][0] * w[1][1] - w[0][1] * w[1][0]
    if family is minimal_family:
        q0, q1, r0, r1, v1 = -q0, -q1, -r0, -r1, -v1
        orders = [v0 * p0 - v1 * p1, q0 * p1 - q1 * p0, r1 * p0 - r0 * p1]
    else:
        # p0, q0 is the row of z_0 and p1, q1 that of z_1
        r0, v1 = -r0, -v1
        orders = [v0 * p0 - v1 * p1, v1 * q1 - v0 * q0]
    return [determinant, p0, q0, p1, q1, r0, r1, v0, v1, *orders]


# -- the open set


@families
def test_the_box_around_the_example_is_in_the_open_set(family: Family) -> None:
    """A multilinear expression takes its least value on a box at a corner; biases of layer 0 and c do not occur."""
    centre = parameters(family(1))
    for signs in product((-RADIUS, RADIUS), repeat=12):
        step = iter(signs)
        (w, b), (a, r), (v, c) = centre
        corner = [
            ([[x + next(step) for x in row] for row in w], b),
            ([[x + next(step) for x in row] for row in a], [x + next(step) for x in r]),
            ([[x + next(step) for x in row] for row in v], c),
        ]
        assert min(positive_expressions(corner, family)) > 0


def assert_minimal(network: Network) -> None:
    """Assert what shows that no network of any depth with fewer than four hidden neurons has the same function.

    One hidden layer is not enough; one neuron in the first layer makes gradients parallel; one in the last hidden layer
    bounds the function from one side.
    """
    complex = complex_of(network)
    gradients = [[Rational(str(v)) for v in found.weight[0]] for found in complex.affine_maps]
    assert Matrix(gradients).rank() == 2
    slopes = [
        sum(a * b for a, b in zip(region.affine_map().weight[0], ray, strict=True))
        for region in complex.activation_regions
        for ray in region.rays()
    ]
    assert min(slopes) < 0 < max(slopes)
    assert depth_lower_bound(network) == 2


def assert_no_neuron_to_spare(network: Network) -> None:
    """Assert that each deletion changes the function, each time with a point that is replayed and a proof."""
    for layer, width in enumerate(network.widths[1:-1]):
        for neuron in range(width):
            smaller = without(network, layer, neuron)
            assert sum(smaller.widths) == sum(network.widths) - 1
            decision = equal(network, smaller)
            assert decision.verdict == "different"
            assert decision.counterexample is not None
            x = decision.counterexample.x
            assert network(x) == decision.counterexample.f != decision.counterexample.g == smaller(x)
            assert check(decision.certificate, network, smaller)


@families
def test_minimal(family: Family) -> None:
    assert_minimal(family(1))
    assert_no_neuron_to_spare(family(1))


@families
def test_not_identifiable(family: Family) -> None:
    dimension = functional_dimension(family(1))
    assert (dimension.value, dimension.parameters, dimension.hidden) == (10, 15, 4)
    assert dimension.smooth
    report = identify(family(1))
    assert report["no_dead_neuron"].truth
    assert report["no_duplicate_neuron"].truth
    assert report["no_always_active_neuron"].truth is (family is minimal_family)


def test_the_direction_in_which_the_function_stands_still() -> None:
    (symmetry,) = functional_dimension(load("example:minimal-not-identifiable")).kernel()
    entries = dict(zip(symmetry.places, (v for v in symmetry.vector if v != 0), strict=True))
    bias, one, other = Place(0, 0, None), Place(1, 0, None), Place(1, 1, None)
    assert set(entries) == {bias, one, other}
    assert entries[one] == entries[other] == -entries[bias]


@families
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_nearby_parameters_are_minimal_and_not_identifiable(family: Family, data: Any) -> None:
    network = data.draw(neighbours(family))
    assert min(positive_expressions(parameters(network), family)) > 0
    assert functional_dimension(network).value == 10
    assert_minimal(network)
    assert_no_neuron_to_spare(network)
    other = moved(network, family, data.draw(st.fractions(min_value=0, max_value=50, max_denominator=50)))
    decision = equal(network, other)
    assert decision.verdict == "equal"
    assert check(decision.certificate, network, other)


# -- the family


@families
@settings(max_examples=10, deadline=None)
@given(t=st.fractions(min_value=0, max_value=10**6, max_denominator=10**6))
def test_one_function_for_many_values(family: Family, t: Fraction) -> None:
    decision = equal(family(1), family(t))
    assert decision.verdict == "equal"
    assert check(decision.certificate, family(1), family(t))


@families
def test_another_function_below_zero(family: Family) -> None:
    for t in (Fraction(-1, 10**9), -1, -50):
        assert equal(family(1), family(t)).verdict == "different"


x0, x1, t = symbols("x0 x1 t", real=True)


def relu(value: Any) -> Any:
    return Max(0, value)


FORMULAS = {
    minimal_family: 2 * relu(relu(x0 + t) - 2 * relu(x1) - t) - relu(relu(x0 + t) - relu(x1) - t - 1),
    always_active_family: 2 * relu(relu(x0) + relu(x1) - 1) - relu(relu(x0) + 3 * relu(x1) + t) + t,
}


@families
def test_one_function_for_every_real_value_at_once(family: Family) -> None:
    """t is linear in every place, so it is one more variable of an expression that is piecewise linear."""
    formula = FORMULAS[family]
    assert equal(Network.from_sympy([formula.subs(t, 5)], [x0, x1]), family(5)).verdict == "equal"
    identity = prove_equal(formula, formula.subs(t, 1), [t >= 0])
    assert identity.truth
    assert prove_equal(formula, formula.subs(t, 1)).truth is False


@families
def test_one_function_for_every_value_with_a_certificate(family: Family) -> None:
    """The networks with t as a third input, which a third neuron hands on, are equal where t ≥ 0."""
    if family is minimal_family:
        first = [[1, 0, 1], [0, 1, 0], [0, 0, 1]]
        second, last = ([[1, -2, -1], [1, -1, -1], [0, 0, 1]], [0, -1, 0]), ([[2, -1, 0]], [0])
    else:
        first = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        second, last = ([[1, 1, 0], [1, 3, 1], [0, 0, 1]], [-1, 0, 0]), ([[2, -1, 1]], [0])
    every = Network([(first, [0, 0, 0]), second, last])
    (w, b), *rest = parameters(family(1))
    one = Network([([[*row, 0] for row in w], b), *rest])
    for value in (0, 1, Fraction(22, 7)):
        assert every([Rational(3), Rational(-2), Rational(value)]) == family(value)([Rational(3), Rational(-2)])
    domain = [(None, None), (None, None), (0, None)]
    decision = equal(every, one, domain=domain)
    assert decision.verdict == "equal"
    assert check(decision.certificate, every, one)
    below = [(None, None), (None, None), (None, 0)]
    assert equal(every, one, domain=below).verdict == ("different" if family is minimal_family else "equal")


def test_built_in_networks() -> None:
    example = load("example:minimal-not-identifiable")
    other = load("example:minimal-not-identifiable-moved")
    assert example == minimal_family(1)
    assert other == minimal_family(2)
    assert equal(example, other).verdict == "equal"
    assert load("example:minimal-always-active") == always_active_family(1)
    for depth in (2, 3, 4):
        assert load(f"example:tower-{depth}") == tower(depth)


# -- depth


def assert_depth_shows(network: Network) -> None:
    """Assert that the parameters are generic and that a chain is as long as the network is deep."""
    assert genericity(network).generic.truth
    bound = generic_depth_lower_bound(network)
    assert bound == network.depth
    graph = dependency_graph(network)
    assert graph.graph["obstructions"] == []
    assert all(graph.has_edge(one, other) for one, other in pairwise(bound.chain))


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 6])
def test_the_depth_of_a_tower_shows(depth: int) -> None:
    network = tower(depth)
    assert_depth_shows(network)
    assert functional_dimension(network).is_full
    of_parameters = dependency_graph(network, source="parameters")
    assert len(of_parameters) == 3 * depth, "every bent hyperplane is connected"
    of_function = dependency_graph(network)
    assert len(of_function) == 3 * depth
    assert sorted(d for _, d in of_function.in_degree) == sorted(d for _, d in of_parameters.in_degree)
    for layer in range(depth - 1):
        for i, j in product(range(3), repeat=2):
            assert of_parameters.has_edge((layer, i, 0), (layer + 1, j, 0))
    assert len(genericity(network).complex.activation_regions) == 3 * depth**2 + 9 * depth - 5


@pytest.mark.parametrize("depth", [2, 3])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_the_depth_of_networks_near_a_tower_shows(depth: int, data: Any) -> None:
    assert_depth_shows(data.draw(neighbours(lambda _: tower(depth), Fraction(1, 50))))


def test_a_tower_that_is_spoilt_is_not_generic() -> None:
    first, (weight, _), last = parameters(tower(2))
    spoilt = genericity(Network([first, (weight, [Fraction(-4)] * 3), last]))
    assert spoilt.transparent.truth is False
    assert spoilt.generic.truth is False


def test_a_tower_that_is_generic_only_where_it_stands() -> None:
    """Here all of a layer are constant along one ray, and a small change makes them decrease along it."""
    first, last = parameters(tower(1))
    weight = [[Fraction(v) for v in row] for row in ([-4, 2, -1], [-1, -4, 2], [2, -1, -4])]
    assert genericity(Network([first, (weight, [4, 4, 4]), last])).generic.truth
    weight[0][1] -= Fraction(1, 1000)
    assert genericity(Network([first, (weight, [4, 4, 4]), last])).transparent.truth is False


@pytest.mark.parametrize("depth", [0, -1, "2"])
def test_towers_have_layers(depth: Any) -> None:
    with pytest.raises(RelusymError, match="positive number"):
        tower(depth)
