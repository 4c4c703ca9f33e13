"""Tropical weights: two ways to find them, balancing, and what depends on the function only."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Limits, Network, common_refinement, complex_of, load, same_breakpoints
from relusym.polyhedral.links import Link
from relusym.polyhedral.weights import TropicalWeights

small = st.integers(-3, 3)


@st.composite
def deep_layers(draw, inputs=(1, 3), depth=(0, 3), widths=(1, 4)):
    sizes = [draw(st.integers(*inputs)), *draw(st.lists(st.integers(*widths), min_size=depth[0], max_size=depth[1]))]
    sizes.append(draw(st.integers(1, 2)))
    return [
        ([[draw(small) for _ in range(m)] for _ in range(n)], [draw(small) for _ in range(n)])
        for m, n in pairwise(sizes)
    ]


def deeper(layers: list) -> Network:
    """The same function with one more hidden layer: y = σ(y) for y ≥ 0, after the first hidden layer."""
    (first, bias), (second, second_bias), *rest = layers
    width = len(first)
    identity = [[int(i == j) for j in range(width)] for i in range(width)]
    return Network([(first, bias), (identity, [0] * width), (second, second_bias), *rest])


@settings(max_examples=60)
@given(deep_layers())
def test_weights_are_path_products_and_balanced(layers) -> None:
    weights = complex_of(Network(layers)).weights()
    for cell, known in weights.items():
        assert weights.path_weight(cell) == known.weight
    assert weights.balanced().truth is True


def test_normals_are_primitive_and_point_to_the_plus_side() -> None:
    complex = complex_of(Network.shallow([Fraction(1, 2)], [[-4, 6]], [1], 0))
    (weight,) = complex.weights().values()
    assert weight.normal == (2, -3)
    assert weight.weight == (1,)  # the gradient jumps by 1/2 · 2 · (2, −3)
    inside = complex.activation_regions[weight.plus].interior_point()
    border = weight.cell.interior_point()
    assert sum(p * (a - b) for p, a, b in zip(weight.normal, inside, border, strict=True)) > 0


def test_number_fields_and_irrational_normals() -> None:
    f = Network([([["sqrt(2)", 1], [1, -1]], [0, 1]), ([["sqrt(2)", -1], [1, 1]], [0, -1]), ([[1, "sqrt(2)"]], [0])])
    weights = complex_of(f).weights()
    assert any(weight.normal[0] == 1 and not isinstance(weight.normal[1], fmpq) for weight in weights.values())
    assert all(weights.path_weight(cell) == weight.weight for cell, weight in weights.items())
    assert weights.balanced()


def test_weights_on_a_domain_with_walls_and_on_a_plane_in_space() -> None:
    f = Network.shallow([3, 2, 1], [[2, 1, 0], [0, -1, 1], [1, 1, 1]], [0, 1, 0], 0)
    for domain in ([(-1, 1), (0, 0), (None, 3)], [(-2, 2)] * 3):
        weights = complex_of(f, domain=domain).weights()
        assert weights
        assert all(weights.path_weight(cell) == weight.weight for cell, weight in weights.items())
        assert weights.balanced()


def test_a_wrong_weight_is_noticed() -> None:
    weights = complex_of(load("example:theta1")).weights()
    cell = next(iter(weights))
    weights._table[cell] = weights[cell]._replace(weight=(fmpq(7),))
    decision = weights.balanced()
    assert decision.truth is False
    assert decision.witness.dimension == 0


def test_a_missing_cell_is_noticed() -> None:
    weights = complex_of(load("example:theta1")).weights()
    link = next(weights.links())
    assert link.is_balanced()
    assert not Link(link.cell, link.weights[1:], link.axes).is_balanced()


def test_balancing_within_limits() -> None:
    decision = complex_of(load("example:theta1")).weights().balanced(limits=Limits(seconds=0))
    assert decision.truth is None


@settings(max_examples=40)
@given(deep_layers(inputs=(1, 2), depth=(1, 2), widths=(1, 3)))
def test_weighted_breakpoints_depend_on_the_function_only(layers) -> None:
    f, g = Network(layers), deeper(layers)
    decision = same_breakpoints(common_refinement([f, g]))
    assert decision.truth is True
    changed = [*layers[:-1], (layers[-1][0], [value + 1 for value in layers[-1][1]])]
    assert same_breakpoints(common_refinement([g, Network(changed)])).truth is True  # a constant does not bend


def test_different_weights_have_a_witness() -> None:
    f, g = Network.shallow([1], [[1, 1]], [0], 0), Network.shallow([2], [[1, 1]], [0], 0)
    decision = same_breakpoints(common_refinement([f, g]))
    assert decision.truth is False
    assert [weight.weight for weight in decision.witness] == [(1,), (2,)]


def test_pairs_of_different_depth_from_a_flip() -> None:
    """σ(t) = t + σ(−t) at the second layer, t carried by two neurons of the first."""
    f = Network([([[1, 0], [0, 1]], [0, 0]), ([[1, -2]], [1]), ([[3]], [0])])
    # 3 σ(t) = 3 t + 3 σ(−t) with t = y0 − 2 y1 + 1
    g = Network([([[1, 0], [0, 1]], [0, 0]), ([[-1, 2], [1, 0], [0, 1]], [-1, 0, 0]), ([[3, 3, -6]], [3])])
    refined = common_refinement([f, g])
    assert same_breakpoints(refined)
    for region in refined.activation_regions:
        assert region.affine_map(0) == region.affine_map(1)


def test_breakpoints_leave_out_what_cancels() -> None:
    breakpoints = complex_of(Network.shallow([1, -1, 1], [[1, 0], [2, 0], [0, 1]], [0, 0, 0], 0)).breakpoints()
    assert {weight.normal for weight in breakpoints.weights.values()} == {(1, 0), (0, 1)}
    cancelled = complex_of(Network.shallow([2, -1, 1], [[1, 0], [2, 0], [0, 1]], [0, 0, 0], 0)).breakpoints()
    assert {weight.normal for weight in cancelled.weights.values()} == {(0, 1)}
    assert len(cancelled.cells) < len(cancelled.all_weights)


@pytest.mark.parametrize("network", [0, 1])
def test_path_weights_on_a_common_refinement(network: int) -> None:
    f, g = Network.shallow([3], [["sqrt(2)", 1]], [0], 0), Network.shallow([3, 1], [[1, "sqrt(3)"], [0, 1]], [0, 1], 0)
    weights = TropicalWeights(common_refinement([f, g]), network)
    assert all(weights.path_weight(cell) == weight.weight for cell, weight in weights.items())
