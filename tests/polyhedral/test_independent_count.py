"""Cells, regions and maps of random networks with small integers, against Fourier–Motzkin elimination."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq

from polyhedral import elimination
from relusym import Network, complex_of

SHAPES = [
    (1, 4, 1),
    (1, 3, 3, 1),
    (2, 3, 1),
    (2, 4, 2),
    (2, 2, 2, 1),
    (2, 3, 2, 1),
    (2, 2, 1, 2, 1),
    (3, 3, 1),
    (3, 4, 1),
    (3, 2, 2, 1),
    (2, 5, 1),
]


def small_layers(shape: tuple[int, ...], seed: int) -> list[tuple[list[list[int]], list[int]]]:
    generator = random.Random(seed)
    size = generator.choice([1, 2, 4])
    return [
        (
            [[generator.randint(-size, size) for _ in range(columns)] for _ in range(rows)],
            [generator.randint(-size, size) * generator.randint(0, 1) for _ in range(rows)],
        )
        for columns, rows in pairwise(shape)
    ]


def exact(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(9))
def test_cells_agree_with_elimination(shape: tuple[int, ...], seed: int) -> None:
    layers = small_layers(shape, seed)
    found = elimination.cells(layers)
    ours = complex_of(Network(layers))
    for dimension in range(shape[0] + 1):
        expected = {signs for signs, size in found.items() if size == dimension}
        assert {cell.signs for cell in ours.cells(dimension)} == expected
        assert len(ours.cells(dimension)) == len(expected)
    regions = [signs for signs, size in found.items() if size == shape[0]]
    assert len(ours.affine_maps) == len({elimination.affine_map(layers, signs) for signs in regions})
    assert len(ours.linear_regions) == elimination.linear_regions(layers, found)
    assert ours.euler_characteristic == (-1) ** shape[0]


@pytest.mark.parametrize("seed", range(12))
def test_affine_maps_and_preactivations_agree(seed: int) -> None:
    layers = small_layers((2, 3, 2, 2), seed)
    for region in complex_of(Network(layers)).activation_regions:
        weight, constant = region.affine_map()
        ours = tuple(tuple(map(exact, (*row, end))) for row, end in zip(weight, constant, strict=True))
        assert ours == elimination.affine_map(layers, region.signs)
        x = region.interior_point()
        for layer, width in enumerate((3, 2)):
            for neuron in range(width):
                form, end = region.preactivation(layer, neuron)
                value = sum((a * b for a, b in zip(form, x, strict=True)), end)
                sign = region.signs[3 * layer + neuron]
                assert (value > 0) - (value < 0) == sign
