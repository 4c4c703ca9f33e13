"""The fewest neurons and the networks that have them: small right answers, certificates, bounds under limits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relusym import Limits, Network, ShapeError, Undecided, check, compress, equal, load, min_width, reduce, ridge_form
from relusym.shallow.width import compress_shallow, width_of

IDENTITY = Network.shallow([[1, -1, 0, 0], [0, 0, 1, -1]], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, [0, 0])


def test_fewer_than_the_minimal_form_has() -> None:
    f = Network.shallow([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 0)
    assert reduce(f).widths[1] == 3
    form = ridge_form(f)
    assert (len(form), form.linear[0, 0]) == (1, 1)
    assert min_width(f) == 2
    assert compress(f).widths == (1, 2, 1)


def test_the_identity_of_the_plane_needs_four() -> None:
    assert (len(ridge_form(IDENTITY)), min_width(IDENTITY)) == (0, 4)


@pytest.mark.parametrize(("name", "width"), [("theta1", 3), ("triple", 1), ("cancelling", 0), ("dead-constant", 1)])
def test_examples(name: str, width: int) -> None:
    f = load(f"example:{name}")
    answer = width_of(f)
    assert (answer.width, answer.lower, answer.upper, answer.network.widths[1]) == (width,) * 4
    assert equal(f, answer.network)
    assert check(answer.certificate or {}, f)


def test_over_a_field() -> None:
    """√2·σ(x) − √2·σ(−x) + √3·σ(x − y) + …: Λ is a multiple of the direction of a ridge, over Q(√2, √3) alone."""
    f = Network.shallow(
        ["sqrt(2)", "-sqrt(2)", "sqrt(3)"], [["1", "sqrt(2)"], ["-1", "-sqrt(2)"], ["sqrt(2)", "2"]], [0, 0, 1], 0
    )
    answer = width_of(f)
    assert (len(ridge_form(f)), answer.width) == (1, 2)
    assert equal(f, answer.network)
    assert check(answer.certificate or {}, f)


small = st.integers(-2, 2)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Networks with opposite neurons, so that linear parts arise, which flips of others may undo."""
    k, m, n = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    rows = draw(st.lists(st.lists(small, min_size=m, max_size=m), min_size=n, max_size=n))
    columns = draw(st.lists(st.lists(small, min_size=k, max_size=k), min_size=n, max_size=n))
    biases = draw(st.lists(small, min_size=n, max_size=n))
    for index in range(draw(st.integers(0, n))):
        scale = draw(st.sampled_from([1, 2, Fraction(1, 3)]))
        rows.append([-scale * x for x in rows[index]])
        biases.append(-scale * biases[index])
        columns.append([-w / scale for w in map(Fraction, columns[index])])
    return Network.shallow([list(row) for row in zip(*columns, strict=True)], rows, biases, [0] * k)


@given(networks())
def test_compressed_is_equal_and_the_certificate_is_checked(f: Network) -> None:
    answer = width_of(f)
    assert len(ridge_form(f)) <= (answer.width or 0) <= f.widths[1]
    assert answer.network.widths[1] == answer.width == min_width(f)
    assert equal(f, answer.network)
    assert check(answer.certificate or {}, f)
    assert width_of(answer.network).width == answer.width


def hard() -> Network:
    """Return a network with 40 ridges, a linear part, and so many sides to choose that limits end the search."""
    random = np.random.default_rng(4)
    rows = random.integers(-(2**40), 2**40, (40, 2))
    weights = [*random.integers(1, 2**40, 40).tolist(), 1, -1]
    return Network.shallow(weights, [*rows.tolist(), [1, 3], [-1, -3]], [*range(1, 41), 0, 0], 0)


def test_limits_carry_bounds_and_a_network() -> None:
    f, limits = hard(), Limits(seconds=0)
    with pytest.raises(Undecided) as caught:
        min_width(f, limits=limits)
    assert (caught.value.lower, caught.value.upper) == (40, 42)
    assert isinstance(caught.value.partial, Network)
    assert equal(f, caught.value.partial)
    answer = width_of(f, limits=limits)
    assert (answer.truth, answer.width, answer.lower, answer.upper) == (None, None, 40, 42)
    assert answer.network.widths[1] == 42
    assert "the fewest neurons are between 40 and 42" in answer.explain()


def test_explained() -> None:
    text = width_of(Network.shallow([1, -2, 1], [[1], [-1], [1]], [0, 0, -1], 0)).explain()
    assert text.splitlines()[0] == "the gradient jumps across 2 hyperplanes: 2 ridges, so at least 2 neurons"
    assert text.splitlines()[-1] == "3 neurons are the fewest"


def test_one_hidden_layer_is_due() -> None:
    deep = Network([([[1]], [0]), ([[1]], [0]), ([[1]], [0])])
    for question in (min_width, width_of, compress_shallow):
        with pytest.raises(
            ShapeError, match="the fewest neurons takes a network with one hidden layer; this one has 2"
        ):
            question(deep)
