"""Equality up to a positive output scale, with certificates that the stand-alone checker verifies."""

import copy

import pytest
from sympy import Rational, sqrt

from relusym import CertificateError, Network, RelusymError, check, equal, load

THETA1, THETA2 = load("example:theta1"), load("example:theta2")


def times(factor: object, f: Network) -> Network:
    return Network.shallow(f.M * factor, f.A, f.b, f.c * factor)


@pytest.mark.parametrize("factor", [1, 3, Rational(1, 7), sqrt(2), 2 - sqrt(3)])
def test_a_positive_factor_is_found(factor: object) -> None:
    g = times(factor, THETA2)
    decision = equal(THETA1, g, up_to="positive-scale")
    assert decision.verdict == "equal"
    assert decision.scale == factor
    assert check(decision.certificate, THETA1, g)
    tampered = copy.deepcopy(dict(decision.certificate))
    tampered["scale"] = "5"
    assert not check(tampered, THETA1, g)


@pytest.mark.parametrize(
    "g",
    [
        times(-1, THETA1),
        times(0, THETA1),
        Network.shallow([2, 2, 2], THETA1.A, THETA1.b, -11),
        Network.shallow([2, 2, 4], THETA1.A, THETA1.b, -12),
    ],
)
def test_what_is_no_positive_multiple(g: Network) -> None:
    for f, h in ((THETA1, g), (g, THETA1)):
        decision = equal(f, h, up_to="positive-scale")
        assert decision.verdict == "different"
        assert decision.scale is None
        assert decision.counterexample.f != decision.counterexample.g
        assert check(decision.certificate, f, h)
        assert not check(decision.certificate, f, f)


def test_zero_functions() -> None:
    zero = times(0, THETA1)
    decision = equal(zero, times(0, THETA2), up_to="positive-scale")
    assert (decision.truth, decision.scale) == (True, 1)
    assert check(decision.certificate, zero, times(0, THETA2))


def test_on_a_box() -> None:
    f = Network.shallow([1, 1], [[1, 0], [0, 1]], [0, 0], 0)
    g = Network([([[3, 3]], [0])])
    box = [(0, 1), (0, "sqrt(5)")]
    decision = equal(f, g, domain=box, up_to="positive-scale")
    assert (decision.truth, decision.scale) == (True, 3)
    assert check(decision.certificate, f, g)
    wider = equal(f, g, domain=[(-1, 1), (0, 1)], up_to="positive-scale")
    assert wider.truth is False
    assert -1 <= wider.counterexample.x[0] <= 1
    assert check(wider.certificate, f, g)


def test_deep_networks() -> None:
    f = Network([([[1], [2]], [0, 1]), ([[1, -1]], [1]), ([[2]], [3])])
    g = Network([([[2], [1]], [1, 0]), ([[-1, 1]], [1]), ([[10]], [15])])
    decision = equal(f, g, up_to="positive-scale")
    assert (decision.truth, decision.scale) == (True, 5)
    assert check(decision.certificate, f, g)


def test_other_relations_are_refused() -> None:
    with pytest.raises(RelusymError, match="positive-scale"):
        equal(THETA1, THETA2, up_to="sign")


def test_an_inner_scale_is_refused() -> None:
    """A proof of 2 · (c · f) = g is none of c · f = g."""
    g = times(6, THETA2)
    tampered = copy.deepcopy(dict(equal(THETA1, g, up_to="positive-scale").certificate))
    tampered["scale"], tampered["proof"]["scale"] = "3", "2"
    with pytest.raises(CertificateError, match="scale of its own"):
        check(tampered, THETA1, g)
