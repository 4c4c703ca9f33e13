"""Stabilizers: the corrected conditions E8 and E10, generators by matrix product, orders by brute force."""

from itertools import permutations, product

import pytest
from flint import fmpq
from sympy import Matrix, Rational, oo

from relusym import Limits, Network, ShapeError, Symmetry, Undecided, load, similar, stabilizer


def test_e8_output_weights_scale_the_other_way() -> None:
    """v = (1, 2), a = (2, 1), b = 0 is stabilised by [[0, 2], [1/2, 0]]; v = (2, 1) would not be."""
    swapped = stabilizer(load("example:swapped"))
    assert swapped.pairs == ((0, 1, Rational(1, 2)),)
    assert [h.matrix() for h in swapped.generators] == [Matrix([[0, 2], [Rational(1, 2), 0]])]
    assert stabilizer(Network.shallow([2, 1], [[2], [1]], [0, 0], 0)).is_trivial


def test_e10_three_equal_neurons_have_three_pairs() -> None:
    triple = stabilizer(load("example:triple"))
    assert len(triple.pairs) == 3
    assert (triple.order, triple.isomorphism_type, len(triple.generators)) == (6, "S_3", 2)


def test_zero_neurons_move_freely() -> None:
    f = Network.shallow([[0, 0, 1]], [[0], [0], [1]], [0, 0, 0], [0])
    s = stabilizer(f)
    assert (s.zero_neurons, s.order, s.isomorphism_type) == ((0, 1), oo, "H_2")
    assert all(h @ f == f for h in s.generators)


def test_first_layer_ignores_output_weights() -> None:
    f = Network.shallow([1, 5], [[1, 1], [2, 2]], [1, 2], 0)
    assert stabilizer(f).is_trivial
    first = stabilizer(f, first_layer=True)
    assert first.pairs == ((0, 1, 2),)


def test_rays_of_m_where_the_row_is_zero() -> None:
    f = Network.shallow([[1, 2], [3, 6]], [[0], [0]], [0, 0], [0, 0])
    s = stabilizer(f)
    assert s.pairs == ((0, 1, Rational(1, 2)),)  # M_0 = 1/2 M_1
    assert all(h @ f == f for h in s.generators)


@pytest.mark.parametrize("k", [1, 2])
def test_order_by_brute_force(k: int) -> None:
    """All permutations with all scales from a small set: those that fix θ are as many as the order says."""
    scales = [fmpq(1), fmpq(2), fmpq(1, 2)]
    rows = [(1, 0), (2, 0), (-1, 0)]
    for columns in product([(1, 1), (2, 2), (2, 1)], repeat=3):
        M = [[column[i] for column in columns] for i in range(k)]
        f = Network.shallow(M, [[a] for a, _ in rows], [b for _, b in rows], [0] * k)
        fixing = [
            h
            for p in permutations(range(3))
            for s in product(scales, repeat=3)
            if (h := Symmetry.from_elements(p, s)) @ f == f
        ]
        stab = stabilizer(f)
        assert len(fixing) == stab.order
        assert all(h @ f == f for h in stab.generators)


def test_over_a_number_field() -> None:
    f = Network.shallow(["sqrt(2)", 2], [["sqrt(2)"], [1]], [0, 0], 0)
    s = stabilizer(f)
    assert s.order == 2
    assert all(h @ f == f for h in s.generators)


def test_one_hidden_layer_is_due() -> None:
    with pytest.raises(ShapeError, match="one hidden layer"):
        stabilizer(Network([([[1]], [0])]))


def test_limits_end_the_work() -> None:
    with pytest.raises(Undecided, match="0 seconds"):
        stabilizer(load("example:triple"), limits=Limits(seconds=0))
    assert similar(load("example:theta1"), load("example:theta2"), limits=Limits(seconds=0)).truth is None
