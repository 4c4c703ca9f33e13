"""H_n acting on parameters: group laws, the action, and that functions stay the same."""

import pytest
from sympy import Matrix, sqrt

from relusym import FieldError, Network, ShapeError, Symmetry, equal

THETA = Network.shallow([[1, 2, -1], [0, 1, "1/3"]], [[1, 2], [3, 4], [5, 6]], [7, 8, 9], [0, "1/2"])
H = Symmetry([2, 0, 1], [2, "1/3", 5])
G = Symmetry([1, 0, 2], [7, 1, "sqrt(2)"])


def test_composition_acts_in_order() -> None:
    assert (H * G) @ THETA == H @ (G @ THETA)


def test_matrix_is_a_homomorphism_and_acts_on_rows() -> None:
    assert (H * G).matrix() == H.matrix() * G.matrix()
    moved = H @ THETA
    assert moved.A == H.matrix() * THETA.A
    assert moved.b == H.matrix() * THETA.b
    assert moved.M == THETA.M * H.matrix().inv()
    assert moved.c == THETA.c


def test_inverse() -> None:
    assert G * G.inverse() == Symmetry.identity(3) == G.inverse() * G
    assert G.inverse() @ (G @ THETA) == THETA


def test_the_function_stays() -> None:
    assert equal(THETA, G @ THETA)


def test_scale_and_matrix_are_sympy() -> None:
    assert G.scale == (7, 1, sqrt(2))
    assert Matrix(G.matrix()) == Matrix([[0, 7, 0], [1, 0, 0], [0, 0, sqrt(2)]])


@pytest.mark.parametrize(
    ("permutation", "scale", "error", "message"),
    [
        ([0, 0], None, ShapeError, "a permutation"),
        ([0, 1], [1], ShapeError, "2 are due"),
        ([0, 1], [1, 0], FieldError, "entry 1 is 0; positive"),
        ([0, 1], [1, "1 - sqrt(2)"], FieldError, "entry 1 is 1 - sqrt"),
    ],
)
def test_bad_symmetries(permutation: list[int], scale: list[object] | None, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        Symmetry(permutation, scale)


def test_sizes_must_agree() -> None:
    with pytest.raises(ShapeError, match="2 neurons acts on"):
        Symmetry([0, 1]) @ THETA
    with pytest.raises(ShapeError, match="2 and 3"):
        Symmetry([0, 1]) * H
