"""Minimal forms and ridge forms: the paper's examples, its errata, the order of Definition 3, invariance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relusym import (
    FormatError,
    Network,
    ShapeError,
    dependent,
    equal,
    equivalent,
    load,
    minimal_form,
    ominus,
    project,
    reduce,
    ridge_form,
    semi_dependent,
    similar,
    zero_factor_rank,
)
from strategies import DISGUISES, equal_pairs, flipped, fractions, network_of, padded, shallows, split, symmetric


def parts(network: Network) -> tuple[list[Any], list[list[Any]], list[Any], Any]:
    """Return (v, A, b, C) as plain numbers."""
    return list(network.M), network.A.tolist(), list(network.b), network.c[0]


@pytest.mark.parametrize(
    ("name", "v", "A", "b", "c"),
    [
        ("example1-row2", [1, -1, 0], [[11, 11, 11], [5, 2, 1], [0, 0, 0]], [0, 0, 0], 0),
        ("example1-row3", [1, 1, 0], [[2, 4, 0], [1, 1, 3], [0, 0, 0]], [7, 2, 0], 4),
        ("example1-row4", [1, 1, -1], [[1, 7, 3], [0, 36, 0], [10, 5, 15]], [2, 63, 45], 8),
        ("dead-constant", [1, 0], [[1, 1], [0, 0]], [0, 0], 0),
        ("cancelling", [0, 0], [[0, 0, 0], [0, 0, 0]], [0, 0], 0),
        ("triple", [1, 0, 0], [[3], [0], [0]], [0, 0, 0], 0),
        ("swapped", [1, 0], [[4], [0]], [0, 0], 0),
        ("theta1", [1, 1, 1], [[1, 1], [0, -1], [-1, 0]], [-2, -1, -1], -6),
    ],
)
def test_minimal_forms_of_the_examples(name: str, v: Any, A: Any, b: Any, c: Any) -> None:
    form = minimal_form(load(f"example:{name}"))
    assert parts(form) == (v, A, b, c)
    assert zero_factor_rank(load(f"example:{name}")) == v.count(0)


def test_merged_weights_scale_the_direction_by_weight_and_length() -> None:
    """The total is Σ v_i λ_i over the common direction: 2·4 + 3 = 11, not 5.5."""
    form = reduce(load("example:example1-row2"))
    assert form == Network.shallow([1, -1], [[11, 11, 11], [5, 2, 1]], [0, 0], 0)


def test_dead_and_constant_at_once() -> None:
    f = reduce(Network.shallow([0], [[0, 0]], [5], 3))
    assert (f.widths, f([7, 8])) == ((2, 0, 1), (3,))
    assert zero_factor_rank(load("example:dead-constant")) == 1


def test_cancelling_groups_are_exact() -> None:
    """0.1 + 0.2 and 0.7 cancel as decimals; in binary floats the same digits do not."""
    rows = [["1", "2", "0.7"], ["0.1", "0.2", "0.07"]]
    assert zero_factor_rank(Network.shallow([1, -10], rows, [0, 0], 0)) == 2
    floats = [[float(entry) for entry in row] for row in rows]
    assert zero_factor_rank(Network.shallow([1, -10], floats, [0, 0], 0)) == 0
    for exponent in (17, 300):
        nearly = [rows[0], ["0.1", "0.2", f"0.07 + 1e-{exponent}"]]
        assert zero_factor_rank(Network.shallow([1, -10], nearly, [0, 0], 0)) == 0


def test_weighted_example_is_another_orbit_of_the_same_function() -> None:
    f, g = load("example:weighted"), load("example:weighted-flipped")
    assert equal(f, g).truth is True
    assert equivalent(f, g)
    assert similar(f, g).truth is False
    assert minimal_form(f) != minimal_form(g)
    assert ridge_form(f) == ridge_form(g)


def test_figure_1() -> None:
    f, g = load("example:theta1"), load("example:theta2")
    assert equal(f, g).truth is True
    assert similar(f, g).truth is False
    form = ridge_form(g)
    assert form == ridge_form(f)
    assert form.ridges == {(1, 1, -2): (1,), (1, 0, 1): (1,), (0, 1, 1): (1,)}
    assert (form.linear.tolist(), form.constant) == ([[-1, -1]], (-8,))
    difference = reduce(ominus(f, g))
    assert list(difference.M) == [1] * 3 + [-1] * 3
    assert sorted(difference.A.tolist()[:3]) == sorted([-x for x in row] for row in difference.A.tolist()[3:])


@pytest.mark.parametrize(
    ("v", "A", "b", "ranks", "ridges", "linear"),
    [
        ([1, -1, 1], [[1], [-1], [1]], [0, 0, -1], 3, 1, [[1]]),
        ([1, -1], [[1, 0], [-1, 0]], [0, 0], 2, 0, [[1, 0]]),
        ([-2, 3, -4, 5], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, 4, 2, [[-3, -5]]),
        ([1, 1, -1, 1], [[1, 0], [0, 1], [3, 5], [-3, -5]], [0, 0, 7, -7], 4, 2, [[-3, -5]]),
    ],
)
def test_ridges_and_linear_parts(v: Any, A: Any, b: Any, ranks: int, ridges: int, *, linear: Any) -> None:
    f = Network.shallow(v, A, b, 0)
    form = ridge_form(f)
    assert len(v) - zero_factor_rank(f) == ranks
    assert (len(form), form.linear.tolist()) == (ridges, linear)


def test_the_two_realisations_with_every_neuron_on_a_ridge() -> None:
    f = Network.shallow([-2, 3, -4, 5], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, 0)
    for t in (0, 1, "-5/3", "sqrt(2)"):
        g = Network.shallow([1, 1, -1, 1], [[1, 0], [0, 1], [3, 5], [-3, -5]], [0, 0, t, f"-({t})"], t)
        assert equal(f, g).truth is True
        assert equivalent(f, g)


def test_the_identity_of_the_plane() -> None:
    f = Network.shallow([[1, -1, 0, 0], [0, 0, 1, -1]], [[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4, [0, 0])
    form = ridge_form(f)
    assert (len(form), form.linear.tolist(), form.constant) == (0, [[1, 0], [0, 1]], (0, 0))
    assert form == ridge_form(Network([([[1, 0], [0, 1]], [0, 0])]))


@given(shallows(k=1))
def test_order_of_definition_3(theta: Any) -> None:
    assume(theta[1])
    f = network_of(theta, len(theta[1][0]))
    v, A, b, _ = parts(minimal_form(f))
    assert all(u in (0, 1, -1) for u in v)
    assert v == sorted(v, key=[1, -1, 0].index)
    rows = [[*row, bias] for row, bias in zip(A, b, strict=True)]
    for u in (1, -1):
        signed = [row for row, sign in zip(rows, v, strict=True) if sign == u]
        assert signed == sorted(signed, reverse=True)
    for row, sign in zip(rows, v, strict=True):
        assert (sign == 0) == (not any(row))
        assert sign == 0 or any(row[:-1])
    living = [row for row, sign in zip(rows, v, strict=True) if sign]
    assert not any(semi_dependent(p, q) for i, p in enumerate(living) for q in living[:i])
    assert minimal_form(minimal_form(f)) == minimal_form(f)
    assert minimal_form(f).widths == f.widths


@given(shallows(k=1, field="Q"), st.data())
def test_minimal_form_is_invariant_under_the_moves_of_definition_3(theta: Any, data: st.DataObject) -> None:
    assume(theta[1])
    m = len(theta[1][0])
    f = network_of(theta, m)
    for move in (symmetric, split, padded):
        g = network_of(move(data.draw, theta), m)
        assert reduce(g) == reduce(f)
        assert similar(f, g).truth is True
    assert minimal_form(network_of(symmetric(data.draw, theta), m)) == minimal_form(f)


@settings(max_examples=25)
@given(shallows(field="sqrt(2)", max_width=4), st.data())
def test_ridge_form_is_invariant_under_every_disguise(theta: Any, data: st.DataObject) -> None:
    assume(theta[1])
    m = len(theta[1][0])
    form = ridge_form(network_of(theta, m))
    for disguise in DISGUISES:
        other = ridge_form(network_of(disguise(data.draw, theta), m))
        assert other == form
        assert hash(other) == hash(form)


@given(shallows(k=1), st.data())
def test_flips_leave_the_function_and_change_the_minimal_form(theta: Any, data: st.DataObject) -> None:
    assume(theta[1])
    m = len(theta[1][0])
    f, g = network_of(theta, m), network_of(flipped(data.draw, theta), m)
    assert ridge_form(f) == ridge_form(g)
    if similar(f, g).truth:
        assert reduce(f) == reduce(g)
    else:
        assert reduce(f) != reduce(g)


@settings(max_examples=40)
@given(equal_pairs(k=2))
def test_similar_implies_equal_in_each_output(pair: tuple[Network, Network]) -> None:
    f, g = pair
    for i in range(2):
        p, q = project(f, i), project(g, i)
        assert equal(p, q).truth is True
        decision = similar(p, q)
        assert decision.truth is (reduce(p) == reduce(q))
        assert decision.explain()


@given(equal_pairs(), st.data())
def test_ominus_realises_the_difference(pair: tuple[Network, Network], data: st.DataObject) -> None:
    f, g = pair
    h = ominus(f, g)
    assert h.widths == (f.widths[0], f.widths[1] + g.widths[1], f.widths[-1])
    x = data.draw(st.lists(fractions, min_size=f.widths[0], max_size=f.widths[0]))
    assert h(x) == (0,) * f.widths[-1]
    assert project(h, 0)(x) == (0,)


def test_canonical_vectors_do_not_depend_on_the_declared_field() -> None:
    root = Network.shallow(["sqrt(2)"], [["sqrt(2)", "2*sqrt(2)"]], ["sqrt(2)/3"], 0)
    plain = Network.shallow([2], [[1, 2]], ["1/3"], 0)
    assert ridge_form(root) == ridge_form(plain)
    assert hash(ridge_form(root)) == hash(ridge_form(plain))
    assert ridge_form(root).ridges == {(3, 6, 1): (sp.Rational(2, 3),)}
    irrational = ridge_form(Network.shallow([1], [["-sqrt(2)", 1]], [0], 0))
    assert list(irrational.ridges) == [(1, -sp.sqrt(2) / 2, 0)]


@pytest.mark.parametrize("what", [minimal_form, zero_factor_rank, reduce])
def test_shapes_that_have_no_minimal_form(what: Any) -> None:
    for network, says in (
        (Network([([[1]], [0])]), "one hidden layer"),
        (Network([([[1]], [0])] * 3), "one hidden layer"),
        (Network.shallow([[1], [1]], [[1]], [0], [0, 0]), "one output"),
    ):
        with pytest.raises(ShapeError, match=says):
            what(network)
    with pytest.raises(ShapeError, match="one hidden layer"):
        ridge_form(Network([([[1]], [0])] * 3))


def test_operations_that_do_not_fit() -> None:
    f, g = load("example:theta1"), load("example:triple")
    for operation in (ominus, similar, equivalent):
        with pytest.raises(ShapeError, match="inputs"):
            operation(f, g)
    for index in (1, -1, True, 0.0, None):
        with pytest.raises(ShapeError, match="output from 0 to 0"):
            project(f, index)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("u", "w", "semi", "full"),
    [
        ([1, 2], ["1/2", 1], True, True),
        ([1, 2], [-1, -2], False, True),
        ([1, 2], [0, 0], True, True),
        ([0, 0], [0, 0], True, True),
        ([1, 2], [2, 1], False, False),
        ([0, 1], [1, 0], False, False),
        ([1, 0], [1, 1], False, False),
        (["sqrt(2)", 2], [1, "sqrt(2)"], True, True),
        (["sqrt(2)", 2], [-1, "-sqrt(2)"], False, True),
        ([1, "1e-300"], [1, 0], False, False),
        ([3.0, 1.5], [Fraction(2), "1"], True, True),
        (sp.Matrix([1, 2]), (2, 4), True, True),
        ([], [], True, True),
    ],
)
def test_dependence(u: Any, w: Any, semi: bool, full: bool) -> None:
    for first, second in ((u, w), (w, u)):
        assert semi_dependent(first, second) is semi
        assert dependent(first, second) is full


def test_dependence_refuses_what_is_no_vector() -> None:
    with pytest.raises(ShapeError, match="2 and 1"):
        dependent([1, 2], [1])
    with pytest.raises(FormatError, match="second vector, coordinate 1"):
        semi_dependent([1, 2], [1, None])
    with pytest.raises(FormatError, match="sequence"):
        semi_dependent(1, [2])  # type: ignore[arg-type]
