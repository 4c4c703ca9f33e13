"""Ridge forms and minimal forms on whole float arrays against those from rational arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relusym import Network, equal, minimal_form, reduce, ridge_form, zero_factor_rank
from relusym.exact.matrix import FloatMatrix
from relusym.shallow import float_neurons
from relusym.shallow.float_rays import float_rays
from relusym.shallow.float_ridges import FloatRidges

SINGLE = [float(np.float32(x)) for x in (0, -0.0, 1, -1, 1.5, 3, 0.1, 1 / 3, 1e-45, 2.0**-126, 3e38, -7, 6)]
DOUBLE = [*SINGLE, 0.1, 1 / 3, 5e-324, 2.0**-1022, 2.0**1000, 1.7e308]


@pytest.fixture(autouse=True)
def arrays_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(float_neurons, "_WORTHWHILE", 0)


@st.composite
def float_networks(draw: st.DrawFn, outputs: int = 2) -> Network:
    """Networks of awkward floats, with multiples, opposites and copies of rows among them."""
    single = draw(st.booleans())
    dtype = np.float32 if single else np.float64
    entries = st.sampled_from(SINGLE if single else DOUBLE)
    m, n, k = draw(st.integers(1, 3)), draw(st.integers(1, 6)), draw(st.integers(1, outputs))
    size = n * (m + 1 + k) + k
    values = np.array(draw(st.lists(entries, min_size=size, max_size=size)), dtype=dtype)
    A, b, M, c = np.split(values, np.cumsum([n * m, n, k * n]))
    A, M = A.reshape(n, m), M.reshape(k, n)
    for _ in range(draw(st.integers(0, 3))):
        i, j = draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))
        factor = dtype(draw(st.sampled_from([1.0, -1.0, 2.0, -0.5, 3.0])))
        with np.errstate(all="ignore"):
            row, bias = A[i] * factor, b[i] * factor
        if np.isfinite(row).all() and np.isfinite(bias):
            A[j], b[j] = row, bias
            M[:, j] = draw(st.sampled_from([1, -1, 0])) * M[:, i] if draw(st.booleans()) else M[:, j]
    return Network([(A, b), (M, c)])


def rational(network: Network) -> Network:
    return Network.from_dict(network.to_dict())


@settings(max_examples=300, deadline=None)
@given(float_networks())
def test_ridge_forms(f: Network) -> None:
    quick, slow = ridge_form(f), ridge_form(rational(f))
    assert isinstance(quick._source, FloatRidges)
    assert not isinstance(slow._source, FloatRidges)
    assert (quick.ridges, quick.linear, quick.constant) == (slow.ridges, slow.linear, slow.constant)
    assert list(quick.ridges) == list(slow.ridges)
    assert quick == slow
    assert slow == quick
    assert hash(quick) == hash(slow)
    assert (len(quick), str(quick)) == (len(slow), str(slow))


@settings(max_examples=200, deadline=None)
@given(float_networks(outputs=1), st.data())
def test_two_ridge_forms_in_arrays(f: Network, data: st.DataObject) -> None:
    (A, b), (M, c) = ((layer.weight.array, layer.bias.array[:, 0]) for layer in f.layers)
    order = data.draw(st.permutations(range(len(b))))
    A, b, M = A[order].copy(), b[order].copy(), M[:, order].copy()
    change = data.draw(st.sampled_from(["none", "row", "bias", "weight", "constant"]))
    place = data.draw(st.integers(0, len(b) - 1))
    target = {"row": A[place], "bias": b[place : place + 1], "weight": M[:, place], "constant": c.copy()}.get(change)
    if target is not None:
        target[0] = np.nextafter(target[0], target.dtype.type(0))
    g = Network([(A, b), (M, target if change == "constant" else c)])
    assert (ridge_form(f) == ridge_form(g)) == equal(f, g).truth
    assert ridge_form(f) != ridge_form(g) or hash(ridge_form(f)) == hash(ridge_form(g))


@settings(max_examples=300, deadline=None)
@given(float_networks(outputs=1))
def test_minimal_forms(f: Network) -> None:
    assert float_rays(f) is not None
    exact = rational(f)
    for form in (minimal_form, reduce):
        assert form(f) == form(exact)
        assert form(f).widths == form(exact).widths
    assert zero_factor_rank(f) == zero_factor_rank(exact)


def test_minimal_forms_of_single_precision_stay_in_arrays() -> None:
    draw = np.random.default_rng(1)
    arrays = [draw.normal(size=size).astype(np.float32) for size in ((40, 5), 40, (1, 40), 1)]
    f = Network([(arrays[0], arrays[1]), (arrays[2], arrays[3])])
    assert isinstance(minimal_form(f).layers[0].weight, FloatMatrix)
    assert minimal_form(f) == minimal_form(rational(f))
    double = Network([(draw.normal(size=(40, 5)), arrays[1]), (draw.normal(size=(1, 40)), arrays[3])])
    assert not isinstance(minimal_form(double).layers[0].weight, FloatMatrix)


@pytest.mark.parametrize("weight", [2.0**-76, 2.0**-75, 2.0**1000])
def test_products_beyond_the_normal_numbers(weight: float) -> None:
    """Of few digits, and yet no binary64 numbers: 3·2^-1076, 3·2^-1075, 3·2^1100."""
    row = 3 * (2.0**100 if weight > 1 else 2.0**-1000)
    f = Network([(np.array([[row]]), np.array([1.0])), (np.array([[weight]]), np.array([0.0]))])
    assert minimal_form(f) == minimal_form(rational(f))
