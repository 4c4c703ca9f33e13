"""Alignment: permutations, scales and flips are found again, and where there is none the layer is named."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Limits, Network, ShapeError, Symmetry, check, equal, load
from relusym.decision.alignment import alignment
from relusym.exact.matrix import column_of, rows_of


def moved(f, choices):
    """Permute and rescale the hidden neurons of f; choices are (order, scales) for each hidden layer."""
    layers = [[[list(row) for row in rows_of(layer.weight)], list(column_of(layer.bias))] for layer in f.layers]
    for depth, (order, scales) in enumerate(choices):
        rows, biases = layers[depth]
        layers[depth] = [
            [[w * s for w in rows[i]] for i, s in zip(order, scales, strict=True)],
            [biases[i] * s for i, s in zip(order, scales, strict=True)],
        ]
        following = layers[depth + 1]
        following[0] = [[line[i] / s for i, s in zip(order, scales, strict=True)] for line in following[0]]
    return Network([tuple(layer) for layer in layers])


def draw_choices(data, f):
    return [
        (data.draw(st.permutations(range(n))), [data.draw(st.sampled_from([1, 2, 3, 5])) for _ in range(n)])
        for n in f.widths[1:-1]
    ]


@settings(max_examples=120)
@given(st.data())
def test_permuted_and_rescaled_networks_are_aligned(deep_networks, data):
    f = data.draw(deep_networks)
    g = moved(f, draw_choices(data, f))
    found = alignment(f, g)
    assert found.truth is not False
    if found.truth:
        assert check(found.certificate, f, g)
        assert found.stopped is None
        assert len(found.layers) == f.depth
        for layer in found.layers:
            assert sorted(layer.permutation) == list(range(len(layer.permutation)))
    else:
        assert "paired as they come" in found.reason


def test_a_million_to_one_twin_is_told_apart_by_its_output_weights():
    """Two pairs of parallel neurons: only their columns say which is which."""
    f = Network(
        [([[1, 0], [2, 0], [0, 1], [0, 3]], [0, 0, 1, 3]), ([[1, 2, 3, 4], [4, 3, 2, 1]], [0, 1]), ([[1, 2]], [0])]
    )
    g = moved(f, [([3, 1, 0, 2], [1, 5, 2, 1]), ([1, 0], [3, 1])])
    found = alignment(f, g)
    assert found.truth is True
    assert [layer.permutation for layer in found.layers] == [(3, 1, 0, 2), (1, 0)]
    assert [layer.scale for layer in found.layers] == [(1, 5, 2, 1), (3, 1)]


def test_floats_of_a_classifier():
    draw = np.random.default_rng(7)
    widths = [40, 32, 32, 10]
    layers = [
        (draw.normal(size=(b, a)).astype(np.float32), draw.normal(size=b).astype(np.float32))
        for a, b in pairwise(widths)
    ]
    f = Network(layers)
    orders = [draw.permutation(32) for _ in range(2)]
    for depth, order in enumerate(orders):
        scale = (2.0 ** draw.integers(-5, 6, size=32)).astype(np.float32)
        weight, bias = layers[depth]
        layers[depth] = ((weight * scale[:, None])[order], (bias * scale)[order])
        weight, bias = layers[depth + 1]
        layers[depth + 1] = ((weight / scale)[:, order], bias)
    g = Network(layers)
    found = alignment(f, g)
    assert found.truth is True
    assert [layer.permutation for layer in found.layers] == [tuple(order.tolist()) for order in orders]
    assert check(found.certificate, f, g)
    weight = layers[1][0].copy()
    weight[4, 5] = np.nextafter(weight[4, 5], np.float32(9))
    layers[1] = (weight, layers[1][1])
    found = alignment(f, Network(layers))
    assert found.truth is False
    assert found.stopped == 1
    assert [layer.permutation for layer in found.layers] == [tuple(orders[0].tolist())]


def test_flips_of_the_paper_s_figure():
    f, g = load("example:theta1"), load("example:theta2")
    found = alignment(f, g)
    assert found.truth is True
    assert found.layers[0].flips == (0, 1, 2)
    assert check(found.certificate, f, g)
    assert "3 flipped" in found.explain()


def test_flips_inside_a_deep_network():
    """Σ M_i ⊗ a_i = 0 over the flipped neurons of layer 1: their linear parts cancel, their biases move."""
    first = ([[1, 0], [0, 1]], [0, 0])
    f = Network([first, ([[1, 2], [-1, 0], [0, -2]], [3, 1, 1]), ([[1, 1, 1], [2, 2, 2]], [0, 1]), ([[1, 1]], [0])])
    g = Network([first, ([[1, 0], [-1, -2], [0, 2]], [-1, -3, -1]), ([[1, 1, 1], [2, 2, 2]], [5, 11]), ([[1, 1]], [0])])
    found = alignment(f, g)
    assert found.truth is True
    assert found.layers[1].permutation == (1, 0, 2)
    assert found.layers[1].flips == (0, 1, 2)
    assert check(found.certificate, f, g)


def test_a_flip_that_leaves_a_linear_part_stops():
    f = Network([([[1, 1], [1, 0]], [0, 1]), ([[1, 2]], [0]), ([[1]], [0])])
    g = Network([([[-1, -1], [1, 0]], [0, 1]), ([[1, 2]], [0]), ([[1]], [0])])
    found = alignment(f, g)
    assert found.truth is False
    assert found.stopped == 1
    assert "linear part" in found.reason


def test_where_it_stops():
    f = Network([([[1, 2], [0, 1]], [1, 0]), ([[1, 1]], [0]), ([[1]], [0])])
    wide = Network([([[1, 2], [0, 1], [1, 1]], [1, 0, 0]), ([[1, 1, 0]], [0]), ([[1]], [0])])
    assert (alignment(f, wide).stopped, alignment(f, wide).truth) == (0, False)
    deep = Network([([[1, 2]], [0]), ([[1]], [0])])
    assert "2 hidden layers, g has 1" in alignment(f, deep).reason
    output = Network([([[1, 2], [0, 1]], [1, 0]), ([[1, 1]], [0]), ([[1]], [1])])
    found = alignment(f, output)
    assert (found.truth, found.stopped) == (False, 2)
    assert "output 0 has other weights" in found.reason
    assert len(found.layers) == 2
    with pytest.raises(ShapeError, match="inputs"):
        alignment(f, Network([([[1]], [0])]))
    assert alignment(f, f, limits=Limits(seconds=0)).truth is None


def test_rows_of_zeros_and_constant_rows():
    f = Network([([[0, 0], [0, 0], [0, 0], [1, 1]], [0, 2, -3, 1]), ([[1, 2, 3, 4]], [0])])
    g = Network([([[1, 1], [0, 0], [0, 0], [0, 0]], [1, 0, 4, -3]), ([[4, 1, 1, 3]], [0])])
    found = alignment(f, g)
    assert found.truth is True
    assert Symmetry(found.layers[0].permutation, found.layers[0].scale) @ f == g


def test_twins_are_told_apart_although_the_next_layer_is_flipped():
    """Output weights on equal neurons change their signs with the flips after them."""
    rows, biases = [[-4, 2, 4], [-2, 4, 4], [6, -6, -8]], [-1, 1, -2]
    first = ([[1], [1], [1]], [0, 0, 0])
    f = Network([first, (rows, biases), ([[1, 1, 1]], [0])])
    flipped = [[-entry for entry in row] for row in rows], [-bias for bias in biases]
    g = Network([first, flipped, ([[1, 1, 1]], [sum(biases)])])
    g = moved(g, [([2, 0, 1], [3, 2, 2]), ([1, 2, 0], [1, 1, 3])])
    assert equal(f, g).truth
    assert alignment(f, g).truth is not False


def test_flips_on_one_hyperplane_that_leave_as_many_neurons_on_either_side():
    """Which neuron is which is told by the output weights, which flips keep."""
    f = Network([([[1], [1], [-1], [-1]], [1, 1, -1, -1]), ([[1, 4, 2, 3]], [0])])
    g = Network([([[-1], [-1], [1], [1]], [-1, -1, 1, 1]), ([[1, 4, 2, 3]], [0])])
    found = alignment(f, g)
    assert found.truth is True
    assert found.layers[0].flips == (0, 1, 2, 3)
    assert check(found.certificate, f, g)


def test_a_row_of_zeros_hides_its_scale():
    f = Network([([[1], [0]], [0, 0]), ([[1, 1], [2, 1]], [0, 1]), ([[1, 1]], [0])])
    found = alignment(f, moved(f, [([0, 1], [1, 3]), ([0, 1], [1, 1])]))
    assert found.truth is None
    dead = Network([([[1], [0]], [0, 0]), ([[1, 0]], [0])])
    other = Network([([[1], [0]], [0, 0]), ([[2, 0]], [0])])
    assert alignment(dead, other).truth is False
