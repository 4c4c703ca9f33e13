"""Strategies that tests of deep networks share: random networks, and rewrites that keep their functions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import strategies as st

from relusym import Network

small = st.integers(-3, 3)
positive = st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=4)


@st.composite
def layer_lists(draw, depths=(1, 4), inputs=(1, 3), widths=(1, 4)):
    """Layers [rows, biases] of integers, the output layer last."""
    sizes = [draw(st.integers(*inputs))]
    sizes += [draw(st.integers(*widths)) for _ in range(draw(st.integers(*depths)))]
    sizes.append(draw(st.integers(1, 2)))
    return [
        [[[Fraction(draw(small)) for _ in range(m)] for _ in range(n)], [Fraction(draw(small)) for _ in range(n)]]
        for m, n in pairwise(sizes)
    ]


def _append(layers, depth, row, bias, column):
    layers[depth][0].append(row)
    layers[depth][1].append(bias)
    for line, value in zip(layers[depth + 1][0], column, strict=True):
        line.append(value)


def _split(draw, layers, depth):
    rows, biases = layers[depth]
    place, factor, share = draw(st.integers(0, len(rows) - 1)), draw(positive), draw(small)
    column = [line[place] * share for line in layers[depth + 1][0]]
    for line, value in zip(layers[depth + 1][0], column, strict=True):
        line[place] -= value
    _append(layers, depth, [factor * w for w in rows[place]], factor * biases[place], [v / factor for v in column])


def _dead(draw, layers, depth):
    rows = layers[depth][0]
    row = [Fraction(draw(small)) for _ in rows[0]]
    _append(layers, depth, row, Fraction(draw(small)), [Fraction(0)] * len(layers[depth + 1][0]))


def _constant(draw, layers, depth):
    rows, bias = layers[depth][0], Fraction(draw(small))
    column = [Fraction(draw(small)) for _ in layers[depth + 1][0]]
    layers[depth + 1][1] = [b - v * max(bias, 0) for b, v in zip(layers[depth + 1][1], column, strict=True)]
    _append(layers, depth, [Fraction(0)] * len(rows[0]), bias, column)


def _two_sides(draw, layers, depth):
    """c σ(h) = c σ(−h) + c (s σ(h/s) − σ(−h)) + …: a neuron is written by its opposite, and h by both sides."""
    rows, biases = layers[depth]
    place, scale = draw(st.integers(0, len(rows) - 1)), draw(positive)
    column = [line[place] for line in layers[depth + 1][0]]
    down = [-w for w in rows[place]], -biases[place]
    _append(layers, depth, *down, column)
    _append(layers, depth, [w / scale for w in down[0]], down[1] / scale, [-v * scale for v in column])


def _cancelling(draw, layers, depth):
    rows = layers[depth][0]
    row, bias = [Fraction(draw(small)) for _ in rows[0]], Fraction(draw(small))
    column, scale = [Fraction(draw(small)) for _ in layers[depth + 1][0]], draw(positive)
    _append(layers, depth, row, bias, column)
    _append(layers, depth, [scale * w for w in row], scale * bias, [-v / scale for v in column])


def _active(draw, layers, depth):
    """Three active neurons whose linear parts cancel; after the first layer only, where values are not negative."""
    if depth == 0:
        return
    width = len(layers[depth][0][0])
    one, two = ([Fraction(abs(draw(small))) for _ in range(width)] for _ in range(2))
    column = [Fraction(draw(small)) for _ in layers[depth + 1][0]]
    for row, sign in ((one, 1), (two, 1), ([a + b for a, b in zip(one, two, strict=True)], -1)):
        _append(layers, depth, row, Fraction(1), [sign * v for v in column])
    layers[depth + 1][1] = [b - v for b, v in zip(layers[depth + 1][1], column, strict=True)]


def _shuffle(draw, layers, depth):
    (rows, biases), following = layers[depth], layers[depth + 1]
    order = draw(st.permutations(range(len(rows))))
    scales = [draw(positive) for _ in rows]
    layers[depth] = [
        [[scales[i] * w for w in rows[i]] for i in order],
        [scales[i] * biases[i] for i in order],
    ]
    following[0] = [[line[i] / scales[i] for i in order] for line in following[0]]


def _unit(size, value=1):
    return [[Fraction(value * (i == j)) for j in range(size)] for i in range(size)]


def _identity_after(draw, layers, depth):
    """One more hidden layer: σ(y) = y for y >= 0, or σ(z) − σ(−z) = z of a pre-activation."""
    size = len(layers[depth][0])
    zeros = [Fraction(0)] * size
    if draw(st.booleans()):
        layers.insert(depth + 1, [_unit(size), zeros])
    else:
        rows, biases = layers[depth]
        doubled = [rows + [[-w for w in row] for row in rows], biases + [-b for b in biases]]
        joined = [up + down for up, down in zip(_unit(size), _unit(size, -1), strict=True)]
        layers[depth : depth + 1] = [doubled, [joined, zeros]]


_REWRITES = (_split, _dead, _constant, _two_sides, _cancelling, _active, _shuffle, _identity_after)


@st.composite
def rewritten(draw, depths=(1, 4), most=5):
    """Pairs of networks with the same function, the second rewritten."""
    layers = draw(layer_lists(depths))
    f = Network([tuple(layer) for layer in layers])
    layers = [[[list(row) for row in rows], list(biases)] for rows, biases in layers]
    for rewrite in draw(st.lists(st.sampled_from(_REWRITES), min_size=1, max_size=most)):
        rewrite(draw, layers, draw(st.integers(0, len(layers) - 2)))
    return f, Network([tuple(layer) for layer in layers])


@pytest.fixture(scope="session")
def rewritten_pairs():
    """A strategy of pairs of networks with one function."""
    return rewritten()


@pytest.fixture(scope="session")
def deep_networks():
    """A strategy of networks of depth 1 to 4."""
    return layer_lists().map(lambda layers: Network([tuple(layer) for layer in layers]))
