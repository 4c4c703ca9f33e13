"""The symmetry and the flips that carry one shallow network to another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Limits, Network, ShapeError, Symmetry, Undecided, load, symmetry_between
from relusym.shallow.flips import flip

SMALL = st.integers(-2, 2)


@st.composite
def moved(draw: st.DrawFn) -> tuple[Network, Network]:
    """A small network, many of its neurons alike, and its image under a symmetry."""
    m, n, k = draw(st.integers(1, 2)), draw(st.integers(1, 5)), draw(st.integers(1, 2))
    f = Network.shallow(
        [[draw(SMALL) for _ in range(n)] for _ in range(k)],
        [[draw(SMALL) for _ in range(m)] for _ in range(n)],
        [draw(SMALL) for _ in range(n)],
        [draw(SMALL) for _ in range(k)],
    )
    scale = [draw(st.sampled_from([1, 2, "1/3", "sqrt(2)"])) for _ in range(n)]
    return f, Symmetry(draw(st.permutations(range(n))), scale) @ f


@settings(max_examples=150, deadline=None)
@given(moved())
def test_an_image_under_a_symmetry_is_recognised(pair: tuple[Network, Network]) -> None:
    f, g = pair
    found = symmetry_between(f, g)
    assert found is not None
    h, flips = found
    assert h @ flip(f, flips) == g


def test_flips_are_found_behind_a_symmetry() -> None:
    f = load("example:theta1")
    g = Symmetry([2, 0, 1], [3, "1/2", 5]) @ load("example:theta2")
    h, flips = symmetry_between(f, g)
    assert flips == (0, 1, 2)
    assert h @ flip(f, flips) == g


@pytest.mark.parametrize(
    "g",
    [
        Network.shallow([1, 1, 1], [[-1, -1], [1, 0], [0, 1]], [2, 1, 1], -9),  # another constant
        Network.shallow([1, 1, 1], [[-1, -1], [1, 0], [0, -1]], [2, 1, -1], -10),  # flips that leave something behind
        Network.shallow([1, 1], [[-1, -1], [1, 0]], [2, 1], -10),  # another width
        Network.shallow([1, 1, 2], [[-1, -1], [1, 0], [0, 1]], [2, 1, 1], -10),
    ],
)
def test_none_where_there_is_none(g: Network) -> None:
    assert symmetry_between(load("example:theta1"), g) is None


def test_other_shapes() -> None:
    with pytest.raises(ShapeError, match="same inputs"):
        symmetry_between(load("example:theta1"), load("example:triple"))
    with pytest.raises(ShapeError, match="one hidden layer"):
        symmetry_between(Network([([[1]], [0])]), load("example:triple"))


def test_limits_are_told_as_undecided() -> None:
    f = load("example:theta1")
    with pytest.raises(Undecided, match="before the neurons were matched"):
        symmetry_between(f, f, limits=Limits(seconds=0))
