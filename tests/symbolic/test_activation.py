"""Minimal forms and ∼ for other activations: equal rows merge, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Abs, E, Function, Lambda, Max, Rational, Symbol, asin, atan, cos, exp, log, sign, sin, sqrt, tanh

from relusym import FormatError, Network, ShapeError
from relusym.symbolic.activation import minimal_form, similar

t = Symbol("t")
entries = st.integers(-2, 2)


def network(v: list[int], rows: list[list[int]], b: list[object], c: object = 0) -> Network:
    return Network.shallow(v, rows, b, c)


@given(st.data())
def test_the_moves_leave_the_form(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 4))
    neurons = [data.draw(st.tuples(entries, entries, entries)) for _ in range(n)]
    v, a, b = (list(column) for column in zip(*neurons, strict=True))
    f = network(v, [[value] for value in a], list(b), 1)
    order = data.draw(st.permutations(range(n)))
    i = data.draw(st.integers(0, n - 1))
    cut = data.draw(entries)
    # permuted, one neuron split in two, and a dead one on an arbitrary row
    moved = [(v[j], a[j], b[j]) for j in order if j != i]
    moved += [(v[i] - cut, a[i], b[i]), (cut, a[i], b[i]), (0, data.draw(entries), data.draw(entries))]
    g = network([m[0] for m in moved], [[m[1]] for m in moved], [m[2] for m in moved], 1)
    assert similar(f, g, tanh).truth
    point = Rational(1, 3)
    forms = [minimal_form(h, tanh) for h in (f, g)]
    values = [
        sum(
            (w * tanh(r * point + s) for w, r, s in zip(form.network.M, form.network.A, form.network.b, strict=True)), 0
        )
        + form.constant
        for form in forms
    ]
    assert values[0] == values[1]


def test_scales_do_not_merge() -> None:
    f, g = network([2], [[1]], [1]), network([1], [[2]], [2])
    answer = similar(f, g, tanh)
    assert answer.truth is False
    assert answer.witness in ((1, 1), (2, 2))


def test_over_number_fields() -> None:
    f = network(["sqrt(2)", 1], [["sqrt(3)"], ["sqrt(3)"]], [0, 0])  # type: ignore[list-item]
    g = network(["1 + sqrt(2)"], [["sqrt(3)"]], [0])  # type: ignore[list-item]
    assert similar(f, g, tanh).truth


@pytest.mark.parametrize(
    ("activation", "truth"),
    [
        (tanh, False),
        (exp, False),
        (atan, False),
        (sign, True),
        (Lambda(t, t**2), False),
        (Lambda(t, (t - 1) * (t - 2)), True),
        (Lambda(t, Max(0, t - 2)), True),
        (Lambda(t, Abs(t - Rational(3, 2))), True),
        (Lambda(t, sqrt(t) * (t - 1) * (t - 2)), True),
        (Lambda(t, sqrt(t)), False),
        (Lambda(t, log(t)), False),
        (Lambda(t, E**t / (1 + E**t)), False),
        (Lambda(t, Max(sin(t), cos(t))), False),
        # Equal, but not by cancellation: never guessed.
        (Lambda(t, sin(t) ** 2 + cos(t) ** 2), None),
        (Function("f"), None),
        (Lambda(t, asin(t / 3)), None),
    ],
)
def test_constants_are_compared_three_valued(activation: object, truth: bool | None) -> None:
    f, g = network([1, 1], [[0], [1]], [1, 0]), network([1, 1], [[0], [1]], [2, 0])
    assert similar(f, g, activation).truth is truth


def test_constants_are_kept_beside_the_network() -> None:
    form = minimal_form(network([3, -1, 2, 1], [[0], [0], [0], [5]], ["1/3", "1/3", 0, 7], 4), tanh)
    assert form.constant == 4 + 2 * tanh(Rational(1, 3))
    assert dict(form.constants) == {Rational(1, 3): 2, 0: 2}
    assert form.network.c[0] == 4
    assert list(form.network.A) == [5, 0, 0, 0]


def test_cancelled_constants_leave_nothing() -> None:
    assert dict(minimal_form(network([1, -1], [[0], [0]], [2, 2]), tanh).constants) == {}


def test_refusals() -> None:
    f = network([1], [[1]], [0])
    with pytest.raises(FormatError, match="of one argument is due"):
        similar(f, f, "tanh")
    with pytest.raises(FormatError, match="of one argument is due"):
        minimal_form(f, Lambda((t, Symbol("s")), t))
    with pytest.raises(FormatError, match="free symbols"):
        similar(network([1], [[0]], [1]), network([1], [[0]], [2]), Lambda(t, t * Symbol("s")))
    with pytest.raises(ShapeError, match="one hidden layer and one output"):
        minimal_form(Network.shallow([[1], [2]], [[1]], [0], [0, 0]), tanh)
    with pytest.raises(ShapeError, match="1 and 2 inputs"):
        similar(f, Network.shallow([1], [[1, 2]], [0], 0), tanh)
